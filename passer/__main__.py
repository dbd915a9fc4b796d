"""`python -m passer`."""

from passer.cli import main

main()
