"""Everything outside PaSSER, behind small protocols. Adapters implement them; fakes in tests/conftest.py do too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.dataset import Dataset
from passer.domain.retrieval import Chunking, Collection, Document, EmbeddingModel, Passage, Ranking
from passer.domain.run import Answer, Evaluation, GenerationRequest, Message, Model, ModelInfo, Prompt, Run, RunState
from passer.domain.score import Profile, Score, Scores
from passer.domain.sheets import Place, Sheet, SheetImport
from passer.domain.sweep import Sweep
from passer.errors import PasserError

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
    layer_states: Vectors | None = None
    """The same tokens at the layer that BERTScore compares; None where that is the last layer."""


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

    @property
    def layer(self) -> int:
        """The layer that BERTScore compares, from 1."""
        ...

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised mean-pooled vectors, shape (len(texts), dimension)."""
        ...

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        """Token vectors, text by text, in order; `first_only` leaves out all rows but the first, [CLS]."""
        ...


class WordNet(Protocol):
    """English synonyms."""

    @property
    def identity(self) -> str:
        """Version and digest, for the manifest."""
        ...

    def synonyms(self, word: str) -> frozenset[str]:
        """One-word lemmas of all synsets that hold some base form of a word, as they are written there."""
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

    def render(self, *, question: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
        """The messages; without passages, the question alone."""
        ...


class PromptTemplates(Protocol):
    """The templates there are."""

    def load(self, name: str) -> PromptTemplate:
        """By name; NotFoundError names the others, ConfigError says what is wrong with it."""
        ...

    def list(self) -> list[str]:
        """Names, sorted."""
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
        """Rows as dicts, in order; a blank one is {}, and what stands in no named column lies under the key "".

        DatasetError names row and column of what cannot be read.
        """
        ...


class TableWriter(Protocol):
    """Writes one kind of table file."""

    suffix: str
    """With the dot."""

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """All rows; numbers as numbers, None as an empty cell; `reproducible` keeps clock times out of the file."""
        ...


class SheetReader(Protocol):
    """Reads result sheets of earlier PaSSER versions."""

    def read(self, content: bytes, *, path: str, place: Place) -> Sheet:
        """The scores of one configuration; DatasetError names the file and every row that is none."""
        ...


class ImportSummary(Frozen):
    """An import in a list."""

    id: str
    """Unique."""
    name: str
    """Of the folder that it came from."""
    created_at: datetime
    """UTC."""
    models: tuple[str, ...]
    """As the folders name them."""
    sheets: int
    """How many."""
    rows: int
    """With scores, over all sheets."""
    defects: int
    """Findings of its audit that change results."""


class ImportStore(Protocol):
    """Imported result sheets."""

    def save_import(self, imported: SheetImport) -> None:
        """Keep an import with all its sheets, or nothing; one with this id takes the new audit."""
        ...

    def load_import(self, import_id: str, *, with_answers: bool = True) -> SheetImport:
        """With all sheets; answers are long and the figures do not need them."""
        ...

    def list_imports(self) -> list[ImportSummary]:
        """Newest first."""
        ...

    def delete_import(self, import_id: str) -> None:
        """Remove it with its sheets."""
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


class SweepProgress(Frozen):
    """How a sweep moves; written by whoever runs it, readable from anywhere."""

    stage: Literal["retrieving", "answering", "waiting", "done"]
    """What is being done; `waiting` while the model server is gone."""
    done: int
    """Evaluations that need nothing more."""
    total: int
    """Evaluations planned."""
    rate_per_s: float | None = None
    """Evaluations per second of late; None before it can be told."""
    eta_s: float | None = None
    """Seconds to go at that rate."""
    updated_at: datetime
    """UTC."""


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
    progress: SweepProgress | None = None
    """As last reported."""

    @property
    def state(self) -> RunState:
        """The liveliest state among its runs; finished only when all are."""
        states = {run.state for run in self.runs}
        order = (RunState.RUNNING, RunState.PAUSED, RunState.QUEUED, RunState.FAILED, RunState.CANCELLED)
        return next((state for state in order if state in states), RunState.FINISHED)


class RunStore(Protocol):
    """Sweeps, their runs and states."""

    def create_sweep(self, sweep: StoredSweep, *, idempotency_key: str | None = None) -> StoredSweep:
        """Keep a sweep with all its runs, or nothing; a known idempotency key gives the sweep made with it.

        ConflictError where that one is another sweep.
        """
        ...

    def load_sweep(self, sweep_id: str) -> StoredSweep:
        """With its runs as they are now."""
        ...

    def list_sweeps(self, *, limit: int, before: str | None = None) -> list[StoredSweep]:
        """Newest first; `before` is the id after which to go on."""
        ...

    def set_state(
        self,
        run_ids: Sequence[str],
        state: RunState,
        *,
        reason: str | None = None,
        only_from: Sequence[RunState] = (),
        held: bool = False,
        unless_held: bool = False,
    ) -> int:
        """Move runs on and say how many moved; `only_from` leaves runs in other states alone.

        `unless_held` is for moves that nobody asked for: they leave alone what a person paused.
        """
        ...


class LeaseStore(Protocol):
    """Who runs which sweep: one process at a time."""

    def acquire(self, sweep_id: str, owner: str, *, ttl_s: float) -> str:
        """Take or renew the lease; the holder after the call (another's name where it was refused)."""
        ...

    def release(self, sweep_id: str, owner: str) -> None:
        """Give the lease back, if it is this owner's."""
        ...

    def unfinished(self) -> list[str]:
        """Ids of sweeps with runs to do, oldest first; runs that a person paused are left alone."""
        ...

    def report(self, sweep_id: str, progress: SweepProgress) -> None:
        """Keep the newest progress."""
        ...


class EvaluationStore(Protocol):
    """What runs leave behind, durable as soon as it is committed."""

    def record(self, facts: Sequence[Fact]) -> None:
        """Commit facts together, in order; each is idempotent."""
        ...

    def evaluations(
        self, run_id: str, *, after: int = -1, limit: int | None = None, with_scores: bool = True
    ) -> list[Evaluation]:
        """In dataset order, after that number."""
        ...

    def rankings(self, sweep_id: str, collection: str, *, question_id: str | None = None) -> dict[str, Ranking]:
        """Stored rankings by question id; of one question alone where it is named."""
        ...

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Those that exist."""
        ...

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        """Scores of those pairs that exist."""
        ...

    def prompt(self, digest: str) -> Prompt | None:
        """A prompt as it was sent."""
        ...

    def reopen(self, run_ids: Sequence[str]) -> int:
        """Forget failed evaluations of these runs and queue the runs again, together; how many there were."""
        ...

    def generation_times(self, model: Model) -> list[float]:
        """Seconds of up to 500 answers that this model was asked for, from its newest 20 runs; in no order."""
        ...

    def effort(self, sweep_id: str) -> Effort:
        """What a sweep has taken so far."""
        ...


class Effort(Frozen):
    """What a sweep has taken, and for how many evaluations."""

    rankings: int
    """Questions looked up, in all collections."""
    prompted: int
    """Evaluations that were answered by a model."""
    generated: int
    """Of these, with an answer that was asked for them."""
    scored: int
    """Evaluations with scores."""
    pairs: int
    """Distinct (reference, answer) pairs among them."""


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


class Part(Frozen):
    """A part of the system."""

    name: str
    """What it is."""
    ok: bool
    """Whether it is there and answers."""
    required: bool
    """Whether nothing runs without it."""
    detail: str
    """What it says of itself, or what is missing."""
    command: str | None = None
    """What adds or starts it, where it is missing."""


@dataclass(frozen=True)
class Check:
    """How one part is looked at."""

    name: str
    """What it is."""
    look: Callable[[], str]
    """What it says of itself; raises PasserError where it is missing."""
    command: str
    """What adds or starts it."""
    required: bool = False
    """Whether nothing runs without it."""

    def __call__(self) -> Part:
        """Look."""
        try:
            return Part(name=self.name, ok=True, required=self.required, detail=self.look())
        except PasserError as exc:
            return Part(name=self.name, ok=False, required=self.required, detail=exc.message, command=self.command)
