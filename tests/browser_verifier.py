"""The page's verifier, run by Node.js."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

import pytest

from passer.domain.bundle.verification import Step
from tests.conftest import ROOT

CLIENT = ROOT / "frontend"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (CLIENT / "node_modules" / "vite").is_dir(),
    reason="Node.js or the page's packages are absent: `make client` installs them",
)


def step_of(step: Step | dict[str, Any]) -> dict[str, Any]:
    """The result of a step, in which both verifiers agree; the sentences differ."""
    told = step.model_dump() if isinstance(step, Step) else step
    return {part: told[part] for part in ("name", "outcome", "member", "number", "question")}


def by_the_browser(bundles: Sequence[bytes], folder: Path, *, heap_mb: int = 2000) -> list[dict[str, Any] | None]:
    """Verifications in order; None for a file that is no bundle. It fails where JavaScript needs a larger heap."""
    paths = [folder / f"{number}.zip" for number in range(len(bundles))]
    for path, bundle in zip(paths, bundles, strict=True):
        path.write_bytes(bundle)
    found = [json.loads(line) for line in _lines(paths, heap_mb)]
    return [one and one | {"steps": [step_of(step) for step in one["steps"]]} for one in found]


def _lines(paths: Sequence[Path], heap_mb: int) -> Iterator[str]:
    asked, answers = _verifier(heap_mb)
    for path in paths:
        print(path, file=asked, flush=True)
        line = answers.readline()
        if not line:
            _verifier.cache_clear()
            raise AssertionError(f"Node.js did not survive {path.name}: what it wrote says why")
        yield line


@cache
def _verifier(heap_mb: int) -> tuple[IO[str], IO[str]]:
    """Where a verifier is asked, and where it answers: one for all tests of this process, so that it compiles once."""
    command = ["node", f"--max-old-space-size={heap_mb}", "scripts/verify-bundle.mjs"]
    kept = subprocess.Popen(command, cwd=CLIENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def end() -> None:
        with kept:
            kept.kill()

    atexit.register(end)
    assert kept.stdin
    assert kept.stdout
    return kept.stdin, kept.stdout
