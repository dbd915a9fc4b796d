"""Sentence vectors of a collection are computed once and kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from passer.adapters.chroma import sentences as chroma_sentences
from passer.adapters.chroma.collections import ChromaCollections
from tests.adapters.chroma.made import ENCODER, CountingEncoder, add


def test_sentences_are_computed_once_and_kept(store: ChromaCollections, tmp_path: Path) -> None:
    add(store)
    counting = CountingEncoder()
    path = tmp_path / "chroma"
    first = ChromaCollections(path=path, embedder_for=lambda name: counting).open("farming")
    passages = list(first.passages())
    found = first.sentences(passages[:3])
    assert passages[0].text == "Bees need nectar and pollen. Hives keep"
    assert found[0][0] == ["Bees need nectar and pollen.", "Hives keep"]
    assert counting.texts == [text for texts, _ in found for text in texts]
    for texts, vectors in found:
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(vectors, ENCODER.sentence_vectors(texts), atol=1e-6)
    counting.texts.clear()
    for index in (first, ChromaCollections(path=path, embedder_for=lambda name: counting).open("farming")):
        again = index.sentences(passages[:3])
        assert [texts for texts, _ in again] == [texts for texts, _ in found]
        assert all(np.array_equal(one, other) for (_, one), (_, other) in zip(again, found, strict=True))
    assert counting.texts == []
    index.sentences(passages)
    assert len(counting.texts) == sum(len(texts) for texts, _ in index.sentences(passages[3:]))
    assert [collection.name for collection, _ in store.list()] == ["farming"]


def test_sentences_of_no_passages(store: ChromaCollections) -> None:
    add(store)
    assert store.open("farming").sentences([]) == []


def test_a_collection_opened_for_each_question_reads_sentences_once(
    store: ChromaCollections, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As the built-in reader does: the next configuration of a sweep shows the same passages to another question.
    add(store)
    passages = list(store.open("farming").passages())
    found = store.open("farming").sentences(passages[:3])
    read: list[str] = []

    def counted(kept: object, ids: list[str]) -> dict[str, tuple[str, None]]:
        read.extend(ids)
        return {}

    monkeypatch.setattr(chroma_sentences, "_read", counted)
    again = store.open("farming").sentences(passages[:3])
    assert read == []
    assert all(np.array_equal(one, other) for (_, one), (_, other) in zip(again, found, strict=True))
