"""A streamed reply: its lines, and its text."""

from __future__ import annotations

from collections.abc import Iterator

import httpx

LONGEST_LINE = 32_000_000
"""Bytes; a server that sends more without a line break is not answering a question."""


def lines_of(response: httpx.Response) -> Iterator[bytes]:
    """Yield the lines of a response, split at line feeds only.

    httpx's iter_lines also splits at U+0085 and U+2028, which may occur unescaped in a JSON string.
    """
    rest = b""
    for piece in response.iter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > LONGEST_LINE:
            raise ValueError(f"a line of more than {LONGEST_LINE} bytes")
    if rest:
        yield rest


class WrittenReply:
    """The parts of a reply; other threads may read its text while it grows."""

    def __init__(self) -> None:
        self._thoughts: list[str] = []
        self._content: list[str] = []
        self.size = 0
        """Characters."""

    def add(self, thoughts: str, content: str) -> None:
        """Append what came."""
        self._thoughts.append(thoughts)
        self._content.append(content)
        self.size += len(thoughts) + len(content)

    @property
    def text(self) -> str:
        """The whole reply. Thoughts that the server sends apart come first, marked as models mark them."""
        thoughts, content = "".join(self._thoughts), "".join(self._content)
        return f"<think>{thoughts}</think>{content}" if thoughts else content

    @property
    def so_far(self) -> str:
        """The reply up to now, a prefix of the complete reply; thoughts may be unfinished."""
        return self.text if any(self._content) else self.text.removesuffix("</think>")
