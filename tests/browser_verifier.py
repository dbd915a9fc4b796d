"""The page's verifier, run by Node.js."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
    command = ["node", f"--max-old-space-size={heap_mb}", "scripts/verify-bundle.mjs", *map(str, paths)]
    done = subprocess.run(command, cwd=CLIENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [one and one | {"steps": [step_of(step) for step in one["steps"]]} for one in found]
