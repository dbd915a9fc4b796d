"""The first page of a sweep's report: verdict, one figure, one table, limits, and how to verify them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from passer.domain.analysis.analysis import ConfigurationResult, SweepAnalysis
from passer.domain.analysis.study_table import Source, StudyTable, tabulate
from passer.domain.analysis.verdict_tables import judged_columns
from passer.domain.figures.figure import Figure
from passer.domain.reports.report import ReportSection, ReportTable, report_table
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.lines import Line, explored
from passer.domain.wording.sentence import sentence

CONFIGURATIONS = "configurations"
"""The table of the first page; the appendix has one of all columns by the same name."""
FIGURE = "cps-gain"
"""The figure of the first page: gains with their simultaneous intervals."""
MOST_ROWS = 16
"""Configurations that fit on the page."""


def first_page(
    analysis: SweepAnalysis, figures: Sequence[Figure], limits: Sequence[str], *, sweep_id: str, dataset_digest: str
) -> ReportSection:
    """Return the page that can be attached to a paper; everything else is the appendix."""
    found = analysis.verdict
    several = len(found.conclusions) > 1
    lines: list[Line] = []
    for item in found.conclusions:
        (_, verdict), *others = item.lines
        text = sentence("report.of-model", model=item.model, reason=verdict.text) if several else verdict.text
        lines += [Line(text=text, numbers=verdict.numbers), *(line for _, line in others)]
    # The verdict is the first thing to read; right after it, how far it was planned.
    standing = () if analysis.standing is None else (analysis.standing.line,)
    lines[1:1] = [Line(text=said) for said in (*standing, *explored(found.exploratory))]
    lines += [*(arm.line for arm in found.arms), *(each.line for each in found.identical)]
    if any(_is_no_different(item, analysis.rule.margin) for item in analysis.configurations):
        margin = amount(analysis.rule.primary, analysis.rule.margin, "size")
        lines.append(Line(text=sentence("report.no-different", margin=margin)))
    verify = sentence("report.verify", digest=found.digest, sweep=sweep_id, dataset=dataset_digest)
    return ReportSection(
        heading=sentence("report.verdict"),
        lines=tuple(line for line in lines if line.text),
        paragraphs=(verify,),
        points=tuple(limits),
        figures=tuple(figure for figure in figures if figure.id == FIGURE),
        tables=(_compared(analysis),),
    )


def _compared(analysis: SweepAnalysis) -> ReportTable:
    return report_table(sentence("table.configurations"), compared_configurations(analysis), name=CONFIGURATIONS)


def compared_configurations(analysis: SweepAnalysis) -> StudyTable:
    """Return the table of the first page."""
    judged = judged_columns(analysis.rule.primary)
    columns = ("name", "mean_passages", "coverage", "mean_cps", *judged, "outcome", "abstention_rate")
    sources: dict[str, Source] = {
        name: f"retrieval.{name}" for name in ("mean_passages", "coverage", "abstention_rate")
    }
    sources |= {"outcome": partial(_outcome_of, margin=analysis.rule.margin)}
    sources |= dict(zip(judged, (f"comparison.judged.{part}" for part in ("gain", "low", "high")), strict=True))
    return tabulate(columns, _shown(analysis), sources)


def _outcome_of(item: ConfigurationResult, *, margin: float) -> str | None:
    """Return the outcome of a configuration, with a separate word for those that are no different."""
    if _is_no_different(item, margin):
        return "no_different"
    return item.comparison.judged.outcome if item.comparison else None


def _is_no_different(item: ConfigurationResult, margin: float) -> bool:
    return item.comparison is not None and item.comparison.judged.is_no_different(margin)


def _shown(analysis: SweepAnalysis) -> list[ConfigurationResult]:
    """Return all configurations, or the baselines with those of the largest gains."""
    items = list(analysis.configurations)
    if len(items) <= MOST_ROWS:
        return items
    largest = sorted(items, key=lambda item: (item.is_baseline, _gain_of(item)), reverse=True)[:MOST_ROWS]
    return [item for item in items if item in largest]


def _gain_of(item: ConfigurationResult) -> float:
    gain = item.comparison.judged.gain if item.comparison else None
    return float("-inf") if gain is None else gain
