"""HTTP client of one model server: its key is sent and never shown, and no reply is read without a limit."""

from __future__ import annotations

from typing import Any, TypedDict

import httpx

from passer.adapters.generators.faults import client_options, refusal, too_long
from passer.domain.base import shown_address
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

LARGEST_REPLY = 32_000_000
"""Bytes of a reply that is not streamed, decompressed; the vectors of a batch of texts are the largest."""
LARGEST_REFUSAL = 64_000
"""Most bytes of an error reply that are read."""


class ClientOptions(TypedDict, total=False):
    """Options of `ModelServerClient` that its users pass on."""

    api_key: str | None
    connect_timeout_s: float
    read_timeout_s: float
    first_byte_timeout_s: float
    parallel: int


class ModelServerClient(httpx.Client):
    """Sends requests to one address. A status of 400 or more raises `faults.Refused`, without the key."""

    def __init__(
        self,
        url: str,
        *,
        path: str = "",
        api_key: str | None = None,
        connect_timeout_s: float = 5.0,
        read_timeout_s: float = 300.0,
        first_byte_timeout_s: float = 1800.0,
        parallel: int = 64,
    ) -> None:
        """`url` may hold a password; `path` is put behind it."""
        options = client_options(
            url, connect_timeout_s=connect_timeout_s, read_timeout_s=read_timeout_s, parallel=parallel
        )
        super().__init__(base_url=f"{url}{path}", headers=_bearer(api_key), **options)
        self.shown = shown_address(url)
        """Its address, without a password."""
        self.read_timeout_s = read_timeout_s
        """Longest silence within a reply, in seconds."""
        self.first_byte = httpx.Timeout(first_byte_timeout_s, connect=connect_timeout_s)
        """Limit of a request that waits in silence until the model is loaded, a slot is free and the prompt is read."""
        self._key = api_key

    def hidden(self, text: str) -> str:
        """Return a text of the server without the key: one that repeats its request must not store or show it."""
        return text.replace(self._key, "***") if self._key else text

    def hidden_so_far(self, text: str) -> str:
        """Return a text that still grows without the key, and without an end that may become the key."""
        known = self.hidden(text)
        if not self._key:
            return known
        ends = (length for length in range(len(self._key) - 1, 0, -1) if known.endswith(self._key[:length]))
        return known[: len(known) - next(ends, 0)]

    def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        """Send a request; a reply that is not streamed is read up to its limit."""
        response = super().send(request, stream=True, **options)
        if response.status_code >= 400:
            body, _ = _read(response, LARGEST_REFUSAL)
            said = self.hidden(body.decode("utf-8", "replace"))
            raise refusal(response.status_code, said, response.headers.get("retry-after"))
        if stream:
            return response
        body, is_whole = _read(response, LARGEST_REPLY)
        if not is_whole:
            raise too_long(self.shown)
        return httpx.Response(response.status_code, content=body, request=request)


def _read(response: httpx.Response, most: int) -> tuple[bytes, bool]:
    """Return the first bytes of a body, and whether they are all."""
    found = bytearray()
    try:
        for piece in response.iter_bytes():
            found += piece
            if len(found) > most:
                return bytes(found[:most]), False
    finally:
        response.close()
    return bytes(found), True


def _bearer(api_key: str | None) -> dict[str, str]:
    """Return the header of an API key; raise ConfigError, which does not show the key, if it cannot be sent."""
    if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        raise ConfigError(sentence("server.key-spaces"), field="api_key")
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}
