"""The command `export`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.analysis_options import CompositeOptions, ConstantsOption, LabelsOption, ProcedureOption
from passer.cli.commands import grouped
from passer.cli.files import write_file
from passer.cli.imports import chosen_sheets, is_import
from passer.cli.option_models import constants_of, sweep_choices
from passer.cli.retrieval_output import write_texts
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.analysis.choices import SweepChoices
    from passer.domain.analysis.constants import Constants
    from passer.domain.analysis.study_table import StudyTable

EVALUATIONS, SHEETS, ALL = "evaluations", "sheets", "all"
OutputOption = Annotated[
    Path,
    typer.Option("--output", "-o", help="File to write: .csv, .jsonl, .xlsx or .tex; a folder for `all` and trec."),
]
TrecOption = Annotated[
    bool,
    typer.Option(
        "--trec", help="TREC runs of the sweep's retrievers as they were stored, with the qrels; same as --table trec."
    ),
]
TableOption = Annotated[
    str,
    typer.Option(
        help="evaluations, composites, sheets (the published layout, as .zip), ragelo-queries, ragelo-documents or "
        "ragelo-answers (files of RAGElo), trec (runs and qrels), judged_answers (the judged value of each answer), a "
        "table of the analysis (configurations, tests, ...), or all."
    ),
]


@grouped
def export(
    some_id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="Id of a sweep (`passer runs`) or of imported sheets (`passer import list`)."
        ),
    ],
    *,
    output: OutputOption,
    table: TableOption = "evaluations",
    trec: TrecOption = False,
    form: Annotated[
        str | None, typer.Option("--format", help="csv, jsonl, xlsx or latex; default: according to the file's suffix.")
    ] = None,
    procedure: ProcedureOption = None,
    label: LabelsOption = None,
    constants: ConstantsOption = None,
    composites: CompositeOptions,
    shifted_labels: Annotated[
        bool,
        typer.Option("--shifted-labels", help="For `sheets` only: ten shifted labels, as in the published exports."),
    ] = False,
    reproducible: Annotated[
        bool,
        typer.Option(
            "--reproducible", help="Omit clock times and measured seconds, so that repeated exports are identical."
        ),
    ] = False,
) -> None:
    """Export tables of a sweep or of imported sheets."""
    from passer.adapters.trec import sweep_files
    from passer.services.exports.sweep_exporter import ROW_TABLES, TREC
    from passer.services.judging.tables import JUDGED_ANSWERS

    table = TREC if trec else table
    suffix = output.suffix if form is None and table != ALL else suffix_of(form or "csv")
    wanted = sweep_choices(**asdict(composites))
    _check(some_id, table, wanted, shifted_labels=shifted_labels, pinned=constants is not None)
    with services() as built:
        exporter, reports = built.exports.sweep_exporter, built.exports.report_builder
        if table == SHEETS:
            _write(output, exporter.sheets(some_id, shifted=shifted_labels, reproducible=reproducible))
        elif table == TREC:
            write_texts(sweep_files(exporter.rankings(some_id)), output)
        elif table in ROW_TABLES:
            choices = built.analysis.fixed_constants.sweep(wanted, constants_of(constants))
            _write(output, exporter.export(
                some_id, table=ROW_TABLES[table], suffix=suffix, choices=choices,
                reproducible=reproducible))  # fmt: skip
        elif table == JUDGED_ANSWERS:
            _write(output, reports.judged_answers(some_id, suffix=suffix, reproducible=reproducible))
        else:
            tables, pinned = _tables(built, some_id, wanted, procedure, label or [], constants)
            files = {name: output / f"{name}{suffix}" for name in tables} if table == ALL else {table: output}
            for name, file in files.items():
                _write(file, reports.export(
                    tables, name, suffix=suffix, constants=pinned, reproducible=reproducible))  # fmt: skip


def _check(some_id: str, table: str, wanted: SweepChoices, *, shifted_labels: bool, pinned: bool) -> None:
    """Raise ConfigError for options that do not apply to this table of this study."""
    from passer.domain.analysis.choices import SweepChoices
    from passer.services.exports.sweep_exporter import ROW_TABLES, TREC

    if shifted_labels and table != SHEETS:
        raise ConfigError("--shifted-labels applies to --table sheets only. Remove it.", field="shifted-labels")
    if pinned and table in (EVALUATIONS, SHEETS, TREC):
        raise ConfigError(
            f"--constants applies to composite scores, which {table} does not contain. Remove it.", field="constants"
        )
    if is_import(some_id) and table in (*ROW_TABLES, SHEETS, TREC):
        raise ConfigError(f"{table} is a table of sweeps. Choose a table of the analysis with --table.", field="table")
    if wanted != SweepChoices() and (is_import(some_id) or table in (EVALUATIONS, SHEETS, TREC)):
        raise ConfigError(
            "--panel, --normalisation, --missing, --truncated and --scope apply to composite scores of sweeps only. "
            "Remove them."
        )


def _tables(
    built: Services, some_id: str, wanted: SweepChoices, procedure: str | None, labels: list[str], constants: str | None
) -> tuple[Mapping[str, StudyTable], Constants | None]:
    """Return tables by name, and their fixed constants."""
    given = constants_of(constants)
    if is_import(some_id):
        sheets = built.analysis.fixed_constants.sheets(chosen_sheets(procedure, labels=labels), given)
        return built.exports.report_builder.tables_of_import(some_id, sheets), sheets.constants
    if procedure is not None or labels:
        raise ConfigError("--procedure and --label apply to imported sheets only. Remove them.")
    choices = built.analysis.fixed_constants.sweep(wanted, given)
    return built.exports.report_builder.tables_of_sweep(some_id, choices), choices.constants


def suffix_of(form: str) -> str:
    """Return the suffix of a named format; ConfigError lists the names."""
    from passer.ports.tables import SUFFIXES

    if form not in SUFFIXES:
        raise ConfigError(f"--format must be one of {', '.join(SUFFIXES)}.", field="format")
    return SUFFIXES[form]


def _write(output: Path, content: IO[bytes]) -> None:
    with content:
        write_file(output, content)
