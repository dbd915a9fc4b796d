"""The words in which a test tells the scripted model server what shall happen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import Any, Literal

from passer.domain.base import digest_of

Fault = Literal[
    "reset",
    "reset_at_once",
    "cut_json",
    "malformed",
    "error_in_stream",
    "ends_early",
    "hang",
    "stalls",
    "repeats",
    "repeats_error",
]


@dataclass(frozen=True)
class Step:
    """What happens to one generation; the default is a good reply."""

    reply: str | None = None
    """Instead of the server's own reply; may be empty."""
    thinking: str | None = None
    """Sent apart, as servers do that know the model's think marks."""
    status: int = 200
    """400 or more: refuse, in Ollama's words unless `error` is given."""
    error: str | None = None
    """Text of a refusal or of an error in the stream; instead of a malformed line, the whole line."""
    retry_after: str | None = None
    """Header of a refusal: seconds, or an HTTP date."""
    fault: Fault | None = None
    pause: Event | None = None
    """Wait for it in the middle of the reply."""
    latency_s: float | None = None
    """Before the first token; None takes the server's."""
    done_reason: str | None = None
    """Instead of `stop`, or `length` where num_predict cut the reply."""
    prompt_tokens: int | None = None
    """prompt_eval_count instead of the true one; 0 leaves the field out."""


@dataclass(frozen=True)
class ScriptedModel:
    """A model the server has."""

    name: str
    digest: str = ""
    context_length: int = 32768
    family: str = "llama"
    parameter_size: str = "7.2B"
    quantization: str = "Q4_0"
    capabilities: tuple[str, ...] = ("completion",)
    remote_model: str | None = None
    """Of a stub for a model of Ollama's cloud."""
    reply: Callable[[str], str] | None = None
    """In place of the server's."""

    def __post_init__(self) -> None:
        if not self.digest:
            object.__setattr__(self, "digest", digest_of({"weights of": self.name}))


@dataclass(frozen=True)
class Seen:
    """One request as it came in."""

    path: str
    body: dict[str, Any]
    prompt_digest: str | None = None
    """Equals `Prompt.digest` of what was sent; None unless it was a chat."""
    status: int = 200
    client: str = "127.0.0.1"
    """Address it came from."""
    authorization: str | None = None
    """Header of that name."""
