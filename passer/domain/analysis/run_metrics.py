"""The 24 columns of one configuration: mean, spread, and how the values are distributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.score import (
    METEOR_EXACT,
    UNICODE_1,
    UNKNOWN_SCRIPT,
    Reasons,
    ScoreTable,
    VectorProfile,
    counts_at,
)
from passer.domain.statistics import UNBOUNDED, Bounds, Floats
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence

BINS = 20
"""Equal parts of a distribution's range."""


class MetricSpread(Frozen):
    """One of the 24 columns over a configuration's rows."""

    metric: str
    """Column name."""
    mean: float | None
    """Over the rows that have a value; None where none has."""
    n: int
    """Rows that have a value."""
    minimum: float | None = None
    """Smallest value; None without any."""
    median: float | None = None
    """Half of the values lie below; None without any."""
    maximum: float | None = None
    """Largest value; None without any."""
    low: float | None = None
    """Lower end of the first bin: the smallest possible value, or the smallest observed one."""
    high: float | None = None
    """Upper end of the last bin: the largest possible value, or the largest observed one."""
    bins: tuple[int, ...] = ()
    """Values in each of 20 equal parts from `low` to `high`; the last includes `high` itself. Empty without values."""
    missing: dict[str, int]
    """Rows without a value, by reason."""
    notes: dict[str, int] = Field(default_factory=dict)
    """Values with a note, by note: `meteor_exact` says in how many rows METEOR is METEOR (exact)."""


class RunMetrics(Frozen):
    """Means and distributions of the scores of a run over its repetitions."""

    run_ids: tuple[str, ...]
    """The run, or all repetitions of its configuration."""
    name: LocalizedText
    """Name of the configuration."""
    baseline_id: str | None
    """The run that it is compared with; None for a baseline, or without one."""
    profile: VectorProfile
    """Definitions of the columns."""
    metrics: tuple[MetricSpread, ...]
    """Metrics in vector order, over all scored and failed rows."""
    scoring: tuple[LocalizedText, ...] = ()
    """Remarks about the figures: tokenizer, METEOR and encoder where texts are not English, weights of questions."""


def spreads(table: ScoreTable, bounds: Mapping[str, Bounds]) -> tuple[MetricSpread, ...]:
    """Return mean and distribution of each column; missing values are counted unless the table has no value at all."""
    present = table.present
    kinds: Counter[Reasons] = Counter(table.reasons if present.any() else ())
    noted = Counter(table.notes.values())
    return tuple(
        _spread(
            column,
            table.values[present[:, place], place],
            bounds.get(column, UNBOUNDED),
            missing=counts_at(kinds, place),
            notes=counts_at(noted, place),
        )
        for place, column in enumerate(table.columns)
    )


def scoring_of(table: ScoreTable, *, encoder: str) -> tuple[Sentence, ...]:
    """Return how the pairs of a run were scored, where it is not as for English texts."""
    noted, kinds = Counter(table.notes.values()), Counter(table.reasons)
    pairs = int(table.present.any(axis=1).sum())
    by_unicode = counts_at(noted, table.columns.index("BLEU")).get(UNICODE_1, 0)
    exact = counts_at(noted, table.columns.index("METEOR")).get(METEOR_EXACT, 0)
    unknown = counts_at(kinds, table.columns.index("Cosine similarity")).get(UNKNOWN_SCRIPT, 0)
    said = []
    if by_unicode:
        said.append(sentence("scoring.unicode", n=by_unicode, of=pairs))
    if exact:
        said.append(sentence("scoring.meteor-exact", n=exact, of=pairs))
    if unknown:
        said.append(sentence("scoring.unknown-script", n=unknown, of=pairs, encoder=encoder))
    if by_unicode or exact:
        said.append(sentence("scoring.abstentions"))
    return tuple(said)


def _spread(
    column: str, values: Floats, bounds: Bounds, *, missing: dict[str, int], notes: dict[str, int]
) -> MetricSpread:
    if values.size == 0:
        return MetricSpread(metric=column, mean=None, n=0, missing=missing)
    smallest, largest = float(values.min()), float(values.max())
    # A value that rounding puts beyond what is possible still lies in a bin.
    low = smallest if bounds[0] is None else min(bounds[0], smallest)
    high = largest if bounds[1] is None else max(bounds[1], largest)
    if low < high:
        bins = tuple(int(count) for count in np.histogram(values, bins=BINS, range=(low, high))[0])
    else:
        bins = (*(0,) * (BINS - 1), int(values.size))
    return MetricSpread(
        metric=column,
        mean=float(values.sum() / values.size),
        n=int(values.size),
        minimum=smallest,
        median=float(np.median(values)),
        maximum=largest,
        low=low,
        high=high,
        bins=bins,
        missing=missing,
        notes=notes,
    )
