"""Serves the browser application: hashed files compressed and cached for a year, everything else revalidated."""

from __future__ import annotations

from pathlib import Path

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passer.domain.lru_cache import LruCache

ASSETS = "/assets"
"""Path of the built files whose names contain a digest of their content."""
ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""Content codings that the build writes, best first, with the suffix of their files."""
MOST_KEPT = 16 * 1024 * 1024
"""Bytes of files kept in memory: the compressed ones are one megabyte."""
PARTIAL = ("range", "if-none-match", "if-modified-since")
"""Headers of requests for less than a whole file."""


class HashedFiles(StaticFiles):
    """Static files that never change under their names, in the best encoding that the browser accepts.

    They are kept in memory: a page may consist of a hundred, and each took .8 ms of a processor to find and read.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._kept: LruCache[tuple[str, ...], tuple[bytes, dict[str, str]]] = LruCache(
            MOST_KEPT, weigh=lambda kept: len(kept[0])
        )

    async def check_config(self) -> None:
        """Accept a missing folder: its files are not found until they are built."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, compressed where the build has written it so."""
        asked = Headers(scope=scope)
        accepted = _accepted(asked.get("accept-encoding", ""))
        if scope["method"] != "GET" or any(name in asked for name in PARTIAL):
            return await self._read(path, accepted, scope)
        key = (path, *sorted(accepted & ENCODINGS.keys()))
        kept = self._kept.get(key)
        if kept is None:
            response = await self._read(path, accepted, scope)
            if not isinstance(response, FileResponse):
                return response
            kept = (await to_thread.run_sync(Path(response.path).read_bytes), dict(response.headers))
            self._kept.put(key, kept)
        return Response(kept[0], headers=kept[1])

    async def _read(self, path: str, accepted: set[str], scope: Scope) -> Response:
        encoding = next((coding for coding in ENCODINGS if coding in accepted and self._has(path, coding)), None)
        # Starlette guesses the type of x.js.br from .js, as it should be.
        response = await super().get_response(path + ENCODINGS.get(encoding or "", ""), scope)
        if encoding:
            response.headers["Content-Encoding"] = encoding
        response.headers.add_vary_header("Accept-Encoding")
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    def _has(self, path: str, coding: str) -> bool:
        return self.lookup_path(path + ENCODINGS[coding])[1] is not None


NO_CLIENT = """<!doctype html><title>PaSSER</title>
<p>The browser application is not built, or is being built. Run <code>make client</code>, then reload this page."""


class RevalidatedPages:
    """ASGI middleware: a page kept from before an update would name scripts that are gone.

    It looks for the page at each request, because a build may end after the server has started.
    """

    def __init__(self, app: ASGIApp, client: Path) -> None:
        self._app = app
        self._page = client / "index.html"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forbid browsers to show a page without asking whether it is still the same."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("Cache-Control", "no-cache")
            await send(message)

        is_page = scope["type"] == "http" and not scope["path"].startswith(("/api/", f"{ASSETS}/"))
        if is_page and scope["path"] == "/" and not self._page.is_file():
            await HTMLResponse(NO_CLIENT, status_code=503)(scope, receive, marked)
            return
        await self._app(scope, receive, marked if is_page else send)


def hashed_files(client: Path) -> HashedFiles:
    """Return an application that serves the files of a built page whose names contain their hash."""
    return HashedFiles(client / ASSETS.strip("/"))


def _accepted(header: str) -> set[str]:
    """Return the content codings of an Accept-Encoding header, without those of quality 0."""
    parts = (part.replace(" ", "").lower().partition(";q=") for part in header.split(","))
    return {name for name, _, quality in parts if quality.rstrip("0.") or not quality}
