"""What runs leave behind, fact by fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from passer.domain.answer import Answer, Prompt
from passer.domain.base import Frozen
from passer.domain.retrieval import Ranking
from passer.domain.run import Evaluation, EvaluationState, Model
from passer.domain.score import Score, ScoreTable


class EvaluationStore(Protocol):
    """What runs leave behind, durable as soon as it is committed."""

    def record(self, facts: Sequence[Fact]) -> None:
        """Commit facts together, in order; each is idempotent."""
        ...

    def evaluations(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int | None = None,
        with_scores: bool = True,
        failed_only: bool = False,
    ) -> list[Evaluation]:
        """In dataset order, after that number; `failed_only` leaves out all that have an answer."""
        ...

    def run_scores(self, run_id: str) -> RunScores:
        """All of a run's scores at once, as arrays: for comparing many questions."""
        ...

    def outcomes(self, run_id: str) -> list[Outcome]:
        """What became of each question of a run, in dataset order, without texts: for looking at many."""
        ...

    def rankings(self, sweep_id: str, collection: str, *, question_id: str | None = None) -> dict[str, Ranking]:
        """Stored rankings by question id; of one question alone where it is named."""
        ...

    def bare_rankings(
        self, sweep_id: str, collection: str, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        """Those of these questions that exist, or all, without the passages' texts: many fit into memory."""
        ...

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Those that exist."""
        ...

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        """Scores of those pairs that exist."""
        ...

    def scoring_times(self, keys: Sequence[str]) -> dict[str, float]:
        """Seconds that scoring those pairs that exist took, each its share of a batch."""
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


@dataclass(frozen=True)
class RunScores:
    """The scored and the failed questions of a run, in dataset order."""

    numbers: tuple[int, ...]
    """Places in the dataset, from 0."""
    table: ScoreTable
    """Rows in the same order, under the questions' ids; a failed one lacks everything as `generation_failed`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """An evaluation with what is counted of its answer; the latter is None without one."""

    number: int
    """Place of the question in the dataset, from 0."""
    question_id: str
    state: EvaluationState
    kept: tuple[int, int]
    """Places [first, last) of the ranking that were kept."""
    prompt_digest: str | None
    """None when nothing was asked."""
    abstained: bool | None
    """Whether the answer says that the passages do not hold it."""
    truncated: Literal["prompt", "answer"] | None
    """What was cut."""
    generation_s: float | None
    """Seconds of generating the answer; 0 where it is fixed."""
    prompt_tokens: int | None
    """As the server counts."""
    output_tokens: int | None
    """As the server counts."""


@dataclass(frozen=True)
class BareRanking:
    """A ranking without the passages' texts."""

    passages: tuple[tuple[str, float], ...]
    """Id and similarity, nearest first."""
    gold_ids: tuple[str, ...] | None
    """Ids of all passages that hold the answer; None where that is not known."""
    embedding_s: float
    """Seconds to embed the question."""
    retrieval_s: float
    """Seconds to search."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Of the passages, nearest first; every configuration's are a cut of them."""
        return tuple(passage for passage, _ in self.passages)


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
