"""The sweep that tournaments are played on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.arena.made import Played


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Played]:
    made = Played(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    made.fill()
    yield made
    made.close()
