"""The audit of result sheets: labels, columns, contents and cells here, questions next door."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from passer.domain.dataset import Dataset
from passer.domain.panel import PANELS
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.audit import (
    LISTED,
    Audit,
    AuditedSheet,
    Finding,
    FindingKind,
    ReferenceCheck,
    Severity,
    SheetPlace,
    UnreadFiles,
)
from passer.domain.sheets.audit_questions import baseline_findings, question_findings
from passer.domain.sheets.labels import check_labels, impossible_cells, true_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.sentence import sentence

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
        findings=tuple(sorted(findings, key=lambda finding: order.index(finding.severity))),
        not_checked=tuple(not_checked),
    )


def _label_findings(sheets: Sequence[Sheet], audited: Sequence[AuditedSheet]) -> Iterator[Finding]:
    shifted = [item.path for item in audited if item.labels == "shifted"]
    if shifted:
        yield Finding(
            kind="shifted_labels",
            severity="defect",
            sheets=tuple(shifted),
            count=len(shifted),
            listed=("Rouge-1.r holds BLEU", "Rouge-2.f holds ROUGE-2 recall", "BLEU holds Rouge-l.f"),
            message=sentence("audit.shifted-labels", n=len(shifted), of=len(audited)),
            action=sentence("advice.shifted-labels"),
        )
    yield from _score_mode_finding(audited)
    if shifted and any(item.labels == "right" for item in audited):
        yield Finding(
            kind="mixed_labels",
            severity="defect",
            sheets=tuple(item.path for item in audited if item.labels == "right"),
            count=sum(item.labels == "right" for item in audited),
            message=sentence("audit.mixed-labels"),
            action=sentence("advice.mixed-labels"),
        )
    for sheet, item in zip(sheets, audited, strict=True):
        if item.labels == "unclear":
            yield _unclear(sheet)


def _score_mode_finding(audited: Sequence[AuditedSheet]) -> Iterator[Finding]:
    """Sheets in the published layout come from a program whose thresholds meant something else."""
    published = [item.path for item in audited if item.labels == "shifted" and item.threshold is not None]
    if published:
        yield Finding(
            kind="published_score_mode",
            severity="note",
            sheets=tuple(published),
            count=len(published),
            message=sentence("audit.published-score-mode", n=len(published)),
            action=sentence("advice.published-score-mode"),
        )


def _unclear(sheet: Sheet) -> Finding:
    rows = check_labels(sheet).contradicting
    return Finding(
        kind="unclear_labels",
        severity="defect",
        sheets=(sheet.path,),
        count=len(rows),
        rows=tuple(rows[:LISTED]),
        message=sentence("audit.unclear-labels-rows", sheet=sheet.path, n=len(rows))
        if rows
        else sentence("audit.unclear-labels", sheet=sheet.path),
        action=sentence("advice.unclear-labels"),
    )


def _contents_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    paths: dict[str, list[str]] = {}
    for sheet in sheets:
        paths.setdefault(sheet.digest, []).append(sheet.path)
    for same in paths.values():
        if len(same) > 1:
            yield Finding(
                kind="same_contents",
                severity="defect",
                sheets=tuple(same),
                count=len(same),
                message=sentence("audit.same-contents", n=len(same), sheets=", ".join(same[:5])),
                action=sentence("advice.same-contents"),
            )


def _cell_findings(sheets: Sequence[Sheet]) -> Iterator[Finding]:
    for sheet in sheets:
        cells = sheet.remarks.unreadable
        if cells:
            yield Finding(
                kind="non_numeric_cells",
                severity="defect",
                sheets=(sheet.path,),
                count=len(cells),
                rows=tuple(dict.fromkeys(cell.row for cell in cells))[:LISTED],
                listed=tuple(f"row {cell.row}, {cell.column}: {cell.text!r}" for cell in cells[:LISTED]),
                message=sentence("audit.non-numeric-cells", sheet=sheet.path, n=len(cells)),
                action=sentence("advice.non-numeric-cells"),
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
        yield Finding(
            kind=kind,
            severity="note",
            sheets=tuple(having),
            count=count,
            listed=tuple(listed)[:LISTED],
            message=sentence(f"audit.{kind.replace('_', '-')}", n=len(having), of=len(sheets), count=count),
            action=sentence("advice.nothing"),
        )


def _unseen(
    kind: Literal["hidden_rows", "further_worksheets"], sheets: Sequence[Sheet], parts: Callable[[Sheet], Sequence[str]]
) -> Iterator[Finding]:
    """Yield one finding for all sheets whose file has parts that a reader of it may not know of."""
    having = [sheet for sheet in sheets if parts(sheet)]
    if having:
        code = kind.replace("_", "-")
        listed = [f"{sheet.path}: {part}" for sheet in having for part in parts(sheet)]
        yield Finding(
            kind=kind,
            severity="attention",
            sheets=tuple(sheet.path for sheet in having),
            count=len(listed),
            listed=tuple(listed[:LISTED]),
            message=sentence(f"audit.{code}", n=len(having), count=len(listed)),
            action=sentence(f"advice.{code}"),
        )


def _file_findings(unread: UnreadFiles) -> Iterator[Finding]:
    kinds: tuple[tuple[FindingKind, Severity, tuple[str, ...]], ...] = (
        ("ignored_files", "attention", unread.unnamed),
        ("other_formats", "attention", unread.other_formats),
        ("skipped_twins", "note", unread.twins),
    )
    for kind, severity, names in kinds:
        if names:
            code = kind.replace("_", "-")
            yield Finding(
                kind=kind,
                severity=severity,
                sheets=(),
                count=len(names),
                listed=names[:LISTED],
                message=sentence(f"audit.{code}", n=len(names)),
                action=sentence(f"advice.{code}"),
            )


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
