"""Documents in: read, cut, embed, and added to a collection, each whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.binding import binding_mismatch
from passer.domain.retrieval import Chunking, Collection, Document
from passer.errors import CollectionMismatchError, ConflictError, DocumentError, InputError, TooLargeError
from passer.ports import (
    Collections,
    DocumentReader,
    DocumentSummary,
    Embedder,
    Fetcher,
    Progress,
    Splitter,
)

EMBEDDED_AT_ONCE = 256
"""Passages between two reports of progress."""
LONGEST_NAME = 500
"""Characters in the name of a document."""


class IngestedDocument(Frozen):
    """What became of one document."""

    name: str
    """As it was given."""
    passages_added: int = Field(default=0, ge=0)
    """New in the collection."""
    passages_present: int = Field(default=0, ge=0)
    """There already, under the same content."""
    problem: str | None = None
    """Why nothing of it was taken, in one sentence."""


class IngestReport(Frozen):
    """What an ingest did."""

    collection: Collection
    """Where to, and what it is bound to."""
    documents: tuple[IngestedDocument, ...]
    """In the order given."""

    @property
    def passages_added(self) -> int:
        """New passages in all."""
        return sum(document.passages_added for document in self.documents)

    @property
    def problems(self) -> tuple[IngestedDocument, ...]:
        """Documents of which nothing was taken."""
        return tuple(document for document in self.documents if document.problem)


@dataclass(frozen=True)
class _Source:
    """Something to read: its bytes are fetched only when its turn comes."""

    name: str
    content: Callable[[], bytes]
    suffix: str


class Ingesting:
    """Adds documents to collections; a collection is created, and bound, with its first document."""

    def __init__(
        self,
        *,
        readers: Sequence[DocumentReader],
        fetcher: Fetcher,
        splitter: Splitter,
        collections: Collections,
        embedder_for: Callable[[str], Embedder],
        default_embedding: str = "embedded/all-MiniLM-L6-v2",
        max_bytes: int = 50 * 1024 * 1024,
    ) -> None:
        self._readers: Mapping[str, DocumentReader] = {
            suffix: reader for reader in readers for suffix in reader.suffixes
        }
        self._fetcher = fetcher
        self._splitter = splitter
        self._collections = collections
        self._embedder_for = embedder_for
        self._default_embedding = default_embedding
        self._max_bytes = max_bytes

    def ingest_files(
        self,
        name: str,
        paths: Sequence[Path],
        *,
        embedding: str | None = None,
        chunking: Chunking | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Files, and all files in folders; what cannot be read is reported and does not stop the others."""
        sources = [self._file(path, name=shown) for path, shown in _files(paths)]
        return self._ingest(name, sources, embedding=embedding, chunking=chunking, progress=progress)

    def ingest_sources(
        self,
        name: str,
        sources: Sequence[tuple[str, bytes]],
        *,
        embedding: str | None = None,
        chunking: Chunking | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Documents that are at hand as (file name, content); what cannot be read is reported."""
        given = [_at_hand(shown, content) for shown, content in sources]
        return self._ingest(name, given, embedding=embedding, chunking=chunking, progress=progress)

    def ingest_text(
        self,
        name: str,
        *,
        title: str,
        text: str,
        embedding: str | None = None,
        chunking: Chunking | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Pasted text as a document of the name `title`; an InputError where nothing was taken."""
        content = text.encode("utf-8", "replace")
        report = self._ingest(
            name, [_at_hand(title, content, suffix=".txt")], embedding=embedding, chunking=chunking, progress=progress
        )
        return _taken(report)

    def ingest_address(
        self,
        name: str,
        *,
        url: str,
        embedding: str | None = None,
        chunking: Chunking | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """What stands at a web address, as a document of that name; an InputError where nothing was taken."""
        self._bound(name, embedding=embedding, chunking=chunking)
        file_name, content = self._fetcher.fetch(url)
        source = _at_hand(url.strip(), content, suffix=PurePath(file_name).suffix.lower())
        return _taken(self._ingest(name, [source], embedding=embedding, chunking=chunking, progress=progress))

    def _ingest(
        self,
        name: str,
        sources: Sequence[_Source],
        *,
        embedding: str | None,
        chunking: Chunking | None,
        progress: Progress | None,
    ) -> IngestReport:
        if not sources:
            raise InputError("There is nothing to ingest: give at least one document.")
        report = progress or _silent
        collection, embedder, known = self._bound(name, embedding=embedding, chunking=chunking)
        outcomes = []
        for number, source in enumerate(sources):
            report("documents", number, len(sources))
            outcomes.append(self._one(source, collection, embedder, known, report))
        report("documents", len(sources), len(sources))
        return IngestReport(collection=collection, documents=tuple(outcomes))

    def _bound(
        self, name: str, *, embedding: str | None, chunking: Chunking | None
    ) -> tuple[Collection, Embedder, dict[str, DocumentSummary]]:
        """The collection as it is or will be, its embedding model, and its documents by digest."""
        _check_name(name)
        found = next(((each, documents) for each, documents in self._collections.list() if each.name == name), None)
        bound = found[0] if found else None
        embedder = self._embedder_for(embedding or (bound.embedding.name if bound else self._default_embedding))
        wanted_chunking = chunking or (bound.chunking if bound else Chunking())
        wanted = Collection(name=name, embedding=embedder.model, chunking=wanted_chunking)
        if bound and (problem := binding_mismatch(bound, wanted)):
            raise CollectionMismatchError(problem)
        return wanted, embedder, {document.digest: document for document in found[1]} if found else {}

    def _one(
        self,
        source: _Source,
        collection: Collection,
        embedder: Embedder,
        known: dict[str, DocumentSummary],
        progress: Progress,
    ) -> IngestedDocument:
        """One document, whole; what is wrong with it becomes its problem, what is wrong elsewhere is raised."""
        try:
            document = self._read(source)
            present = known.get(document.digest)
            if present is not None:
                return IngestedDocument(name=source.name, passages_present=present.passages)
            passages = self._splitter.split(document, collection.chunking)
            vectors = []
            for start in range(0, len(passages), EMBEDDED_AT_ONCE):
                progress(f"passages of {source.name}", start, len(passages))
                texts = [passage.text for passage in passages[start : start + EMBEDDED_AT_ONCE]]
                vectors.append(embedder.sentence_vectors(texts))
            progress(f"passages of {source.name}", len(passages), len(passages))
            added = self._collections.add(collection, document, passages, np.concatenate(vectors))
        except CollectionMismatchError:
            raise
        except (InputError, ConflictError) as exc:
            return IngestedDocument(name=source.name, problem=exc.message)
        known[document.digest] = DocumentSummary(name=document.name, digest=document.digest, passages=len(passages))
        return IngestedDocument(name=source.name, passages_added=added, passages_present=len(passages) - added)

    def _read(self, source: _Source) -> Document:
        reader = self._readers.get(source.suffix)
        if reader is None:
            raise DocumentError(
                f"{source.name} is of a kind that PaSSER does not read: give one of {', '.join(sorted(self._readers))}."
            )
        if len(source.name) > LONGEST_NAME:
            raise DocumentError(f"The name {source.name[:40]}... is too long: use at most {LONGEST_NAME} characters.")
        content = source.content()
        if len(content) > self._max_bytes:
            raise self._too_large(source.name)
        return reader.read(content, source.name)

    def _file(self, path: Path, *, name: str) -> _Source:
        def content() -> bytes:
            try:
                if path.stat().st_size > self._max_bytes:
                    raise self._too_large(name)
                return path.read_bytes()
            except OSError as exc:
                raise DocumentError(f"{name} cannot be read ({exc.strerror}): check its path and permissions.") from exc

        return _Source(name=name, content=content, suffix=path.suffix.lower())

    def _too_large(self, name: str) -> TooLargeError:
        return TooLargeError(
            f"{name} is larger than {self._max_bytes / 2**20:g} MB: raise the limit in the settings, or split it."
        )


def _check_name(name: str) -> None:
    """Before anything is read or embedded; two dots in a row are what Chroma does not take."""
    fits = re.match(str(Collection.model_json_schema()["properties"]["name"]["pattern"]), name)
    if not fits or ".." in name:
        raise InputError(
            f"{name!r} cannot name a collection: use 3 to 63 letters, digits, single dots, dashes or underscores.",
            field="name",
        )


def _at_hand(name: str, content: bytes, *, suffix: str | None = None) -> _Source:
    return _Source(name=name, content=lambda: content, suffix=suffix or PurePath(name).suffix.lower())


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with the name of its document: its own, or its place within the folder that was given."""
    for path in paths:
        if path.is_dir():
            yield from ((file, file.relative_to(path).as_posix()) for file in _within(path))
        else:
            yield path, path.name


def _within(folder: Path) -> Iterable[Path]:
    """All files below a folder in a fixed order, hidden ones left out."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _taken(report: IngestReport) -> IngestReport:
    for document in report.problems:
        raise InputError(str(document.problem))
    return report


def _silent(what: str, done: int, total: int) -> None:
    """Progress that nobody watches."""
