"""Expectations are worked by hand, or are figures printed in the thesis."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats.mstats import mquantiles

from passer.domain.composite import (
    MetricConstants,
    PanelScores,
    balance,
    coefficient_of_variation,
    composites_by_part,
    contributions,
    effective_weights,
    improvement_pct,
    normalised_within,
    pool_constants,
    tcps,
    usable_rows,
)
from passer.domain.panel import PANELS, Panel, PanelMetric, panel_named
from passer.domain.score import VECTOR_ORDER, Score, ScoreTable
from passer.errors import InputError

TWO = Panel(
    name="two",
    metrics=(
        PanelMetric(metric="F1 Score", weight=0.6),
        PanelMetric(metric="Laplace Perplexity", weight=0.4, higher_is_better=False),
    ),
)


def value(number: float) -> Score:
    return Score(value=number)


def pool(*rows: tuple[float | str, float | str], ids: tuple[str, ...] | None = None) -> PanelScores:
    def score(cell: float | str) -> Score:
        return Score(value=None, reason=cell) if isinstance(cell, str) else Score(value=cell)  # type: ignore[arg-type]

    table = ScoreTable.of(
        ids or [str(i) for i in range(len(rows))],
        [{"F1 Score": score(a), "Laplace Perplexity": score(b)} for a, b in rows],
        columns=("F1 Score", "Laplace Perplexity"),
    )
    return PanelScores.of(table, TWO)


def everything(scores: PanelScores) -> np.ndarray:
    return np.ones(len(scores.values), dtype=bool)


def cps(scores: PanelScores, rows: np.ndarray | None = None) -> np.ndarray:
    rows = everything(scores) if rows is None else rows
    return contributions(scores, TWO, pool_constants(scores, TWO, rows)).sum(axis=1)


def test_panels_are_those_of_the_analysis() -> None:
    assert list(PANELS) == ["text-1", "text-1-no-meteor", "phase3", "phase3-no-meteor", "phase2"]
    for panel in PANELS.values():
        assert panel.weights.sum() == pytest.approx(1, abs=1e-12)
        assert set(panel.columns) <= set(VECTOR_ORDER)
        reversed_ones = [m.metric for m in panel.metrics if not m.higher_is_better]
        assert reversed_ones == [name for name in panel.columns if "Perplexity" in name]
    assert {m.metric: m.weight for m in panel_named("text-1").metrics} == {
        "METEOR": 0.2, "Rouge-l.f": 0.2, "F1 Score": 0.2, "Bert-Score.f1": 0.25, "BLEU": 0.15,
    }  # fmt: skip
    weights = {m.metric: m.weight for m in panel_named("phase3-no-meteor").metrics}
    assert "METEOR" not in weights
    assert weights["F1 Score"] == pytest.approx(0.15 / 0.85)
    assert weights["B-RT.average"] == pytest.approx(0.125 / 0.85)


def test_unknown_panel_lists_the_known() -> None:
    with pytest.raises(InputError, match="text-1, text-1-no-meteor, phase3, phase3-no-meteor, phase2"):
        panel_named("phase9")


def test_a_panel_whose_weights_do_not_sum_to_one_is_refused() -> None:
    with pytest.raises(ValueError, match="must sum to 1"):
        Panel(name="half", metrics=(PanelMetric(metric="BLEU", weight=0.5),))


def test_a_pool_of_three_by_two_worked_by_hand() -> None:
    # F1: min 0, max 1. Perplexity: min 10, max 30, lower is better.
    # row 1: .6 * 0  + .4 * (30 - 10) / 20 = .4
    # row 2: .6 * .5 + .4 * (30 - 20) / 20 = .5
    # row 3: .6 * 1  + .4 * (30 - 30) / 20 = .6
    scores = pool((0.0, 10.0), (0.5, 20.0), (1.0, 30.0))
    constants = pool_constants(scores, TWO, everything(scores))
    assert [(c.minimum, c.maximum) for c in constants] == [(0, 1), (10, 30)]
    assert cps(scores) == pytest.approx([0.4, 0.5, 0.6])


def test_the_formula_of_the_method_page_gives_the_same() -> None:
    scores = pool((0.3, 12.0), (0.9, 44.0), (0.1, 13.5))
    constants = pool_constants(scores, TWO, everything(scores))
    for row, got in zip(scores.values, cps(scores), strict=True):
        expected = 0.0
        for x, c, w, d in zip(row, constants, (0.6, 0.4), (1, -1), strict=True):
            expected += w * (d * (x - c.minimum) / (c.maximum - c.minimum) + (1 - d) / 2)
        assert got == pytest.approx(expected + 0.0, abs=1e-12)


def test_a_constant_metric_is_neutral() -> None:
    scores = pool((0.0, 7.0), (1.0, 7.0))
    assert [c.is_constant for c in pool_constants(scores, TWO, everything(scores))] == [False, True]
    assert cps(scores) == pytest.approx([0.2, 0.8])


def test_what_the_system_lost_counts_as_the_worst_of_the_pool() -> None:
    scores = pool((0.0, 10.0), (0.5, "empty_answer"), (1.0, 30.0))
    # row 2: .6 * .5 + .4 * 0, the worst perplexity
    assert cps(scores) == pytest.approx([0.4, 0.3, 0.6])
    assert usable_rows(scores, np.array([0, 1, 2])).all()


def test_what_the_measuring_lost_takes_its_question_out_everywhere() -> None:
    scores = pool((0.0, 10.0), (0.5, 20.0), (1.0, 30.0), ("encoder_unavailable", 5.0))
    codes = np.array([0, 1, 0, 1])  # two configurations of the questions 0 and 1
    rows = usable_rows(scores, codes)
    assert rows.tolist() == [True, False, True, False]
    constants = pool_constants(scores, TWO, rows)
    assert (constants[1].minimum, constants[1].maximum) == (10, 30)  # 5.0 left with its question


def test_drop_takes_out_the_row_only() -> None:
    scores = pool((0.0, 10.0), (0.5, "empty_answer"), (1.0, 30.0), ("encoder_unavailable", 5.0))
    rows = usable_rows(scores, np.array([0, 1, 0, 1]), policy="drop")
    assert rows.tolist() == [True, False, True, False]
    rows = usable_rows(scores, np.array([0, 0, 1, 1]), policy="drop")
    assert rows.tolist() == [True, False, True, False]
    assert usable_rows(scores, np.array([0, 0, 1, 1])).tolist() == [True, True, False, False]


def test_no_rows_at_all() -> None:
    empty = PanelScores(values=np.zeros((0, 2)), missing=np.zeros((0, 2), dtype=np.uint8))
    assert usable_rows(empty, np.zeros(0, dtype=np.intp)).shape == (0,)
    with pytest.raises(InputError, match="No row of the pool has a value of F1 Score"):
        pool_constants(empty, TWO, np.zeros(0, dtype=bool))


def test_given_constants_are_used_unclipped_and_must_be_complete() -> None:
    scores = pool((2.0, 10.0))
    given = (
        MetricConstants(metric="Laplace Perplexity", minimum=0, maximum=20),
        MetricConstants(metric="F1 Score", minimum=0, maximum=1),
    )
    assert contributions(scores, TWO, given).sum() == pytest.approx(0.6 * 2 + 0.4 * 0.5)
    with pytest.raises(InputError, match="no F1 Score"):
        contributions(scores, TWO, given[:1])


def test_a_winsorised_pool_cuts_at_scipys_percentiles() -> None:
    """Against scipy's own winsorising by quantile, with an outlier that min-max would be stretched by."""
    rng = np.random.default_rng(3)
    f1, perplexity = rng.uniform(0.2, 0.6, 300), rng.uniform(20, 60, 300)
    f1[7], perplexity[9] = 50.0, 4_000.0
    scores = pool(*zip(f1.tolist(), perplexity.tolist(), strict=True))
    constants = pool_constants(scores, TWO, everything(scores), "winsorised")
    ends = [mquantiles(values, (0.01, 0.99), alphap=1, betap=1) for values in (f1, perplexity)]
    assert [(c.minimum, c.maximum) for c in constants] == [pytest.approx(tuple(pair)) for pair in ends]
    found = contributions(scores, TWO, constants, clip=True)
    assert found.sum(axis=1).max() <= 1.0
    assert found[7, 0] == pytest.approx(0.6)
    assert found[9, 1] == pytest.approx(0.0)
    inside = (f1[0] - ends[0][0]) / (ends[0][1] - ends[0][0])
    assert found[0, 0] == pytest.approx(0.6 * inside)
    everyone = normalised_within(scores.values, TWO, scores.values, "winsorised") * TWO.weights
    np.testing.assert_allclose(everyone, found)


def test_composites_by_the_bounds_of_some_questions_by_hand() -> None:
    f1 = [[0.2, 0.6, 0.4, 0.4], [0.2, 0.4, 0.9, 0.4]]
    perplexity = [[20.0, 40.0, 30.0, 4e9], [60.0, 20.0, 30.0, 30.0]]
    scores = np.stack([np.array(f1), np.array(perplexity)], axis=2)
    composites = composites_by_part(scores, TWO, "min-max")
    # F1 between .2 and .6, perplexity between 20 and 60: the fourth question and its outlier have no part in them.
    found = composites(np.array([0, 1]))
    assert found[0, 2] == pytest.approx(0.6, abs=1e-12)
    assert found[:, :2] == pytest.approx(np.array([[0.4, 0.8], [0.0, 0.7]]), abs=1e-12)
    # One F1 everywhere is neutral.
    assert composites(np.array([3]))[:, 3] == pytest.approx([0.3, 0.7], abs=1e-12)
    # Winsorised: the 1st and 99th percentile of .2 and .4 are .202 and .398, and values beyond are cut to them.
    low = np.array([[[0.2, 20.0]], [[0.4, 20.0]]])
    assert composites_by_part(low, TWO, "winsorised")(np.array([0]))[:, 0] == pytest.approx([0.2, 0.8], abs=1e-12)


def test_composites_of_a_part_whose_values_hardly_differ() -> None:
    """F1 is .3 or the next double in the part, and far from that elsewhere: the lower is 0, the higher 1."""
    f1 = [[0.3, 0.1 + 0.2, 0.9, 0.95], [0.1 + 0.2, 0.3, 0.9, 0.95]]
    perplexity = [[20.0, 60.0, 30.0, 30.0], [20.0, 60.0, 30.0, 30.0]]
    scores = np.stack([np.array(f1), np.array(perplexity)], axis=2)
    found = composites_by_part(scores, TWO, "min-max")(np.array([0, 1]))[:, :2]
    assert found == pytest.approx(np.array([[0.4, 0.6], [1.0, 0.0]]), abs=1e-12)
    # Spans whose reciprocal is infinite.
    scores[:, :, 0] = [[0.0, 5e-324, 0.9, 0.0], [0.0, 0.0, 0.9, 0.0]]
    found = composites_by_part(scores, TWO, "min-max")(np.array([0, 1]))[:, :2]
    assert found == pytest.approx(np.array([[0.4, 0.6], [0.4, 0.0]]), abs=1e-12)


def test_a_table_without_a_column_of_the_panel_is_refused() -> None:
    table = ScoreTable.of(["a"], [{"F1 Score": value(1)}], columns=("F1 Score",))
    with pytest.raises(InputError, match="no column Laplace Perplexity"):
        PanelScores.of(table, TWO)


def test_effective_weights_by_hand() -> None:
    # Contributions (0, .4), (.6, .4): all the variance is the first metric's.
    assert effective_weights(np.array([[0.0, 0.4], [0.6, 0.4]])) == pytest.approx([1, 0])
    # Centred (-.3, -.1), (.3, .1); CPS -.4, .4: cov shares .3*.4 / .4^2 and .1*.4 / .4^2.
    assert effective_weights(np.array([[0.0, 0.0], [0.6, 0.2]])) == pytest.approx([0.75, 0.25])
    assert effective_weights(np.array([[0.1, 0.2], [0.1, 0.2]])) is None
    assert effective_weights(np.array([[0.1, 0.2]])) is None


def test_tcps_and_balance_of_the_thesis() -> None:
    assert tcps(mean=0.5454, cv=0.134) == pytest.approx(0.5917, abs=5e-5)
    assert balance(tcps_improvement_pct=4.54, cv=0.134) == pytest.approx(0.339, abs=5e-4)


def test_cv_uses_ddof_1() -> None:
    # mean 2, deviations -1, 0, 1: variance 2 / 2 = 1
    assert coefficient_of_variation(np.array([1.0, 2.0, 3.0])) == pytest.approx(0.5)


@pytest.mark.parametrize("values", [[], [0.5], [0.0, 0.0], [-1.0, 1.0], [5e-324, 1e300, -1e300]])
def test_cv_that_means_nothing_is_none(values: list[float]) -> None:
    assert coefficient_of_variation(np.array(values)) is None


def test_what_follows_from_nothing_is_nothing() -> None:
    assert tcps(mean=0.5, cv=None) is None
    assert balance(tcps_improvement_pct=3.0, cv=0.0) is None
    assert balance(tcps_improvement_pct=None, cv=0.1) is None
    assert improvement_pct(value=0.5, baseline=0.0) is None
    assert improvement_pct(value=None, baseline=0.5) is None
    assert improvement_pct(value=0.55, baseline=0.5) == pytest.approx(10)
