"""A list is told what sweeps conclude: of long ones when a background thread has computed it, of cancelled ones too."""

from __future__ import annotations

import statistics

import pytest

from passer.domain.analysis.analysis import ModelSummary, SweepSummary
from passer.domain.analysis.choices import SweepChoices
from passer.domain.models.model import Model
from passer.domain.sweeps.run import RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import MeasuredSpread
from passer.domain.verdict.verdict import Verdict
from passer.ports import StoredSweep
from passer.services.analysis.earlier_spreads import EVERYTHING, EarlierSpreads
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.sweep_summaries import LATER, NOTHING, SweepSummaries
from passer.services.runs.run_browser import RunBrowser
from tests.analysis_rows import noisy, sweep
from tests.fake_judged import NeverJudged
from tests.fake_material import MemoryImports
from tests.services.study import Study, dataset
from tests.waiting import wait_until


@pytest.fixture
def study() -> Study:
    return Study()


def summaries_of(study: Study, *, at_once: int) -> SweepSummaries:
    store = study.store
    browser = RunBrowser(runs=store, evaluations=store, datasets=store)
    results = SweepResults(run_browser=browser, runs=store, evaluations=store, judged_columns=NeverJudged())
    return SweepSummaries(results, at_once=at_once)


def test_a_long_sweep_is_summarised_in_the_background_as_a_short_one_is_at_once(study: Study) -> None:
    sweep = study.running.run(study.create(0.3).id)
    at_once = summaries_of(study, at_once=1000).of(sweep.id)
    assert [each.verdict.kind for each in at_once.models] == ["no_verdict"]
    later = summaries_of(study, at_once=0)
    assert later.of(sweep.id) == LATER
    found = wait_until(lambda: None if (known := later.of(sweep.id)).is_computing else known)
    assert found == at_once
    assert later.of(sweep.id) is found, "it is computed once"


def test_what_a_cancelled_sweep_concludes_is_listed_and_changes_when_it_is_resumed(study: Study) -> None:
    sweep = study.create(0.3)
    summaries = summaries_of(study, at_once=1000)
    assert summaries.of(sweep.id) == NOTHING, "a sweep that waits concludes nothing"
    first = sweep.runs[0].id
    study.control.cancel(sweep.id, run_ids=[run.id for run in sweep.runs if run.id != first])
    study.running.run(sweep.id)
    assert study.store.load_sweep(sweep.id).state is RunState.CANCELLED
    (cancelled,) = summaries.of(sweep.id).models
    assert (cancelled.verdict.kind, cancelled.verdict.recommended) == ("no_verdict", None)
    assert "failed_or_open" in cancelled.verdict.missing
    study.control.resume(sweep.id)
    assert summaries.of(sweep.id) == NOTHING
    study.running.run(sweep.id)
    (finished,) = summaries.of(sweep.id).models
    assert "failed_or_open" not in finished.verdict.missing
    assert finished.means[1] is not None


def test_a_sweep_that_cannot_be_analysed_is_listed_without_a_verdict(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = study.running.run(study.create(0.3).id)
    later = summaries_of(study, at_once=0)

    def fail(_self: SweepResults, _sweep_id: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(SweepResults, "analyse", fail)
    assert wait_until(lambda: None if (known := later.of(sweep.id)).is_computing else known) == NOTHING


def test_a_summary_has_the_widest_spread_of_the_paired_differences() -> None:
    base, narrow, wide = noisy(0.5), noisy(0.52, seed=2), noisy(0.5, seed=3)
    wide = [value + (0.2 if place % 2 else -0.2) for place, value in enumerate(wide)]
    rows = sweep(base=base, narrow=narrow, wide=wide)
    (found,) = SweepSummary.of(analyse(rows, SweepChoices(primary="METEOR"))).models
    assert found.spread is not None
    assert found.spread.sd == pytest.approx(statistics.stdev(b - a for a, b in zip(base, wide, strict=True)))
    # Two comparisons of 60 questions without outliers: Student's t by Sidak is 2.27.
    assert found.spread.critical == pytest.approx(2.27, abs=0.2)
    worse = [value - 0.4 + 0.3 * (place % 2) for place, value in enumerate(noisy(0.5, seed=4))]
    (same,) = SweepSummary.of(analyse(sweep(base=base, wide=wide, worse=worse), SweepChoices(primary="METEOR"))).models
    assert same.verdict.worse == ("worse",)
    assert same.spread is not None
    assert same.spread.sd == found.spread.sd, "no plan is made for what is decided"
    few = [run.model_copy(update={"questions": run.questions[:19]}) for run in rows]
    (less,) = SweepSummary.of(analyse(few, SweepChoices(primary="METEOR"))).models
    assert less.spread is None, "19 questions say little of a spread"


class Known(SweepSummaries):
    """Summaries with the spreads that a test gives."""

    def __init__(self, spreads: dict[str, float | None]) -> None:
        self._spreads = spreads
        self.asked: dict[str, int] = {}

    def of_stored(self, sweep: StoredSweep, *, at_once: int) -> SweepSummary:
        self.asked[sweep.id] = at_once
        verdict = Verdict(kind="cannot_tell")
        sd = self._spreads[sweep.id]
        spread = MeasuredSpread(sd=sd, critical=2 + sd) if sd else None
        models = [ModelSummary(model="m", verdict=verdict, best=None, means=(), spread=spread)]
        return SweepSummary(models=tuple(models))


def test_what_earlier_sweeps_say_is_that_of_the_dataset_then_of_the_model_then_of_others(study: Study) -> None:
    study.store.save_dataset(dataset().model_copy(update={"name": "other"}))
    own = [study.running.run(study.create(cut).id) for cut in (0.3, 0.4)]
    elsewhere = study.running.run(study.planner.create(_with(own[0].sweep, dataset="other")).id)
    waiting = study.create(0.5)
    known = {own[0].id: 0.1, own[1].id: 0.3, elsewhere.id: 0.2, waiting.id: 0.9}

    def found(planned: Sweep, spreads: dict[str, float | None]) -> tuple[object, ...] | None:
        spread = EarlierSpreads(study.store, Known(spreads), MemoryImports()).of(planned)
        if spread is None:
            return None
        assert spread.critical == 2 + spread.largest
        return spread.smallest, spread.largest, spread.source, spread.sweeps

    planned = own[0].sweep
    assert found(planned, known) == (0.1, 0.3, "dataset", (own[1].id, own[0].id)), "the newest one first"
    assert found(_with(planned, dataset="new"), known) == (
        0.1, 0.3, "model", (elsewhere.id, own[1].id, own[0].id)
    )  # fmt: skip
    other_model = _with(planned, dataset="new", model=Model(provider="ollama", name="m"))
    assert found(other_model, known) == (0.1, 0.3, "project", (elsewhere.id, own[1].id, own[0].id))
    assert found(planned, known | {own[0].id: None}) == (0.3, 0.3, "dataset", (own[1].id,))
    stated = {"primary": "CPS", "panel": "phase3", "normalisation": "min-max"}
    assert found(planned.model_copy(update=stated), known) == found(planned, known), (
        "what is usual where nothing is said"
    )
    assert found(planned.model_copy(update={"primary": "METEOR"}), known) is None, "another metric"
    assert found(planned.model_copy(update={"panel": "text-1"}), known) is None, "another composite"
    assert found(planned, dict.fromkeys(known)) is None


def test_a_plan_waits_for_so_many_evaluations_of_all_earlier_sweeps_together(study: Study) -> None:
    first, second = (study.running.run(study.create(cut).id) for cut in (0.3, 0.4))
    known = Known({first.id: None, second.id: 0.2})
    # Two runs of six questions each; the newest sweep is read first.
    assert EarlierSpreads(study.store, known, MemoryImports(), at_once=20).of(first.sweep) is not None
    assert known.asked == {second.id: 20, first.id: 20 - 12}
    # A command waits for all of them: a background thread would end with it.
    EarlierSpreads(study.store, known, MemoryImports(), at_once=20).of(first.sweep, at_once=EVERYTHING)
    assert known.asked == {second.id: EVERYTHING, first.id: EVERYTHING - 12}
    later = summaries_of(study, at_once=1000)
    assert later.of_stored(first, at_once=20 - 12).is_computing
    assert wait_until(lambda: None if (found := later.of_stored(first, at_once=0)).is_computing else found).models


def _with(planned: Sweep, **changes: object) -> Sweep:
    return planned.model_copy(update={"config": planned.config.model_copy(update=changes)})
