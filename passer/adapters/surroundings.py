"""Versions and hardware of this process, collected when a run is described, never at import."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from passer.domain.bundle.manifest import DescribedMachine, Surroundings

PACKAGES = (
    "numpy", "scipy", "torch", "transformers", "safetensors", "nltk", "rapidfuzz", "chromadb",
    "langchain-text-splitters", "jinja2", "pydantic", "rfc8785", "sqlalchemy", "httpx",
)  # fmt: skip
"""Packages that answers and scores depend on, besides PaSSER."""
CHECKOUT = Path(__file__).parents[2]
_GIT_WITHIN_S = 10.0


@cache
def surroundings(passer_version: str) -> Surroundings:
    """Return the surroundings of this process, computed once."""
    found = {name: _version(name) for name in PACKAGES}
    return Surroundings(
        software={
            "python": platform.python_version(),
            "passer": passer_version,
            **{name: text for name, text in found.items() if text},
        },
        code_commit=commit_of(CHECKOUT),
        machine=_machine(),
    )


def _machine() -> DescribedMachine:
    return DescribedMachine(
        system=f"{platform.system()} {platform.release()}",
        architecture=platform.machine(),
        processor=_processor(),
        cpu_count=os.cpu_count(),
        core_count=_cores(),
        memory_bytes=total_memory(),
    )


def commit_of(folder: Path) -> str | None:
    """Return the commit of the checkout at this folder, with `+changes` if files differ; None without a checkout."""
    if not (folder / ".git").exists():
        return None
    commit = _git(folder, "rev-parse", "--verify", "HEAD")
    changes = _git(folder, "status", "--porcelain", "--untracked-files=no")
    if commit is None or changes is None:
        return None
    return f"{commit}+changes" if changes else commit


def _git(folder: Path, *asked: str) -> str | None:
    """Run git without locks, so that nothing is written."""
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
    """Return the processor's name from /proc/cpuinfo, on other systems from Python."""
    return next(iter(_cpuinfo("model name")), None) or platform.processor() or None


def _cores() -> int | None:
    """Return the number of physical cores from /proc/cpuinfo; None if it is unknown."""
    return len(set(zip(_cpuinfo("physical id"), _cpuinfo("core id"), strict=False))) or None


def total_memory() -> int | None:
    """Return the memory of this machine in bytes; None if the system does not report it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def resident_memory(pid: int | None = None) -> int | None:
    """Return the resident memory in bytes of a process, by default of this one; None if it is not reported."""
    try:
        pages = int(Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, IndexError, OSError, ValueError):
        return None


def _cpuinfo(name: str) -> list[str]:
    """Return the values of a field of /proc/cpuinfo for each processor; empty without that file."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == name]
