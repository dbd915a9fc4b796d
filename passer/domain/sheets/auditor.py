"""The audit of result sheets: labels, columns, contents and cells here, questions next door."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from passer.domain.dataset import Dataset
from passer.domain.panel import PANELS
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.audit import (
    Audit,
    AuditedSheet,
    Finding,
    FindingKind,
    ReferenceCheck,
    Severity,
    SheetPlace,
    UnreadFiles,
    finding,
)
from passer.domain.sheets.audit_questions import baseline_findings, question_findings
from passer.domain.sheets.labels import check_labels, impossible_cells, true_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.sentence import Value, sentence

_PILOT_COLUMNS = 16
"""The pilot's sheets end before the columns of the encoder, so they are read by its panel."""


def audit_sheets(
    sheets: Sequence[Sheet],
    *,
    dataset: Dataset | None = None,
    references: ReferenceCheck | None = None,
    unread: UnreadFiles | None = None,
) -> Audit:
    """Return the audit of all sheets of a study; `dataset` has the expected questions, `references` checked scores."""
    audited = tuple(AuditedSheet(**dict(SheetPlace.of(sheet)), questions=len(set(sheet.keys))) for sheet in sheets)
    findings = [*_label_findings(sheets, audited), *question_findings(sheets, dataset), *baseline_findings(sheets)]
    findings += [*_contents_findings(sheets), *column_findings(sheets), *_cell_findings(sheets)]
    findings += references.findings if references else ()
    findings += _file_findings(unread or UnreadFiles())
    order = ("defect", "attention", "note")
    not_checked = [references.not_checked] if references and references.not_checked else []
    if dataset is None:
        not_checked.append(sentence("unchecked.no-dataset"))
    return Audit(
        sheets=audited,
        rows=sum(map(len, sheets)),
        questions=len({key for sheet in sheets for key in sheet.keys}),
        findings=tuple(sorted(findings, key=lambda each: order.index(each.severity))),
        not_checked=tuple(not_checked),
    )


def _label_findings(sheets: Sequence[Sheet], audited: Sequence[AuditedSheet]) -> Iterator[Finding]:
    shifted = [item.path for item in audited if item.labels == "shifted"]
    if shifted:
        moved = (("Rouge-1.r", "BLEU"), ("Rouge-2.f", "ROUGE-2 recall"), ("BLEU", "Rouge-l.f"))
        examples = [sentence("audit.label-holds", label=label, column=column) for label, column in moved]
        counts = {"n": len(shifted), "of": len(audited)}
        yield finding("shifted_labels", "defect", shifted, len(shifted), counts, listed=examples)
    yield from _score_mode_finding(audited)
    right = [item.path for item in audited if item.labels == "right"]
    if shifted and right:
        yield finding("mixed_labels", "defect", right, len(right), {})
    for sheet, item in zip(sheets, audited, strict=True):
        if item.labels == "unclear":
            yield _unclear(sheet)


def _score_mode_finding(audited: Sequence[AuditedSheet]) -> Iterator[Finding]:
    """Sheets in the published layout come from a program whose thresholds meant something else."""
    published = [item.path for item in audited if item.labels == "shifted" and item.threshold is not None]
    if published:
        yield finding("published_score_mode", "note", published, len(published), {"n": len(published)})


def _unclear(sheet: Sheet) -> Finding:
    rows = check_labels(sheet).contradicting
    said: dict[str, Value] = {"sheet": sheet.path}
    said |= {"n": len(rows)} if rows else {}
    code = "unclear-labels-rows" if rows else ""
    return finding(
        "unclear_labels", "defect", [sheet.path], len(rows), said, rows=rows, code=code, action="unclear-labels"
    )


def _contents_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    paths: dict[str, list[str]] = {}
    for sheet in sheets:
        paths.setdefault(sheet.digest, []).append(sheet.path)
    for same in paths.values():
        if len(same) > 1:
            yield finding("same_contents", "defect", same, len(same), {"n": len(same), "sheets": ", ".join(same[:5])})


def _cell_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    for sheet in sheets:
        cells = sheet.remarks.unreadable
        if cells:
            yield finding(
                "non_numeric_cells",
                "defect",
                [sheet.path],
                len(cells),
                {"sheet": sheet.path, "n": len(cells)},
                rows=dict.fromkeys(cell.row for cell in cells),
                listed=[f"row {cell.row}, {cell.column}: {cell.text!r}" for cell in cells],
            )
    yield from _together("numbers_as_text", sheets, lambda sheet: sheet.remarks.numbers_as_text)
    yield from _together("footer", sheets, lambda sheet: len(sheet.remarks.footer_rows))
    yield from _together("blank_rows", sheets, lambda sheet: len(sheet.remarks.blank_rows))
    yield from _unseen("further_worksheets", sheets, lambda sheet: sheet.remarks.further_worksheets)
    yield from _unseen("hidden_rows", sheets, lambda sheet: [f"row {row}" for row in sheet.remarks.hidden_rows])
    yield from _together(
        "ignored_columns",
        sheets,
        lambda sheet: len(sheet.remarks.ignored_columns),
        listed=dict.fromkeys(column for sheet in sheets for column in sheet.remarks.ignored_columns),
    )


def _together(
    kind: FindingKind, sheets: Sequence[Sheet], counted: Callable[[Sheet], int], *, listed: Iterable[str] = ()
) -> Iterator[Finding]:
    """One finding for all sheets that have something harmless."""
    having = [sheet.path for sheet in sheets if counted(sheet)]
    if having:
        count = sum(counted(sheet) for sheet in sheets)
        counts = {"n": len(having), "of": len(sheets), "count": count}
        yield finding(kind, "note", having, count, counts, listed=listed, action="nothing")


def _unseen(
    kind: Literal["hidden_rows", "further_worksheets"], sheets: Sequence[Sheet], parts: Callable[[Sheet], Sequence[str]]
) -> Iterator[Finding]:
    """Yield one finding for all sheets whose file has parts that a reader of it may not know of."""
    having = [sheet for sheet in sheets if parts(sheet)]
    if having:
        listed = [f"{sheet.path}: {part}" for sheet in having for part in parts(sheet)]
        paths, counts = [sheet.path for sheet in having], {"n": len(having), "count": len(listed)}
        yield finding(kind, "attention", paths, len(listed), counts, listed=listed)


def _file_findings(unread: UnreadFiles) -> Iterator[Finding]:
    kinds: tuple[tuple[FindingKind, Severity, tuple[str, ...]], ...] = (
        ("ignored_files", "attention", unread.unnamed),
        ("other_formats", "attention", unread.other_formats),
        ("skipped_twins", "note", unread.twins),
    )
    for kind, severity, names in kinds:
        if names:
            yield finding(kind, severity, (), len(names), {"n": len(names)}, listed=names)


def column_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    """Return findings on missing columns, grouped by column, then on impossible values of each sheet."""
    lacking: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for sheet in sheets:
        panel, columns = _missing(sheet)
        if columns:
            lacking.setdefault((panel, columns), []).append(sheet.path)
    for (panel, columns), paths in lacking.items():
        said: dict[str, Value] = {"n": len(paths), "sheet": paths[0], "columns": columns, "panel": panel}
        yield finding("missing_columns", "defect", paths, len(columns), said, listed=columns)
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
        yield finding(
            "out_of_range",
            "defect",
            [sheet.path],
            len(cells),
            {"sheet": sheet.path, "n": len(cells)},
            rows=dict.fromkeys(cell.row for cell in cells),
            listed=[f"row {cell.row}, {cell.label}: {cell.value:g} ({cell.low:g} to {cell.high:g})" for cell in cells],
        )
