"""The commands `ingest`, `reindex` and `collections`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.files import checked
from passer.cli.output import JsonOption, ProgressLine, note, print_json, print_table
from passer.domain.defaults import CHUNK_OVERLAP, CHUNK_SIZE
from passer.domain.wording.counted import counted
from passer.errors import InputError

if TYPE_CHECKING:
    from passer.services.work.sources import Address, PastedText, Paths


NO_COLLECTIONS = "There are no collections. Create one with `passer ingest NAME DOCUMENTS`."


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
        raise InputError("There is nothing to add. Pass files, folders or addresses, or - for text on standard input.")
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
        for warning in (each for document in documents for each in document.warnings):
            note(warning)
        for report in reports:
            if report.remark:
                note(report.remark)
        if not has_questions and any(document.passages_added for document in documents):
            note("Next: `passer import dataset FILE` imports your questions. If you have none,")
            note(f"`passer draft start {collection} --model MODEL --plan` plans to have a model write them.")
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
    print_table(["collection", "documents", "passages", "embedding model", "chunking"], rows, empty=NO_COLLECTIONS)
