"""Splits documents into passages by langchain-text-splitters, each with its exact place, and counts tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import regex

from passer.domain.extras import requires_extra
from passer.domain.retrieval.passages import Chunking, Document, Passage, passage_id
from passer.domain.texts.sentence_ends import CLOSING, OTHER_STOP, sentence_end
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter


TokenCount = Callable[[str], int]
"""Returns the number of tokens of a text for the embedding model, without special tokens."""


_PLAIN = ("\n\n", "\n", " ", "")
_CLUSTER = regex.compile(r"\X")


class RecursiveSplitter:
    """Splits at paragraphs, lines, words, then characters; neighbours share at most `chunk_overlap` units.

    A document of other scripts is split at paragraphs, sentences, lines, blanks, commas, then grapheme clusters.
    """

    def __init__(self, *, token_count: TokenCount | None = None) -> None:
        self._token_count = token_count

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        """Return passages in order, `document.text[start:end] == text`; ConfigError for tokens without a tokenizer."""
        splitter = document.splitter
        separators = _PLAIN if splitter is None else _of_other_scripts()
        address = partial(
            passage_id, document_digest=document.digest, chunking=chunking, splitter=splitter, text=document.text_digest
        )
        spans = _spans(document.text, chunking, separators, self._length(chunking))
        return [
            Passage(
                id=address(number=number),
                document=document.name,
                number=number,
                text=document.text[start:end],
                start=start,
                end=end,
                page=document.page_at(start),
            )
            for number, (start, end) in enumerate(spans)
        ]

    def _length(self, chunking: Chunking) -> Callable[[str], int]:
        if chunking.unit == "characters":
            return len
        if self._token_count is None:
            raise ConfigError(sentence("collection.no-tokenizer"), field="unit")
        return self._token_count


def _spans(
    text: str, chunking: Chunking, separators: tuple[str, ...], length: Callable[[str], int]
) -> list[tuple[int, int]]:
    """Return the first and one past the last character of each passage, without white space at both ends."""
    splitter = _tracking_splitter()(
        separators=list(separators),
        is_separator_regex=True,
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


@cache
def _of_other_scripts() -> tuple[str, ...]:
    """Return the separators of other scripts, as patterns of `re`, which knows no properties of characters.

    Sentences come before lines, because lines of PDF files end anywhere. The full stops of English count as well: Hindi
    and Arabic have both.
    """
    every = "".join(map(chr, range(0x110000)))
    stop, closing = (f"[{re.escape(''.join(regex.findall(f'(?V1){one}', every)))}]" for one in (OTHER_STOP, CLOSING))
    end = rf"(?:{sentence_end(stop, closing)})|(?<=[.!?])(?=\s)|(?<=[.!?]{closing})(?=\s)"
    # Khmer and other texts have blanks without width (U+200B) between words.
    return "\n\n", end, "\n", " ", "(?<=[\u3001\uff0c\uff1b\uff1a\uff64\u060c\u061b\u200b])", ""


def _cluster_places(text: str, longest: int) -> list[int]:
    """Return where grapheme clusters start, and the end of the text; those longer than a passage are cut."""
    found = (range(cluster.start(), cluster.end(), longest) for cluster in _CLUSTER.finditer(text))
    return [*chain.from_iterable(found), len(text)]


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
            self._keeps_clusters = len(self._separators) > len(_PLAIN)
            return list(super().split_text(text))

        def _split_text(self, text: str, separators: list[str]) -> list[_Piece]:
            if not any(re.search(each, text) for each in separators if each):
                if self._length_function is len:
                    return list(self._windows(text))
                if self._keeps_clusters:
                    return self._merge_splits(_CLUSTER.findall(text), "")
            return list(super()._split_text(text, separators))

        def _windows(self, text: str) -> Iterator[_Piece]:
            """Yield what the library merges from characters, or clusters, without an object for each of them."""
            first, at = self._position, 0
            self._position += len(text)
            size = self._chunk_size
            places = _cluster_places(text, size) if self._keeps_clusters else range(len(text) + 1)
            while places[at] < len(text):
                start, end = places[at], places[bisect_right(places, places[at] + size) - 1]
                yield _piece(text[start:end], first + start)
                at = max(at + 1, bisect_left(places, end - self._chunk_overlap if end < len(text) else end))

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
            raise ConfigError(sentence("extra.no-tokenizer"))
        loaded = Tokenizer.from_file(str(path))
        loaded.no_truncation()
        loaded.no_padding()
        return loaded
