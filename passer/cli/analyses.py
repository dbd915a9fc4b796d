"""analyse: what a sweep, or imported sheets, show."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, print_json
from passer.cli.wanted import (
    ConstantsOption,
    MissingOption,
    PanelOption,
    ScopeOption,
    TruncatedOption,
    constants_of,
    sweep_choices,
)

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.analysis.choices import SweepChoices
    from passer.domain.figures.figure import Figure
    from passer.domain.reports.report import Report


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(analyse)


def analyse(
    some_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a sweep, or of imported sheets.")],
    panel: PanelOption = None,
    missing: MissingOption = "worst",
    truncated: TruncatedOption = "keep",
    scope: ScopeOption = "all",
    tests: Annotated[bool, typer.Option("--tests", help="Of a sweep: every test of every threshold's gain.")] = False,
    procedure: Annotated[
        str | None, typer.Option(help="Of imported sheets: published, corrected or published-phase2.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help='Of imported sheets: MODEL="Label"; may be repeated.')] = None,
    bands: Annotated[str, typer.Option(help="Of imported sheets: phase3 or phase4, how gains are called.")] = "phase3",
    constants: ConstantsOption = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Also write a report: one HTML page that needs nothing beside it.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="Also write every figure into this folder, as SVG, PNG and CSV.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Composite scores, paired comparisons with the baseline, retrieval quality; for imported sheets, their tables."""
    from passer.bootstrap import services
    from passer.cli.imports import analyse_import, chosen_sheets, is_import
    from passer.domain.analysis.choices import SweepChoices
    from passer.errors import ConfigError

    pinned = constants_of(constants)
    wanted = sweep_choices(panel=panel, missing=missing, truncated=truncated, scope=scope)
    if is_import(some_id):
        if wanted != SweepChoices() or tests:
            raise ConfigError(
                "--panel, --missing, --truncated, --scope and --tests are for sweeps: of sheets a procedure fixes them."
            )
        with services() as built:
            sheets = built.pinning.sheets(chosen_sheets(procedure, labels=label or [], bands=bands), pinned)
            analyse_import(built, some_id, sheets, as_json=as_json)
            if report or figures:
                _write(built, built.reporting.report_of_import(some_id, sheets), report=report, figures=figures)
        return
    if procedure is not None or label or bands != "phase3":
        raise ConfigError("--procedure, --label and --bands are for imported sheets: leave them out for a sweep.")
    with services() as built:
        choices = built.pinning.sweep(wanted, pinned)
        _analyse_sweep(built, some_id, choices, tests=tests, as_json=as_json)
        if report or figures:
            _write(built, built.reporting.report_of_sweep(some_id, choices), report=report, figures=figures)


def _analyse_sweep(built: Services, sweep_id: str, choices: SweepChoices, *, tests: bool, as_json: bool) -> None:
    from passer.cli.imports import print_evidence
    from passer.cli.running import print_analysis

    analysis = built.comparing.analyse(sweep_id, choices)
    evidence = built.comparing.evidence(sweep_id, choices) if tests else None
    if as_json:
        print_json(analysis if evidence is None else {**analysis.model_dump(mode="json"), "evidence": evidence})
        return
    print_analysis(analysis)
    if evidence is not None:
        print_evidence(evidence)
        for line in evidence.statements:
            note(f"  {line}")


def _write(built: Services, made: Report, *, report: Path | None, figures: Path | None) -> None:
    from passer.cli.exports import write_file

    if report is not None:
        write_file(report, io.BytesIO(built.reporting.page(made)))
    if figures is not None:
        _write_figures(built, [figure for section in made.sections for figure in section.figures], figures)


def _write_figures(built: Services, made: Sequence[Figure], folder: Path) -> None:
    """Each figure drawn twice, and as a table."""
    from passer.cli.exports import write_file
    from passer.domain.figures.figure import figure_table

    for figure in made:
        for form in ("svg", "png"):
            write_file(folder / f"{figure.id}.{form}", io.BytesIO(built.reporting.drawing(figure, form, among=made)))
        with built.exporting.table(figure_table(figure), suffix=".csv") as content:
            write_file(folder / f"{figure.id}.csv", content)
