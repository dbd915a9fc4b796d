"""The commands `domains`, `match-k` and `origins`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.analysis_options import LabelsOption
from passer.cli.exports import suffix_of
from passer.cli.files import write_file
from passer.cli.imports import sweep_or
from passer.cli.output import (
    EngineOption,
    JsonOption,
    note,
    number,
    p_value,
    print_json,
    print_study_table,
    print_table,
    span,
)
from passer.cli.run_output import print_analysis
from passer.cli.runs import run_or_follow
from passer.domain.wording.counted import counted
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.crossing.crossed import CrossDomain, SharedConstants

CONSTANTS: tuple[SharedConstants, ...] = ("joint", "first", "own")
"""Pools that the minimum and maximum of each metric can come from."""


def domains(
    first: Annotated[
        str, typer.Argument(help="Id of a sweep (`passer runs`) or of imported sheets (`passer import list`).")
    ],
    second: Annotated[str, typer.Argument(help="Id of another sweep or import, with other questions.")],
    constants: Annotated[
        str,
        typer.Option(
            help="Constants of CPS: joint (both together), first (those of the first), or own (each its own; "
            "nothing is compared)."
        ),
    ] = "joint",
    label: LabelsOption = None,
    tables: Annotated[Path | None, typer.Option("--tables", help="Also write all tables to this folder.")] = None,
    form: Annotated[str, typer.Option("--format", help="Format of these tables: csv, jsonl, xlsx or latex.")] = "csv",
    as_json: JsonOption = False,
) -> None:
    """Compare two domains: best thresholds, gains, and whether the gain differs between them."""
    from passer.domain.crossing.crossed import crossing_tables
    from passer.domain.sheets.procedures import parsed_labels

    chosen, suffix = _constants(constants), suffix_of(form)
    with services() as built, sweep_or("import", first, second):
        crossed = built.analysis.domain_comparison.compare(
            first, second, constants=chosen, labels=parsed_labels(label or [])
        )
        print_json(crossed) if as_json else _print(crossed)
        if tables is not None:
            for name, table in crossing_tables(crossed).items():
                with built.exports.table_export.table(table, suffix=suffix) as content:
                    write_file(tables / f"{name}{suffix}", content)


def match_k(
    run_id: Annotated[str, typer.Argument(help="Id of a run with a similarity threshold.")],
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a similarity threshold with a fixed k that keeps as many passages on average."""
    with services(engine=engine) as built:
        stored = run_or_follow(built, built.analysis.matched_k.match(run_id).id)
        if as_json:
            print_json(stored)
            return
        analysis = built.analysis.sweep_results.analyse(stored.id)
        print_analysis(analysis, stored)
        compared = f"keeping the same mean number of passages ({stored.runs[0].name})"
        note(f"  Gain: effect of the threshold compared with {compared}.")


def origins(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Ids of runs, of any sweeps and datasets.")],
    metric: Annotated[str, typer.Option("--metric", help="One of the 24 metrics, or a judged one.")],
    as_json: JsonOption = False,
) -> None:
    """Compare the models that wrote questions with those that answered: do questions favour their own writer?"""
    with services() as built:
        found = built.analysis.origin_bias.of(runs, metric)
    if as_json:
        print_json(found)
        return
    print_table(
        ["questions by", "answered by", "n", "mean", "95 % CI", "interaction", ""],
        [
            (
                each.origin, each.model, str(each.n), number(each.mean), span(each.low, each.high),
                number(each.interaction, sign=True), "own" if each.is_own else "",
            )
            for each in found.cells
        ],
    )  # fmt: skip
    if found.effects:
        print()
        print_table(
            ["model", "own - others", "95 % CI", "p", "adjusted p", "method"],
            [
                (
                    each.model, number(each.difference, sign=True), span(each.low, each.high), p_value(each.p),
                    p_value(each.p_adjusted), each.method,
                )
                for each in found.effects
            ],
        )  # fmt: skip
    if found.missing:
        note(f"{counted(found.missing, 'answer')} without a value left out.")
    for line in found.notes:
        note(line)


def _constants(text: str) -> SharedConstants:
    for constants in CONSTANTS:
        if text == constants:
            return constants
    raise ConfigError(f"--constants must be one of {', '.join(CONSTANTS)}.", field="constants")


def _print(crossed: CrossDomain) -> None:
    from passer.domain.crossing.crossed import crossing_tables

    for name, table in crossing_tables(crossed).items():
        print_study_table(name, table)
        print()
    for line in crossed.statements:
        note(f"  {line}")
    if crossed.control:
        note(f"  Apart from questions and documents, the studies are {crossed.control}.")
