"""Start parameters of child processes that read untrusted files."""

from __future__ import annotations

import os
import sys


def child_environment(**more: str) -> dict[str, str]:
    """Return this process's environment without PaSSER's settings and keys, and with what it imports from.

    Start the child with `python -P`: PYTHONPATH then names every folder that modules come from, and the current folder,
    in which anybody may have left a file, is not among them.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PASSER_", "OLLAMA_API_KEY"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}
