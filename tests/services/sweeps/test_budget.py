"""A sweep with a budget: it pauses with its results, states the reason, and continues with a larger budget."""

from __future__ import annotations

import pytest

from passer.domain.sweeps.budget import SweepBudget
from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError
from tests.services.study import Study


def paused(study: Study, budget: SweepBudget):
    sweep = study.create(0.1, 0.4)
    study.store.set_budget(sweep.id, budget)
    return study.running.run(sweep.id)


@pytest.mark.parametrize("asks", [0, 1, 3, 7])
def test_the_limit_of_requests_is_kept_exactly_and_a_larger_one_ends_the_sweep(asks):
    whole = Study()
    expected = whole.running.run(whole.create(0.1, 0.4).id)

    study = Study()
    sweep = paused(study, SweepBudget(asks=asks))
    assert sweep.state is RunState.PAUSED
    assert len(study.chat_model.asked) == sweep.spent.asks == asks
    open_runs = [run for run in sweep.runs if run.state is RunState.PAUSED]
    assert {run.held for run in open_runs} == {True}
    assert all("budget of" in str(run.reason) and "larger budget" in str(run.reason) for run in open_runs)
    # What was answered is scored: nothing is left between the steps.
    assert all(run.counts.answered == run.counts.scored for run in sweep.runs)

    with pytest.raises(ConflictError, match="Give a larger budget"):
        study.control.resume(sweep.id)
    study.control.resume(sweep.id, budget=SweepBudget(asks=100))
    done = study.running.run(sweep.id)
    assert done.state is RunState.FINISHED
    assert [run.counts for run in done.runs] == [run.counts for run in expected.runs]
    assert sorted(study.chat_model.asked) == sorted(whole.chat_model.asked), "nothing is asked twice"
    assert done.spent.asks == len(whole.chat_model.asked)


def test_running_time_counts_over_processes_and_not_while_it_is_paused():
    study = Study(tick_s=0.5)
    sweep = paused(study, SweepBudget(running_s=1))
    assert sweep.state is RunState.PAUSED
    first = sweep.spent.running_s
    assert first >= 1
    for _ in range(20_000):
        study.clock.monotonic()
    study.control.resume(sweep.id, budget=SweepBudget(running_s=first + 5000))
    done = study.running.run(sweep.id)
    assert done.state is RunState.FINISHED
    assert first < done.spent.running_s < 5000


def test_a_budget_that_is_reached_by_the_last_answer_finishes_the_sweep():
    whole = Study()
    whole.running.run(whole.create(0.1, 0.4).id)
    study = Study()
    sweep = paused(study, SweepBudget(asks=len(whole.chat_model.asked)))
    assert sweep.state is RunState.FINISHED


def test_a_sweep_without_a_budget_counts_what_it_uses():
    study = Study()
    sweep = study.running.run(study.create(0.1).id)
    assert sweep.spent.asks == len(study.chat_model.asked)
    assert sweep.budget.used(sweep.spent) is None
