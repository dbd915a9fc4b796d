"""Why answers were low: counts by hand, and shares of published counts."""

from __future__ import annotations

from typing import Any

import pytest

from passer.domain.failures.judged_report import JudgedAnswerLabels, LabelCount, RunWhy, WhyReport, shares, why_table


def answer(correctness: float | None, *labels: Any, **more: Any) -> JudgedAnswerLabels:
    judged = None if correctness is None else frozenset(labels)
    given = {"correctness": correctness, "labels": judged, "located": "used_and_low", **more}
    return JudgedAnswerLabels.model_validate(given)


ANSWERS = [
    answer(1.0, located="fine"),
    answer(0.7, "over_specificity", "wrong_format", group="en"),
    answer(0.7, group="en"),
    answer(0.0, missed=True, located="not_retrieved", group="bg"),
    answer(0.2, "factual_fabrication", missed=True, located="not_retrieved"),
    answer(None, reason="not_json"),
    answer(None, reason="generation_failed", located="failed"),
]


def test_labels_are_shares_of_all_questions() -> None:
    run = RunWhy.of("r", "run", ANSWERS, below=1.0)
    assert run.n == 7
    # Nothing kept and nothing else: missed by code. Low, judged, and nothing applies: other, also by code.
    assert {label: count.n for label, count in run.counts.items()} == {
        "missed_top_ranked": 2, "wrong_format": 1, "over_specificity": 1, "factual_fabrication": 1, "other": 1,
        "unjudged": 2, "no_failure": 1,
    }  # fmt: skip
    assert run.counts["unjudged"].share == pytest.approx(2 / 7)
    assert run.unjudged == {"generation_failed": 1, "not_json": 1}
    assert run.by_group["en"]["over_specificity"].share == 0.5
    assert run.crossed["not_retrieved"] == {"missed_top_ranked": 2, "factual_fabrication": 1}
    # Correctness 1 is in no quarter; .7 is in [.5, .75).
    assert [(each.low, each.n) for each in run.quarters] == [(0.0, 2), (0.5, 2)]
    assert run.quarters[1].counts["other"].share == 0.5


def test_missing_content_takes_the_place_of_a_passage_that_was_missed() -> None:
    """Of a dataset from elsewhere: what the collection lacks could not be ranked."""
    foreign = [
        answer(0.0, "incomplete", missed=True, absent=True, located="gold_absent"),
        answer(0.0, missed=True, located="not_retrieved"),
    ]
    run = RunWhy.of("r", "run", foreign, below=1.0)
    assert {label: count.n for label, count in run.counts.items()} == {
        "missing_content": 1, "missed_top_ranked": 1, "incomplete": 1,
    }  # fmt: skip
    assert run.crossed["gold_absent"] == {"missing_content": 1, "incomplete": 1}


def test_a_lower_limit_leaves_fewer_answers_low() -> None:
    run = RunWhy.of("r", "run", ANSWERS, below=0.5)
    assert run.counts["no_failure"].n == 3
    assert "over_specificity" not in run.counts
    assert run.counts["unjudged"] == LabelCount(n=2, share=2 / 7)


def test_shares_of_published_counts() -> None:
    """RAGalyst, Table IV: over-specificity in 292, 405 and 373 of 500 questions."""
    found = [shares({"over_specificity": n}, 500)["over_specificity"].share for n in (292, 405, 373)]
    assert [round(100 * share, 1) for share in found] == [58.4, 81.0, 74.6]
    assert round(100 * shares({"over_specificity": 1070}, 1500)["over_specificity"].share, 1) == 71.3


def test_the_table_has_a_row_for_each_label_of_all_questions_and_of_each_group() -> None:
    run = RunWhy.of("r", "run", ANSWERS, below=1.0)
    table = why_table([WhyReport(assessment="a", judge="j", rated=0, below=1.0, runs=(run,))])
    found = {(group, why): (n, share) for _, _, group, why, n, share, _ in table.rows}
    assert {row[-1] for row in table.rows} == {"uncalibrated"}
    assert found[None, "missed the gold passages (computed)"] == (2, 2 / 7)
    # Two English questions: one over-specific and of a wrong format, one low for no reason that applies.
    assert {why: value for (group, why), value in found.items() if group == "en"} == {
        "wrong format": (1, 0.5), "over-specific": (1, 0.5), "low, no reason found": (1, 0.5),
    }  # fmt: skip
    assert found["bg", "missed the gold passages (computed)"] == (1, 1.0)
