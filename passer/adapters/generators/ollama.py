"""Ollama, through its own client, over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock

from httpx import HTTPError
from ollama import ChatResponse, Client, ListResponse, ResponseError

from passer.adapters.generators.faults import (
    MAX_REPLY_CHARACTERS,
    Refused,
    checked_url,
    client_options,
    cut_short,
    failure,
    out_of_time,
    too_long,
    translated,
)
from passer.domain.answer import Answer, GenerationRequest, ModelTimings
from passer.domain.base import shown_address
from passer.domain.generation import finish, what_was_cut, window_of
from passer.domain.run import Model, ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import ModelNotFoundError
from passer.ports import PullProgress

DESCRIBED_FOR_S = 60.0
"""How long a description is believed while answering: a model that is pulled anew meanwhile is noticed after that."""


class OllamaGenerator:
    """Answers through /api/chat; may be used from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        connect_timeout_s: float = 5.0,
        read_timeout_s: float = 300.0,
        answer_timeout_s: float = 1800.0,
        parallel: int = 64,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        whole = checked_url(base_url, field="ollama_url")
        self.base_url = shown_address(whole)
        self._answer_timeout_s = answer_timeout_s
        self._monotonic = monotonic
        options = client_options(
            whole, connect_timeout_s=connect_timeout_s, read_timeout_s=read_timeout_s, parallel=parallel
        )
        self._client = Client(host=whole, **options)
        self._described: dict[str, tuple[float, ModelInfo]] = {}
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"OllamaGenerator({self.base_url!r})"

    def generate(self, request: GenerationRequest) -> Answer:
        """One attempt, streamed, so that only silence is a time-out and never a slow model."""
        info = self._info(request.model)
        if request.model_digest not in ("unknown", info.digest):
            raise failure(
                sentence(
                    "server.other-model",
                    model=request.model.name,
                    server=self.base_url,
                    now=info.digest[:12],
                    before=request.model_digest[:12],
                ),
                "model_changed",
            )
        began = self._monotonic()
        with translated(self.base_url), self._known(request.model.name):
            raw, last = self._chat(request)
        return _answer(request, info, raw, last, generation_s=self._monotonic() - began)

    def describe(self, model: Model) -> ModelInfo:
        """Digest and size from /api/tags, context length from /api/show, asked anew."""
        with translated(self.base_url), self._known(model.name):
            listed = next((m for m in self._client.list().models if _same(m.model, model.name)), None)
            if listed is None:
                raise self._missing(model.name)
            shown = self._client.show(model.name)
        facts = shown.modelinfo or {}
        length = facts.get(f"{facts.get('general.architecture')}.context_length")
        info = _info_of(listed, name=model.name, context_length=length if isinstance(length, int) else None)
        with self._lock:
            self._described[model.name] = (self._monotonic(), info)
        return info

    def models(self) -> list[ModelInfo]:
        """What has been pulled, by name; without context lengths, which cost a call each."""
        with translated(self.base_url):
            listed = self._client.list().models
        return sorted((_info_of(m, name=m.model or "") for m in listed), key=lambda info: info.name)

    def pull(self, name: str) -> Iterator[PullProgress]:
        """Download a model, telling how far it is; ends with the status `success`."""
        status = None
        with translated(self.base_url):
            try:
                for step in self._client.pull(name, stream=True):
                    status = step.status or ""
                    yield PullProgress(status, step.completed, step.total)
            except (ResponseError, Refused) as exc:
                said = exc.error if isinstance(exc, ResponseError) else exc.said
                if "does not exist" in said or "not found" in said:
                    raise ModelNotFoundError(f"Check the name {name}: Ollama's registry has no such model.") from exc
                if isinstance(exc, Refused):
                    raise
                raise failure(f"Try the pull of {name} again: Ollama says {said!r}.", "server_error") from exc
        if status != "success":
            raise cut_short(self.base_url)

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()  # type: ignore[no-untyped-call]

    def _info(self, model: Model) -> ModelInfo:
        with self._lock:
            seen_at, info = self._described.get(model.name, (0.0, None))
        if info is not None and self._monotonic() - seen_at < DESCRIBED_FOR_S:
            return info
        return self.describe(model)

    def _chat(self, request: GenerationRequest) -> tuple[str, ChatResponse]:
        deadline = self._monotonic() + self._answer_timeout_s
        thinking, content, size = [], [], 0
        parts = self._client.chat(
            model=request.model.name,
            messages=[message.model_dump() for message in request.prompt.messages],
            options=request.options.model_dump(),
            stream=True,
        )
        for part in parts:
            thinking.append(part.message.thinking or "")
            content.append(part.message.content or "")
            size += len(thinking[-1]) + len(content[-1])
            if part.done:
                _read_to_the_end(parts)
                return _joined("".join(thinking), "".join(content)), part
            if size > MAX_REPLY_CHARACTERS:
                raise too_long(self.base_url)
            if self._monotonic() > deadline:
                raise out_of_time(self.base_url, self._answer_timeout_s)
        raise cut_short(self.base_url)

    def _missing(self, name: str) -> ModelNotFoundError:
        return ModelNotFoundError(sentence("server.no-model", model=name, server=self.base_url))

    @contextmanager
    def _known(self, name: str) -> Iterator[None]:
        """Ollama's own complaints: 404 is a missing model, an error inside a stream a model that failed."""
        try:
            yield
        except Refused as exc:
            if exc.status == 404:
                raise self._missing(name) from exc
            raise
        except ResponseError as exc:
            raise failure(
                sentence("server.model-failed", server=self.base_url, said=str(exc.error)),
                "server_error",
                retryable=True,
            ) from exc


def _read_to_the_end(parts: Iterator[object]) -> None:
    """A stream that was read to its end leaves its connection open for the next request; the answer is there anyway."""
    with suppress(HTTPError, ResponseError, Refused):
        next(parts, None)


def _answer(
    request: GenerationRequest, info: ModelInfo, raw: str, last: ChatResponse, *, generation_s: float
) -> Answer:
    done = finish(raw, strip_thinking=request.strip_thinking)
    cut = what_was_cut(
        prompt=request.prompt,
        window=window_of(request.options, info.context_length),
        prompt_tokens=last.prompt_eval_count,
        done_reason=last.done_reason,
    )
    return Answer(
        key=request.key,
        text=done.text,
        raw=raw,
        reason=done.reason,
        abstained=done.abstained,
        truncated=cut,
        done_reason=last.done_reason,
        model_digest=info.digest,
        timings=ModelTimings(
            total_duration_ns=last.total_duration,
            load_duration_ns=last.load_duration,
            prompt_eval_count=last.prompt_eval_count,
            prompt_eval_duration_ns=last.prompt_eval_duration,
            eval_count=last.eval_count,
            eval_duration_ns=last.eval_duration,
        ),
        generation_s=generation_s,
    )


def _joined(thinking: str, content: str) -> str:
    """The whole reply: thoughts that the server sent apart stand before it, marked as models mark them."""
    return f"<think>{thinking}</think>{content}" if thinking else content


def _info_of(listed: ListResponse.Model, *, name: str, context_length: int | None = None) -> ModelInfo:
    details = listed.details
    return ModelInfo(
        name=name,
        digest=listed.digest or "unknown",
        family=details.family if details else None,
        parameter_size=details.parameter_size if details else None,
        quantization=details.quantization_level if details else None,
        context_length=context_length,
        size_bytes=int(listed.size) if listed.size is not None else None,
    )


def _same(listed: str | None, name: str) -> bool:
    """Whether a listed tag is the one meant: without a tag, `latest` is meant."""
    tagged = name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"
    return listed in (name, tagged)
