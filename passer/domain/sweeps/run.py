"""Runs: configuration, state, and the evaluation of each question."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, TypeVar

from pydantic import Field, computed_field, model_validator

from passer.domain.base import Frozen, added_field, digest_of
from passer.domain.models.decoding import SEEDS, GenerationOptions
from passer.domain.models.model import Loaded, Model, ModelInfo, ModelMemory
from passer.domain.retrieval.cuts import NormalPolicy, RetrievalPolicy
from passer.domain.retrieval.passages import Passage
from passer.domain.retrieval.retriever import Dense, RankedBy, Retriever
from passer.domain.score import Score, VectorProfile
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import NotFoundError

Answers = Literal["fast", "repeatable"]
"""`fast`: several requests at a time, and prompts that begin alike are read once; the same prompt may then get other
texts, even at temperature 0. `repeatable`: one request at a time, every prompt read whole."""

PassageOrder = Literal["rank", "document"]
"""`rank`: best passage first. `document`: as in the documents, by document name and then by place (OP-RAG, Yu et al.
2024, "In defense of RAG in the era of long-context language models")."""
P = TypeVar("P", bound=Passage)


class AnswerSettings(Frozen):
    """Passages, model and prompt that lead to an answer, and the columns that score it."""

    collection: str = Field(min_length=1)
    """Name of the collection."""
    model: Model = Model()
    """Model that answers."""
    options: GenerationOptions = GenerationOptions()
    """Decoding options."""
    retrieval: RetrievalPolicy = NormalPolicy()
    """Passages that the model gets: top-k or a similarity threshold."""
    passage_order: PassageOrder = added_field("rank")
    """The order in which the prompt lists the passages that are kept, and by which answers cite them."""
    prompt: str = "default"
    """Name of the prompt template."""
    no_passages: Literal["abstain", "ask"] = "abstain"
    """Behaviour if no passage is kept: a fixed answer without generation, or the question alone."""
    profile: VectorProfile = "standard"
    """Definitions of the 24 columns."""


class RunConfig(AnswerSettings):
    """Everything that determines the results of a run."""

    dataset: str = Field(min_length=1)
    """Name of the dataset."""
    retriever: Retriever = added_field(Dense())
    """Ranking function of the collection's passages, before the cut."""
    strip_thinking: bool = True
    """Leave `<think>...</think>` blocks out of the answer that is scored; the raw reply is kept."""
    repeat: int = Field(default=1, ge=1, le=1000)
    """Number of this repetition, from 1; repetitions never share an answer."""
    answers: Answers = added_field("fast")
    """`fast`: the server may batch requests and reuse what it has read; `repeatable`: the same texts each time."""
    questions: int | None = Field(default=None, ge=1, le=10_000_000)
    """Number of questions from the start of the dataset; None for all."""
    has_own_seed: bool = added_field(False)
    """True if its seed is that of the first repeat + repeat - 1, so that repeats can differ."""

    @property
    def first_repeat(self) -> RunConfig:
        """Return the configuration of the first repetition, which all repetitions share."""
        seed = self.options.seed
        if self.has_own_seed:
            seed = (seed - self.repeat + 1) % SEEDS
        return self.model_copy(update={"repeat": 1, "options": self.options.model_copy(update={"seed": seed})})

    @property
    def loaded(self) -> Loaded:
        """Return what a model server must load: model, window and batch; a change of one means a reload."""
        return self.model.name, self.options.num_ctx, self.options.num_batch

    @property
    def ranked_by(self) -> RankedBy:
        """Return the rankings of the sweep that this configuration cuts."""
        return RankedBy(self.collection, self.retriever.key)

    @property
    def cut_label(self) -> str:
        """Short name of what is kept; an external system retrieves by itself."""
        return sentence("name.outside") if self.model.is_outside else self.retrieval.label

    @property
    def ranking_label(self) -> str:
        """Short name of what is kept and, unless dense, of the retriever."""
        label = self.retrieval.label
        return label if self.retriever == Dense() else sentence("name.parts", parts=(label, self.retriever.label))

    def in_prompt(self, kept: Iterable[P]) -> tuple[P, ...]:
        """Return the kept passages of a ranking in the order of the prompt. Equal texts all stay."""
        if self.passage_order == "rank":
            return tuple(kept)
        return tuple(sorted(kept, key=lambda passage: (passage.document, passage.number)))

    @model_validator(mode="after")
    def _thresholds_cut_similarities(self) -> RunConfig:
        refuse_thresholds(self.retrieval, self.retriever)
        return self

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the configuration, in hex."""
        return digest_of(self)


def refuse_thresholds(policy: RetrievalPolicy, retriever: Retriever) -> None:
    """Raise ValueError if a similarity threshold would cut a ranking that is not ordered by similarity."""
    if policy.mode not in ("normal", "none") and not retriever.is_by_similarity:
        raise ValueError(sentence("rule.threshold-without-similarity", retriever=retriever.label))


class RunState(StrEnum):
    """State of a run."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Return whether the state is final."""
        return self in (RunState.FINISHED, RunState.CANCELLED, RunState.FAILED)


LIVE_STATES = tuple(state for state in RunState if not state.is_final)
"""Queued, running or paused: something may still happen."""
RESUMABLE_STATES = (RunState.PAUSED, RunState.CANCELLED, RunState.FAILED)
"""Stopped before all questions were asked."""
RETRYABLE_STATES = (RunState.FINISHED, RunState.FAILED)
"""Nothing is under way, so that failed questions can be asked again."""

Act = Literal["pause", "resume", "retry", "cancel"]
"""Actions of a person on a run."""


class RunCounts(Frozen):
    """Progress of a run; asked = answered + failed."""

    questions: int = 0
    """Number of planned evaluations."""
    answered: int = 0
    """Number of questions with an answer."""
    scored: int = 0
    """Number of questions with scores."""
    failed: int = 0
    """Number of questions without an answer, with a reason."""
    uncovered: int = 0
    """Number of questions for which no passage was kept."""
    abstained: int = 0
    """Questions whose answer states that the passages do not contain it."""
    truncated: int = 0
    """Number of questions whose prompt or answer was cut."""
    reused: int = 0
    """Number of questions whose answer was generated for another evaluation with the same prompt."""


def sweep_id_of(run_id: str) -> str:
    """Return the sweep id in a run id; NotFoundError for another text."""
    sweep_id = run_id.rpartition("-")[0]
    if not sweep_id:
        raise NotFoundError(sentence("problem.no-run", run=run_id))
    return sweep_id


class RunMemory(Frozen):
    """Memory while a run was processed, as far as the process that finished it saw; the largest of what it read."""

    passer_bytes: int | None = None
    """Resident memory of the PaSSER process, read every second; runs that it processed meanwhile are included."""
    model: ModelMemory | None = None
    """Memory of the model at the end of the run, as its server reports it; None if it does not."""

    def most(self, other: RunMemory) -> RunMemory:
        """Return the larger of each."""
        read = [each for each in (self.passer_bytes, other.passer_bytes) if each is not None]
        models = [each for each in (self.model, other.model) if each is not None]
        return RunMemory(
            passer_bytes=max(read, default=None), model=max(models, key=lambda each: each.total_bytes, default=None)
        )


class Run(Frozen):
    """A configuration with its state and times."""

    @model_validator(mode="before")
    @classmethod
    def _without_computed(cls, given: Any) -> Any:
        """Read its own JSON again: computed fields follow from the others."""
        if isinstance(given, dict):
            computed = cls.model_computed_fields
            return {name: value for name, value in given.items() if name not in computed}
        return given

    id: str
    """Unique."""
    sweep_id: str
    """The sweep it belongs to; a run alone is a sweep of one."""
    position: int
    """Place within its sweep, from 0; the baseline comes first."""
    name: LocalizedText
    """Shown in tables, in today's words; text in the reader's language, and English where it is stored."""
    first_name: str | None = Field(default=None, exclude=True)
    """Name by which evidence knows it, where an earlier version labelled it in other words; None if `name` is it."""
    config: RunConfig
    """Its configuration."""
    is_baseline: bool = False
    """True if the sweep's other runs are compared with it."""
    state: RunState = RunState.QUEUED
    """State of the run."""
    reason: LocalizedText | None = None
    """Reason why it is paused or failed, in one sentence."""
    held: bool = False
    """True if a person paused it: it then waits for them, not for a server."""
    counts: RunCounts = RunCounts()
    """Counts of questions by state."""
    model_info: ModelInfo | None = None
    """The server's description of the model when the run began; never changes afterwards."""
    scored_by: dict[str, str] = Field(default_factory=dict)
    """Conditions of the scores besides the texts: encoder digest, limits, variants; fixed at creation."""
    created_at: datetime
    """UTC."""
    started_at: datetime | None = None
    """UTC."""
    finished_at: datetime | None = None
    """UTC."""
    memory: RunMemory | None = None
    """Memory that it took; None until it first ends, and of runs of earlier versions."""

    @property
    def stored_name(self) -> str:
        """Return the name at its creation, which never changes."""
        return self.first_name or self.name

    @computed_field  # type: ignore[prop-decorator]
    @property
    def acts(self) -> tuple[Act, ...]:
        """Actions that are possible in the current state, in display order."""
        possible: dict[Act, bool] = {
            "pause": self.state in (RunState.QUEUED, RunState.RUNNING),
            "resume": self.state in RESUMABLE_STATES,
            "retry": self.counts.failed > 0 and self.state in RETRYABLE_STATES,
            "cancel": self.state in LIVE_STATES,
        }
        return tuple(act for act, is_possible in possible.items() if is_possible)


EvaluationState = Literal["pending", "answered", "scored", "failed"]
PROMPT_TOO_LONG = frozenset({"server.context", "server.context-counted"})
"""Codes of the reasons of failures that every retry repeats: the prompt does not fit the context window."""
"""State of one question of a run."""


class Evaluation(Frozen):
    """One question under one configuration, with answer and scores."""

    run_id: str
    """Its run."""
    number: int
    """Place of the question in the dataset, from 0."""
    question_id: str
    """Its question."""
    state: EvaluationState = "pending"
    """State of the question."""
    reason: LocalizedText | None = None
    """Reason of a failure, in one sentence."""
    kept: tuple[int, int] = (0, 0)
    """Places [first, last) of the ranking that were kept."""
    prompt_digest: str | None = None
    """Digest of its prompt; None when nothing was asked."""
    answer_key: str | None = None
    """Its answer."""
    reused: bool = False
    """True if the answer was generated for an earlier evaluation."""
    pair_key: str | None = None
    """Content address of its scored (reference, answer) pair."""
    scores: dict[str, Score] | None = None
    """The 24 columns, once scored."""
