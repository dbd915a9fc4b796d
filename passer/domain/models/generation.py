"""From a completion to an answer: abstention, think blocks, truncation, prompt size."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal

from passer.domain.base import digest_of
from passer.domain.models.abstention import ABSTENTION, is_abstention
from passer.domain.models.answer import Answer, ModelTimings, Served
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model, ModelInfo

FailureReason = Literal[
    "model_not_found",
    "model_changed",
    "timeout",
    "connection_lost",
    "malformed_reply",
    "server_error",
    "overloaded",
    "rejected",
    "context_exceeded",
    "repeated",
]
"""Reasons of GenerationError: a closed list."""

_THINK = re.compile(r"<(/?)think>", re.IGNORECASE)

_ASCII_PER_TOKEN = 3.5
_OTHER_PER_TOKEN = 1.5
_PER_MESSAGE = 8
_NUM_KEEP = 4
"""Number of first tokens that Ollama keeps by default when it cuts a prompt, besides the start token."""
_TOO_FEW = 0.6
"""Share of the expected tokens below which a prompt was truncated; counts of texts of one corpus differ by less."""


def answer_of(completion: Completion, *, request: ChatRequest, strip_thinking: bool = True) -> Answer:
    """Return the answer that a completion gives: its scored text, and whether it is empty, cut or an abstention."""
    raw, usage = completion.text, completion.usage
    text = (without_thinking(raw) if strip_thinking else raw).strip()
    durations = completion.timings.model_dump(exclude={"elapsed_s"})
    return Answer(
        key=request.key,
        text=text,
        raw=raw,
        reason=None if text else "empty_answer",
        abstained=is_abstention(without_thinking(text)),
        truncated=what_was_cut(completion, request),
        done_reason=completion.finish_reason,
        model_digest=completion.model_digest,
        timings=ModelTimings(
            prompt_eval_count=usage.prompt_tokens,
            eval_count=usage.output_tokens,
            cached_count=usage.cached_tokens,
            **durations,
        ),
        generation_s=completion.timings.elapsed_s,
        passages=completion.passages,
    )


def is_worth_repeating(completion: Completion, request: ChatRequest) -> bool:
    """Return whether the same request may get a better reply: it was empty although it had room for more."""
    is_empty = not without_thinking(completion.text).strip()
    return is_empty and what_was_cut(completion, request) is None


def without_thinking(raw: str) -> str:
    """Return the reply without `<think>` blocks.

    Blocks may be nested. One that is never closed runs to the end; a closing tag that was never opened ends a thought
    which began in the model's own template, so what stands before it goes too.
    """
    kept: list[str] = []
    depth, position = 0, 0
    for tag in _THINK.finditer(raw):
        closing = tag[1] == "/"
        if depth == 0:
            kept = [] if closing else [*kept, raw[position : tag.start()]]
        depth = max(0, depth - 1) if closing else depth + 1
        position = tag.end()
    return "".join(kept) + (raw[position:] if depth == 0 else "")


def abstention() -> Answer:
    """Return the fixed answer to a question without kept passages; no model is called."""
    return Answer(
        key=digest_of({"abstention": ABSTENTION}),
        text=ABSTENTION,
        raw=ABSTENTION,
        abstained=True,
        done_reason="no_passages",
        model_digest="none",
    )


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Return an upper estimate of the tokens of a prompt.

    One token for each 3.5 ASCII characters (English prose has 4 to 4.5), one for each 1.5 other characters (Cyrillic
    has 2 to 2.5), and 8 for the marks around each message: 15 to 60 % above what the models' tokenizers count.
    """
    text = "".join(message.content for message in messages)
    others = len(text) - len(text.encode("ascii", "ignore"))
    return math.ceil((len(text) - others) / _ASCII_PER_TOKEN + others / _OTHER_PER_TOKEN) + _PER_MESSAGE * len(messages)


def window_of(options: GenerationOptions, context_length: int | None) -> int:
    """Return the tokens that prompt and answer share: num_ctx, or the model's context length if that is less."""
    return min(options.num_ctx, context_length) if context_length else options.num_ctx


def served(info: ModelInfo, options: GenerationOptions) -> Served | None:
    """Return how a model is served with these options; None if its server does not report its version.

    None as well for options that say no more than those of the first versions: their answers are addressed as before.
    """
    if info.engine is None or options.is_as_before:
        return None
    return Served(engine=info.engine, window=window_of(options, info.context_length), slots=info.slots)


def what_was_cut(completion: Completion, request: ChatRequest) -> Literal["prompt", "answer"] | None:
    """Return which part of an exchange was cut, by the server's token counts; by the estimate where it gives none."""
    if completion.window is not None and _was_prompt_truncated(completion, request, completion.window):
        return "prompt"
    return "answer" if completion.finish_reason in ("length", "repeated") else None


def _was_prompt_truncated(completion: Completion, request: ChatRequest, window: int) -> bool:
    """Return whether the model did not see the complete prompt at its start, or lost a part before its end."""
    reported, estimate = completion.usage.prompt_tokens, estimate_tokens(request.messages)
    if not reported:
        return estimate >= window
    # Ollama before 0.30 cuts a prompt to num_ctx, 0.30.0 to 0.30.10 to one less; a whole one leaves no room to answer.
    if reported >= window - 1:
        return True
    # Since 0.30.11 it keeps the first tokens and the last half of the rest, and reports a good answer.
    if estimate > window and reported in _halved(window, request.options.num_keep):
        return True
    expected = completion.expected_prompt_tokens
    if expected is not None and expected > window and reported < _TOO_FEW * expected:
        return True
    # A server that shifts the window while it answers drops the beginning of the prompt to go on. One that does not
    # ends with `length` at the last token, which may be counted although it was never read.
    total = reported + (completion.usage.output_tokens or 0)
    return total > window + 1 or (total >= window - 1 and completion.finish_reason != "length")


def _halved(window: int, num_keep: int | None) -> set[int]:
    """Tokens that Ollama since 0.30.11 leaves of a prompt that is too long (llm/llama_server.go)."""
    first = _NUM_KEEP if num_keep is None else num_keep
    return {window - max((window - kept) // 2, 1) for kept in (first, first + 1)}


def located(model: Model, *, base_url: str | None) -> Model:
    """Return the model with the address of its server, so that the address is recorded."""
    if model.base_url or not base_url:
        return model
    return model.model_copy(update={"base_url": base_url})
