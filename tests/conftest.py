"""Fixtures shared by all tests; the fakes stand in tests/fakes.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def test_data() -> Path:
    """Real files of the public record; tests that need them skip where they are absent."""
    folder = Path(os.environ.get("PASSER_TEST_DATA", ROOT / ".." / "shared" / "data")).resolve()
    if not folder.is_dir():
        pytest.skip("test data absent: set PASSER_TEST_DATA to the folder that holds it")
    return folder
