"""One question asked of a collection, outside of every run: the same path, with nothing kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from passer.domain.answer import Answer, Prompt
from passer.domain.base import Frozen
from passer.domain.retrieval import NormalPolicy, RetrievalPolicy, RetrievedPassage
from passer.domain.run import GenerationOptions, Model, RunConfig
from passer.domain.score import Profile, Score
from passer.ports import Collections, Scorer
from passer.services.answering import Answering, Asked, PromptSize

OUTSIDE = "-"
"""Stands for the dataset where there is none."""


class SingleQuestion(Frozen):
    """What to ask, of what, and how."""

    question: str = Field(min_length=1, max_length=20_000)
    """The question."""
    reference: str = Field(default="", max_length=200_000)
    """What should be said; without one nothing is scored."""
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


class AnsweredQuestion(Frozen):
    """One question with everything that came of it."""

    asked: SingleQuestion
    """As it was asked."""
    passages: tuple[RetrievedPassage, ...]
    """All that were looked up, nearest first; those in `kept` were shown to the model."""
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
    """What it said."""
    scores: dict[str, Score] | None
    """The 24 columns; None without a reference."""


@dataclass(frozen=True)
class AskingOnce:
    """Retrieves, asks and scores, and keeps nothing."""

    answering: Answering
    collections: Collections
    scorer: Scorer

    def ask(self, asked: SingleQuestion) -> AnsweredQuestion:
        """One attempt; NotFoundError without the collection, GenerationError and UnavailableError as the parts say."""
        given = asked.model_dump(include=set(RunConfig.model_fields) & set(SingleQuestion.model_fields))
        config = RunConfig(dataset=OUTSIDE, **given)
        index = self.collections.open(asked.collection) if asked.retrieval.depth else None
        found = self.answering.ask(question=asked.question, config=config, index=index)
        places = asked.retrieval.keep([passage.similarity for passage in found.ranking.passages])
        return AnsweredQuestion(
            asked=asked,
            passages=found.ranking.passages,
            kept=(places.start, places.stop),
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
