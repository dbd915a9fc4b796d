"""Readers whose work is done in another process."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from passer.adapters.reading.pool import ReaderPool
from passer.adapters.templates import check_prompt, rendered
from passer.domain.models.chat import Message
from passer.domain.retrieval.passages import Chunking, Document, Passage
from passer.domain.sheets.sheet import Place, Sheet
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, InputError
from passer.ports import DocumentReader, SheetReader, Splitter, TableContent, TableReader


class IsolatedDocuments:
    """ports.DocumentReader in another process."""

    def __init__(self, reader: DocumentReader, pool: ReaderPool) -> None:
        self.suffixes = reader.suffixes
        self._reader, self._pool = reader, pool

    @property
    def version(self) -> str | None:
        return self._reader.version

    def read(self, content: bytes, name: str) -> Document:
        return self._pool.call(self._reader.read, content, name, name=name)


class IsolatedSplitter:
    """ports.Splitter in another process: a text without blanks becomes one object for each of its characters."""

    def __init__(self, splitter: Splitter, pool: ReaderPool) -> None:
        self._splitter, self._pool = splitter, pool

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        return self._pool.call(self._splitter.split, document, chunking, name=document.name)


class IsolatedTables:
    """ports.TableReader in another process."""

    def __init__(self, reader: TableReader, pool: ReaderPool) -> None:
        self.suffixes = reader.suffixes
        self._reader, self._pool = reader, pool

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        return self._pool.call(self._reader.read, content, name=sentence("reader.this-file"))

    def remarks(self, content: TableContent) -> tuple[str, ...]:
        return self._pool.call(self._reader.remarks, content, name=sentence("reader.this-file"))


class IsolatedSheets:
    """ports.SheetReader in another process."""

    def __init__(self, reader: SheetReader, pool: ReaderPool) -> None:
        self._reader, self._pool = reader, pool

    def read(self, content: TableContent, *, path: str, place: Place) -> Sheet:
        return self._pool.call(partial(self._reader.read, path=path, place=place), content, name=path)


class IsolatedPrompt:
    """ports.PromptTemplate whose text was not written for PaSSER: a few lines of it can loop or grow without end."""

    def __init__(self, name: str, text: str, *, pool: ReaderPool) -> None:
        self.name, self.text = name, text
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self._pool = pool
        self._call(check_prompt)

    def render(
        self, *, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None
    ) -> tuple[Message, ...]:
        messages: tuple[Message, ...] = self._call(rendered, question, tuple(passages), metadata)
        return messages

    def _call(self, function: Any, *arguments: Any) -> Any:
        try:
            return self._pool.call(function, self.name, self.text, *arguments, name=self.name)
        except ConfigError:
            raise
        except InputError as exc:
            raise ConfigError(sentence("reader.template", name=self.name), field="prompt") from exc
