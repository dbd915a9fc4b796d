"""Prompts, generators, the scorer, and the engine that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from passer.domain.answer import Answer, GenerationRequest, Message
from passer.domain.retrieval import Passage
from passer.domain.run import Model, ModelInfo
from passer.domain.score import Profile, Scores


class Generator(Protocol):
    """Something that answers prompts."""

    def generate(self, request: GenerationRequest) -> Answer:
        """One attempt; raises GenerationError (with `retryable`) or GeneratorUnavailable."""
        ...

    def describe(self, model: Model) -> ModelInfo:
        """What the server says about a model; ModelNotFoundError says how to add it."""
        ...

    def models(self) -> list[ModelInfo]:
        """What the server has."""
        ...


class PullProgress(NamedTuple):
    """How far a pull is."""

    status: str
    """As the server words it; `success` at the end, and one status for each layer before."""
    completed: int | None
    """Bytes of the current layer that are here."""
    total: int | None
    """Bytes of the current layer."""


class Puller(Protocol):
    """A model server that downloads models."""

    def pull(self, name: str) -> Iterator[PullProgress]:
        """Download a model, telling how far it is; ModelNotFoundError, GeneratorUnavailable, GenerationError."""
        ...


class PromptTemplate(Protocol):
    """Turns a question and its passages into messages."""

    @property
    def name(self) -> str:
        """How a run names it."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256, hex, of its text."""
        ...

    @property
    def text(self) -> str:
        """All of it, as `PromptTemplates.of_text` takes it."""
        ...

    def render(self, *, question: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
        """The messages; without passages, the question alone."""
        ...


class PromptTemplates(Protocol):
    """The templates there are."""

    def load(self, name: str) -> PromptTemplate:
        """By name; NotFoundError names the others, ConfigError says what is wrong with it."""
        ...

    def of_text(self, *, name: str, text: str) -> PromptTemplate:
        """The template of that text, whatever is called so now; ConfigError says what is wrong with it."""
        ...

    def list(self) -> list[str]:
        """Names, sorted."""
        ...


class Scorer(Protocol):
    """Scores pairs; built once per process."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What the values depend on: encoder digest, limits, variants."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> list[Scores]:
        """Scores of (reference, answer) pairs, in order; a pair's values do not depend on the others."""
        ...


@dataclass(frozen=True)
class Workers:
    """What an engine runs: built by a picklable factory in each process that needs it."""

    generator: Callable[[Model], Generator]
    scorer: Callable[[], Scorer]


class Engine(Protocol):
    """Where evaluations execute."""

    def generate(self, request: GenerationRequest) -> Future[Answer]:
        """Answer one request, with retries, under its endpoint's limit."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> Future[list[Scores]]:
        """Score a batch."""
        ...

    def close(self) -> None:
        """Stop; what is under way is given up."""
        ...
