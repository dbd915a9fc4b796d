"""Collections in embedded Chroma: bound to their model, listed, refused, deleted."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.base import digest_of
from passer.domain.retrieval.passages import Chunking, Document, EmbeddingModel, passage_id
from passer.errors import CollectionMismatchError, ConflictError, NotFoundError
from passer.services.pipeline.retrieval_search import version_of
from tests.adapters.chroma.made import ENCODER, SMALL, TEXTS, add, client, document
from tests.fakes import FakeEncoder


def test_what_was_added_is_found_listed_and_read_back(store: ChromaCollections) -> None:
    assert add(store) == 5
    index = store.open("farming")
    assert index.collection == SMALL
    expected = [
        passage
        for name in sorted(TEXTS)
        for passage in RecursiveSplitter().split(document(name, TEXTS[name]), SMALL.chunking)
    ]
    assert list(index.passages()) == expected
    ((collection, documents),) = store.list()
    assert collection == SMALL
    assert [(each.name, each.passages) for each in documents] == [("bees.md", 2), ("soil.md", 3)]


def test_a_document_of_another_script_says_how_it_was_split(store: ChromaCollections) -> None:
    add(store, **{"soil.md": "Soil.", "土.md": "土壤。"})
    ((_, documents),) = store.list()
    assert {each.name: each.splitter for each in documents} == {"soil.md": None, "土.md": "scripts-1"}


def test_a_document_that_an_earlier_version_left_incomplete_is_split_once(
    store: ChromaCollections, tmp_path: Path
) -> None:
    add(store, **{"soil.md": "Soil."})
    soil = document("土.md", "土壤。" * 20)
    before = client(tmp_path / "chroma").get_collection("farming", embedding_function=None)
    vector = ENCODER.sentence_vectors(["x"])
    before.upsert(ids=["old"], embeddings=vector, documents=["土"], metadatas=[{"digest": soil.digest}])
    add(store, **{"土.md": soil.text})
    found = [each.text for each in store.open("farming").passages() if each.document == "土.md"]
    assert "".join(found) == soil.text
    assert "old" not in before.get()["ids"]


def test_the_same_document_twice_adds_nothing(store: ChromaCollections) -> None:
    assert (add(store), add(store)) == (5, 0)
    assert len(list(store.open("farming").passages())) == 5


def test_another_document_of_the_same_name_is_refused(store: ChromaCollections) -> None:
    add(store)
    with pytest.raises(ConflictError, match=r"contains another document named soil\.md\. Rename"):
        add(store, **{"soil.md": "A new edition."})
    assert len(list(store.open("farming").passages())) == 5


def test_another_embedding_model_is_refused_with_what_to_do(store: ChromaCollections, tmp_path: Path) -> None:
    add(store)
    other = FakeEncoder()
    other.model = EmbeddingModel(name="fake/bag-of-words", digest="1" * 64, dimension=64)
    elsewhere = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda name: other)
    with pytest.raises(
        CollectionMismatchError, match=r"was embedded with .*\. Use that model, run `passer reindex farming`, or"
    ):
        elsewhere.open("farming")
    changed = SMALL.model_copy(update={"embedding": other.model})
    with pytest.raises(CollectionMismatchError, match="was embedded with"):
        add(store, changed, other="Other text.")
    cut = SMALL.model_copy(update={"chunking": Chunking()})
    with pytest.raises(CollectionMismatchError, match="was split into passages of 40 characters"):
        add(store, cut, other="Other text.")
    assert len(list(store.open("farming").passages())) == 5


def test_collections_of_others_are_refused_and_not_listed(store: ChromaCollections, tmp_path: Path) -> None:
    add(store)
    chroma = client(tmp_path / "chroma")
    chroma.create_collection("foreign", embedding_function=None)
    kept = chroma.get_collection("farming", embedding_function=None).metadata
    chroma.create_collection("euclid", configuration={"hnsw": {"space": "l2"}}, metadata=kept, embedding_function=None)
    chroma.close()
    with pytest.raises(CollectionMismatchError, match="was not created by PaSSER"):
        store.open("foreign")
    with pytest.raises(CollectionMismatchError, match=r"uses the space l2, not cosine\. Delete it"):
        store.open("euclid")
    with pytest.raises(CollectionMismatchError, match="was not created by PaSSER"):
        add(store, SMALL.model_copy(update={"name": "foreign"}))
    assert [collection.name for collection, _ in store.list()] == ["farming"]


def test_a_collection_in_another_space_can_be_deleted_but_not_one_of_others(
    store: ChromaCollections, tmp_path: Path
) -> None:
    add(store)
    with store._connection.session(writing=True) as chroma:
        kept = chroma.get_collection("farming", embedding_function=None).metadata
        chroma.create_collection(
            "euclid", configuration={"hnsw": {"space": "l2"}}, metadata=kept, embedding_function=None
        )
        chroma.create_collection("foreign", embedding_function=None)
    store.delete("euclid")
    with pytest.raises(CollectionMismatchError, match="Delete it with Chroma"):
        store.delete("foreign")
    with store._connection.session(writing=True) as chroma:
        chroma.delete_collection("foreign")


def test_deleting_removes_all_that_is_kept_with_it(store: ChromaCollections, tmp_path: Path) -> None:
    add(store)
    index = store.open("farming")
    index.sentences(list(index.passages()))
    store.delete("farming")
    assert store.list() == []
    assert client(tmp_path / "chroma").list_collections() == []
    with pytest.raises(NotFoundError, match=r"There is no collection farming\. Create"):
        store.open("farming")


def test_a_deleted_and_rebuilt_collection_is_read_anew(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    assert len(index.search(["soil"], 10)[0].passages) == 5
    store.delete("farming")
    with pytest.raises(NotFoundError):
        index.search(["soil"], 10)
    add(store, rice="Rice grows in water.", oats="Oats like it cool.")
    assert {found.document for found in index.search(["soil"], 10)[0].passages} == {"rice", "oats"}


@pytest.mark.parametrize("name", ["a..b", "no such"])
def test_a_name_that_chroma_does_not_take_is_not_found(store: ChromaCollections, name: str) -> None:
    with pytest.raises(NotFoundError):
        store.open(name)


def test_the_same_file_read_in_another_way_has_other_passages_and_is_another_version(store: ChromaCollections) -> None:
    digest = hashlib.sha256(b"%PDF").hexdigest()
    read = [Document(name="a.pdf", digest=digest, text=text, reader="pdf-1") for text in ("10 m2", "10 m\u00b2")]
    found = []
    for each in read:
        passages = RecursiveSplitter().split(each, SMALL.chunking)
        store.add(SMALL, each, passages, ENCODER.sentence_vectors([passage.text for passage in passages]))
        found.append((passages[0].id, version_of(store, SMALL.name)))
        store.delete(SMALL.name)
    [(before, earlier), (after, later)] = found
    assert before != after, "rankings keep passages by their id, and the old text would be shown"
    assert earlier != later, "rankings of the old text would be used for the new one"
    assert passage_id(document_digest=digest, chunking=SMALL.chunking, number=0) not in (before, after)


def test_a_document_whose_extracted_text_was_not_stated_keeps_its_version(store: ChromaCollections) -> None:
    add(store)
    [(collection, documents)] = store.list()
    known = {"collection": collection.model_dump(mode="json"), "documents": sorted(each.digest for each in documents)}
    assert version_of(store, SMALL.name) == digest_of(known)
    assert [each.text for each in documents] == [None, None]
