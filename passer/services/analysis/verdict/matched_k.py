"""Fixed k vs. threshold: tests a top-k configuration that keeps as many passages on average as a threshold."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import DatasetStore, EvaluationStore, StoredSweep
from passer.services.runs.run_browser import RunBrowser
from passer.services.sweeps.planner import SweepPlanner


@dataclass(frozen=True)
class MatchedK:
    """Makes the sweep that separates how many passages a threshold keeps from which ones."""

    run_browser: RunBrowser
    evaluations: EvaluationStore
    datasets: DatasetStore
    planner: SweepPlanner

    def match(self, run_id: str, *, idempotency_key: str | None = None) -> StoredSweep:
        """Create a sweep of two configurations: this run's threshold, and a top-k baseline with a matched k.

        k is the mean number of passages that the run kept, rounded, at least 1. The threshold's answers are taken
        over; only the Normal arm is asked. InputError for a run without a threshold, ConflictError while it is under
        way or where its dataset has changed.
        """
        stored, run = self.run_browser.run(run_id)
        policy = run.config.retrieval
        if not isinstance(policy, ScorePolicy):
            raise InputError(sentence("analysis.no-threshold", run=run.name), field="run_id")
        if self.datasets.load_dataset(run.config.dataset).digest != stored.dataset_digest:
            raise ConflictError(sentence("analysis.dataset-changed", dataset=run.config.dataset, run=run.name))
        k = max(1, round(self._mean_passages(run_id, run.name)))
        sweep = Sweep(
            name=f"k or threshold: {policy.label} or k={k}"[:200],
            config=run.config.first_repeat.model_copy(update={"has_own_seed": False}),
            axes=Axes(retrieval=(policy,)),
            baseline=NormalPolicy(k=k),
            panel=stored.sweep.panel,
            normalisation=stored.sweep.normalisation,
        )
        return self.planner.create(sweep, idempotency_key=idempotency_key)

    def _mean_passages(self, run_id: str, name: str) -> float:
        kept = [e.kept[1] - e.kept[0] for e in self.evaluations.evaluations(run_id) if e.state != "pending"]
        if not kept:
            raise ConflictError(sentence("analysis.nothing-retrieved", run=name))
        return sum(kept) / len(kept)
