"""One published sweep, for all tests of studies."""

from __future__ import annotations

import pytest

from tests.studies import PublishedSweep


@pytest.fixture(scope="session")
def published() -> PublishedSweep:
    return PublishedSweep()


@pytest.fixture(scope="session")
def study(published: PublishedSweep) -> bytes:
    return published.publish()
