"""Fixtures of a real chain; each skips with a reason where the node is absent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.chain.wheel import BINARY, NO_NODE

if TYPE_CHECKING:
    from tests.chain.booted import Chain


@pytest.fixture(scope="session")
def chain_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory of a booted and stopped chain, to be copied."""
    if not BINARY.is_file():
        pytest.skip(NO_NODE)
    from tests.chain.booted import new_chain

    folder = tmp_path_factory.mktemp("booted") / "chain"
    with new_chain(folder):
        pass
    return folder


@pytest.fixture(scope="module")
def chain(chain_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    """A running chain for the tests of one module, with the contract on it and no rows at first."""
    yield from _copied(chain_source, tmp_path_factory)


@pytest.fixture
def fresh_chain(chain_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chain]:
    """A running chain for one test alone."""
    yield from _copied(chain_source, tmp_path_factory)


def _copied(source: Path, folders: pytest.TempPathFactory) -> Iterator[Chain]:
    from tests.chain.booted import copied_chain

    with copied_chain(source, folders.mktemp("copied") / "chain") as chain:
        yield chain
