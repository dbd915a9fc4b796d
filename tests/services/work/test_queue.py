"""The queue of work: files on disk until the end, one process at a time, and what came of it kept for anyone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from passer.domain.sweeps.run import RunState
from passer.errors import (
    DatasetError,
    GenerationError,
    InputError,
    NotFoundError,
    Problem,
    QueueFull,
    StoreUnavailable,
    TooLargeError,
    WorkPaused,
    WorkStopped,
)
from passer.ports import POSTING, Progress, Work, WorkFailure
from passer.services.work.kinds import DatasetSpec, ImportSpec, IngestSpec, PullSpec, spec_of
from passer.services.work.lease import new_owner
from passer.services.work.queue import MOST_WAITING, UNEXPECTED, Handler, WorkQueue, error_of, failure_of
from passer.services.work.sources import Address, PastedText, Paths, Uploads
from tests.fakes import FakeClock
from tests.services.work.desk import Desk, Done, uploaded


@pytest.mark.parametrize(
    ("spec", "subject", "uploads"),
    [
        (uploaded("a.txt", "b.md"), "farm", 2),
        (IngestSpec(collection="farm", source=PastedText(title="notes")), "farm", 1),
        (IngestSpec(collection="farm", source=Address(url="https://example.org")), "farm", 0),
        (IngestSpec(collection="farm", source=Paths(paths=("/a", "/b"))), "farm", 0),
        (DatasetSpec(name="farm", file="farm.json"), "farm", 1),
        (ImportSpec(files=("study.zip",), name="study"), "study", 1),
        (ImportSpec(folder="/sheets", references="questions.json"), None, 1),
        (PullSpec(name="mistral:7b"), "mistral:7b", 0),
    ],
)
def test_a_specification_outlasts_the_process_and_says_where_its_result_appears(tmp_path, spec, subject, uploads):
    desk = Desk(tmp_path)
    added = desk.queue.submit(spec, [b"x"] * uploads)
    assert spec_of(desk.store.find(added.id)) == spec
    assert (added.kind, added.subject, spec.uploads) == (spec.kind, subject, uploads)


def test_uploads_wait_on_disk_and_are_gone_when_the_work_has_ended(tmp_path):
    desk = Desk(tmp_path)
    work = desk.queue.submit(uploaded("a.txt", "b.txt"), [b"first", io.BytesIO(b"second")])
    assert desk.on_disk() == [work.id]
    done = desk.run(work)
    assert (done.state, done.result) == (RunState.FINISHED, {"texts": ["first", "second"]})
    assert done.owner is None
    assert desk.on_disk() == []


def test_another_process_does_what_this_one_queued(tmp_path):
    desk = Desk(tmp_path)
    work = desk.queue.submit(uploaded("a.txt"), [b"first"])
    after_restart = WorkQueue(desk.store, Uploads(tmp_path / "uploads"), desk.queue.handlers, FakeClock())
    after_restart.run(desk.store.waiting()[-1], Event())
    assert desk.store.find(work.id).result == {"texts": ["first"]}


def test_a_full_queue_is_refused_and_keeps_no_files(tmp_path):
    desk = Desk(tmp_path)
    for number in range(MOST_WAITING):
        desk.queue.submit(PullSpec(name=f"m{number}"))
    with pytest.raises(QueueFull, match="at most 100 jobs of this kind may wait"):
        desk.queue.submit(PullSpec(name="one-more"), [b"x"])
    assert desk.on_disk() == []


def test_a_file_that_cannot_be_written_is_one_sentence_and_no_work(tmp_path):
    (tmp_path / "uploads").write_text("a file where the folder should be")
    desk = Desk(tmp_path)
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        desk.queue.submit(uploaded("a.txt"), [b"x"])
    assert [work.id for work in desk.store.waiting()] == [POSTING]


def failing(exc: Exception) -> Handler:
    def handler(spec: Any, files: Sequence[Path], progress: Progress) -> Done:
        raise exc

    return handler


BAD_ROWS = DatasetError("farm.json was not taken.", field="question", problems=(Problem("No question.", row=2),))


FAILURES = [BAD_ROWS, TooLargeError("Too large."), NotFoundError("No dataset."), GenerationError("Gone.", reason="x")]


@pytest.mark.parametrize("exc", FAILURES)
def test_a_failure_is_kept_so_that_a_client_learns_all_of_it(tmp_path, exc):
    desk = Desk(tmp_path, failing(exc))
    work = desk.queue.submit(uploaded("a.txt"), [b"x"])
    with pytest.raises(type(exc)):
        desk.run(work)
    kept = desk.store.find(work.id)
    assert kept.state is RunState.FAILED
    again = error_of(kept.failure)
    assert (type(again), again.message) == (type(exc), exc.message)
    if isinstance(exc, InputError):
        assert (again.field, again.problems) == (exc.field, exc.problems)
    assert desk.on_disk() == []


def test_an_unexpected_error_tells_where_to_look_and_nothing_else(tmp_path):
    desk = Desk(tmp_path, failing(RuntimeError("secret")))
    work = desk.queue.submit(PullSpec(name="m"))
    with pytest.raises(RuntimeError):
        desk.run(work)
    failure = desk.store.find(work.id).failure
    assert (failure.message, error_of(failure)) == (UNEXPECTED, None)
    assert failure == failure_of(ValueError("another"))


@pytest.mark.parametrize("exc", [NotFoundError("No \0."), WorkPaused("No budget for \0."), None])
def test_work_ends_although_its_reason_or_result_cannot_be_stored(tmp_path, monkeypatch, exc):
    desk = Desk(tmp_path, failing(exc) if exc else lambda *_: Done(texts=("\0",)))
    end = desk.store.end

    def without_nul(*given: Any, result: Any = None, failure: WorkFailure | None = None) -> bool:
        if "\0" in str(result and result["texts"][0]) + (failure.message if failure else ""):
            raise ValueError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return end(*given, result=result, failure=failure)

    monkeypatch.setattr(desk.store, "end", without_nul)
    work = desk.queue.submit(PullSpec(name="m"))
    with pytest.raises(type(exc) if exc else ValueError):
        desk.run(work)
    ended = desk.store.find(work.id)
    assert ended.state is (RunState.PAUSED if isinstance(exc, WorkPaused) else RunState.FAILED)
    assert (ended.failure.message, ended.owner) == (UNEXPECTED, None)


def test_a_database_that_is_gone_for_a_moment_fails_no_work(tmp_path):
    desk = Desk(tmp_path, failing(StoreUnavailable("The database is locked.")))
    work = desk.queue.submit(uploaded("a.txt"), [b"x"])
    with pytest.raises(StoreUnavailable):
        desk.run(work)
    assert desk.store.find(work.id).state is RunState.RUNNING, "it waits for the next turn"
    assert desk.on_disk() == [work.id]


def test_work_of_a_stopping_server_is_left_for_the_next_start(tmp_path):
    desk, stop = Desk(tmp_path), Event()
    stop.set()
    work = desk.queue.submit(uploaded("a.txt"), [b"x"])
    with pytest.raises(WorkStopped, match="continues this job when it starts again"):
        desk.run(work, stop)
    left = desk.store.find(work.id)
    assert (left.state, left.owner) == (RunState.RUNNING, None)
    assert desk.run(work).state is RunState.FINISHED


def test_uploads_that_are_gone_fail_the_work_unless_they_may_be_on_another_machine(tmp_path):
    desk = Desk(tmp_path)
    work = desk.queue.submit(uploaded("a.txt"), [b"x"])
    desk.uploads.delete(work.id)
    assert desk.queue.can_run(work)
    with pytest.raises(InputError, match=r"no longer in .*Upload them again"):
        desk.run(work)

    shared = Desk(tmp_path / "shared", is_shared=True)
    here, there = (shared.queue.submit(uploaded("a.txt"), [b"x"]) for _ in range(2))
    shared.uploads.delete(there.id)
    assert (shared.queue.can_run(here), shared.queue.can_run(there)) == (True, False)
    assert shared.queue.can_run(shared.queue.submit(PullSpec(name="m")))


def test_a_row_of_a_newer_version_fails_by_itself_and_blocks_nobody(tmp_path):
    desk = Desk(tmp_path, is_shared=True)
    now = FakeClock().now()
    row = desk.store.add(Work(id="new", kind="pull", spec={"model": "m"}, created_at=now), most=9, ttl_s=0)
    assert desk.queue.can_run(row)
    with pytest.raises(ValueError, match="name"):
        desk.run(row)
    assert desk.store.find("new").state is RunState.FAILED


def test_files_of_a_killed_process_are_deleted_once_nobody_can_want_them(tmp_path, monkeypatch):
    desk = Desk(tmp_path)
    kept = desk.queue.submit(uploaded("a.txt"), [b"x"])
    desk.uploads.save("forgotten", [b"x"])
    desk.queue.delete_forgotten_uploads()
    assert desk.on_disk() == sorted([kept.id, "forgotten"]), "another process may be about to add its row"
    monkeypatch.setattr("passer.services.work.sources.FORGOTTEN_AFTER_S", -1.0)
    desk.queue.delete_forgotten_uploads()
    assert desk.on_disk() == [kept.id]


def test_ended_rows_beyond_the_newest_thousand_are_forgotten(tmp_path, monkeypatch):
    monkeypatch.setattr("passer.services.work.queue.KEPT", 2)
    desk = Desk(tmp_path)
    made = []
    for number in range(4):
        desk.queue.run_here(PullSpec(name=f"m{number}"))
        made.append(next(iter(desk.store._rows.values())).id)
    desk.queue.submit(PullSpec(name="last"))
    pulls = [row.subject for row in desk.store._rows.values() if row.kind == "pull"]
    assert pulls == ["m2", "m3", "last"]


def test_owners_of_one_process_differ():
    assert new_owner() != new_owner()
