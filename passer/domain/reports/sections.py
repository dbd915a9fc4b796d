"""The sections of a report, for sweeps and imported sheets alike: what was run, audit, meaning, limits, method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from passer.domain.analysis.constants import Constants
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.result_tables import TITLES
from passer.domain.analysis.study_tables import StudyTable
from passer.domain.composite import ALPHA, BETA
from passer.domain.evidence.found import Evidence
from passer.domain.figures.figure import Figure
from passer.domain.reports.meaning import limits, meaning
from passer.domain.reports.report import ReportSection, ReportTable, report_table
from passer.domain.sheets.audit import Audit, Finding

OPEN_TABLES = (
    "configurations", "top_cps", "top_tcps", "significance_counts", "significance_counts_corrected",
    "threshold_profiles", "best_configurations", "agreement", "half_splits",
)  # fmt: skip
"""Shown at once; the others on demand."""
LONGEST = 110
"""Characters shown of a question."""
LONG_TABLE = 100
"""Rows above which a table is a file, not a part of a page."""

FORMULAS = (
    "CPS of an answer is the weighted sum of its metrics, each brought to 0 to 1 by the smallest and largest value in "
    "the pool, turned round where lower is better: it has no meaning outside of its pool.",
    f"T-CPS = mean CPS x (1 + {ALPHA:g} (1 - CV)) - {BETA:g} CV^2, with CV the standard deviation (ddof 1) over the "
    "mean; the penalty is not multiplied by the mean. Balance = (T-CPS gain in percent / 100) / CV.",
    "Pairs are made by question; intervals are 95 %; d is Cohen's d for pairs (ddof 1).",
    "Threshold-response profile, by max-T: broad where no threshold loses and at least half of them gain, narrow where "
    "fewer gain, mixed where some gain and some lose, none where none gains.",
)


def audit_section(audit: Audit) -> ReportSection:
    """Findings by weight, what to do about each, and what was not checked."""
    defects = sum(finding.severity == "defect" for finding in audit.findings)
    first = (
        f"{defects} findings change results; read them before any number below."
        if defects
        else "No defect was found in these sheets."
    )
    counted = f"{len(audit.sheets)} sheets, {audit.rows:,} rows, {audit.questions:,} distinct questions."
    table = ReportTable(
        title="Findings",
        columns=("weight", "what was found", "where", "what to do"),
        is_numeric=(False,) * 4,
        rows=tuple((item.severity, item.message, _where(item), item.action) for item in audit.findings),
    )
    unchecked = tuple(f"Not checked: {reason}" for reason in audit.not_checked)
    return ReportSection(
        heading="Audit",
        paragraphs=(first, counted),
        points=unchecked,
        tables=(table,) if table.rows else (),
    )


def _where(finding: Finding) -> str:
    """The first rows, questions or cells, and how many sheets."""
    parts = []
    if finding.rows:
        more = ", ..." if finding.count > 8 or len(finding.rows) > 8 else ""
        parts.append(f"rows {', '.join(map(str, finding.rows[:8]))}{more}")
    if finding.listed:
        parts.append("; ".join(map(_cut, finding.listed[:2])) + ("; ..." if len(finding.listed) > 2 else ""))
    if len(finding.sheets) > 1:
        parts.append(f"{len(finding.sheets)} sheets")
    return "; ".join(parts) or "-"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def meaning_section(first: Sequence[str], evidence: Evidence | None, beside: Sequence[str] = ()) -> ReportSection:
    """The recommendation, then what the tests say, then what stands `beside` quality."""
    tested = meaning(evidence) if evidence else ()
    return ReportSection(heading="What it means", paragraphs=tuple(first), points=(*tested, *beside))


def figures_section(figures: Sequence[Figure]) -> ReportSection:
    """All figures."""
    return ReportSection(heading="Figures", figures=tuple(figures))


def tables_section(tables: Mapping[str, StudyTable], pinned: Constants | None = None) -> ReportSection:
    """All tables but those too long for a page; where the analysis is pinned, to what."""
    shown = {name: table for name, table in tables.items() if len(table.rows) <= LONG_TABLE}
    left = [TITLES.get(name, name) for name in tables if name not in shown]
    said = (f"Too long for this page, but exported with the others: {', '.join(left)}.",) if left else ()
    return ReportSection(
        heading="Tables",
        paragraphs=(*((f"All by {pinned.words} (scope given).",) if pinned else ()), *said),
        tables=tuple(
            report_table(TITLES.get(name, name), table, is_folded=name not in OPEN_TABLES)
            for name, table in shown.items()
        ),
    )


def limits_section(said: Iterable[str], evidence: Evidence | None) -> ReportSection:
    """What the data cannot say."""
    always = (
        "CPS, and every gain in percent, is relative to its pool: two analyses compare only on common constants.",
        "CV over questions mixes how much the questions differ in difficulty with how unstable the answers are.",
        "A gain that is not significant is not shown to be absent.",
    )
    return ReportSection(
        heading="What the data cannot say", points=(*said, *(limits(evidence) if evidence else ()), *always)
    )


def method_section(statements: Sequence[str], pools: Sequence[Pool], evidence: Evidence | None) -> ReportSection:
    """Formulas, what the figures rest on, seeds."""
    seeds = (f"Random draws: seed {evidence.seed}, {evidence.draws:,} sign flips.",) if evidence else ()
    sizes = (f"Pools: {', '.join(f'{pool.name} ({pool.rows:,} rows)' for pool in pools[:10])}.",) if pools else ()
    return ReportSection(heading="How the numbers were made", points=(*statements, *sizes, *FORMULAS, *seeds))
