"""A list is told what sweeps conclude: of long ones when a background thread has computed it, of cancelled ones too."""

from __future__ import annotations

import pytest

from passer.domain.sweeps.run import RunState
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.sweep_summaries import LATER, NOTHING, SweepSummaries
from passer.services.runs.run_browser import RunBrowser
from tests.fake_judged import NeverJudged
from tests.services.study import Study
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
