"""Relevance of each passage after RAGElo's other evaluators: intent and trust, five raters in one, a domain expert."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.domain.retrieval.passage_relevance import PassageGrade
from passer.domain.score import Citation
from passer.metrics.judged.parts import ASPECTS, judged
from passer.metrics.judged.relevance import EXPERT, FIVE_RATERS, RDNAM, register_grades

Grade = Literal[0, 1, 2]
_ROLE = (
    "You are a search quality rater who decides how useful a passage is to the person who asked the question. Before "
    "you grade, consider what this person wants to find out. "
)
_SCALE = "0: it is not relevant. 1: it is relevant, but other passages may be more helpful. 2: it is very helpful. "
OF_RDNAM = Citation(
    text="Thomas, P. et al. (2024). Large language models can accurately predict searcher preferences. SIGIR.",
    url="https://arxiv.org/abs/2309.10621",
)


class Rdnam(Reasoned):
    """A grade with the two judgements that lead to it; servers may sort members, so the grade comes last by name."""

    aspect_match: Grade
    """Match of the passage with what is asked."""
    aspect_trust: Grade
    """Trustworthiness of the passage."""
    b_grade: Grade
    """The overall grade."""


class RaterOfFive(Frozen):
    """The grades of one of five raters."""

    a_match: Grade
    """Match of the passage with what is asked."""
    a_trust: Grade
    """Trustworthiness of the passage."""
    b_grade: Grade
    """The overall grade."""


class Five(Reasoned):
    """The grades of five raters."""

    b_raters: Annotated[list[RaterOfFive], Field(max_length=5)]
    """Five raters, who may disagree."""


BY_INTENT = JudgeTask(
    "rdnam",
    f"{_ROLE}First give your reason in one or two sentences. Then grade how well the passage matches this intent (0 to "
    f"2), how far it can be trusted (0 to 2), and last, with both in mind, the passage as a whole. {_SCALE}",
    Rdnam,
)
BY_FIVE = JudgeTask(
    "rdnam-five",
    f"{_ROLE}Five raters with different backgrounds grade the passage, each on their own; they may disagree. First "
    "give the reasons in one or two sentences. Then give for each of the five how well the passage matches the intent "
    f"(0 to 2), how far it can be trusted (0 to 2), and the grade of the passage as a whole. {_SCALE}",
    Five,
)
BY_EXPERT = JudgeTask(
    "expert-relevance",
    "You are an expert in the field of the question who helps a colleague to find sources. Grade the passage by what "
    "an expert needs to answer the question correctly and completely, not by the words that both share. 0: it does not "
    "help. 1: it is about the subject and helps in part. 2: an expert would answer from it. First give your reason as "
    "an expert in one or two sentences, then the grade.",
    PassageGrade,
)


register_grades(
    judged(
        RDNAM,
        summary="How relevant the passages are to the question, given the asker's intent and the trust in each one.",
        formula="mean over the passages of the prompt of grade / 2, grade in 0..2",
        citation=OF_RDNAM,
        notes=("The grades of intent and trust are in the reply; the overall grade counts.",),
    ),
    BY_INTENT,
)
register_grades(
    judged(
        FIVE_RATERS,
        summary="How relevant the passages are to the question by five raters that the judge plays.",
        formula="mean over the passages of the prompt of the mean grade of five raters / 2, grade in 0..2",
        citation=OF_RDNAM,
        notes=("One request a passage. Saved as relevance grades, the mean of the five is rounded.",),
    ),
    BY_FIVE,
    b_raters=5,
)
register_grades(
    judged(
        EXPERT,
        summary="How relevant the passages are to an expert who answers the question.",
        formula="mean over the passages of the prompt of grade / 2, grade in 0..2",
        citation=ASPECTS,
    ),
    BY_EXPERT,
)
