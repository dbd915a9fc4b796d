"""Lines of a streamed reply."""

from __future__ import annotations

from collections.abc import Iterator

import httpx

LONGEST_LINE = 32_000_000
"""Bytes; a server that sends more without a line break is not answering a question."""


def lines_of(response: httpx.Response) -> Iterator[bytes]:
    """Yield the lines of a response, split at line feeds alone.

    httpx's iter_lines also splits at U+0085 and U+2028, which may stand unescaped inside a JSON string.
    """
    rest = b""
    for piece in response.iter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > LONGEST_LINE:
            raise ValueError(f"a line of more than {LONGEST_LINE} bytes")
    if rest:
        yield rest
