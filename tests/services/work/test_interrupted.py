"""Work that is interrupted in the middle: cancelled, taken over by another process, or done in the foreground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passer.adapters.documents import document_readers
from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError, LeaseError, WorkStopped
from passer.ports import POSTING, Progress
from passer.services.library.document_ingest import DocumentIngest
from passer.services.work.kinds import PullSpec
from passer.services.work.queue import Handler
from tests.fake_files import FakeFetcher, FakeSplitter
from tests.fakes import FakeCollections, FakeEncoder, FakeIndex, passages_of
from tests.services.work.desk import Desk, Done, uploaded

THIEF = "elsewhere:1:thief"


def during(act: Callable[[], object], *, files: list[str]) -> Handler:
    """A handler in the middle of which something happens; it notes what it writes."""

    def handler(spec: Any, given: Sequence[Path], progress: Progress) -> Done:
        for place, path in enumerate(given):
            progress("files", place + 1, place + 1)
            files.append(path.read_text())
            if place == 0:
                act()
        return Done(texts=tuple(files))

    return handler


def test_work_that_is_cancelled_in_the_middle_stops_before_it_writes_more(tmp_path):
    written: list[str] = []
    desk = Desk(tmp_path, during(lambda: desk.queue.cancel(work.id), files=written))
    work = desk.queue.submit(uploaded("a.txt", "b.txt"), [b"first", b"second"])
    with pytest.raises(WorkStopped, match="cancelled"):
        desk.run(work)
    assert written == ["first"]
    assert desk.store.find(work.id).state is RunState.CANCELLED
    assert desk.on_disk() == []


def test_work_that_waits_is_cancelled_at_once_and_never_begun(tmp_path):
    desk = Desk(tmp_path)
    work = desk.queue.submit(uploaded("a.txt"), [b"x"])
    assert desk.queue.cancel(work.id).state is RunState.CANCELLED
    assert desk.on_disk() == []
    assert desk.run(work).state is RunState.CANCELLED
    with pytest.raises(ConflictError, match="is cancelled, so it cannot be cancelled"):
        desk.queue.cancel(work.id)
    with pytest.raises(ConflictError, match="cannot be cancelled here"):
        desk.queue.cancel(POSTING)


def stolen(desk: Desk, work_id: str) -> None:
    desk.store.release(work_id, desk.store.find(work_id).owner or "")
    assert desk.store.acquire(work_id, THIEF, ttl_s=3600) == THIEF


def test_work_whose_lease_is_stolen_in_the_middle_writes_nothing_more(tmp_path):
    written: list[str] = []
    desk = Desk(tmp_path, during(lambda: stolen(desk, work.id), files=written))
    work = desk.queue.submit(uploaded("a.txt", "b.txt"), [b"first", b"second"])
    with pytest.raises(LeaseError, match="taken over"):
        desk.run(work)
    assert written == ["first"]
    left = desk.store.find(work.id)
    assert (left.state, left.owner, left.result) == (RunState.RUNNING, THIEF, None)
    assert desk.on_disk() == [work.id], "the thief needs the files"


def test_an_ingest_whose_lease_is_stolen_in_mid_run_adds_no_further_document(tmp_path):
    encoder, collections = FakeEncoder(), FakeCollections(FakeIndex("books", passages_of("old")))
    added: list[str] = []
    embedded: list[str] = []
    desk = Desk(tmp_path)

    class Thieving(FakeEncoder):
        def sentence_vectors(self, given: Sequence[str]) -> np.ndarray:
            embedded.extend(given)
            if "hens" in given[0]:
                stolen(desk, work.id)
            return encoder.sentence_vectors(given)

    def add(collection: Any, document: Any, passages: Sequence[Any], vectors: Any) -> int:
        added.append(document.name)
        return len(passages)

    collections.add = add  # type: ignore[method-assign]
    ingest = DocumentIngest(
        readers=document_readers(),
        fetcher=FakeFetcher({}),
        splitter=FakeSplitter(),
        collections=collections,
        embedder_for=lambda _: Thieving(),
    )
    desk.queue.handlers["ingest"] = lambda spec, files, progress: ingest.ingest_sources(  # type: ignore[index]
        spec.collection, list(zip(spec.source.names, files, strict=True)), progress=progress
    )
    names = ("bees.txt", "hens.txt", "soil.txt")
    work = desk.queue.submit(uploaded(*names), [f"about {name.removesuffix('.txt')}".encode() for name in names])
    with pytest.raises(LeaseError, match="taken over"):
        desk.run(work)
    assert added == ["bees.txt"]
    assert embedded == ["about bees", "about hens"], "nothing more is begun either"


def test_two_processes_never_do_the_same_work(tmp_path):
    desk = Desk(tmp_path)
    work = desk.queue.submit(uploaded("a.txt"), [b"x"])
    desk.store.acquire(work.id, THIEF, ttl_s=3600)
    with pytest.raises(LeaseError, match="elsewhere:1:thief does job"):
        desk.run(work)
    assert desk.store.find(work.id).state is RunState.QUEUED


def test_work_that_is_done_at_once_is_never_free_for_others(tmp_path):
    seen: list[tuple[RunState, bool]] = []

    def handler(spec: Any, files: Sequence[Path], progress: Progress) -> Done:
        [row] = [row for row in desk.store.waiting() if row.kind == "pull"]
        seen.append((row.state, row.owner is not None))
        progress("Downloading", 1, 2)
        return Done(texts=("x",))

    desk = Desk(tmp_path, handler)
    told: list[tuple[str, int, int]] = []
    done = desk.queue.run_here(PullSpec(name="m"), progress=lambda *given: told.append(given))
    assert done == Done(texts=("x",))
    assert seen == [(RunState.RUNNING, True)]
    assert told == [("Downloading", 1, 2)]
    assert [row.id for row in desk.store.waiting()] == [POSTING]


def test_ctrl_c_cancels_what_is_done_in_the_foreground(tmp_path):
    def interrupted(spec: Any, files: Sequence[Path], progress: Progress) -> Done:
        raise KeyboardInterrupt

    desk = Desk(tmp_path, interrupted)
    with pytest.raises(KeyboardInterrupt):
        desk.queue.run_here(uploaded("a.txt"), [b"x"])
    assert [row.id for row in desk.store.waiting()] == [POSTING], "no server goes on with it"
    assert desk.on_disk() == []
