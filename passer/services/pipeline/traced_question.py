"""Single questions, with a trace of each for whoever follows them from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from passer.errors import PasserError
from passer.ports import Clock, Generation, QuestionTrace, Retrieval, Scoring, Span, Traces
from passer.services.pipeline.single_question import (
    AnsweredQuestion,
    QuestionRunner,
    Retrieved,
    RetrievedQuestion,
    SingleQuestion,
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
