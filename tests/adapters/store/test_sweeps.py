"""Sweeps and their runs in every store: whole, moved only from where they may, held by one owner."""

from __future__ import annotations

import pytest

from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.run import Evaluation, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import reading
from passer.errors import ConflictError, NotFoundError
from passer.ports import EvaluationFact, RecentFailure, RunQuery, SweepProgress
from tests.adapters.store.made import NOW, sweep


def report(store, progress: SweepProgress) -> None:
    assert store.work.acquire("sweep", "one", ttl_s=60) == "one"
    assert store.work.renew("sweep", "one", ttl_s=60, progress=progress)


def test_a_sweep_is_kept_whole_and_comes_back_equal(store):
    created = sweep()
    assert store.create_sweep(created) == created
    loaded = store.load_sweep("sweep")
    assert (loaded.sweep, loaded.templates) == (created.sweep, created.templates)
    assert (loaded.created_at, loaded.runs[0].created_at) == (NOW, NOW)
    assert [run.config for run in loaded.runs] == [run.config for run in created.runs]
    assert [run.scored_by for run in loaded.runs] == [{"encoder": "abc"}] * 2
    assert [run.is_baseline for run in loaded.runs] == [True, False]
    assert loaded.runs[0].counts.questions == 3
    assert loaded.state is RunState.QUEUED
    with pytest.raises(ConflictError):
        store.create_sweep(created)
    with pytest.raises(NotFoundError):
        store.load_sweep("other")


def test_an_idempotency_key_gives_the_sweep_that_was_made_with_it(store):
    store.create_sweep(sweep("first"), idempotency_key="abc")
    again = store.create_sweep(sweep("second"), idempotency_key="abc")
    assert again.id == "first"
    other = sweep("second")
    changed = other.sweep.model_copy(update={"name": "Another"})
    with pytest.raises(ConflictError, match="different sweep"):
        store.create_sweep(other.model_copy(update={"sweep": changed}), idempotency_key="abc")
    with pytest.raises(NotFoundError):
        store.load_sweep("second")


def test_sweeps_are_listed_newest_first_and_paged(store):
    for name in ("one", "two", "three"):
        store.create_sweep(sweep(name))
    assert [found.id for found in store.list_sweeps(limit=2)] == ["three", "two"]
    assert [found.id for found in store.list_sweeps(limit=2, before="two")] == ["one"]


def test_states_move_only_from_where_they_may_and_keep_their_times(store):
    store.create_sweep(sweep())
    assert store.set_state(["sweep-000"], RunState.RUNNING, only_from=[RunState.QUEUED]) == 1
    assert store.set_state(["sweep-000"], RunState.CANCELLED, only_from=[RunState.QUEUED]) == 0
    started = store.load_sweep("sweep").runs[0].started_at
    assert started is not None
    store.set_state(["sweep-000"], RunState.PAUSED, reason="Ollama is gone.", held=True)
    paused = store.load_sweep("sweep").runs[0]
    assert (paused.state, paused.reason, paused.held, paused.finished_at) == (
        RunState.PAUSED, "Ollama is gone.", True, None,
    )  # fmt: skip
    store.set_state(["sweep-000"], RunState.RUNNING)
    store.set_state(["sweep-000"], RunState.FINISHED)
    done = store.load_sweep("sweep").runs[0]
    assert done.started_at == started
    assert done.finished_at is not None
    assert (done.reason, done.held) == (None, False)


def test_progress_is_the_last_one_reported(store):
    store.create_sweep(sweep())
    for done in (1, 2):
        report(store, SweepProgress(stage="answering", done=done, total=6, rate_per_s=done, updated_at=NOW))
    progress = store.load_sweep("sweep").progress
    assert progress is not None
    assert (progress.rate_per_s, progress.total, progress.updated_at) == (2, 6, NOW)


def test_what_is_done_is_counted_however_old_the_report_is(store):
    store.create_sweep(sweep())
    report(store, SweepProgress(stage="answering", done=0, total=6, updated_at=NOW))
    for number in (0, 1):
        failed = Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}", state="failed", reason="Cut.")
        store.record([EvaluationFact(failed)])
    assert store.load_sweep("sweep").progress.done == 2
    store.reopen(["sweep-000"])
    assert store.load_sweep("sweep").progress.done == 0


def test_failures_that_are_asked_again_leave_the_progress_at_once(store):
    store.create_sweep(sweep())
    told = [RecentFailure(run_id=f"sweep-00{n}", number=0, question_id="q0", reason="Cut.", at=NOW) for n in (0, 1)]
    for failure in told:
        failed = Evaluation(run_id=failure.run_id, number=0, question_id="q0", state="failed", reason="Cut.")
        store.record([EvaluationFact(failed)])
    report(store, SweepProgress(stage="answering", done=2, total=6, failures=tuple(told), updated_at=NOW))
    assert store.load_sweep("sweep").progress.failures == tuple(told)
    store.reopen(["sweep-000"])
    assert store.load_sweep("sweep").progress.failures == (told[1],)


def test_moves_that_nobody_asked_for_leave_alone_what_a_person_paused(store):
    store.create_sweep(sweep())
    store.set_state(["sweep-000"], RunState.PAUSED, held=True)
    runs = ["sweep-000", "sweep-001"]
    assert store.set_state(runs, RunState.RUNNING, unless_held=True) == 1
    assert [run.state for run in store.load_sweep("sweep").runs] == [RunState.PAUSED, RunState.RUNNING]


def test_runs_of_all_sweeps_are_found_and_paged_newest_sweep_first(store):
    store.create_sweep(sweep("first", runs=2))
    store.create_sweep(sweep("second", runs=3))
    store.set_state(["second-001"], RunState.RUNNING)
    page = store.find_runs(RunQuery(limit=4))
    assert [item.run.id for item in page.items] == ["second-000", "second-001", "second-002", "first-000"]
    assert (page.total, page.models, page.datasets) == (5, ("extractive",), ("farm",))
    assert [item.run.id for item in store.find_runs(RunQuery(after=4)).items] == ["first-001"]
    assert [item.run.id for item in store.find_runs(RunQuery(states=(RunState.RUNNING,))).items] == ["second-001"]
    assert store.find_runs(RunQuery(find="RUN 2")).total == 1
    assert store.find_runs(RunQuery(models=("mistral",))).total == 0


def test_a_sweep_is_found_by_its_own_name_also_if_runs_are_named_with_other_words(store):
    created = sweep(runs=2)
    store.create_sweep(created.model_copy(update={"sweep": Sweep(name="сходство и 0,5", config=created.sweep.config)}))
    with reading("bg"):
        assert store.find_runs(RunQuery(find="сходство и 0,5")).total == 2


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_a_run_is_found_by_parts_of_its_name_in_english_and_in_the_language_of_the_reader(store):
    created = sweep(runs=3)
    names = ("Similarity ≥ 0.50", "No retrieval, Similarity ≥ 0.50", "Top-k 5, BM25 reranked by ms-marco")
    runs = tuple(run.model_copy(update={"name": name}) for run, name in zip(created.runs, names, strict=True))
    store.create_sweep(created.model_copy(update={"runs": runs}))
    sought = ("сходство ≥ 0,5", "ходст", "Сходство ≥ 0.5", "similarity >= 0.5", "Similarity", "без извл")
    with reading("bg"):
        found = {text: store.find_runs(RunQuery(find=text)).total for text in (*sought, "пренаредено", "0,6")}
    assert found == dict.fromkeys(sought, 2) | {"без извл": 1, "пренаредено": 1, "0,6": 0}
    assert [store.find_runs(RunQuery(find=text)).total for text in ("сходство", "Similarity")] == [0, 2]


def test_what_people_write_about_a_sweep_is_kept_beside_it_and_filters_lists(store):
    for name in ("one", "two", "three"):
        store.create_sweep(sweep(name))
    store.annotate("one", Annotation(name="Баланс", tags=("law", '50% \\ "q"')))
    store.annotate("two", Annotation(tags=("lawyers",), note="Seen.", archived=True))
    one = store.load_sweep("one")
    assert (one.name, one.sweep.name) == ("Баланс", sweep("one").sweep.name)
    assert one.annotation.tags == ("law", '50% \\ "q"')
    assert store.load_sweep("three").annotation == Annotation()
    assert [found.id for found in store.list_sweeps(limit=9, tag="law")] == ["one"]
    assert [found.id for found in store.list_sweeps(limit=9, tag='50% \\ "q"')] == ["one"]
    assert [found.id for found in store.list_sweeps(limit=9, archived=False)] == ["three", "one"]
    assert [found.id for found in store.list_sweeps(limit=9, archived=True)] == ["two"]
    store.annotate("one", Annotation())
    assert store.load_sweep("one").annotation == Annotation()
