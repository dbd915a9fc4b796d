"""The reader's language: a parameter where no header can be sent, else Accept-Language, else English."""

from __future__ import annotations

from urllib.parse import parse_qs

from babel import negotiate_locale
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passer.domain.wording.catalogue import LANGUAGES, Language
from passer.domain.wording.sentence import reading


def language_of(query: str, accepted: str) -> Language:
    """Return the language of a query string and an Accept-Language header."""
    wanted = [*parse_qs(query).get("language", []), *_by_weight(accepted)]
    found = negotiate_locale(wanted, LANGUAGES, sep="-")
    return next((language for language in LANGUAGES if language == found), "en")


def _by_weight(header: str) -> list[str]:
    weighed = []
    for place, part in enumerate(header.split(",")):
        tag, _, parameters = part.strip().partition(";")
        weight = parameters.strip().removeprefix("q=")
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            continue
        if tag and quality > 0:
            weighed.append((-quality, place, tag.strip()))
    return [tag for _, _, tag in sorted(weighed)]


class ReaderLanguage:
    """Middleware: answers of the API are written in the reader's language and name it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self._app(scope, receive, send)
            return
        language = language_of(scope["query_string"].decode("latin-1"), Headers(scope=scope).get("accept-language", ""))

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-language", language)
                headers.add_vary_header("Accept-Language")
            await send(message)

        with reading(language):
            await self._app(scope, receive, named)
