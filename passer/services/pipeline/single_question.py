"""One question asked of a collection, outside of every run: the same path, with nothing kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from passer.domain.answer import Answer, Prompt
from passer.domain.base import Frozen
from passer.domain.decoding import GenerationOptions, explicit_options
from passer.domain.model import Model
from passer.domain.retrieval import NormalPolicy, RetrievalPolicy, RetrievedPassage
from passer.domain.run import RunConfig
from passer.domain.score import Score, VectorProfile
from passer.ports import Collections, Scorer
from passer.services.pipeline.answerer import Answerer, Asked, PromptSize

OUTSIDE = "-"
"""Placeholder for the dataset, which a single question does not have."""


class SingleQuestion(Frozen):
    """A question, its collection and its settings."""

    question: str = Field(min_length=1, max_length=20_000)
    """The question."""
    reference: str = Field(default="", max_length=200_000)
    """Reference answer; without one nothing is scored."""
    collection: str = Field(min_length=1)
    """Name of the collection."""
    model: Model = Model()
    """Who answers."""
    options: GenerationOptions = explicit_options()
    """How it decodes."""
    retrieval: RetrievalPolicy = NormalPolicy()
    """Which passages it sees."""
    prompt: str = "default"
    """Name of the prompt template."""
    no_passages: Literal["abstain", "ask"] = "abstain"
    """What happens when no passage is kept: a fixed answer without generation, or the question alone."""
    profile: VectorProfile = "standard"
    """Definitions of the 24 columns."""


class AnsweredQuestion(Frozen):
    """One question with passages, prompt, answer and scores."""

    asked: SingleQuestion
    """As it was asked."""
    passages: tuple[RetrievedPassage, ...]
    """All retrieved passages, nearest first; the model saw those in `kept`."""
    kept: tuple[int, int]
    """Places [first, last) that were kept."""
    embedding_s: float
    """Seconds to embed the question."""
    retrieval_s: float
    """Seconds to search."""
    prompt: Prompt | None
    """What the model was asked; None when nothing was asked."""
    size: PromptSize | None
    """The prompt, measured before it was sent."""
    answer: Answer
    """The answer."""
    scores: dict[str, Score] | None
    """The 24 columns; None without a reference."""


@dataclass(frozen=True)
class QuestionRunner:
    """Retrieves, asks and scores, and keeps nothing."""

    answerer: Answerer
    collections: Collections
    scorer: Scorer

    def ask(self, asked: SingleQuestion) -> AnsweredQuestion:
        """Ask in one attempt; NotFoundError without the collection, GenerationError and UnavailableError as usual."""
        given = asked.model_dump(include=set(RunConfig.model_fields) & set(SingleQuestion.model_fields))
        config = RunConfig(dataset=OUTSIDE, **given)
        index = self.collections.open(asked.collection) if asked.retrieval.depth else None
        found = self.answerer.ask(question=asked.question, config=config, index=index)
        return AnsweredQuestion(
            asked=asked,
            passages=found.ranking.passages,
            kept=found.kept,
            embedding_s=found.ranking.embedding_s,
            retrieval_s=found.ranking.retrieval_s,
            prompt=found.prompt,
            size=found.size,
            answer=found.answer,
            scores=self._scores(asked, found),
        )

    def _scores(self, asked: SingleQuestion, found: Asked) -> dict[str, Score] | None:
        if not asked.reference:
            return None
        [scores] = self.scorer.score([(asked.reference, found.answer.text)], profile=asked.profile)
        return dict(scores)
