"""Refuses foreign hosts, foreign origins, uploads beyond the limit and texts with a NUL before any route sees them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import FormData, Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passer.api.problems import Problem, problem_response, refusal
from passer.domain.base import storable
from passer.domain.wording.sentence import sentence

LOOPBACK = ("127.0.0.1", "localhost", "::1")
MARGIN_BYTES = 64 * 1024
"""Bytes that a multipart form may add to its file."""
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


class _TooLarge(Exception):
    pass


class Guard:
    """ASGI middleware. Without it any web page that a user visits could talk to their PaSSER (DNS rebinding, CSRF)."""

    def __init__(
        self, app: ASGIApp, *, allowed_hosts: tuple[str, ...], any_address: bool, max_upload_bytes: int
    ) -> None:
        self._app = app
        self._hosts = {*LOOPBACK, *(host.lower() for host in allowed_hosts)}
        self._any_address = any_address
        if any_address:
            self._hosts.add(socket.gethostname().lower())
        self._max_upload_bytes = max_upload_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["path"], Headers(scope=scope))
        if refusal is not None:
            await problem_response(refusal)(scope, receive, send)
            return
        await self._limited(scope, receive, send)

    def _refusal(self, path: str, headers: Headers) -> Problem | None:
        host, origin = _host_of(f"//{headers.get('host', '')}"), headers.get("origin")
        if not self._is_ours(host):
            return refusal("host-refused", 421, sentence("problem.host", host=host))
        if origin is not None and not self._same_origin(origin, headers.get("host", "")):
            return refusal("origin-refused", 403, sentence("problem.origin", origin=origin))
        # With a GET for an image or script, browsers send no Origin but Sec-Fetch-Site. A link of another site may open
        # a page of the application, but no address of the API: some of these compute, or ask a model.
        is_link = headers.get("sec-fetch-mode") == "navigate" and not path.startswith("/api/")
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not is_link:
            return refusal("origin-refused", 403, sentence("problem.other-site"))
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self._max_upload_bytes + MARGIN_BYTES:
            return self._too_large()
        return None

    def _is_ours(self, host: str) -> bool:
        # Anyone can make a host name resolve to this server (DNS rebinding); a literal IP address cannot be forged so.
        return host in self._hosts or (self._any_address and _is_address(host))

    def _same_origin(self, origin: str, host: str) -> bool:
        try:
            return urlsplit(origin).netloc.lower() == host.lower()
        except ValueError:
            return False

    def _too_large(self) -> Problem:
        limit = self._max_upload_bytes // (1024 * 1024)
        return refusal("too-large", 413, sentence("problem.upload-too-large", limit=limit))

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what arrives: a body without a declared length has the same limit."""
        received = 0
        is_too_large = has_answered = False

        async def counted() -> Message:
            nonlocal received, is_too_large
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_upload_bytes + MARGIN_BYTES:
                is_too_large = True
                raise _TooLarge
            return message

        async def answered(message: Message) -> None:
            nonlocal has_answered
            # FastAPI answers a body that was cut off as malformed; the true reason is sent instead.
            if not is_too_large or has_answered:
                has_answered = True
                await send(message)

        with suppress(_TooLarge):
            await self._app(scope, counted, answered)
        if is_too_large and not has_answered:
            await problem_response(self._too_large())(scope, receive, send)


async def refuse_nul(request: Request) -> None:
    """Dependency of every route: refuses NUL (U+0000), which SQLite holds and PostgreSQL does not.

    pydantic refuses half surrogate pairs itself.
    """
    given: dict[str, Any] = {"path": request.path_params, "query": dict(request.query_params)}
    kind = request.headers.get("content-type", "")
    if kind.startswith(_FORMS):
        given["body"] = _of_form(await request.form())
    elif "json" in kind and b"\\u0000" in await request.body():
        body = await request.json()
        # The text of a file, whose reader leaves NULs out or says what the file is.
        given["body"] = {**body, "text": ""} if isinstance(body, dict) else body
    place = next((place for place, value in _leaves(given) if "\0" in value or "\0" in "".join(place)), None)
    if place is not None:
        raise RequestValidationError([{"type": "nul", "msg": "", "loc": tuple(map(storable, place))}])


def _of_form(form: FormData) -> dict[str, Any]:
    """Return a form with JSON in place of texts that write a NUL in JSON, and names in place of files."""
    found: dict[str, list[Any]] = {}
    for name, each in form.multi_items():
        value: Any = (each if isinstance(each, str) else each.filename) or ""
        with suppress(ValueError, RecursionError):
            value = json.loads(value) if "\\u0000" in value else value
        found.setdefault(name, []).append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


def _leaves(given: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the texts and names in a value with their places."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), given)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += [((*place, str(key)), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [((*place, str(number)), item) for number, item in enumerate(value)]
        yield place, value if isinstance(value, str) else ""


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _host_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""
