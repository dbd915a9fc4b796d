"""Asks PyPI and npm whether advisories are known for the locked dependencies: `make audit`.

    .venvs/audit/bin/python scripts/audit.py

A registry without advisories, such as a mirror, checks nothing. That is said, and is no success. Exit status: 0 all
were checked and none has an advisory, 1 some have, 2 some could not be checked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Found:
    """What one tool says."""

    checked: int
    """Packages that it looked up."""
    unchecked: int
    """Packages that the registry has no answer for; with `checked` 0, nothing is known."""
    advisories: tuple[str, ...]


def of_pip(said: str) -> Found:
    """Read the JSON of pip-audit; ValueError if it is none."""
    packages = json.loads(said)["dependencies"]
    known = [each for each in packages if "skip_reason" not in each]
    return Found(
        checked=len(known),
        unchecked=len(packages) - len(known),
        advisories=tuple(f"{each['name']} {each['version']}: {one['id']}" for each in known for one in each["vulns"]),
    )


def of_npm(said: str) -> Found:
    """Read the JSON of npm audit; ValueError or KeyError if it is none, or says that nothing was looked up."""
    answer: dict[str, Any] = json.loads(said)
    names = answer["vulnerabilities"]
    return Found(
        checked=answer["metadata"]["dependencies"]["total"],
        unchecked=0,
        advisories=tuple(f"{name}: {each['severity']}" for name, each in names.items()),
    )


def asked(command: Sequence[str], folder: Path, read: Callable[[str], Found]) -> Found:
    """Run a tool and read what it prints; both tools exit with 1 where they find something."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
        return read(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        return Found(0, 1, ())


def main() -> int:
    """Print what both tools say."""
    pip = [sys.executable, "-m", "pip_audit", "-r", "constraints.txt", "--no-deps", "--disable-pip", "-f", "json"]
    found = {
        "Python (constraints.txt)": asked(pip, ROOT, of_pip),
        "Page (frontend/package-lock.json)": asked(["npm", "audit", "--json"], ROOT / "frontend", of_npm),
    }
    for name, each in found.items():
        lines = list(each.advisories)
        if each.checked:
            lines.append(f"{each.checked} packages checked, {len(each.advisories)} advisories")
        if each.unchecked:
            what = f"{each.unchecked} packages were not checked" if each.checked else "nothing was checked"
            lines.append(f"{what}: the registry gives no advisories. Ask a public one, not a mirror.")
        sys.stdout.writelines(f"{name}: {line}\n" for line in lines)
    if any(each.advisories for each in found.values()):
        return 1
    return 2 if any(each.unchecked for each in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
