"""The command `analyse`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.analysis_options import (
    CompositeOptions,
    ConstantsOption,
    ExploredOptions,
    LabelsOption,
    ProcedureOption,
    TcpsAlphaOption,
    TcpsBetaOption,
    TestsOption,
)
from passer.cli.commands import grouped
from passer.cli.files import write_file
from passer.cli.imports import analyse_import, chosen_sheets, is_import, sweep_or
from passer.cli.option_models import constants_of, sweep_choices
from passer.cli.output import JsonOption, note, print_json
from passer.cli.run_output import print_analysis, print_evidence
from passer.domain.defaults import TCPS_ALPHA, TCPS_BETA
from passer.domain.wording.catalogue import Language
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.analysis.choices import SweepChoices
    from passer.domain.figures.figure import Figure
    from passer.domain.reports.report import Report


@dataclass(frozen=True)
class FileOptions:
    """Files that an analysis is also written to, and their language."""

    report: Annotated[
        Path | None,
        typer.Option(help="Also write a self-contained HTML report, and for a sweep its main table as LaTeX."),
    ] = None
    figures: Annotated[
        Path | None, typer.Option(help="Also write all figures to this folder, as SVG, PNG and CSV.")
    ] = None
    language: Annotated[Language, typer.Option(help="Language of the report and the figures.")] = "en"


BandsOption = Annotated[
    str,
    typer.Option(
        help="Words for the size of T-CPS gains in tables, as in phase3 or phase4 of the published study: labels "
        "only, no result depends on them."
    ),
]


@grouped
def analyse(
    some_id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="Id of a sweep (`passer runs`) or of imported sheets (`passer import list`)."
        ),
    ],
    *,
    composites: CompositeOptions,
    explored: ExploredOptions,
    tcps_alpha: TcpsAlphaOption = TCPS_ALPHA,
    tcps_beta: TcpsBetaOption = TCPS_BETA,
    tests: TestsOption = False,
    procedure: ProcedureOption = None,
    label: LabelsOption = None,
    bands: BandsOption = "phase3",
    constants: ConstantsOption = None,
    files: FileOptions,
    as_json: JsonOption = False,
) -> None:
    """Print composite scores, comparisons with the baseline, and retrieval quality of a sweep or an import.

    A sweep must be finished, cancelled or failed: gains of a running or paused sweep are not shown.
    """
    from passer.domain.analysis.choices import SweepChoices

    pinned = constants_of(constants)
    wanted = sweep_choices(
        **asdict(composites), **asdict(explored), stability={"alpha": tcps_alpha, "beta": tcps_beta}
    )  # fmt: skip
    if is_import(some_id):
        if wanted != SweepChoices() or tests:
            raise ConfigError(
                "--panel, --normalisation, --missing, --truncated, --scope, --clusters, --primary, --assessment, "
                "--margin, --alpha, --tcps-alpha, --tcps-beta, --right-from and --tests apply to sweeps only. For "
                "imported sheets, --procedure determines them."
            )
        with services() as built:
            chosen = chosen_sheets(procedure, labels=label or [], bands=bands)
            sheets = built.analysis.fixed_constants.sheets(chosen, pinned)
            analyse_import(built, some_id, sheets, as_json=as_json)
            if files.report or files.figures:
                _write(built, built.exports.report_builder.report_of_import(some_id, sheets), files)
        return
    if procedure is not None or label:
        raise ConfigError("--procedure and --label apply to imported sheets only. Remove them.")
    with services() as built, sweep_or("import", some_id):
        choices = built.analysis.fixed_constants.sweep(sweep_choices(**{**dict(wanted), "bands": bands}), pinned)
        _print_sweep(built, some_id, choices, tests=tests, as_json=as_json)
        _write_sweep(built, some_id, choices, files)


def _print_sweep(built: Services, sweep_id: str, choices: SweepChoices, *, tests: bool, as_json: bool) -> None:
    analysis = built.analysis.sweep_results.analyse(sweep_id, choices)
    evidence = built.analysis.sweep_results.evidence(sweep_id, choices) if tests else None
    if as_json:
        print_json(analysis if evidence is None else {**analysis.model_dump(mode="json"), "evidence": evidence})
        return
    print_analysis(analysis, built.adapters.runs.load_sweep(sweep_id, counted=False))
    if evidence is not None:
        print_evidence(evidence)
        for line in evidence.statements:
            note(f"  {line}")


def _write_sweep(built: Services, sweep_id: str, choices: SweepChoices, files: FileOptions) -> None:
    if files.report or files.figures:
        _write(built, built.exports.report_builder.report_of_sweep(sweep_id, choices), files)
    if files.report:
        with built.exports.report_builder.latex_of_sweep(sweep_id, choices) as content:
            write_file(files.report.with_suffix(".tex"), content)


def _write(built: Services, made: Report, files: FileOptions) -> None:
    from passer.domain.wording.sentence import in_readers_language, reading

    with reading(files.language):
        if files.report is not None:
            write_file(files.report, io.BytesIO(built.exports.report_builder.page(made)))
        if files.figures is not None:
            sections = in_readers_language(made).sections
            _write_figures(built, [figure for section in sections for figure in section.figures], files.figures)


def _write_figures(built: Services, made: Sequence[Figure], folder: Path) -> None:
    """Write each figure as SVG, PNG and CSV."""
    from passer.domain.figures.figure import figure_table

    for figure in made:
        for form in ("svg", "png"):
            write_file(
                folder / f"{figure.id}.{form}",
                io.BytesIO(built.exports.report_builder.drawing(figure, form, among=made)),
            )
        with built.exports.table_export.table(figure_table(figure), suffix=".csv") as content:
            write_file(folder / f"{figure.id}.csv", content)
