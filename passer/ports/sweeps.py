"""Sweeps and runs as they are stored, and the list of all runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from pydantic import Field

from passer.domain.base import IN_QUERY, Frozen
from passer.domain.models.chat import FrozenTemplate
from passer.domain.study.registration import RegisteredPlan, Registration
from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.budget import NO_LIMITS, Spent, SweepBudget
from passer.domain.sweeps.run import Run, RunMemory, RunState
from passer.domain.sweeps.run_names import model_label
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import NotFoundError
from passer.ports.ledger import LedgerKind, RunRecord

RunOrder = Literal["started", "name", "sweep", "state", "model", "policy", "dataset", "questions"]
"""Sort key; `started` sorts by creation of the sweep, then by position in it."""


class RunQuery(Frozen):
    """Selects, sorts and pages runs."""

    model_config = IN_QUERY

    find: str = ""
    """Text in the names of run and sweep, ignoring case; empty matches all."""
    states: tuple[RunState, ...] = ()
    """Only runs in these states; empty matches all."""
    models: tuple[str, ...] = ()
    """Only runs of these models, by name; empty matches all."""
    datasets: tuple[str, ...] = ()
    """Only runs on these datasets; empty matches all."""
    order: RunOrder = "started"
    """Sort key."""
    is_descending: bool = True
    """Sort in descending order."""
    after: int = Field(default=0, ge=0, le=2**31 - 1)
    """Number of rows to skip."""
    limit: int = Field(default=50, ge=1, le=200)
    """Maximum number of rows."""


class ListedRun(Frozen):
    """A run in a list."""

    run: Run
    """The run with its state and counts."""
    sweep_name: str
    """Name of its sweep."""
    eta_s: float | None
    """Seconds until its sweep finishes, as last reported; None unless it is running."""


class FoundRuns(Frozen):
    """A page of runs with the available filter values."""

    items: tuple[ListedRun, ...]
    """The runs of the page."""
    total: int
    """Number of matching runs on all pages."""
    models: tuple[str, ...]
    """Names of the models of all runs."""
    datasets: tuple[str, ...]
    """Names of the datasets of all runs."""


class RecentFailure(Frozen):
    """A question that could not be answered."""

    run_id: str
    """Id of the run."""
    number: int
    """Place in the dataset, from 0; opens the evaluation together with `run_id`."""
    question_id: str
    """Id of the question in the dataset."""
    reason: LocalizedText
    """The reason, in one sentence."""
    is_too_long: bool = False
    """True if its prompt does not fit the context window, so that a retry fails too."""
    at: datetime
    """Time of the failure (UTC)."""


class FailureStreak(Frozen):
    """Equal failures of one model in a row; at the limit its runs are paused."""

    model: str
    """Its name."""
    count: int
    """Failures so far."""
    limit: int
    """Failures that pause the runs."""
    reason: LocalizedText
    """Reason of the last failure, in one sentence."""


class SweepProgress(Frozen):
    """Progress of a sweep, written by its runner, readable from any process."""

    stage: Literal["retrieving", "answering", "waiting", "done"]
    """Current activity; `waiting` while the model server is gone."""
    done: int
    """Evaluations that need nothing more."""
    total: int
    """Evaluations planned."""
    rate_per_s: float | None = None
    """Recent evaluations per second; None until it is known."""
    eta_s: float | None = None
    """Seconds to go at that rate."""
    answer_s: float | None = None
    """Mean seconds of the last answers that a model wrote; None until there is one."""
    streaks: tuple[FailureStreak, ...] = ()
    """Current streaks of equal failures."""
    failures: tuple[RecentFailure, ...] = ()
    """The last five questions that failed, newest first; those that are asked again are not among them."""
    spent: Spent = Spent()
    """Requests, tokens and running time of all processes that ran it."""
    updated_at: datetime
    """Time of the last change (UTC)."""

    def counted(self, runs: Sequence[Run]) -> SweepProgress:
        """Return the progress by what is stored of its runs, which may be ahead of what was reported last.

        Failures of runs that were retried and have none now are left out.
        """
        failing = {run.id for run in runs if run.counts.failed}
        return self.model_copy(
            update={
                "done": sum(run.counts.scored + run.counts.failed for run in runs),
                "failures": tuple(each for each in self.failures if each.run_id in failing),
            }
        )


class StoredSweep(Frozen):
    """A sweep with what was fixed when it was created."""

    id: str
    """Unique."""
    sweep: Sweep
    """The sweep as planned: its configurations, axes and rule."""
    dataset_digest: str
    """The version of the dataset that it runs on."""
    questions: int
    """Questions of each configuration."""
    runs: tuple[Run, ...]
    """Runs in order, baselines first of each model."""
    templates: tuple[FrozenTemplate, ...] = ()
    """The prompt templates that it names, as they were; empty for sweeps older than this member."""
    created_at: datetime
    """UTC."""
    progress: SweepProgress | None = None
    """Progress as last reported."""
    annotation: Annotation = Annotation()
    """Name, notes and tags that people gave it."""
    budget: SweepBudget = NO_LIMITS
    """Limits at which it pauses; a person may change them."""
    registered: RegisteredPlan | None = None
    """Summary of its registration; None for a sweep whose plan was not registered."""

    @property
    def name(self) -> str:
        """Return the name that people gave it, else the one it was created with."""
        return self.annotation.name or self.sweep.name

    def run(self, run_id: str) -> Run:
        """Return one of its runs. Raises NotFoundError if it does not exist."""
        for run in self.runs:
            if run.id == run_id:
                return run
        raise NotFoundError(sentence("problem.no-run", run=run_id))

    def model_label(self, run: Run) -> str:
        """Return the model of one of its runs in tables, with its server where other models have its name."""
        return model_label(run.name, run.config.model.name, [model.name for model in self.sweep.axes.model])

    @property
    def spent(self) -> Spent:
        """Return what it has used so far."""
        return self.progress.spent if self.progress else Spent()

    @property
    def shortfall(self) -> LocalizedText | None:
        """Return how many questions are asked instead of those wanted; None if the dataset had enough."""
        wanted = self.sweep.config.questions
        if wanted is None or wanted <= self.questions:
            return None
        return sentence("caution.fewer-questions", wanted=wanted, available=self.questions)

    @property
    def state(self) -> RunState:
        """Return the most active state among its runs; finished only if all runs are."""
        states = {run.state for run in self.runs}
        order = (RunState.RUNNING, RunState.PAUSED, RunState.QUEUED, RunState.FAILED, RunState.CANCELLED)
        return next((state for state in order if state in states), RunState.FINISHED)


class RunStore(Protocol):
    """Sweeps, their runs and states."""

    def create_sweep(
        self, sweep: StoredSweep, *, idempotency_key: str | None = None, registration: Registration | None = None
    ) -> StoredSweep:
        """Store a sweep with all its runs and its registration, or nothing.

        A known idempotency key gives the sweep made with it; ConflictError where that one is another sweep.
        """

    def sweep_of_key(self, idempotency_key: str) -> str | None:
        """Return the id of the sweep that was made with an idempotency key; None where none was."""

    def add_registration(self, registration: Registration) -> None:
        """Store the registration of a sweep that has none.

        Raises NotFoundError if the sweep does not exist, and ConflictError if it is registered.
        """

    def registration(self, sweep_id: str) -> Registration | None:
        """Return the registration of a sweep; None where its plan was not registered."""

    def load_sweep(self, sweep_id: str, *, counted: bool = True) -> StoredSweep:
        """Return a sweep with the current state of its runs; without `counted`, counts stay 0, which is faster."""

    def list_sweeps(
        self, *, limit: int, before: str | None = None, tag: str | None = None, archived: bool | None = None
    ) -> list[StoredSweep]:
        """List sweeps, newest first; `before` is the last id of the previous page.

        `tag` keeps those with this tag, `archived` the archived or the other ones; None keeps all.
        """

    def set_budget(self, sweep_id: str, budget: SweepBudget) -> None:
        """Replace the limits of a sweep that exists."""

    def annotate(self, sweep_id: str, annotation: Annotation) -> None:
        """Replace what people wrote about a sweep that exists."""

    def find_runs(self, query: RunQuery) -> FoundRuns:
        """Return one page of the runs of all sweeps that match a query, sorted."""

    def set_state(
        self,
        run_ids: Sequence[str],
        state: RunState,
        *,
        reason: str | None = None,
        only_from: Sequence[RunState] = (),
        held: bool = False,
        unless_held: bool = False,
    ) -> int:
        """Change the state of runs and return how many changed; `only_from` skips runs in other states.

        `unless_held` skips runs that a person paused, for changes that no person requested.
        """

    def finish(self, run_id: str, record: RunRecord, *, ledger: LedgerKind, memory: RunMemory | None = None) -> bool:
        """Finish a live run that no person paused, with its memory and the entries in the outbox: all, or nothing.

        Return whether it was finished; its record never changes afterwards.
        """
