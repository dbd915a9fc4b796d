"""The commands `ingest`, `collections`, `datasets` and `import dataset`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.checking import checked
from passer.cli.files import read_file
from passer.cli.output import JsonOption, ProgressLine, note, number, print_json, print_table
from passer.domain.defaults import CHUNK_OVERLAP, CHUNK_SIZE
from passer.domain.wording.counted import counted
from passer.errors import ConfigError, DatasetError, InputError, Problem

if TYPE_CHECKING:
    from passer.services.work.sources import Address, PastedText, Paths


def ingest(
    collection: Annotated[str, typer.Argument(help="Name of the collection; it is created if it does not exist.")],
    sources: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, http(s) addresses, or - for text on standard input.")
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the text on standard input.")] = "pasted text",
    chunk_size: Annotated[
        int | None,
        typer.Option(help=f"Maximum length of a passage; default for a new collection: {CHUNK_SIZE} characters."),
    ] = None,
    chunk_overlap: Annotated[
        int | None,
        typer.Option(
            help=f"Overlap of neighbouring passages; default for a new collection: {CHUNK_OVERLAP} characters."
        ),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="Unit of length: characters or tokens; default for a new collection: characters.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Add documents (txt, Markdown, PDF, DOCX, HTML) to a collection."""
    from passer.domain.retrieval.passages import Chunking
    from passer.services.work.kinds import IngestSpec

    if not sources:
        raise InputError(
            "There is nothing to ingest. Pass files, folders or addresses, or - for text on standard input."
        )
    given = {"chunk_size": chunk_size, "chunk_overlap": chunk_overlap, "unit": unit}
    chosen = {name: value for name, value in given.items() if value is not None}
    chunking = checked(Chunking, chosen) if chosen else None
    with services() as built, ProgressLine() as line:
        reports = [
            built.work.queue.run_here(
                IngestSpec(collection=collection, source=each, chunking=chunking), content, progress=line
            )
            for each, content in _given(sources, title)
        ]
        has_questions = bool(built.adapters.datasets.list_datasets())
    documents = [document for report in reports for document in report.documents]
    if as_json:
        print_json({"collection": collection, "documents": documents})
    else:
        counts = ("passages_added", "passages_present", "pages_without_text")
        rows = [(d.name, *(str(getattr(d, name)) for name in counts), d.problem or "") for d in documents]
        print_table(["document", "passages added", "already present", "pages without text", "problem"], rows)
        if any(document.pages_without_text for document in documents):
            note("Pages without text are probably scanned, and no passage contains them.")
            note("Run text recognition (OCR) on the documents and ingest the results into a new collection.")
        if not has_questions and any(document.passages_added for document in documents):
            note("Next: passer import dataset FILE, if you have questions, or have a model write them:")
            note(f"passer draft start {collection} --model MODEL --plan")
    if any(document.problem for document in documents):
        raise typer.Exit(1)


def _given(sources: Sequence[str], title: str) -> list[tuple[Paths | PastedText | Address, tuple[bytes, ...]]]:
    """Return the sources with their contents: all files as one, then standard input and addresses in their order."""
    from passer.services.work.sources import Address, PastedText, Paths

    files = tuple(str(Path(source).absolute()) for source in sources if source != "-" and "://" not in source)
    given: list[tuple[Paths | PastedText | Address, tuple[bytes, ...]]] = [(Paths(paths=files), ())] if files else []
    for source in sources:
        if source == "-":
            given.append((PastedText(title=title), (sys.stdin.read().encode("utf-8", "replace"),)))
        elif "://" in source:
            given.append((Address(url=source), ()))
    return given


def reindex(
    collection: Annotated[str, typer.Argument(help="Name of the collection.")],
    embedding: Annotated[
        str | None,
        typer.Option(help="Embedding model; default: that of the collection. Passages are not split again."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Embed the passages of a collection again, with the current version of its model or with another model."""
    from passer.services.work.kinds import IngestSpec
    from passer.services.work.sources import OwnPassages

    spec = IngestSpec(collection=collection, source=OwnPassages(), embedding=embedding)
    with services() as built, ProgressLine() as line:
        report = built.work.queue.run_here(spec, (), progress=line)
    if as_json:
        print_json(report)
        return
    model = report.collection.embedding
    added = counted(report.passages_added, "passage")
    print(f"{collection}: {added} embedded by {model.name} (digest {model.digest[:12]}, dimension {model.dimension}).")
    if not report.passages_added:
        note("The collection had this embedding model already.")


def collections(as_json: JsonOption = False) -> None:
    """List all collections."""
    with services() as built:
        found = built.adapters.collections.list()
    if as_json:
        listed = [{"collection": collection, "documents": documents} for collection, documents in found]
        print_json({"collections": listed})
        return
    rows = [
        (c.name, str(len(documents)), str(sum(d.passages for d in documents)), c.embedding.name,
         f"{c.chunking.chunk_size}/{c.chunking.chunk_overlap} {c.chunking.unit}")
        for c, documents in found
    ]  # fmt: skip
    print_table(["collection", "documents", "passages", "embedding model", "chunking"], rows)


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
    print_table(["dataset", "questions", "with gold passages", "language", "versions", "digest"], rows)


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
    language: Annotated[str | None, typer.Option(help="Language tag, for example en or bg.")] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COLUMN", help="Column of the file to read as a column of a dataset. Repeatable."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Column of the file to ignore. Repeatable.")
    ] = None,
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
    from passer.services.library.column_mapping import ColumnMapping
    from passer.services.work.kinds import DatasetSpec

    named = [each.partition("=")[::2] for each in column or ()]
    if any(not of or not found for of, found in named):
        raise InputError("A column is given as NAME=COLUMN, such as reference=answer.", field="column")
    mapping = ColumnMapping(columns=dict(named), ignored=tuple(ignore or ()))
    content = read_file(file)
    with services() as built:
        base = built.adapters.datasets.load_dataset((name or file.stem).strip()) if add else None
        look = partial(built.library.dataset_import.preview, language=language, mapping=mapping, base=base)
        if preview:
            print_json(look(content, file.name))
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
        shown = look(content, file.name)
    if as_json:
        print_json({"name": dataset.name, "digest": dataset.digest, "questions": dataset.questions})
        return
    note(f"Dataset {dataset.name!r}: {counted(dataset.questions, 'question')}, language {dataset.language}.")
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
    else:
        return exc
    return DatasetError(exc.message, problems=(*exc.problems, Problem(said)))
