"""Prompts, answers, and the content address that joins them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import JsonValue, field_validator

from passer.domain.base import Frozen, added_field, digest_of, storable
from passer.domain.models.chat import Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.models.outside import OutsidePassage
from passer.domain.retrieval.passages import Passage
from passer.domain.sweeps.run import Answers
from passer.domain.texts.search_words import TextRules


class Prompt(Frozen):
    """The full prompt of the model."""

    template: str
    """Name of the template."""
    template_digest: str
    """SHA-256 of its text."""
    messages: tuple[Message, ...]
    """Messages as they are sent."""

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the messages as sent, in hex."""
        return digest_of(self.plain_messages)

    @cached_property
    def plain_messages(self) -> list[dict[str, Any]]:
        """Return the messages as JSON values, which the digest and the address of the answer are both made from."""
        return [message.model_dump() for message in self.messages]


class ModelTimings(Frozen):
    """Times and counts from the model server, in its units; None if not reported."""

    total_duration_ns: int | None = None
    """Whole request, nanoseconds."""
    load_duration_ns: int | None = None
    """Loading the model, nanoseconds."""
    prompt_eval_count: int | None = None
    """Tokens of the prompt."""
    prompt_eval_duration_ns: int | None = None
    """Reading the prompt, nanoseconds."""
    eval_count: int | None = None
    """Number of generated tokens."""
    eval_duration_ns: int | None = None
    """Time of generating the answer, in nanoseconds."""
    cached_count: int | None = added_field(None)
    """Tokens of the prompt that were not read, because an earlier request had begun with them."""

    @property
    def read_count(self) -> int | None:
        """Return the number of prompt tokens that the server read for this answer; None if unknown."""
        if self.prompt_eval_count is None or self.cached_count is None:
            return self.prompt_eval_count
        return max(0, self.prompt_eval_count - self.cached_count)

    @property
    def tokens_per_s(self) -> float | None:
        """Return generated tokens per second: eval_count / eval_duration * 1e9; None if either is missing."""
        if not self.eval_count or not self.eval_duration_ns:
            return None
        return self.eval_count / self.eval_duration_ns * 1e9


Truncated = Literal["prompt", "answer"]
"""Truncation: the prompt did not fit the window, or the answer reached its length limit."""


class Answer(Frozen):
    """Generated text for one distinct (model, options, prompt, repetition)."""

    key: str
    """Content address: SHA-256 of model identity, options, messages and repetition."""
    text: str
    """Text that is scored."""
    raw: str
    """The reply verbatim."""
    reason: Literal["empty_answer"] | None = None
    """Reason why the text is empty after the retries."""
    abstained: bool = False
    """True if it states that the passages do not contain the answer."""
    truncated: Truncated | None = None
    """Truncation of prompt or answer; None without one."""
    done_reason: str | None = None
    """Reason for the end of the answer, as the server reports it."""
    model_digest: str = "unknown"
    """Digest of the model that answered."""
    timings: ModelTimings = ModelTimings()
    """Times and counts of tokens, as the server reports them."""
    generation_s: float = 0.0
    """Seconds measured here, from sending to the last byte."""
    passages: tuple[OutsidePassage, ...] = added_field(())
    """Passages that an external system reports, in its order."""

    @property
    def outside_passages(self) -> tuple[Passage, ...]:
        """Return the passages of an external system as judges and checks of grounding read them."""
        return tuple(each.as_passage for each in self.passages)

    @field_validator("text", "raw")
    @classmethod
    def _can_be_kept(cls, value: str) -> str:
        """Remove NULs and lone surrogates, which databases, files and hashes cannot contain; models do send them."""
        return storable(value)

    @field_validator("done_reason")
    @classmethod
    def _is_short(cls, value: str | None) -> str | None:
        return value if value is None else value.replace("\0", "")[:40]


class Served(Frozen):
    """Serving conditions that answers depend on besides model, options and prompt: they change logits."""

    engine: str
    """Program that runs the model, with its version."""
    window: int
    """Tokens that prompt and answer share."""
    slots: int | None
    """Requests at a time."""


def answer_key(
    *,
    model: Model,
    model_digest: str,
    options: GenerationOptions,
    prompt: Prompt,
    repeat: int,
    answers: Answers = "fast",
    served: Served | None = None,
    reply_schema: Mapping[str, JsonValue] | None = None,
    measures: bool = False,
    text_rules: TextRules = 1,
) -> str:
    """Return the content address of an answer. Without a model digest it uses the server's address and the tag.

    `served` is left out of the address where it is not known, as in all runs before it was recorded; `reply_schema`
    where the reply is free text; `measures` where the reply is generated; `text_rules` where they are the first ones or
    change nothing.
    """
    known = model_digest != "unknown"
    identity = {"digest": model_digest} if known else {"digest": "unknown", "server": model.base_url}
    return digest_of(
        {
            "model": {"provider": model.provider, "name": model.name, **identity},
            "options": options.model_dump(mode="json"),
            "messages": prompt.plain_messages,
            "repeat": repeat,
            # An answer from a shared batch must not be reused where repeatable answers were requested.
            **({} if answers == "fast" else {"answers": answers}),
            **({} if served is None else {"served": served.model_dump(mode="json")}),
            **({} if reply_schema is None else {"reply_schema": dict(reply_schema)}),
            **({"measures": True} if measures else {}),
            **({} if text_rules == 1 else {"text_rules": text_rules}),
        }
    )
