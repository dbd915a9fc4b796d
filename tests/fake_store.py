"""The store in memory: what the tests of services use, held to the same contract as the real ones."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.models.answer import ModelTimings
from passer.domain.models.model import Model
from passer.domain.study.registration import Registration
from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.budget import SweepBudget
from passer.domain.sweeps.run import LIVE_STATES, Evaluation, Run, RunCounts, RunMemory, RunState
from passer.errors import ConflictError, NotFoundError
from passer.ports import (
    Clock,
    Effort,
    FoundRuns,
    LedgerKind,
    ListedRun,
    RunQuery,
    RunRecord,
    StoredSweep,
    SweepProgress,
    Work,
)
from tests.fake_evaluations import MemoryEvaluations
from tests.fake_material import MemoryDatasets, MemoryImports
from tests.fake_outbox import MemoryOutbox
from tests.fake_work import MemoryWork


class MemoryStore(MemoryDatasets, MemoryImports, MemoryEvaluations):
    """ports.DatasetStore, RunStore, EvaluationStore, ImportStore on dicts; with a table of work and an outbox."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._sweeps: dict[str, StoredSweep] = {}
        self._keys: dict[str, str] = {}
        self._registrations: dict[str, Registration] = {}
        self.work = MemoryWork(clock, self._work_state)
        self.outbox = MemoryOutbox(clock, self._state_of)

    # -- sweeps and runs

    def create_sweep(
        self, sweep: StoredSweep, *, idempotency_key: str | None = None, registration: Registration | None = None
    ) -> StoredSweep:
        if idempotency_key in self._keys:
            known = self.load_sweep(self._keys[str(idempotency_key)])
            if known.sweep != sweep.sweep:
                raise ConflictError(f"This Idempotency-Key already created a different sweep, {known.id}.")
            return known
        if sweep.id in self._sweeps:
            raise ConflictError(f"Sweep {sweep.id!r} already exists.")
        self._sweeps[sweep.id] = sweep
        if registration is not None:
            self._registrations[sweep.id] = registration
        self.work.add(Work(id=sweep.id, kind="sweep", created_at=sweep.created_at), most=0, ttl_s=0)
        if idempotency_key:
            self._keys[idempotency_key] = sweep.id
        return sweep

    def sweep_of_key(self, idempotency_key: str) -> str | None:
        return self._keys.get(idempotency_key)

    def add_registration(self, registration: Registration) -> None:
        sweep_id = registration.document.sweep
        if sweep_id not in self._sweeps:
            raise NotFoundError(f"There is no sweep {sweep_id!r}.")
        if sweep_id in self._registrations:
            raise ConflictError(f"The plan of sweep {sweep_id!r} is registered already.")
        self._registrations[sweep_id] = registration
        self._sweeps[sweep_id] = self._sweeps[sweep_id].model_copy(update={"registered": registration.plan})

    def registration(self, sweep_id: str) -> Registration | None:
        return self._registrations.get(sweep_id)

    def load_sweep(self, sweep_id: str, *, counted: bool = True) -> StoredSweep:
        if sweep_id not in self._sweeps:
            raise NotFoundError(f"There is no sweep {sweep_id!r}.")
        told = self.work.raw.get(sweep_id)
        progress = told if isinstance(told, SweepProgress) else None
        stored = self._sweeps[sweep_id].model_copy(update={"progress": progress})
        if not counted:
            return stored
        counted_runs = tuple(self._counted(run, stored) for run in stored.runs)
        progress = stored.progress.counted(counted_runs) if stored.progress else None
        return stored.model_copy(update={"runs": counted_runs, "progress": progress})

    def annotate(self, sweep_id: str, annotation: Annotation) -> None:
        self._sweeps[sweep_id] = self._sweeps[sweep_id].model_copy(update={"annotation": annotation})

    def set_budget(self, sweep_id: str, budget: SweepBudget) -> None:
        self._sweeps[sweep_id] = self._sweeps[sweep_id].model_copy(update={"budget": budget})

    def list_sweeps(
        self, *, limit: int, before: str | None = None, tag: str | None = None, archived: bool | None = None
    ) -> list[StoredSweep]:
        ids = [
            sweep.id
            for sweep in reversed(self._sweeps.values())
            if (tag is None or tag in sweep.annotation.tags) and archived in (None, sweep.annotation.archived)
        ]
        start = ids.index(before) + 1 if before else 0
        return [self.load_sweep(sweep_id) for sweep_id in ids[start : start + limit]]

    def find_runs(self, query: RunQuery) -> FoundRuns:
        """Newest sweep first; the fake sorts by nothing else."""
        every = [(run, sweep) for sweep in self.list_sweeps(limit=len(self._sweeps)) for run in sweep.runs]
        wanted = [
            ListedRun(run=run, sweep_name=sweep.sweep.name, eta_s=None)
            for run, sweep in every
            if (not query.states or run.state in query.states)
            and (not query.models or run.config.model.name in query.models)
            and (not query.datasets or run.config.dataset in query.datasets)
            and query.find.lower() in f"{run.name}\n{sweep.sweep.name}".lower()
        ]
        return FoundRuns(
            items=tuple(wanted[query.after : query.after + query.limit]),
            total=len(wanted),
            models=tuple(sorted({run.config.model.name for run, _ in every})),
            datasets=tuple(sorted({run.config.dataset for run, _ in every})),
        )

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
        moved = 0
        now = self._clock.now()
        for sweep in list(self._sweeps.values()):
            runs = list(sweep.runs)
            for place, run in enumerate(runs):
                if run.id not in run_ids or (only_from and run.state not in only_from):
                    continue
                if unless_held and run.held:
                    continue
                changes = {"state": state, "reason": reason, "held": held}
                changes["finished_at"] = now if state.is_final else None
                if state is RunState.RUNNING:
                    changes["started_at"] = run.started_at or now
                runs[place] = run.model_copy(update=changes)
                moved += 1
            self._sweeps[sweep.id] = sweep.model_copy(update={"runs": tuple(runs)})
        return moved

    def finish(self, run_id: str, record: RunRecord, *, ledger: LedgerKind, memory: RunMemory | None = None) -> bool:
        if not self.set_state([run_id], RunState.FINISHED, only_from=LIVE_STATES, unless_held=True):
            return False
        for sweep in list(self._sweeps.values()):
            runs = [run.model_copy(update={"memory": memory}) if run.id == run_id else run for run in sweep.runs]
            self._sweeps[sweep.id] = sweep.model_copy(update={"runs": tuple(runs)})
        self.outbox.put_record(run_id, record, ledger=ledger)
        return True

    def _state_of(self, run_id: str) -> RunState | None:
        runs = [run for sweep in self._sweeps.values() for run in sweep.runs]
        return next((run.state for run in runs if run.id == run_id), None)

    def _work_state(self, sweep_id: str) -> RunState:
        live = [run for run in self._sweeps[sweep_id].runs if not run.state.is_final]
        by_itself = [run.state for run in live if not run.held]
        if by_itself:
            begun = any(state is not RunState.QUEUED for state in by_itself)
            return RunState.RUNNING if begun else RunState.QUEUED
        return RunState.PAUSED if live else self._sweeps[sweep_id].state

    def reopen(self, run_ids: Sequence[str]) -> int:
        failed = [key for key, e in self._evaluations.items() if key[0] in run_ids and e.state == "failed"]
        for key in failed:
            del self._evaluations[key]
        self.set_state(run_ids, RunState.QUEUED)
        return len(failed)

    def generation_times(self, model: Model) -> list[tuple[float, ModelTimings]]:
        same = [run for sweep in self._sweeps.values() for run in sweep.runs if run.config.model == model]
        begun = sorted((run for run in same if run.started_at), key=lambda run: run.started_at, reverse=True)
        newest = {run.id for run in begun[:20]}
        asked = [e for e in self._evaluations.values() if e.run_id in newest and _prompted(e) and not e.reused]
        kept = [self._answers[e.answer_key] for e in asked if e.answer_key in self._answers][:500]
        return [(answer.generation_s, answer.timings) for answer in kept]

    def effort(self, sweep_id: str) -> Effort:
        ids = {run.id for run in self._sweeps[sweep_id].runs}
        mine = [e for e in self._evaluations.values() if e.run_id in ids]
        return Effort(
            rankings=sum(key[0] == sweep_id and not fact.reused for key, fact in self._rankings.items()),
            prompted=sum(_prompted(e) for e in mine),
            generated=sum(_prompted(e) and not e.reused for e in mine),
            scored=sum(e.state == "scored" for e in mine),
            pairs=len({e.pair_key for e in mine if e.pair_key}),
        )

    def _counted(self, run: Run, sweep: StoredSweep) -> Run:
        mine = [e for (run_id, _), e in list(self._evaluations.items()) if run_id == run.id]
        said = [self._answers[e.answer_key] for e in mine if e.answer_key in self._answers]
        counts = RunCounts(
            questions=sweep.questions,
            answered=sum(e.state in ("answered", "scored") for e in mine),
            scored=sum(e.state == "scored" for e in mine),
            failed=sum(e.state == "failed" for e in mine),
            uncovered=sum(e.kept[0] == e.kept[1] for e in mine),
            abstained=sum(answer.abstained for answer in said),
            truncated=sum(answer.truncated is not None for answer in said),
            reused=sum(e.reused for e in mine),
        )
        return run.model_copy(update={"counts": counts})


def _prompted(evaluation: Evaluation) -> bool:
    return evaluation.prompt_digest is not None and evaluation.state in ("answered", "scored")
