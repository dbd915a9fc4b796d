"""Values that people choose from when they rate an answer in a judged column."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.failures.judged_labels import COLUMNS, INCOMPLETE_COLUMN

Scale = tuple[tuple[float, str], ...]
"""Values in [0, 1], ascending, each with the code of its meaning."""
_DECISION: Scale = ((0.0, "no"), (1.0, "yes"))
_ASPECT: Scale = ((0.0, "no"), (0.5, "partly"), (1.0, "yes"))
_GRADE: Scale = ((0.0, "wrong"), (0.3, "little"), (0.5, "partly-right"), (0.7, "nearly-right"), (1.0, "complete"))
"""The anchors that the judge's instruction of Answer correctness describes."""
_SHARE: Scale = ((0.0, "none"), (0.25, "quarter"), (0.5, "half"), (0.75, "three-quarters"), (1.0, "all"))
_SCALES: Mapping[str, Scale] = {
    "Answer correctness": _GRADE,
    "Answer correctness (weighted)": _GRADE,
    **dict.fromkeys(("Answerability", "Answer attempted", *COLUMNS.values(), INCOMPLETE_COLUMN), _DECISION),
    **dict.fromkeys(("Stand-alone question", "Relevance", "Accuracy", "Completeness", "Precision"), _ASPECT),
}
"""Levels of the columns that are no shares."""


def scale_of(column: str) -> Scale:
    """Return the levels of a judged column; shares have five."""
    return _SCALES.get(column, _SHARE)
