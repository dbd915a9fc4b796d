"""Games: two answers to one question, and which of them is better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from passer.domain.base import Count, Frozen, added_field
from passer.domain.models.answer import Truncated
from passer.domain.score import MissingReason
from passer.domain.texts.words import word_count

Side = Literal["a", "b"]
Verdict = Literal["first", "second", "tie"]
Outcome = Literal["a", "b", "tie"]
OUTCOMES: tuple[Outcome, ...] = ("a", "b", "tie")
SWAPPED: dict[Outcome, Outcome] = {"a": "b", "b": "a", "tie": "tie"}
"""Outcome of a game when its systems are named in the other order."""
How = Literal["agreed", "inconsistent", "same_answer", "one_order", "rule", "given", "failed"]
"""Origin of an outcome.

`agreed`: both orders, or all raters, named the same answer or a tie. `inconsistent`: they did not, which counts as a
tie. `same_answer`: equal texts, a tie without asking. `one_order`: asked once. `rule`: decided by a stored score.
`given`: imported, or decided by one person. `failed`: a verdict is missing, so there is no outcome.
"""
Source = Literal["judge", "rule", "import", "person"]

_HEADING = re.compile(r"^\s{0,3}#{1,6}\s", re.MULTILINE)
_LIST_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s", re.MULTILINE)
_BOLD = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")


class Style(Frozen):
    """Length and markup of an answer, which judges reward in addition to its content, and whether it is complete."""

    words: Count
    """Words, separated by white space; in a script without blanks, two letters count as a word."""
    headings: Count = 0
    """Number of Markdown headings."""
    items: Count = 0
    """Items of lists."""
    bold: Count = 0
    """Passages in bold."""
    truncated: Truncated | None = added_field(None)
    """Truncation when it was answered; None without one, or if it is not known."""


def style_of(answer: str, truncated: Truncated | None = None) -> Style:
    """Return length and markup of an answer, of which something may have been cut."""
    return Style(
        words=word_count(answer),
        headings=len(_HEADING.findall(answer)),
        items=len(_LIST_ITEM.findall(answer)),
        bold=len(_BOLD.findall(answer)),
        truncated=truncated,
    )


class Shown(Frozen):
    """One presentation of a game to a judge or a person: which answer was first, and the reply."""

    first: Side
    """Answer that was shown first."""
    verdict: Verdict | None
    """Verdict of the judge or person; None if a reply could not be read, or a person could not tell."""
    reason: MissingReason | None = None
    """Reason why there is no verdict."""
    judgement_key: str = ""
    """The judgement; empty for a person."""
    rater: str = ""
    """The person; empty for a judge."""

    @property
    def outcome(self) -> Outcome | None:
        """Return the answer that the verdict names."""
        if self.verdict is None or self.verdict == "tie":
            return self.verdict
        is_a = (self.verdict == "first") == (self.first == "a")
        return "a" if is_a else "b"


class Game(Frozen):
    """Two answers to one question, of runs a and b, and which is better. a comes before b in the tournament's order."""

    question_id: str = Field(min_length=1, max_length=200)
    """The question."""
    a: str = Field(min_length=1, max_length=100)
    """Id of a run, or name of a system of an imported tournament."""
    b: str = Field(min_length=1, max_length=100)
    """The other."""
    key: str = ""
    """Content address of the question with both answers, under which people label the game; empty if imported."""
    outcome: Outcome | None
    """The better answer; None if a verdict is missing."""
    how: How
    """Way in which the outcome was reached."""
    reason: MissingReason | None = None
    """Reason why there is no outcome."""
    source: Source = "judge"
    """Judge, person or rule that decided it."""
    verdicts: tuple[Shown, ...] = ()
    """Replies of a judge in the order of asking, or of each rater; empty for rules and imports."""
    styles: tuple[Style, Style] | None = None
    """Length and markup of both answers; None if their texts are not known."""

    @model_validator(mode="after")
    def _outcome_or_failure(self) -> Game:
        if self.a == self.b:
            raise ValueError("a game needs two different systems")
        if (self.outcome is None) != (self.how == "failed"):
            raise ValueError("a game has an outcome unless it failed")
        return self

    @property
    def has_random_order(self) -> bool:
        """Return whether the place of an answer is independent of its system: both orders, or drawn by a coin.

        Judges and people are asked by this installation, which draws the place of a single showing. In a file, one
        system may come first in all games, and then its strength looks like a preference for the first place.
        """
        return bool(self.verdicts) and (self.source != "import" or len(self.verdicts) == 2)

    @property
    def sides(self) -> tuple[tuple[str, Style], ...]:
        """Return both systems with length and markup of their answers; none if the texts are not known."""
        return () if self.styles is None else tuple(zip((self.a, self.b), self.styles, strict=True))

    @property
    def lengths(self) -> tuple[int, int] | None:
        """Return the words of both answers."""
        return None if self.styles is None else (self.styles[0].words, self.styles[1].words)


class Decided(Frozen):
    """Outcome that follows from the verdicts of a game."""

    outcome: Outcome | None
    """The better answer."""
    how: How
    """Way in which the outcome was reached."""
    reason: MissingReason | None = None
    """Reason why there is no outcome."""


def decided(verdicts: Sequence[Shown]) -> Decided:
    """Return the outcome of one showing, or of two in opposite orders. A missing verdict is never half a game."""
    for shown in verdicts:
        if shown.outcome is None:
            return Decided(outcome=None, how="failed", reason=shown.reason or "judge_failed")
    outcomes = {shown.outcome for shown in verdicts}
    if len(verdicts) == 1:
        return Decided(outcome=verdicts[0].outcome, how="one_order")
    if len(outcomes) == 1:
        return Decided(outcome=outcomes.pop(), how="agreed")
    return Decided(outcome="tie", how="inconsistent")
