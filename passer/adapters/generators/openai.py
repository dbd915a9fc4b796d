"""Any server that speaks OpenAI's chat API: vLLM, llama.cpp, LM Studio, and others.

Sent: temperature, seed, top_p, and num_predict as max_tokens. The API has no num_ctx and no top_k (`NOT_SENT`): the
server was started with a context length, and its sampler keeps its own top_k. These servers give no digest of the
weights, so their answers are keyed by address and model name.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from passer.adapters.generators.faults import (
    MAX_REPLY_CHARACTERS,
    Refused,
    checked_url,
    client_options,
    cut_short,
    error_text,
    failure,
    out_of_time,
    too_long,
    translated,
)
from passer.domain.answer import Answer, GenerationRequest, ModelTimings
from passer.domain.base import shown_address
from passer.domain.generation import finish, what_was_cut
from passer.domain.run import Model, ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GenerationError, ModelNotFoundError

NOT_SENT = ("num_ctx", "top_k")
"""Options that the API has no name for."""

NO_LIMIT = 2**31
"""Stands for a context length that the server does not tell; it then refuses long prompts itself."""


class _Reply(NamedTuple):
    """A whole reply."""

    raw: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


class OpenAIGenerator:
    """Answers through /v1/chat/completions; may be used from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        stream: bool = True,
        connect_timeout_s: float = 5.0,
        read_timeout_s: float = 300.0,
        answer_timeout_s: float = 1800.0,
        parallel: int = 64,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        whole = checked_url(base_url, field="openai_url").removesuffix("/v1")
        self.base_url = shown_address(whole)
        if api_key and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
            raise ConfigError("Give an API key without spaces and line breaks.", field="api_key")
        self._key = api_key
        self._stream = stream
        self._answer_timeout_s = answer_timeout_s
        self._monotonic = monotonic
        self._context_lengths: dict[str, int | None] = {}
        self._client = httpx.Client(
            base_url=f"{whole}/v1",
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            **client_options(
                whole,
                connect_timeout_s=connect_timeout_s,
                read_timeout_s=read_timeout_s,
                parallel=parallel,
                hide=self._hidden,
            ),
        )

    def __repr__(self) -> str:
        return f"OpenAIGenerator({self.base_url!r})"

    def generate(self, request: GenerationRequest) -> Answer:
        """One attempt."""
        began = self._monotonic()
        with self._border(request.model.name):
            reply = self._streamed(request) if self._stream else self._whole(request)
        seconds = self._monotonic() - began
        done = finish(reply.raw, strip_thinking=request.strip_thinking)
        counted = ModelTimings(prompt_eval_count=reply.prompt_tokens, eval_count=reply.completion_tokens)
        cut = what_was_cut(
            prompt=request.prompt,
            window=self._context_lengths.get(request.model.name) or NO_LIMIT,
            prompt_tokens=reply.prompt_tokens,
            done_reason=reply.finish_reason,
        )
        return Answer(
            key=request.key,
            text=done.text,
            raw=reply.raw,
            reason=done.reason,
            abstained=done.abstained,
            truncated=cut,
            done_reason=reply.finish_reason,
            timings=counted,
            generation_s=seconds,
        )

    def describe(self, model: Model) -> ModelInfo:
        """What /v1/models says of it; a server without that list is believed to have it."""
        try:
            known = self.models()
        except GenerationError as exc:
            if isinstance(exc.__cause__, Refused) and exc.__cause__.status in (404, 405):
                return ModelInfo(name=model.name)
            raise
        found = next((info for info in known if info.name == model.name), None)
        if found is None:
            names = ", ".join(info.name for info in known[:10]) or "none"
            raise ModelNotFoundError(f"Choose a model that {self.base_url} has ({names}): it has no {model.name}.")
        return found

    def models(self) -> list[ModelInfo]:
        """What the server lists, by name; vLLM tells the context length too."""
        with self._border(None):
            listed = self._client.get("/models").json()["data"]
            infos = [ModelInfo(name=str(m["id"]), context_length=m.get("max_model_len")) for m in listed]
        self._context_lengths = {info.name: info.context_length for info in infos}
        return sorted(infos, key=lambda info: info.name)

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()

    def _body(self, request: GenerationRequest) -> dict[str, Any]:
        options = request.options
        body = {
            "model": request.model.name,
            "messages": [message.model_dump() for message in request.prompt.messages],
            "temperature": options.temperature,
            "seed": options.seed,
            "top_p": options.top_p,
            "max_tokens": options.num_predict,
            "stream": self._stream,
        }
        return {**body, "stream_options": {"include_usage": True}} if self._stream else body

    def _whole(self, request: GenerationRequest) -> _Reply:
        said = self._client.post("/chat/completions", json=self._body(request)).json()
        self._complain(said)
        choice, usage = said["choices"][0], said.get("usage") or {}
        raw = _joined([_thought(choice["message"])], [choice["message"].get("content") or ""])
        return _Reply(raw, choice.get("finish_reason"), usage.get("prompt_tokens"), usage.get("completion_tokens"))

    def _streamed(self, request: GenerationRequest) -> _Reply:
        deadline = self._monotonic() + self._answer_timeout_s
        thoughts: list[str] = []
        content: list[str] = []
        reason: str | None = None
        usage: dict[str, Any] = {}
        size = 0
        with self._client.stream("POST", "/chat/completions", json=self._body(request)) as response:
            for event in _events(response):
                self._complain(event)
                usage = event.get("usage") or usage
                for choice in event.get("choices") or []:
                    thoughts.append(_thought(choice.get("delta") or {}))
                    content.append((choice.get("delta") or {}).get("content") or "")
                    size += len(thoughts[-1]) + len(content[-1])
                    reason = choice.get("finish_reason") or reason
                if size > MAX_REPLY_CHARACTERS:
                    raise too_long(self.base_url)
                if self._monotonic() > deadline:
                    raise out_of_time(self.base_url, self._answer_timeout_s)
        if reason is None:
            raise cut_short(self.base_url)
        raw = _joined(thoughts, content)
        return _Reply(raw, reason, usage.get("prompt_tokens"), usage.get("completion_tokens"))

    def _complain(self, said: dict[str, Any]) -> None:
        """An error inside a reply with status 200."""
        if said.get("error"):
            message = error_text(self._hidden(json.dumps(said)))
            raise failure(
                sentence("server.model-failed", server=self.base_url, said=message),
                "server_error",
                retryable=True,
            )

    def _hidden(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    @contextmanager
    def _border(self, name: str | None) -> Iterator[None]:
        with translated(self.base_url):
            try:
                yield
            except Refused as exc:
                if exc.status == 404 and name and "model" in exc.said.lower():
                    raise ModelNotFoundError(f"Load {name} on {self.base_url}: it says {exc.said!r}.") from exc
                raise


def _events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """The JSON of each server-sent event, up to [DONE]."""
    for line in response.iter_lines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or not data:
            continue
        if data == "[DONE]":
            return
        yield json.loads(data)


def _thought(message: dict[str, Any]) -> str:
    """What a reasoning server sends beside the answer, by either of the two names in use."""
    return message.get("reasoning_content") or message.get("reasoning") or ""


def _joined(thoughts: list[str], content: list[str]) -> str:
    """The whole reply: thoughts that the server sent apart stand before it, marked as models mark them."""
    thinking = "".join(thoughts)
    return f"<think>{thinking}</think>{''.join(content)}" if thinking else "".join(content)
