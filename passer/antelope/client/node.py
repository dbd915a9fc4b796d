"""One address of a node: a request and its reply, read within limits."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import httpx
from pydantic import ValidationError
from pydantic_core import to_json

from passer.adapters.generators.faults import checked_url, client_options
from passer.antelope.client.faults import Refused, node_error
from passer.antelope.client.replies import Reply
from passer.domain.base import shown_address
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, LedgerUnavailable

LARGEST_REPLY = 64 * 1024 * 1024
"""Maximum size of a reply in bytes."""


class NoAnswer(Exception):
    """Something before the node answers in its place."""


class Node:
    """One address."""

    def __init__(self, url: str, *, connect_timeout_s: float, read_timeout_s: float) -> None:
        whole = checked_url(url, field="chain_urls")
        self.shown = shown_address(whole)
        self.chain_id: Digest | None = None
        # The read timeout applies to each part of a reply, so a reply in slow drips needs a limit of its own.
        self._deadline_s = 2 * read_timeout_s
        options = client_options(whole, connect_timeout_s=connect_timeout_s, read_timeout_s=read_timeout_s, parallel=8)
        self._transport: httpx.BaseTransport = options["transport"]
        self._client = httpx.Client(base_url=whole, **options, headers={"Content-Type": "application/json"})
        self._requests: dict[str, httpx.Request] = {}
        """Requests by path without content."""

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _request(self, path: str, content: bytes) -> httpx.Request:
        """Return a request: what is the same for all requests to a path is made once."""
        made = self._requests.get(path)
        if made is None:
            made = self._client.build_request("POST", path)
            if made.url.userinfo:
                made = next(httpx.BasicAuth(made.url.username, made.url.password).auth_flow(made))
            del made.headers["Content-Length"]
            self._requests[path] = made
        return httpx.Request("POST", made.url, headers=made.headers, content=content, extensions=made.extensions)

    def ask(self, path: str, asked: Mapping[str, Any], kind: type[Reply] | None = None) -> Any:
        """Return a reply as `kind`, or its JSON.

        Refused; NoAnswer; httpx.RequestError; LedgerUnavailable for a reply that is malformed, too long or too slow.
        """
        until = time.monotonic() + self._deadline_s
        # The transport is used without httpx.Client, whose cookies, redirects and credentials take a sixth of a push.
        with closing(self._transport.handle_request(self._request(path, to_json(asked)))) as reply:
            data = bytearray()
            for part in reply.iter_bytes():
                data += part
                if len(data) > LARGEST_REPLY or time.monotonic() > until:
                    raise unreadable(self.shown)
        # The JSON of a push or block has thousands of objects that nobody reads. It is parsed only if it may contain an
        # error: walking these objects in garbage collection took as long as all other work for a transaction.
        if kind is None or reply.status_code >= 300 or b'"error"' in data:
            body = self._body(reply.status_code, bytes(data))
            if kind is None:
                return body
        try:
            return kind.model_validate_json(data)
        except (ValidationError, InputError) as exc:
            raise unreadable(self.shown) from exc

    def _body(self, status: int, data: bytes) -> Any:
        body = _json(data)
        error = node_error(status, body)
        if error is not None:
            raise Refused(error)
        if status >= 300:
            raise NoAnswer(f"status {status}")
        if body is None:
            raise unreadable(self.shown)
        return body


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


def unreadable(server: str) -> LedgerUnavailable:
    """Return the error of a reply that is not what the node's API documents."""
    return LedgerUnavailable(sentence("node.odd", server=server))
