"""The recipe of a game: a judge compares two answers, in both orders, and explains itself before it decides."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from passer.domain.arena.game import Decided, Game, Shown, Side, Verdict, decided, style_of
from passer.domain.arena.rubric import (
    ByCriteria,
    criteria_ask,
    criteria_of,
    criteria_task,
    rubric_task,
    verdict_by_count,
)
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.base import Frozen, digest_of
from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.models.answer import Truncated

TASK = "pairwise"
_INSTRUCTION = (
    "{role}Compare two answers to the question. Judge by {factors}. Details count only if they help to answer the "
    "question. {evidence}Do not let the order in which the answers are shown, or their length, influence you. First "
    "explain in one or two sentences each how good answer A and answer B are, then compare them in one or two "
    "sentences, then decide: A if answer A is better, B if answer B is better, C if they are equally good or bad."
)
_EVIDENCE = "The passages are what the systems could read; they may hold the answer, and much beside it. "
_GRADES = (
    "The passages are those that the systems could read and that were graded as relevant to the question; the higher "
    "the grade, the more of the answer a passage holds. "
)
_CITATIONS = (
    "The answers cite passages by numbers in square brackets, such as [1]. Each system has its own numbering, so equal "
    "numbers may mean different passages: judge whether what is said is right, not how often or which number is cited. "
)
_LETTERS: dict[str, Verdict] = {"A": "first", "B": "second", "C": "tie"}
Text = Annotated[str, Field(max_length=300)]


class Compared(Frozen):
    """A comparison; members are named so that the texts come before the verdict in any order of names."""

    a_first: Text
    """Remarks on answer A, which was shown first."""
    b_second: Text
    """Remarks on answer B."""
    c_comparison: Text
    """Remarks on both answers."""
    d_verdict: Literal["A", "B", "C"]
    """The better answer; C is a tie."""


class Pairing(Frozen):
    """Two answers to one question, of the runs of a fixture."""

    fixture: Fixture
    """Question and runs."""
    question: str
    """The question as it was asked."""
    documents: tuple[str, ...] = ()
    """Passages that the judge may read in addition to the answers, the best ranked first."""
    answers: tuple[str, str]
    """Answers of a and b."""
    truncated: tuple[Truncated | None, Truncated | None] = (None, None)
    """Truncation of each answer."""
    items: tuple[str, str] = ("", "")
    """Keys of both answers' items, under which judges and people grade each of them."""

    @property
    def key(self) -> str:
        """Return the content address of question and answers: games of equal texts share it, also across judges."""
        return digest_of({"question": self.question, "answers": list(self.answers)})

    @property
    def is_same_answer(self) -> bool:
        """Return whether the answers are equal but for white space at their ends."""
        return self.answers[0].strip() == self.answers[1].strip()

    def undecided(self) -> Game:
        """Return the game before anybody decides it; equal answers are a tie at once."""
        if self.is_same_answer:
            return self.game(Decided(outcome="tie", how="same_answer"))
        return self.game(Decided(outcome=None, how="failed", reason="not_requested"))

    def game(self, result: Decided, verdicts: tuple[Shown, ...] = ()) -> Game:
        """Return the game with this outcome."""
        return Game(
            question_id=self.fixture.question_id,
            a=self.fixture.a,
            b=self.fixture.b,
            key=self.key,
            outcome=result.outcome,
            how=result.how,
            reason=result.reason,
            verdicts=verdicts,
            styles=(style_of(self.answers[0], self.truncated[0]), style_of(self.answers[1], self.truncated[1])),
        )


@lru_cache(maxsize=32)
def arena_tasks(options: ArenaOptions) -> tuple[JudgeTask, ...]:
    """Return the tasks of an arena, the comparison last; what changes what the judge reads is in their digests."""
    role = f"You are an expert in {options.expert_in}. " if options.expert_in else ""
    evidence = _GRADES if options.shows_grades else _EVIDENCE if options.shows_texts else ""
    evidence += _CITATIONS if options.citations else ""
    if options.by == "criteria":
        return rubric_task(options.factors, options.language), criteria_task(role, evidence, options.language)
    instruction = _INSTRUCTION.format(role=role, factors=options.factors, evidence=evidence)
    return (JudgeTask(TASK, instruction, Compared, language=options.language),)


def play(pairing: Pairing, options: ArenaOptions) -> Recipe[Game]:
    """Ask for the better answer in both orders, or in one that a seeded coin chooses."""
    if pairing.is_same_answer:
        return pairing.undecided()
    criteria: list[str] | None = None
    if options.by == "criteria":
        written: Judgement = yield criteria_ask(pairing.question, pairing.documents)
        if written.value is None:
            return pairing.game(Decided(outcome=None, how="failed", reason=written.missing))
        criteria = criteria_of(written)
    sides: tuple[Side, ...] = ("a", "b") if options.orders == "both" else (_coin(pairing, options.seed),)
    said: tuple[Judgement, ...] = yield tuple(_ask(pairing, first, options, criteria) for first in sides)
    verdicts = tuple(_shown(first, judgement) for first, judgement in zip(sides, said, strict=True))
    return pairing.game(decided(verdicts), verdicts)


def _ask(pairing: Pairing, first: Side, options: ArenaOptions, criteria: list[str] | None) -> Ask:
    one, other = pairing.answers if first == "a" else pairing.answers[::-1]
    given: Given = {"question": pairing.question}
    if options.documents != "none":
        given["passages"] = list(pairing.documents)
    if criteria is not None:
        given["criteria"] = criteria
    return Ask(task=arena_tasks(options)[-1].name, given={**given, "answer A": one, "answer B": other})


def _shown(first: Side, judgement: Judgement) -> Shown:
    if judgement.value is None:
        return Shown(first=first, verdict=None, reason=judgement.missing, judgement_key=judgement.key)
    verdict = _verdict(judgement)
    return Shown(first=first, verdict=verdict, judgement_key=judgement.key)


def _verdict(judgement: Judgement) -> Verdict:
    if judgement.task == TASK:
        return _LETTERS[Compared.model_validate(judgement.value).d_verdict]
    return verdict_by_count(ByCriteria.model_validate(judgement.value).c_verdicts)


def _coin(pairing: Pairing, seed: int) -> Side:
    """Draw which answer is shown first: at random for each game, the same after a restart."""
    drawn = hashlib.sha256(f"{seed}:{':'.join(pairing.fixture)}".encode()).digest()[0]
    return "a" if drawn % 2 else "b"
