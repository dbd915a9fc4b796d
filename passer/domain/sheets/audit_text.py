"""The audit as text, for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterator

from passer.domain.sheets.audit import Audit, Finding
from passer.domain.wording.counted import counted

SHOWN = 5
"""Questions, rows and sheets named per finding in the text; the JSON has more."""

WIDTH = 110
"""Characters of a question shown."""

_HEADINGS = {
    "defect": "Defects (they change results)",
    "attention": "To check",
    "note": "Notes (they change nothing)",
}


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
