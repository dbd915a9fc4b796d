"""domains and match-k: questions that go beyond one analysis."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import EngineOption, JsonOption, note, print_json, print_table

if TYPE_CHECKING:
    from passer.domain.crossing.crossed import CrossDomain, SharedConstants

CONSTANTS: tuple[SharedConstants, ...] = ("joint", "first", "own")
"""Where minimum and maximum of each metric come from."""


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(domains)
    app.command(name="match-k")(match_k)


def domains(
    first: Annotated[str, typer.Argument(help="Id of a sweep, or of imported sheets.")],
    second: Annotated[str, typer.Argument(help="Id of another of the same kind, on other questions.")],
    constants: Annotated[
        str, typer.Option(help="joint: of both together; first: the first one's; own: each its own, nothing compared.")
    ] = "joint",
    label: Annotated[list[str] | None, typer.Option(help='Of imported sheets: MODEL="Label"; may be repeated.')] = None,
    tables: Annotated[Path | None, typer.Option("--tables", help="Also write every table into this folder.")] = None,
    form: Annotated[str, typer.Option("--format", help="Of these tables: csv, jsonl, xlsx or latex.")] = "csv",
    as_json: JsonOption = False,
) -> None:
    """Two domains side by side: best thresholds, gains, and whether the gain differs between them (RQ3)."""
    from passer.bootstrap import services
    from passer.cli.exports import suffix_of, write_file
    from passer.domain.crossing.tables import crossing_tables
    from passer.domain.sheets.procedures import parsed_labels

    chosen, suffix = _constants(constants), suffix_of(form)
    with services() as built:
        crossed = built.crossing.compare(first, second, constants=chosen, labels=parsed_labels(label or []))
        print_json(crossed) if as_json else _print(crossed)
        if tables is not None:
            for name, table in crossing_tables(crossed).items():
                with built.exporting.table(table, suffix=suffix) as content:
                    write_file(tables / f"{name}{suffix}", content)


def match_k(
    run_id: Annotated[str, typer.Argument(help="Id of a run with a similarity threshold.")],
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """k or threshold? Run a Normal arm that keeps as many passages on average, and test the difference by question."""
    from passer.bootstrap import services
    from passer.cli.running import print_analysis, run_or_follow

    with services(engine=engine) as built:
        stored = run_or_follow(built, built.matching.match(run_id).id)
        if as_json:
            print_json(stored)
            return
        analysis = built.comparing.analyse(stored.id)
        print_analysis(analysis)
        note(f"  A gain here is what the threshold does beyond keeping as many passages ({stored.runs[0].name}).")


def _constants(text: str) -> SharedConstants:
    from passer.errors import ConfigError

    for constants in CONSTANTS:
        if text == constants:
            return constants
    raise ConfigError(f"--constants is one of {', '.join(CONSTANTS)}: choose one.", field="constants")


def _print(crossed: CrossDomain) -> None:
    from passer.domain.analysis.result_tables import TITLES
    from passer.domain.cell_text import cell_text, heading
    from passer.domain.crossing.tables import crossing_tables

    for name, table in crossing_tables(crossed).items():
        rows = [list(map(cell_text, table.columns, row)) for row in table.rows]
        print_table([heading(column) for column in table.columns], rows, title=TITLES[name])
        print()
    for line in crossed.statements:
        note(f"  {line}")
    if crossed.control:
        note(f"  Beside their questions and documents the studies are {crossed.control}.")
