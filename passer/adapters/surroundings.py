"""What this process is made of and where it runs; asked when a run is described, never at import."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from passer.domain.manifest import DescribedMachine, Surroundings

PACKAGES = (
    "passer", "numpy", "scipy", "torch", "transformers", "safetensors", "nltk", "rapidfuzz", "chromadb",
    "langchain-text-splitters", "jinja2", "pydantic", "rfc8785", "sqlalchemy", "ollama", "httpx",
)  # fmt: skip
"""What answers and scores depend on."""
CHECKOUT = Path(__file__).parents[2]
_GIT_WITHIN_S = 10.0


@cache
def surroundings() -> Surroundings:
    """Of this process; the same for as long as it lives."""
    found = {name: _version(name) for name in PACKAGES}
    return Surroundings(
        software={"python": platform.python_version(), **{name: text for name, text in found.items() if text}},
        code_commit=commit_of(CHECKOUT),
        machine=DescribedMachine(
            system=f"{platform.system()} {platform.release()}",
            architecture=platform.machine(),
            processor=_processor(),
            cpu_count=os.cpu_count(),
            core_count=_cores(),
            memory_bytes=_memory(),
        ),
    )


def commit_of(folder: Path) -> str | None:
    """Commit of the checkout whose top this folder is, with `+changes` where files differ; None where it is none."""
    if not (folder / ".git").exists():
        return None
    commit = _git(folder, "rev-parse", "--verify", "HEAD")
    changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
    if commit is None or changes is None:
        return None
    return f"{commit}+changes" if changes else commit


def _git(folder: Path, *asked: str) -> str | None:
    """What git says; without locks, so that nothing is written."""
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(folder), *asked],
            capture_output=True,
            text=True,
            timeout=_GIT_WITHIN_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str | None:
    """As /proc/cpuinfo names it; elsewhere as Python does."""
    return next(iter(_told("model name")), None) or platform.processor() or None


def _cores() -> int | None:
    """By /proc/cpuinfo, which numbers the cores of each package; None where it does not."""
    return len(set(zip(_told("physical id"), _told("core id"), strict=False))) or None


def _memory() -> int | None:
    """None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _told(name: str) -> list[str]:
    """What /proc/cpuinfo says of each processor under that name; empty where there is no such file."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == name]
