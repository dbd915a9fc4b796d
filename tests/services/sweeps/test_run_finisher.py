"""Records of runs are built while the questions of the next run are asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.ports import RunRecord, StoredSweep
from passer.services.provenance.run_recorder import RunRecorder
from passer.services.sweeps.runner import SweepRunner
from tests.services.study import TEXTS, Study

QUESTIONS = 300
WITHIN_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Slow(RunRecorder):
    """A recorder that does something before it builds the record of a run."""

    before: Callable[[str], None]

    def built(self, run_id: str) -> RunRecord:
        self.before(run_id)
        return super().built(run_id)


def two_models(study: Study) -> StoredSweep:
    """A sweep of two models with so many questions that the second begins when the first is done."""
    many = [
        Question(id=f"q{n}", text=f"{TEXTS[n % 4]} in the case {n}", reference=TEXTS[n % 4]) for n in range(QUESTIONS)
    ]
    study.store.save_dataset(Dataset(name="farm", questions=tuple(many)))
    models = tuple(Model(provider="ollama", name=name) for name in ("one", "two"))
    config = RunConfig(dataset="farm", collection="books")
    return study.planner.create(Sweep(name="Two", config=config, axes=Axes(model=models), baseline=NormalPolicy(k=2)))


def runner(study: Study, before: Callable[[str], None]) -> SweepRunner:
    own = study.run_recorder
    slow = Slow(
        runs=own.runs,
        outbox=own.outbox,
        manifest_builder=own.manifest_builder,
        ledger=own.ledger,
        granularity=own.granularity,
        before=before,
    )
    return replace(study.running, run_recorder=slow, look_ahead=4)


def test_questions_of_the_next_run_are_asked_while_a_record_is_built() -> None:
    study = Study()
    sweep = two_models(study)
    asked: dict[str, int] = {}

    def wait(run_id: str) -> None:
        until = time.monotonic() + WITHIN_S
        while len(study.chat_model.asked) < 2 * QUESTIONS and time.monotonic() < until:
            time.sleep(0.01)
        asked[run_id] = len(study.chat_model.asked)

    done = runner(study, wait).run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED] * 2
    assert asked[sweep.runs[0].id] == 2 * QUESTIONS, (
        "the questions of the second run waited for the record of the first"
    )
    assert [len(study.store.outbox.records(run.id, ledger="local")) for run in done.runs] == [1, 1]


def test_a_run_that_a_person_pauses_while_its_record_is_built_is_finished_when_it_is_resumed() -> None:
    study = Study()
    sweep = two_models(study)
    first = sweep.runs[0].id

    def pause(run_id: str) -> None:
        if run_id == first:
            study.store.set_state([first], RunState.PAUSED, reason="Paused.", held=True)

    runs = runner(study, pause).run(sweep.id).runs
    assert [run.state for run in runs] == [RunState.PAUSED, RunState.FINISHED]
    assert study.store.outbox.records(first, ledger="local") == []
    study.control.resume(sweep.id)
    runs = study.running.run(sweep.id).runs
    assert [run.state for run in runs] == [RunState.FINISHED] * 2
    assert len(study.chat_model.asked) == 2 * QUESTIONS, "nothing is asked again"


def test_a_run_that_lacks_only_its_record_is_finished_where_another_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study()
    sweep = two_models(study)
    record = type(study.store).record

    def broken(store: object, facts: object) -> None:
        if len(study.chat_model.asked) == 2 * QUESTIONS:
            raise ZeroDivisionError
        record(store, facts)

    monkeypatch.setattr(type(study.store), "record", broken)
    with pytest.raises(ZeroDivisionError):
        runner(study, lambda _: time.sleep(0.5)).run(sweep.id)
    assert [run.state for run in study.store.load_sweep(sweep.id).runs] == [RunState.FINISHED, RunState.FAILED]
