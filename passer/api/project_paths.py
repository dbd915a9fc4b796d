"""Addresses of projects: `/projects/NAME` before any path means that path in the project NAME.

A prefix and not a header, because links to files, event streams and pages cannot send headers. Without it, a path means
the default project, as before there were projects.
"""

from __future__ import annotations

import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passer.domain.accounts.project import DEFAULT_PROJECT

_PREFIX = re.compile(r"(?P<prefix>/projects/(?P<name>[^/]+))(?P<rest>/.*)?", re.DOTALL)
_STATE = "project"
_PLACE = "project_path"


class ProjectPaths:
    """ASGI middleware: takes the prefix off, notes the project, and puts the prefix before addresses in answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        found = _PREFIX.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        path, prefix = found["rest"] or "/", found["prefix"]

        async def placed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = prefix + headers["location"]
            await send(message)

        state = {**scope.get("state", {}), _STATE: found["name"], _PLACE: prefix}
        await self._app({**scope, "path": path, "raw_path": path.encode(), "state": state}, receive, placed)


def project_of(scope: Scope) -> str:
    """Return the name of the project that a request names; there may be no project of that name."""
    return str(scope.get("state", {}).get(_STATE, DEFAULT_PROJECT))


def placed(path: str, scope: Scope) -> str:
    """Return the path with the project's prefix before it, as headers have it; without one in the default project."""
    return str(scope.get("state", {}).get(_PLACE, "")) + path
