"""Rows of totals and averages at the end of a sheet: left out by name and row, never taken for questions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.services.library.question_files import load, preview, refusal

SCORES: dict[str, Any] = {"ignore_columns": ["faithfulness"]}
HEAD = "id,question,reference,faithfulness\n1,Why?,So.,0.8\n2,Who?,She.,0.6\n"


@pytest.mark.parametrize(
    "end",
    [
        ",Average,,0.7", "Average,,,0.7", ",Average:,,", "Mean,Mean,,0.7", ",TOTAL (n = 2),,1.4", ",Средно,,0.7",
        ",Overall average score,,0.7",
    ],
)  # fmt: skip
def test_a_summary_at_the_end_is_left_out_and_named_with_its_row(end: str) -> None:
    content = f"{HEAD}{end}\n"
    assert [question.text for question in load(content, **SCORES).questions] == ["Why?", "Who?"]
    shown = preview(content, **SCORES)
    name = end.split(",")[1] or end.split(",")[0]
    said = f"Row 3 (“{name}”) summarises the rows above it and is not a question. It is not imported."
    assert shown.mapping.notes[0] == said
    assert (shown.counts.rows, shown.counts.questions, shown.counts.problems) == (3, 2, 0)


def test_several_summaries_below_a_blank_row_are_left_out() -> None:
    shown = preview(f"{HEAD}\n,Mean,,0.7\n,Std. dev.,,0.1\n", **SCORES)
    assert [question.text for question in shown.questions] == ["Why?", "Who?"]
    assert shown.mapping.notes[0].startswith("Rows 4, 5 (“Mean”, “Std. dev.”) summarise the rows above them")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("3,Average of what?,,0.7", "Average of what?"),
        ("3,Mean,The sum divided by the count.,0.7", "Mean"),
        ("3,What is the total?,,0.7", "What is the total?"),
        ("3,Mean,,0.7", "Mean"),  # a summary has no id of its own
    ],
)
def test_a_question_may_be_about_an_average(row: str, text: str) -> None:
    assert load(f"{HEAD}{row}\n", **SCORES).questions[-1].text == text


def test_a_summary_between_questions_is_a_question_or_refused_as_before() -> None:
    content = "id,question,reference\n1,Why?,So.\n2,Total,\n3,Who?,She.\n"
    assert [question.text for question in load(content).questions] == ["Why?", "Total", "Who?"]
    (problem,) = refusal("id,question,reference\n1,Why?,So.\nAverage,,\n3,Who?,She.\n").problems
    assert problem.row == 2


def test_queries_alone_may_end_with_such_a_word() -> None:
    assert [question.text for question in load("qid,query\n1,soil\n2,total\n").questions] == ["soil", "total"]


def test_a_question_without_an_answer_by_an_empty_list_stays() -> None:
    content = '[{"question": "Why?", "answers": ["So."]}, {"question": "Mean", "answers": []}]'
    assert [question.text for question in load(content, "q.json").questions] == ["Why?", "Mean"]


def test_a_word_with_gold_passages_is_a_question() -> None:
    gold = '[{"document": "a.txt", "quote": "The sum divided by the count."}]'
    content = '[{"question": "Why?", "reference": "So."}, {"question": "Mean", "gold_passages": GOLD}]'
    assert [question.text for question in load(content.replace("GOLD", gold), "q.json").questions] == ["Why?", "Mean"]
