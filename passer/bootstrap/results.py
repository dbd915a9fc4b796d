"""The services that show what runs produced: browsing, analysis, exports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from passer import __version__
from passer.bootstrap.adapters import Adapters
from passer.bootstrap.judging import Judging
from passer.bootstrap.library import Sheets
from passer.bootstrap.pipeline import Pipeline
from passer.bootstrap.provenance import Provenance
from passer.bootstrap.sweeps import Sweeps
from passer.services.analysis.cps_check import CpsCheck
from passer.services.analysis.domain_comparison import DomainComparison
from passer.services.analysis.earlier_spreads import EarlierSpreads
from passer.services.analysis.failure_locator import FailureLocator
from passer.services.analysis.fixed_constants import FixedConstants
from passer.services.analysis.grounding_reader import GroundingReader
from passer.services.analysis.judged_failures import JudgedFailures
from passer.services.analysis.regression_check import RegressionCheck
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.sweep_summaries import SweepSummaries
from passer.services.analysis.timing_results import TimingResults
from passer.services.analysis.verdict.matched_k import MatchedK
from passer.services.exports.report_builder import ReportBuilder
from passer.services.exports.sweep_exporter import SweepExporter
from passer.services.exports.table_export import TableExport
from passer.services.judging.history import HistoryReader
from passer.services.judging.origin_bias import OriginBias
from passer.services.runs.run_browser import OneOffAnswers, RunBrowser
from passer.services.runs.run_comparison import RunComparer
from passer.services.runs.run_list import RunList
from passer.services.runs.run_summary import RunSummaries


@dataclass(frozen=True)
class Runs:
    """Lists, shows and compares runs."""

    adapters: Adapters
    pipeline: Pipeline

    @cached_property
    def one_off_answers(self) -> OneOffAnswers:
        return OneOffAnswers(run_browser=self.run_browser, question_runner=self.pipeline.question_runner)

    @cached_property
    def run_browser(self) -> RunBrowser:
        return RunBrowser(
            runs=self.adapters.runs, evaluations=self.adapters.evaluations, datasets=self.adapters.datasets
        )

    @cached_property
    def run_comparer(self) -> RunComparer:
        return RunComparer(
            run_browser=self.run_browser,
            runs=self.adapters.runs,
            evaluations=self.adapters.evaluations,
            collections=self.adapters.collections,
        )

    @cached_property
    def run_list(self) -> RunList:
        return RunList(run_browser=self.run_browser, runs=self.adapters.runs, evaluations=self.adapters.evaluations)

    @cached_property
    def run_summaries(self) -> RunSummaries:
        return RunSummaries(
            runs=self.adapters.runs, evaluations=self.adapters.evaluations, run_browser=self.run_browser
        )


@dataclass(frozen=True)
class Analysis:
    """Analyses sweeps and compares their configurations."""

    adapters: Adapters
    runs: Runs
    sheets: Sheets
    sweeps: Sweeps
    provenance: Provenance
    judging: Judging
    table_export: TableExport

    @cached_property
    def sweep_results(self) -> SweepResults:
        return SweepResults(
            run_browser=self.runs.run_browser,
            runs=self.adapters.runs,
            evaluations=self.adapters.evaluations,
            judged_columns=self.judging.judged_columns,
        )

    @cached_property
    def sweep_summaries(self) -> SweepSummaries:
        return SweepSummaries(self.sweep_results)

    @cached_property
    def earlier_spreads(self) -> EarlierSpreads:
        return EarlierSpreads(self.adapters.runs, self.sweep_summaries, self.adapters.imports)

    @cached_property
    def cps_check(self) -> CpsCheck:
        return CpsCheck(self.sweep_results)

    @cached_property
    def regression_check(self) -> RegressionCheck:
        return RegressionCheck(self.sweep_results)

    @cached_property
    def failure_locator(self) -> FailureLocator:
        return FailureLocator(
            run_browser=self.runs.run_browser,
            evaluations=self.adapters.evaluations,
            judged=self.judging.judged_columns.newest,
        )

    @cached_property
    def judged_failures(self) -> JudgedFailures:
        return JudgedFailures(
            judgements=self.adapters.judgements,
            labels=self.adapters.labels,
            items=self.judging.items,
            locator=self.failure_locator,
        )

    @cached_property
    def grounding_reader(self) -> GroundingReader:
        return GroundingReader(
            judged=self.judging.judged_columns.newest_by_run,
            run_browser=self.runs.run_browser,
            evaluations=self.adapters.evaluations,
            templates=self.adapters.templates,
        )

    @cached_property
    def timing_results(self) -> TimingResults:
        """Reads what timing runs measured."""
        from passer.adapters.surroundings import surroundings

        return TimingResults(
            runs=self.adapters.runs,
            outbox=self.adapters.outbox,
            manifest_builder=self.provenance.manifest_builder,
            table_export=self.table_export,
            surroundings=partial(surroundings, __version__),
            parts=self.adapters.settings.parts,
        )

    @cached_property
    def fixed_constants(self) -> FixedConstants:
        return FixedConstants(sweep_results=self.sweep_results, sheet_library=self.sheets.sheet_library)

    @cached_property
    def domain_comparison(self) -> DomainComparison:
        return DomainComparison(sweep_results=self.sweep_results, sheet_library=self.sheets.sheet_library)

    @cached_property
    def history(self) -> HistoryReader:
        return HistoryReader(
            runs=self.adapters.runs,
            datasets=self.adapters.datasets,
            evaluations=self.adapters.evaluations,
            judgements=self.adapters.judgements,
            labels=self.adapters.labels,
            items=self.judging.items,
            run_browser=self.runs.run_browser,
            judged=self.judging.judged_columns.newest_by_run,
        )

    @cached_property
    def origin_bias(self) -> OriginBias:
        return OriginBias(
            run_browser=self.runs.run_browser,
            evaluations=self.adapters.evaluations,
            judgements=self.adapters.judgements,
            results=self.judging.results,
        )

    @cached_property
    def matched_k(self) -> MatchedK:
        return MatchedK(
            run_browser=self.runs.run_browser,
            evaluations=self.adapters.evaluations,
            datasets=self.adapters.datasets,
            planner=self.sweeps.planner,
        )


@dataclass(frozen=True)
class Exports:
    """Writes tables, figures and reports."""

    sheets: Sheets
    analysis: Analysis
    table_export: TableExport

    @cached_property
    def sweep_exporter(self) -> SweepExporter:
        return SweepExporter(self.analysis.sweep_results, self.table_export)

    @cached_property
    def report_builder(self) -> ReportBuilder:
        """Builds figures and reports."""
        from passer.adapters.drawing import MatplotlibDrawer
        from passer.adapters.reports import HtmlReports

        return ReportBuilder(
            sweep_results=self.analysis.sweep_results,
            sheet_library=self.sheets.sheet_library,
            table_export=self.table_export,
            timing_results=self.analysis.timing_results,
            failure_locator=self.analysis.failure_locator,
            grounding_reader=self.analysis.grounding_reader,
            judged_tables=self.analysis.judging.judged_tables,
            judged_failures=self.analysis.judged_failures,
            drawer=MatplotlibDrawer(),
            renderer=HtmlReports(),
            made_by=f"PaSSER {__version__}",
        )
