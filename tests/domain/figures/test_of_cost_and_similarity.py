"""Cost against quality, ranked gains, and the similarities that a threshold cuts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.figures.builder import figures_of
from passer.domain.figures.figure import Figure, FigureRow, figure_table, frontier
from passer.domain.figures.of_similarity import similarity_figure
from passer.domain.figures.points import study_of_sweep
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.verdict import VerdictRule
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, question, run

RANKINGS = [
    ([("a", 0.71), ("b", 0.55), ("c", 0.31)], ["a"]),
    ([("b", 0.62), ("d", 0.58)], ["d", "never retrieved"]),
]


def _arm(name: str, mean: float, *, threshold: float | None = None, kept: int, tokens: int | None) -> Any:
    # Equal gains have no spread and so no interval: those of other means alternate around theirs.
    spread = 0.0 if mean == 0.5 else 0.01
    items = [
        question(
            number,
            height + (spread if number % 2 else -spread),
            retrieval=QuestionRetrieval(kept=kept),
            prompt_digest="p",
            effort=AnswerEffort(generation_s=1.0, prompt_tokens=tokens, output_tokens=5),
        )
        for number, height in enumerate(noisy(mean))
    ]
    policy = NormalPolicy(k=10) if threshold is None else ScorePolicy(min_similarity=threshold)
    return run(name, items, retrieval=policy, baseline=threshold is None)


def _cost(*arms: Any) -> Figure:
    (found,) = [figure for figure in figures_of(study_of_sweep(analyse(arms))) if figure.id == "cost"]
    return found


def test_cost_is_counted_in_prompt_tokens_where_every_model_counts_them() -> None:
    counted = _cost(_arm("base", 0.5, kept=10, tokens=900), _arm("cut", 0.52, threshold=0.5, kept=3, tokens=300))
    assert {row.label: row.x for series in counted.series for row in series.rows} == {"base": 900.0, "cut": 300.0}
    assert counted.x.scale == "log"
    reader = _cost(_arm("base", 0.5, kept=10, tokens=None), _arm("cut", 0.52, threshold=0.5, kept=3, tokens=None))
    assert {row.label: row.x for series in reader.series for row in series.rows} == {"base": 10.0, "cut": 3.0}
    # Every other cost that all answers record can be drawn as well; without a price there is none in money.
    analysis = analyse([_arm("base", 0.5, kept=10, tokens=900), _arm("cut", 0.52, threshold=0.5, kept=3, tokens=300)])
    drawn = {figure.id: figure for figure in figures_of(study_of_sweep(analysis)) if figure.id.startswith("cost")}
    assert list(drawn) == ["cost", "cost-passages", "cost-seconds"]
    assert drawn["cost-seconds"].x.heading == "Generation time per question (s)"
    # 1 000 questions of 900 (300) tokens at 2 and 5 tokens at 10 a million.
    priced = analyse(
        [_arm("base", 0.5, kept=10, tokens=900), _arm("cut", 0.52, threshold=0.5, kept=3, tokens=300)],
        recorded=VerdictRule(cost="money", price=TokenPrice(input=2, output=10, currency="EUR")),
    )
    (money,) = [figure for figure in figures_of(study_of_sweep(priced)) if figure.id == "cost"]
    assert money.x.heading == "Cost of 1\u202f000 questions (EUR)"
    assert {row.label: row.x for series in money.series for row in series.rows} == pytest.approx(
        {"base": 1.85, "cut": 0.65}
    )
    # No logarithm has a place for a configuration without passages.
    nothing = _cost(_arm("base", 0.5, kept=10, tokens=None), _arm("cut", 0.2, threshold=0.9, kept=0, tokens=None))
    assert nothing.x.scale == "number"


def test_the_interval_of_a_gain_is_drawn_around_its_mean_and_the_margin_below_the_best() -> None:
    arms = [_arm("base", 0.5, kept=10, tokens=900), _arm("cut", 0.6, threshold=0.5, kept=3, tokens=300)]
    analysis, figure = analyse(arms), _cost(*arms)
    base, cut = analysis.configurations
    assert cut.comparison is not None
    assert cut.comparison.ci is not None
    assert base.mean_cps is not None
    rows = {row.label: row for series in figure.series for row in series.rows}
    assert rows["cut"].low == pytest.approx(base.mean_cps + cut.comparison.ci.low)
    assert rows["cut"].high == pytest.approx(base.mean_cps + cut.comparison.ci.high)
    assert (rows["base"].low, rows["base"].high) == (None, None)
    assert figure.band == pytest.approx((cut.mean_cps - 0.02, cut.mean_cps))
    # The recommended one alone cannot be distinguished from itself.
    assert [[row.label for row in series.rows] for series in figure.series] == [["cut"], ["base"]]


def test_the_recommended_one_and_the_cheapest_as_good_one_are_singled_out() -> None:
    arms = [
        _arm("base", 0.5, kept=10, tokens=900),
        _arm("best", 0.6, threshold=0.5, kept=3, tokens=600),
        _arm("good", 0.55, threshold=0.6, kept=2, tokens=200),
        _arm("low", 0.4, threshold=0.9, kept=1, tokens=100),
    ]
    figure = _cost(*arms)
    rows = {row.label: row for series in figure.series for row in series.rows}
    assert figure.highlights == ("Recommended", "Cheapest configuration that is better or as good", "Baseline")
    # By hand: best and good are better than base, low is worse; of the two good costs less, and best has more CPS.
    assert {name: row.highlights for name, row in rows.items()} == {
        "base": ("Baseline",),
        "best": ("Recommended",),
        "good": ("Cheapest configuration that is better or as good",),
        "low": (),
    }
    assert figure.band_name == "As good: up to 2 points below the highest CPS"
    assert figure.series[0].is_filled
    table = figure_table(figure)
    assert table.columns[-1] == "Highlighted as"
    assert [line[-1] for line in table.rows if line[1] == "best"] == ["Recommended"]
    # One configuration can be both.
    both = _cost(*arms[:2], arms[3])
    assert {row.highlights for series in both.series for row in series.rows} - {()} == {
        ("Recommended", "Cheapest configuration that is better or as good"),
        ("Baseline",),
    }
    # What costs more than the baseline is no cheaper choice.
    dear = _cost(arms[0], _arm("dear", 0.55, threshold=0.3, kept=20, tokens=1_800), arms[3])
    assert dear.highlights == ("Recommended", "Baseline")
    # Without a verdict only the baseline is.
    few = _cost(*(arm.model_copy(update={"questions": arm.questions[:12]}) for arm in arms))
    assert few.highlights == ("Baseline",)
    assert [row.label for series in few.series for row in series.rows if row.highlights] == ["base"]


def test_the_height_is_the_metric_that_decides_and_the_sign_of_a_perplexity_is_reversed() -> None:
    arms = [_arm("base", 0.5, kept=10, tokens=900), _arm("cut", 0.6, threshold=0.5, kept=3, tokens=300)]
    for primary, axis, sign in [
        ("METEOR", "METEOR", 1),
        ("Laplace Perplexity", "Laplace Perplexity, sign reversed", -1),
    ]:
        analysis = analyse(arms, recorded=VerdictRule(primary=primary))
        (figure,) = [each for each in figures_of(study_of_sweep(analysis)) if each.id == "cost"]
        rows = {row.label: row for series in figure.series for row in series.rows}
        means = {
            result.name: sign * next(each.mean for each in result.metrics if each.metric == primary)
            for result in analysis.configurations
        }
        assert {name: row.y for name, row in rows.items()} == pytest.approx(means)
        assert figure.y.label == axis
        cut = analysis.configurations[1].comparison
        assert cut is not None
        assert rows["cut"].low == pytest.approx(means["base"] + cut.judged.low)
        assert figure.band == pytest.approx((means["cut"] - 0.02, means["cut"]))
        assert rows["cut"].highlights == figure.highlights[:2]


def test_the_mean_of_cps_as_the_metric_that_decides_is_the_mean_of_cps() -> None:
    arms = [_arm("base", 0.5, kept=10, tokens=900), _arm("cut", 0.6, threshold=0.5, kept=3, tokens=300)]
    for result in analyse(arms).configurations:
        assert result.mean_primary == pytest.approx(result.mean_cps)


def test_gains_are_ranked_and_those_whose_interval_includes_zero_are_counted() -> None:
    arms = [
        _arm("base", 0.5, kept=10, tokens=900),
        _arm("same", 0.5, threshold=0.3, kept=10, tokens=900),
        _arm("cut", 0.6, threshold=0.5, kept=3, tokens=300),
        _arm("low", 0.4, threshold=0.9, kept=1, tokens=100),
    ]
    analysis = analyse(arms)
    (figure,) = [each for each in figures_of(study_of_sweep(analysis)) if each.id == "ranked"]
    rows = [row for series in figure.series for row in series.rows]
    judged = {result.name: result.comparison.judged for result in analysis.configurations if result.comparison}
    assert [row.x for row in sorted(rows, key=lambda row: -float(row.y or 0))] == ["cut", "same", "low"]
    by_name = {row.x: row for row in rows}
    assert by_name["cut"].y == pytest.approx(100 * (judged["cut"].gain or 0))
    assert by_name["cut"].low == pytest.approx(100 * (judged["cut"].low or 0))
    # By hand: one is better, one worse; the third differs in no question and so has no interval.
    assert figure.notes[:2] == (
        "0 of 2 intervals include zero.",
        "1 configuration has no interval: too few questions differ from the baseline.",
    )
    assert figure.verticals == (-2.0,)
    assert [row.x for row in figure.series[0].rows] == ["cut"]


def test_the_frontier_leaves_out_what_a_cheaper_configuration_reaches() -> None:
    rows = [FigureRow(x=x, y=y) for x, y in [(30, 0.6), (10, 0.5), (20, 0.5), (10, 0.4), (40, 0.7), (35, None)]]
    assert [(row.x, row.y) for row in frontier(rows)] == [(10, 0.5), (30, 0.6), (40, 0.7)]


def test_similarities_of_gold_and_other_passages_share_their_bins() -> None:
    figure = similarity_figure(RANKINGS, collection="farm", thresholds=[0.6, 0.5, 0.6])
    assert figure is not None
    assert (figure.id, figure.is_stepped, figure.verticals) == ("similarities-farm", True, (0.5, 0.6))
    gold, other = ({row.x: (row.n, row.y) for row in series.rows if row.n} for series in figure.series)
    # Gold .71 and .58, each half of them; others .55, .31 and .62, each a third.
    assert gold == {0.71: (1, 50.0), 0.59: (1, 50.0)}
    assert other == {place: (1, pytest.approx(100 / 3)) for place in (0.55, 0.31, 0.63)}
    assert [row.x for row in figure.series[0].rows] == [row.x for row in figure.series[1].rows]
    assert {(series.rows[0].y, series.rows[-1].y) for series in figure.series} == {(0.0, 0.0)}


def test_without_known_gold_passages_there_is_one_distribution_and_without_passages_none() -> None:
    unknown = [(found, None) for found, _ in RANKINGS]
    figure = similarity_figure(unknown, collection="farm", thresholds=[])
    assert figure is not None
    assert figure.title == "Similarity of retrieved passages in farm"
    assert figure.notes[0].startswith(f"{sum(len(found) for found, _ in unknown)} passages, as retrieved")
    assert [sum(row.n or 0 for row in series.rows) for series in figure.series] == [5]
    assert similarity_figure([([], None)], collection="farm", thresholds=[]) is None


def test_names_have_their_model_only_where_models_share_them() -> None:
    study = study_of_sweep(analyse([_arm("base", 0.5, kept=10, tokens=900)]))
    (point,) = study.points

    def named(*names: tuple[str, str]) -> list[str]:
        points = tuple(replace(point, model=model, name=name) for model, name in names)
        several = replace(study, points=points, models=tuple(model for model, _ in names))
        return [several.name_of(each) for each in points]

    assert named(("m", "m, Top-k 5"), ("l", "l, Top-k 5")) == ["m, Top-k 5", "l, Top-k 5"]
    assert named(("m", "threshold 0.5"), ("l", "threshold 0.5")) == ["m, threshold 0.5", "l, threshold 0.5"]
