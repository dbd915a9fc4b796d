"""Collections on a real Chroma server on this machine, and what happens when it goes away."""

from __future__ import annotations

import hashlib
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Collection, Document
from passer.errors import CollectionMismatchError, IndexUnavailable, NotFoundError
from tests.chroma_server import ChromaServer
from tests.fakes import FakeEncoder
from tests.served import free_port

ENCODER = FakeEncoder()
SMALL = Collection(name="farming", embedding=ENCODER.model, chunking=Chunking(chunk_size=40, chunk_overlap=0))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaServer]:
    """One for all tests of this file: each start takes over a second of a processor."""
    with ChromaServer(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture
def server(running: ChromaServer) -> ChromaServer:
    """A server that runs and is empty, whatever the test before did."""
    if running.process.poll() is not None:
        running.start()
    with closing(ChromaCollections(url=running.url, embedder_for=lambda name: ENCODER, wait_s=10)) as left:
        for collection, _ in left.list():
            left.delete(collection.name)
    return running


Connect = Callable[[], ChromaCollections]


@pytest.fixture
def connect(server: ChromaServer) -> Iterator[Connect]:
    made: list[ChromaCollections] = []

    def make() -> ChromaCollections:
        made.append(ChromaCollections(url=server.url, embedder_for=lambda name: ENCODER, wait_s=10))
        return made[-1]

    yield make
    for collections in made:
        collections.close()


def add(collections: ChromaCollections, name: str, text: str, collection: Collection = SMALL) -> int:
    document = Document(name=name, digest=hashlib.sha256(text.encode()).hexdigest(), text=text)
    passages = RecursiveSplitter().split(document, collection.chunking)
    vectors = ENCODER.sentence_vectors([passage.text for passage in passages])
    return collections.add(collection, document, passages, vectors)


SOIL = "Legumes fix nitrogen in the soil. Compost feeds the soil life."


def test_the_server_gives_what_the_embedded_store_gives(connect: Connect, tmp_path: Path) -> None:
    embedded = ChromaCollections(path=tmp_path / "embedded", embedder_for=lambda name: ENCODER)
    found = []
    for collections in (connect(), embedded):
        assert add(collections, "soil", SOIL) == 2
        assert add(collections, "soil", SOIL) == 0
        add(collections, "bees", "Bees need nectar and pollen.")
        index = collections.open("farming")
        ranking = index.search(["nitrogen for the soil"], 3)[0].passages
        sentences = [(texts, vectors.tobytes()) for texts, vectors in index.sentences(list(index.passages()))]
        found.append((ranking, list(index.passages()), sentences, collections.list()))
    assert found[0] == found[1]
    embedded.close()


def test_a_project_has_a_database_of_its_own_on_the_server(connect: Connect, server: ChromaServer) -> None:
    add(connect(), "soil", SOIL)
    for _ in range(2):  # The database is made once.
        other = ChromaCollections(url=server.url, database="passer-alpha", embedder_for=lambda name: ENCODER)
        assert "soil" not in str(other.list())
        add(other, "bees", "Bees need nectar and pollen.")
        assert "bees" in str(list(other.open("farming").passages()))
        other.close()
    assert "bees" not in str(list(connect().open("farming").passages()))


def test_what_another_process_adds_is_seen_at_once(connect: Connect) -> None:
    here, elsewhere = connect(), connect()
    add(here, "soil", SOIL)
    index = here.open("farming")
    assert len(index.search(["soil"], 10)[0].passages) == 2
    add(elsewhere, "bees", "Bees need nectar and pollen.")
    assert {found.document for found in index.search(["soil"], 10)[0].passages} == {"soil", "bees"}
    elsewhere.delete("farming")
    with pytest.raises(NotFoundError, match="There is no collection farming"):
        index.search(["soil"], 10)
    with pytest.raises(NotFoundError):
        here.open("farming")


def test_another_chunking_is_refused(connect: Connect) -> None:
    collections = connect()
    add(collections, "soil", SOIL)
    with pytest.raises(CollectionMismatchError):
        add(collections, "bees", "Bees.", SMALL.model_copy(update={"chunking": Chunking()}))


def test_a_server_that_goes_away_is_said_so_and_used_again_when_it_is_back(
    server: ChromaServer, connect: Connect
) -> None:
    collections = connect()
    add(collections, "soil", SOIL)
    index = collections.open("farming")
    before = index.search(["soil"], 10)[0].passages
    server.kill()
    for act in (lambda: index.search(["soil"], 10), collections.list, lambda: collections.open("farming")):
        with pytest.raises(IndexUnavailable, match=r"does not respond\. .*chroma run --port"):
            act()
    server.start()
    assert index.search(["soil"], 10)[0].passages == before


def test_nobody_there_and_somebody_silent() -> None:
    nobody = ChromaCollections(url=f"http://127.0.0.1:{free_port()}", embedder_for=lambda name: ENCODER)
    with pytest.raises(IndexUnavailable, match="does not respond"):
        nobody.list()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        waiting = ChromaCollections(url=url, embedder_for=lambda name: ENCODER, wait_s=0.2)
        with pytest.raises(IndexUnavailable, match="does not respond"):
            waiting.list()


def test_a_server_that_stops_answering_is_not_waited_for_without_end(server: ChromaServer, tmp_path: Path) -> None:
    collections = ChromaCollections(url=server.url, embedder_for=lambda name: ENCODER, wait_s=0.5)
    collections.list()
    server.process.send_signal(signal.SIGSTOP)
    try:
        # The signal takes a moment, in which the server could still answer.
        while not is_stopped(server.process.pid):
            time.sleep(0.01)
        with pytest.raises(IndexUnavailable, match="does not respond"):
            collections.list()
    finally:
        server.process.send_signal(signal.SIGCONT)
        collections.close()


def test_a_server_that_falls_silent_is_not_waited_for_as_long_as_a_search_may_take(
    server: ChromaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passer.adapters.chroma.client.BEAT_S", 0.2)
    # An hour: code that waits for the reply itself would never finish this test.
    collections = ChromaCollections(url=server.url, embedder_for=lambda name: ENCODER, wait_s=3600)
    collections.list()
    server.process.send_signal(signal.SIGSTOP)
    try:
        while not is_stopped(server.process.pid):
            time.sleep(0.01)
        time.sleep(0.2)  # Until then it was heard a moment ago.
        with pytest.raises(IndexUnavailable, match="does not respond"):
            collections.list()
    finally:
        server.process.send_signal(signal.SIGCONT)
        collections.close()


def is_stopped(pid: int) -> bool:
    """Return whether every thread of a process is stopped."""
    tasks = Path(f"/proc/{pid}/task").glob("*/stat")
    return all(task.read_text().rpartition(")")[2].split()[0] == "T" for task in tasks)
