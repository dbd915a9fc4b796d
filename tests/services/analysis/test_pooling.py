"""Panel and pool of CPS: recorded with a sweep, chosen afterwards, and what the others would give."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.analysis.choices import SweepChoices
from passer.domain.panel import PANELS
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import sweep

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
