"""Questions with several right answers: an answer is scored with each, and each metric keeps its best value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from passer.domain.base import digest_of
from passer.domain.panel import higher_is_better
from passer.domain.score import VECTOR_ORDER, Score, Scores, VectorProfile
from passer.domain.texts.words import is_english, unicode_words

_DECIDED_BY = {
    column: decides
    for decides in ("Rouge-1.f", "Rouge-2.f", "Rouge-l.f", "Bert-Score.f1", "B-RT.average")
    for column in VECTOR_ORDER
    if column.rpartition(".")[0] == decides.rpartition(".")[0]
}
"""Columns that keep the value of the reference with the best value of another one: a precision and a recall of two
references would give no F1."""


def best_places(rows: Sequence[Scores]) -> dict[str, int]:
    """Return for each column the place of the reference whose value is kept; the first of equal ones."""
    return {column: _best_place(rows, _DECIDED_BY.get(column, column)) for column in rows[0]}


def best_scores(rows: Sequence[Scores]) -> dict[str, Score]:
    """Return the scores of an answer from those with each reference, in the order of the references."""
    if len(rows) == 1:  # most questions have one reference, and a verifier asks for each of thousands
        return dict(rows[0])
    return {column: rows[place][column] for column, place in best_places(rows).items()}


def _best_place(rows: Sequence[Scores], column: str) -> int:
    sign = 1 if higher_is_better(column) else -1
    values = {place: row[column].value for place, row in enumerate(rows)}
    known = {place: sign * value for place, value in values.items() if value is not None}
    return max(known, key=known.__getitem__, default=0)


def nearest(references: Sequence[str], answer: str) -> str:
    """Return the reference that shares most words with the answer, for metrics that compare it with one; the first of
    equal ones."""
    return references[0] if len(references) == 1 else max(references, key=lambda each: word_overlap(each, answer))


def word_overlap(one: str, other: str) -> float:
    """Return 2 * words in common / words of both texts, in [0, 1]; 0 without words."""
    words, others = Counter(unicode_words(one)), Counter(unicode_words(other))
    return 2 * (words & others).total() / max(1, words.total() + others.total())


@dataclass(frozen=True)
class PairKeys:
    """Content addresses of scored pairs of reference and answer, and of the best scores of several pairs."""

    scored_by: Mapping[str, str]
    """Everything that scores depend on besides profile, language and texts."""
    language: str
    """Language of the dataset, as a BCP 47 tag."""
    timed: str | None = None
    """Id of a timing sweep, whose seconds are not those of the first sweep that scored a pair."""

    @cached_property
    def _by(self) -> Mapping[str, str]:
        # METEOR of other languages has other values; English keeps the key that it had before there was a language.
        return {**self.scored_by, **({} if is_english(self.language) else {"language": self.language})}

    def of(self, references: Sequence[str], answer: str, profile: VectorProfile) -> dict[str, str]:
        """Return the references by the key of their pair with the answer."""
        pairs = ({"profile": profile, "by": self._by, "reference": each, "answer": answer} for each in references)
        keys = [digest_of(pair) for pair in pairs]
        if self.timed is not None:
            keys = [digest_of({"timed": self.timed, "pair": key}) for key in keys]
        return dict(zip(keys, references, strict=True))


def key_of_best(pairs: Sequence[str]) -> str:
    """Return the key of the best scores of these pairs; one pair keeps its own."""
    return pairs[0] if len(pairs) == 1 else digest_of({"best_of": list(pairs)})
