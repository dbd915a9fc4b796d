"""Metrics, their scores for one answer, and tables of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from passer.domain.base import Frozen

VECTOR_ORDER: tuple[str, ...] = (
    "METEOR", "BLEU",
    "Rouge-1.r", "Rouge-1.p", "Rouge-1.f", "Rouge-2.r", "Rouge-2.p", "Rouge-2.f", "Rouge-l.r", "Rouge-l.p", "Rouge-l.f",
    "Laplace Perplexity", "Lidstone Perplexity",
    "Cosine similarity", "Pearson correlation", "F1 Score",
    "Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1",
    "B-RT.coherence", "B-RT.consistency", "B-RT.fluency", "B-RT.relevance", "B-RT.average",
)  # fmt: skip
"""The 24 columns in the order in which the contract and every export hold them."""

Profile = Literal["standard", "published"]
"""Which definitions the 24 columns follow; a composite never mixes profiles."""

MissingReason = Literal[
    "empty_answer",
    "empty_reference",
    "no_tokens",
    "constant_vector",
    "too_long",
    "not_finite",
    "encoder_unavailable",
    "wordnet_unavailable",
    "not_requested",
    "generation_failed",
]
"""Why a score has no value."""

Reasons = tuple[MissingReason | None, ...]
"""Why the values of a row are missing, column by column; None where there is one."""

CAUSED_BY_SYSTEM: frozenset[str] = frozenset({"empty_answer", "no_tokens", "constant_vector"})
"""Reasons that the system under test has to answer for; the others come from the measuring."""


class Citation(Frozen):
    """Where a metric's definition was published."""

    text: str
    """Authors, year, title, venue."""
    url: str = ""
    """DOI or address."""


class MetricInfo(Frozen):
    """What a metric says about itself; help, docs and the web page are made from it."""

    name: str
    """Column name."""
    profile: Profile
    """The profile whose definition this is."""
    summary: str
    """One sentence."""
    formula: str
    """The definition, in plain text."""
    minimum: float | None
    """Smallest possible value, None if unbounded."""
    maximum: float | None
    """Largest possible value, None if unbounded."""
    higher_is_better: bool
    """Direction."""
    needs: tuple[Literal["wordnet", "encoder"], ...] = ()
    """What must be there."""
    citation: Citation
    """Source of the definition."""
    notes: tuple[str, ...] = ()
    """What a reader must know before comparing values."""


ScoreNote = Literal["answer_cut_off"]
"""What to know about a value: behind a long reference the encoder saw nothing of the answer."""


class Score(Frozen):
    """One metric's value for one answer: a finite number, or None with a reason."""

    value: float | None
    """Finite, or None."""
    reason: MissingReason | None = None
    """Why there is no value."""
    note: ScoreNote | None = None
    """What to know about the value: behind a long reference the encoder saw nothing of the answer."""

    @model_validator(mode="after")
    def _value_or_reason(self) -> Score:
        if (self.value is None) == (self.reason is None):
            raise ValueError("a score has either a value or a reason")
        return self


Scores = Mapping[str, Score]
"""Scores of one answer, by column."""


def missing_by_reason(rows: Mapping[Reasons, int], place: int) -> dict[str, int]:
    """How many of so many rows of each kind have no value in the column at a place, by reason."""
    counts: Counter[str] = Counter()
    for reasons, count in rows.items():
        if (reason := reasons[place]) is not None:
            counts[reason] += count
    return dict(counts)


@dataclass(frozen=True, eq=False)
class ScoreRow:
    """All 24 columns of one answer, in vector order; one row of a table."""

    values: NDArray[np.float64]
    """Shape (24,), finite; 0 where there is a reason instead."""
    reasons: Reasons
    """Why there is no value, column by column."""

    @classmethod
    def of(cls, scores: Scores) -> ScoreRow:
        """From scores by column; a column that is not there was not requested."""
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
    notes: Mapping[tuple[int, int], ScoreNote] = field(default_factory=dict)
    """What to know about single values, by their places (i, j); most tables have none."""

    @classmethod
    def of(cls, ids: Sequence[str], rows: Sequence[Scores], columns: Sequence[str] = VECTOR_ORDER) -> ScoreTable:
        """Lay rows of scores side by side, in order."""
        values = np.zeros((len(rows), len(columns)))
        reasons: list[Reasons] = []
        notes: dict[tuple[int, int], ScoreNote] = {}
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                values[i, j] = row[column].value or 0.0
                if (note := row[column].note) is not None:
                    notes[i, j] = note
            reasons.append(tuple(row[column].reason for column in columns))
        return cls(tuple(ids), tuple(columns), values, tuple(reasons), notes)

    @classmethod
    def of_score_rows(cls, ids: Sequence[str], rows: Sequence[ScoreRow]) -> ScoreTable:
        """Lay rows of all 24 columns side by side, in order."""
        values = np.array([row.values for row in rows]).reshape(len(rows), len(VECTOR_ORDER))
        return cls(tuple(ids), VECTOR_ORDER, values, tuple(row.reasons for row in rows))

    def score_rows(self) -> list[ScoreRow]:
        """Row by row; of a table that holds all 24 columns in vector order."""
        return [ScoreRow(values, reasons) for values, reasons in zip(self.values, self.reasons, strict=True)]

    @cached_property
    def lacks(self) -> tuple[tuple[Reasons, ...], NDArray[np.intp]]:
        """The different rows of reasons, in order of appearance, and which of them each row has, shape (n,).

        Most rows lack nothing, or the same: each kind need be looked at only once.
        """
        kinds = {row: place for place, row in enumerate(dict.fromkeys(self.reasons))}
        places = np.fromiter((kinds[row] for row in self.reasons), dtype=np.intp, count=len(self.reasons))
        return tuple(kinds), places

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a value; bool, shape (n, m)."""
        kinds, places = self.lacks
        masks = np.array([[reason is None for reason in row] for row in kinds], dtype=bool)
        return masks.reshape(len(kinds), len(self.columns))[places]

    def rows(self) -> Iterator[dict[str, Score]]:
        """The scores again, row by row."""
        for i, (values, reasons) in enumerate(zip(self.values, self.reasons, strict=True)):
            yield {
                column: Score(value=None if reason else float(value), reason=reason, note=self.notes.get((i, j)))
                for j, (column, value, reason) in enumerate(zip(self.columns, values, reasons, strict=True))
            }

    def __len__(self) -> int:
        return len(self.ids)
