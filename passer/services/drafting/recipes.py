"""Recipes that draft a question from a window of passages: the requests, the checks, and the refusal of a draft.

A recipe sees one window only. Whether a question repeats one of another window is decided afterwards in the order of
the windows, so that the result does not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from passer.domain.judging.ask import Ask, Embed, Given
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Findings, Recipe, observed
from passer.domain.questions import tasks
from passer.domain.questions.drafting import NO_REPLY, UNJUDGED, Check, Decision, Drafting, Excerpt, Stage, draft_key
from passer.domain.questions.form import SAME_EXAMPLE, form_problem, normal_form
from passer.domain.retrieval.passages import Passage
from passer.metrics.judged.faithfulness import faithfulness
from passer.metrics.judged.grades import answerability, standalone
from passer.metrics.judged.relevancy import answer_relevancy
from passer.ports import Vectors

JudgedChecks = tuple[tuple[Stage, Callable[[Item], Recipe[Findings]], float | None], ...]
"""Judged checks: their recipes and limits; one without a limit is left out."""
ROUNDING = 1e-6
"""Cosines are computed in float32: one that equals its limit passes."""


class Attempt(NamedTuple):
    """One question of a window, before it is compared with those of other windows."""

    question: str
    answer: str
    checks: tuple[Check, ...]
    vector: Vectors | None
    """Vector of the question, shape (dimension,); None if it was refused earlier, or if no vectors are compared."""

    @property
    def refused_at(self) -> Stage | None:
        """Return the check that refused it."""
        return None if self.checks[-1].passed else self.checks[-1].stage


@dataclass(frozen=True)
class Surroundings:
    """Parts that all recipes of a drafting share."""

    drafting: Drafting
    shown: tuple[str, ...]
    """Questions of users that the models see."""
    example_forms: Collection[str]
    """Normal forms of the questions that a draft must not repeat."""
    example_vectors: Vectors | None
    """Their vectors, shape (n, dimension); None if no vectors are compared."""
    is_taken: Callable[[str], bool]
    """Returns True for a question with the normal form of an accepted one, about which no judge needs to be asked."""
    decisions: Mapping[str, Decision]
    """Last decisions of people, by the key of the draft."""


@dataclass
class _Sheet:
    """The checks of one draft while it is made."""

    checks: list[Check] = field(default_factory=list)
    question: str = ""
    answer: str = ""
    vector: Vectors | None = None

    def put(self, stage: Stage, passed: bool, **more: Any) -> bool:
        self.checks.append(Check(stage=stage, passed=passed, **more))
        return passed

    def attempt(self) -> Attempt:
        return Attempt(self.question, self.answer, tuple(self.checks), self.vector)


def draft(excerpt: Excerpt, around: Surroundings, place: int) -> Recipe[tuple[Attempt, ...]]:
    """Return the recipe of the window at a place in the drafting's way."""
    if around.drafting.way == "inpars":
        return _inpars(excerpt, around, place)
    return (_agentic if around.drafting.way == "agentic" else _paragraph)(excerpt, around)


def _agentic(excerpt: Excerpt, around: Surroundings) -> Recipe[tuple[Attempt, ...]]:
    """Question, form, stand-alone, answerability, answer, faithfulness, relevance, copy; the first refusal ends it."""
    sheet, limits = _Sheet(), around.drafting.limits
    sheet.question = yield from _written(sheet, "question", _question_ask(tasks.QUESTION, excerpt, around))
    if not sheet.checks[-1].passed or not (yield from _has_form(sheet, excerpt, around)):
        return (sheet.attempt(),)
    before: JudgedChecks = (
        ("stand_alone", standalone, limits.stand_alone),
        ("answerability", answerability, limits.answerability),
    )
    after: JudgedChecks = (
        ("faithfulness", faithfulness, limits.faithfulness),
        ("relevance", answer_relevancy, limits.relevance),
    )
    if not (yield from _judged(sheet, excerpt, around, before)):
        return (sheet.attempt(),)
    yield from _answer(sheet, excerpt, sheet.question)
    if sheet.checks[-1].passed and (yield from _judged(sheet, excerpt, around, after)):
        _check_copy(sheet, excerpt, sheet.question)
    return (sheet.attempt(),)


def _inpars(excerpt: Excerpt, around: Surroundings, place: int) -> Recipe[tuple[Attempt, ...]]:
    """Many questions in one ask, without a judge, and without answers unless they are wanted."""
    said: Judgement = yield _question_ask(tasks.QUESTIONS, excerpt, around)
    lines = said.value if isinstance(said.value, list) else []
    written = [str(line) for line in lines if not tasks.is_none(str(line))]
    if not written:
        sheet = _Sheet()
        _refuse_reply(sheet, "question", said)
        return (sheet.attempt(),)
    attempts = []
    for number, question in enumerate(written):
        sheet = _Sheet(question=question)
        sheet.put("question", True, judgement_keys=(said.key,))
        yield from _has_form(sheet, excerpt, around)
        if around.drafting.answers:
            yield from _answer_alone(sheet, excerpt, around.decisions.get(draft_key(place, number)))
        attempts.append(sheet.attempt())
    return tuple(attempts)


def _answer_alone(sheet: _Sheet, excerpt: Excerpt, decision: Decision | None) -> Recipe[None]:
    """Have the writer answer a question that passed, or that a person accepted, in the words of the person.

    One that a person refused, or that repeats another, needs no answer.
    """
    refused_at = sheet.attempt().refused_at
    decided = None if decision is None or decision.kind == "undo" else decision
    is_wanted = refused_at is None if decided is None else decided.kind != "refuse"
    if not is_wanted or refused_at == "duplicate":
        return
    asked = (decided.question if decided else None) or sheet.question
    # A person has accepted what a check had refused: that check stays the last one.
    own = _Sheet() if refused_at else sheet
    yield from _answer(own, excerpt, asked)
    if own.checks[-1].passed and _check_copy(own, excerpt, asked):
        sheet.answer = own.answer


def _answer(sheet: _Sheet, excerpt: Excerpt, question: str) -> Recipe[None]:
    given: Given = {tasks.PASSAGE: excerpt.text, tasks.ASKED: question}
    sheet.answer = yield from _written(sheet, "answer", Ask(task=tasks.ANSWER, given=given))


def _paragraph(excerpt: Excerpt, around: Surroundings) -> Recipe[tuple[Attempt, ...]]:
    """One question, whose answer is the paragraph."""
    sheet = _Sheet()
    sheet.question = yield from _written(sheet, "question", _question_ask(tasks.QUESTION, excerpt, around))
    if sheet.checks[-1].passed and (yield from _has_form(sheet, excerpt, around)):
        sheet.answer = excerpt.text
    return (sheet.attempt(),)


def _question_ask(task: str, excerpt: Excerpt, around: Surroundings) -> Ask:
    shown: Given = {tasks.FROM_USERS: list(around.shown)} if around.shown else {}
    return Ask(task=task, given={**shown, tasks.PASSAGE: excerpt.text})


def _written(sheet: _Sheet, stage: Stage, ask: Ask) -> Recipe[str]:
    """Ask a writer for a line; empty with a refusal if it finds nothing or its reply is unusable."""
    said: Judgement = yield ask
    text = str(said.value or "")
    if said.reason is not None or tasks.is_none(text):
        _refuse_reply(sheet, stage, said)
        return ""
    sheet.put(stage, True, judgement_keys=(said.key,))
    return text


def _refuse_reply(sheet: _Sheet, stage: Stage, said: Judgement) -> None:
    if said.reason is None or said.reason == "empty":
        sheet.put(stage, False, reason="none", judgement_keys=(said.key,))
    else:
        sheet.put(stage, False, reason=UNJUDGED, note=said.reason, judgement_keys=(said.key,))


def _has_form(sheet: _Sheet, excerpt: Excerpt, around: Surroundings) -> Recipe[bool]:
    """Check the form by code, then whether the question repeats an accepted one word for word."""
    drafting = around.drafting
    problem: str | None = form_problem(
        sheet.question, excerpt.text, language=drafting.language, examples=around.example_forms
    )
    if problem is None and drafting.limits.similarity is not None:
        vectors: Vectors = yield Embed(texts=(sheet.question,))
        sheet.vector = vectors[0]
        examples = around.example_vectors
        if examples is not None and float(np.max(examples @ sheet.vector, initial=-1)) >= SAME_EXAMPLE - ROUNDING:
            problem = "example"
    if not sheet.put("form", problem is None, reason=problem):
        return False
    if around.is_taken(normal_form(sheet.question)):
        return sheet.put("duplicate", False, reason="same_text")
    return True


def _judged(
    sheet: _Sheet,
    excerpt: Excerpt,
    around: Surroundings,
    wanted: JudgedChecks,
) -> Recipe[bool]:
    """Ask the judge for each value that has a limit, up to the first that misses it."""
    passage = Passage(
        id=excerpt.passages[0],
        document=excerpt.document,
        number=0,
        text=excerpt.text,
        start=excerpt.start,
        end=excerpt.start + len(excerpt.text),
    )
    used: list[Judgement] = []
    for stage, recipe, limit in wanted:
        if limit is None:
            continue
        item = Item(
            question_id="draft",
            question=sheet.question,
            answer=sheet.answer,
            passages=(passage,),
            language=around.drafting.language,
        )
        used.clear()
        findings = yield from observed(recipe(item), lambda _, said: used.append(said))
        value, note = findings[0].value, findings[0].note
        keys = tuple(dict.fromkeys(each.key for each in used))
        more: dict[str, Any] = {"value": value, "limit": limit, "judgement_keys": keys}
        if value is None:
            is_silent = any(each.reason == NO_REPLY for each in used)
            note = NO_REPLY if is_silent else str(findings[0].reason)
            return sheet.put(stage, False, reason=UNJUDGED, note=note, **more)
        if not sheet.put(stage, value >= limit - ROUNDING, note=note, **more):
            return False
    return True


def _check_copy(sheet: _Sheet, excerpt: Excerpt, question: str) -> bool:
    problem = None
    if not sheet.answer.strip():
        problem = "empty"
    elif normal_form(sheet.answer) == normal_form(question):
        problem = "is_question"
    elif len(sheet.answer) > len(excerpt.text):
        problem = "longer_than_window"
    return sheet.put("copy", problem is None, reason=problem)
