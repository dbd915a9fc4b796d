"""The part of the audit that looks at columns: missing from a panel, or with values that a metric cannot have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.panel import PANELS
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.audit import LISTED, Finding
from passer.domain.sheets.labels import check_labels, true_label
from passer.domain.sheets.ranges import impossible_cells
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.sentence import sentence

_PILOT_COLUMNS = 16
"""The pilot's sheets end before the columns of the encoder, so they are read by its panel."""


def column_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    """Return findings on missing columns, grouped by column, then on impossible values of each sheet."""
    lacking: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for sheet in sheets:
        panel, columns = _missing(sheet)
        if columns:
            lacking.setdefault((panel, columns), []).append(sheet.path)
    for (panel, columns), paths in lacking.items():
        yield Finding(
            kind="missing_columns",
            severity="defect",
            sheets=tuple(paths),
            count=len(columns),
            listed=columns,
            message=sentence("audit.missing-columns", n=len(paths), sheet=paths[0], columns=columns, panel=panel),
            action=sentence("advice.missing-columns"),
        )
    for sheet in sheets:
        yield from _impossible(sheet)


def _missing(sheet: Sheet) -> tuple[str, tuple[str, ...]]:
    """Name of the panel that the sheet was made for, and the panel's columns that the sheet lacks."""
    order = check_labels(sheet).order
    metrics = {column for column in VECTOR_ORDER if true_label(column, order) in sheet.columns}
    panel = PANELS["phase3" if metrics & set(VECTOR_ORDER[_PILOT_COLUMNS:]) else "phase2"]
    return panel.name, tuple(column for column in panel.columns if column not in metrics)


def _impossible(sheet: Sheet) -> Iterator[Finding]:
    cells = list(impossible_cells(sheet, check_labels(sheet).order))
    if cells:
        yield Finding(
            kind="out_of_range",
            severity="defect",
            sheets=(sheet.path,),
            count=len(cells),
            rows=tuple(dict.fromkeys(cell.row for cell in cells))[:LISTED],
            listed=tuple(
                f"row {cell.row}, {cell.label}: {cell.value:g} ({cell.low:g} to {cell.high:g})"
                for cell in cells[:LISTED]
            ),
            message=sentence("audit.out-of-range", sheet=sheet.path, n=len(cells)),
            action=sentence("advice.out-of-range"),
        )
