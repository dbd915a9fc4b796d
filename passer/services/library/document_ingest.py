"""Ingests documents: read, split, embed, add to a collection; each document whole or not at all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

import numpy as np

from passer.domain.retrieval.binding import binding_mismatch
from passer.domain.retrieval.passages import EMBEDDED, Chunking, Collection, Document
from passer.domain.texts.search_words import TEXT_RULES
from passer.domain.wording.sentence import sentence
from passer.errors import CollectionMismatchError, ConflictError, DocumentError, InputError, LeaseError, TooLargeError
from passer.ports import Collections, DocumentReader, DocumentSummary, Embedder, Fetcher, Progress, Splitter
from passer.services.library.ingest_report import IngestedDocument, IngestReport
from passer.services.library.present_documents import PresentDocuments, remark_on
from passer.services.library.reindexing import embedded_again

EMBEDDED_AT_ONCE = 32
"""Passages between two progress reports, where a cancelled import ends. One may take a tenth of a second."""
NOT_READ = {
    (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar"): "document.archive",
    (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".xlsx", ".xls", ".ods"): "document.table",
    (".doc", ".docm", ".dotx", ".odt", ".rtf", ".pptx", ".ppt", ".odp", ".epub", ".pages", ".key"): "document.office",
    (".mht", ".mhtml", ".eml", ".webarchive"): "document.saved-page",
    (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".djvu"): "document.picture",
}
"""Endings of file names that are refused, each with the code of the message that says what to do."""
LONGEST_NAME = 500
"""Longest name of a document, in characters."""


@dataclass(frozen=True)
class _Source:
    """A document to read; its bytes are loaded only when it is processed."""

    name: str
    content: Callable[[], bytes]
    suffix: str


@dataclass(frozen=True, kw_only=True)
class DocumentIngest:
    """Adds documents to collections. The first document creates the collection and binds its embedding model."""

    readers: Sequence[DocumentReader]
    fetcher: Fetcher
    splitter: Splitter
    collections: Collections
    embedder_for: Callable[[str], Embedder]
    default_embedding: Callable[[], str] = lambda: EMBEDDED
    max_bytes: int = 50 * 1024 * 1024

    @cached_property
    def _by_suffix(self) -> Mapping[str, DocumentReader]:
        return {suffix: reader for reader in self.readers for suffix in reader.suffixes}

    def ingest_files(
        self,
        name: str,
        paths: Sequence[Path],
        *,
        embedding: str | None = None,
        chunking: Chunking | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Ingest files and all files in folders. Unreadable files are reported and do not stop the others."""
        sources = [self._file(path, name=shown) for path, shown in _files(paths)]
        return self._ingest(name, sources, embedding=embedding, chunking=chunking, progress=progress)

    def ingest_sources(
        self,
        name: str,
        sources: Sequence[tuple[str, bytes | Path]],
        *,
        embedding: str | None = None,
        chunking: Chunking | None = None,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Ingest documents given as (file name, content or place). One that cannot be read is reported."""
        given = [
            self._file(content, name=shown, suffix=PurePath(shown).suffix.lower())
            if isinstance(content, Path)
            else _at_hand(shown, content)
            for shown, content in sources
        ]
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
        """Ingest pasted text as a document named `title`; InputError if it was not added."""
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
        """Ingest the content of a web address as a document of that name; InputError if it was not added."""
        self._bound(name, embedding=embedding, chunking=chunking)
        file_name, content = self.fetcher.fetch(url)
        source = _at_hand(url.strip(), content, suffix=PurePath(file_name).suffix.lower())
        return _taken(self._ingest(name, [source], embedding=embedding, chunking=chunking, progress=progress))

    def reindex(self, name: str, *, embedding: str | None = None, progress: Progress | None = None) -> IngestReport:
        """Embed a collection again, by another model or a new version of its own; NotFoundError without it."""
        found = embedded_again(
            self.collections,
            name,
            embedder_for=lambda own: self.embedder_for(embedding or own or self.default_embedding()),
            progress=progress or _silent,
        )
        documents = []
        for each in found.documents:
            added, present = (each.passages, 0) if found.is_new else (0, each.passages)
            documents.append(IngestedDocument(name=each.name, passages_added=added, passages_present=present))
        return IngestReport(collection=found.collection, documents=tuple(documents))

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
            raise InputError(sentence("document.nothing"))
        report = progress or _silent
        collection, embedder, known = self._bound(name, embedding=embedding, chunking=chunking)
        outcomes = []
        for number, source in enumerate(sources):
            report("documents", number, len(sources))
            outcomes.append(self._one(source, collection, embedder, known, report))
        report("documents", len(sources), len(sources))
        remark = remark_on([each.name for each in outcomes if each.reads_differently])
        return IngestReport(collection=collection, documents=tuple(outcomes), remark=remark)

    def _bound(
        self, name: str, *, embedding: str | None, chunking: Chunking | None
    ) -> tuple[Collection, Embedder, PresentDocuments]:
        """Return the collection as it is or will be, its embedding model, and its documents."""
        check_collection_name(name)
        found = next(((each, documents) for each, documents in self.collections.list() if each.name == name), None)
        bound = found[0] if found else None
        embedder = self.embedder_for(embedding or (bound.embedding.name if bound else self.default_embedding()))
        wanted_chunking = chunking or (bound.chunking if bound else Chunking())
        rules = bound.text_rules if bound else TEXT_RULES
        wanted = Collection(name=name, embedding=embedder.model, chunking=wanted_chunking, text_rules=rules)
        if bound and (problem := binding_mismatch(bound, wanted)):
            raise CollectionMismatchError(problem)
        return wanted, embedder, PresentDocuments(self.collections, name, found[1] if found else ())

    def _one(
        self,
        source: _Source,
        collection: Collection,
        embedder: Embedder,
        known: PresentDocuments,
        progress: Progress,
    ) -> IngestedDocument:
        """Ingest one document whole. Its own problem is returned; any other error is raised."""
        try:
            reader, content = self._opened(source)
            present = known.get(hashlib.sha256(content).hexdigest())
            if present is not None and (reader.version is None or reader.version == present.reader):
                return _present(source, present)
            document = reader.read(content, source.name)
            if present is not None:
                is_same = known.is_read_as_before(document, present)
                return self._noted(source, collection, document, present) if is_same else _differing(source, present)
            passages = self.splitter.split(document, collection.chunking)
            vectors = []
            for start in range(0, len(passages), EMBEDDED_AT_ONCE):
                progress(f"passages of {source.name}", start, len(passages))
                texts = [passage.text for passage in passages[start : start + EMBEDDED_AT_ONCE]]
                vectors.append(embedder.sentence_vectors(texts))
            # Checked immediately before the commit: raises if another process has taken this work over.
            progress(f"passages of {source.name}", len(passages), len(passages))
            added = self.collections.add(collection, document, passages, np.concatenate(vectors))
        except (CollectionMismatchError, LeaseError):
            raise
        except (InputError, ConflictError) as exc:
            return IngestedDocument(name=source.name, problem=exc.message)
        known.add(summary := DocumentSummary.of(document, len(passages)))
        return _present(source, summary, added=added)

    def _noted(
        self, source: _Source, collection: Collection, document: Document, present: DocumentSummary
    ) -> IngestedDocument:
        """Note the version that reads a document as before."""
        fields = ("reader", "pages_without_text", "warnings")
        noted = present.model_copy(update={name: getattr(document, name) for name in fields})
        if noted != present:
            self.collections.note(collection.name, noted)
        return _present(source, noted)

    def _opened(self, source: _Source) -> tuple[DocumentReader, bytes]:
        """Return the reader and the bytes of a document."""
        reader = self._by_suffix.get(source.suffix)
        if reader is None:
            code = next((code for ends, code in NOT_READ.items() if source.suffix in ends), "document.kind")
            raise DocumentError(sentence(code, name=source.name, known=", ".join(sorted(self._by_suffix))))
        if len(source.name) > LONGEST_NAME:
            raise DocumentError(sentence("document.long-name", name=source.name[:40], most=LONGEST_NAME))
        content = source.content()
        if len(content) > self.max_bytes:
            raise self._too_large(source.name)
        return reader, content

    def _file(self, path: Path, *, name: str, suffix: str | None = None) -> _Source:
        def content() -> bytes:
            try:
                if path.stat().st_size > self.max_bytes:
                    raise self._too_large(name)
                return path.read_bytes()
            except OSError as exc:
                raise DocumentError(sentence("document.unreadable", name=name, why=str(exc.strerror))) from exc

        return _Source(name=name, content=content, suffix=path.suffix.lower() if suffix is None else suffix)

    def _too_large(self, name: str) -> TooLargeError:
        return TooLargeError(sentence("document.too-large", name=name, most=f"{self.max_bytes / 2**20:g}"))


def _present(source: _Source, present: DocumentSummary, *, added: int = 0) -> IngestedDocument:
    return IngestedDocument(
        name=source.name,
        passages_added=added,
        passages_present=present.passages - added,
        pages_without_text=present.pages_without_text,
        warnings=present.warnings,
    )


def _differing(source: _Source, present: DocumentSummary) -> IngestedDocument:
    """Return the outcome for a document of another text. Rankings and ratings need the passages of before."""
    return _present(source, present).model_copy(update={"reads_differently": True})


def check_collection_name(name: str) -> None:
    """Check the name before anything is uploaded, read or embedded. Chroma refuses two dots in a row."""
    fits = re.match(str(Collection.model_json_schema()["properties"]["name"]["pattern"]), name)
    if not fits or ".." in name:
        raise InputError(
            sentence("collection.name", name=name),
            field="name",
        )


def _at_hand(name: str, content: bytes, *, suffix: str | None = None) -> _Source:
    return _Source(name=name, content=lambda: content, suffix=suffix or PurePath(name).suffix.lower())


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each file with its document name: the file's name, or its path within the given folder."""
    for path in paths:
        if path.is_dir():
            yield from ((file, file.relative_to(path).as_posix()) for file in _within(path))
        else:
            yield path, path.name


def _within(folder: Path) -> Iterable[Path]:
    """Return all files below a folder in a fixed order, without hidden ones."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _taken(report: IngestReport) -> IngestReport:
    for document in report.documents:
        if document.problem:
            raise InputError(document.problem)
    return report


def _silent(what: str, done: int, total: int) -> None:
    """Ignore progress."""
