"""External systems that answer in this process: functions, LangChain runnables, and imported answers."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Protocol, cast

from passer.adapters.generators.outside import FunctionSystem
from passer.bootstrap.adapters import Adapters
from passer.bootstrap.sweeps import Sweeps
from passer.domain.cancellation import raise_if_cancelled
from passer.domain.models.model import Model
from passer.domain.models.outside import NOTHING
from passer.domain.retrieval.cuts import NoRetrievalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RESUMABLE_STATES, RunConfig
from passer.domain.sweeps.sweep import Sweep, usual_fields
from passer.errors import ConflictError, InputError, WorkCancelled
from passer.services.library.answer_files import ReadAnswers

LOOK_EVERY_S = 1.0
"""Seconds between two checks whether the job of a sweep of known answers was cancelled."""


class Runnable(Protocol):
    """Anything with `invoke`, such as a chain of LangChain."""

    @property
    def invoke(self) -> Callable[[str], Any]:
        """Return what is called with a question."""


System = Callable[[str], Any] | Runnable
"""An external system: question in; a text, or a mapping with `answer` and `passages`, out."""


def function_system(system: System, *, at_once: int) -> FunctionSystem:
    """Return a system that is asked `at_once` questions together; InputError for anything that cannot be called."""
    # A function has no digest: stored answers of an earlier process may come from another version of it.
    return FunctionSystem(_asks(system), digest=secrets.token_hex(32), at_once=at_once)


def known_system(answers: ReadAnswers) -> FunctionSystem:
    """Return a system that gives the answers of a file."""
    return FunctionSystem(answers.replies.__getitem__, digest=answers.digest, is_timed=False)


def sweep_of(systems: Mapping[str, FunctionSystem], dataset: str, *, questions: int | None, title: str | None) -> Sweep:
    """Return a sweep that asks systems the questions of a dataset; with several, the first is the baseline."""
    models = tuple(Model(provider="outside", name=name) for name in systems)
    config = RunConfig(dataset=dataset, collection=NOTHING, model=models[0], questions=questions)
    return Sweep(
        name=title or f"{dataset}, {', '.join(systems)}"[:200],
        config=config,
        axes=Axes(model=models if len(models) > 1 else ()),
        baseline=NoRetrievalPolicy() if len(models) > 1 else None,
        **usual_fields(config.profile),
    )


@contextmanager
def answering(adapters: Adapters, systems: Mapping[str, FunctionSystem]) -> Iterator[None]:
    """Let systems answer in this process, by their names."""
    known = adapters.models.functions
    known.update(systems)
    try:
        yield
    finally:
        for name in systems:
            known.pop(name, None)


@dataclass(frozen=True)
class KnownAnswers:
    """services.library.answers_import.AnswerSweeps."""

    adapters: Adapters
    sweeps: Sweeps

    def run(
        self,
        answers: Mapping[str, ReadAnswers],
        dataset: str,
        *,
        questions: int | None = None,
        title: str | None,
        key: str | None,
    ) -> str:
        """Score answers by configuration in a sweep, run here, and return its id; a known key continues its sweep."""
        systems = {name: known_system(each) for name, each in answers.items()}
        with answering(self.adapters, systems):
            wanted = sweep_of(systems, dataset, questions=questions, title=title)
            stored = self.sweeps.planner.create(wanted, idempotency_key=key)
            self._check_job(stored.id)
            with _stopped_with_its_job() as stop:
                ended = self.sweeps.runner.run(stored.id, stop=stop)
            if ended.state in RESUMABLE_STATES:
                # The function's answers go into the database, so that any process can resume the sweep.
                self.sweeps.function_answers.keep(ended)
            raise_if_cancelled()
        return stored.id

    def _check_job(self, sweep_id: str) -> None:
        """Cancel the sweep of a cancelled job: a cancellation while the sweep was created could not find it."""
        try:
            raise_if_cancelled()
        except WorkCancelled:
            # A sweep that has ended cannot be cancelled, and need not be.
            with suppress(ConflictError):
                self.sweeps.control.cancel(sweep_id)
            raise


@contextmanager
def _stopped_with_its_job() -> Iterator[Event]:
    """Return an event that is set when the job around a sweep is cancelled.

    The sweep occupies this thread until it ends, so another thread polls.
    """
    stop, over = Event(), Event()

    def watch() -> None:
        while not over.wait(LOOK_EVERY_S):
            try:
                raise_if_cancelled()
            except Exception:
                # Not only errors of ours: if this thread ended silently, the sweep could never be stopped.
                return stop.set()
        return None

    watching = Thread(target=copy_context().run, args=(watch,), name="wanted", daemon=True)
    watching.start()
    try:
        yield stop
    finally:
        over.set()
        watching.join()


def _asks(system: System) -> Callable[[str], Any]:
    invoke = getattr(system, "invoke", None)
    found = invoke if callable(invoke) else system
    if not callable(found):
        raise InputError("A system must be a function, or have a method invoke. Pass one of these.", field="systems")
    return cast("Callable[[str], Any]", found)
