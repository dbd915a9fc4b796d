"""Metrics, their scores for one answer, and tables of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class ScoreTable:
    """Scores of many answers: `values[i, j]` belongs to row `ids[i]` and column `columns[j]`.

    `values` is float64 of shape (n, m) and finite everywhere; a place is 0 where `reasons` says why there is no
    value, and `present` (bool, same shape) is the mask to use.
    """

    ids: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    reasons: tuple[tuple[MissingReason | None, ...], ...]
    notes: Mapping[tuple[int, int], ScoreNote] = field(default_factory=dict)
    """What to know about single values, by their places (i, j); most tables have none."""

    @classmethod
    def of(cls, ids: Sequence[str], rows: Sequence[Scores], columns: Sequence[str] = VECTOR_ORDER) -> ScoreTable:
        """Lay rows of scores side by side, in order."""
        values = np.zeros((len(rows), len(columns)))
        reasons: list[tuple[MissingReason | None, ...]] = []
        notes: dict[tuple[int, int], ScoreNote] = {}
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                values[i, j] = row[column].value or 0.0
                if (note := row[column].note) is not None:
                    notes[i, j] = note
            reasons.append(tuple(row[column].reason for column in columns))
        return cls(tuple(ids), tuple(columns), values, tuple(reasons), notes)

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a value; bool, shape (n, m)."""
        # Most rows lack nothing, or the same: each kind is looked at once.
        kinds = {row: place for place, row in enumerate(dict.fromkeys(self.reasons))}
        masks = np.array([[reason is None for reason in row] for row in kinds], dtype=bool)
        places = np.fromiter((kinds[row] for row in self.reasons), dtype=np.intp, count=len(self.reasons))
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
