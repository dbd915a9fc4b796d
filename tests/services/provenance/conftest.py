"""One published sweep, for all tests of studies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

from passer.domain.bundle import reading
from passer.domain.models.model import Model
from tests.studies import PublishedSweep


@pytest.fixture(scope="module", autouse=True)
def kept_lines() -> Iterator[None]:
    """Read equal lines of a file's bundles once: its forgeries differ in one, and reading was a fifth of their time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "read_document", lru_cache(maxsize=5000)(reading.read_document))
        yield


@pytest.fixture(scope="session")
def published() -> PublishedSweep:
    """The second sweep of its dataset."""
    return PublishedSweep(before=True)


@pytest.fixture(scope="session")
def study(published: PublishedSweep) -> bytes:
    return published.publish()


@pytest.fixture(scope="session")
def judged_study() -> bytes:
    """A sweep whose primary metric is a judged column."""
    judge = Model(provider="openai", name="J", base_url="http://127.0.0.1:1")
    return PublishedSweep(primary="Answer correctness", judge=judge).publish()


@pytest.fixture(scope="session")
def rated_study() -> bytes:
    """The same with 48 questions, of which people rated 30 in each run."""
    judge = Model(provider="openai", name="J", base_url="http://127.0.0.1:1")
    return PublishedSweep(questions=48, rated=30, primary="Answer correctness", judge=judge).publish()
