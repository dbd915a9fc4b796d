"""Ollama's chat API over HTTP.

Every request sends `truncate: false` and `shift: false`: Ollama then refuses a prompt that does not fit, and an answer
that reaches the end of the window ends with `length`. Without them Ollama drops the beginning of the prompt (the system
prompt and the best passages) and reports a complete answer. Versions before 0.12.6 ignore both options; the truncation
is then recognised by the token counts (domain/models/generation.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Unpack

from passer.adapters.generators.faults import (
    MAX_REPLY_CHARACTERS,
    Refused,
    cut_short,
    failure,
    is_repetition,
    naming_schema,
    out_of_time,
    too_long,
)
from passer.adapters.generators.http_client import ClientOptions
from passer.adapters.generators.log_probabilities import no_log_probabilities
from passer.adapters.generators.ollama_client import ChatPart, ListedModel, OllamaClient, StreamError, read_to_the_end
from passer.adapters.generators.same_model import check_same
from passer.adapters.generators.token_rate import TokenRate
from passer.adapters.generators.written_reply import WrittenReply
from passer.domain.lru_cache import LruCache
from passer.domain.models.chat import ChatRequest, Completion, CompletionTimings, TokenUsage
from passer.domain.models.generation import window_of
from passer.domain.models.model import Model, ModelInfo, ModelMemory
from passer.domain.wording.sentence import sentence
from passer.errors import ModelNotFoundError
from passer.ports import PullProgress
from passer.ports.draft import drafting

DESCRIBED_FOR_S = 60.0
"""Seconds for which a model's description is cached; a model that is pulled again is noticed after that."""
MOST_DESCRIBED = 256
MEMORY_WITHIN_S = 5.0
"""Longest wait for the memory of a model: a sweep asks at the end of a run, well within its lease."""
KEEP_ALIVE = "30m"
"""Time for which the server keeps a model loaded after a request; its default of 5 minutes ends during scoring."""
REPEATED_AT_LEAST = 30
"""Equal tokens in a row after which Ollama stops an answer."""


class OllamaChatModel:
    """ports.ChatModel through /api/chat; safe to use from several threads."""

    def __init__(
        self,
        base_url: str,
        *,
        slots: int | None = None,
        answer_timeout_s: float = 1800.0,
        monotonic: Callable[[], float] = time.monotonic,
        **options: Unpack[ClientOptions],
    ) -> None:
        """`slots` is the number of concurrent requests, for the record: Ollama does not report its own slots."""
        self._client = OllamaClient(base_url, **options)
        self.base_url = self._client.base_url
        self._slots = slots
        self._answer_timeout_s = answer_timeout_s
        self._monotonic = monotonic
        self._tokens = TokenRate()
        self._described: LruCache[str, ModelInfo] = LruCache(
            MOST_DESCRIBED, max_age_s=DESCRIBED_FOR_S, monotonic=monotonic
        )
        self._windows: LruCache[tuple[str, int, int | None], int] = LruCache(
            MOST_DESCRIBED, max_age_s=DESCRIBED_FOR_S, monotonic=monotonic
        )

    def __repr__(self) -> str:
        return f"OllamaChatModel({self.base_url!r})"

    def complete(self, request: ChatRequest) -> Completion:
        """Make one attempt, streamed, so that only silence is a time-out and never a slow model."""
        info = self._info(request.model)
        # Before the request: other weights would answer under a key that names the recorded ones.
        check_same(request, info, server=self.base_url)
        if info.remote_model and request.reply_schema is not None:
            raise failure(sentence("server.no-schemas", model=info.name), "rejected")
        if request.measures:
            raise no_log_probabilities(self.base_url, request)
        with naming_schema(request, self.base_url), self._client.border(request.model.name):
            window = self._window(request, info)
            began = self._monotonic()
            reply = _Reply()
            with drafting(lambda: self._client.hidden_so_far(reply.so_far)):
                last = self._chat(request, reply)
            elapsed_s = self._monotonic() - began
        expected = self._tokens.expected(request, reported=last.prompt_eval_count, window=window)
        made = _completion(info, self._client.hidden(reply.text), last, elapsed_s=elapsed_s)
        return made.model_copy(update={"window": window, "expected_prompt_tokens": expected})

    def describe(self, model: Model) -> ModelInfo:
        """Return digest and size from /api/tags, context length from /api/show, and the server's current version."""
        info = described(self._client, model.name).model_copy(update={"slots": self._slots})
        return self._described.put(model.name, info)

    def models(self) -> list[ModelInfo]:
        """List the pulled models by name, without context lengths, which cost a call each."""
        return sorted((_info_of(each, name=each.name) for each in self._client.listed()), key=lambda info: info.name)

    def pull(self, name: str) -> Iterator[PullProgress]:
        """Download a model and report progress; ends with the status `success`."""
        status = None
        with self._client.translated():
            try:
                for step in self._client.pull(name):
                    status = step.status
                    yield PullProgress(status, step.completed, step.total)
            except (StreamError, Refused) as exc:
                said = exc.said if isinstance(exc, Refused) else str(exc)
                if "does not exist" in said or "not found" in said:
                    raise ModelNotFoundError(sentence("server.not-in-registry", model=name)) from exc
                if isinstance(exc, Refused):
                    raise
                raise failure(sentence("server.pull-failed", model=name, said=said), "server_error") from exc
        # A pull that breaks off has status 200, too; only this last line confirms that the model is complete.
        if status != "success":
            raise cut_short(self.base_url)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def memory(self, model: Model) -> ModelMemory | None:
        """Return the memory that a loaded model takes; None if it is not loaded, or the server does not report it."""
        state = self._loaded(model.name, within_s=MEMORY_WITHIN_S)
        return ModelMemory(total_bytes=state.size, gpu_bytes=state.size_vram) if state and state.size else None

    def _info(self, model: Model) -> ModelInfo:
        return self._described.get(model.name) or self.describe(model)

    def _window(self, request: ChatRequest, info: ModelInfo) -> int:
        """Tokens that prompt and answer share, once the model is loaded: the server may round num_ctx up."""
        options = request.options
        key = (request.model.name, options.num_ctx, options.num_batch)
        known = self._windows.get(key)
        if known is not None:
            return known
        # Loaded ahead, so that no answer's time holds it and the window is known before the first answer.
        self._client.load(_body(request))
        state = self._loaded(request.model.name)
        window = (state and state.context_length) or window_of(options, info.context_length)
        return self._windows.put(key, window)

    def _loaded(self, name: str, *, within_s: float | None = None) -> ListedModel | None:
        return next((each for each in self._client.loaded(within_s=within_s) if is_same_model(each.name, name)), None)

    def _chat(self, request: ChatRequest, reply: _Reply) -> ChatPart:
        """Read a reply and return its last line; of an answer that the server gave up as repetitive, keep its parts."""
        deadline: float | None = None
        parts = self._client.chat(_body(request))
        try:
            for part in parts:
                # The time for one answer begins with its first token; before it, the request may wait for its turn.
                deadline = deadline or self._monotonic() + self._answer_timeout_s
                reply.add(part.message.thinking or "", part.message.content or "")
                if part.done:
                    read_to_the_end(parts)
                    return part
                if reply.size > MAX_REPLY_CHARACTERS:
                    raise too_long(self.base_url)
                if self._monotonic() > deadline:
                    raise out_of_time(self.base_url, self._answer_timeout_s)
        except StreamError as exc:
            if not is_repetition(str(exc)):
                raise
            return _GIVEN_UP
        # Until September 2026 such a stream ended in good order, with neither a last line nor an error.
        if reply.repeats:
            return _GIVEN_UP
        raise cut_short(self.base_url)


class _Reply(WrittenReply):
    """A reply of which Ollama sends one part for each token."""

    def __init__(self) -> None:
        super().__init__()
        self._same: tuple[str, int] = ("", 0)

    def add(self, thoughts: str, content: str) -> None:
        super().add(thoughts, content)
        token, times = self._same
        now = (thoughts or content).strip()
        self._same = now, times + 1 if now == token else 1

    @property
    def repeats(self) -> bool:
        """Return whether a text ends with one token repeated."""
        return self._same[1] >= REPEATED_AT_LEAST


_GIVEN_UP = ChatPart(done=True, done_reason="repeated")
"""Replaces the last line of an answer that the server stopped."""


def described(client: OllamaClient, name: str) -> ModelInfo:
    """Return what a server reports about a model; ModelNotFoundError if it has none with that name."""
    listed = next((each for each in client.listed() if is_same_model(each.name, name)), None)
    if listed is None:
        raise client.missing(name)
    shown, version = client.show(name), client.version()
    more = {
        "context_length": shown.context_length,
        "licence": shown.licence,
        "engine": version and f"ollama {version}",
        "capabilities": shown.capabilities,
    }
    return _info_of(listed, name=name).model_copy(update=more)


def _body(request: ChatRequest) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model.name,
        "messages": [message.model_dump() for message in request.messages],
        "options": request.options.model_dump(exclude={"think"}),
        "stream": True,
        # A prompt that does not fit must fail: an answer without its best passages is worse than none (decision 010).
        "truncate": False,
        "shift": False,
        "keep_alive": KEEP_ALIVE,
    }
    said = {"think": request.options.think, "format": request.reply_schema}
    return body | {name: value for name, value in said.items() if value is not None}


def _completion(info: ModelInfo, text: str, last: ChatPart, *, elapsed_s: float) -> Completion:
    return Completion(
        text=text,
        finish_reason=last.done_reason,
        usage=TokenUsage(prompt_tokens=last.prompt_eval_count, output_tokens=last.eval_count),
        timings=CompletionTimings(
            total_duration_ns=last.total_duration,
            load_duration_ns=last.load_duration,
            prompt_eval_duration_ns=last.prompt_eval_duration,
            eval_duration_ns=last.eval_duration,
            elapsed_s=elapsed_s,
        ),
        model_digest=info.digest,
    )


def _info_of(listed: ListedModel, *, name: str) -> ModelInfo:
    # A cloud model is listed with the digest of its stub, which does not identify the weights that answer.
    return ModelInfo(
        name=name,
        digest=(None if listed.remote_model else listed.digest) or "unknown",
        family=listed.details.family,
        parameter_size=listed.details.parameter_size,
        quantization=listed.details.quantization_level,
        size_bytes=listed.size,
        remote_model=listed.remote_model,
    )


def is_same_model(listed: str, name: str) -> bool:
    """Return whether a listed tag is the one meant, as Ollama reads names.

    Without a tag `latest` is meant, case does not matter, and the registry's host and its folder `library` may be left
    out.
    """
    return _plain(listed) == _plain(name)


def _plain(name: str) -> str:
    plain = name.lower().removeprefix("https://").removeprefix("registry.ollama.ai/").removeprefix("library/")
    return plain if ":" in plain.rsplit("/", 1)[-1] else f"{plain}:latest"
