"""The process of tests/forked.py with the core dependencies of PaSSER alone.

    python -m tests.core_forks SOCKET NAME...

These names cannot be imported, in this process from its start and so in each of its forks, which run Python code.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from typing import Any

from tests import forked

IMPORTED = ("fastapi.testclient", "passer.api.app", "passer.bootstrap.pipeline", "passer.cli")


def hide(names: set[str]) -> None:
    """Make these unimportable, with all that is in them."""
    finder: Any = PathFinder
    real = finder.find_spec

    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        return None if name.partition(".")[0] in names else real(name, path, target)

    finder.find_spec = find_spec


def execute() -> None:
    """Run the code of the first argument, as a program that is called `passer`."""
    code = sys.argv.pop(1)
    sys.argv[0] = "passer"
    exec(compile(code, "<code>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    hide(set(sys.argv[2:]))
    del sys.argv[2:]
    forked.main(IMPORTED)
