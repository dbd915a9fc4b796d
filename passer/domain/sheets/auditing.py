"""The audit of result sheets: labels, contents and cells here, questions next door."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from passer.domain.dataset import Dataset
from passer.domain.sheets.audit import LISTED, Audit, AuditedSheet, Finding, FindingKind, ReferenceCheck
from passer.domain.sheets.audit_questions import baseline_findings, question_findings
from passer.domain.sheets.labels import check_labels
from passer.domain.sheets.sheet import Sheet


def audit_sheets(
    sheets: Sequence[Sheet],
    *,
    dataset: Dataset | None = None,
    references: ReferenceCheck | None = None,
    ignored_files: Sequence[str] = (),
) -> Audit:
    """Look at all sheets together; `dataset` gives the wording of the questions, `references` is made beforehand."""
    audited = tuple(_audited(sheet) for sheet in sheets)
    findings = [*_label_findings(sheets, audited), *question_findings(sheets, dataset), *baseline_findings(sheets)]
    findings += [*_contents_findings(sheets), *_cell_findings(sheets)]
    findings += references.findings if references else ()
    findings += _files_finding(ignored_files)
    order = ("defect", "attention", "note")
    not_checked = [references.not_checked] if references and references.not_checked else []
    if dataset is None:
        not_checked.append("Questions and references were not compared with a dataset: give one with --dataset.")
    return Audit(
        sheets=audited,
        rows=sum(map(len, sheets)),
        questions=len({key for sheet in sheets for key in sheet.keys}),
        findings=tuple(sorted(findings, key=lambda finding: order.index(finding.severity))),
        not_checked=tuple(not_checked),
    )


def _audited(sheet: Sheet) -> AuditedSheet:
    return AuditedSheet(
        path=sheet.path,
        model=sheet.model,
        threshold=sheet.threshold,
        rows=len(sheet),
        questions=len(set(sheet.keys)),
        labels=check_labels(sheet).order,
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
            message=f"Ten ROUGE and BLEU labels stand over other metrics in {len(shifted)} of {len(audited)} sheets.",
            action="Analyse with `corrected`, which reads the true columns; `published` takes labels as they are.",
        )
    yield from _score_mode_finding(audited)
    if shifted and any(item.labels == "right" for item in audited):
        yield Finding(
            kind="mixed_labels",
            severity="defect",
            sheets=tuple(item.path for item in audited if item.labels == "right"),
            count=sum(item.labels == "right" for item in audited),
            message="These sheets have right labels and others shifted ones: `published` would mix metrics.",
            action="Analyse with `corrected`, or import the two kinds separately.",
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
            message=f"The program that made these {len(published)} sheets compared the distance, not the similarity, "
            "with the threshold: its Score mode kept far passages.",
            action="Read their thresholds so: Score mode here keeps near passages; the policy `published-score` "
            "replays the published one.",
        )


def _unclear(sheet: Sheet) -> Finding:
    rows = check_labels(sheet).contradicting
    why = f"{len(rows)} rows contradict the others" if rows else "its ROUGE-1 columns are missing, or all alike"
    return Finding(
        kind="unclear_labels",
        severity="defect",
        sheets=(sheet.path,),
        count=len(rows),
        rows=tuple(rows[:LISTED]),
        message=f"It cannot be told whether the labels of {sheet.path} are shifted: {why}.",
        action="Compare with the original export and correct it: `corrected` needs to know.",
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
                message=f"These {len(same)} sheets are the same file: {', '.join(same[:5])}.",
                action="Put the right export in the place of the copy and import again.",
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
                message=f"{sheet.path}: {len(cells)} metric cells hold no number.",
                action="Write the number; while it is missing the question leaves the composite.",
            )
    yield from _together(
        "numbers_as_text", sheets, lambda sheet: sheet.remarks.numbers_as_text, "hold metrics as text", "cells"
    )
    yield from _together(
        "footer", sheets, lambda sheet: len(sheet.remarks.footer_rows), "end with an `Average` row, left out", "rows"
    )
    yield from _together(
        "blank_rows", sheets, lambda sheet: len(sheet.remarks.blank_rows), "have blank rows, left out", "rows"
    )
    yield from _together(
        "ignored_columns",
        sheets,
        lambda sheet: len(sheet.remarks.ignored_columns),
        "have columns that are no metric, left out",
        "columns",
        listed=dict.fromkeys(column for sheet in sheets for column in sheet.remarks.ignored_columns),
    )


def _together(
    kind: FindingKind,
    sheets: Sequence[Sheet],
    counted: Callable[[Sheet], int],
    what: str,
    unit: str,
    *,
    listed: Iterable[str] = (),
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
            message=f"{len(having)} of {len(sheets)} sheets {what} ({count} {unit}).",
            action="Nothing: it changes no result.",
        )


def _files_finding(names: Sequence[str]) -> list[Finding]:
    if not names:
        return []
    return [
        Finding(
            kind="ignored_files",
            severity="attention",
            sheets=(),
            count=len(names),
            listed=tuple(names[:LISTED]),
            message=f"{len(names)} files were not read, because their names give no model and threshold.",
            action="Rename those that belong to the study to MODEL/threshold_T.xlsx and import again.",
        )
    ]
