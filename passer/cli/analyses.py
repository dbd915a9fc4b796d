"""analyse: what a sweep, or imported sheets, show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, print_json

if TYPE_CHECKING:
    from passer.domain.composite import MissingPolicy


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(analyse)


def analyse(
    some_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a sweep, or of imported sheets.")],
    panel: Annotated[str | None, typer.Option(help="Of a sweep: phase3, phase3-no-meteor or phase2.")] = None,
    missing: Annotated[str, typer.Option(help="Of a sweep: worst or drop.")] = "worst",
    tests: Annotated[bool, typer.Option("--tests", help="Of a sweep: every test of every threshold's gain.")] = False,
    procedure: Annotated[
        str | None, typer.Option(help="Of imported sheets: published, corrected or published-phase2.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help='Of imported sheets: MODEL="Label"; may be repeated.')] = None,
    bands: Annotated[str, typer.Option(help="Of imported sheets: phase3 or phase4, how gains are called.")] = "phase3",
    as_json: JsonOption = False,
) -> None:
    """Composite scores, paired comparisons with the baseline, retrieval quality; for imported sheets, their tables."""
    from passer.cli.imports import analyse_import, is_import
    from passer.errors import ConfigError

    if is_import(some_id):
        if panel is not None or missing != "worst" or tests:
            raise ConfigError("--panel, --missing and --tests are for sweeps: a procedure fixes them for sheets.")
        analyse_import(some_id, procedure=procedure, labels=label or [], bands=bands, as_json=as_json)
        return
    if procedure is not None or label or bands != "phase3":
        raise ConfigError("--procedure, --label and --bands are for imported sheets: leave them out for a sweep.")
    if missing not in ("worst", "drop"):
        raise ConfigError("--missing is worst or drop: choose one.", field="missing")
    _analyse_sweep(some_id, panel=panel, missing="drop" if missing == "drop" else "worst", tests=tests, as_json=as_json)


def _analyse_sweep(sweep_id: str, *, panel: str | None, missing: MissingPolicy, tests: bool, as_json: bool) -> None:
    from passer.bootstrap import services
    from passer.cli.imports import print_evidence
    from passer.cli.running import print_analysis

    with services() as built:
        analysis = built.comparing.analyse(sweep_id, panel=panel, missing=missing)
        evidence = built.comparing.evidence(sweep_id, panel=panel, missing=missing) if tests else None
    if as_json:
        print_json(analysis if evidence is None else {**analysis.model_dump(mode="json"), "evidence": evidence})
        return
    print_analysis(analysis)
    if evidence is not None:
        print_evidence(evidence)
        for line in evidence.statements:
            note(f"  {line}")
