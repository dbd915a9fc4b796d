"""What is wrong, odd or worth knowing in a set of result sheets, before any number is made from them."""

from __future__ import annotations

from typing import Literal

from passer.domain.base import Frozen
from passer.domain.sheets.labels import LabelOrder
from passer.domain.wording.sentence import Said

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
    "numbers_as_text",
    "footer",
    "blank_rows",
    "ignored_columns",
    "ignored_files",
]
"""What a finding is about."""

Severity = Literal["defect", "attention", "note"]
"""Changes results; may change them; changes nothing."""


class Finding(Frozen):
    """One thing that a researcher should know, and what to do about it."""

    kind: FindingKind
    """What it is about."""
    severity: Severity
    """Whether it changes results."""
    sheets: tuple[str, ...]
    """Paths of the sheets that have it."""
    count: int
    """How many rows, cells, questions, sheets or files."""
    rows: tuple[int, ...] = ()
    """The first of the rows, as a spreadsheet program counts: the header is row 1."""
    listed: tuple[str, ...] = ()
    """The first of the questions, cells, columns or files, in words."""
    message: Said
    """What was found, one sentence."""
    action: Said
    """What to do, one sentence."""


class AuditedSheet(Frozen):
    """One sheet in the audit."""

    path: str
    """Relative to the imported folder."""
    model: str
    """As its folder or file name gives it."""
    threshold: float | None
    """None is the baseline."""
    rows: int
    """Rows with scores."""
    questions: int
    """Distinct questions."""
    labels: LabelOrder
    """Whether its labels stand over their own columns."""


class Audit(Frozen):
    """What was found in a set of sheets."""

    sheets: tuple[AuditedSheet, ...]
    """In the order of the import."""
    rows: int
    """Rows with scores, over all sheets."""
    questions: int
    """Distinct questions, over all sheets."""
    findings: tuple[Finding, ...]
    """Defects first."""
    not_checked: tuple[Said, ...] = ()
    """What was left out and why, one sentence each."""


class ReferenceCheck(Frozen):
    """Whether a dataset's references give the published METEOR and ROUGE of the rows again."""

    findings: tuple[Finding, ...] = ()
    """One per sheet with suspected references."""
    not_checked: Said | None = None
    """Why it was left out."""
