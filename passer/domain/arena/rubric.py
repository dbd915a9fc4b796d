"""The recipe of a game by criteria: five of a question are written once, then each is decided; more of them win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from passer.domain.arena.game import Verdict
from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.task import JudgeTask

CRITERIA = 5
LONGEST = 200
CRITERIA_TASK, TASK = "rubric", "rubric-pairwise"
Criterion = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Text = Annotated[str, Field(max_length=300)]


class Rubric(Frozen):
    """Criteria of a good answer to one question."""

    a_criteria: Annotated[list[Criterion], Field(min_length=CRITERIA, max_length=CRITERIA)]
    """Questions about an answer that yes or no answers; yes is good."""


class ByCriteria(Frozen):
    """Two answers compared by each criterion; members are named so that the texts come before the verdicts."""

    a_first: Text
    """Verdicts on answer A, which was shown first."""
    b_second: Text
    """Verdicts on answer B."""
    c_verdicts: Annotated[list[Literal["A", "B", "C", "D"]], Field(min_length=CRITERIA, max_length=CRITERIA)]
    """The better answer by each criterion, in the order of the criteria; C: both alike, D: neither meets it."""


def rubric_task(factors: str, language: str = "") -> JudgeTask:
    """Return the task that writes the criteria of a question."""
    instruction = (
        f"Write {CRITERIA} criteria for a good answer to the question: short questions about an answer that can be "
        "answered with yes or no, so that yes is good. Use the passages, where there are any, to know what a good "
        f"answer has to say. Answers are judged by {factors}. Do not repeat a criterion."
    )
    return JudgeTask(CRITERIA_TASK, instruction, Rubric, language=language)


def criteria_task(role: str, evidence: str, language: str = "") -> JudgeTask:
    """Return the task that compares two answers by given criteria."""
    instruction = (
        f"{role}Compare two answers to the question by each of the criteria. {evidence}Do not let the order in which "
        "the answers are shown, or their length, influence you. First explain in one or two sentences each how answer "
        f"A and answer B meet the criteria, then give {CRITERIA} verdicts in the order of the criteria: A if answer A "
        "meets the criterion better, B if answer B does, C if both meet it alike, D if neither meets it."
    )
    return JudgeTask(TASK, instruction, ByCriteria, language=language)


def criteria_ask(question: str, documents: tuple[str, ...]) -> Ask:
    """Return the request for the criteria of a question; it is the same for all of its games, so it is made once."""
    given: Given = {"question": question}
    return Ask(task=CRITERIA_TASK, given={**given, "passages": list(documents)} if documents else given)


def criteria_of(judgement: Judgement) -> list[str]:
    """Return the criteria that a judge wrote; ValueError for a judgement without a value."""
    return Rubric.model_validate(judgement.value).a_criteria


def longest_criteria(key: str) -> Judgement:
    """Return placeholders of the greatest length that criteria can have, to estimate their cost."""
    longest = "x" * LONGEST
    return Judgement(
        key=key,
        task=CRITERIA_TASK,
        task_digest="",
        given_digest="",
        prompt_digest="",
        answer_keys=(),
        value={"a_criteria": [longest] * CRITERIA},
        attempts=1,
    )


def verdict_by_count(verdicts: Sequence[str]) -> Verdict:
    """Return the answer that meets more criteria as the better one; a tie if both meet the same number."""
    first, second = verdicts.count("A"), verdicts.count("B")
    return "tie" if first == second else "first" if first > second else "second"
