"""Starts the assessment that a finished sweep waits for, where its primary metric is a judged column."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from passer.domain.judging.assessment import Assessment
from passer.domain.sweeps.budget import Spent
from passer.domain.sweeps.run import RunState
from passer.ports import JudgementStore, RunStore, StoredSweep
from passer.services.judging.assessments import AssessmentRequest, Assessments
from passer.services.judging.judged_columns import recorded_assessment


@dataclass(frozen=True)
class RecordedJudge:
    """Finds or creates the assessments that sweeps recorded before they ran."""

    runs: RunStore
    judgements: JudgementStore
    assessments: Assessments

    def assessment_of(self, sweep_id: str) -> Assessment | None:
        """Return the assessment of a finished sweep, which is saved now if there is none; its work is not queued.

        The judge gets what the sweep left of its limits; then it pauses. None if the sweep recorded no judge or is not
        finished. Errors as in `Assessments.create`.
        """
        stored = self.runs.load_sweep(sweep_id, counted=False)
        sweep = stored.sweep
        if sweep.judge is None or sweep.primary is None or stored.state is not RunState.FINISHED:
            return None
        return self._found(stored) or self.assessments.create(self.request_of(stored))

    def spent(self, stored: StoredSweep) -> Spent:
        """Return what the recorded judge of a sweep has used so far."""
        found = self._found(stored)
        return Spent() if found is None else found.spent

    def prepare_resume(self, sweep_id: str, stopped: Collection[str]) -> Assessment | None:
        """Give the recorded judge what its sweep leaves of its limits as they are now.

        None where its assessment is not among those that stopped.
        """
        stored = self.runs.load_sweep(sweep_id, counted=False)
        found = self._found(stored)
        if found is None or found.id not in stopped:
            return None
        return self.assessments.prepare_resume(found.id, stored.budget.left(stored.spent))

    def _found(self, stored: StoredSweep) -> Assessment | None:
        return recorded_assessment(stored, self.judgements.assessments(stored.id)) if stored.sweep.judge else None

    def request_of(self, stored: StoredSweep) -> AssessmentRequest:
        """Return the assessment of a sweep that recorded a judge; ValueError if it recorded none."""
        sweep, budget = stored.sweep, stored.budget
        if sweep.judge is None or sweep.primary is None:
            raise ValueError("the sweep recorded no judge")
        return AssessmentRequest(
            target=stored.id,
            judge=sweep.judge,
            columns=(sweep.primary,),
            budget=budget.left(stored.spent),
            price=budget.price_of_judge,
        )
