"""Writes requirements.lock: what the images install, a version and the SHA-256 of its files a line.

    python scripts/lock.py > requirements.lock          (`make lock`)

Versions are those of constraints.txt, and what an extra needs is read from the packages of this environment, so it must
have the extras of the images. The files are those that pip chooses for the Python of the images on x86-64 and on ARM,
and their digests those that the package index states: pip only reads their descriptions. Torch is left out: the images
take it from its own index, which the package index does not know.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
BUILD = ("hatchling", "editables")
"""What the package itself is built with."""
ELSEWHERE = ("passer-rag", "torch")
"""What is no line of the lock: the package itself, and torch."""
PLATFORMS = ("x86_64", "aarch64")
OLDEST_GLIBC = (17, 24, 26, 27, 28, 31, 34, 35, 36)
"""Minor versions of glibc 2 that wheels name, up to that of Debian 12."""


def main() -> None:
    """Print the lock."""
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    extras = re.findall(r'"\.\[([a-z,]+)\]"', docker)[0].split(",")
    python = re.findall(r"FROM python:(\d+\.\d+)", docker)[0]
    pinned = [f"{name}=={version}" for name, version in sorted(needed(ROOT / "constraints.txt", extras).items())]
    digests: dict[str, set[str]] = defaultdict(set)
    for machine in PLATFORMS:
        for name, digest in chosen(pinned, machine, python):
            digests[name].add(digest)
    sys.stdout.write("# What the images install. Written by `make lock`: run it after a change of constraints.txt.\n")
    for line in pinned:
        hashes = sorted(digests[line.partition("==")[0]])
        sys.stdout.write(" \\\n    ".join([line, *(f"--hash=sha256:{digest}" for digest in hashes)]) + "\n")


def needed(constraints: Path, extras: list[str]) -> dict[str, str]:
    """Return the version of each package that PaSSER with these extras needs, by its canonical name."""
    versions: dict[str, str] = {
        canonicalize_name(name): version
        for name, version in re.findall(r"^([\w.-]+)==(\S+)$", constraints.read_text(encoding="utf-8"), re.M)
    }
    found: dict[str, set[str]] = {}
    waiting = [Requirement(f"passer-rag[{','.join(extras)}]"), *map(Requirement, BUILD)]
    while waiting:
        requirement = waiting.pop()
        name, wanted = canonicalize_name(requirement.name), {"", *requirement.extras}
        if wanted <= found.get(name, set()):
            continue
        found.setdefault(name, set()).update(wanted)
        for text in distribution(name).requires or ():
            dependency = Requirement(text)
            if dependency.marker is None or any(dependency.marker.evaluate({"extra": extra}) for extra in wanted):
                waiting.append(dependency)
    return {name: versions[name] for name in found if name not in ELSEWHERE}


def chosen(pinned: list[str], machine: str, python: str) -> Iterator[tuple[str, str]]:
    """Yield name and SHA-256 of the file that pip would install for each package on a machine."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in OLDEST_GLIBC]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps",
             "--only-binary=:all:", f"--python-version={python}", "--implementation=cp", *platforms,
             f"--platform=manylinux2014_{machine}", "--target", folder, "--report", str(report), *pinned],
            check=True, stdout=sys.stderr,
        )  # fmt: skip
        for item in json.loads(report.read_text(encoding="utf-8"))["install"]:
            hashes = item["download_info"]["archive_info"]["hashes"]
            yield canonicalize_name(item["metadata"]["name"]), hashes["sha256"]


if __name__ == "__main__":
    main()
