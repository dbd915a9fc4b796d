"""Prompts, chat models, the scorer, and the engine that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.connection import Connection
from passer.domain.models.model import Model, ModelInfo, ModelMemory
from passer.domain.retrieval.passages import Passage
from passer.domain.score import Scores, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.ports.draft import Draft

T = TypeVar("T")


class ChatModel(Protocol):
    """A model that replies to messages: a model server, or a reader that is built in."""

    def complete(self, request: ChatRequest) -> Completion:
        """Make one attempt; raises GenerationError (with `retryable`) or GeneratorUnavailable."""

    def describe(self, model: Model) -> ModelInfo:
        """Return the server's description of a model; ModelNotFoundError gives the command that adds it."""

    def models(self) -> list[ModelInfo]:
        """Return the models that the server has."""


@runtime_checkable
class ReportsMemory(Protocol):
    """A client of a server that reports how much memory a model uses."""

    def memory(self, model: Model) -> ModelMemory | None:
        """Return the memory of a model that is loaded; None if it is not.

        Raises GeneratorUnavailable if the server does not answer.
        """


class PullProgress(NamedTuple):
    """Progress of a pull."""

    status: str
    """Status in the server's words; `success` at the end, and one status for each layer before."""
    completed: int | None
    """Bytes of the current layer that were downloaded."""
    total: int | None
    """Bytes of the current layer."""


class Puller(Protocol):
    """A model server that downloads models."""

    def pull(self, name: str) -> Iterator[PullProgress]:
        """Download a model and report progress.

        Raises ModelNotFoundError if the server cannot find it, GeneratorUnavailable if it does not answer, and
        GenerationError if the download fails.
        """


class PromptTemplate(Protocol):
    """Turns a question and its passages into messages."""

    @property
    def name(self) -> str:
        """Return the name by which runs refer to it."""

    @property
    def digest(self) -> str:
        """Return the SHA-256 of its text, in hex."""

    @property
    def text(self) -> str:
        """Return the full text, which `PromptTemplates.of_text` accepts."""

    def render(
        self, *, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None
    ) -> tuple[Message, ...]:
        """Return the messages; without passages, only the question. `metadata` has further columns of its dataset."""


class PromptTemplates(Protocol):
    """The available prompt templates."""

    def load(self, name: str) -> PromptTemplate:
        """Return the template of this name; NotFoundError lists the names, ConfigError states what is wrong."""

    def of_text(self, *, name: str, text: str) -> PromptTemplate:
        """Return the template with this text; ConfigError states what is wrong."""

    def cites(self, name: str) -> bool:
        """Return whether the template of that name asks for citations by number; False if there is none."""

    def list(self) -> list[str]:
        """Return the names, sorted."""


class Scorer(Protocol):
    """Scores pairs; built once per process."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Return what scores depend on: encoder digest, limits, variants."""

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> list[Scores]:
        """Return the scores of (reference, answer) pairs, in order; each pair is scored independently of the others.

        `language` is the BCP 47 tag of their dataset.
        """


@dataclass(frozen=True)
class Workers:
    """Work that an engine runs, built by a picklable factory in each process that needs it."""

    chat_model: Callable[[Model], ChatModel]
    scorer: Callable[[], Scorer]


class Engine(Protocol):
    """Executes requests, searches and scoring."""

    @property
    def streams(self) -> bool:
        """Return whether drafts hold replies while they are written."""

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        """Send one request, with retries, under its endpoint's limit; `draft` holds the reply while it is written."""

    def retrieve(self, search: Callable[[], T]) -> Future[T]:
        """Run a search in this process, one at a time, in parallel with requests and scoring."""

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> Future[list[Scores]]:
        """Score a batch; `language` is the BCP 47 tag of its dataset."""

    def close(self) -> None:
        """Stop and abandon the work in progress."""


class ConnectionStore(Protocol):
    """Model servers that were connected, by name."""

    def list_connections(self) -> list[Connection]:
        """Return all connections, sorted by name."""

    def find(self, name: str) -> Connection:
        """Return a connection; NotFoundError if there is none of this name."""

    def save(self, connection: Connection) -> None:
        """Add a connection, or replace the one of that name."""

    def delete(self, name: str) -> None:
        """Delete a connection with its key. Raises NotFoundError if it does not exist."""


class Vault(Protocol):
    """Encrypts keys with a secret that is not in the database."""

    def seal(self, text: str) -> str:
        """Return the text, encrypted."""

    def open(self, sealed: str) -> str:
        """Return the decrypted text; ConfigError if it was encrypted with another secret."""
