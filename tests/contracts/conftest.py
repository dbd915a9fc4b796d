"""What the tests of contracts share."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contracts.packed import FOLDER

NO_COMPILER = "the contract compiler is not installed: apt-get install clang-16 lld-16"


@pytest.fixture
def build(tmp_path: Path) -> Callable[[Path], bytes]:
    """Builds a contract of one file into its wasm."""
    if shutil.which("clang-16") is None or shutil.which("wasm-ld-16") is None:
        pytest.skip(NO_COMPILER)

    def built(source: Path) -> bytes:
        wasm = tmp_path / "built.wasm"
        subprocess.run(["sh", str(FOLDER / "build.sh"), str(wasm), str(source)], check=True, cwd="/")
        return wasm.read_bytes()

    return built
