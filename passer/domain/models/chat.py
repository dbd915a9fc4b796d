"""Request to a model and its completion: one pair of types for every purpose, also for texts that are measured."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from passer.domain.base import Frozen
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.models.outside import OutsidePassage
from passer.domain.retrieval.passages import Passage

LARGEST_EXPONENT = 700.0
"""Mean of minus the log probabilities up to which a perplexity is a finite number."""


class Message(Frozen):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    """Role of the speaker."""
    content: str
    """The text."""


class PromptSource(Frozen):
    """The parts from which the messages were rendered, for models that select text instead of reading a prompt."""

    question: str
    """The question alone."""
    passages: tuple[Passage, ...] = ()
    """The passages in the prompt, in order."""
    collection: str = ""
    """Name of the collection that contains the passages; empty without passages."""


class FrozenTemplate(Frozen):
    """A prompt template as of the sweep's creation, so that a later edit of its file changes no prompt of the sweep."""

    name: str
    """Name in configurations."""
    digest: str
    """SHA-256, hex, of its text."""
    text: str
    """The complete template."""


class Chain(Frozen):
    """Requests whose prompts have the same beginning: a server that caches the last prompt reads only the new part."""

    key: str
    """The same for all requests of the chain."""
    place: int = 0
    """Requests are sent in ascending order of their places."""
    fans_out: bool = False
    """True if all others are sent together once the first is answered: for servers that share between requests."""


class ChatRequest(Frozen):
    """One request to a chat model."""

    key: str
    """Content address of the reply: requests with the same key are sent once."""
    purpose: str = Field(default="answer", pattern=r"^[a-z0-9_-]{1,64}$")
    """Use of the reply; servers that want a name for the reply schema get this one."""
    messages: tuple[Message, ...]
    """Messages as sent, in order."""
    model: Model
    """The model, with the address of its server."""
    model_digest: str = "unknown"
    """Digest of the weights that the key was made with; a server that has other weights now is not asked."""
    engine: str | None = None
    """Engine that the key was made with, several separated by commas; a server with another one is not asked."""
    options: GenerationOptions
    """Decoding options."""
    reply_schema: dict[str, JsonValue] | None = None
    """JSON schema that the reply must match; None for free text. Servers enforce it while they decode."""
    measures: bool = False
    """True if the log probabilities of the last message are wanted, as a reply to those before it; the completion's
    text is then `LogProbabilities` as JSON."""
    source: PromptSource | None = None
    """The parts of the prompt; model servers are not sent it."""
    chain: Chain | None = None
    """Chain of prompts with the same beginning; None if nothing is known."""
    slot: int | None = None
    """Place at the server that the chain keeps, from 0, for servers that let a client choose it; set by the engine."""
    shares: bool = True
    """True if the server may reuse what it has read for other requests, and answer several at a time."""

    @property
    def chain_key(self) -> str:
        """Return the key of its chain; a request without a chain is its own chain."""
        return self.chain.key if self.chain else self.key


class TokenUsage(Frozen):
    """Token counts as the server reports them; None where it reports none."""

    prompt_tokens: int | None = None
    """Tokens of the prompt."""
    output_tokens: int | None = None
    """Tokens generated."""
    cached_tokens: int | None = None
    """Tokens of the prompt that the server had read for an earlier request."""


class CompletionTimings(Frozen):
    """Durations as the server reports them, None where it reports none, and the seconds measured here."""

    total_duration_ns: int | None = None
    """Whole request, nanoseconds."""
    load_duration_ns: int | None = None
    """Loading the model, nanoseconds."""
    prompt_eval_duration_ns: int | None = None
    """Reading the prompt, nanoseconds."""
    eval_duration_ns: int | None = None
    """Generating, nanoseconds."""
    elapsed_s: float = 0.0
    """Seconds from sending the request to the last byte of the reply."""


class Completion(Frozen):
    """A model's complete reply to one request."""

    text: str
    """The reply verbatim. Thoughts that the server sent apart come first, inside `<think>` tags."""
    finish_reason: str | None = None
    """Reason why generation ended, as the server reports it; `length` at the token limit, `repeated` in a loop."""
    usage: TokenUsage = TokenUsage()
    """Token counts."""
    timings: CompletionTimings = CompletionTimings()
    """Durations."""
    model_digest: str = "unknown"
    """Digest of the weights that replied."""
    window: int | None = None
    """Tokens that prompt and reply share on that server; None where there is no limit or it is not known."""
    expected_prompt_tokens: int | None = None
    """Tokens that the model should have counted in the prompt, by what it counted in others; None if not known."""
    passages: tuple[OutsidePassage, ...] = ()
    """Passages that an external system reports."""


class LogProbabilities(Frozen):
    """Natural logarithms of the probabilities of a text's tokens, each given the prompt and the tokens before it."""

    # A server's rounding may put the log of a certain token a little above 0.
    values: tuple[Annotated[float, Field(le=1e-3, allow_inf_nan=False)], ...] = Field(min_length=1)
    """One for each token, in order."""
    prompt: Literal["chat", "text"]
    """Form of the prompt: the model's chat template, or plain text."""

    @property
    def perplexity(self) -> float | None:
        """Return exp of minus their mean; None if that is no finite number."""
        exponent = -math.fsum(self.values) / len(self.values)
        return math.exp(exponent) if exponent <= LARGEST_EXPONENT else None
