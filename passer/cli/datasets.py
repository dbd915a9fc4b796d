"""The commands `datasets` and `import dataset`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.files import ColumnOption, named_columns, read_file
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.domain.wording.counted import counted
from passer.errors import ConfigError, DatasetError, Problem

if TYPE_CHECKING:
    from passer.services.library.column_mapping import ColumnMapping
    from passer.services.library.dataset_import import DatasetPreview


NO_DATASETS = "There are no datasets. Import one with `passer import dataset FILE`."


def datasets(
    name: Annotated[
        str | None,
        typer.Argument(help="List the versions of this dataset and what changed in each; default: all datasets."),
    ] = None,
    over_time: Annotated[
        str | None,
        typer.Option(
            "--over-time",
            metavar="COLUMN",
            help="Print the means of a metric, a judged column or thumb (feedback) over the sweeps of this dataset.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List all datasets, the versions of one, or its means over time."""
    with services() as built:
        if over_time is not None:
            _print_history(built, name, over_time, as_json=as_json)
            return
        if name is not None:
            _print_versions(built, name, as_json=as_json)
            return
        found = built.adapters.datasets.list_datasets()
    if as_json:
        print_json({"datasets": found})
        return
    rows = [(d.name, str(d.questions), str(d.with_gold), d.language, str(d.versions), d.digest[:12]) for d in found]
    columns = ["dataset", "questions", "with gold passages", "language", "versions", "digest"]
    print_table(columns, rows, empty=NO_DATASETS)


def _print_history(built: Services, name: str | None, column: str, *, as_json: bool) -> None:
    """Print the means of a column over the sweeps of a dataset, by configuration and date."""
    if name is None:
        raise ConfigError("--over-time needs a dataset. Name one, as `passer datasets` lists it.", field="name")
    found = built.analysis.history.of(name, column)
    if as_json:
        print_json(found)
        return
    rows = [
        (
            str(series.name),
            str(row.x),
            number(None if row.y is None else float(row.y)),
            "-" if row.low is None else f"{number(row.low)} to {number(row.high)}",
            str(row.n),
        )
        for series in found.figure.series
        for row in series.rows
    ]
    print_table(["configuration", "sweep created (UTC)", "mean", "95 %", "n"], rows, title=str(found.figure.title))
    for line in found.figure.notes:
        note(line)


def _print_versions(built: Services, name: str, *, as_json: bool) -> None:
    """Print the versions of a dataset, newest first, each with its differences from the version before."""
    from passer.domain.dataset import difference

    stored = built.adapters.datasets
    versions = stored.list_versions(name)
    loaded = [stored.load_dataset(name, version.digest) for version in versions]
    changes = [difference(before, after) for after, before in pairwise(loaded)]
    if as_json:
        found = zip_longest(versions, changes)
        print_json({"dataset": name, "versions": [{"version": one, "changes": change} for one, change in found]})
        return
    rows = [
        (
            version.digest[:12],
            f"{version.created_at:%Y-%m-%d %H:%M}",
            str(version.questions),
            *((str(len(c.added)), str(len(c.removed)), str(len(c.changed))) if (c := change) else ("", "", "")),
            str(version.sweeps),
        )
        for version, change in zip_longest(versions, changes)
    ]
    print_table(["version", "imported (UTC)", "questions", "added", "removed", "changed", "sweeps"], rows)


def import_dataset(
    file: Annotated[Path, typer.Argument(help="JSON, JSONL, CSV, XLSX or Parquet.")],
    name: Annotated[str | None, typer.Option(help="Name of the dataset; default: the name of the file.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Language tag, for example en or bg; default: that of the file or of its texts.")
    ] = None,
    column: ColumnOption = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Column of the file to ignore. Repeatable.")
    ] = None,
    ignore_others: Annotated[
        bool, typer.Option("--ignore-others", help="Ignore all columns that no option names and PaSSER does not know.")
    ] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would be imported, without importing.")] = False,
    skip_bad_rows: Annotated[
        bool,
        typer.Option("--skip-bad-rows", help="Import the valid rows; without it, a file with a bad row is refused."),
    ] = False,
    add: Annotated[
        bool, typer.Option("--add", help="Add the questions to the newest version, instead of replacing them all.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Import a file of questions with reference answers; if a row has an error, nothing is imported.

    To judge the generated answers of a file with the columns `question`, `contexts` and `answer`, import it with
    `--column reference=answer`.
    """
    from passer.services.work.kinds import DatasetSpec

    mapping = _mapping(column or (), ignore or ())
    content = read_file(file)
    with services() as built:
        base = built.adapters.datasets.load_dataset((name or file.stem).strip()) if add else None
        look = partial(built.library.dataset_import.preview, content, file.name, language=language, base=base)
        others = look(mapping=mapping).undecided if ignore_others else ()
        mapping = mapping.model_copy(update={"ignored": (*mapping.ignored, *others)})
        if preview:
            print_json(look(mapping=mapping))
            return
        spec = DatasetSpec(
            name=name or file.stem,
            file=file.name,
            language=language,
            mapping=mapping,
            skip_bad_rows=skip_bad_rows,
            base=base.digest if base else None,
        )
        try:
            dataset = built.work.queue.run_here(spec, [content])
        except DatasetError as exc:
            raise _with_options(exc) from exc
        shown = look(mapping=mapping)
    if as_json:
        print_json({"name": dataset.name, "digest": dataset.digest, "questions": dataset.questions})
        return
    note(f"Dataset “{dataset.name}”: {counted(dataset.questions, 'question')}, language {dataset.language}.")
    if others:
        note(f"  Ignored: {', '.join(others)}.")
    _note_how_it_was_read(shown)


def _mapping(columns: Sequence[str], ignored: Sequence[str]) -> ColumnMapping:
    """Return the mapping that options NAME=COLUMN give; InputError for another form."""
    from passer.services.library.column_mapping import ColumnMapping

    return ColumnMapping(columns=named_columns(columns), ignored=tuple(ignored))


def _note_how_it_was_read(shown: DatasetPreview) -> None:
    """Write skipped rows and decisions about columns on standard error."""
    if shown.counts.skippable:
        note(f"  {counted(shown.counts.skippable, 'bad row')} skipped.")
        for problem in shown.problems:
            note(f"    row {problem.row}: {problem.message}")
    for line in shown.mapping.notes:
        note(f"  {line}")


def _with_options(exc: DatasetError) -> DatasetError:
    """Return the error with the options that map missing columns, or else ignore unknown ones."""
    from passer.domain.wording.sentence import code_of
    from passer.services.library.column_mapping import MISSING_COLUMN, UNKNOWN_COLUMN

    coded = [(code_of(each.message), each.field or "") for each in exc.problems]
    if missing := [f"--column {field}=COLUMN" for code, field in coded if code in MISSING_COLUMN]:
        said = f"To map columns, add: {' '.join(missing)}"
    elif unknown := [f"--ignore {shlex.quote(field)}" for code, field in coded if code in UNKNOWN_COLUMN]:
        said = f"To ignore them, add: {' '.join(unknown)}"
        if len(unknown) > 1:
            said += " (all of them: --ignore-others)"
    else:
        return exc
    return DatasetError(exc.message, problems=(*exc.problems, Problem(said)))
