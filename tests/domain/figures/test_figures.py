"""Figures as data, from sweeps and from imported sheets alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.evidence import correlation
from passer.domain.figures.builder import figures_of
from passer.domain.figures.figure import Figure, figure_table
from passer.domain.figures.points import study_of_sheets, study_of_sweep
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.sheets.procedures import analyse_sheets
from passer.services.analysis.run_evidence import correlations_of_runs
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, question, run
from tests.domain.sheets.test_procedures import read_folder
from tests.result_sheets import sheet

MODELS = {"mistral": "Mistral 7B v0.3", "deepseek": "DeepSeek R1 8B"}


def arm(
    name: str, heights: list[float], *, threshold: float | None = None, kept: int = 2, seconds: float = 1.0, **more
):
    items = [
        question(
            number,
            height,
            retrieval=QuestionRetrieval(kept=kept if number else 0),
            effort=AnswerEffort(generation_s=seconds, prompt_tokens=100 * kept, output_tokens=20),
        )
        for number, height in enumerate(heights)
    ]
    policy = NormalPolicy(k=3) if threshold is None else ScorePolicy(min_similarity=threshold)
    return run(name, items, retrieval=policy, baseline=threshold is None, **more)


@pytest.fixture(scope="module")
def sweep() -> list[Any]:
    # Whole differences: .1 on each question but the first, which stays the same.
    low = [0.2, 0.4, 0.6, 0.8]
    high = [0.2, 0.5, 0.7, 0.9]
    return [
        arm("base", low, kept=3, seconds=2.0),
        arm("high", high, threshold=0.7, kept=1),
        arm("same", low, threshold=0.5),
    ]


def by_id(figures: tuple[Figure, ...]) -> dict[str, Figure]:
    found = {figure.id: figure for figure in figures}
    assert len(found) == len(figures), "ids are unique"
    return found


@pytest.fixture(scope="module")
def figures(sweep) -> dict[str, Figure]:
    return by_id(figures_of(study_of_sweep(analyse(sweep), correlations_of_runs(sweep))))


def test_the_cps_of_each_threshold_stands_beside_the_baseline(figures):
    figure = figures["cps"]
    [series] = figure.series
    assert [row.x for row in series.rows] == [0.5, 0.7]
    # The pool reaches from .2 to .9, for every metric alike.
    assert [row.y for row in series.rows] == pytest.approx([0.3 / 0.7, 0.375 / 0.7])
    assert series.baseline.y == pytest.approx(0.3 / 0.7)
    assert all(row.low is None for row in series.rows), "below five questions no interval is drawn"
    assert any("relative to all runs: 12 rows" in note for note in figure.notes)


def test_gains_are_points_with_interval_percent_and_stars(figures):
    same, high = figures["cps-gain"].series[0].rows
    assert (same.y, same.mark, same.p) == (0.0, "", None)
    assert high.y == pytest.approx(100 * 0.075 / 0.7)
    assert high.value == pytest.approx(25.0)
    # Three questions that differ are too few for an interval.
    assert (high.low, high.high, high.mark, high.p) == (None, None, "", None)
    assert figures["significance"].series[0].rows[1].value == high.y


def test_intervals_and_stars_are_those_of_the_verdict():
    analysis = analyse([arm("base", noisy(0.5)), arm("high", noisy(0.6, seed=2), threshold=0.7)])
    judged = analysis.configurations[1].comparison.judged
    [row] = by_id(figures_of(study_of_sweep(analysis)))["cps-gain"].series[0].rows
    assert (row.low, row.high) == pytest.approx((100 * judged.low, 100 * judged.high))
    assert (row.mark, row.p) == ("***", judged.p)


def test_retrieval_time_and_tokens_lie_over_the_same_thresholds(figures):
    coverage = figures["without-passages"].series[0]
    assert [row.y for row in coverage.rows] == [25.0, 25.0]
    passages = figures["mean-passages"].series[0]
    assert [passages.baseline.y, *(row.y for row in passages.rows)] == [2.25, 1.5, 0.75]
    latency = figures["latency"]
    assert (latency.beside, latency.series[0].baseline.y, latency.series[0].rows[0].y) == ("cps", 2.0, 1.0)
    prompt, answer = figures["tokens"].series
    assert (prompt.name, prompt.rows[1].y, answer.name, answer.rows[1].y) == ("m, prompt", 100, "m, answer", 20)


def test_metrics_that_rise_together_correlate_wholly_and_perplexity_falls(figures):
    [series] = figures["correlations-all-models"].series
    rho = {(row.x, row.y): row.value for row in series.rows}
    assert rho["METEOR", "BLEU"] == pytest.approx(1.0)
    assert rho["METEOR", "Laplace Perplexity"] == pytest.approx(-1.0)
    assert series.rows[0].n == 12


def test_the_rows_of_a_single_model_are_ranked_once(sweep, monkeypatch: pytest.MonkeyPatch):
    """They are all rows: ranking them again for the model took time for nothing."""
    ranked: list[object] = []
    monkeypatch.setattr(correlation, "rank_correlations", lambda *given: ranked.append(given) or given)
    found = dict(correlations_of_runs(sweep))
    assert (len(ranked), len(found)) == (1, 2)
    other = [run.model_copy(update={"config": run.config.model_copy(update={"prompt": "other"})}) for run in sweep]
    correlations_of_runs([*sweep, *(each.model_copy(update={"run_id": f"{each.run_id}2"}) for each in other)])
    assert len(ranked) == 1 + 3


def test_every_figure_reads_as_a_table(figures):
    table = figure_table(figures["cps-gain"])
    assert table.columns[:3] == ("series", "Similarity threshold", "CPS gain (points)")
    assert table.columns[-3:] == ("n", "p", "Significance")
    assert [row[1] for row in table.rows] == [0.5, 0.7]
    first = figure_table(figures["cps"]).rows[0]
    assert first[:2] == ("m", "baseline")
    for figure in figures.values():
        made = figure_table(figure)
        assert made.rows
        assert all(len(row) == len(made.columns) for row in made.rows)
        json.dumps(figure.model_dump(mode="json"), allow_nan=False)


def test_k_and_mixed_sweeps_have_their_own_axis():
    by_k = [
        run("k1", [question(n, 0.1 * n) for n in range(5)], retrieval=NormalPolicy(k=1), baseline=True),
        run("k5", [question(n, 0.12 * n) for n in range(5)], retrieval=NormalPolicy(k=5)),
    ]
    figure = by_id(figures_of(study_of_sweep(analyse(by_k))))["cps"]
    assert (figure.x.label, [row.x for row in figure.series[0].rows]) == ("Passages kept (k)", [1, 5])
    mixed = [*by_k, run("t", [question(n, 0.2) for n in range(5)], retrieval=ScorePolicy(min_similarity=0.5))]
    figure = by_id(figures_of(study_of_sweep(analyse(mixed))))["cps"]
    assert figure.x.scale == "category"
    assert [row.x for row in figure.series[0].rows] == ["k5", "t"]


def test_models_that_keep_the_same_passages_are_one_line():
    runs = [arm(f"{model}{t}", noisy(0.5, 9), threshold=t, model=model) for model in ("a", "b") for t in (None, 0.5)]
    figures = by_id(figures_of(study_of_sweep(analyse(runs))))
    assert [series.name for series in figures["mean-passages"].series] == ["all models"]
    assert [series.name for series in figures["cps"].series] == ["a", "b"]


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_sheets_give_the_figures_of_sweeps(procedure):
    sheets = [
        sheet("m", None, {"one": 0.0, "two": 0.4, "three": 0.2}),
        sheet("m", 0.5, {"one": 0.4, "two": 0.4, "three": 0.4}),
    ]
    figures = by_id(figures_of(study_of_sheets(analyse_sheets(sheets, procedure))))
    assert {"cps", "cps-gain", "tcps-gain", "significance", "cps-tcps"} <= set(figures)
    [row] = figures["cps-gain"].series[0].rows
    # METEOR alone moves, from 0 to .4, with the weight .15: differences .15, 0, .075 in CPS.
    assert row.y == pytest.approx(7.5)
    if procedure == "corrected":
        assert (row.low, row.high) == (None, None), "two questions that differ are too few for the verdict's rule"
    else:
        # t of 2 degrees of freedom: 4.3027; standard deviation .075.
        assert row.high - row.low == pytest.approx(2 * 4.302653 * 7.5 / 3**0.5, rel=1e-6)
    assert ("correlations-all-models" in figures) == (procedure == "corrected")


def test_the_published_study(test_data):
    analysis = analyse_sheets(read_folder(test_data / "phase3-sheets"), "corrected", labels=MODELS)
    figures = by_id(figures_of(study_of_sheets(analysis)))
    assert len(figures) == 9
    record = json.loads((test_data / "expected-two-models.json").read_text(encoding="utf-8"))
    wanted = {(item["model"], item["threshold"]): item for item in record["corrected"]["configurations"]}
    for series in figures["tcps-gain"].series:
        for row in series.rows:
            assert row.y == pytest.approx(wanted[series.name, row.x]["tcps_improvement_pct"], abs=1e-9)
    for series in figures["cps"].series:
        assert series.baseline.y == pytest.approx(wanted[series.name, None]["mean_cps"], abs=1e-9)


def test_without_a_baseline_nothing_is_compared():
    sheets = [sheet("m", 0.5, {"one": 0.1, "two": 0.4}), sheet("m", 0.6, {"one": 0.3, "two": 0.2})]
    figures = by_id(figures_of(study_of_sheets(analyse_sheets(sheets, "corrected"))))
    assert {"cps", "cps-tcps"} <= set(figures)
    assert not {"cps-gain", "tcps-gain", "significance"} & set(figures)
