"""Texts that a judge was given, as far as a bundle contains them: passages have ids there and no texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from passer.domain.base import digest_of
from passer.domain.bundle.judged_document import JudgementRecord
from passer.domain.bundle.question_record import QuestionRecord
from passer.domain.judging.ask import Given, references_given
from passer.domain.judging.formulas import FACTS_AT_ONCE, listed_nuggets

_FACTS, _REFERENCE = "facts", "reference"
_GIVEN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "correctness": ("question", _REFERENCE, "answer"),
        "standalone": ("question",),
        "statements": ("question", "answer"),
        "nuggets": ("question", _REFERENCE),
        "assign-nuggets": ("question", "answer", _FACTS),
    }
)
"""Names of the texts that each of these tasks is given, in order; all others are also given passages."""


class AnsweredTexts(NamedTuple):
    """The texts of one question of a run."""

    question: str
    references: tuple[str, ...]
    """All right answers, the reference first."""
    answer: str | None
    """None of a question that failed."""


RunTexts = Mapping[str, AnsweredTexts]
"""Texts of a run by id of the question, in order."""


def texts_of(record: QuestionRecord) -> AnsweredTexts:
    """Return the texts of a record."""
    return AnsweredTexts(record.question, record.references, record.answer)


def given_digests(replies: Sequence[JudgementRecord], texts: AnsweredTexts) -> list[str | None]:
    """Return the digest of what each reply's ask was given; None where it read passages."""
    return [_given_digest(replies, place, texts) for place in range(len(replies))]


def _given_digest(replies: Sequence[JudgementRecord], place: int, texts: AnsweredTexts) -> str | None:
    names = _GIVEN.get(replies[place].task)
    if names is None:
        return None
    known: Given = {"question": texts.question, "answer": texts.answer or ""}
    if _FACTS in names:
        start = (place - 1) * FACTS_AT_ONCE
        known[_FACTS] = list(listed_nuggets(replies[0].value))[start : start + FACTS_AT_ONCE]
    given = [references_given(texts.references) if name == _REFERENCE else {name: known[name]} for name in names]
    return digest_of([[name, value] for part in given for name, value in part.items()])
