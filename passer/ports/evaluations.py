"""Store of what runs produce, written as facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

from passer.domain.base import Frozen
from passer.domain.models.answer import Answer, ModelTimings, Prompt
from passer.domain.models.model import Model
from passer.domain.retrieval.passages import Ranking, Rewriting
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import Score, ScoreTable
from passer.domain.sweeps.run import Evaluation, EvaluationState
from passer.ports.arena import GameFact
from passer.ports.judging import DraftFact, JudgementFact, MarkFact, SpentFact


class EvaluationStore(Protocol):
    """Store of rankings, prompts, answers and scores. Facts are durable once committed."""

    def record(self, facts: Sequence[Fact]) -> None:
        """Commit facts together and in order; each is idempotent."""

    def evaluations(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int | None = None,
        with_scores: bool = True,
        failed_only: bool = False,
    ) -> list[Evaluation]:
        """Return evaluations in dataset order, after that number; `failed_only` keeps those without an answer."""

    def evaluations_of_question(self, run_ids: Sequence[str], number: int) -> list[Evaluation]:
        """Return the evaluations of one question, counted from 0, in those runs that reached it, without scores."""

    def run_scores(self, run_id: str) -> RunScores:
        """Return all scores of a run as arrays, for comparisons over many questions."""

    def outcomes(self, run_id: str) -> list[Outcome]:
        """Return the outcome of each question in dataset order, without texts."""

    def rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, Ranking]:
        """Return the rankings that a sweep uses, by question id; None is all questions."""

    def bare_rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        """Return the same without the passages' texts, so that many fit into memory."""

    def ranked_questions(self, sweep_id: str, ranked_by: RankedBy) -> set[str]:
        """Return the ids of the questions of which a sweep has a ranking."""

    def found_rankings(self, source: str, questions: Sequence[str], *, depth: int) -> dict[str, SharedRanking]:
        """Return what any sweep has found for these question digests in a source, at least `depth` deep, cut to it."""

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Return the answers that exist among these keys."""

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        """Return the scores of the pairs that exist among these keys."""

    def scoring_times(self, keys: Sequence[str]) -> dict[str, float]:
        """Return the scoring seconds of the pairs that exist, each its share of a batch."""

    def prompt(self, digest: str) -> Prompt | None:
        """Return a prompt as sent."""

    def reopen(self, run_ids: Sequence[str]) -> int:
        """Delete the failed evaluations of these runs and queue the runs again, in one commit; returns their number."""

    def generation_times(self, model: Model) -> list[tuple[float, ModelTimings]]:
        """Return seconds and the server's counts of up to 500 answers from the model's newest 20 runs, in no order."""

    def effort(self, sweep_id: str) -> Effort:
        """Return the work that a sweep has used so far."""


@dataclass(frozen=True)
class RunScores:
    """Scores of the scored and failed questions of a run, in dataset order."""

    numbers: tuple[int, ...]
    """Places in the dataset, from 0."""
    table: ScoreTable
    """Rows in the same order, by question id; a failed row lacks every value as `generation_failed`."""


class Outcome(NamedTuple):
    """An evaluation with facts about its answer; these are None without an answer."""

    number: int
    """Place of the question in the dataset, from 0."""
    question_id: str
    state: EvaluationState
    kept: tuple[int, int]
    """Places [first, last) of the ranking that were kept."""
    prompt_digest: str | None
    """Digest of the prompt; None if nothing was asked."""
    abstained: bool | None
    """True if the model answered that the passages do not contain the answer."""
    truncated: Literal["prompt", "answer"] | None
    """Truncation of prompt or answer; None without one."""
    generation_s: float | None
    """Seconds to generate the answer; 0 for the fixed abstention."""
    prompt_tokens: int | None
    """Tokens of the prompt, as the server counts."""
    output_tokens: int | None
    """Tokens of the answer, as the server counts."""
    read_tokens: int | None = None
    """Tokens of the prompt that were read for it, without those that an earlier request had begun with."""
    is_too_long: bool = False
    """True if it failed because its prompt does not fit the context window, so that a retry fails too."""


@dataclass(frozen=True)
class BareRanking:
    """A ranking without passage texts."""

    passages: tuple[tuple[str, float], ...]
    """Id and similarity, nearest first."""
    gold_ids: tuple[str, ...] | None
    """Ids of all passages that contain the answer; None if unknown."""
    embedding_s: float
    """Seconds to embed the question."""
    retrieval_s: float
    """Seconds to search."""
    rewriting: Rewriting | None = None
    """What was searched for where a retriever rewrites questions; None if that was the question as it was asked."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Return passage ids with similarities, nearest first; every configuration keeps a cut of them."""
        return tuple(passage for passage, _ in self.passages)

    @cached_property
    def gold_found(self) -> tuple[int, ...]:
        """Return the ranks, from 1, at which it holds a gold passage; empty if none is known."""
        gold = set(self.gold_ids or ())
        return tuple(rank for rank, passage in enumerate(self.ids, start=1) if passage in gold)


class Effort(Frozen):
    """Work that a sweep has used, and the evaluations it served."""

    rankings: int
    """Questions retrieved for it, over all collections; without those that an earlier sweep had retrieved."""
    prompted: int
    """Evaluations answered by a model."""
    generated: int
    """Number of these evaluations whose answer was generated for them."""
    scored: int
    """Evaluations with scores."""
    pairs: int
    """Distinct (reference, answer) pairs among them."""


class SearchAddress(NamedTuple):
    """Address of a search that sweeps share."""

    source: str
    """Digest of the ranking's source."""
    question: str
    """Digest of the question's text."""
    depth: int
    """Number of passages that were searched for."""


class SharedRanking(NamedTuple):
    """A search of an earlier sweep, cut to the depth that is needed."""

    at: SearchAddress
    ranking: Ranking
    """Ranking without gold passages, which belong to a dataset and not to the text of a question."""


@dataclass(frozen=True)
class RankingFact:
    """A question of a sweep was retrieved."""

    sweep_id: str
    ranked_by: RankedBy
    question_id: str
    ranking: Ranking
    """Ranking as the sweep uses it."""
    at: SearchAddress | None = None
    """Address under which other sweeps find it; None keeps it to this sweep."""
    reused: bool = False
    """True if an earlier sweep had searched; the stored search then stays as it is."""


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
    """An evaluation changed its state."""

    evaluation: Evaluation


Fact = (
    RankingFact
    | PromptFact
    | AnswerFact
    | PairFact
    | EvaluationFact
    | JudgementFact
    | MarkFact
    | GameFact
    | DraftFact
    | SpentFact
)
"""A fact to be committed."""
