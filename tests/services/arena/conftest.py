"""The sweep that tournaments are played on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.services.arena.made import Played, compared
from tests.services.judging.made import Script


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Played]:
    made = Played(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    made.fill()
    yield made
    made.close()


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Callable[..., Played]]:
    opened: list[Played] = []

    def made(script: Script = lambda _: compared()) -> Played:
        arena = Played(f"sqlite:///{tmp_path / 'passer.sqlite3'}", script)
        arena.fill()
        opened.append(arena)
        return arena

    yield made
    for arena in opened:
        arena.close()
