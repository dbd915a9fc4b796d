"""The text of a table cell, the same in reports and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from passer.domain.analysis.study_table import Cell
from passer.domain.wording.catalogue import catalogue
from passer.domain.wording.counted import grouped
from passer.domain.wording.sentence import Sentence, number_sentence, sentence

CellKind = Literal["count", "p", "threshold", "percent", "gain", "points", "change", "size", "share", "three", "four"]
"""Number format of a column. points: 100 times a gain, with sign; size: 100 times a size, without.

gain: a gain in percent, with sign. change: a gain in the unit of its metric, with sign. three, four: decimals.
count: whole numbers.
"""
NOTHING = "-"
"""Text of a missing value."""

_PERCENT = ("_pct",)
_P = ("p", "p_value")
_THREE = (
    "cohens_d", "cv", "within_cv", "between_cv", "baseline_cv", "balance_score", "balance", "spearman_rho", "f",
    "t_statistic", "t",
)  # fmt: skip
_POINTS = (
    "gain", "corrected_gain", "gain_ci_low", "gain_ci_high", "difference_of_gains", "confirmed_gain", "confirmed_low",
    "confirmed_high", "optimism", "detectable", "spread", "change_of_gain",
    "gain_with_passages", "gain_with_passages_ci_low", "gain_with_passages_ci_high",
    "gain_without_passages", "gain_without_passages_ci_low", "gain_without_passages_ci_high",
)  # fmt: skip
_CHANGES = ("primary_gain", "primary_low", "primary_high")
_SHARES = ("chosen_share", "best_share", "better_share", "alpha_share", "weight", "effective_weight", "coverage",
           "abstention_rate", "similarity_percentile", "agreement", "flipped_share", "flipped_share_ci_low",
           "flipped_share_ci_high", "right_share", "right_share_ci_low", "right_share_ci_high")  # fmt: skip
_SUMMED_UP = re.compile(r"(?P<what>\w+)_(?P<part>median|q1|q3)")
_WORDED = (
    "model", "name", "rows_of", "threshold", "profile", "effect", "alignment", "interpretation", "correction",
    "normalisation", "basis", "change_of_gain", "equivalent", "pool", "is_baseline", "is_best", "is_constant",
    "is_contiguous", "not_told_from_best", "one_at_a_time", "calibration",
    "outcome", "part", "remedy", "above_chance", "ranked",
)  # fmt: skip
"""Columns with words in their cells; other texts are names, which stay as they are."""
_CODES = {"cause": "located", "grouping": "grouping", "decisive": "column", "figure": "column"}
"""Columns with codes that the catalogue has under another subject."""
_PLANNED = re.compile(r"questions_for_(?P<points>[\d.]+)_points")


def heading(column: str) -> str:
    """Return a column's name in words, with its unit."""
    if found := _SUMMED_UP.fullmatch(column):
        return sentence("column.with-part", column=heading(found["what"]), part=heading(found["part"]))
    if found := _PLANNED.fullmatch(column):
        points = float(found["points"])
        return sentence("column.questions-for-points", n=points, points=number_sentence(points))
    return sentence(f"column.{column}") if f"column.{column}" in catalogue("en") else column.replace("_", " ")


def cell_text(column: str, value: Cell) -> str:
    """Return the text of a cell: scores 4 decimals, gains in points and percent 2 with sign, p as .012."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, str):
        return cell_word(column, value)
    if isinstance(value, bool):
        return _word("yes" if value else "no")
    if isinstance(value, int):
        return grouped(value)
    return _TEXTS[kind_of(column)](value)


def cell_word(column: str, text: str) -> str:
    """Return a text of a column in words, where its texts are words; names stay as they are."""
    if isinstance(text, Sentence):
        return text
    code = f"{_CODES[column]}.{text}" if column in _CODES else ""
    if code in catalogue("en"):
        return sentence(code)
    return _word(text) if column in _WORDED else text


def _word(text: str) -> str:
    code = re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")
    return sentence(f"cell.{code}") if f"cell.{code}" in catalogue("en") else text


def kind_of(column: str) -> CellKind:
    """Return how the numbers of a column are written that are not whole."""
    if column in _P or column.startswith("p_"):
        return "p"
    if _is_threshold(column):
        return "threshold"
    if column.endswith(_PERCENT) or "(%" in column or "(points)" in column:
        is_gain = column.endswith(_PERCENT) or "gain" in column.lower() or "(points)" in column
        return "gain" if is_gain else "percent"
    if column in _POINTS:
        return "size" if column in ("detectable", "spread") else "points"
    if column in _CHANGES:
        return "change"
    if column in _SHARES:
        return "share"
    return "three" if column in _THREE else "four"


def p_text(value: float) -> str:
    """Return a p value as papers print it: .012, < .001."""
    return "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def is_number(column: str, value: Cell) -> bool:
    """Return whether a cell is right-aligned as a number."""
    return value is None or not isinstance(value, str) or _is_threshold(column)


def _is_threshold(column: str) -> bool:
    return column.lower().endswith("threshold")


def _unsigned_zero(value: float, digits: int) -> float:
    return round(value, digits) + 0.0


_TEXTS: dict[CellKind, Callable[[float], str]] = {
    "count": grouped,
    "p": p_text,
    "threshold": lambda value: f"{value:.2f}",
    "percent": lambda value: f"{_unsigned_zero(value, 2):.2f}",
    "gain": lambda value: f"{_unsigned_zero(value, 2):+.2f}",
    "points": lambda value: f"{_unsigned_zero(100 * value, 2):+.2f}",
    "change": lambda value: f"{_unsigned_zero(value, 4):+.4f}",
    "size": lambda value: f"{_unsigned_zero(100 * value, 2):.2f}",
    "share": lambda value: f"{value:.1%}",
    "three": lambda value: f"{_unsigned_zero(value, 3):.3f}",
    "four": lambda value: f"{_unsigned_zero(value, 4):.4f}",
}
