"""The gain with and without passages, and the spread within and between questions: by hand; tables and report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import spearmanr

from passer.domain.analysis.result_tables import tables_of_import, tables_of_sweep
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.study_table import StudyTable
from passer.domain.reports.coverage import where_it_gains
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.sheets.procedures import Procedure, analyse_sheets
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import by_name, noisy, question, run, sweep
from tests.result_sheets import sheet

T_1 = 12.706204736432095
"""The .975 quantile of Student's t with 1 degree of freedom: tan(.475 pi)."""


def keeping(rows: RunRows, *kept: int) -> RunRows:
    """The run with so many passages kept for each question; each prompt is its own where one was kept."""
    items = tuple(
        replace(
            item,
            retrieval=QuestionRetrieval(kept=number),
            prompt_digest=f"{item.question_id} of {rows.name}" if number else item.question_id,
        )
        for item, number in zip(rows.questions, kept, strict=True)
    )
    return rows.model_copy(update={"questions": items})


def covered_runs() -> list[RunRows]:
    # The pool goes from 0 to 1, so that CPS is the height.
    runs = sweep(base=[0.0, 0.2, 0.4, 0.6], some=[0.5, 0.6, 1.0, 0.5], one=[0.1, 0.2, 0.5, 0.6], none=[0.1] * 4)
    base, some, one, none = runs
    return [keeping(base, 5, 5, 0, 5), keeping(some, 3, 1, 0, 0), keeping(one, 2, 0, 0, 0), keeping(none, 0, 0, 0, 0)]


def test_the_gain_is_told_apart_by_whether_the_configuration_kept_a_passage() -> None:
    test = by_name(analyse(covered_runs()))["some"].comparison
    kept, left = test.with_passages, test.without_passages
    # .5 and .4, standard error .05; .6 and -.1, standard error .35
    assert (kept.n, kept.gain, kept.reason) == (2, pytest.approx(0.45), None)
    assert (kept.ci.low, kept.ci.high) == (pytest.approx(0.45 - T_1 * 0.05), pytest.approx(0.45 + T_1 * 0.05))
    assert (left.n, left.gain, left.reason) == (2, pytest.approx(0.25), None)
    assert (left.ci.low, left.ci.high) == (pytest.approx(0.25 - T_1 * 0.35), pytest.approx(0.25 + T_1 * 0.35))
    assert test.gain == pytest.approx((2 * 0.45 + 2 * 0.25) / 4)
    assert test.n_prompts_changed == 3  # all but the third, where both have nothing


def test_below_two_questions_there_is_a_reason_in_place_of_an_interval() -> None:
    results = by_name(analyse(covered_runs()))
    one, none = results["one"].comparison, results["none"].comparison
    assert one.with_passages.model_dump() == {"n": 1, "gain": pytest.approx(0.1), "ci": None, "reason": "too_few"}
    assert one.without_passages.n == 3
    assert none.with_passages.model_dump() == {"n": 0, "gain": None, "ci": None, "reason": "too_few"}
    assert (none.without_passages.n, none.without_passages.gain) == (4, pytest.approx(none.gain))


def test_a_passage_kept_in_any_repetition_counts() -> None:
    base = run("base", [question(0, 0.0), question(1, 1.0)], baseline=True)
    policy = ScorePolicy(min_similarity=0.5)
    rows = [question(0, 0.4), question(1, 0.6)]
    first = keeping(run("one", rows, retrieval=policy), 0, 1)
    second = keeping(run("two", rows, retrieval=policy, repeat=2), 0, 0)
    test = by_name(analyse([base, first, second]))["one"].comparison
    assert (test.with_passages.n, test.without_passages.n) == (1, 1)
    assert (test.with_passages.gain, test.without_passages.gain) == (pytest.approx(-0.4), pytest.approx(0.4))
    assert test.n_prompts_changed is None


def test_spreads_within_and_between_questions_stand_side_by_side() -> None:
    base = run("base", [question(0, 0.0), question(1, 1.0)], baseline=True)
    policy = ScorePolicy(min_similarity=0.5)
    repeats = [
        run(f"r{n}", [question(0, low), question(1, 0.8)], retrieval=policy, repeat=n)
        for n, low in enumerate((0.2, 0.4, 0.6), start=1)
    ]
    single = run("single", [question(0, 0.5)], retrieval=ScorePolicy(min_similarity=0.9))
    results = by_name(analyse([base, *repeats, single]))
    # Question 0 has .2, .4, .6 and question 1 three times .8; the other configurations have question 0 at least.
    assert results["r1"].n == 2
    assert results["r1"].within_sd == pytest.approx((0.08 / 4) ** 0.5)
    assert results["r1"].within_cv == pytest.approx((0.08 / 4) ** 0.5 / 0.6)
    assert results["r1"].between_sd == pytest.approx(0.4 / 2**0.5)
    assert results["r1"].between_cv == pytest.approx(0.4 / 2**0.5 / 0.6)
    assert (results["base"].within_sd, results["base"].within_cv) == (None, None)
    assert results["base"].between_sd == pytest.approx(1 / 2**0.5)
    assert results["base"].between_cv == pytest.approx(2**0.5)
    assert (results["single"].within_sd, results["single"].between_sd, results["single"].between_cv) == (None,) * 3


def cells(table: StudyTable, name: str) -> dict[str, object]:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return next(row for row in rows if row["name"] == name)


def test_both_stand_in_the_table_of_configurations() -> None:
    table = tables_of_sweep(analyse(covered_runs()), None, questions=4)["configurations"]
    some, one, base = (cells(table, name) for name in ("some", "one", "base"))
    assert (some["n_prompts_changed"], some["n_with_passages"], some["n_without_passages"]) == (3, 2, 2)
    assert some["gain_with_passages"] == pytest.approx(0.45)
    assert some["gain_with_passages_ci_low"] == pytest.approx(0.45 - T_1 * 0.05)
    assert some["gain_without_passages"] == pytest.approx(0.25)
    assert some["gain_without_passages_ci_high"] == pytest.approx(0.25 + T_1 * 0.35)
    assert (one["n_with_passages"], one["gain_with_passages_ci_low"]) == (1, None)
    assert (base["n_with_passages"], base["gain_with_passages"]) == (None, None)
    # base: 0, .2, .4, .6 about .3
    assert base["between_sd"] == pytest.approx((0.2 / 3) ** 0.5)
    assert base["between_cv"] == pytest.approx((0.2 / 3) ** 0.5 / 0.3)
    assert (base["within_sd"], base["within_cv"]) == (None, None)


def test_the_report_says_where_the_largest_gain_comes_from() -> None:
    base, some, *_ = covered_runs()
    assert [text.replace("\u2212", "-") for text in where_it_gains(analyse([base, some]))] == [
        "m, some: 3 of 4 prompts differ from the baseline\u2019s; for the 2 questions with passages the gain is +45.00 "
        "points (95 % interval -18.53 to +108.53); for the 2 questions without passages it is +25.00 points "
        "(95 % interval -419.72 to +469.72)."
    ]
    [always] = where_it_gains(analyse([base, keeping(some, 1, 1, 1, 1)]))
    assert "every question has passages" in always
    [never] = where_it_gains(analyse([base, keeping(some, 0, 0, 0, 0)]))
    assert "no question has passages" in never
    assert list(where_it_gains(analyse([base]))) == []


def test_correlations_within_each_model_beside_the_pooled_ones() -> None:
    runs = [
        run(
            f"{model} {place}",
            [question(n, height) for n, height in enumerate(noisy(mean, seed=10 * start + place))],
            retrieval=ScorePolicy(min_similarity=place / 10) if place else NormalPolicy(),
            baseline=not place,
            model=model,
        )
        for start, model in ((1, "a"), (2, "b"))
        for place, mean in enumerate((0.1 * start + 0.2, 0.3, 0.31, 0.3, 0.5))
    ]
    analysis = analyse(runs)
    tables = tables_of_sweep(analysis, None, questions=60)
    expected = []
    for model in ("a", "b"):
        own = [item for item in analysis.configurations if item.model == model]
        tcps = [item.tcps for item in own]
        for name, values in (("CPS", [item.mean_cps for item in own]), ("CV", [item.cv for item in own])):
            expected.append((model, f"rho(T-CPS, {name})", pytest.approx(spearmanr(tcps, values).statistic), 5))
    assert list(tables["spearman_within_model"].rows) == expected
    assert len(tables["spearman"].rows) == 2


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_of_imported_sheets_too_but_not_among_the_fixed_tables(procedure: Procedure) -> None:
    sheets = [
        sheet(model, place / 10 or None, {f"q{n}": height for n, height in enumerate(noisy(mean, 12, seed + place))})
        for seed, model in ((10, "a"), (20, "b"))
        for place, mean in enumerate((0.4, 0.3, 0.6, 0.5))
    ]
    analysis = analyse_sheets(sheets, procedure)
    table = tables_of_import(analysis)["spearman_within_model"]
    assert "spearman_within_model" not in analysis.tables
    expected = []
    for model in ("a", "b"):
        own = [item for item in analysis.configurations if item.model == model]
        cps = [item.mean_cps_all_rows if procedure == "published" else item.mean_cps for item in own]
        for name, values in (("CPS", cps), ("CV", [item.cv for item in own])):
            rho = spearmanr([item.tcps for item in own], values).statistic
            expected.append((model, f"rho(T-CPS, {name})", pytest.approx(rho), 4))
    assert list(table.rows) == expected
