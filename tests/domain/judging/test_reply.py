"""Parsing of replies: valid ones, invalid ones, and that no incomplete reply is completed."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.reply import read_reply, second_messages
from passer.domain.judging.task import JudgeTask
from passer.domain.models.chat import Message


class Grade(Frozen):
    a_reason: Annotated[str, Field(max_length=40)]
    b_grade: Literal[0, 1, 2]


class Verdicts(Frozen):
    a_verdicts: Annotated[list[Literal["yes", "no"]], Field(max_length=3)]


class Decisions(Frozen):
    a_reason: str
    b_applies: Literal[0, 1]
    c_verdicts: list[Literal[0, 1]]
    d_grades: tuple[Grade, ...] = ()


GRADE = JudgeTask("grade", "Grade it.", Grade)
VERDICTS = JudgeTask("verdicts", "Decide.", Verdicts)
DECISIONS = JudgeTask("decisions", "Decide.", Decisions)
LINE = JudgeTask("line", "Write a question.", None)
GOOD = '{"a_reason": "It says so.", "b_grade": 2}'
VALUE = {"a_reason": "It says so.", "b_grade": 2}


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"<think>b_grade: 1?</think>\n{GOOD}",
        f"```json\n{GOOD}\n```",
        f"Here it is: {GOOD} I hope that this helps.",
        GOOD + " " * 500,
        '{"b_grade": 2, "a_reason": "It says\\u0000 so."}',
    ],
)
@pytest.mark.parametrize("finish_reason", ["stop", "length", None])
def test_a_complete_reply_counts_whatever_stands_around_it(text: str, finish_reason: str | None) -> None:
    assert read_reply(text, finish_reason=finish_reason, task=GRADE) == (VALUE, None, "")


@pytest.mark.parametrize(
    ("text", "finish_reason", "reason"),
    [
        ("", "stop", "empty"),
        ("<think>so long", "length", "cut_off"),
        ("", "length", "cut_off"),
        ('{"a_reason": "It says', "length", "cut_off"),
        ('{"a_reason": "It says so.", "b_grade": ', "repeated", "cut_off"),
        ('{"a_reason": "It says', "stop", "not_json"),
        ("The grade is 2.", "stop", "not_json"),
        ("[1, 2]", "stop", "not_json"),
        ('{"a_reason": "x", "b_grade": NaN}', "stop", "not_json"),
        ('{"a_reason": "x", "b_grade": -12}', "stop", "off_schema"),
        ('{"a_reason": "x", "b_grade": 1.5}', "stop", "off_schema"),
        ('{"a_reason": "x", "b_grade": true}', "stop", "off_schema"),
        ('{"a_reason": "x", "b_grade": 2, "b_grade": 0}', "stop", "not_json"),
        ('{"a_reason": "x", "b_grade": 1, "c": 3}', "stop", "off_schema"),
        ('{"a_reason": "x"}', "stop", "off_schema"),
        ('{"a_reason": "%s", "b_grade": 1}' % ("x" * 41), "stop", "off_schema"),
        ("[" * 100_000, "stop", "not_json"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "stop", "not_json"),
    ],
)
def test_a_reply_that_cannot_be_used_has_a_reason_and_no_value(text: str, finish_reason: str, reason: str) -> None:
    reading = read_reply(text, finish_reason=finish_reason, task=GRADE)
    assert (reading.value, reading.reason) == (None, reason)
    assert reading.problem


def test_true_and_false_are_decisions_but_no_grades() -> None:
    text = '{"a_reason": "x", "b_applies": false, "c_verdicts": [true, 0], "d_grades": []}'
    reading = read_reply(text, finish_reason="stop", task=DECISIONS)
    # Stored and shown as the numbers that were asked for.
    assert json.dumps(reading.value) == '{"a_reason": "x", "b_applies": 0, "c_verdicts": [1, 0], "d_grades": []}'
    graded = text.replace("[]", '[{"a_reason": "y", "b_grade": true}]')
    assert read_reply(graded, finish_reason="stop", task=DECISIONS).reason == "off_schema"


def test_a_list_must_have_as_many_items_as_were_sent() -> None:
    text = '{"a_verdicts": ["yes", "no"]}'
    assert read_reply(text, finish_reason="stop", task=VERDICTS, lengths={"a_verdicts": 2}).reason is None
    for length in (1, 3):
        wrong = read_reply(text, finish_reason="stop", task=VERDICTS, lengths={"a_verdicts": length})
        assert wrong.reason == "off_schema"
        assert f"{length} items" in wrong.problem


@given(st.text(max_size=40), st.sampled_from([0, 1, 2]), st.data())
def test_a_cut_reply_never_has_a_value(reason: str, grade: int, data: st.DataObject) -> None:
    whole = json.dumps({"a_reason": reason, "b_grade": grade}, ensure_ascii=data.draw(st.booleans()))
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    reading = read_reply(cut, finish_reason="length", task=GRADE)
    assert (reading.value, reading.reason) == (None, "cut_off")


@given(st.text(max_size=300), st.sampled_from(["stop", "length", None]))
def test_any_text_has_exactly_one_of_value_and_reason(text: str, finish_reason: str | None) -> None:
    for task in (GRADE, VERDICTS, LINE):
        reading = read_reply(text, finish_reason=finish_reason, task=task)
        assert (reading.value is None) == (reading.reason is not None)


def test_a_line_is_the_first_that_is_not_empty() -> None:
    assert read_reply('\n\n"When does rice flower?"\nI hope', finish_reason="stop", task=LINE).value == (
        "When does rice flower?"
    )
    assert read_reply("When does rice", finish_reason="length", task=LINE).reason == "cut_off"
    assert read_reply("When?\nand so on", finish_reason="length", task=LINE).value == "When?"
    assert read_reply("x" * 301, finish_reason="stop", task=LINE).reason == "off_schema"


def test_the_second_attempt_names_the_problem_and_a_cut_one_is_asked_the_same() -> None:
    first = (Message(role="system", content="s"), Message(role="user", content="u"))
    wrong = read_reply("The grade is 2.", finish_reason="stop", task=GRADE)
    asked = second_messages(first, "The grade is 2.", wrong)
    assert [(each.role, each.content) for each in asked[2:]] == [
        ("assistant", "The grade is 2."),
        (
            "user",
            "That reply cannot be used: the reply is not one JSON object. Reply again, in the form that was asked for.",
        ),
    ]
    cut = read_reply("{", finish_reason="length", task=GRADE)
    assert second_messages(first, "{", cut) == first


def test_numbers_of_a_list_are_no_part_of_its_texts_in_any_script() -> None:
    task = JudgeTask("lines", "Write questions.", None, lines=5)
    reply = "1. One?\n2、推荐量是多少？\n（3）推奨量は？\n４．권장량은?\n5% of what?"
    found = read_reply(reply, finish_reason="stop", task=task)
    assert found.value == ["One?", "推荐量是多少？", "推奨量は？", "권장량은?", "5% of what?"]
