"""Panel and pool of CPS: recorded with a sweep, chosen afterwards, and what the others would give."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from passer.domain.analysis.choices import SweepChoices
from passer.domain.panel import PANELS
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.verdict import model_verdicts
from tests.analysis_rows import noisy, sweep

N = 60


def runs(**recorded):
    """A baseline and a threshold that gains about .05 in every column; one question is far better than all others."""
    rng = np.random.default_rng(5)
    level = rng.uniform(0.2, 0.4, N)
    level[7] = 0.9
    made = sweep(base=list(level), other=list(level + 0.05 * rng.uniform(0.5, 1.5, N)))
    return [each.model_copy(update=recorded) for each in made]


NEW = {"panel": "text-1", "normalisation": "winsorised"}


def test_a_sweep_that_records_neither_keeps_phase3_and_the_smallest_and_largest_value():
    found = analyse(runs())
    assert (found.panel, found.normalisation) == ("phase3", "min-max")
    assert found.alternatives == ()
    [pool] = found.pools
    assert not pool.is_clipped
    assert pool.metrics[0].maximum == pytest.approx(0.9, abs=0.1)


def test_what_a_sweep_records_is_its_pool_and_the_others_are_alternatives():
    found = analyse(runs(**NEW))
    assert (found.panel, found.normalisation) == ("text-1", "winsorised")
    [pool] = found.pools
    assert [item.metric for item in pool.metrics] == list(PANELS["text-1"].columns)
    assert "winsorised (1st to 99th percentile)" in pool.name
    # 120 values: numpy's percentile lies between the second and the third largest, far from the outliers.
    assert pool.metrics[0].maximum < 0.9
    assert pool.metrics[0].n_outside > 0
    assert not any("outside the constants" in text for text in found.warnings)
    assert [other.decision for other in found.alternatives] == [
        "CPS by the smallest and largest value of the pool", "panel phase3",
    ]  # fmt: skip
    assert found.verdict.exploratory == ()


def test_only_the_shown_verdict_corrects_its_gain_and_the_alternatives_recommend_as_if_they_did(
    monkeypatch: pytest.MonkeyPatch,
):
    made: list[object] = []
    correct = model_verdicts.corrected_gain

    def counted(*given, **named):
        made.append(given)
        return correct(*given, **named)

    monkeypatch.setattr(model_verdicts, "corrected_gain", counted)
    found = analyse(runs(**NEW))
    assert (len(found.alternatives), len(made)) == (2, 1)
    for other, changed in zip(found.alternatives, ({"normalisation": "min-max"}, {"panel": "phase3"}), strict=True):
        own = analyse(runs(**NEW), SweepChoices(**changed)).verdict.conclusions
        assert other.recommended == tuple(each.verdict.recommended for each in own)


def test_another_pool_than_the_recorded_one_makes_the_verdict_exploratory():
    found = analyse(runs(**NEW), SweepChoices(panel="phase3", normalisation="min-max"))
    assert (found.panel, found.normalisation) == ("phase3", "min-max")
    assert found.verdict.exploratory == ("panel", "normalisation")
    column = analyse(runs(**NEW), SweepChoices(panel="phase3", primary="METEOR"))
    assert column.verdict.exploratory == ("primary",), "a column does not depend on panel and pool"


def test_constants_of_a_winsorised_pool_cut_the_values_of_another_analysis_too():
    given = analyse(runs(**NEW)).constants
    assert given is not None
    assert given.is_clipped
    pinned = analyse(runs(**NEW), SweepChoices(constants=given))
    assert [item.mean_cps for item in pinned.configurations] == [
        pytest.approx(item.mean_cps) for item in analyse(runs(**NEW)).configurations
    ]
    assert any("Values outside the bounds are cut to them" in text for text in pinned.statements)


def test_runs_of_sweeps_that_record_different_pools_share_the_older_one():
    mixed = [runs(**NEW)[0], runs()[1]]
    assert (analyse(mixed).panel, analyse(mixed).normalisation) == ("phase3", "min-max")


def test_other_weights_of_t_cps_change_it_and_nothing_else_and_make_the_verdict_exploratory():
    runs = sweep(base=noisy(0.4), good=noisy(0.6, seed=3))
    usual, other = (analyse(runs, SweepChoices(**more)) for more in ({}, {"stability": {"alpha": 0.5, "beta": 0}}))
    assert (usual.stability.alpha, usual.stability.beta, usual.verdict.exploratory) == (0.1, 0.05, ())
    assert other.verdict.exploratory == ("stability",)
    for before, after in zip(usual.configurations, other.configurations, strict=True):
        assert (after.mean_cps, after.cv) == (before.mean_cps, before.cv)
        # mu (1 + .5 (1 - CV)), by hand.
        assert after.tcps == pytest.approx(after.mean_cps * (1.5 - 0.5 * after.cv))
    gain = other.configurations[1].comparison
    assert gain.tcps_improvement_pct == pytest.approx(100 * (other.configurations[1].tcps / gain.baseline_tcps - 1))
    with pytest.raises(ValidationError):
        SweepChoices(stability={"alpha": -1})
