"""Ports of documents and passages: readers, the web fetcher, the splitter, the vector store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, Self

from passer.domain.base import Frozen, added_field
from passer.domain.retrieval.passages import Chunking, Collection, Document, DocumentSplitter, Passage, Ranking
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.wording.sentence import LocalizedText
from passer.ports.encoding import Vectors


class DocumentSummary(Frozen):
    """A document in a collection."""

    name: str
    """Name it was ingested under."""
    digest: str
    """SHA-256 of its source, hex."""
    passages: int
    """Number of passages."""
    pages: int | None = None
    """Number of pages; None without pages."""
    splitter: DocumentSplitter | None = added_field(None)
    """How it was split into passages; None: at white space, then anywhere."""
    text: str | None = added_field(None)
    """SHA-256, hex, of the text that was extracted from it; None where its bytes are its text, and of documents that
    were ingested before it was stated."""
    reader: str | None = added_field(None)
    """Version of the reader that last extracted this text; None where its bytes are its text, and of documents that
    were ingested before it was stated."""
    pages_without_text: int = added_field(0)
    """Number of pages without text, where `reader` is stated."""
    warnings: tuple[LocalizedText, ...] = added_field(())
    """What the source contains and its text does not, one sentence each, where `reader` is stated."""

    @classmethod
    def of(cls, document: Document, passages: int) -> Self:
        """Return the summary of a document that was split into a number of passages."""
        return cls(
            name=document.name,
            digest=document.digest,
            passages=passages,
            pages=len(document.page_starts) or None,
            splitter=document.splitter,
            text=document.text_digest,
            reader=document.reader,
            pages_without_text=document.pages_without_text,
            warnings=document.warnings,
        )


class PassageIndex(Protocol):
    """An opened collection."""

    @property
    def collection(self) -> Collection:
        """Return the collection with its embedding model."""

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        """Return the top_k nearest passages of each question by exact search, nearest first."""

    def places(self, questions: Sequence[str], top_k: int, retriever: Dense | Lexical) -> list[Places]:
        """Return the top_k passages of each question as row numbers, best first; ConfigError without BM25's library."""

    def similarities(self, questions: Sequence[str], ids: Sequence[Sequence[str]]) -> list[list[float]]:
        """Return the cosine of each question with these passages of the collection, in [-1, 1]."""

    def passages(self) -> Iterator[Passage]:
        """Return all passages by document and number."""

    def sentences(self, passages: Sequence[Passage]) -> list[tuple[list[str], Vectors]]:
        """Return the sentences of each passage with their vectors, computed once and stored with the collection."""


class Collections(Protocol):
    """The vector store."""

    def open(self, name: str) -> PassageIndex:
        """Open an existing collection.

        Raises NotFoundError if it does not exist, CollectionMismatchError if it was embedded differently, and
        IndexUnavailable if the vector store does not answer.
        """

    def add(self, collection: Collection, document: Document, passages: Sequence[Passage], vectors: Vectors) -> int:
        """Add one whole document and return the number of new passages. Creates the collection if it does not exist."""

    def note(self, name: str, document: DocumentSummary) -> None:
        """Replace the summary of a complete document of a collection; its passages stay."""

    def list(self) -> list[tuple[Collection, list[DocumentSummary]]]:
        """List all collections with their documents, by name."""

    def reindex(
        self,
        collection: Collection,
        vectors_of: Callable[[Sequence[str]], Vectors],
        progress: Callable[[int, int], None],
    ) -> None:
        """Bind an existing collection to another embedding model: new vectors for the same passages.

        `progress` gets the number of passages done and of all. Searches use the old vectors until every passage has a
        new one; if the process is killed, the next call continues. NotFoundError without the collection; ConflictError
        if documents were added meanwhile.
        """

    def delete(self, name: str) -> None:
        """Delete a collection and everything stored with it."""


class DocumentReader(Protocol):
    """Reads one format of documents."""

    suffixes: tuple[str, ...]
    """Lower-case file suffixes that it reads, with the dot."""

    @property
    def version(self) -> str | None:
        """Return the version by which it extracts texts; None where the bytes are the text."""

    def read(self, content: bytes, name: str) -> Document:
        """Return the document's text; DocumentError says what is wrong and what to do."""


class Fetcher(Protocol):
    """Fetches a web address, within the limits of the settings."""

    def fetch(self, url: str) -> tuple[str, bytes]:
        """Return (name with suffix, content); DocumentError if it may not or cannot be fetched."""


class Splitter(Protocol):
    """Splits a document into passages."""

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        """Return the passages in order, each with its character span."""
