"""The command `analyse`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.analysis_options import (
    AssessmentOption,
    ClustersOption,
    ConstantsOption,
    ExploredAlphaOption,
    ExploredMarginOption,
    ExploredPrimaryOption,
    LabelsOption,
    MissingOption,
    NormalisationOption,
    PanelOption,
    ProcedureOption,
    RightFromOption,
    ScopeOption,
    TcpsAlphaOption,
    TcpsBetaOption,
    TestsOption,
    TruncatedOption,
)
from passer.cli.output import JsonOption, note, print_json
from passer.cli.wanted import constants_of, sweep_choices
from passer.domain.defaults import TCPS_ALPHA, TCPS_BETA
from passer.domain.wording.catalogue import Language

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.analysis.choices import SweepChoices
    from passer.domain.figures.figure import Figure
    from passer.domain.reports.report import Report


def register(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(analyse)


def analyse(
    some_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a sweep or of imported sheets.")],
    panel: PanelOption = None,
    normalisation: NormalisationOption = None,
    missing: MissingOption = "worst",
    truncated: TruncatedOption = "keep",
    scope: ScopeOption = "all",
    clusters: ClustersOption = "declared",
    primary: ExploredPrimaryOption = None,
    assessment: AssessmentOption = None,
    margin: ExploredMarginOption = None,
    alpha: ExploredAlphaOption = None,
    tcps_alpha: TcpsAlphaOption = TCPS_ALPHA,
    tcps_beta: TcpsBetaOption = TCPS_BETA,
    right_from: RightFromOption = None,
    tests: TestsOption = False,
    procedure: ProcedureOption = None,
    label: LabelsOption = None,
    bands: Annotated[
        str,
        typer.Option(
            help="Words for the size of T-CPS gains in tables, as in phase3 or phase4 of the published study: labels "
            "only, no result depends on them."
        ),
    ] = "phase3",
    constants: ConstantsOption = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", help="Also write a self-contained HTML report, and for a sweep its main table as LaTeX."
        ),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="Also write all figures to this folder, as SVG, PNG and CSV.")
    ] = None,
    language: Annotated[
        Language, typer.Option("--language", help="Language of the report and the figures: en or bg.")
    ] = "en",
    as_json: JsonOption = False,
) -> None:
    """Print composite scores, comparisons with the baseline, and retrieval quality of a sweep or an import.

    A sweep must be finished, cancelled or failed: gains of a running or paused sweep are not shown.
    """
    from passer.bootstrap import services
    from passer.cli.files import write_file
    from passer.cli.imports import analyse_import, chosen_sheets, is_import
    from passer.domain.analysis.choices import SweepChoices
    from passer.errors import ConfigError

    pinned = constants_of(constants)
    wanted = sweep_choices(
        panel=panel, normalisation=normalisation, missing=missing, truncated=truncated, scope=scope,
        clusters=clusters, primary=primary, assessment=assessment, margin=margin, alpha=alpha, right_from=right_from,
        stability={"alpha": tcps_alpha, "beta": tcps_beta},
    )  # fmt: skip
    if is_import(some_id):
        if wanted != SweepChoices() or tests:
            raise ConfigError(
                "--panel, --normalisation, --missing, --truncated, --scope, --clusters, --primary, --assessment, "
                "--margin, --alpha, --tcps-alpha, --tcps-beta, --right-from and --tests apply to sweeps only. For "
                "imported sheets, --procedure determines them."
            )
        with services() as built:
            sheets = built.analysis.fixed_constants.sheets(
                chosen_sheets(procedure, labels=label or [], bands=bands), pinned
            )
            analyse_import(built, some_id, sheets, as_json=as_json)
            if report or figures:
                _write(
                    built,
                    built.exports.report_builder.report_of_import(some_id, sheets),
                    report=report,
                    figures=figures,
                    language=language,
                )
        return
    if procedure is not None or label:
        raise ConfigError("--procedure and --label apply to imported sheets only. Remove them.")
    with services() as built:
        wanted = sweep_choices(**{**dict(wanted), "bands": bands})
        choices = built.analysis.fixed_constants.sweep(wanted, pinned)
        _analyse_sweep(built, some_id, choices, tests=tests, as_json=as_json)
        if report or figures:
            made = built.exports.report_builder.report_of_sweep(some_id, choices)
            _write(built, made, report=report, figures=figures, language=language)
        if report:
            with built.exports.report_builder.latex_of_sweep(some_id, choices) as content:
                write_file(report.with_suffix(".tex"), content)


def _analyse_sweep(built: Services, sweep_id: str, choices: SweepChoices, *, tests: bool, as_json: bool) -> None:
    from passer.cli.imports import print_evidence
    from passer.cli.run_output import print_analysis

    analysis = built.analysis.sweep_results.analyse(sweep_id, choices)
    evidence = built.analysis.sweep_results.evidence(sweep_id, choices) if tests else None
    if as_json:
        print_json(analysis if evidence is None else {**analysis.model_dump(mode="json"), "evidence": evidence})
        return
    print_analysis(analysis)
    if evidence is not None:
        print_evidence(evidence)
        for line in evidence.statements:
            note(f"  {line}")


def _write(built: Services, made: Report, *, report: Path | None, figures: Path | None, language: Language) -> None:
    from passer.cli.files import write_file
    from passer.domain.wording.sentence import in_readers_language, reading

    with reading(language):
        if report is not None:
            write_file(report, io.BytesIO(built.exports.report_builder.page(made)))
        if figures is not None:
            sections = in_readers_language(made).sections
            _write_figures(built, [figure for section in sections for figure in section.figures], figures)


def _write_figures(built: Services, made: Sequence[Figure], folder: Path) -> None:
    """Write each figure as SVG, PNG and CSV."""
    from passer.cli.files import write_file
    from passer.domain.figures.figure import figure_table

    for figure in made:
        for form in ("svg", "png"):
            write_file(
                folder / f"{figure.id}.{form}",
                io.BytesIO(built.exports.report_builder.drawing(figure, form, among=made)),
            )
        with built.exports.table_export.table(figure_table(figure), suffix=".csv") as content:
            write_file(folder / f"{figure.id}.csv", content)
