"""Prints what pyproject.toml requires, a requirement a line: the dependencies and those of the extras that are named.

    python scripts/requirements.py encoder retrieval > requirements.txt
    python scripts/requirements.py --lowest encoder retrieval > lowest.txt

With --lowest it prints constraints instead: each requirement's lower bound as its exact version. It needs nothing but
Python, because it runs before anything is installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

LOWER_BOUND = re.compile(r"(?P<name>[\w.-]+)(\[[^]]*\])?>=(?P<version>[\w.]+)")


def find_pyproject() -> Path:
    """Return pyproject.toml of the working directory, or of the checkout that holds this script."""
    here = Path("pyproject.toml")
    return here if here.is_file() else Path(__file__).resolve().parents[1] / here


def required(pyproject: Path, extras: Sequence[str]) -> list[str]:
    """Return the dependencies and those of the extras, as written."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    if unknown := [name for name in extras if name not in optional]:
        sys.exit(f"pyproject.toml has no extra {', '.join(unknown)}. It has: {', '.join(optional)}.")
    return [*project["dependencies"], *(each for name in extras for each in optional[name])]


def lowest(requirements: Iterable[str]) -> Iterator[str]:
    """Yield `name==version` of each requirement with a lower bound."""
    for requirement in requirements:
        if bound := LOWER_BOUND.match(requirement):
            yield f"{bound['name']}=={bound['version']}"


def main(arguments: Sequence[str]) -> None:
    """Print the requirements or constraints."""
    requirements = required(find_pyproject(), [name for name in arguments if name != "--lowest"])
    sys.stdout.writelines(f"{line}\n" for line in (lowest(requirements) if "--lowest" in arguments else requirements))


if __name__ == "__main__":
    main(sys.argv[1:])
