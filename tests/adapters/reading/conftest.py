"""Each pool here has separate processes, which end with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kept_readers import ended


@pytest.fixture(scope="package", autouse=True)
def own_processes() -> Iterator[None]:
    with ended():
        yield
