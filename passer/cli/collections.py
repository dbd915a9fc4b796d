"""ingest, collections, import, datasets: what is asked, and of what."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from passer.cli.imports import import_sheets
from passer.cli.output import JsonOption, note, print_json, print_table


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(ingest)
    app.command()(collections)
    app.command()(datasets)
    imports = typer.Typer(help="Take files of others.", no_args_is_help=True)
    imports.command("dataset")(import_dataset)
    imports.command("sheets")(import_sheets)
    app.add_typer(imports, name="import")


def ingest(
    collection: Annotated[str, typer.Argument(help="Name of the collection; created on first use.")],
    sources: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, http(s) addresses, or - for text on standard input.")
    ] = None,
    title: Annotated[str, typer.Option(help="Name of the text on standard input.")] = "pasted text",
    chunk_size: Annotated[int | None, typer.Option(help="Largest passage; 1024 in a new collection.")] = None,
    chunk_overlap: Annotated[int | None, typer.Option(help="Shared by neighbours; 50 in a new collection.")] = None,
    unit: Annotated[str | None, typer.Option(help="characters or tokens; characters in a new collection.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Read documents (txt, Markdown, PDF, DOCX, HTML) and make them searchable."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.cli.output import ProgressLine
    from passer.domain.retrieval import Chunking
    from passer.errors import InputError

    if not sources:
        raise InputError("Name the files, folders or addresses to ingest, or - for text on standard input.")
    given = {"chunk_size": chunk_size, "chunk_overlap": chunk_overlap, "unit": unit}
    chosen = {name: value for name, value in given.items() if value is not None}
    chunking = checked(Chunking, chosen) if chosen else None
    reports = []
    with services() as built, ProgressLine() as line:
        files = [Path(source) for source in sources if source != "-" and "://" not in source]
        if files:
            reports.append(built.ingesting.ingest_files(collection, files, chunking=chunking, progress=line))
        for source in sources:
            if source == "-":
                text = sys.stdin.read()
                reports.append(
                    built.ingesting.ingest_text(collection, title=title, text=text, chunking=chunking, progress=line)
                )
            elif "://" in source:
                reports.append(built.ingesting.ingest_address(collection, url=source, chunking=chunking, progress=line))
    documents = [document for report in reports for document in report.documents]
    if as_json:
        print_json({"collection": collection, "documents": documents})
    else:
        rows = [(d.name, str(d.passages_added), str(d.passages_present), d.problem or "") for d in documents]
        print_table(["document", "passages added", "already there", "problem"], rows)
    if any(document.problem for document in documents):
        raise typer.Exit(1)


def collections(as_json: JsonOption = False) -> None:
    """List the collections with their documents."""
    from passer.bootstrap import services

    with services() as built:
        found = built.collections.list()
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


def datasets(as_json: JsonOption = False) -> None:
    """List the datasets."""
    from passer.bootstrap import services

    with services() as built:
        found = built.datasets.list_datasets()
    if as_json:
        print_json({"datasets": found})
        return
    rows = [(d.name, str(d.questions), str(d.with_gold), d.language, str(d.versions), d.digest[:12]) for d in found]
    print_table(["dataset", "questions", "with gold passages", "language", "versions", "digest"], rows)


def import_dataset(
    file: Annotated[Path, typer.Argument(help="JSON, JSONL, CSV, XLSX or Parquet.")],
    name: Annotated[str | None, typer.Option(help="Name of the dataset; the file's name by default.")] = None,
    language: Annotated[str | None, typer.Option(help="Language tag, e.g. en or bg.")] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Only show what would be taken.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Take a file of questions with reference answers, whole or not at all."""
    from passer.bootstrap import services
    from passer.errors import InputError

    try:
        content = file.read_bytes()
    except OSError as exc:
        raise InputError(f"{file} cannot be read ({exc.strerror}): check the path.") from exc
    with services() as built:
        if preview:
            print_json(built.loading.preview(content, file.name))
            return
        dataset = built.loading.load(content, file.name, name=name or file.stem, language=language)
        built.datasets.save_dataset(dataset)
        mapping = built.loading.preview(content, file.name).mapping
    if as_json:
        print_json({"name": dataset.name, "digest": dataset.digest, "questions": len(dataset.questions)})
        return
    note(f"Dataset {dataset.name!r}: {len(dataset.questions)} questions, language {dataset.language}.")
    for line in mapping.notes:
        note(f"  {line}")
