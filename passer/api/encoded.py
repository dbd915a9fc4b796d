"""Cache of encoded and compressed answers, by the identity of the objects that they were made of.

It needs no invalidation. Every request asks the services again; they return the same cached object until the result can
have changed, and another one afterwards. The bytes of one immutable object never change, so that an answer from this
cache is never older than the services' result.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request, Response
from pydantic import BaseModel

from passer.domain.lru_cache import LruCache
from passer.domain.wording.catalogue import Language
from passer.domain.wording.sentence import reader

COMPRESS_LEVEL = 3
"""Level of gzip; higher ones save a tenth of the bytes for half as much time again."""
MOST_BYTES = 8 << 20
"""Size of all kept answers together."""
MOST_ANSWERS = 64
"""Number of kept answers at most: a small one counts as its share of MOST_BYTES."""
_SMALLEST = 500
"""Bytes of an answer that is not worth compressing, as the middleware counts them."""
_Key = tuple[str, str, tuple[int, ...], Language, bool]


@dataclass(frozen=True)
class Sent:
    """Bytes of an answer."""

    parts: tuple[object, ...]
    """Held so that no other object gets the identity of one of them."""
    body: bytes
    """JSON, compressed or not."""
    is_compressed: bool
    """True if the body is gzip."""


class EncodedAnswers:
    """Bytes of answers by operation, query string, language, and the identity of the objects they were made of."""

    def __init__(self) -> None:
        self._sent: LruCache[_Key, Sent] = LruCache(
            MOST_BYTES, weigh=lambda sent: max(len(sent.body), MOST_BYTES // MOST_ANSWERS)
        )

    def of(self, request: Request, parts: tuple[object, ...], make: Callable[[], BaseModel]) -> Sent:
        """Return the answer to a request as bytes; see `encoded`."""
        compress = "gzip" in request.headers.get("accept-encoding", "")
        operation = request.scope["route"].operation_id
        key = (operation, request.url.query, tuple(map(id, parts)), reader(), compress)
        return self._sent.get_or_compute(key, lambda: _encoded(parts, make(), compress=compress))


def encoded(request: Request, parts: tuple[object, ...], make: Callable[[], BaseModel]) -> Response:
    """Return the answer that `make` makes of these immutable objects, the query and the reader's language alone."""
    kept: EncodedAnswers = request.app.state.encoded
    sent = kept.of(request, parts, make)
    # The compressing middleware passes such an answer on unchanged, without the Vary that it adds to others.
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if sent.is_compressed else {}
    return Response(sent.body, media_type="application/json", headers=headers)


def _encoded(parts: tuple[object, ...], answer: BaseModel, *, compress: bool) -> Sent:
    body = answer.model_dump_json(by_alias=True).encode()
    if not compress or len(body) < _SMALLEST:
        return Sent(parts, body, is_compressed=False)
    return Sent(parts, gzip.compress(body, COMPRESS_LEVEL, mtime=0), is_compressed=True)
