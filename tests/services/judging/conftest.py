"""Fixtures of the judging tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.services.judging.made import Judged


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """A finished sweep in a database of its own, and a judge that is scripted."""
    made = Judged(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    made.fill()
    return made
