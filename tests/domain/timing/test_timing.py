"""Times, their spread, and two machines side by side; figures by hand, p values by scipy's own test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from passer.domain.analysis.study_table import StudyTable
from passer.domain.bundle.manifest import DescribedMachine
from passer.domain.models.answer import ModelTimings
from passer.domain.reports.runs import what_it_took
from passer.domain.score import VECTOR_ORDER
from passer.domain.texts.cell_text import heading
from passer.domain.timing.comparison import compare_timings, equivalence
from passer.domain.timing.tables import ANSWERS, MACHINES, SCORES, TIMINGS, comparison_tables, timing_tables
from passer.domain.timing.times import (
    TimedConfiguration,
    TimedQuestion,
    TimingReport,
    figures_of,
    medians_by_question,
    spread,
)

MACHINE = DescribedMachine(system="Linux", architecture="x86_64", processor=None, cpu_count=2)


def timed(question: str, seconds: float | None, *, repeat: int = 1, run: str = "a", **more: object) -> TimedQuestion:
    given = {"is_warm_up": False, "reused": False, "answer_digest": "d" * 64, **more}
    ns = None if seconds is None else round(seconds * 1e9)
    model = ModelTimings(total_duration_ns=ns, eval_count=50, eval_duration_ns=ns)
    return TimedQuestion(
        run_id=run, question_id=question, repeat=repeat, model=given.pop("model", model), generation_s=seconds,
        embedding_s=0.01, retrieval_s=0.002, scoring_s=None, **given,
    )  # fmt: skip


def report(sweep: str, *questions: TimedQuestion, digest: str = "c" * 64, name: str = "Top-k 10") -> TimingReport:
    runs = tuple(dict.fromkeys(question.run_id for question in questions))
    configuration = TimedConfiguration(
        name=name, model="mistral", config_digest=digest, run_ids=runs, measured=len(questions), warm_up=0, reused=0,
        failed=0, figures=figures_of(questions),
    )  # fmt: skip
    return TimingReport(
        sweep_id=sweep, name="Timing", is_timing_run=True, warm_up=0, machine=MACHINE, software={}, parts={},
        configurations=(configuration,), questions=questions,
    )  # fmt: skip


def test_a_spread_by_hand():
    found = spread([5.0, 1.0, None, 2.0, 100.0, 3.0])
    assert found is not None
    # in order: 1 2 3 5 100; deviations from 3: 2 1 0 2 97
    assert (found.n, found.median, found.mad) == (5, 3.0, 2.0)
    assert (found.q1, found.q3, found.minimum, found.maximum) == (2.0, 5.0, 1.0, 100.0)
    assert spread([None]) is None


def test_warm_up_reused_and_failed_questions_enter_no_median():
    questions = [
        timed("q0", 90.0, is_warm_up=True),
        timed("q1", 80.0, reused=True),
        timed("q2", None, model=ModelTimings()),
        timed("q3", 2.0),
        timed("q4", 4.0),
    ]
    figures = figures_of(questions)
    assert figures["total_s"].median == 3.0
    assert figures["tokens_per_s"].median == pytest.approx((50 / 2 + 50 / 4) / 2)
    assert figures["generation_s"].n == 2
    assert "scoring_s" not in figures
    assert "prompt_tokens" not in figures


def test_repetitions_of_a_question_become_their_median():
    questions = [timed("q", seconds, repeat=n) for n, seconds in enumerate((3.0, 1.0, 50.0), start=1)]
    ids, medians = medians_by_question([*questions, timed("r", 7.0)], "total_s")
    assert ids == ("q", "r")
    assert medians.tolist() == [3.0, 7.0]


def test_a_machine_that_takes_twice_as_long():
    here = report("here", *(timed(f"q{n}", 2.0 * (n + 1)) for n in range(5)))
    there = report("there", *(timed(f"q{n}", 1.0 * (n + 1), run="b") for n in range(6)))
    found = compare_timings(here, there).configurations[0]
    total = next(each for each in found.figures if each.figure == "total_s")
    assert (total.n_pairs, total.ratio) == (5, pytest.approx(2.0))
    assert (total.here, total.there) == (6.0, 3.0)
    assert total.mean_difference == pytest.approx(3.0)
    assert total.ci is not None
    assert (total.ci.low, total.ci.high) == (pytest.approx(2.0), pytest.approx(2.0))
    assert total.equivalence.equivalent is False
    speed = next(each for each in found.figures if each.figure == "tokens_per_s")
    assert speed.ratio == pytest.approx(0.5)


def test_the_interval_and_the_p_of_a_ratio_are_those_of_scipy():
    chance = np.random.default_rng(3)
    there = np.exp(chance.normal(0, 0.5, 40))
    here = there * np.exp(chance.normal(0.02, 0.08, 40))
    found = compare_timings(
        report("here", *(timed(f"q{n}", float(value)) for n, value in enumerate(here))),
        report("there", *(timed(f"q{n}", float(value)) for n, value in enumerate(there))),
    ).configurations[0]
    [total] = [each for each in found.figures if each.figure == "generation_s"]
    logs = np.log(here / there)
    low, high = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
    assert total.ci is not None
    assert (total.ci.low, total.ci.high) == (pytest.approx(math.exp(low)), pytest.approx(math.exp(high)))
    bound = math.log(1.1)
    lower = stats.ttest_1samp(logs, -bound, alternative="greater").pvalue
    upper = stats.ttest_1samp(logs, bound, alternative="less").pvalue
    assert total.equivalence.p == pytest.approx(max(lower, upper))
    assert total.equivalence.equivalent is True


@pytest.mark.parametrize(
    ("differences", "p", "equivalent"), [([0.005, 0.005], 0.0, True), ([0.02, 0.02], 1.0, False), ([0.0], None, None)]
)
def test_differences_without_spread_and_too_few(differences, p, equivalent):
    found = equivalence(np.array(differences), bound=0.01, margin=0.01)
    assert (found.p, found.equivalent) == (p, equivalent)


def test_identical_answers_are_counted_by_question_and_repetition():
    here = report("here", timed("q0", 1.0), timed("q0", 1.0, repeat=2, answer_digest="e" * 64), timed("q1", 1.0))
    there = report("there", timed("q0", 1.0), timed("q0", 1.0, repeat=2), timed("q2", 1.0))
    found = compare_timings(here, there).configurations[0]
    assert (found.answers, found.identical, found.identical_share) == (2, 1, 0.5)


def test_scores_are_compared_column_by_column_with_repetitions_averaged():
    def scored(value: float | None) -> tuple[float | None, ...]:
        return (value, *[None] * (len(VECTOR_ORDER) - 1))

    here = report(
        "here",
        timed("q0", 1.0, scores=scored(0.5)), timed("q0", 1.0, repeat=2, scores=scored(0.7)),
        timed("q1", 1.0, scores=scored(0.4)), timed("q2", 1.0, scores=scored(None)),
    )  # fmt: skip
    there = report("there", timed("q0", 1.0, scores=scored(0.5)), timed("q1", 1.0, scores=scored(0.2)))
    [compared] = compare_timings(here, there, score_margin=0.05).configurations[0].scores
    assert compared.metric == VECTOR_ORDER[0]
    # .6 - .5 and .4 - .2
    assert compared.mean_difference == pytest.approx(0.15)
    assert (compared.equivalence.n_pairs, compared.equivalence.margin) == (2, 0.05)


def test_what_only_one_of_them_ran_is_named():
    found = compare_timings(
        report("here", timed("q", 1.0)), report("there", timed("q", 1.0), digest="f" * 64, name="Similarity ≥ 0.50")
    )
    assert found.configurations == ()
    assert (found.only_here, found.only_there) == (("Top-k 10",), ("Similarity ≥ 0.50",))


def test_two_runs_side_by_side_as_tables():
    def scored(value: float) -> tuple[float | None, ...]:
        return (value, *[None] * (len(VECTOR_ORDER) - 1))

    here = report("here", timed("q0", 2.0, scores=scored(0.6)), timed("q1", 2.0, scores=scored(0.4)))
    there = report("there", timed("q0", 1.0, scores=scored(0.5)), timed("q1", 1.0, scores=scored(0.2)))
    tables = comparison_tables(here, there, compare_timings(here, there, score_margin=0.05))
    assert list(tables) == [MACHINES, ANSWERS, SCORES]
    answers = rows_of(tables[ANSWERS])
    expected = {"model": "mistral", "name": "Top-k 10", "answers": 2, "identical": 2, "identical_share": 1.0}
    assert answers == [expected]
    [scores] = rows_of(tables[SCORES])
    # .6 - .5 and .4 - .2
    assert scores["mean_difference"] == pytest.approx(0.15)
    assert (scores["metric"], scores["n_pairs"], scores["margin"]) == (VECTOR_ORDER[0], 2, 0.05)
    # A mean of .15 with a standard error of .05 on one degree of freedom is not within .05.
    assert scores["equivalent"] == "not shown"


def test_tables_without_a_row_are_left_out():
    here, there = report("here", timed("q", 1.0)), report("there", timed("q", 1.0), digest="f" * 64)
    assert comparison_tables(here, there, compare_timings(here, there)) == {}


def rows_of(table: StudyTable) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_times_and_tokens_as_a_table_by_hand():
    questions = [timed("q0", 90.0, is_warm_up=True), *(timed(f"q{n}", float(n)) for n in (1, 2, 3, 4))]
    tables = timing_tables([report("here", *questions)])
    [row] = rows_of(tables[TIMINGS])
    assert list(tables) == [TIMINGS]
    assert (row["model"], row["name"], row["one_at_a_time"]) == ("mistral", "Top-k 10", "yes")
    assert row["machine"] == "x86_64, 2 CPUs, Linux"
    # quartiles of 1, 2, 3, 4 by linear interpolation; 50 tokens each
    assert (row["generation_s_median"], row["generation_s_q1"], row["generation_s_q3"]) == (2.5, 1.75, 3.25)
    assert row["answer_tokens_median"] == 50
    assert row["tokens_per_s_median"] == pytest.approx((50 / 2 + 50 / 3) / 2)
    assert "prompt_tokens_median" not in row  # nobody told them
    assert [heading(name) for name in ("generation_s_q1", "tokens_per_s_q1")] == [
        "generation (s), first quartile",
        "tokens/s, first quartile",
    ]


def test_machines_stand_side_by_side_where_they_ran_the_same_configuration():
    other = MACHINE.model_copy(update={"processor": "Another"})
    here = report("here", timed("q1", 2.0), timed("q2", 8.0))
    there = report("here", timed("q1", 1.0, run="b"), timed("q2", 2.0, run="b")).model_copy(update={"machine": other})
    tables = timing_tables([here, there])
    assert [row["machine"] for row in rows_of(tables[TIMINGS])] == ["x86_64, 2 CPUs, Linux", "Another, 2 CPUs, Linux"]
    [row] = [row for row in rows_of(tables[MACHINES]) if row["figure"] == "generation_s"]
    # ratios 2 and 4: their geometric mean
    assert row["ratio"] == pytest.approx(math.sqrt(8))
    assert (row["n_pairs"], row["median_here"], row["median_there"]) == (2, 5.0, 1.5)
    assert (row["answers"], row["identical"], row["equivalent"]) == (2, 2, "not shown")
    assert row["ci_low"] < row["ratio"] < row["ci_high"]
    alone = report("here", timed("q1", 2.0, run="b"), digest="e" * 64).model_copy(update={"machine": other})
    assert MACHINES not in timing_tables([here, alone])


def test_a_configuration_that_nobody_was_asked_for_has_no_row():
    assert timing_tables([report("here", timed("q1", None))]) == {}


def test_a_median_of_fewer_than_five_answers_is_no_finding_of_a_report():
    def said(n: int) -> tuple[str, ...]:
        return what_it_took([report("s", *(timed(f"q{place}", 1.0 + place) for place in range(n)))])

    assert not any("median" in line for line in said(4))
    assert any("3" in line for line in said(5)), "1, 2, 3, 4 and 5 seconds"
