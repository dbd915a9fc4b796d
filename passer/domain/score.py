"""Metrics, scores of answers, and tables of scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from passer.domain.base import Frozen
from passer.domain.statistics import Bounds
from passer.domain.wording.sentence import LocalizedText

VECTOR_ORDER: tuple[str, ...] = (
    "METEOR", "BLEU",
    "Rouge-1.r", "Rouge-1.p", "Rouge-1.f", "Rouge-2.r", "Rouge-2.p", "Rouge-2.f", "Rouge-l.r", "Rouge-l.p", "Rouge-l.f",
    "Laplace Perplexity", "Lidstone Perplexity",
    "Cosine similarity", "Pearson correlation", "F1 Score",
    "Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1",
    "B-RT.coherence", "B-RT.consistency", "B-RT.fluency", "B-RT.relevance", "B-RT.average",
)  # fmt: skip
"""The 24 columns in the order of the contract and of every export."""

VectorProfile = Literal["standard", "published"]
"""Definitions of the 24 columns. A composite never mixes profiles."""

Profile = Literal[VectorProfile, "judged", "grounded"]
"""Groups of metrics: two definitions of the 24 columns, columns that a judge gives, and columns by text alone."""

_RANGES = {
    "Laplace Perplexity": (1.0, math.inf),
    "Lidstone Perplexity": (1.0, math.inf),
    **dict.fromkeys(("Cosine similarity", "Pearson correlation"), (-1.0, 1.0)),
    **dict.fromkeys((column for column in VECTOR_ORDER if column.startswith("Bert-Score")), (-1.0, 1.0)),
    **dict.fromkeys((column for column in VECTOR_ORDER if column.startswith("B-RT")), (0.0, 5.0)),
}
_PUBLISHED_RANGES = {"B-RT.consistency": (-5.0, 5.0), "B-RT.relevance": (-5.0, 5.0), "B-RT.average": (-2.5, 5.0)}


def score_ranges(profile: VectorProfile) -> dict[str, tuple[float, float]]:
    """Return the smallest and largest possible value of each of the 24 columns; infinity if unbounded."""
    known = _RANGES | (_PUBLISHED_RANGES if profile == "published" else {})
    return {column: known.get(column, (0.0, 1.0)) for column in VECTOR_ORDER}


VectorReason = Literal[
    "empty_answer",
    "empty_reference",
    "no_tokens",
    "constant_vector",
    "too_long",
    "not_finite",
    "encoder_unavailable",
    "unknown_script",
    "wordnet_unavailable",
    "not_requested",
    "generation_failed",
]
"""Reasons why one of the 24 scores has no value; the form of bundles knows these only."""

MissingReason = Literal[
    VectorReason,
    "abstained",
    "no_passages",
    "no_facts",
    "none_applies",
    "no_sentences",
    "no_nuggets",
    "no_citations",
    "cut_off",
    "not_json",
    "off_schema",
    "prompt_too_long",
    "no_logprobs",
    "judge_failed",
    "budget",
]
"""Reasons why a score or a mark has no value."""

Reasons = tuple[MissingReason | None, ...]
"""Reason of each missing value in a row; None where there is a value."""

CAUSED_BY_SYSTEM: frozenset[str] = frozenset(
    {"empty_answer", "no_tokens", "constant_vector", "abstained", "no_citations"}
)
"""Reasons caused by the system under test; the others are caused by measuring."""


class Citation(Frozen):
    """Publication of a metric's definition."""

    text: str
    """Authors, year, title, venue."""
    url: str = ""
    """DOI or address."""


Resource = Literal["wordnet", "encoder", "judge"]
"""Resources that a metric may need besides the texts; a judge is a model that is chosen for each assessment."""


class MetricInfo(Frozen):
    """A metric's description, from which help, docs and the web page are made."""

    name: str
    """Column name."""
    profile: Profile
    """Profile that the definition belongs to."""
    summary: LocalizedText
    """One sentence."""
    formula: LocalizedText
    """The definition, in plain text."""
    minimum: float | None
    """Smallest possible value, None if unbounded."""
    maximum: float | None
    """Largest possible value, None if unbounded."""
    higher_is_better: bool
    """True if higher values are better."""
    needs: tuple[Resource, ...] = ()
    """Resources that the metric needs."""
    citation: Citation
    """Source of the definition."""
    cannot_see: LocalizedText
    """Limitations of the metric, in one to three sentences."""
    notes: tuple[str, ...] = ()
    """Notes to read before comparing values."""

    @property
    def bounds(self) -> Bounds:
        """Smallest and largest possible value."""
        return self.minimum, self.maximum


ScoreNote = Literal["answer_cut_off", "meteor_exact", "unicode-1"]
"""Note on a value.

`answer_cut_off`: the reference filled the encoder's token limit, so the encoder saw none of the answer.
`meteor_exact`: METEOR matched equal words only, because stems and synonyms are of English.
`unicode-1`: the texts were cut by that tokenizer, because the reference holds a letter beyond ASCII.
"""

UNICODE_1: ScoreNote = "unicode-1"
METEOR_EXACT: ScoreNote = "meteor_exact"
UNKNOWN_SCRIPT: MissingReason = "unknown_script"


Notes = tuple[ScoreNote | None, ...]
"""Note on each value of a row; None where there is none."""


class Valued(Protocol):
    """Has a value, or None with a reason."""

    @property
    def value(self) -> object: ...

    @property
    def reason(self) -> object: ...


V = TypeVar("V", bound=Valued)


def value_or_reason(found: V) -> V:
    """Validate a model that has either a value, or None with a reason; ValueError for both or neither."""
    if (found.value is None) == (found.reason is None):
        raise ValueError("a result has either a value or a reason")
    return found


class Score(Frozen):
    """One metric's value for one answer: a finite number, or None with a reason."""

    value: float | None
    """Finite, or None."""
    reason: MissingReason | None = None
    """Reason why there is no value; None if there is one."""
    note: ScoreNote | None = None
    """Remark about the value, from the closed list of notes."""

    _value_or_reason = model_validator(mode="after")(value_or_reason)


Scores = Mapping[str, Score]
"""Scores of one answer, by column."""


def counts_at(rows: Mapping[Reasons, int] | Mapping[Notes, int], place: int) -> dict[str, int]:
    """Count the reasons, or the notes, of one column from how often each row of them occurs."""
    counts: Counter[str] = Counter()
    for said, count in rows.items():
        if (each := said[place]) is not None:
            counts[each] += count
    return dict(counts)


@dataclass(frozen=True, eq=False)
class ScoreRow:
    """The 24 columns of one answer in vector order."""

    values: NDArray[np.float64]
    """Shape (24,), finite; 0 where `reasons` has an entry."""
    reasons: Reasons
    """Reason of each missing value by column."""

    @classmethod
    def of(cls, scores: Scores) -> ScoreRow:
        """Build from scores by column; an absent column counts as not requested."""
        lacking = Score(value=None, reason="not_requested")
        row = [scores.get(column, lacking) for column in VECTOR_ORDER]
        return cls(np.array([score.value or 0.0 for score in row]), tuple(score.reason for score in row))


@dataclass(frozen=True)
class ScoreTable:
    """Scores of many answers: `values[i, j]` belongs to row `ids[i]` and column `columns[j]`.

    `values` is float64 of shape (n, m) and finite everywhere; a place is 0 where `reasons` says why there is no
    value, and `present` (bool, same shape) is the mask to use.
    """

    ids: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    reasons: tuple[Reasons, ...]
    notes: Mapping[int, Notes] = field(default_factory=dict)
    """Notes on the values of a row, by its place; rows without notes are absent."""

    @classmethod
    def of(cls, ids: Sequence[str], rows: Sequence[Scores], columns: Sequence[str] = VECTOR_ORDER) -> ScoreTable:
        """Build a table from rows of scores, in order."""
        values = np.zeros((len(rows), len(columns)))
        reasons: list[Reasons] = []
        notes: dict[int, Notes] = {}
        for i, row in enumerate(rows):
            values[i] = [row[column].value or 0.0 for column in columns]
            if any(noted := tuple(row[column].note for column in columns)):
                notes[i] = noted
            reasons.append(tuple(row[column].reason for column in columns))
        return cls(tuple(ids), tuple(columns), values, tuple(reasons), notes)

    @classmethod
    def of_score_rows(cls, ids: Sequence[str], rows: Sequence[ScoreRow]) -> ScoreTable:
        """Build a table from rows with all 24 columns, in order."""
        values = np.array([row.values for row in rows]).reshape(len(rows), len(VECTOR_ORDER))
        return cls(tuple(ids), VECTOR_ORDER, values, tuple(row.reasons for row in rows))

    def score_rows(self) -> list[ScoreRow]:
        """Yield the rows of a table with all 24 columns in vector order."""
        return [ScoreRow(values, reasons) for values, reasons in zip(self.values, self.reasons, strict=True)]

    @cached_property
    def lacks(self) -> tuple[tuple[Reasons, ...], NDArray[np.intp]]:
        """Return the distinct rows of reasons in order of appearance, and the index of each row's kind, shape (n,).

        Most rows lack the same values or none, so callers handle each kind once.
        """
        kinds = {row: place for place, row in enumerate(dict.fromkeys(self.reasons))}
        places = np.fromiter((kinds[row] for row in self.reasons), dtype=np.intp, count=len(self.reasons))
        return tuple(kinds), places

    @property
    def present(self) -> NDArray[np.bool_]:
        """Mask of existing values; bool, shape (n, m)."""
        kinds, places = self.lacks
        masks = np.array([[reason is None for reason in row] for row in kinds], dtype=bool)
        return masks.reshape(len(kinds), len(self.columns))[places]

    def column(self, name: str) -> Iterator[Score]:
        """Yield the scores of one column, without notes, in the order of the rows; ValueError for an unknown column."""
        place = self.columns.index(name)
        for value, reasons in zip(self.values[:, place].tolist(), self.reasons, strict=True):
            reason = reasons[place]
            yield Score(value=None if reason else value, reason=reason)

    def rows(self) -> Iterator[dict[str, Score]]:
        """Return the scores of each row."""
        none: Notes = (None,) * len(self.columns)
        for i, (values, reasons) in enumerate(zip(self.values, self.reasons, strict=True)):
            yield {
                column: Score(value=None if reason else float(value), reason=reason, note=note)
                for column, value, reason, note in zip(
                    self.columns, values, reasons, self.notes.get(i, none), strict=True
                )
            }

    def __len__(self) -> int:
        return len(self.ids)
