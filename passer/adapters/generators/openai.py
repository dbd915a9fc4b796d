"""Any server that speaks OpenAI's chat API: vLLM, llama.cpp, LM Studio, and others.

Sent to all: temperature, seed, top_p, the two penalties that OpenAI has, and num_predict as max_tokens. To vLLM and
llama.cpp, which are recognised by their own description, also top_k and the other options that a request sets:
unsent, their own defaults would take part (min_p .05 of llama.cpp, the model's generation_config.json of vLLM). There
is no num_ctx: a server is started with its context length. These servers give no digest of the weights, so their
answers are keyed by address and model name. Ollama is refused here, because it would cut prompts at a window that this
API cannot set.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Unpack

import httpx

from passer.adapters.generators.faults import (
    MAX_REPLY_CHARACTERS,
    Refused,
    checked_url,
    cut_short,
    error_text,
    failure,
    naming_schema,
    out_of_time,
    too_long,
    translated,
)
from passer.adapters.generators.http_client import ClientOptions, ModelServerClient
from passer.adapters.generators.log_probabilities import LogProbabilityReader
from passer.adapters.generators.openai_options import added_options
from passer.adapters.generators.same_model import check_same
from passer.adapters.generators.written_reply import WrittenReply, lines_of
from passer.domain.lru_cache import LruCache
from passer.domain.models.chat import ChatRequest, Completion, CompletionTimings, TokenUsage
from passer.domain.models.model import Model, ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GenerationError, ModelNotFoundError
from passer.ports.draft import drafting

DESCRIBED_FOR_S = 60.0
"""Seconds for which a model's description is cached."""
MOST_DESCRIBED = 256


class _Reply(NamedTuple):
    """A complete reply."""

    text: str
    finish_reason: str | None
    usage: dict[str, Any]
    timings: dict[str, Any]
    """Timings of llama.cpp; empty for other servers."""


class OpenAIChatModel:
    """ports.ChatModel through /v1/chat/completions; safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        stream: bool = True,
        slots: int | None = None,
        answer_timeout_s: float = 1800.0,
        monotonic: Callable[[], float] = time.monotonic,
        **options: Unpack[ClientOptions],
    ) -> None:
        """`slots` is the number of concurrent requests, recorded if a server does not report its own."""
        self._root, self._slots = checked_url(base_url, field="openai_url").removesuffix("/v1"), slots
        self._stream, self._answer_timeout_s, self._monotonic = stream, answer_timeout_s, monotonic
        self._described: LruCache[str, ModelInfo] = LruCache(
            MOST_DESCRIBED, max_age_s=DESCRIBED_FOR_S, monotonic=monotonic
        )
        self._client = ModelServerClient(self._root, path="/v1", **options)
        self.base_url = self._client.shown

    def __repr__(self) -> str:
        return f"OpenAIChatModel({self.base_url!r})"

    def complete(self, request: ChatRequest) -> Completion:
        info = self._info(request.model)
        check_same(request, info, server=self.base_url)
        began = self._monotonic()
        if request.measures:
            return self._measured(request, info)
        with naming_schema(request, self.base_url), self._border(request.model.name):
            body = self._body(request, info)
            reply = self._streamed(body) if self._stream else self._whole(body)
        usage, timings = reply.usage, reply.timings
        return Completion(
            # A server that repeats the request, header and all, must not put the key into the database.
            text=self._client.hidden(reply.text),
            finish_reason=reply.finish_reason,
            usage=TokenUsage(
                prompt_tokens=usage.get("prompt_tokens"),
                output_tokens=usage.get("completion_tokens"),
                cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens", timings.get("cache_n")),
            ),
            timings=CompletionTimings(
                prompt_eval_duration_ns=_nanoseconds(timings.get("prompt_ms")),
                eval_duration_ns=_nanoseconds(timings.get("predicted_ms")),
                elapsed_s=self._monotonic() - began,
            ),
            # Servers that do not report a context length refuse long prompts themselves.
            window=info.context_length,
        )

    def _measured(self, request: ChatRequest, info: ModelInfo) -> Completion:
        began = self._monotonic()
        with self._border(request.model.name):
            found = LogProbabilityReader(self._client, root=self._root).measured(request, info)
        return Completion(
            text=found.reply.model_dump_json(),
            finish_reason="stop",
            usage=TokenUsage(prompt_tokens=found.tokens, output_tokens=0),
            timings=CompletionTimings(elapsed_s=self._monotonic() - began),
            window=info.context_length,
        )

    def describe(self, model: Model) -> ModelInfo:
        """Describe a model by the server's own list; a server without a list is assumed to have it."""
        about = self._about()
        try:
            known = self.models()
        except GenerationError as exc:
            if not (isinstance(exc.__cause__, Refused) and exc.__cause__.status in (404, 405)):
                raise
            known = [ModelInfo(name=model.name)]
        found = next((info for info in known if info.name == model.name), None)
        if found is None:
            names = ", ".join(info.name for info in known[:10]) or "none"
            raise ModelNotFoundError(
                sentence("server.lacks-model", server=self.base_url, model=model.name, names=names)
            )
        about = {**about, "context_length": found.context_length or about.get("context_length")}
        return self._described.put(model.name, found.model_copy(update=about))

    def models(self) -> list[ModelInfo]:
        """Return the server's models by name; vLLM reports the context length as well. ConfigError for Ollama."""
        # Ollama speaks this API as well, but cuts long prompts at a window that this API cannot set.
        if self._info_at("/api/version").get("version"):
            raise ConfigError(sentence("server.is-ollama", server=self.base_url))
        with self._border(None):
            listed = self._client.get("/models").json()["data"]
            infos = [ModelInfo(name=str(m["id"]), context_length=m.get("max_model_len")) for m in listed]
        return sorted(infos, key=lambda info: info.name)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _info(self, model: Model) -> ModelInfo:
        return self._described.get(model.name) or self.describe(model)

    def _about(self) -> dict[str, Any]:
        """Return engine, window and slots, as far as the server reports them."""
        props = self._info_at("/props")
        settings = props.get("default_generation_settings")
        if isinstance(settings, dict):
            engine = f"llama.cpp {props.get('build_info', 'unknown')}"
            return {
                "engine": engine,
                "context_length": settings.get("n_ctx"),
                "slots": props.get("total_slots", self._slots),
            }
        version = self._info_at("/version").get("version")
        return {"engine": f"vllm {version}", "slots": self._slots} if isinstance(version, str) else {}

    def _info_at(self, path: str) -> dict[str, Any]:
        """Read the server's reply at a path outside the API; empty where it has none."""
        with translated(self.base_url, hide=self._client.hidden):
            try:
                said = self._client.get(f"{self._root}{path}").json()
            except (Refused, ValueError):
                return {}
        return said if isinstance(said, dict) else {}

    def _body(self, request: ChatRequest, info: ModelInfo) -> dict[str, Any]:
        options = request.options
        body: dict[str, Any] = {
            "model": request.model.name,
            "messages": [message.model_dump() for message in request.messages],
            "temperature": options.temperature,
            "seed": options.seed,
            "top_p": options.top_p,
            "max_tokens": options.num_predict,
            "stream": self._stream,
        }
        if request.reply_schema is not None:
            named = {"name": request.purpose, "schema": request.reply_schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if self._stream:
            # Without it a streamed reply ends without counts of tokens.
            body["stream_options"] = {"include_usage": True}
        is_extended = info.engine is not None
        if is_extended and not request.shares:
            # llama.cpp reads the prompt whole; for vLLM no other request has this salt. Each ignores the other's name.
            body |= {"cache_prompt": False, "cache_salt": secrets.token_hex(8)}
        return body | added_options(options, extended=is_extended)

    def _whole(self, body: dict[str, Any]) -> _Reply:
        said = self._client.post("/chat/completions", json=body, timeout=self._client.first_byte).json()
        self._complain(said)
        choice, written = said["choices"][0], WrittenReply()
        written.add(_thought(choice["message"]), choice["message"].get("content") or "")
        return _Reply(written.text, choice.get("finish_reason"), said.get("usage") or {}, said.get("timings") or {})

    def _streamed(self, body: dict[str, Any]) -> _Reply:
        written = WrittenReply()
        with drafting(lambda: self._client.hidden_so_far(written.so_far)):
            return self._read(body, written)

    def _read(self, body: dict[str, Any], written: WrittenReply) -> _Reply:
        """Read a streamed reply to its end."""
        deadline: float | None = None
        reason: str | None = None
        usage: dict[str, Any] = {}
        timings: dict[str, Any] = {}
        with self._client.stream("POST", "/chat/completions", json=body, timeout=self._client.first_byte) as response:
            # The reply has begun: from here on silence is a fault. Before, the request may have waited long for its
            # turn.
            response.request.extensions["timeout"]["read"] = self._client.read_timeout_s
            for event in _events(response):
                deadline = deadline or self._monotonic() + self._answer_timeout_s
                self._complain(event)
                usage = event.get("usage") or usage
                timings = event.get("timings") or timings
                for choice in event.get("choices") or []:
                    delta = choice.get("delta") or {}
                    written.add(_thought(delta), delta.get("content") or "")
                    reason = choice.get("finish_reason") or reason
                if written.size > MAX_REPLY_CHARACTERS:
                    raise too_long(self.base_url)
                if self._monotonic() > deadline:
                    raise out_of_time(self.base_url, self._answer_timeout_s)
        # A connection can close normally in the middle of a reply: only a finish reason shows that it is complete.
        if reason is None:
            raise cut_short(self.base_url)
        return _Reply(written.text, reason, usage, timings)

    def _complain(self, said: dict[str, Any]) -> None:
        """Raise the error that a reply with status 200 contains."""
        if said.get("error"):
            message = error_text(self._client.hidden(json.dumps(said)))
            raise failure(
                sentence("server.model-failed", server=self.base_url, said=message),
                "server_error",
                retryable=True,
            )

    @contextmanager
    def _border(self, name: str | None) -> Iterator[None]:
        with translated(self.base_url, hide=self._client.hidden):
            try:
                yield
            except Refused as exc:
                if exc.status == 404 and name and "model" in exc.said.lower():
                    said = sentence("server.model-unusable", server=self.base_url, model=name, said=exc.said)
                    raise ModelNotFoundError(said) from exc
                raise


def _events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """Yield the JSON of each server-sent event, up to [DONE]."""
    for line in lines_of(response):
        data = line.removeprefix(b"data:").strip()
        if not line.startswith(b"data:") or not data:
            continue
        if data == b"[DONE]":
            return
        yield json.loads(data)


def _thought(message: dict[str, Any]) -> str:
    """Return the separate reasoning of a reply, by either of the two names in use."""
    return message.get("reasoning_content") or message.get("reasoning") or ""


def _nanoseconds(milliseconds: float | None) -> int | None:
    return None if milliseconds is None else round(milliseconds * 1e6)
