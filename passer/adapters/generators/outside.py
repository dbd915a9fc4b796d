"""External systems as chat models: over HTTP, and as functions of this process.

An address receives `POST {"question", "id", "options"}` and returns JSON that `domain.outside.reply_of` reads; the
connection names the places of both. The id is the content address of the answer, so that a repeated question has the
same id. Redirects are not followed, because only the connected address was checked.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Semaphore
from typing import Any, Unpack

from passer.adapters.generators.faults import Refused, checked_url, failure, out_of_time, too_long, translated
from passer.adapters.generators.http_client import LARGEST_REPLY, ClientOptions, ModelServerClient
from passer.adapters.generators.same_model import check_same
from passer.domain.models.chat import ChatRequest, Completion, CompletionTimings, TokenUsage
from passer.domain.models.model import Model, ModelInfo
from passer.domain.models.outside import OutsideReply, reply_of
from passer.domain.models.reply_places import ReplyPlaces
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GenerationError

SENT_OPTIONS = ("temperature", "seed", "num_predict")
"""Options that a request sends; the system may ignore them."""


class OutsideSystem:
    """ports.ChatModel at an address; safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        places: ReplyPlaces | None = None,
        answer_timeout_s: float = 600.0,
        monotonic: Callable[[], float] = time.monotonic,
        **options: Unpack[ClientOptions],
    ) -> None:
        """`answer_timeout_s` limits a whole reply, however slowly it arrives."""
        self._url = checked_url(base_url, field="url")
        self._places, self._answer_timeout_s, self._monotonic = places or ReplyPlaces(), answer_timeout_s, monotonic
        self._client = ModelServerClient(self._url, **options)

    def complete(self, request: ChatRequest) -> Completion:
        """Make one attempt; GenerationError and GeneratorUnavailable say why there is no answer."""
        began = self._monotonic()
        sent = {name: getattr(request.options, name) for name in SENT_OPTIONS}
        body = {"id": request.key, "options": sent} | self._places.asking(_question(request))
        with translated(self._client.shown, hide=self._client.hidden):
            content = self._posted(body, until=began + self._answer_timeout_s)
        reply = _read(self._client.shown, lambda: self._reply(content))
        return _completion(reply, seconds=self._monotonic() - began)

    def describe(self, model: Model) -> ModelInfo:
        """Return the name as declared; GeneratorUnavailable if nothing accepts connections at the address."""
        # Any status shows that the system is available: most systems refuse a GET.
        shown, hidden = self._client.shown, self._client.hidden
        with translated(shown, hide=hidden), suppress(Refused), self._client.stream("GET", self._url):
            pass
        return ModelInfo(name=model.name)

    def models(self) -> list[ModelInfo]:
        """Return the system itself, without a name of its own."""
        return [self.describe(Model(provider="outside", name="outside"))]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _reply(self, content: bytes) -> Any:
        # A system that repeats the request, header and all, must not put the key into the database.
        return self._places.read(json.loads(self._client.hidden(content.decode())))

    def _posted(self, body: dict[str, Any], *, until: float) -> bytes:
        """Return the body of the reply, read up to its limits of size and time."""
        found = bytearray()
        with self._client.stream("POST", self._url, json=body) as response:
            if response.status_code >= 300:
                raise failure(sentence("outside.redirects", server=self._client.shown), "rejected")
            for piece in response.iter_bytes():
                found += piece
                if len(found) > LARGEST_REPLY:
                    raise too_long(self._client.shown)
                if self._monotonic() > until:
                    raise out_of_time(self._client.shown, self._answer_timeout_s)
        return bytes(found)


class FunctionSystem:
    """ports.ChatModel over a function of this process: question in, reply out (see `reply_of`)."""

    def __init__(
        self, ask: Callable[[str], Any], *, digest: str = "unknown", at_once: int = 1, is_timed: bool = True
    ) -> None:
        """`at_once` is the number of threads that may call `ask` together; `digest` identifies what it answers with.

        Where the system answered at another time, it is not timed.
        """
        self._ask, self._digest, self._is_timed = ask, digest, is_timed
        self._places = Semaphore(at_once)

    def complete(self, request: ChatRequest) -> Completion:
        """Call the function; GenerationError if it raises, or returns what is no reply."""
        check_same(request, self.describe(request.model), server=request.model.name)
        with self._places:
            began = time.monotonic()
            try:
                value = self._ask(_question(request))
            except Exception as exc:
                said = " ".join(str(exc).split())[:300]
                message = sentence("outside.raised", system=request.model.name, kind=type(exc).__name__, said=said)
                raise failure(message, "server_error") from exc
            seconds = time.monotonic() - began
        reply = _read(request.model.name, lambda: value)
        # An answer without a time has no tokens either, in verifiers too, so that one with tokens keeps this time.
        is_unknown = not self._is_timed and reply.prompt_tokens is None and reply.output_tokens is None
        return _completion(reply, seconds=0.0 if is_unknown else seconds, digest=self._digest)

    def describe(self, model: Model) -> ModelInfo:
        """Return the name as declared, with the digest of what answers."""
        return ModelInfo(name=model.name, digest=self._digest)

    def models(self) -> list[ModelInfo]:
        """Return nothing: functions are not listed, because other processes cannot call them."""
        return []


def _question(request: ChatRequest) -> str:
    """Return the question alone; ConfigError for a request that is no question, such as one to a judge."""
    if request.source is None:
        raise ConfigError(sentence("outside.only-questions"), field="model")
    return request.source.question


def _read(system: str, value: Callable[[], Any]) -> OutsideReply:
    try:
        return reply_of(value())
    except (ValueError, RecursionError) as exc:
        said = " ".join(str(exc).split())[:300]
        raise _unreadable(system, said) from exc


def _unreadable(system: str, said: str) -> GenerationError:
    return failure(sentence("outside.unreadable", system=system, said=said), "malformed_reply")


def _completion(reply: OutsideReply, *, seconds: float, digest: str = "unknown") -> Completion:
    return Completion(
        text=reply.answer,
        finish_reason="stop",
        usage=TokenUsage(prompt_tokens=reply.prompt_tokens, output_tokens=reply.output_tokens),
        timings=CompletionTimings(elapsed_s=seconds),
        model_digest=digest,
        passages=reply.passages,
    )
