"""Sections of a report, shared by sweeps and imported sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from passer.domain.analysis.constants import Constants
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.result_tables import table_title
from passer.domain.analysis.study_table import StudyTable
from passer.domain.composite import PUBLISHED, TcpsWeights
from passer.domain.evidence.results import Evidence
from passer.domain.figures.figure import Figure
from passer.domain.reports.meaning import limits, meaning
from passer.domain.reports.report import ReportSection, ReportTable, report_table
from passer.domain.sheets.audit import Audit, Finding
from passer.domain.sheets.defect_effects import DefectEffects
from passer.domain.wording.sentence import Sentence, number_sentence, sentence

OPEN_TABLES = (
    "configurations", "top_cps", "top_tcps", "significance_counts", "significance_counts_corrected",
    "threshold_profiles", "best_configurations", "agreement", "half_splits",
)  # fmt: skip
"""Tables shown expanded; the others are collapsed."""
LONGEST = 110
"""Characters of a question that are shown."""
LONG_TABLE = 100
"""Rows above which a table is only exported, not shown in a page."""

FORMULAS = ("report.formula-cps", "report.formula-pairs", "report.formula-profile")
"""Messages that explain how the figures are computed."""


def effects_section(effects: DefectEffects) -> ReportSection:
    """Return the result as published and corrected, and the conclusions that changed."""
    said = [sentence("report.as-published", said=item.published) for item in effects.models]
    said += [sentence("report.as-corrected", said=item.corrected) for item in effects.models]
    if effects.models and not effects.changed:
        said.append(sentence("report.no-conclusion-changed"))
    last = [text for text in (effects.direction, effects.reason) if text]
    return ReportSection(
        heading=sentence("report.conclusions-corrected"), paragraphs=(*said, *last), points=effects.changed
    )


def audit_section(audit: Audit) -> ReportSection:
    """Return the findings by severity, the action for each, and what was not checked."""
    defects = sum(finding.severity == "defect" for finding in audit.findings)
    first = sentence("report.defects", n=defects)
    counted = sentence("report.audited", n=len(audit.sheets), rows=audit.rows, questions=audit.questions)
    table = ReportTable(
        title=sentence("report.findings"),
        columns=tuple(sentence(f"report.finding-{name}") for name in ("severity", "message", "place", "action")),
        is_numeric=(False,) * 4,
        rows=tuple(
            (sentence(f"severity.{item.severity}"), item.message, _where(item), item.action) for item in audit.findings
        ),
    )
    unchecked = tuple(sentence("report.not-checked", reason=reason) for reason in audit.not_checked)
    return ReportSection(
        heading=sentence("report.audit"),
        paragraphs=(first, counted),
        points=unchecked,
        tables=(table,) if table.rows else (),
    )


def _where(finding: Finding) -> Sentence | str:
    """Return the first rows, questions or cells, and the number of sheets."""
    parts: list[Sentence | str] = []
    if finding.rows:
        more = ["..."] if finding.count > 8 or len(finding.rows) > 8 else []
        parts.append(sentence("report.rows", rows=(*map(str, finding.rows[:8]), *more)))
    if finding.listed:
        parts.append("; ".join(map(_cut, finding.listed[:2])) + ("; ..." if len(finding.listed) > 2 else ""))
    if len(finding.sheets) > 1:
        parts.append(sentence("report.sheet-count", n=len(finding.sheets)))
    return sentence("report.places", places=tuple(parts)) if parts else "-"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def meaning_section(first: Sequence[str], evidence: Evidence | None) -> ReportSection:
    """Return the recommendation and the results of the tests."""
    tested = meaning(evidence) if evidence else ()
    return ReportSection(heading=sentence("report.results"), paragraphs=tuple(first), points=tuple(tested))


def figures_section(figures: Sequence[Figure]) -> ReportSection:
    """Return all figures."""
    return ReportSection(heading=sentence("report.figures"), figures=tuple(figures))


def tables_section(tables: Mapping[str, StudyTable], pinned: Constants | None = None) -> ReportSection:
    """Return the tables that fit in a page, and the source of fixed constants."""
    shown = {name: table for name, table in tables.items() if len(table.rows) <= LONG_TABLE}
    left = tuple(table_title(name) for name in tables if name not in shown)
    said = (sentence("report.too-long", tables=left),) if left else ()
    return ReportSection(
        heading=sentence("report.tables"),
        paragraphs=(*((sentence("report.pinned", constants=pinned.words),) if pinned else ()), *said),
        tables=tuple(
            report_table(table_title(name), table, name=name, is_folded=name not in OPEN_TABLES)
            for name, table in shown.items()
        ),
    )


def limits_section(said: Iterable[str], evidence: Evidence | None) -> ReportSection:
    """Return the limits of the data."""
    always = tuple(map(sentence, ("report.limit-cps", "report.limit-cv", "report.limit-significance")))
    return ReportSection(
        heading=sentence("report.limitations"), points=(*said, *(limits(evidence) if evidence else ()), *always)
    )


def method_section(
    statements: Sequence[str], pools: Sequence[Pool], evidence: Evidence | None, stability: TcpsWeights = PUBLISHED
) -> ReportSection:
    """Return formulas, how the figures were computed, and seeds."""
    seeds = (sentence("report.draws", seed=str(evidence.seed), n=evidence.draws),) if evidence else ()
    named = tuple(sentence("report.pool", name=pool.name, rows=pool.rows) for pool in pools[:10])
    sizes = (sentence("report.pools", pools=named),) if named else ()
    formulas = (
        sentence("report.formula-tcps", alpha=number_sentence(stability.alpha), beta=number_sentence(stability.beta)),
        *map(sentence, FORMULAS),
    )
    return ReportSection(heading=sentence("report.method"), points=(*statements, *sizes, *formulas, *seeds))
