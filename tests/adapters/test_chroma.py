"""Collections in embedded Chroma: exact, bound to their model, whole or not at all."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.models.Collection import Collection as ChromaCollection
from chromadb.config import Settings

from passer.adapters import chroma_index
from passer.adapters.chroma import ChromaCollections
from passer.adapters.chroma_client import EmbeddedDirectory
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval import Chunking, Collection, Document, EmbeddingModel, Passage
from passer.errors import CollectionMismatchError, ConflictError, DocumentError, IndexUnavailable, NotFoundError
from passer.ports import Vectors
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()
SMALL = Collection(name="farming", embedding=ENCODER.model, chunking=Chunking(chunk_size=40, chunk_overlap=0))
TEXTS = {
    "soil.md": "Legumes fix nitrogen in the soil. Compost feeds the soil life. Clover covers the soil.",
    "bees.md": "Bees need nectar and pollen. Hives keep honey for the winter.",
}


class CountingEncoder(FakeEncoder):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().sentence_vectors(texts)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaCollections]:
    collections = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda name: ENCODER)
    yield collections
    collections.close()


def document(name: str, text: str) -> Document:
    return Document(name=name, digest=hashlib.sha256(text.encode()).hexdigest(), text=text)


def add(collections: ChromaCollections, collection: Collection = SMALL, **texts: str) -> int:
    added = 0
    for name, text in (texts or TEXTS).items():
        source = document(name, text)
        passages = RecursiveSplitter().split(source, collection.chunking)
        vectors = ENCODER.sentence_vectors([passage.text for passage in passages])
        added += collections.add(collection, source, passages, vectors)
    return added


def client(path: Path) -> Any:
    return chromadb.PersistentClient(path=str(path), settings=Settings(anonymized_telemetry=False))


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


def test_the_same_document_twice_adds_nothing(store: ChromaCollections) -> None:
    assert (add(store), add(store)) == (5, 0)
    assert len(list(store.open("farming").passages())) == 5


def test_another_document_of_the_same_name_is_refused(store: ChromaCollections) -> None:
    add(store)
    with pytest.raises(ConflictError, match=r"holds another document of the name soil\.md: rename"):
        add(store, **{"soil.md": "A new edition."})
    assert len(list(store.open("farming").passages())) == 5


def test_search_equals_double_precision_cosine_by_hand(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    (ranking,) = index.search(["nitrogen in the soil"], 3)
    passages = list(index.passages())
    question = ENCODER.sentence_vectors(["nitrogen in the soil"])[0].astype(float)
    vectors = ENCODER.sentence_vectors([passage.text for passage in passages]).astype(float)
    similarities = vectors @ question / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(question))
    order = np.argsort(-similarities)[:3]
    assert [found.id for found in ranking.passages] == [passages[i].id for i in order]
    # Chroma normalises what it keeps, to single precision.
    assert [found.similarity for found in ranking.passages] == pytest.approx(similarities[order], abs=2e-7)
    assert [found.rank for found in ranking.passages] == [1, 2, 3]
    assert ranking.passages[0].text.startswith("Legumes fix nitrogen")
    assert ranking.embedding_s > 0
    assert ranking.retrieval_s > 0


def test_more_than_there_is_and_nothing_at_all(store: ChromaCollections) -> None:
    add(store)
    index = store.open("farming")
    assert len(index.search(["soil"], 1000)[0].passages) == 5
    assert index.search(["soil", "bees"], 0) == [index.search(["x"], 0)[0]] * 2
    assert index.search([], 5) == []


def plain(number: int, text: str = "same") -> Passage:
    return Passage(id=f"p{number:05d}", document="d", number=number, text=text, start=0, end=len(text))


def many(store: ChromaCollections, vectors: Vectors) -> Collection:
    model = EmbeddingModel(name="fixed", digest="0", dimension=vectors.shape[1])
    collection = Collection(name="many", embedding=model)
    store.add(collection, document("d", "same"), [plain(n) for n in range(len(vectors))], vectors)
    return collection


class Fixed:
    """Gives the vectors it holds, question by question."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self.model = EmbeddingModel(name="fixed", digest="0", dimension=vectors.shape[1])

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        return np.array([self.vectors[int(text)] for text in texts], dtype=np.float32)


def random_vectors(count: int, *, seed: int, dimension: int = 48) -> Vectors:
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_ties_at_the_cut_are_cut_by_id(tmp_path: Path) -> None:
    """Forty passages are equally near; the ten of the smallest ids are kept, whatever the order of adding."""
    vectors = random_vectors(300, seed=1)
    near = np.random.default_rng(2).permutation(300)[:40]
    vectors[near] = vectors[near[0]]
    store = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(vectors))
    many(store, vectors)
    (ranking,) = store.open("many").search([str(near[0])], 10)
    assert [found.number for found in ranking.passages] == sorted(near)[:10]
    assert len({found.similarity for found in ranking.passages}) == 1
    store.close()


def test_a_question_finds_the_same_alone_and_among_others(tmp_path: Path) -> None:
    vectors, questions = random_vectors(1200, seed=3), random_vectors(30, seed=4)
    store = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(questions))
    many(store, vectors)
    index = store.open("many")
    together = index.search([str(n) for n in range(30)], 100)
    for number in range(30):
        (alone,) = index.search([str(number)], 100)
        assert alone.passages == together[number].passages
        (shallow,) = index.search([str(number)], 7)
        assert shallow.passages == alone.passages[:7]
    store.close()


def test_exact_search_agrees_with_exhaustive_double_precision() -> None:
    """Ten copies of each vector, disturbed in the last bits: single precision alone would confuse them."""
    base = random_vectors(50, seed=5)
    noise = np.random.default_rng(6).integers(-2, 3, (10, 50, 48))
    vectors = (base + noise * np.spacing(base)).reshape(500, 48).astype(np.float32)
    for question in random_vectors(20, seed=7):
        rows = chroma_index.candidate_rows(vectors, question, 25)
        everything = chroma_index.cosine(vectors, question)
        wanted = set(np.argsort(-everything, kind="stable")[:25])
        tied = {i for i in range(500) if everything[i] == np.sort(everything)[-25]}
        assert wanted | tied <= set(rows)
        assert np.array_equal(chroma_index.cosine(vectors[rows], question), everything[rows])


def test_similarity_stays_within_its_range() -> None:
    vector = np.full((1, 3), 1 / np.sqrt(3), dtype=np.float32)
    zero = np.zeros((1, 3), dtype=np.float32)
    assert chroma_index.cosine(np.concatenate([vector * 7, -vector, zero]), vector[0]).tolist() == [1, -1, 0]
    assert chroma_index.cosine(vector, zero[0]).tolist() == [0]


def test_the_graph_is_a_named_option_with_exact_similarities(tmp_path: Path) -> None:
    vectors, questions = random_vectors(600, seed=8), random_vectors(5, seed=9)
    exact = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(questions))
    many(exact, vectors)
    graph = ChromaCollections(path=tmp_path, embedder_for=lambda name: Fixed(questions), search="hnsw")
    texts = [str(n) for n in range(5)]
    for one, other in zip(exact.open("many").search(texts, 20), graph.open("many").search(texts, 20), strict=True):
        # At 600 passages ef_search = 1000 visits them all.
        assert one.passages == other.passages
    configuration = client(tmp_path).get_collection("many", embedding_function=None).configuration_json
    assert (configuration["hnsw"]["space"], configuration["hnsw"]["ef_search"]) == ("cosine", 1000)
    exact.close()


def test_another_embedding_model_is_refused_with_what_to_do(store: ChromaCollections, tmp_path: Path) -> None:
    add(store)
    other = FakeEncoder()
    other.model = EmbeddingModel(name="fake/bag-of-words", digest="1" * 64, dimension=64)
    elsewhere = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda name: other)
    with pytest.raises(CollectionMismatchError, match=r"is bound to the embedding model .*: use that model, or ingest"):
        elsewhere.open("farming")
    changed = SMALL.model_copy(update={"embedding": other.model})
    with pytest.raises(CollectionMismatchError, match="is bound to the embedding model"):
        add(store, changed, other="Other text.")
    cut = SMALL.model_copy(update={"chunking": Chunking()})
    with pytest.raises(CollectionMismatchError, match="was cut into passages of 40 characters"):
        add(store, cut, other="Other text.")
    assert len(list(store.open("farming").passages())) == 5


def test_collections_of_others_are_refused_and_not_listed(store: ChromaCollections, tmp_path: Path) -> None:
    add(store)
    chroma = client(tmp_path / "chroma")
    chroma.create_collection("foreign", embedding_function=None)
    kept = chroma.get_collection("farming", embedding_function=None).metadata
    chroma.create_collection("euclid", configuration={"hnsw": {"space": "l2"}}, metadata=kept, embedding_function=None)
    chroma.close()
    with pytest.raises(CollectionMismatchError, match="was not made by PaSSER"):
        store.open("foreign")
    with pytest.raises(CollectionMismatchError, match="is in the space l2, not cosine: delete it"):
        store.open("euclid")
    with pytest.raises(CollectionMismatchError, match="was not made by PaSSER"):
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
    with pytest.raises(CollectionMismatchError, match="delete it with Chroma itself"):
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
    with pytest.raises(NotFoundError, match="There is no collection farming: ingest"):
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


def test_a_failed_document_leaves_nothing(store: ChromaCollections, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second slice fails: what the first one added goes, and so does the collection that was made for it."""
    real = ChromaCollection.upsert
    calls = []

    def failing(self: ChromaCollection, **records: Any) -> None:
        calls.append(len(records["ids"]))
        if len(calls) == 2:
            raise chromadb.errors.InternalError("disk full")
        real(self, **records)

    monkeypatch.setattr(ChromaCollection, "upsert", failing)
    monkeypatch.setattr("chromadb.api.client.Client.get_max_batch_size", lambda self: 2)
    with pytest.raises(IndexUnavailable, match="disk full"):
        add(store)
    assert calls == [2, 1]
    assert store.list() == []
    assert add(store, bees=TEXTS["bees.md"]) == 2
    calls.clear()
    with pytest.raises(IndexUnavailable):
        add(store, soil=TEXTS["soil.md"])
    assert {passage.document for passage in store.open("farming").passages()} == {"bees"}
    assert raw_count(store) == 2


def raw_count(store: ChromaCollections) -> int:
    with store._connection.session() as chroma:
        return int(chroma.get_collection("farming", embedding_function=None).count())


def killed_while_adding(path: Path, name: str, text: str, *, chunk_size: int = 40) -> None:
    """Another process adds a document in slices of two passages, and dies before the second."""
    worker = Path(__file__).with_name("chroma_worker.py")
    command = [sys.executable, str(worker), "killed", str(Path(__file__).parents[2]), str(path)]
    done = subprocess.run([*command, name, text, str(chunk_size)], timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL


def test_a_document_cut_short_by_a_kill_is_not_seen_and_is_completed_later(
    store: ChromaCollections, tmp_path: Path
) -> None:
    add(store, bees=TEXTS["bees.md"])
    killed_while_adding(tmp_path / "chroma", "soil", TEXTS["soil.md"])
    assert raw_count(store) == 2 + 2
    for search in ("exact", "hnsw"):
        store._search = search  # type: ignore[assignment]
        index = store.open("farming")
        assert {found.document for found in index.search(["soil"], 10)[0].passages} == {"bees"}
        assert {passage.document for passage in index.passages()} == {"bees"}
    ((_, documents),) = store.list()
    assert [each.name for each in documents] == ["bees"]
    assert add(store, soil=TEXTS["soil.md"]) == 3
    assert raw_count(store) == 2 + 3
    assert {found.document for found in store.open("farming").search(["soil"], 10)[0].passages} == {"bees", "soil"}


def test_a_first_ingest_cut_short_by_a_kill_binds_nobody(store: ChromaCollections, tmp_path: Path) -> None:
    killed_while_adding(tmp_path / "chroma", "soil", TEXTS["soil.md"], chunk_size=20)
    assert store.list() == []
    assert add(store, soil=TEXTS["soil.md"]) == 3
    assert raw_count(store) == 3


def test_vectors_that_are_no_vectors_are_refused(store: ChromaCollections) -> None:
    for bad in (np.nan, np.inf, 0.0):
        vectors = np.ones((3, 64), dtype=np.float32)
        vectors[1] = bad
        with pytest.raises(DocumentError, match="no usable vector for passage 1 of d"):
            store.add(SMALL, document("d", "x"), [plain(n) for n in range(3)], vectors)
    with pytest.raises(DocumentError, match="gave no passages"):
        store.add(SMALL, document("d", "x"), [], np.zeros((0, 64), dtype=np.float32))
    assert store.list() == []


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


def test_a_busy_directory_is_refused_in_time(tmp_path: Path) -> None:
    code = (
        "import sys; from filelock import FileLock; lock = FileLock(sys.argv[1]); lock.acquire();"
        "print('held', flush=True); sys.stdin.read()"
    )
    directory = EmbeddedDirectory(tmp_path, wait_s=0.05)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "passer.lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(IndexUnavailable, match=r"Another process is using .*chroma run"), directory.session():
            pass
        holder.kill()
    with directory.session() as chroma:
        assert chroma.list_collections() == []
    directory.close()


def test_a_directory_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    collections = ChromaCollections(path=tmp_path / "file" / "chroma", embedder_for=lambda name: ENCODER)
    with pytest.raises(IndexUnavailable, match="cannot be locked"):
        collections.list()


def test_threads_share_one_directory(store: ChromaCollections) -> None:
    add(store)
    problems: list[BaseException] = []

    def work(number: int) -> None:
        try:
            add(store, **{f"extra-{number}": f"Field {number} lies fallow this year."})
            assert store.open("farming").search(["fallow field"], 3)[0].passages
        except BaseException as exc:
            problems.append(exc)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(store.list()[0][1]) == 2 + 8


def test_two_processes_add_to_one_directory_and_see_each_others_documents(tmp_path: Path) -> None:
    """What corrupts Chroma when it is done directly: here each waits for the other and reads what it added."""
    worker = Path(__file__).with_name("chroma_worker.py")
    root = str(Path(__file__).parents[2])
    workers = [
        subprocess.Popen([sys.executable, str(worker), "shared", root, str(tmp_path), name], stdout=subprocess.PIPE)
        for name in ("one", "two")
    ]
    outputs = [process.communicate(timeout=120)[0] for process in workers]
    assert [process.returncode for process in workers] == [0, 0], outputs
    collections = ChromaCollections(path=tmp_path, embedder_for=lambda name: ENCODER)
    ((_, documents),) = collections.list()
    assert len(documents) == 2 * 6
    index = collections.open("shared")
    passages = list(index.passages())
    assert len(passages) == sum(each.passages for each in documents)
    snapshot = index._snapshot()
    expected = ENCODER.sentence_vectors([passage.text for passage in snapshot.passages])
    np.testing.assert_allclose(snapshot.vectors, expected, atol=1e-6)
    collections.close()
