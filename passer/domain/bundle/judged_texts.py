"""Texts that a judge was given, as far as a bundle contains them: passages have ids there and no texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from passer.domain.base import digest_of
from passer.domain.bundle.judged_document import JudgementRecord
from passer.domain.bundle.question_record import QuestionRecord
from passer.domain.judging.ask import references_given
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


def given_digests(replies: Sequence[JudgementRecord], texts: AnsweredTexts) -> list[tuple[str, ...]]:
    """Return the digests that what each reply's ask was given can have; empty where it read passages.

    Of several right answers a judge is given all. Early judgements of such questions were given the first.
    """
    return [tuple(map(digest_of, _givens(replies, place, texts))) for place in range(len(replies))]


def _givens(replies: Sequence[JudgementRecord], place: int, texts: AnsweredTexts) -> Iterator[list[list[Any]]]:
    names = _GIVEN.get(replies[place].task, ())
    known: dict[str, Any] = {"question": texts.question, "answer": texts.answer}
    if _FACTS in names:
        start = (place - 1) * FACTS_AT_ONCE
        known[_FACTS] = list(listed_nuggets(replies[0].value))[start : start + FACTS_AT_ONCE]
    forms = {len(texts.references), 1} if _REFERENCE in names else {1}
    for count in sorted(forms) if names else ():
        ((shown, value),) = references_given(texts.references[:count]).items()
        named = {**known, _REFERENCE: value}
        yield [[shown if name == _REFERENCE else name, named[name]] for name in names]
