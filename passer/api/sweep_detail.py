"""A sweep as the API shows it."""

from __future__ import annotations

from datetime import datetime

from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.domain.study.registration import RegisteredPlan
from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.budget import NOTHING, Spent, SweepBudget
from passer.domain.sweeps.plan import Savings
from passer.domain.sweeps.run import Run, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import LocalizedText
from passer.ports import StoredSweep, SweepProgress
from passer.services.sweeps.lane import QueuePlace

_STORED = ("id", "state", "name", "annotation", "sweep", "dataset_digest", "questions", "runs", "registered")


class SweepDetail(Frozen):
    """A sweep as it is now."""

    id: str
    """Unique."""
    state: RunState
    """The liveliest state among its runs."""
    name: str
    """The name that people gave it, else the one it was created with."""
    annotation: Annotation
    """Name, notes and tags that people gave it."""
    sweep: Sweep
    """The sweep as it was created; its name stays the first one."""
    dataset_digest: str
    """The version of the dataset that it runs on."""
    questions: int
    """Questions of each configuration."""
    runs: tuple[Run, ...]
    """Runs in their order in the sweep."""
    templates: dict[str, str]
    """SHA-256 of the prompt templates that it began with, by name; files that are edited later change nothing."""
    created_at: datetime
    """UTC."""
    progress: SweepProgress | None
    """Progress that the process which runs the sweep reported last."""
    budget: SweepBudget
    """Limits at which it pauses; a person may change them."""
    budget_used: LocalizedText | None
    """Amounts of the budget that the sweep and its recorded judge have used, in words; None without a budget."""
    used_up: LocalizedText | None
    """Sentence that the budget is used up, so that only a larger one resumes the sweep; None while it is not."""
    notice: LocalizedText | None = None
    """Number of questions, where the dataset has fewer than were wanted; None if it has enough."""
    registered: RegisteredPlan | None = None
    """Summary of its registration; None for a sweep whose plan was not registered."""
    savings: Savings | None = None
    """Work that a finished sweep saved by reuse; None before, and in lists."""
    queue: QueuePlace | None = None
    """Position in the queue, and what it waits for; None after the start, and in lists."""
    warnings: tuple[LocalizedText, ...] = ()
    """Models that changed since the sweep was created; only in the reply to `resume` and `retry`."""

    @classmethod
    def of(
        cls,
        stored: StoredSweep,
        *,
        savings: Savings | None = None,
        queue: QueuePlace | None = None,
        judge: Spent = NOTHING,
    ) -> SweepDetail:
        """Return a stored sweep with its state; `judge` is what its recorded judge has used."""
        return cls(
            **{name: getattr(stored, name) for name in _STORED},
            templates={template.name: template.digest for template in stored.templates},
            created_at=stored.created_at,
            progress=stored.progress,
            budget=stored.budget,
            budget_used=stored.budget.used(stored.spent, judge),
            used_up=stored.budget.used_up(stored.spent),
            notice=stored.shortfall,
            savings=savings,
            queue=queue,
        )


def detail_of(services: Services, stored: StoredSweep) -> SweepDetail:
    """Return a sweep with its savings if it has ended, and with its place in the queue if it has not begun."""
    is_queued = stored.state is RunState.QUEUED
    return SweepDetail.of(
        stored,
        judge=services.judging.recorded_judge.spent(stored),
        savings=services.sweeps.planner.savings(stored) if stored.state.is_final else None,
        queue=services.server_worker.sweep_lane.place_of(stored.id, services.adapters.work.waiting())
        if is_queued
        else None,
    )
