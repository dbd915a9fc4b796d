"""A document is in a collection completely or not at all, also after a kill or with concurrent writers."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api.models.Collection import Collection as ChromaCollection

from passer.adapters.chroma.client import EmbeddedDirectory
from passer.adapters.chroma.collections import ChromaCollections
from passer.errors import DocumentError, IndexUnavailable
from tests.adapters.chroma.made import ENCODER, SMALL, TEXTS, add, document, plain
from tests.forked import Captured, ran

WORKER = "tests.adapters.chroma.chroma_worker:main"


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
    done = ran("killed", path, name, text, chunk_size, environment=dict(os.environ), runs=WORKER, timeout=120)
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
    with pytest.raises(DocumentError, match="contains no text to index"):
        store.add(SMALL, document("d", "x"), [], np.zeros((0, 64), dtype=np.float32))
    assert store.list() == []


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


def test_a_folder_of_chroma_0_is_refused_unchanged(tmp_path: Path) -> None:
    """The tables are those that chromadb 0.6.3 makes; the numbers are bytes there and integers since 1.0."""
    file = tmp_path / "chroma.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE max_seq_id (segment_id TEXT PRIMARY KEY, seq_id BLOB NOT NULL)")
        database.execute("INSERT INTO max_seq_id VALUES ('s', X'0000000000000002')")
        database.commit()
    before = file.read_bytes()
    directory = EmbeddedDirectory.at(tmp_path)
    with pytest.raises(IndexUnavailable, match=r"Chroma 0\.x.*add the documents again"), directory.session():
        raise AssertionError("must not be opened")
    assert file.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir() if not each.name.startswith("passer")) == [file.name]


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


@pytest.mark.soak
def test_two_processes_add_to_one_directory_and_see_each_others_documents(tmp_path: Path) -> None:
    """What corrupts Chroma when it is done directly: here each waits for the other and reads what it added."""
    workers = [Captured("shared", tmp_path, name, environment=dict(os.environ), runs=WORKER) for name in ("one", "two")]
    outputs = [process.communicate(timeout=120) for process in workers]
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
