"""Faults between PaSSER and a model server, translated into PaSSER's errors once, at the border."""

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

from passer.adapters.generators.abortable import AbortableTransport
from passer.domain.models.addresses import whole_address
from passer.domain.models.chat import ChatRequest
from passer.domain.models.generation import FailureReason
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable

MAX_REPLY_CHARACTERS = 8_000_000
"""Most characters of a reply: a server that sends more is not answering a question."""

_CONTEXT = re.compile(
    r"context[ _](?:length|size|window|limit)|exceeds? the (?:available |maximum )?context", re.IGNORECASE
)
_FOR_GOOD = re.compile(
    r"invalid format|template|error starting llama-server|incompatible with your version|more system memory"
    r"|does not support",
    re.IGNORECASE,
)
"""Errors of status 500 that a repetition cannot avoid: a schema, a template, a model that cannot be loaded."""


_SCHEMA = re.compile(r"schema|grammar|response_format|invalid format", re.IGNORECASE)
"""Errors of servers about a reply schema that they cannot enforce: llama.cpp and vLLM with 400, Ollama with 500."""


class Refused(Exception):
    """A server's answer with a status of 400 or more; never leaves the adapters."""

    def __init__(
        self, status: int, said: str, retry_after_s: float | None = None, *, sizes: tuple[int, int] | None = None
    ) -> None:
        super().__init__(f"status {status}: {said}")
        self.status = status
        self.said = said
        self.retry_after_s = retry_after_s
        self.sizes = sizes
        """Tokens of the prompt and of the window, where the server counts them."""


def refusal(status: int, body: str, retry_after: str | None) -> Refused:
    """Return the fault of a reply with a status of 400 or more, with its message and Retry-After."""
    return Refused(status, error_text(body), retry_after_s(retry_after), sizes=_sizes(body))


def error_text(body: str) -> str:
    """Return the message of an error body, at most 300 characters on one line."""
    said = _error(body)
    if isinstance(said, dict):
        said = said.get("message", said)
    return " ".join(str(said).split())[:300] or "nothing"


def _error(body: str) -> Any:
    """Return the error in a body; Ollama passes on that of llama-server as a text that is such a body itself."""
    try:
        said = json.loads(body)
    except ValueError:
        return body
    inner = said.get("error", said) if isinstance(said, dict) else body
    return _error(inner) if isinstance(inner, str) and inner.startswith("{") else inner


def _sizes(body: str) -> tuple[int, int] | None:
    """Tokens of the prompt and of the window, where llama-server counts them."""
    error = _error(body)
    if not isinstance(error, dict):
        return None
    tokens, window = error.get("n_prompt_tokens"), error.get("n_ctx")
    return (tokens, window) if isinstance(tokens, int) and isinstance(window, int) else None


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
    """Return a GenerationError with a reason of the closed list."""
    return GenerationError(message, reason=reason, retryable=retryable, retry_after_s=retry_after_s)


def is_repetition(said: str) -> bool:
    """Return whether a server stopped an answer because it repeated itself."""
    return "token repeat limit" in said


def of_status(refused: Refused, *, server: str) -> GenerationError:
    """Translate a status of 400 or more into an error, which states whether a repetition may succeed."""
    status, said = refused.status, refused.said
    if status in (429, 503):
        return failure(
            sentence("server.overloaded", server=server, status=status, said=said),
            "overloaded",
            retryable=True,
            retry_after_s=refused.retry_after_s,
        )
    if is_repetition(said):
        return failure(sentence("server.repeats", server=server), "repeated")
    # Ollama returns 499 to all requests that wait for a model when one of them cancels its loading.
    if status in (408, 499) or status >= 500:
        return failure(
            sentence("server.failed", server=server, status=status, said=said),
            _REASONS.get(status, "server_error"),
            retryable=status != 500 or not _FOR_GOOD.search(said),
            retry_after_s=refused.retry_after_s,
        )
    if _CONTEXT.search(said):
        return failure(_too_long_a_prompt(refused, server), "context_exceeded")
    if status in (401, 403):
        return failure(sentence("server.key", server=server, status=status), "rejected")
    return failure(sentence("server.refused", server=server, status=status, said=said), "rejected")


_REASONS: dict[int, FailureReason] = {
    408: "timeout",
    504: "timeout",
    # A proxy in front of the model lost or closed the connection.
    499: "connection_lost",
    502: "connection_lost",
}


def _too_long_a_prompt(refused: Refused, server: str) -> str:
    if refused.sizes is None:
        return sentence("server.context", server=server, said=refused.said)
    tokens, window = refused.sizes
    return sentence("server.context-counted", server=server, tokens=tokens, window=window)


@contextmanager
def translated(server: str, *, hide: Callable[[str], str] = str) -> Iterator[None]:
    """Translate errors of httpx and of parsing into PaSSER's; `hide` removes secrets from the text of a reply."""
    try:
        yield
    except Refused as exc:
        raise of_status(exc, server=server) from exc
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as exc:
        # No server at the address: the request is valid, so it waits for the server instead of failing.
        raise GeneratorUnavailable(sentence("server.away", server=server)) from exc
    except httpx.TimeoutException as exc:
        raise failure(sentence("server.silent", server=server), "timeout", retryable=True) from exc
    except httpx.DecodingError as exc:
        raise _malformed(server, exc, hide) from exc
    except httpx.TransportError as exc:
        raise failure(sentence("server.lost", server=server), "connection_lost", retryable=True) from exc
    except httpx.HTTPError as exc:
        raise failure(sentence("server.bad-address", server=server, said=str(exc)), "rejected") from exc
    except (ValidationError, ValueError, LookupError, TypeError, AttributeError) as exc:
        # Errors of libraries quote what they read: one with a secret is not chained, because tracebacks are logged.
        raise _malformed(server, exc, hide) from (exc if hide(str(exc)) == str(exc) else None)


@contextmanager
def naming_schema(request: ChatRequest, server: str) -> Iterator[None]:
    """Turns the refusal of a request with a reply schema into one that names the schema, where it is the cause."""
    try:
        yield
    except GenerationError as exc:
        cause = exc.__cause__
        if request.reply_schema is None or not isinstance(cause, Refused) or cause.status not in (400, 422, 500):
            raise
        if not _SCHEMA.search(cause.said):
            raise
        said = {"server": server, "model": request.model.name, "said": cause.said}
        raise failure(sentence("server.schema-refused", **said), "rejected") from exc


def cut_short(server: str) -> GenerationError:
    """Return the error of a stream that ended without a fault before the reply was complete."""
    return failure(sentence("server.cut-short", server=server), "connection_lost", retryable=True)


def too_long(server: str) -> GenerationError:
    """Return the error of a reply with more characters than any answer has."""
    return failure(sentence("server.too-much", server=server), "malformed_reply")


def out_of_time(server: str, seconds: float) -> GenerationError:
    """Return the error of a reply that was not complete within the time for one answer."""
    return failure(sentence("server.too-slow", server=server, seconds=seconds), "timeout", retryable=True)


def _malformed(server: str, exc: Exception, hide: Callable[[str], str]) -> GenerationError:
    said = " ".join(hide(str(exc)).split())[:200]
    return failure(
        sentence("server.unreadable", server=server, kind=type(exc).__name__, said=said),
        "malformed_reply",
        retryable=True,
    )


def checked_url(url: str, *, field: str) -> str:
    """Return an http or https address without a trailing slash; raise ConfigError for any other text."""
    full = whole_address(url.strip(), port=_PORTS.get(field))
    try:
        parts = urlsplit(full)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(sentence("server.no-address", url=url, field=field), field=field)
    return full.rstrip("/")


_PORTS = {"ollama_url": 11434}
"""Default port by setting, for an address without port and scheme."""


def client_options(
    url: str,
    *,
    connect_timeout_s: float,
    read_timeout_s: float,
    parallel: int,
) -> dict[str, Any]:
    """Return httpx options that all servers share: bounded waits, and no proxy for addresses of this machine."""
    trust_env = not _is_loopback(urlsplit(url).hostname or "")
    limits = httpx.Limits(max_connections=parallel, max_keepalive_connections=parallel)
    return {
        "timeout": httpx.Timeout(read_timeout_s, connect=connect_timeout_s),
        "transport": AbortableTransport(limits=limits, trust_env=trust_env),
        "trust_env": trust_env,
    }


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
