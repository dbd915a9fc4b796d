"""Audit of a set of result sheets: errors and oddities, before any number is computed from them; also as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from passer.domain.base import Frozen
from passer.domain.sheets.labels import LabelOrder, check_labels
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.counted import counted
from passer.domain.wording.sentence import LocalizedText, Value, sentence

LISTED = 20
"""Rows, cells and questions named in a finding; all are counted."""

FindingKind = Literal[
    "shifted_labels",
    "unclear_labels",
    "mixed_labels",
    "published_score_mode",
    "no_baseline",
    "duplicated_questions",
    "missing_questions",
    "unknown_questions",
    "misaligned_rows",
    "inexact_questions",
    "suspected_references",
    "same_contents",
    "non_numeric_cells",
    "missing_columns",
    "out_of_range",
    "further_worksheets",
    "hidden_rows",
    "numbers_as_text",
    "footer",
    "blank_rows",
    "ignored_columns",
    "ignored_files",
    "other_formats",
    "skipped_twins",
]
"""Subject of a finding."""

Severity = Literal["defect", "attention", "note"]
"""Changes results; may change them; changes nothing."""
_LISTS_TEXTS: frozenset[FindingKind] = frozenset(
    {
        "duplicated_questions",
        "missing_questions",
        "unknown_questions",
        "inexact_questions",
        "suspected_references",
        "non_numeric_cells",
    }
)
"""Findings that name questions or cells by their texts."""
SHOWN = 5
"""Questions, rows and sheets named per finding in the text; the JSON has more."""
WIDTH = 110
"""Characters of a question shown."""
_HEADINGS = {
    "defect": "Defects (they change results)",
    "attention": "To check",
    "note": "Notes (they change nothing)",
}


class Finding(Frozen):
    """One finding of an audit, and what to do about it."""

    kind: FindingKind
    """Kind of the finding."""
    severity: Severity
    """Effect on results."""
    sheets: tuple[str, ...]
    """Paths of the sheets that have it."""
    count: int
    """Number of rows, cells, questions, sheets or files."""
    rows: tuple[int, ...] = ()
    """The first of the rows, as a spreadsheet program counts: the header is row 1."""
    listed: tuple[LocalizedText, ...] = ()
    """The first of the questions, cells, columns or files, in words."""
    message: LocalizedText
    """The finding, one sentence."""
    action: LocalizedText
    """Action that solves it, one sentence."""


def finding(
    kind: FindingKind,
    severity: Severity,
    sheets: Iterable[str],
    count: int,
    said: Mapping[str, Value],
    *,
    rows: Iterable[int] = (),
    listed: Iterable[str] = (),
    code: str = "",
    action: str = "",
) -> Finding:
    """Return a finding with its first rows and texts; `said` are the values of its sentence, by default of its kind."""
    code = code or kind.replace("_", "-")
    return Finding(
        kind=kind,
        severity=severity,
        sheets=tuple(sheets),
        count=count,
        rows=tuple(rows)[:LISTED],
        listed=tuple(listed)[:LISTED],
        message=sentence(f"audit.{code}", **said),
        action=sentence(f"advice.{action or code}"),
    )


@dataclass(frozen=True)
class UnreadFiles:
    """Other files in the folder of the sheets, by the reason why they were not read."""

    unnamed: tuple[str, ...] = ()
    """Workbooks whose path gives no model and configuration."""
    other_formats: tuple[str, ...] = ()
    """Tables in a format that is not read."""
    twins: tuple[str, ...] = ()
    """Second copies of sheets that were read, with a CPS column."""


class SheetPlace(Frozen):
    """Configuration of a sheet."""

    path: str
    """Path within the import."""
    model: str
    """Name of the model in its folder or file name."""
    threshold: float | None
    """None is the baseline, or a strategy."""
    strategy: str | None = None
    """Strategy of maPaSSER; None for the baseline or a threshold."""
    labels: LabelOrder
    """Order of its labels: in their own columns, shifted, or unclear."""
    rows: int
    """Number of rows with scores."""

    @classmethod
    def of(cls, sheet: Sheet) -> SheetPlace:
        """Return the configuration of a sheet."""
        return SheetPlace(
            path=sheet.path,
            model=sheet.model,
            threshold=sheet.threshold,
            strategy=sheet.place.strategy,
            labels=check_labels(sheet).order,
            rows=len(sheet),
        )


class AuditedSheet(SheetPlace):
    """One sheet in the audit."""

    questions: int
    """Distinct questions."""


class Audit(Frozen):
    """Findings of the audit of a set of sheets."""

    sheets: tuple[AuditedSheet, ...]
    """Sheets in the order of the import."""
    rows: int
    """Rows with scores, over all sheets."""
    questions: int
    """Distinct questions, over all sheets."""
    findings: tuple[Finding, ...]
    """Defects first."""
    not_checked: tuple[LocalizedText, ...] = ()
    """Parts that were left out and the reasons, one sentence each."""

    @property
    def is_partial(self) -> bool:
        """Return whether some files of the study were not read."""
        return any(finding.kind in ("ignored_files", "other_formats") for finding in self.findings)

    def without_texts(self) -> Audit:
        """Return the audit with the counts of all findings and the texts of none."""
        return self.model_copy(update={"findings": tuple(map(_without_texts, self.findings))})


def _without_texts(finding: Finding) -> Finding:
    if finding.kind not in _LISTS_TEXTS:
        return finding
    changes: dict[str, object] = {"listed": ()}
    if finding.kind == "suspected_references":
        # Its sentence names a question.
        changes["message"] = sentence("audit.references-withheld", n=finding.count)
    return finding.model_copy(update=changes)


class ReferenceCheck(Frozen):
    """Result of computing the rows' published METEOR and ROUGE again from a dataset's references."""

    findings: tuple[Finding, ...] = ()
    """One per sheet with suspected references."""
    not_checked: LocalizedText | None = None
    """Reason why it was left out."""


def audit_text(audit: Audit) -> str:
    """Return an audit as text: counts, findings by severity, and what was not checked."""
    models = list(dict.fromkeys(sheet.model for sheet in audit.sheets))
    lines = [
        f"Audit of {counted(len(audit.sheets), 'sheet')} of {counted(len(models), 'model')} ({', '.join(models)}): "
        f"{counted(audit.rows, 'row')}, {counted(audit.questions, 'question')}."
    ]
    for severity, heading in _HEADINGS.items():
        findings = [finding for finding in audit.findings if finding.severity == severity]
        if findings:
            lines += ["", f"{heading}:"]
            lines += [line for finding in findings for line in _finding_lines(finding)]
    if not any(finding.severity == "defect" for finding in audit.findings):
        lines += ["", "No defect was found."]
    if audit.not_checked:
        lines += ["", "Not checked:", *(f"- {reason}" for reason in audit.not_checked)]
    return "\n".join(lines)


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield f"- {finding.message}"
    if finding.rows:
        yield f"    rows {_first([str(row) for row in finding.rows], finding.count)}"
    for words in finding.listed[:SHOWN]:
        yield f"    {words if len(words) <= WIDTH else words[: WIDTH - 4] + ' ...'}"
    if len(finding.listed) > SHOWN:
        yield "    ..."
    yield f"    -> {finding.action}"


def _first(words: list[str], count: int) -> str:
    more = ", ..." if max(count, len(words)) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
