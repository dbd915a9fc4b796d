"""Draftings on databases of their own, closed after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.services.drafting.made import Made


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Made]]:
    opened: list[Made] = []

    def made(**given: Any) -> Made:
        opened.append(Made(f"sqlite:///{tmp_path / f'{len(opened)}.sqlite3'}", **given))
        return opened[-1]

    yield made
    for each in opened:
        each.close()
