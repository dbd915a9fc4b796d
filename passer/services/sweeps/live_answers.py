"""The answers that models are writing, for the sweeps that this process runs.

Nothing is stored for it: a request reads the stations of the running sweep and the text that clients of model servers
have received so far, so that observation costs nothing when nobody watches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from passer.domain.base import Frozen, storable
from passer.domain.models.answer import Answer
from passer.ports.draft import Draft
from passer.services.sweeps.scheduler import Stations
from passer.services.sweeps.tasks import Task, Waiting

MOST_SHOWN = 8
"""Unfinished answers that are shown; servers with more slots have further ones."""
MOST_CHARACTERS = 600
"""Characters shown of an answer: the end of an unfinished one, the beginning of a finished one."""
MOST_OF_QUESTION = 300


class ShownQuestion(Frozen):
    """The part of a run's question that is shown with an answer."""

    run_id: str
    """The run; of several that wait for the same answer, the first."""
    number: int
    """Place in the dataset, from 0."""
    question_id: str
    """Id of the question in the dataset."""
    question: str
    """The first 300 characters of its text."""
    evaluations: int
    """Evaluations that wait for the same answer."""


class UnfinishedAnswer(Frozen):
    """An answer that a model writes now."""

    asked: ShownQuestion
    """Model that answers."""
    stage: Literal["reading", "writing"]
    """`reading` until the first token: the server loads the model, waits for a slot of its own, or reads the prompt."""
    seconds: float
    """Since the request was sent."""
    text: str
    """The last 600 characters written."""
    characters: int
    """All characters written."""


class FinishedAnswer(Frozen):
    """An answer that has just arrived."""

    asked: ShownQuestion
    """Model that answers."""
    text: str
    """Its first 600 characters."""
    characters: int
    """All its characters."""
    seconds: float
    """Seconds from the request to the last byte."""


class SweepNow(Frozen):
    """Answers in progress of a sweep."""

    is_here: bool = False
    """True if this server runs the sweep; of one that another process runs, or nobody, nothing is known here."""
    streams: bool = True
    """True if replies are seen while they are written; those of Ray's workers are read on other machines."""
    retrieving: int = 0
    """Evaluations that wait for their passages."""
    queued: int = 0
    """Requests that wait for a free place at their model server."""
    scoring: int = 0
    """Answers that wait for their scores."""
    unfinished: tuple[UnfinishedAnswer, ...] = ()
    """Answers that are written now, at most eight, the oldest request first."""
    others: int = 0
    """Further answers that are written now."""
    latest: tuple[FinishedAnswer, ...] = ()
    """The last five answers of models, newest first."""


class LiveAnswers:
    """Shows the sweeps that this process runs; safe to use from several threads."""

    def __init__(self) -> None:
        self._running: dict[str, Stations] = {}

    @contextmanager
    def showing(self, sweep_id: str, stations: Stations) -> Iterator[None]:
        """Show a sweep as long as it runs."""
        self._running[sweep_id] = stations
        try:
            yield
        finally:
            del self._running[sweep_id]

    def now(self, sweep_id: str) -> SweepNow:
        """Return the current activity of a sweep; empty for one that this process does not run."""
        stations = self._running.get(sweep_id)
        if stations is None:
            return SweepNow()
        # A request of a stopped run may still be in flight; nobody waits for its reply.
        drafts = [(waiting, draft) for waiting, draft in stations.requests.drafts if waiting]
        sent = sorted((each for each in drafts if each[1].is_sent), key=lambda each: -each[1].seconds)
        return SweepNow(
            is_here=True,
            streams=stations.requests.streams,
            retrieving=stations.rankings.waiting,
            queued=len(drafts) - len(sent),
            scoring=len(stations.scores),
            unfinished=tuple(_unfinished(waiting, draft) for waiting, draft in sent[:MOST_SHOWN]),
            others=len(sent[MOST_SHOWN:]),
            latest=tuple(_finished(*each) for each in reversed(list(stations.latest))),
        )


def _unfinished(waiting: Sequence[Waiting], draft: Draft) -> UnfinishedAnswer:
    text = storable(draft.text)
    return UnfinishedAnswer(
        asked=_shown(waiting[0][0], len(waiting)),
        stage="writing" if text else "reading",
        seconds=round(draft.seconds, 1),
        text=text[-MOST_CHARACTERS:],
        characters=len(text),
    )


def _finished(waiting: Waiting, answer: Answer) -> FinishedAnswer:
    return FinishedAnswer(
        asked=_shown(waiting[0], 1),
        text=answer.text[:MOST_CHARACTERS],
        characters=len(answer.text),
        seconds=round(answer.generation_s, 1),
    )


def _shown(task: Task, evaluations: int) -> ShownQuestion:
    return ShownQuestion(
        run_id=task.run.id,
        number=task.number,
        question_id=task.question.id,
        question=task.question.text[:MOST_OF_QUESTION],
        evaluations=evaluations,
    )
