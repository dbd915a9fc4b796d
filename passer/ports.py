"""Everything outside PaSSER, behind small protocols. Adapters implement them; fakes in tests/conftest.py do too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.dataset import Dataset
from passer.domain.retrieval import Chunking, Collection, Document, EmbeddingModel, Passage, Ranking
from passer.domain.run import Answer, Evaluation, GenerationRequest, Model, ModelInfo, Prompt, Run, RunState
from passer.domain.score import Profile, Score, Scores
from passer.domain.sweep import Sweep

Vectors = NDArray[np.float32]
"""float32 of shape (n, dimension)."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and how many there are."""


@dataclass(frozen=True)
class TokenStates:
    """Last-layer (or configured layer) vectors of one text, special tokens included."""

    states: Vectors
    """float32, shape (n_tokens, dimension); row 0 is [CLS], the last row [SEP]."""
    truncated: bool
    """Whether the text was longer than the encoder takes."""


class Encoder(Protocol):
    """A text encoder. A text's vectors never depend on its batch mates."""

    @property
    def model(self) -> EmbeddingModel:
        """Name, digest and dimension."""
        ...

    @property
    def max_tokens(self) -> int:
        """Tokens beyond which a text is cut, special tokens counted."""
        ...

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised mean-pooled vectors, shape (len(texts), dimension)."""
        ...

    def token_states(self, texts: Iterable[str]) -> Iterator[TokenStates]:
        """Token vectors, text by text, in order."""
        ...


class Embedder(Protocol):
    """What a collection is embedded with: any encoder, or a server's embedding model."""

    @property
    def model(self) -> EmbeddingModel:
        """Name, digest and dimension."""
        ...

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised vectors, shape (len(texts), dimension)."""
        ...


class DocumentSummary(Frozen):
    """A document in a collection."""

    name: str
    """As it was ingested."""
    digest: str
    """SHA-256 of its source."""
    passages: int
    """How many."""
    pages: int | None = None
    """How many, where it has pages."""


class PassageIndex(Protocol):
    """An opened collection."""

    @property
    def collection(self) -> Collection:
        """What it is and what it is bound to."""
        ...

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        """The top_k nearest passages of each question, exact, nearest first."""
        ...

    def passages(self) -> Iterator[Passage]:
        """All passages, by document and number."""
        ...

    def sentences(self, passages: Sequence[Passage]) -> list[tuple[list[str], Vectors]]:
        """Sentences of each passage with their vectors, kept with the collection once computed."""
        ...


class Collections(Protocol):
    """The vector store."""

    def open(self, name: str) -> PassageIndex:
        """An existing collection; NotFoundError, CollectionMismatchError, IndexUnavailable."""
        ...

    def add(self, collection: Collection, document: Document, passages: Sequence[Passage], vectors: Vectors) -> int:
        """Add one document whole, creating the collection if need be; how many passages were new."""
        ...

    def list(self) -> list[tuple[Collection, list[DocumentSummary]]]:
        """All collections with their documents, by name."""
        ...

    def delete(self, name: str) -> None:
        """Remove a collection and all that is kept with it."""
        ...


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


class DocumentReader(Protocol):
    """Reads one kind of document."""

    suffixes: tuple[str, ...]
    """Lower-case file suffixes it reads, with the dot."""

    def read(self, content: bytes, name: str) -> Document:
        """The document's text; DocumentError says what is wrong and what to do."""
        ...


class TableReader(Protocol):
    """Reads one kind of table file."""

    suffixes: tuple[str, ...]
    """Lower-case file suffixes it reads, with the dot."""

    def read(self, content: bytes) -> list[dict[str, Any]]:
        """Rows as dicts, in order; DatasetError names row and column."""
        ...


class TableWriter(Protocol):
    """Writes one kind of table file."""

    suffix: str
    """With the dot."""

    def write(self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
        """All rows; numbers as numbers, None as an empty cell."""
        ...


class DatasetStore(Protocol):
    """Datasets by name; a changed dataset of the same name is a new version."""

    def save_dataset(self, dataset: Dataset) -> None:
        """Keep it; the same content again changes nothing."""
        ...

    def load_dataset(self, name: str, digest: str | None = None) -> Dataset:
        """The newest version, or the one with this digest."""
        ...

    def list_datasets(self) -> list[DatasetSummary]:
        """Newest versions, by name."""
        ...

    def delete_dataset(self, name: str) -> None:
        """Remove all versions; ConflictError while a sweep needs it."""
        ...


class DatasetSummary(Frozen):
    """A dataset in a list."""

    name: str
    """Its name."""
    digest: str
    """Of its newest version."""
    language: str
    """BCP 47 tag."""
    questions: int
    """How many."""
    with_gold: int
    """How many have gold passages."""
    versions: int
    """How many are kept."""


class StoredSweep(Frozen):
    """A sweep with what was fixed when it was created."""

    id: str
    """Unique."""
    sweep: Sweep
    """What is compared."""
    dataset_digest: str
    """The version of the dataset that it runs on."""
    questions: int
    """Questions of each configuration."""
    runs: tuple[Run, ...]
    """In order, baselines first of each model."""
    created_at: datetime
    """UTC."""


class RunStore(Protocol):
    """Sweeps, their runs and states."""

    def create_sweep(self, sweep: StoredSweep) -> None:
        """Keep a sweep with all its runs and pending evaluations, or nothing."""
        ...

    def load_sweep(self, sweep_id: str) -> StoredSweep:
        """With its runs as they are now."""
        ...

    def list_sweeps(self, *, limit: int, before: str | None = None) -> list[StoredSweep]:
        """Newest first; `before` is the id after which to go on."""
        ...

    def set_state(self, run_ids: Sequence[str], state: RunState, *, reason: str | None = None) -> None:
        """Move runs on; a final state sets finished_at."""
        ...


class EvaluationStore(Protocol):
    """What runs leave behind, durable as soon as it is committed."""

    def record(self, facts: Sequence[Fact]) -> None:
        """Commit facts together, in order; each is idempotent."""
        ...

    def evaluations(self, run_id: str, *, after: int = -1, limit: int | None = None) -> list[Evaluation]:
        """In dataset order, after that number."""
        ...

    def rankings(self, sweep_id: str, collection: str) -> dict[str, Ranking]:
        """Stored rankings by question id."""
        ...

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Those that exist."""
        ...


@dataclass(frozen=True)
class RankingFact:
    """A question was looked up in a collection."""

    sweep_id: str
    collection: str
    question_id: str
    ranking: Ranking


@dataclass(frozen=True)
class PromptFact:
    """A prompt was built."""

    prompt: Prompt


@dataclass(frozen=True)
class AnswerFact:
    """A model answered."""

    answer: Answer


@dataclass(frozen=True)
class PairFact:
    """A (reference, answer) pair was scored."""

    key: str
    scores: Mapping[str, Score]
    scoring_s: float


@dataclass(frozen=True)
class EvaluationFact:
    """An evaluation moved on."""

    evaluation: Evaluation


Fact = RankingFact | PromptFact | AnswerFact | PairFact | EvaluationFact
"""Something that happened and must not be lost."""


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


class Clock(Protocol):
    """Time, as an argument."""

    def now(self) -> datetime:
        """UTC, with time zone."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...


class Fetcher(Protocol):
    """Fetches a web address, within what the settings allow."""

    def fetch(self, url: str) -> tuple[str, bytes]:
        """(name with suffix, content); DocumentError where it may not or cannot be fetched."""
        ...


class Splitter(Protocol):
    """Cuts a document into passages."""

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        """Passages in order, each with its character span."""
        ...


PathLike = str | Path
