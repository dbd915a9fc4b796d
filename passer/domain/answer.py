"""What is asked and what is answered: prompts, requests, answers, and the content address that joins them."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import field_validator

from passer.domain.base import Frozen, digest_of
from passer.domain.retrieval import Passage
from passer.domain.run import GenerationOptions, Model


class Message(Frozen):
    """One chat message."""

    role: Literal["system", "user"]
    """Who speaks."""
    content: str
    """What is said."""


class Prompt(Frozen):
    """What the model is asked, whole."""

    template: str
    """Name of the template."""
    template_digest: str
    """SHA-256 of its text."""
    messages: tuple[Message, ...]
    """As sent."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the messages as sent."""
        return digest_of([message.model_dump() for message in self.messages])


class ModelTimings(Frozen):
    """What the model server reports, in its own units; None where it does not say."""

    total_duration_ns: int | None = None
    """Whole request, nanoseconds."""
    load_duration_ns: int | None = None
    """Loading the model, nanoseconds."""
    prompt_eval_count: int | None = None
    """Tokens of the prompt."""
    prompt_eval_duration_ns: int | None = None
    """Reading the prompt, nanoseconds."""
    eval_count: int | None = None
    """Tokens generated."""
    eval_duration_ns: int | None = None
    """Generating, nanoseconds."""

    @property
    def tokens_per_s(self) -> float | None:
        """eval_count / eval_duration * 1e9."""
        if not self.eval_count or not self.eval_duration_ns:
            return None
        return self.eval_count / self.eval_duration_ns * 1e9


class Answer(Frozen):
    """Generated text for one distinct (model, options, prompt, repetition)."""

    key: str
    """Content address: SHA-256 of model identity, options, messages and repetition."""
    text: str
    """What is scored."""
    raw: str
    """The reply verbatim."""
    reason: Literal["empty_answer"] | None = None
    """Set when the model said nothing, after the retries."""
    abstained: bool = False
    """Whether it says that the passages do not hold the answer."""
    truncated: Literal["prompt", "answer"] | None = None
    """What was cut, if anything."""
    done_reason: str | None = None
    """As the server reports it."""
    model_digest: str = "unknown"
    """Digest of the model that answered."""
    timings: ModelTimings = ModelTimings()
    """As the server reports them."""
    generation_s: float = 0.0
    """Seconds measured here, from sending to the last byte."""

    @field_validator("text", "raw")
    @classmethod
    def _can_be_kept(cls, value: str) -> str:
        """Without NULs and lone surrogates, which no database, file or hash can hold; models do send them."""
        return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")

    @field_validator("done_reason")
    @classmethod
    def _is_short(cls, value: str | None) -> str | None:
        return value if value is None else value.replace("\0", "")[:40]


class GenerationRequest(Frozen):
    """One thing to ask a generator."""

    key: str
    """Content address of the answer."""
    question: str
    """The question alone (extractive readers need it)."""
    passages: tuple[Passage, ...]
    """What the prompt holds, in order."""
    collection: str = ""
    """Name of the collection the passages came from; empty without one."""
    prompt: Prompt
    """The whole prompt."""
    model: Model
    """Who answers."""
    model_digest: str = "unknown"
    """The digest that the key was made with; a server that now has another is not asked."""
    options: GenerationOptions
    """How it decodes."""
    strip_thinking: bool = True
    """Whether `<think>` blocks leave the scored text."""


def answer_key(*, model: Model, model_digest: str, options: GenerationOptions, prompt: Prompt, repeat: int) -> str:
    """Content address of an answer. Without a model digest the server's address and the tag stand in for it."""
    known = model_digest != "unknown"
    identity = {"digest": model_digest} if known else {"digest": "unknown", "server": model.base_url}
    return digest_of(
        {
            "model": {"provider": model.provider, "name": model.name, **identity},
            "options": options.model_dump(mode="json"),
            "messages": [message.model_dump() for message in prompt.messages],
            "repeat": repeat,
        }
    )
