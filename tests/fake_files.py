"""Fakes of what reads and cuts files: documents, tables, WordNet, web addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from passer.domain.retrieval.passages import Chunking, Document, Passage
from passer.errors import DocumentError
from passer.ports import TableContent
from tests.fakes import passages_of


class FakeWordNet:
    """Synonyms as they are given."""

    identity = "fake"

    def __init__(self, *sets: Sequence[str]) -> None:
        self._sets = [frozenset(words) for words in sets]

    def synonyms(self, word: str) -> frozenset[str]:
        return frozenset().union(*(words for words in self._sets if word in words))


class FakeFetcher:
    """A web of the pages it is given."""

    def __init__(self, pages: Mapping[str, tuple[str, bytes]]) -> None:
        self._pages = pages

    def fetch(self, url: str) -> tuple[str, bytes]:
        if url not in self._pages:
            raise DocumentError(f"{url} returned 404. Check the address.")
        return self._pages[url]


class FakeReader:
    """Any bytes that are UTF-8, as they are."""

    suffixes = (".md", ".txt")
    version = None

    def read(self, content: bytes, name: str) -> Document:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as exc:
            raise DocumentError(f"{name} is not UTF-8. Save it as UTF-8.") from exc
        return Document(name=name, digest=hashlib.sha256(content).hexdigest(), text=text)


class FakeSplitter:
    """One passage per line."""

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        lines = [line for line in document.text.splitlines() if line.strip()]
        return passages_of(*lines, document=document.name)


class FakeTables:
    """Tables in memory: reads the rows it is given, and keeps what it is asked to write."""

    suffix = ".fake"
    suffixes = (".fake",)

    def __init__(self, rows: Sequence[Mapping[str, object]] = ()) -> None:
        self._rows = rows
        self.written: list[dict[str, object]] = []

    def read(self, content: TableContent) -> list[dict[str, object]]:
        return [dict(row) for row in self._rows]

    def remarks(self, content: TableContent) -> tuple[str, ...]:
        return ()

    def write(
        self,
        stream: object,
        columns: Sequence[str],
        rows: Iterable[Mapping[str, object]],
        *,
        reproducible: bool = False,
    ) -> None:
        self.written = [{column: row.get(column) for column in columns} for row in rows]
