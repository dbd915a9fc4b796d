"""Result sheets of earlier PaSSER versions: one sheet for a configuration, one row for a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from passer.domain.analysis.levels import MIN_SIMILARITY, STRATEGY, Levels
from passer.domain.base import Frozen
from passer.domain.score import VECTOR_ORDER
from passer.domain.texts.words import composed

if TYPE_CHECKING:
    from passer.domain.sheets.audit import Audit

BASELINE_THRESHOLD = 0.01
"""Threshold by which the published study names the configuration without a threshold."""

COLUMN_OF_LABEL: dict[str, str] = {column.lower(): column for column in VECTOR_ORDER} | {"blue": "BLEU"}
"""Column by lower-cased label; the oldest sheets spell BLEU so."""

STRATEGIES = ("hierarchical", "collaborative", "competitive")
"""Strategies of maPaSSER's agents; its sheets have a strategy where PaSSER's have a threshold."""

_NAMED = "|".join(("baseline", *STRATEGIES))
# A dot between optional digits would be tried at every place: paths of untrusted studies may be long.
_NUMBER = r"\d+(?:\.\d+)?|\.\d+"
_CONFIGURATION = re.compile(
    rf"(?:threshold[_-])?({_NUMBER})|(?:(?:threshold|strategy)[_-])?({_NAMED})", re.IGNORECASE | re.ASCII
)
_MODEL_AND_CONFIGURATION = re.compile(rf"(?P<model>.+)-(?P<configuration>{_NAMED}|{_NUMBER})", re.IGNORECASE | re.ASCII)
_DESCRIPTION = re.compile(r"\s*question:(?P<question>.*?)(?:,|\|)\s*answer:(?P<answer>.*)", re.DOTALL | re.IGNORECASE)
# Marks are vowels in Thai and Hindi; without them different questions would be one, and averaged.
_NEITHER_LETTER_NOR_DIGIT = regex.compile(r"(?V1)[^[[\p{L}\p{M}\p{N}]--\p{Variation_Selector}]]+")


class Place(NamedTuple):
    """Configuration of a sheet."""

    model: str
    """Name of the model in its folder or file name."""
    threshold: float | None
    """None is the baseline, or a strategy."""
    strategy: str | None = None
    """Strategy of maPaSSER; None for the baseline or a threshold."""

    @property
    def levels(self) -> Levels:
        """Return the level of its factor; empty for the baseline."""
        if self.strategy is not None:
            return {STRATEGY: self.strategy}
        return {} if self.threshold is None else {MIN_SIMILARITY: self.threshold}

    @property
    def order(self) -> tuple[str, bool, float, int]:
        """Sort key: by model, the baseline first, then thresholds ascending, then strategies."""
        place = 0 if self.strategy is None else 1 + STRATEGIES.index(self.strategy)
        return self.model, bool(self.levels), float("inf") if place else self.threshold or 0.0, place


def place_of(path: str) -> Place | None:
    """Parse MODEL/threshold_T/FILE, MODEL/threshold_T.xlsx or MODEL-T.xlsx; None for another path.

    T may also be the name of a strategy.
    """
    parts = PurePosixPath(path).parts
    stem = PurePosixPath(path).stem
    if len(parts) == 1:
        found = _MODEL_AND_CONFIGURATION.fullmatch(stem)
        return _place(found["model"], found["configuration"]) if found else None
    configuration = _CONFIGURATION.fullmatch(parts[1] if len(parts) == 3 else stem)
    return _place(parts[0], configuration[1] or configuration[2]) if configuration and len(parts) <= 3 else None


def _place(model: str, configuration: str) -> Place | None:
    name = configuration.lower()
    if name == "baseline" or name in STRATEGIES:
        return Place(model, None, None if name == "baseline" else name)
    threshold = float(configuration)
    if threshold > 1:
        return None
    return Place(model, None if threshold == BASELINE_THRESHOLD else threshold)


def split_description(text: str) -> tuple[str, str] | None:
    """Return question and answer of a `Description` cell, trimmed; None if one is missing."""
    found = _DESCRIPTION.fullmatch(text)
    return (found["question"].strip(), found["answer"].strip()) if found and found["question"].strip() else None


def question_key(text: str) -> str:
    """Return the key by which questions are matched: lower-cased letters with their marks, and digits, in NFC."""
    return str(_NEITHER_LETTER_NOR_DIGIT.sub("", composed(text.lower())))


def question_keys(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of many questions; equal texts share one key in memory."""
    known: dict[str, str] = {}
    for text in texts:
        if text not in known:
            known[text] = intern(question_key(text))
    return tuple(known[text] for text in texts)


class UnreadableCell(Frozen):
    """A metric cell that contains no number."""

    row: int
    """Row number in a spreadsheet program: the header is row 1."""
    column: str
    """Column name."""
    text: str
    """Its text, the first 80 characters; empty for an empty cell."""


class SheetRemarks(Frozen):
    """Contents of a sheet besides its scores."""

    footer_rows: tuple[int, ...] = ()
    """Rows with the id `Average`; left out."""
    blank_rows: tuple[int, ...] = ()
    """Rows without anything, before the last; left out."""
    numbers_as_text: int = 0
    """Metric cells that contain a number as text; read as numbers."""
    unreadable: tuple[UnreadableCell, ...] = ()
    """Metric cells without a number; the score is missing."""
    ignored_columns: tuple[str, ...] = ()
    """Columns that are no metric."""
    further_worksheets: tuple[str, ...] = ()
    """Names of the other worksheets that hold cells; left out."""
    hidden_rows: tuple[int, ...] = ()
    """Rows that a filter or a person hides; read like the others."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """The scores of one configuration, row by row, under the labels of the file."""

    path: str
    """Relative to the imported folder, with `/`."""
    digest: str
    """SHA-256 of the file, hex."""
    model: str
    """Name of the model in its folder or file name."""
    threshold: float | None
    """None is the baseline, or a strategy."""
    columns: tuple[str, ...]
    """Metric columns as labelled, in the spelling of `VECTOR_ORDER`."""
    row_numbers: tuple[int, ...]
    """Row numbers in a spreadsheet program: the header is row 1."""
    questions: tuple[str, ...]
    """Texts, trimmed."""
    answers: tuple[str, ...]
    """Texts, trimmed; empty where the sheet was loaded without them."""
    values: NDArray[np.float64]
    """Shape (rows, columns), finite; 0 where `present` is false."""
    present: NDArray[np.bool_]
    """True where there is a number, same shape."""
    remarks: SheetRemarks

    @cached_property
    def place(self) -> Place:
        """Return its configuration; a strategy is stated in the path only."""
        named = place_of(self.path) if self.threshold is None else None
        return Place(self.model, self.threshold, named.strategy if named else None)

    @property
    def is_baseline(self) -> bool:
        """Return whether it is what the others of its model are compared with."""
        return not self.place.levels

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the keys by which its questions are matched."""
        return question_keys(self.questions)

    def column(self, name: str) -> NDArray[np.float64]:
        """Return the values of a column as labelled, shape (rows,)."""
        return self.values[:, self.columns.index(name)]

    def __len__(self) -> int:
        return len(self.questions)


@dataclass(frozen=True, eq=False)
class SheetImport:
    """Sheets imported together, with the findings of the audit."""

    id: str
    """Made from the contents: the same sheets have the same id everywhere."""
    name: str
    """Name of the folder."""
    created_at: datetime
    """UTC."""
    sheets: tuple[Sheet, ...]
    """Sheets by model, the baseline first, then by threshold."""
    audit: Audit
    """Audit of the sheets, to be read before any number."""
    dataset: str | None = None
    """Name of the dataset that the questions were checked against."""
    dataset_digest: str | None = None
    """Its version."""
    former_name: str | None = None
    """Name under which the same sheets had been imported before, where it was another one."""

    @property
    def models(self) -> tuple[str, ...]:
        """Return the names of the models, as the folders state them."""
        return tuple(dict.fromkeys(sheet.model for sheet in self.sheets))

    @property
    def rows(self) -> int:
        """Return the number of rows of all sheets."""
        return sum(map(len, self.sheets))
