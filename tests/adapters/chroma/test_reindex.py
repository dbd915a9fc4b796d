"""A collection that gets the vectors of another model, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from passer.adapters.chroma import reindex as chroma_reindex
from passer.adapters.chroma.collections import ChromaCollections
from passer.domain.retrieval.passages import EmbeddingModel
from passer.errors import CollectionMismatchError, ConflictError, DocumentError, NotFoundError
from passer.ports import Vectors
from tests.adapters.chroma.made import SMALL, CountingEncoder, add

OTHER = EmbeddingModel(name="fake/other", digest="1" * 64, dimension=16)
BOUND = SMALL.model_copy(update={"embedding": OTHER})


class OtherEncoder(CountingEncoder):
    model = OTHER


@pytest.fixture
def other() -> OtherEncoder:
    return OtherEncoder()


@pytest.fixture
def both(tmp_path: Path, other: OtherEncoder) -> Iterator[ChromaCollections]:
    """The same collections, with the other encoder."""
    collections = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda name: other)
    yield collections
    collections.close()


def names(store: ChromaCollections) -> list[str]:
    with store._connection.session() as client:
        return sorted(each.name for each in client.list_collections())


def test_the_passages_stay_and_the_vectors_are_those_of_the_other_model(
    store: ChromaCollections, both: ChromaCollections, other: OtherEncoder
) -> None:
    add(store)
    before = list(store.open("farming").passages())
    store.open("farming").sentences(before[:1])
    both._sentences = store._sentences
    told: list[tuple[int, int]] = []
    both.reindex(BOUND, other.sentence_vectors, lambda done, total: told.append((done, total)))
    index = both.open("farming")
    assert index.collection == BOUND
    assert list(index.passages()) == before
    assert told[-1] == (5, 5)
    [first] = index.search([before[2].text], 1)
    assert (first.passages[0].id, round(first.passages[0].similarity, 6)) == (before[2].id, 1)
    ((listed, documents),) = both.list()
    assert (listed, [(each.name, each.passages) for each in documents]) == (BOUND, [("bees.md", 2), ("soil.md", 3)])
    with pytest.raises(CollectionMismatchError, match="was embedded with fake/other"):
        store.open("farming")
    # Nothing is left of the old one, its sentences included.
    assert len(names(both)) == 2
    # The sentences in memory have vectors of the old model, so they are embedded again.
    [(texts, _)] = index.sentences(before[:1])
    assert other.texts[-len(texts) :] == texts
    both.delete("farming")
    assert names(both) == []


def test_a_killed_one_answers_by_the_old_vectors_and_is_continued(
    store: ChromaCollections, both: ChromaCollections, other: OtherEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store)
    monkeypatch.setattr(chroma_reindex, "AT_ONCE", 2)

    def killed(texts: Sequence[str]) -> Vectors:
        if len(other.texts) >= 2:
            raise KeyboardInterrupt
        return other.sentence_vectors(texts)

    with pytest.raises(KeyboardInterrupt):
        both.reindex(BOUND, killed, lambda done, total: None)
    assert store.open("farming").search(["honey"], 1)[0].passages
    assert [each.name for each, _ in store.list()] == ["farming"]
    both.reindex(BOUND, other.sentence_vectors, lambda done, total: None)
    assert len(other.texts) == len(set(other.texts)) == 5, "no passage is embedded twice"
    assert len(list(both.open("farming").passages())) == 5


def test_one_that_is_killed_between_the_names_is_finished_by_the_next_call(
    store: ChromaCollections, both: ChromaCollections, other: OtherEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chromadb import Collection

    add(store)
    modify, calls = Collection.modify, []

    def killed(self: Any, **changed: Any) -> None:
        calls.append(changed)
        if len(calls) == 2:
            raise KeyboardInterrupt
        modify(self, **changed)

    with monkeypatch.context() as patch:
        patch.setattr(Collection, "modify", killed)
        with pytest.raises(KeyboardInterrupt):
            both.reindex(BOUND, other.sentence_vectors, lambda done, total: None)
    with pytest.raises(NotFoundError):
        both.open("farming")
    both.reindex(BOUND, other.sentence_vectors, lambda done, total: None)
    assert len(list(both.open("farming").passages())) == 5
    assert len(names(both)) == 2
    assert len(other.texts) == 5


def test_documents_that_are_added_meanwhile_are_not_lost(
    store: ChromaCollections, both: ChromaCollections, other: OtherEncoder
) -> None:
    add(store)

    def adds(texts: Sequence[str]) -> Vectors:
        if len(other.texts) == 0:
            add(store, **{"hens.md": "Hens need sand."})
        return other.sentence_vectors(texts)

    with pytest.raises(ConflictError, match="Documents were added to collection farming"):
        both.reindex(BOUND, adds, lambda done, total: None)
    both.reindex(BOUND, adds, lambda done, total: None)
    assert len(list(both.open("farming").passages())) == 6
    assert len(other.texts) == 6


def test_what_cannot_be_indexed_again_is_refused(store: ChromaCollections, other: OtherEncoder) -> None:
    with pytest.raises(NotFoundError):
        store.reindex(BOUND, other.sentence_vectors, lambda done, total: None)
    add(store)
    with pytest.raises(DocumentError, match="no usable vector for the passage that begins"):
        store.reindex(BOUND, lambda texts: 0 * other.sentence_vectors(texts), lambda done, total: None)
    assert len(list(store.open("farming").passages())) == 5
