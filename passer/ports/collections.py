"""Documents in, passages out: readers, the web, the splitter, the vector store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from passer.domain.base import Frozen
from passer.domain.retrieval import Chunking, Collection, Document, Passage, Ranking
from passer.ports.encoding import Vectors


class DocumentSummary(Frozen):
    """A document in a collection."""

    name: str
    """As it was ingested."""
    digest: str
    """SHA-256 of its source."""
    passages: int
    """How many."""
    pages: int | None = None
    """How many, where it has pages."""


class PassageIndex(Protocol):
    """An opened collection."""

    @property
    def collection(self) -> Collection:
        """What it is and what it is bound to."""
        ...

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        """The top_k nearest passages of each question, exact, nearest first."""
        ...

    def passages(self) -> Iterator[Passage]:
        """All passages, by document and number."""
        ...

    def sentences(self, passages: Sequence[Passage]) -> list[tuple[list[str], Vectors]]:
        """Sentences of each passage with their vectors, kept with the collection once computed."""
        ...


class Collections(Protocol):
    """The vector store."""

    def open(self, name: str) -> PassageIndex:
        """An existing collection; NotFoundError, CollectionMismatchError, IndexUnavailable."""
        ...

    def add(self, collection: Collection, document: Document, passages: Sequence[Passage], vectors: Vectors) -> int:
        """Add one document whole, creating the collection if need be; how many passages were new."""
        ...

    def list(self) -> list[tuple[Collection, list[DocumentSummary]]]:
        """All collections with their documents, by name."""
        ...

    def delete(self, name: str) -> None:
        """Remove a collection and all that is kept with it."""
        ...


class DocumentReader(Protocol):
    """Reads one kind of document."""

    suffixes: tuple[str, ...]
    """Lower-case file suffixes it reads, with the dot."""

    def read(self, content: bytes, name: str) -> Document:
        """The document's text; DocumentError says what is wrong and what to do."""
        ...


class Fetcher(Protocol):
    """Fetches a web address, within what the settings allow."""

    def fetch(self, url: str) -> tuple[str, bytes]:
        """(name with suffix, content); DocumentError where it may not or cannot be fetched."""
        ...


class Splitter(Protocol):
    """Cuts a document into passages."""

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        """Passages in order, each with its character span."""
        ...
