"""What a run is: its configuration, its state, and what is known of each of its questions."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field, field_validator

from passer.domain.base import Frozen, digest_of
from passer.domain.retrieval import NormalPolicy, RetrievalPolicy
from passer.domain.score import Profile, Score
from passer.domain.wording.sentence import Said, Worded

DEFAULT_SEED = 20_260_101
"""Recorded with every run that sets no other."""


class GenerationOptions(Frozen):
    """Decoding options; always sent, always recorded."""

    temperature: float = Field(default=0.2, ge=0, le=2)
    """Sampling temperature."""
    seed: int = Field(default=DEFAULT_SEED, ge=0, le=2**31 - 1)
    """Random seed."""
    num_ctx: int = Field(default=4096, ge=128, le=10_000_000)
    """Context window in tokens."""
    num_predict: int = Field(default=512, ge=1, le=1_000_000)
    """Most tokens generated."""
    top_p: float = Field(default=0.9, gt=0, le=1)
    """Nucleus sampling mass."""
    top_k: int = Field(default=40, ge=1, le=100_000)
    """Candidates per token."""


Provider = Literal["extractive", "ollama", "openai"]
"""How a model is reached."""


class Model(Frozen):
    """Which model answers, and where it runs."""

    provider: Provider = "extractive"
    """`extractive` is built in and copies sentences; the others are servers."""
    name: str = Field(default="extractive", min_length=1)
    """Model tag as the server knows it."""
    base_url: str | None = None
    """Server address, or several that serve it, separated by commas; None takes the one of the settings."""

    @field_validator("base_url")
    @classmethod
    def _separated(cls, value: str | None) -> str | None:
        """Several addresses without spaces and repetitions; one alone as it is."""
        return ",".join(addresses(value)) if value and "," in value else value

    @property
    def label(self) -> str:
        """Short name for tables."""
        return self.name

    @property
    def server(self) -> Server:
        """Where it runs; the same for all models of one server."""
        return self.provider, self.base_url

    @property
    def endpoints(self) -> tuple[Server, ...]:
        """The same, address by address."""
        return tuple((self.provider, url) for url in addresses(self.base_url)) or (self.server,)


Server = tuple[str, str | None]
"""A model server: provider and address; what is built in has no address."""


def addresses(base_url: str | None) -> tuple[str, ...]:
    """The addresses in a setting or a model: they are separated by commas."""
    return tuple(dict.fromkeys(part.strip() for part in (base_url or "").split(",") if part.strip()))


class ModelInfo(Frozen):
    """What a server says about a model."""

    name: str
    """Tag."""
    digest: str = "unknown"
    """Digest of the weights, `unknown` where the server gives none."""
    family: str | None = None
    """Architecture family."""
    parameter_size: str | None = None
    """As the server prints it, e.g. `7.2B`."""
    quantization: str | None = None
    """Quantisation level."""
    context_length: int | None = None
    """Longest context the model was made for, in tokens."""
    size_bytes: int | None = None
    """Size on disk."""


class RunConfig(Frozen):
    """Everything that decides what a run does."""

    dataset: str = Field(min_length=1)
    """Name of the dataset."""
    collection: str = Field(min_length=1)
    """Name of the collection."""
    model: Model = Model()
    """Who answers."""
    options: GenerationOptions = GenerationOptions()
    """How it decodes."""
    retrieval: RetrievalPolicy = NormalPolicy()
    """Which passages it sees."""
    prompt: str = "default"
    """Name of the prompt template."""
    no_passages: Literal["abstain", "ask"] = "abstain"
    """What happens when no passage is kept: a fixed answer without generation, or the question alone."""
    profile: Profile = "standard"
    """Definitions of the 24 columns."""
    strip_thinking: bool = True
    """Leave `<think>...</think>` blocks out of the answer that is scored; the raw reply is kept."""
    repeat: int = Field(default=1, ge=1, le=1000)
    """Which repetition this is, from 1; repetitions never share an answer."""
    questions: int | None = Field(default=None, ge=1, le=10_000_000)
    """Only the first so many questions; None is all."""

    @property
    def digest(self) -> str:
        """SHA-256 of the configuration alone."""
        return digest_of(self)


class RunState(StrEnum):
    """Where a run is in its life."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Whether nothing more happens by itself."""
        return self in (RunState.FINISHED, RunState.CANCELLED, RunState.FAILED)


LIVE_STATES = tuple(state for state in RunState if not state.is_final)
"""Queued, running or paused: something may still happen."""


class RunCounts(Frozen):
    """How far a run is; asked = answered + failed."""

    questions: int = 0
    """Evaluations planned."""
    answered: int = 0
    """With an answer."""
    scored: int = 0
    """With scores."""
    failed: int = 0
    """Without an answer, with a reason."""
    uncovered: int = 0
    """For which no passage was kept."""
    abstained: int = 0
    """Whose answer says that the passages do not hold it."""
    truncated: int = 0
    """Whose prompt or answer was cut."""
    reused: int = 0
    """Whose answer was generated for another evaluation with the same prompt."""


class Run(Worded):
    """A configuration with its state and times."""

    id: str
    """Unique."""
    sweep_id: str
    """The sweep it belongs to; a run alone is a sweep of one."""
    position: int
    """Place within its sweep, from 0; the baseline comes first."""
    name: str
    """Shown in tables."""
    config: RunConfig
    """What it does."""
    is_baseline: bool = False
    """Whether the sweep's other runs are compared with it."""
    state: RunState = RunState.QUEUED
    """Where it is."""
    reason: Said | None = None
    """Why it is paused or failed, in one sentence."""
    held: bool = False
    """Whether a person paused it: it then waits for them, not for a server."""
    counts: RunCounts = RunCounts()
    """How far it is."""
    model_info: ModelInfo | None = None
    """What the server said of the model when the run began; fixed from then on."""
    scored_by: dict[str, str] = Field(default_factory=dict)
    """What its scores depend on beside the texts: encoder digest, limits, variants; fixed from the beginning."""
    created_at: datetime
    """UTC."""
    started_at: datetime | None = None
    """UTC."""
    finished_at: datetime | None = None
    """UTC."""

    def telling(self) -> object:
        """Its reason alone: there are lists of thousands."""
        return self.reason


EvaluationState = Literal["pending", "answered", "scored", "failed"]
"""How far one question of a run is."""


class Evaluation(Frozen):
    """One question under one configuration, with everything that came of it."""

    run_id: str
    """Its run."""
    number: int
    """Place of the question in the dataset, from 0."""
    question_id: str
    """Its question."""
    state: EvaluationState = "pending"
    """How far it is."""
    reason: Said | None = None
    """Why it failed, in one sentence."""
    kept: tuple[int, int] = (0, 0)
    """Places [first, last) of the ranking that were kept."""
    prompt_digest: str | None = None
    """Digest of its prompt; None when nothing was asked."""
    answer_key: str | None = None
    """Its answer."""
    reused: bool = False
    """Whether the answer was generated for an earlier evaluation."""
    pair_key: str | None = None
    """Content address of its scored (reference, answer) pair."""
    scores: dict[str, Score] | None = None
    """The 24 columns, once scored."""
