"""What can go wrong between PaSSER and a model server, translated once, at the border."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic import ValidationError

from passer.domain.generation import FailureReason
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable

MAX_REPLY_CHARACTERS = 8_000_000
"""A server that says more than this is not answering a question."""

_CONTEXT = re.compile(
    r"context[ _](?:length|size|window|limit)|exceeds? the (?:available |maximum )?context", re.IGNORECASE
)


class Refused(Exception):
    """A server's answer with a status of 400 or more; never leaves the adapters."""

    def __init__(self, status: int, said: str, retry_after_s: float | None) -> None:
        super().__init__(f"status {status}: {said}")
        self.status = status
        self.said = said
        self.retry_after_s = retry_after_s


def refusing(hide: Callable[[str], str]) -> Callable[[httpx.Response], None]:
    """An httpx response hook: raises Refused for a status of 400 or more, with what it says and Retry-After."""

    def refuse(response: httpx.Response) -> None:
        if response.status_code >= 400:
            response.read()
            after = retry_after_s(response.headers.get("retry-after"))
            raise Refused(response.status_code, error_text(hide(response.text)), after)

    return refuse


def error_text(body: str) -> str:
    """What an error body says, at most 300 characters on one line."""
    try:
        said = json.loads(body)
    except ValueError:
        said = body
    if isinstance(said, dict):
        said = said.get("error", said)
    if isinstance(said, dict):
        said = said.get("message", said)
    return " ".join(str(said).split())[:300] or "nothing"


def retry_after_s(header: str | None, *, now: datetime | None = None) -> float | None:
    """Seconds of a Retry-After header (seconds or an HTTP date), not negative; None where there is none."""
    if header is None:
        return None
    try:
        return max(0.0, float(int(header.strip())))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())


def failure(
    message: str, reason: FailureReason, *, retryable: bool = False, retry_after_s: float | None = None
) -> GenerationError:
    """A GenerationError with a reason of the closed list."""
    return GenerationError(message, reason=reason, retryable=retryable, retry_after_s=retry_after_s)


def of_status(refused: Refused, *, server: str) -> GenerationError:
    """What a status of 400 or more means: 408, 429 and 5xx may be tried again."""
    status, said = refused.status, refused.said
    if status in (429, 503):
        return failure(
            sentence("server.overloaded", server=server, status=status, said=said),
            "overloaded",
            retryable=True,
            retry_after_s=refused.retry_after_s,
        )
    if status == 408 or status >= 500:
        return failure(
            sentence("server.failed", server=server, status=status, said=said),
            "timeout" if status in (408, 504) else "server_error",
            retryable=True,
            retry_after_s=refused.retry_after_s,
        )
    if _CONTEXT.search(said):
        return failure(sentence("server.context", server=server, said=said), "context_exceeded")
    if status in (401, 403):
        return failure(sentence("server.key", server=server, status=status), "rejected")
    return failure(sentence("server.refused", server=server, status=status, said=said), "rejected")


@contextmanager
def translated(server: str) -> Iterator[None]:
    """Turns every error of httpx and of parsing into one of ours."""
    try:
        yield
    except Refused as exc:
        raise of_status(exc, server=server) from exc
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as exc:
        raise GeneratorUnavailable(sentence("server.away", server=server)) from exc
    except httpx.TimeoutException as exc:
        raise failure(
            sentence("server.silent", server=server),
            "timeout",
            retryable=True,
        ) from exc
    except httpx.DecodingError as exc:
        raise _malformed(server, exc) from exc
    except httpx.TransportError as exc:
        raise failure(
            sentence("server.lost", server=server),
            "connection_lost",
            retryable=True,
        ) from exc
    except httpx.HTTPError as exc:
        raise failure(f"Check the address {server}: {exc}.", "rejected") from exc
    except (ValidationError, ValueError, LookupError, TypeError, AttributeError) as exc:
        raise _malformed(server, exc) from exc


def cut_short(server: str) -> GenerationError:
    """The stream ended, in good order, before the reply did."""
    return failure(sentence("server.cut-short", server=server), "connection_lost", retryable=True)


def too_long(server: str) -> GenerationError:
    """More characters than any answer has."""
    return failure(sentence("server.too-much", server=server), "malformed_reply")


def out_of_time(server: str, seconds: float) -> GenerationError:
    """The reply was not complete within the time for one answer."""
    return failure(
        sentence("server.too-slow", server=server, seconds=seconds),
        "timeout",
        retryable=True,
    )


def _malformed(server: str, exc: Exception) -> GenerationError:
    said = " ".join(str(exc).split())[:200]
    return failure(
        sentence("server.unreadable", server=server, kind=type(exc).__name__, said=said),
        "malformed_reply",
        retryable=True,
    )


def checked_url(url: str, *, field: str) -> str:
    """An http or https address without a trailing slash; ConfigError otherwise."""
    full = url.strip() if "://" in url else f"http://{url.strip()}"
    try:
        parts = urlsplit(full)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"Give {field} as http://HOST:PORT: {url!r} is no address.", field=field)
    return full.rstrip("/")


def client_options(
    url: str,
    *,
    connect_timeout_s: float,
    read_timeout_s: float,
    parallel: int,
    hide: Callable[[str], str] = str,
) -> dict[str, Any]:
    """httpx options of both servers: bounded waits, no proxy to this machine itself; `hide` takes secrets out."""
    return {
        "timeout": httpx.Timeout(read_timeout_s, connect=connect_timeout_s),
        "limits": httpx.Limits(max_connections=parallel, max_keepalive_connections=parallel),
        "event_hooks": {"response": [refusing(hide)]},
        "trust_env": not _is_loopback(urlsplit(url).hostname or ""),
    }


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
