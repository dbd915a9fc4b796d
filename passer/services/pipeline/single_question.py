"""One question about a collection, outside of every run: the same steps, with nothing stored; also traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from passer.domain.base import Frozen, added_field
from passer.domain.dataset import MOST_REFERENCES
from passer.domain.judging.item import item_key
from passer.domain.models.answer import Answer, Prompt
from passer.domain.models.chat import FrozenTemplate
from passer.domain.models.decoding import GenerationOptions, explicit_options
from passer.domain.models.model import ModelInfo
from passer.domain.references import best_scores
from passer.domain.retrieval.passages import Ranking, RetrievedPassage
from passer.domain.score import Score
from passer.domain.sweeps.run import AnswerSettings, RunConfig
from passer.domain.texts.words import ENGLISH
from passer.errors import PasserError
from passer.ports import Clock, Collections, Generation, QuestionTrace, Retrieval, Scorer, Scoring, Span, Traces
from passer.services.pipeline.answerer import AnsweredPrompt, Answerer, Prepared, PromptSize

OUTSIDE = "-"
"""Placeholder for the dataset, which a single question does not have."""


class SingleQuestion(AnswerSettings):
    """A question, its collection and its settings."""

    question: str = Field(min_length=1, max_length=20_000)
    """The question."""
    reference: str = Field(default="", max_length=200_000)
    """Reference answer; without one nothing is scored."""
    other_references: tuple[Annotated[str, Field(max_length=200_000)], ...] | None = added_field(
        None, max_length=MOST_REFERENCES
    )
    """Other right answers: each score is the best over the reference and these. None: none."""
    options: GenerationOptions = explicit_options()
    """Decoding options."""


class RetrievedQuestion(Frozen):
    """One question with its passages and prompt, before the model is asked."""

    asked: SingleQuestion
    """The question as it was asked."""
    passages: tuple[RetrievedPassage, ...]
    """All retrieved passages, nearest first; the model sees those in `kept`."""
    kept: tuple[int, int]
    """Places [first, last) that are kept."""
    embedding_s: float
    """Seconds to embed the question."""
    retrieval_s: float
    """Seconds to search."""
    prompt: Prompt | None
    """Prompt of the model; None if no model is asked."""
    size: PromptSize | None
    """The prompt, measured before it is sent."""


class AnsweredQuestion(RetrievedQuestion):
    """One question with passages, prompt, answer and scores."""

    answer: Answer
    """The answer."""
    scores: dict[str, Score] | None
    """The 24 columns; None without a reference."""
    is_stored: bool = False
    """True if a sweep had stored the answer to this prompt, so that no model was asked."""
    key: str
    """Content address of question, reference, passages of the prompt and answer, by which feedback is counted."""


Retrieved = Callable[[RetrievedQuestion], None]
"""Called with the passages before the model is asked."""


@dataclass(frozen=True)
class QuestionRunner:
    """Retrieves, asks and scores one question; stores nothing."""

    answerer: Answerer
    collections: Collections
    scorer: Scorer

    def ask(self, asked: SingleQuestion, *, retrieved: Retrieved = lambda _: None) -> AnsweredQuestion:
        """Ask in one attempt; NotFoundError without the collection, GenerationError and UnavailableError as usual."""
        config = RunConfig(dataset=OUTSIDE, **asked.model_dump(include=set(AnswerSettings.model_fields)))
        index = self.collections.open(asked.collection) if asked.retrieval.depth else None
        found = self.answerer.ask(
            question=asked.question,
            config=config,
            index=index,
            prepared=lambda prepared: retrieved(_retrieved(asked, prepared)),
        )
        return self._scored(asked, found, config=config)

    def ask_with(
        self,
        asked: SingleQuestion,
        *,
        config: RunConfig,
        ranking: Ranking,
        frozen: FrozenTemplate | None,
        model_info: ModelInfo | None,
        language: str,
        metadata: Mapping[str, str] | None,
        stored: Callable[[Sequence[str]], Mapping[str, Answer]],
        retrieved: Retrieved = lambda _: None,
    ) -> AnsweredQuestion:
        """Ask with the passages, template and model of a run; errors as those of `ask`."""
        of_text = self.answerer.templates.of_text
        found = self.answerer.ask_with(
            question=asked.question,
            config=config,
            ranking=ranking,
            template=of_text(name=frozen.name, text=frozen.text) if frozen else None,
            metadata=metadata,
            model_info=model_info,
            prepared=lambda prepared: retrieved(_retrieved(asked, prepared)),
            stored=stored,
        )
        return self._scored(asked, found, config=config, language=language)

    def _scored(
        self, asked: SingleQuestion, found: AnsweredPrompt, *, config: RunConfig, language: str = ENGLISH
    ) -> AnsweredQuestion:
        scores: dict[str, Score] | None = None
        if asked.reference:
            pairs = [(each, found.answer.text) for each in (asked.reference, *(asked.other_references or ()))]
            scores = best_scores(self.scorer.score(pairs, profile=asked.profile, language=language))
        read = found.answer.outside_passages or config.in_prompt(found.passages)
        key = item_key(
            question=asked.question,
            reference=asked.reference,
            answer=found.answer.text,
            passage_ids=[passage.id for passage in read],
            language=language,
        )
        rest = {"answer": found.answer, "scores": scores, "is_stored": found.is_stored, "key": key}
        return AnsweredQuestion(**dict(_retrieved(asked, found)), **rest)


def _retrieved(asked: SingleQuestion, prepared: Prepared) -> RetrievedQuestion:
    return RetrievedQuestion(
        asked=asked,
        passages=prepared.ranking.passages,
        kept=prepared.kept,
        embedding_s=prepared.ranking.embedding_s,
        retrieval_s=prepared.ranking.retrieval_s,
        prompt=prepared.prompt,
        size=prepared.size,
    )


@dataclass(frozen=True)
class TracedQuestions(QuestionRunner):
    """Asks as its parent does, and hands on what happened."""

    traces: Traces
    clock: Clock

    def ask(self, asked: SingleQuestion, *, retrieved: Retrieved = lambda _: None) -> AnsweredQuestion:
        """Ask in one attempt; errors as those of the parent."""
        return self._traced(asked, retrieved, lambda traced: super(TracedQuestions, self).ask(asked, retrieved=traced))

    def ask_with(
        self, asked: SingleQuestion, *, retrieved: Retrieved = lambda _: None, **of_run: Any
    ) -> AnsweredQuestion:
        """Ask with the passages, template and model of a run; errors as those of the parent."""
        ask = super().ask_with
        return self._traced(asked, retrieved, lambda traced: ask(asked, retrieved=traced, **of_run))

    def _traced(
        self, asked: SingleQuestion, retrieved: Retrieved, ask: Callable[[Retrieved], AnsweredQuestion]
    ) -> AnsweredQuestion:
        began, found = self.clock.now(), list[tuple[datetime, RetrievedQuestion]]()

        def traced(question: RetrievedQuestion) -> None:
            found.append((self.clock.now(), question))
            retrieved(question)

        answered, failure = None, "PaSSER failed unexpectedly."
        try:
            answered = ask(traced)
        except PasserError as exc:
            failure = exc.message
            raise
        finally:
            self.traces.record(_trace(asked, Span(began, self.clock.now()), found, answered, failure))
        return answered


def _trace(
    asked: SingleQuestion,
    span: Span,
    found: list[tuple[datetime, RetrievedQuestion]],
    answered: AnsweredQuestion | None,
    failure: str,
) -> QuestionTrace:
    retrieval = generation = scoring = None
    if found:
        at, question = found[0]
        start, stop = question.kept
        if asked.retrieval.depth:
            retrieval = Retrieval(Span(span.began, at), question.passages[start:stop])
        # The steps follow on one another: what is left after the reply is scoring.
        replied = at
        if answered is not None and question.prompt is not None:
            seconds = 0.0 if answered.is_stored else answered.answer.generation_s
            replied = min(at + timedelta(seconds=seconds), span.ended)
            generation = Generation(Span(at, replied), question.prompt.messages, answered.answer, answered.is_stored)
        if answered is not None and answered.scores is not None:
            scoring = Scoring(Span(replied, span.ended), answered.scores)
    return QuestionTrace(
        span=span,
        question=asked.question,
        model=asked.model,
        asked=None,
        retrieval=retrieval,
        generation=generation,
        scoring=scoring,
        failure=None if answered else failure,
    )
