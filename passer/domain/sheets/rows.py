"""Imported result sheets as the table that every analysis begins with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.analysis.score_rows import Configuration, Mask, ScoreRows
from passer.domain.panel import PANELS, Panel
from passer.domain.score import VECTOR_ORDER, Reasons, ScoreTable
from passer.domain.sheets.labels import LabelOrder, check_labels, possible, true_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError


def rows_of_sheets(
    sheets: Sequence[Sheet],
    names: Sequence[str],
    panel: Panel,
    *,
    true_columns: bool = True,
    first: int | None = None,
    compared: bool = True,
) -> ScoreRows:
    """Return the stacked rows of sheets; `names` are the labels of their models.

    `true_columns` reads past shifted labels and impossible values; `first` limits the rows of each sheet; without
    `compared` no sheet has a baseline. InputError where a sheet lacks a column of the panel, ConflictError where its
    labels cannot be determined.
    """
    orders = [check_labels(sheet).order if true_columns else "right" for sheet in sheets]
    for sheet, order in zip(sheets, orders, strict=True):
        _check_columns(sheet, panel, order)
        if order == "unclear":
            raise ConflictError(sentence("sheet.shifted", sheet=str(sheet.path)))
    baselines = {sheet.model: place for place, sheet in enumerate(sheets) if sheet.is_baseline and compared}
    return ScoreRows.stacked(
        [
            (place, _table(sheet, order, first, checked=true_columns))
            for place, (sheet, order) in enumerate(zip(sheets, orders, strict=True))
        ],
        [
            Configuration(
                name=sheet.path,
                model=sheet.model,
                label=name,
                sources=(sheet.path,),
                levels=sheet.place.levels,
                baseline=None if sheet.is_baseline else baselines.get(sheet.model),
            )
            for sheet, name in zip(sheets, names, strict=True)
        ],
        unit="sheets",
    )


def lacking_label(sheet: Sheet, panel: Panel, order: LabelOrder) -> str | None:
    """Return the label of the first column of the panel that the sheet lacks; None where it has all."""
    labels = (true_label(column, order) for column in panel.columns)
    return next((label for label in labels if label not in sheet.columns), None)


def _check_columns(sheet: Sheet, panel: Panel, order: LabelOrder) -> None:
    lacking = lacking_label(sheet, panel, order)
    if lacking is not None:
        code = "sheet.no-column" if lacking_label(sheet, PANELS["phase2"], "right") else "sheet.of-pilot"
        raise InputError(
            sentence(code, sheet=str(sheet.path), column=lacking, panel=panel.name),
            field="procedure",
        )


def _table(sheet: Sheet, order: LabelOrder, first: int | None, *, checked: bool) -> ScoreTable:
    """The 24 columns; of one that the sheet lacks, and of a cell without a number, the score is missing.

    With `checked` a number that the metric cannot have is missing too: one METEOR of 17 would otherwise be the pool's
    maximum and move every CPS.
    """
    known = sheet.present & possible(sheet, order) if checked else sheet.present
    keys = sheet.keys[:first]
    values = np.zeros((len(keys), len(VECTOR_ORDER)))
    present = np.zeros(values.shape, dtype=bool)
    labels = [true_label(column, order) for column in VECTOR_ORDER]
    there = [place for place, label in enumerate(labels) if label in sheet.columns]
    own = [sheet.columns.index(labels[place]) for place in there]
    values[:, there] = sheet.values[: len(keys), own]
    present[:, there] = known[: len(keys), own]
    return ScoreTable(keys, VECTOR_ORDER, values, _reasons(present))


def _reasons(present: Mask) -> tuple[Reasons, ...]:
    """Return the reason `not_requested` for each missing score: sheets state none. Equal rows share a tuple."""
    codes = present @ (1 << np.arange(present.shape[1]))
    _, places, kind_of = np.unique(codes, return_index=True, return_inverse=True)
    kinds: list[Reasons] = [tuple(None if there else "not_requested" for there in row) for row in present[places]]
    return tuple(kinds[kind] for kind in kind_of)
