"""Builds reports of sweeps and imported sheets: setup, problems, results, limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.result_tables import tables_of_import, tables_of_sweep
from passer.domain.analysis.study_table import Cell, StudyTable
from passer.domain.analysis.study_tables import BandSetting
from passer.domain.evidence.results import Evidence
from passer.domain.figures.figure import Figure
from passer.domain.reports.coverage import where_it_gains
from passer.domain.reports.first_page import first_page
from passer.domain.reports.report import Report, ReportSection
from passer.domain.reports.runs import under_load, what_it_took, what_was_imported, what_was_run
from passer.domain.reports.sections import (
    audit_section,
    effects_section,
    figures_section,
    limits_section,
    meaning_section,
    method_section,
    tables_section,
)
from passer.domain.sheets.defect_effects import DefectEffects
from passer.domain.sheets.procedures import StudyAnalysis
from passer.domain.sheets.sheet import SheetImport
from passer.domain.sweeps.run import Run
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.tables import timing_tables
from passer.domain.timing.times import TimingReport
from passer.domain.wording.sentence import Sentence, number_sentence, sentence

_SEVERAL = 2


def report_of_import(
    imported: SheetImport,
    analysis: StudyAnalysis,
    figures: Sequence[Figure],
    *,
    effects: DefectEffects,
    made_by: str,
) -> Report:
    """Return the report of imported sheets under one procedure, starting with what their defects change."""
    procedure = sentence(f"procedure.name-{analysis.procedure}")
    facts = (
        (sentence("report.import"), f"{imported.name} ({imported.id})"),
        (sentence("report.models"), ", ".join(dict.fromkeys(item.model for item in analysis.configurations))),
        (
            sentence("report.sheets"),
            sentence("report.sheets-with-rows", sheets=len(imported.sheets), rows=imported.rows),
        ),
        (sentence("report.dataset"), _dataset(imported)),
        (sentence("report.procedure"), procedure),
        (sentence("report.panel"), analysis.panel),
        (sentence("report.cps-relative-to"), _pools(analysis.pools)),
    )
    return Report(
        title=sentence("report.title-of-import", name=imported.name, procedure=procedure),
        facts=facts,
        sections=(
            what_was_imported(imported),
            effects_section(effects),
            audit_section(imported.audit),
            meaning_section(_of_procedure(analysis), analysis.evidence),
            figures_section(figures),
            tables_section(
                tables_of_import(analysis, effects), analysis.constants if analysis.scope == "given" else None
            ),
            limits_section(_limits_of_import(imported, analysis), analysis.evidence),
            method_section(analysis.statements, analysis.pools, analysis.evidence),
        ),
        made_by=made_by,
    )


def _pools(pools: Sequence[Pool]) -> str:
    """Return which rows gave minimum and maximum."""
    return pools[0].name if len(pools) == 1 else sentence("pool.several", n=len(pools))


def _dataset(imported: SheetImport) -> str:
    if imported.dataset is None:
        return sentence("report.no-dataset")
    return sentence("report.dataset-version", name=imported.dataset, version=(imported.dataset_digest or "")[:12])


def _of_procedure(analysis: StudyAnalysis) -> tuple[str, ...]:
    if analysis.procedure == "corrected":
        return ()
    counts = tuple(
        sentence(
            "report.significance", model=str(row[0]), gains=_count(row[1]), losses=_count(row[2]), ns=_count(row[3])
        )
        for row in analysis.tables["significance_counts"].rows
    )
    as_printed = sentence("report.of-procedure", procedure=sentence(f"procedure.name-{analysis.procedure}"))
    return (as_printed, sentence("report.unadjusted-tests", counts=counts)) if counts else (as_printed,)


def _count(cell: Cell) -> int:
    return int(cell or 0)


def _limits_of_import(imported: SheetImport, analysis: StudyAnalysis) -> list[Sentence]:
    said = [sentence("report.sheets-without-passages")]
    has_times = any("Elapsed time" in sheet.remarks.ignored_columns for sheet in imported.sheets)
    said.append(sentence("report.sheets-elapsed-time" if has_times else "report.sheets-without-times"))
    if imported.dataset is None:
        said.append(sentence("report.references-unchecked"))
    if analysis.procedure != "corrected":
        said.append(sentence("report.p-not-adjusted"))
    alone = [item.model for item in analysis.configurations if item.level is not None and item.n_pairs is None]
    if alone:
        said.append(sentence("report.no-baseline", models=tuple(dict.fromkeys(alone))))
    said.append(sentence("report.sheets-unknown-setup"))
    return said


def report_of_sweep(
    sweep: Sweep,
    runs: Sequence[Run],
    analysis: SweepAnalysis,
    evidence: Evidence | None,
    figures: Sequence[Figure],
    *,
    timings: Sequence[TimingReport] = (),
    answers: Mapping[str, StudyTable] = MappingProxyType({}),
    questions: int,
    dataset_digest: str,
    made_by: str,
    name: str = "",
    bands: BandSetting = "phase3",
) -> Report:
    """Return the report of a sweep so far, with problems before any number; `answers` are tables of answers.

    `name` is the sweep's current name, where it was renamed: bundles and digests keep the recorded one.
    """
    limits = _limits_of_sweep(analysis)
    first = first_page(analysis, figures, limits, sweep_id=runs[0].sweep_id, dataset_digest=dataset_digest)
    shown = {figure.id for figure in first.figures}
    return Report(
        title=name or sweep.name,
        facts=(
            *_identity(sweep, runs, name=name, questions=questions, dataset_digest=dataset_digest),
            (sentence("report.profile"), analysis.profile_label),
            (sentence("report.panel"), analysis.panel),
            (sentence("report.cps-relative-to"), _pools(analysis.pools)),
        ),
        sections=(
            first,
            what_was_run(runs, timings),
            _course(runs, analysis, questions=questions),
            _passages_and_times((*_covered(analysis), *where_it_gains(analysis), *what_it_took(timings))),
            figures_section([figure for figure in figures if figure.id not in shown]),
            tables_section(
                {
                    **tables_of_sweep(analysis, evidence, questions=questions, bands=bands),
                    **answers,
                    **timing_tables(timings),
                },
                analysis.constants if analysis.scope == "given" else None,
            ),
            limits_section((*limits, *under_load(timings)), evidence),
            method_section(analysis.statements, analysis.pools, evidence, analysis.stability),
        ),
        has_first_page=True,
        made_by=made_by,
    )


def _identity(
    sweep: Sweep, runs: Sequence[Run], *, name: str, questions: int, dataset_digest: str
) -> tuple[tuple[Sentence, Sentence | str], ...]:
    """Return what was run on what, as names and values; `name` is the current one of a renamed sweep."""
    models = dict.fromkeys(run.config.model.label for run in runs)
    return (
        (sentence("report.sweep"), f"{name or sweep.name} ({runs[0].sweep_id})"),
        *([(sentence("report.recorded-name"), sweep.name)] if name not in ("", sweep.name) else []),
        (
            sentence("report.dataset"),
            sentence("report.dataset-questions", name=sweep.config.dataset, version=dataset_digest[:12], n=questions),
        ),
        (sentence("report.collections"), ", ".join(dict.fromkeys(run.config.collection for run in runs))),
        (sentence("report.models"), ", ".join(models)),
        (
            sentence("report.configurations"),
            sentence("report.configurations-baselines", n=len(runs), baselines=sum(run.is_baseline for run in runs)),
        ),
    )


def _course(runs: Sequence[Run], analysis: SweepAnalysis, *, questions: int) -> ReportSection:
    """Return whether the sweep is complete, and every warning."""
    states = Counter(run.state.value for run in runs)
    planned = len(runs) * questions
    scored, failed = sum(run.counts.scored for run in runs), sum(run.counts.failed for run in runs)
    counts = {"scored": scored, "failed": failed, "open": max(planned - scored - failed, 0)}
    said = (
        sentence("report.progress", planned=planned, configurations=len(runs), questions=questions, **counts),
        sentence("report.states", states=tuple(_of_state(state, n) for state, n in sorted(states.items()))),
    )
    return ReportSection(
        heading=sentence("report.audit"),
        paragraphs=said if analysis.warnings else (*said, sentence("report.no-warnings")),
        points=analysis.warnings,
    )


def _passages_and_times(points: Sequence[str]) -> ReportSection:
    """Return what the settings did to passages, prompts and times."""
    return ReportSection(heading=sentence("report.passages-and-times"), points=tuple(points))


def _covered(analysis: SweepAnalysis) -> Iterator[str]:
    """Return how many questions keep passages, per model from the lowest to the highest threshold."""
    for model in dict.fromkeys(item.model for item in analysis.configurations):
        own = [item for item in analysis.configurations if item.model == model and item.threshold is not None]
        if len(own) < _SEVERAL:
            continue
        ends = [min(own, key=lambda item: item.threshold or 0.0), max(own, key=lambda item: item.threshold or 0.0)]
        loose, tight = (
            sentence(
                "report.kept-at",
                threshold=number_sentence(item.threshold or 0.0),
                passages=item.retrieval.mean_passages or 0.0,
                without=1 - (item.retrieval.coverage or 0.0),
            )
            for item in ends
        )
        yield sentence("report.kept", model=model, loose=loose, tight=tight)


def _of_state(state: str, n: int) -> Sentence:
    return sentence("report.runs-in-state", state=sentence(f"state.{state}"), n=n)


def _limits_of_sweep(analysis: SweepAnalysis) -> list[Sentence]:
    said = [sentence("report.control", control=analysis.control)] if analysis.control else []
    beside = tuple(f"{item.field} ({', '.join(item.values[:6])})" for item in analysis.differing)
    if beside:
        said.append(sentence("report.differing", settings=beside))
    if any(item.latency.n == 0 and item.n for item in analysis.configurations):
        said.append(sentence("report.no-times"))
    if all(len(item.run_ids) == 1 for item in analysis.configurations):
        said.append(sentence("report.asked-once"))
    if all(item.retrieval.n_gold == 0 for item in analysis.configurations):
        said.append(sentence("report.no-gold"))
    for other in analysis.alternatives:
        names = tuple(name or sentence("report.none") for name in other.recommended)
        said.append(sentence("report.under-other-settings", decision=other.decision, names=names))
    return said
