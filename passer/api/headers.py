"""Headers of every answer: what a browser may do with it, and how long it may be kept."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

WALLET_RELAY = "https://cb.anchor.link"
"""Relay of the wallet library, where the settings name none."""
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
"""Headers of every answer; a route that sets one of them itself keeps its own."""


def content_policy(connected: Sequence[str] = ()) -> str:
    """Return the Content-Security-Policy of the pages; they may also connect to these addresses.

    Styles may be inline, because figures set their colours so; scripts may not.
    """
    origins = [f"{parts.scheme}://{parts.netloc}" for parts in map(urlsplit, connected)]
    sockets = [origin.replace("http", "ws", 1) for origin in origins]
    allowed = " ".join(dict.fromkeys(("'self'", *origins, *sockets)))
    return (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"font-src 'self' data:; connect-src {allowed}; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


class SecurityHeaders:
    """ASGI middleware that adds the headers which an answer does not have yet."""

    def __init__(self, app: ASGIApp, *, policy: str) -> None:
        self._app = app
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ALWAYS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", self._policy)
                # Results are private: neither a proxy nor the disk of a shared computer may store them.
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, marked)
