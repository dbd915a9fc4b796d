"""Collections in a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from passer.adapters.chroma.collections import ChromaCollections
from tests.adapters.chroma.made import ENCODER


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaCollections]:
    collections = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda name: ENCODER)
    yield collections
    collections.close()
