"""Compared runs as tables and as figures."""

from __future__ import annotations

import pytest

from passer.domain.analysis.run_comparison import (
    COMPARED_METRICS,
    FACTORS,
    ChangedQuestion,
    ComparedFactor,
    ComparedMetric,
    QuestionSide,
    RunComparison,
    RunDifference,
    RunMean,
    changed_table,
    comparison_tables,
    with_distinct_names,
)
from passer.domain.figures.figure import figure_table
from passer.domain.figures.of_comparison import comparison_figures
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.statistics import Interval
from passer.domain.sweeps.run import Run, RunConfig
from tests.fakes import FakeClock


def a_run(number: int, sweep: str) -> Run:
    config = RunConfig(dataset="d", collection="c", retrieval=NormalPolicy(k=3))
    return Run(
        id=f"{sweep}-{number:03d}",
        sweep_id=sweep,
        position=number,
        name="Top-k 3",
        config=config,
        created_at=FakeClock().now(),
    )


def line(metric: str, *, d: float | None) -> ComparedMetric:
    """The baseline's mean is .5; the others gain .1 with an interval of .04 around it, or have no test."""
    means = tuple(RunMean(run_id=run, mean=0.5, n=8, n_missing=1) for run in ("a-000", "a-001", "b-000"))
    differences = tuple(
        RunDifference(
            run_id=run,
            n_pairs=8,
            difference=0.1,
            ci=Interval(low=0.08, high=0.12),
            p=None if d is None else 0.02,
            cohens_d=d,
            stars="" if d is None else "*",
            reason="no_spread" if d is None else None,
        )
        for run in ("a-001", "b-000")
    )
    return ComparedMetric(metric=metric, means=means, differences=differences, family_size=2 if metric == "CPS" else 6)


@pytest.fixture
def comparison() -> RunComparison:
    return RunComparison(
        runs=with_distinct_names([(a_run(0, "a"), "A"), (a_run(1, "a"), "A"), (a_run(0, "b"), "B")]),
        sweep_names=("A", "A", "B"),
        baseline="a-000",
        factors=(ComparedFactor(factor="seed", values=("1", "2", "3")),),
        metrics=(line("CPS", d=0.4), line("BLEU", d=None), line("Laplace Perplexity", d=0.25)),
        panel="phase3",
        pool_rows=24,
        no_cps=None,
        too_few=None,
    )


def test_every_metric_of_every_run_is_a_row_and_the_baseline_has_no_difference(comparison):
    tables = comparison_tables(comparison)
    table = tables[COMPARED_METRICS]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["metric"], row["run_id"], row["is_baseline"]) for row in rows[:3]] == [
        ("CPS", "a-000", True),
        ("CPS", "a-001", False),
        ("CPS", "b-000", False),
    ]
    assert (rows[0]["mean"], rows[0]["difference"], rows[0]["n_pairs"]) == (0.5, None, None)
    tested = ("difference", "ci_low", "ci_high", "p_adjusted")
    assert tuple(rows[1][name] for name in tested) == (0.1, 0.08, 0.12, 0.02)
    assert (rows[1]["family_size"], rows[4]["family_size"], rows[4]["reason"]) == (2, 6, "no_spread")
    assert tables[FACTORS].rows[2] == ("seed", "Top-k 3, B", "b-000", "3")


def test_runs_of_one_configuration_have_no_table_of_factors(comparison):
    assert list(comparison_tables(comparison.model_copy(update={"factors": ()}))) == [COMPARED_METRICS]


def test_changed_questions_count_from_one_and_hold_both_answers():
    here, before = QuestionSide(value=0.9, answer="yes", n_kept=2), QuestionSide(value=0.4, answer=None, n_kept=0)
    item = ChangedQuestion(number=0, question="Why?", difference=0.5, here=here, before=before)
    [table] = changed_table([item], metric="BLEU").values()
    assert table.rows == ((1, "Why?", "BLEU", 0.4, 0.9, 0.5, 0, 2, None, "yes"),)


def test_effects_stand_on_one_scale_with_better_above_zero_and_all_metrics_in_one_order(comparison):
    effects, gains = comparison_figures(comparison)
    assert [series.name for series in effects.series] == ["Top-k 3, A (a-001)", "Top-k 3, B"]
    assert [(row.x, row.y, row.mark) for row in effects.series[0].rows] == [
        ("CPS", 0.4, "*"),
        ("BLEU", None, ""),
        ("Laplace Perplexity", -0.25, "*"),
    ]
    assert effects.notes[0].startswith("Stars: adjusted for 2 comparisons of CPS and 6 of the metrics by the bootstrap")
    assert figure_table(effects).columns == ("series", "Metric", "Cohen’s d", "n", "p", "Significance")
    [series] = gains.series
    assert [(row.x, row.y, row.low, row.high) for row in series.rows] == [
        ("Top-k 3, A (a-001)", pytest.approx(10), pytest.approx(8), pytest.approx(12)),
        ("Top-k 3, B", pytest.approx(10), pytest.approx(8), pytest.approx(12)),
    ]


def test_two_runs_have_one_figure_and_without_an_effect_there_is_none(comparison):
    pair = comparison.model_copy(
        update={
            "runs": comparison.runs[:2],
            "sweep_names": comparison.sweep_names[:2],
            "metrics": (line("BLEU", d=0.1),),
            "panel": None,
        }
    )
    [effects] = comparison_figures(pair)
    assert (effects.id, effects.series[0].name) == ("effects", "Top-k 3, A (a-001)")
    assert effects.notes[0].startswith("Stars: adjusted for 6 comparisons by the bootstrap over questions")
    assert comparison_figures(pair.model_copy(update={"metrics": (line("BLEU", d=None),)})) == ()
