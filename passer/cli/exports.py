"""export: tables of sweeps and of imported sheets, as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from passer.cli.output import note
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
    from passer.domain.analysis.constants import Constants
    from passer.domain.analysis.study_tables import StudyTable

SUFFIXES = {"csv": ".csv", "jsonl": ".jsonl", "xlsx": ".xlsx", "latex": ".tex"}
EVALUATIONS, SHEETS, ALL = "evaluations", "sheets", "all"


def export(
    some_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a sweep, or of imported sheets.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="File to write: .csv, .jsonl, .xlsx, .tex; a folder for `all`.")
    ],
    table: Annotated[
        str,
        typer.Option(
            help="evaluations, composites, sheets (the published layout, as a .zip), one that an analysis has "
            "(configurations, tests, ...), or all of these."
        ),
    ] = "evaluations",
    form: Annotated[
        str | None, typer.Option("--format", help="csv, jsonl, xlsx or latex; by default the suffix of the file says.")
    ] = None,
    procedure: Annotated[
        str | None, typer.Option(help="Of imported sheets: published, corrected or published-phase2.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help='Of imported sheets: MODEL="Label"; may be repeated.')] = None,
    constants: ConstantsOption = None,
    panel: PanelOption = None,
    missing: MissingOption = "worst",
    truncated: TruncatedOption = "keep",
    scope: ScopeOption = "all",
    shifted_labels: Annotated[
        bool,
        typer.Option("--shifted-labels", help="Of `sheets`: ten labels wrong, as the published exports have them."),
    ] = False,
    reproducible: Annotated[
        bool, typer.Option("--reproducible", help="Leave clock times and measured seconds out: the same bytes again.")
    ] = False,
) -> None:
    """Write tables of a sweep, or of imported sheets, as files."""
    from passer.bootstrap import services
    from passer.services.comparing import ROW_TABLES

    suffix = _suffix(form, output if table != ALL else None)
    wanted = sweep_choices(panel=panel, missing=missing, truncated=truncated, scope=scope)
    _check(some_id, table, wanted, shifted_labels=shifted_labels, pinned=constants is not None)
    with services() as built:
        if table == SHEETS:
            _write(output, built.comparing.sheets(some_id, shifted=shifted_labels, reproducible=reproducible))
        elif table in ROW_TABLES:
            choices = built.pinning.sweep(wanted, constants_of(constants))
            _write(output, built.comparing.export(
                some_id, table=ROW_TABLES[table], suffix=suffix, choices=choices,
                reproducible=reproducible))  # fmt: skip
        else:
            tables, pinned = _tables(built, some_id, wanted, procedure, label or [], constants)
            names = list(tables) if table == ALL else [table]
            for name in names:
                file = output / f"{name}{suffix}" if table == ALL else output
                _write(file, built.reporting.export(
                    tables, name, suffix=suffix, constants=pinned, reproducible=reproducible))  # fmt: skip


def _check(some_id: str, table: str, wanted: SweepChoices, *, shifted_labels: bool, pinned: bool) -> None:
    """ConfigError for options that say nothing about this table of this study."""
    from passer.cli.imports import is_import
    from passer.domain.analysis.choices import SweepChoices
    from passer.errors import ConfigError
    from passer.services.comparing import ROW_TABLES

    if shifted_labels and table != SHEETS:
        raise ConfigError("--shifted-labels is for --table sheets: leave it out.", field="shifted-labels")
    if pinned and table in (EVALUATIONS, SHEETS):
        raise ConfigError(f"--constants is for composites, which {table} do not hold: leave it out.", field="constants")
    if is_import(some_id) and table in (*ROW_TABLES, SHEETS):
        raise ConfigError(f"{table} is of sweeps: choose a table of the analysis with --table.", field="table")
    if wanted != SweepChoices() and (is_import(some_id) or table in (EVALUATIONS, SHEETS)):
        raise ConfigError("--panel, --missing, --truncated and --scope are for a sweep's composites: leave them out.")


def _tables(
    built: Services, some_id: str, wanted: SweepChoices, procedure: str | None, labels: list[str], constants: str | None
) -> tuple[Mapping[str, StudyTable], Constants | None]:
    """Tables by name, and the constants that they are pinned to."""
    from passer.cli.imports import chosen_sheets, is_import
    from passer.errors import ConfigError

    given = constants_of(constants)
    if is_import(some_id):
        sheets = built.pinning.sheets(chosen_sheets(procedure, labels=labels), given)
        return built.reporting.tables_of_import(some_id, sheets), sheets.constants
    if procedure is not None or labels:
        raise ConfigError("--procedure and --label are for imported sheets: leave them out for a sweep.")
    choices = built.pinning.sweep(wanted, given)
    return built.reporting.tables_of_sweep(some_id, choices), choices.constants


def _suffix(form: str | None, output: Path | None) -> str:
    """Of the format; of the file where no format is named."""
    if form is None:
        return output.suffix if output is not None else SUFFIXES["csv"]
    return suffix_of(form)


def suffix_of(form: str) -> str:
    """Of a format by its name; ConfigError lists them."""
    from passer.errors import ConfigError

    if form not in SUFFIXES:
        raise ConfigError(f"--format is one of {', '.join(SUFFIXES)}: choose one.", field="format")
    return SUFFIXES[form]


def _write(output: Path, content: IO[bytes]) -> None:
    with content:
        write_file(output, content)


def write_file(output: Path, content: IO[bytes]) -> None:
    """A file whole or not at all, in a folder that is made where it is missing; InputError where that cannot be."""
    import shutil

    from passer.errors import InputError

    partial = output.with_name(f".{output.name}.part")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        partial.replace(output)
    except OSError as exc:
        partial.unlink(missing_ok=True)
        raise InputError(f"{output} cannot be written ({exc.strerror}): choose another file.") from exc
    note(f"Wrote {output}.")
