"""What a finished run leaves for good, and its way into the ledger."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from passer.domain.ledger.entry import testid_of as name_of
from passer.domain.sweeps.run import RunState
from passer.domain.timing.times import TimingPlan
from passer.errors import ConflictError, GenerationError, LeaseError, LedgerRefused, LedgerUnavailable, NotFoundError
from passer.services.provenance.outbox_poster import BATCH, LONGEST_WAIT_S, OutboxPoster
from tests.fake_models import FakeChatModel
from tests.fake_outbox import FakeLedger
from tests.services.study import Study

GONE = LedgerUnavailable("The node is gone: start it.")
NO_MEMORY = LedgerRefused("Buy RAM.")


class Later:
    """A clock that is moved on by hand."""

    def __init__(self, clock: object) -> None:
        self._clock, self.passed = clock, timedelta()

    def now(self):
        return self._clock.now() + self.passed

    def monotonic(self) -> float:
        return self._clock.monotonic()


def finished(study: Study, *thresholds: float, **changes: object) -> list[str]:
    sweep = study.running.run(study.create(*thresholds, **changes).id)
    assert {run.state for run in sweep.runs} == {RunState.FINISHED}
    return [run.id for run in sweep.runs]


def recorded(ledger: FakeLedger) -> list[str]:
    return [receipt.entry.description for receipt in ledger.recorded]


def outbox_poster(study: Study, ledger: FakeLedger) -> tuple[OutboxPoster, Later]:
    clock = Later(study.clock)
    return OutboxPoster(study.store.outbox, ledger, clock, study.store.work), clock


def test_a_run_leaves_a_row_for_each_question_and_one_of_its_own():
    study = Study()
    [run_id, _] = finished(study, 0.1)
    found = study.run_recorder.entries(run_id)
    assert [one.state for one in found.items] == ["waiting"] * 7
    assert found.note is None
    [kept] = found.records
    manifest = json.loads(study.store.outbox.manifest(run_id) or "")
    own = found.items[-1].entry
    assert own.run_digest == kept.digest
    assert {one.entry.testid for one in found.items} == {name_of(run_id)}
    assert {one.entry.config_digest for one in found.items} == {manifest["config_digest"]}
    assert [one.entry.description for one in found.items[:2]] == [f"run {run_id} question q{n}" for n in (0, 1)]


def test_the_run_alone_leaves_one_row():
    study = Study(granularity="run")
    [run_id, _] = finished(study, 0.1)
    [own] = study.run_recorder.entries(run_id).items
    assert own.entry.run_digest == study.run_recorder.entries(run_id).records[0].digest


def test_everything_is_posted_in_order_each_entry_once():
    study = Study()
    runs = finished(study, 0.1, 0.4)
    ledger = FakeLedger(study.clock, at_once=4)
    post, _ = outbox_poster(study, ledger)
    done = post.post()
    assert (done.posted, done.waiting, done.reasons) == (21, 0, ())
    wanted = [one.entry.description for run_id in runs for one in study.run_recorder.entries(run_id).items]
    assert recorded(ledger) == wanted
    again = post.post()
    assert (again.posted, len(ledger.recorded)) == (0, 21)
    states = {one.state for run_id in runs for one in study.run_recorder.entries(run_id).items}
    assert states == {"recorded"}
    assert [one.sequence for one in study.run_recorder.entries(runs[0]).items] == [1, 2, 3, 4, 5, 6, 7]


def test_posting_one_run_leaves_the_others_waiting():
    study = Study()
    first, other, *_ = finished(study, 0.1, 0.4)
    ledger = FakeLedger(study.clock)
    post, _ = outbox_poster(study, ledger)
    [record] = study.run_recorder.entries(other).records
    done = post.post(only=[record.number])
    assert (done.posted, done.waiting) == (7, 0), "the entries of other runs are not counted"
    assert recorded(ledger) == [one.entry.description for one in study.run_recorder.entries(other).items]
    assert {one.state for one in study.run_recorder.entries(other).items} == {"recorded"}
    assert {one.state for one in study.run_recorder.entries(first).items} == {"waiting"}
    assert post.post(only=[]).posted == 0


def test_a_process_that_died_after_the_ledger_took_them_posts_nothing_twice(monkeypatch):
    study = Study()
    finished(study, 0.1)
    ledger = FakeLedger(study.clock)
    post, _ = outbox_poster(study, ledger)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(study.store.outbox, "posted", die)
        with pytest.raises(KeyboardInterrupt):
            post.post()
    assert len(ledger.recorded) == 7
    after, _ = outbox_poster(study, ledger)
    assert after.post().waiting == 0
    assert len(ledger.recorded) == len(set(recorded(ledger))) == 14


def test_while_the_ledger_is_gone_everything_waits_with_the_reason_and_is_asked_less_and_less():
    study = Study()
    [run_id, other] = finished(study, 0.1)
    ledger = FakeLedger(study.clock)
    post, clock = outbox_poster(study, ledger)
    pauses = []
    for _ in range(12):
        ledger.failures = [GONE]
        done = post.post()
        assert (done.posted, done.waiting, done.reasons) == (0, 14, (GONE.message,))
        [kept] = study.run_recorder.entries(run_id).records
        assert kept.reason == study.run_recorder.entries(other).records[0].reason == GONE.message
        assert post.post().posted == 0, "nothing is due yet"
        pauses.append(kept.retry_at - clock.now())
        clock.passed += pauses[-1] + timedelta(seconds=1)
    seconds = [round(pause.total_seconds()) for pause in pauses]
    assert seconds[:4] == [2, 4, 8, 16]
    assert seconds[-1] == LONGEST_WAIT_S
    assert post.post().waiting == 0
    assert study.run_recorder.entries(run_id).records[0].reason is None


def test_posting_by_hand_does_not_wait_for_what_was_put_off():
    study = Study()
    finished(study, 0.1)
    ledger = FakeLedger(study.clock)
    post, _ = outbox_poster(study, ledger)
    ledger.failures = [GONE]
    assert post.post().waiting == 14
    assert post.post(at_once=True).waiting == 0


def test_a_refused_entry_holds_up_its_own_run_only_and_what_stands_before_it_is_posted():
    study = Study()
    [run_id, other] = finished(study, 0.1)
    ledger = FakeLedger(study.clock)
    ledger.refused = {f"run {run_id} question q3": NO_MEMORY}
    post, clock = outbox_poster(study, ledger)
    done = post.post()
    assert (done.posted, done.waiting, done.reasons) == (7, 7, (NO_MEMORY.message,))
    clock.passed += timedelta(minutes=10)
    assert post.post().posted == 3, "by one entry at a time up to the refused one"
    states = [one.state for one in study.run_recorder.entries(run_id).items]
    assert states == ["recorded"] * 3 + ["waiting"] * 4
    assert study.run_recorder.entries(run_id).records[0].reason == NO_MEMORY.message
    assert study.run_recorder.entries(other).records[0].reason is None
    ledger.refused = {}
    clock.passed += timedelta(minutes=10)
    assert post.post().waiting == 0
    own = [name for name in recorded(ledger) if f"run {run_id}" in name]
    assert own == [one.entry.description for one in study.run_recorder.entries(run_id).items]


def test_one_process_posts_at_a_time():
    study = Study()
    finished(study, 0.1)
    post, _ = outbox_poster(study, FakeLedger(study.clock))
    assert study.store.work.acquire("posting", "elsewhere:1:x", ttl_s=60) == "elsewhere:1:x"
    with pytest.raises(LeaseError, match="is posting now"):
        post.post()


def test_a_run_that_is_finished_again_keeps_what_was_recorded_and_adds_what_is_new():
    failing = FakeChatModel()
    answers = failing._script

    def script(source):
        if "copper" in source.question:
            raise GenerationError("It broke.", reason="broken")
        return answers(source)

    failing._script = script
    study = Study(chat_model=failing)
    sweep = study.running.run(study.create(0.1).id)
    run_id = sweep.runs[0].id
    ledger = FakeLedger(study.clock)
    post, _ = outbox_poster(study, ledger)
    post.post()
    before = study.run_recorder.entries(run_id)
    failing._script = answers
    study.control.retry(sweep.id)
    assert study.running.run(sweep.id).runs[0].state is RunState.FINISHED
    after = study.run_recorder.entries(run_id)
    first, second = after.records
    assert (first.superseded, second.superseded) == (True, False)
    assert first.digest == before.records[0].digest != second.digest
    assert after.items[:7] == before.items, "what was recorded stays"
    assert [one.entry.description for one in after.items[7:]] == [f"run {run_id} question q1", f"run {run_id}"]
    assert after.note is not None
    assert "append-only" in after.note
    post.post()
    assert len(ledger.recorded) == len({receipt.entry.identity for receipt in ledger.recorded}) == 18


def test_a_run_of_before_there_were_records_is_recorded_on_request():
    study = Study()
    [run_id, _] = finished(study, 0.1)
    kept = study.run_recorder.entries(run_id)
    study.store.outbox._records.clear()
    study.store.outbox._outbox.clear()
    bare = study.run_recorder.entries(run_id)
    assert bare.note is not None
    assert f"passer ledger record {run_id}" in bare.note
    assert study.run_recorder.record(run_id) == 7
    assert study.run_recorder.record(run_id) == 0
    assert [one.entry for one in study.run_recorder.entries(run_id).items] == [one.entry for one in kept.items]


def test_recorded_for_another_ledger_it_is_the_manifest_of_then(monkeypatch):
    study = Study()
    [run_id, _] = finished(study, 0.1)
    digest = study.run_recorder.entries(run_id).records[0].digest
    around = study.manifest_builder.surroundings()
    moved = around.model_copy(update={"code_commit": "another"})
    object.__setattr__(study.manifest_builder, "surroundings", lambda: moved)
    assert study.manifest_builder.manifest(run_id).digest != digest
    object.__setattr__(study.run_recorder, "ledger", "antelope")
    assert study.run_recorder.record(run_id) == 7
    found = study.run_recorder.entries(run_id)
    assert (found.records[0].digest, found.items[-1].entry.run_digest) == (digest, digest)


def test_only_a_finished_run_can_be_recorded():
    study = Study()
    sweep = study.create(0.1)
    with pytest.raises(ConflictError, match="finished"):
        study.run_recorder.record(sweep.runs[0].id)
    with pytest.raises(NotFoundError):
        study.run_recorder.record(f"{sweep.id}-999")
    with pytest.raises(NotFoundError):
        study.run_recorder.entries("nothing")
    assert "when it is finished" in str(study.run_recorder.entries(sweep.runs[0].id).note)


def test_a_long_run_is_handed_over_in_batches():
    study = Study()
    assert BATCH % 50 == 0
    finished(study, 0.1)
    ledger = FakeLedger(study.clock, at_once=1)
    post, _ = outbox_poster(study, ledger)
    assert post.post().waiting == 0
    assert len(ledger.recorded) == 14


def test_a_timing_run_leaves_its_times_beside_its_scores():
    study = Study()
    [run_id, _] = finished(study, 0.1, timing=TimingPlan(warm_up=1))
    found = [one.entry for one in study.run_recorder.entries(run_id).items]
    assert [entry.action for entry in found] == ["addtest", "addtimetest"] * 6 + ["addtimetest", "addtest"]
    assert {entry.run_digest for entry in found[-2:]} == {study.run_recorder.entries(run_id).records[0].digest}
    assert found[0].run_digest == found[1].run_digest, "scores and times of one question point at one leaf"
    for entry in found:
        assert len(entry.results) in ((24, 25) if entry.action == "addtest" else (9, 10))
