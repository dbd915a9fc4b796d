"""Reports of imported sheets and of sweeps: what was run, what is wrong with it, what it shows, what it cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.result_tables import tables_of_import, tables_of_sweep
from passer.domain.evidence.found import Evidence
from passer.domain.figures.figure import Figure
from passer.domain.reports.coverage import where_it_gains
from passer.domain.reports.report import Report, ReportSection
from passer.domain.reports.runs import under_load, what_it_took, what_was_imported, what_was_run
from passer.domain.reports.sections import (
    audit_section,
    figures_section,
    limits_section,
    meaning_section,
    method_section,
    tables_section,
)
from passer.domain.run import Run
from passer.domain.sheets.procedures import StudyAnalysis
from passer.domain.sheets.sheet import SheetImport
from passer.domain.sweep import Sweep
from passer.domain.timing.tables import timing_tables
from passer.domain.timing.times import TimingReport

_SEVERAL = 2


def report_of_import(
    imported: SheetImport, analysis: StudyAnalysis, figures: Sequence[Figure], *, made_by: str
) -> Report:
    """Of imported sheets by one procedure, the audit first."""
    facts = (
        ("Import", f"{imported.name} ({imported.id})"),
        ("Models", ", ".join(dict.fromkeys(item.model for item in analysis.configurations))),
        ("Sheets", f"{len(imported.sheets)} with {imported.rows:,} rows"),
        ("Dataset", _dataset(imported)),
        ("Procedure", analysis.procedure),
        ("Panel", analysis.panel),
        ("CPS relative to", _pools(analysis.pools)),
    )
    return Report(
        title=f"{imported.name}: result sheets, {analysis.procedure}",
        facts=facts,
        sections=(
            what_was_imported(imported),
            audit_section(imported.audit),
            meaning_section(_of_procedure(analysis), analysis.evidence),
            figures_section(figures),
            tables_section(tables_of_import(analysis), analysis.constants if analysis.scope == "given" else None),
            limits_section(_limits_of_import(imported, analysis), analysis.evidence),
            method_section(analysis.statements, analysis.pools, analysis.evidence),
        ),
        made_by=made_by,
    )


def _pools(pools: Sequence[Pool]) -> str:
    """Whose rows gave minimum and maximum."""
    return pools[0].name if len(pools) == 1 else f"each of {len(pools)} pools by itself"


def _dataset(imported: SheetImport) -> str:
    if imported.dataset is None:
        return "not given: references were not checked"
    return f"{imported.dataset} (version {(imported.dataset_digest or '')[:12]})"


def _of_procedure(analysis: StudyAnalysis) -> tuple[str, ...]:
    if analysis.procedure == "corrected":
        return ()
    counts = [
        f"{row[0]}: {row[1]} significant gains, {row[2]} significant losses, {row[3]} not significant"
        for row in analysis.tables["significance_counts"].rows
    ]
    as_printed = (
        f"These are the figures by the procedure {analysis.procedure}, as the study made them. The audit above says "
        "what is wrong with them; `corrected` gives the figures to rely on, with every test."
    )
    return (as_printed, f"By uncorrected tests: {'; '.join(counts)}.") if counts else (as_printed,)


def _limits_of_import(imported: SheetImport, analysis: StudyAnalysis) -> list[str]:
    said = ["The sheets keep neither passages nor prompts: coverage cannot be shown."]
    if any("Elapsed time" in sheet.remarks.ignored_columns for sheet in imported.sheets):
        said.append("Their column `Elapsed time` names neither unit nor machine: what answers cost cannot be shown.")
    else:
        said.append("They keep no times: what answers cost cannot be shown.")
    if imported.dataset is None:
        said.append("Without a dataset nobody can say whether the references of these scores were the right ones.")
    if analysis.procedure != "corrected":
        said.append("p values are not corrected for the number of comparisons.")
    alone = [item.model for item in analysis.configurations if item.threshold is not None and item.n_pairs is None]
    if alone:
        said.append(f"There is no baseline to compare with: {', '.join(dict.fromkeys(alone))}.")
    said.append(
        "How the sheets were made (model versions, prompts, machine) is not recorded in them: confounds are unknown."
    )
    return said


def report_of_sweep(
    sweep: Sweep,
    runs: Sequence[Run],
    analysis: SweepAnalysis,
    evidence: Evidence | None,
    figures: Sequence[Figure],
    *,
    timings: Sequence[TimingReport] = (),
    questions: int,
    dataset_digest: str,
    made_by: str,
) -> Report:
    """Of a sweep as far as it is; what is wrong with it before any number."""
    models = dict.fromkeys(run.config.model.label for run in runs)
    facts = (
        ("Sweep", f"{sweep.name} ({runs[0].sweep_id})"),
        ("Dataset", f"{sweep.config.dataset} (version {dataset_digest[:12]}), {questions:,} questions"),
        ("Collections", ", ".join(dict.fromkeys(run.config.collection for run in runs))),
        ("Models", ", ".join(models)),
        ("Configurations", f"{len(runs)}, of them baselines: {sum(run.is_baseline for run in runs)}"),
        ("Profile", analysis.profile_label),
        ("Panel", analysis.panel),
        ("CPS relative to", _pools(analysis.pools)),
    )
    return Report(
        title=f"{sweep.name}: what the sweep shows",
        facts=facts,
        sections=(
            what_was_run(runs, timings),
            _course(runs, analysis, questions=questions),
            meaning_section(
                _recommended(analysis),
                evidence,
                (*_covered(analysis), *where_it_gains(analysis), *what_it_took(timings)),
            ),
            figures_section(figures),
            tables_section(
                {**tables_of_sweep(analysis, evidence, questions=questions), **timing_tables(timings)},
                analysis.constants if analysis.scope == "given" else None,
            ),
            limits_section((*_limits_of_sweep(analysis), *under_load(timings)), evidence),
            method_section(analysis.statements, analysis.pools, evidence),
        ),
        made_by=made_by,
    )


def _course(runs: Sequence[Run], analysis: SweepAnalysis, *, questions: int) -> ReportSection:
    """Whether all that was planned is there, and everything a reader must know first."""
    states = Counter(run.state.value for run in runs)
    planned = len(runs) * questions
    scored, failed = sum(run.counts.scored for run in runs), sum(run.counts.failed for run in runs)
    said = (
        f"Planned {planned:,} evaluations ({len(runs)} configurations x {questions:,} questions); scored {scored:,}, "
        f"failed {failed:,}, open {max(planned - scored - failed, 0):,}.",
        f"Runs: {', '.join(f'{count} {state}' for state, count in sorted(states.items()))}.",
    )
    return ReportSection(
        heading="Audit",
        paragraphs=said if analysis.warnings else (*said, "Nothing was found that a reader must be warned of."),
        points=analysis.warnings,
    )


def _recommended(analysis: SweepAnalysis) -> tuple[str, ...]:
    several = len(analysis.recommendations) > 1
    return tuple(f"{item.model}: {item.reason}" if several else item.reason for item in analysis.recommendations)


def _covered(analysis: SweepAnalysis) -> Iterator[str]:
    """What the thresholds leave to answer from, for each model: from the loosest to the tightest."""
    for model in dict.fromkeys(item.model for item in analysis.configurations):
        own = [item for item in analysis.configurations if item.model == model and item.threshold is not None]
        if len(own) < _SEVERAL:
            continue
        ends = [min(own, key=lambda item: item.threshold or 0.0), max(own, key=lambda item: item.threshold or 0.0)]
        loose, tight = (
            f"{item.threshold:g} keeps {item.retrieval.mean_passages or 0:.1f} passages a question and leaves "
            f"{1 - (item.retrieval.coverage or 0):.0%} of the questions without any"
            for item in ends
        )
        yield f"{model}: the threshold {loose}; {tight}."


def _limits_of_sweep(analysis: SweepAnalysis) -> list[str]:
    said = [f"Configurations against their baseline are {analysis.control}."] if analysis.control else []
    beside = [f"{item.field} ({', '.join(item.values[:6])})" for item in analysis.differing]
    if beside:
        said.append(f"Between all runs there differ: {'; '.join(beside)}.")
    for item in analysis.configurations:
        if item.latency.n == 0 and item.n:
            said.append("No time of generation is known for some configurations.")
            break
    if all(len(item.run_ids) == 1 for item in analysis.configurations):
        said.append("Each question was asked once: how much answers vary by themselves is not known.")
    if all(item.retrieval.n_gold == 0 for item in analysis.configurations):
        said.append("The questions name no gold passages: whether the right passages were found is not known.")
    for other in analysis.alternatives:
        names = ", ".join(name or "none" for name in other.recommended)
        said.append(f"Decided otherwise ({other.decision}), the recommendation is: {names}.")
    return said
