"""Splits documents into passages by langchain-text-splitters, each with its exact place, and counts tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passer.domain.extras import requires_extra
from passer.domain.retrieval import Chunking, Document, Passage, passage_id
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter


TokenCount = Callable[[str], int]
"""Returns the number of tokens of a text for the embedding model, without special tokens."""


class RecursiveSplitter:
    """Splits at paragraphs, lines, words, then characters; neighbours share `chunk_overlap` units."""

    def __init__(self, *, token_count: TokenCount | None = None) -> None:
        self._token_count = token_count

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        """Return passages in order, `document.text[start:end] == text`; ConfigError for tokens without a tokenizer."""
        passages: list[Passage] = []
        for start, end in _spans(document.text, chunking, self._length(chunking)):
            number = len(passages)
            passages.append(
                Passage(
                    id=passage_id(document_digest=document.digest, chunking=chunking, number=number),
                    document=document.name,
                    number=number,
                    text=document.text[start:end],
                    start=start,
                    end=end,
                    page=document.page_at(start),
                )
            )
        return passages

    def _length(self, chunking: Chunking) -> Callable[[str], int]:
        if chunking.unit == "characters":
            return len
        if self._token_count is None:
            raise ConfigError(sentence("collection.no-tokenizer"), field="unit")
        return self._token_count


def _spans(text: str, chunking: Chunking, length: Callable[[str], int]) -> list[tuple[int, int]]:
    """Return the first and one past the last character of each passage, without white space at both ends."""
    splitter = _tracking_splitter()(
        chunk_size=chunking.chunk_size,
        chunk_overlap=chunking.chunk_overlap,
        length_function=length,
        strip_whitespace=False,
        keep_separator=True,
    )
    spans = []
    for piece in splitter.split_text(text):
        bare = piece.strip()
        if bare:
            start = piece.start + len(piece) - len(piece.lstrip())
            spans.append((start, start + len(bare)))
    return spans


class _Piece(str):
    """A piece of text that knows its place."""

    __slots__ = ("start",)
    start: int


def _piece(text: str, start: int) -> _Piece:
    piece = _Piece(text)
    piece.start = start
    return piece


@cache
def _tracking_splitter() -> type[RecursiveCharacterTextSplitter]:
    """Return langchain's splitter, extended so that each chunk knows its position in the document.

    It merges every piece of the text once and in order. Searching for a passage in the text afterwards, as its
    `add_start_index` does, finds the wrong place where text repeats.
    """
    with requires_extra("retrieval", sentence("extra.splitting")):
        from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Tracking(RecursiveCharacterTextSplitter):  # type: ignore[misc]
        def split_text(self, text: str) -> list[_Piece]:
            self._position = 0
            return list(super().split_text(text))

        def _split_text(self, text: str, separators: list[str]) -> list[_Piece]:
            if self._length_function is len and not any(each in text for each in separators if each):
                return list(self._windows(text))
            return list(super()._split_text(text, separators))

        def _windows(self, text: str) -> Iterator[_Piece]:
            """Yield what the library merges from single characters, without an object for each of them."""
            first, start = self._position, 0
            self._position += len(text)
            while start < len(text):
                end = min(start + self._chunk_size, len(text))
                yield _piece(text[start:end], first + start)
                start = end - self._chunk_overlap if end < len(text) else end

        def _merge_splits(self, splits: Iterable[str], separator: str) -> list[_Piece]:
            pieces: list[_Piece] = []
            for split in splits:
                pieces.append(_piece(split, self._position))
                self._position += len(split)
            return list(super()._merge_splits(pieces, separator))

        def _join_docs(self, docs: list[_Piece], separator: str) -> _Piece:
            return _piece("".join(docs), docs[0].start)

    return Tracking


class TokenCounter:
    """Counts with the tokenizer in a folder, loaded on first use; ConfigError if there is none. Can be pickled."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    def __call__(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    @cached_property
    def _tokenizer(self) -> Any:
        with requires_extra("encoder", sentence("extra.tokens"), ConfigError):
            from tokenizers import Tokenizer

        path = self._folder() / "tokenizer.json"
        if not path.is_file():
            raise ConfigError("The encoder has no tokenizer.json for counting tokens. Set unit to characters.")
        loaded = Tokenizer.from_file(str(path))
        loaded.no_truncation()
        loaded.no_padding()
        return loaded
