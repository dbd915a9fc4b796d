"""Sweeps, runs and their states; a sweep's lease and progress are in the table of work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select, update

from passer.adapters.store.annotations import (
    add_registration,
    annotation_of,
    find_registration,
    only,
    plan_of,
    with_annotations,
    with_registrations,
    write,
)
from passer.adapters.store.database import Database
from passer.adapters.store.outbox import put_record
from passer.adapters.store.run_counts import counts_of
from passer.adapters.store.run_lists import find_runs
from passer.adapters.store.run_names import TEMPLATES, names_of, sweep_of
from passer.adapters.store.run_tables import keep_run_table
from passer.adapters.store.schema import runs, sweeps, work
from passer.adapters.store.work import new_row
from passer.domain.models.chat import FrozenTemplate
from passer.domain.models.model import ModelInfo
from passer.domain.study.registration import Registration
from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.budget import NO_LIMITS, SweepBudget
from passer.domain.sweeps.run import LIVE_STATES, Run, RunConfig, RunCounts, RunMemory, RunState
from passer.domain.wording.sentence import restored, sentence, stored
from passer.errors import ConflictError, NotFoundError
from passer.ports import Clock, FoundRuns, LedgerKind, RunQuery, RunRecord, StoredSweep, SweepProgress, Work

UNFINISHED = tuple(state.value for state in LIVE_STATES)


class DatabaseRuns:
    """ports.RunStore on SQL."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create_sweep(
        self, sweep: StoredSweep, *, idempotency_key: str | None = None, registration: Registration | None = None
    ) -> StoredSweep:
        known = self._sweep_of_key(idempotency_key)
        if known:
            return self._same(self.load_sweep(known), sweep)
        try:
            self._insert(sweep, idempotency_key, registration)
        # Two clients may send one key at the same moment: the second finds the sweep of the first.
        except ConflictError:
            known = self._sweep_of_key(idempotency_key)
            if not known:
                raise ConflictError(sentence("sweep.exists", sweep=sweep.id)) from None
            return self._same(self.load_sweep(known), sweep)
        return sweep

    def _insert(self, sweep: StoredSweep, idempotency_key: str | None, registration: Registration | None) -> None:
        with self._database.begin() as connection:
            # One transaction: a sweep without its row in the table of work would never be run.
            connection.execute(sweeps.insert().values(**_sweep_row(sweep), idempotency_key=idempotency_key))
            connection.execute(runs.insert(), [_run_row(run) for run in sweep.runs])
            connection.execute(work.insert().values(_work_row(sweep)))
            if registration is not None:
                add_registration(connection, registration)

    def sweep_of_key(self, idempotency_key: str) -> str | None:
        return self._sweep_of_key(idempotency_key)

    def add_registration(self, registration: Registration) -> None:
        sweep_id = registration.document.sweep
        with self._database.begin() as connection:
            if connection.execute(select(sweeps.c.id).where(sweeps.c.id == sweep_id)).one_or_none() is None:
                raise NotFoundError(sentence("problem.no-sweep", sweep=sweep_id))
            if find_registration(connection, sweep_id) is not None:
                raise ConflictError(sentence("sweep.registered", sweep=sweep_id))
            add_registration(connection, registration)

    def registration(self, sweep_id: str) -> Registration | None:
        with self._database.connect() as connection:
            return find_registration(connection, sweep_id)

    def load_sweep(self, sweep_id: str, *, counted: bool = True) -> StoredSweep:
        with self._database.connect() as connection:
            rows = connection.execute(_one_with_progress(), {"wanted": sweep_id}).all()
            if not rows:
                raise NotFoundError(sentence("problem.no-sweep", sweep=sweep_id))
            return self._load(connection, rows, counted=counted)[0]

    def list_sweeps(
        self, *, limit: int, before: str | None = None, tag: str | None = None, archived: bool | None = None
    ) -> list[StoredSweep]:
        query = only(_with_progress(), tag=tag, archived=archived).order_by(sweeps.c.number.desc()).limit(limit)
        if before:
            query = query.where(
                sweeps.c.number < select(sweeps.c.number).where(sweeps.c.id == before).scalar_subquery()
            )
        with self._database.connect() as connection:
            return self._load(connection, connection.execute(query).all())

    def set_budget(self, sweep_id: str, budget: SweepBudget) -> None:
        with self._database.begin() as connection:
            changed = update(sweeps).where(sweeps.c.id == sweep_id)
            connection.execute(changed.values(budget=budget.model_dump(mode="json")))

    def annotate(self, sweep_id: str, annotation: Annotation) -> None:
        with self._database.begin() as connection:
            write(connection, sweep_id, annotation)

    def find_runs(self, query: RunQuery) -> FoundRuns:
        with self._database.connect() as connection:
            return find_runs(connection, query, self._counted)

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
        now = self._clock.now()
        values: dict[str, Any] = {
            "state": state.value,
            "reason": None if reason is None else stored(reason),
            "held": held,
            "finished_at": now if state.is_final else None,
        }
        if state is RunState.RUNNING:
            values["started_at"] = func.coalesce(runs.c.started_at, now)
        query = update(runs).where(runs.c.id.in_(run_ids)).values(values)
        # In the statement itself: between a look and a write, another process may move the run.
        if only_from:
            query = query.where(runs.c.state.in_([s.value for s in only_from]))
        if unless_held:
            query = query.where(runs.c.held.is_(False))
        return self._database.change(query)

    def finish(self, run_id: str, record: RunRecord, *, ledger: LedgerKind, memory: RunMemory | None = None) -> bool:
        now = self._clock.now()
        live = (runs.c.id == run_id, runs.c.state.in_(UNFINISHED), runs.c.held.is_(False))
        kept = memory.model_dump(mode="json") if memory else None
        moved = {"state": RunState.FINISHED.value, "reason": None, "finished_at": now, "memory": kept}
        with self._database.begin() as connection:
            if connection.execute(update(runs).where(*live).values(moved)).rowcount != 1:
                return False
            put_record(connection, run_id, record, ledger=ledger, now=now)
        # After the commit: the table only saves time, and a disk that is full for it must not undo a finished run.
        keep_run_table(self._database, run_id)
        return True

    @staticmethod
    def _same(known: StoredSweep, asked: StoredSweep) -> StoredSweep:
        if known.sweep != asked.sweep:
            raise ConflictError(sentence("sweep.key-used", sweep=known.id))
        return known

    def _sweep_of_key(self, key: str | None) -> str | None:
        if key is None:
            return None
        with self._database.connect() as connection:
            return connection.execute(select(sweeps.c.id).where(sweeps.c.idempotency_key == key)).scalar()

    def _load(self, connection: Connection, rows: Sequence[Row[Any]], *, counted: bool = True) -> list[StoredSweep]:
        ids = [row.id for row in rows]
        run_rows = connection.execute(_runs_of(), {"wanted": ids}).all()
        counts = counts_of(connection, run_rows, self._database.finished) if counted else {}
        questions = {row.id: row.question_count for row in rows}
        names = names_of(connection, run_rows)
        by_sweep: dict[str, list[Run]] = {sweep_id: [] for sweep_id in ids}
        for row in run_rows:
            counted_now = RunCounts(questions=questions[row.sweep_id], **counts.get(row.id, {}))
            by_sweep[row.sweep_id].append(_run(row, names[row.id], counted_now))
        return [
            StoredSweep(
                id=row.id,
                sweep=sweep_of(row.spec),
                templates=tuple(FrozenTemplate.model_validate(each) for each in row.spec.get(TEMPLATES, ())),
                dataset_digest=row.dataset_digest,
                questions=row.question_count,
                runs=tuple(by_sweep[row.id]),
                created_at=row.created_at,
                annotation=annotation_of(row),
                budget=SweepBudget.model_validate(row.budget or {}),
                progress=_progress(row, by_sweep[row.id], counted=counted),
                registered=plan_of(row),
            )
            for row in rows
        ]

    def _counted(self, connection: Connection, rows: Sequence[Row[Any]]) -> list[Run]:
        """Rows of runs, each with its `question_count`, as runs."""
        counts = counts_of(connection, rows, self._database.finished)
        names = names_of(connection, rows)
        return [
            _run(row, names[row.id], RunCounts(questions=row.question_count, **counts.get(row.id, {}))) for row in rows
        ]


# Nearly every request about a sweep reads it, and to build and recognise these statements took as long as to run them.


@cache
def _with_progress() -> Select[Any]:
    """Return the query of sweeps, each with the progress that its process reported last."""
    reported = select(sweeps, work.c.progress).join(work, work.c.id == sweeps.c.id)
    return with_registrations(with_annotations(reported))


@cache
def _one_with_progress() -> Select[Any]:
    return _with_progress().where(sweeps.c.id == bindparam("wanted"))


@cache
def _runs_of() -> Select[Any]:
    wanted = runs.c.sweep_id.in_(bindparam("wanted", expanding=True))
    return select(runs).where(wanted).order_by(runs.c.sweep_id, runs.c.position)


def _progress(row: Row[Any], of: Sequence[Run], *, counted: bool) -> SweepProgress | None:
    if not row.progress:
        return None
    found = SweepProgress.model_validate(row.progress)
    return found.counted(of) if counted else found


def _sweep_row(sweep: StoredSweep) -> dict[str, Any]:
    return {
        "id": sweep.id,
        "spec": {**sweep.sweep.model_dump(mode="json"), TEMPLATES: [each.model_dump() for each in sweep.templates]},
        "dataset": sweep.sweep.config.dataset,
        "dataset_digest": sweep.dataset_digest,
        "question_count": sweep.questions,
        "created_at": sweep.created_at,
        "budget": sweep.budget.model_dump(mode="json") if sweep.budget != NO_LIMITS else None,
    }


def _work_row(sweep: StoredSweep) -> dict[str, Any]:
    return new_row(Work(id=sweep.id, kind="sweep", subject=sweep.id, created_at=sweep.created_at))


def _run_row(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "sweep_id": run.sweep_id,
        "position": run.position,
        "name": run.stored_name,
        "config": run.config.model_dump(mode="json"),
        "is_baseline": run.is_baseline,
        "state": run.state.value,
        "held": run.held,
        "model_info": run.model_info.model_dump(mode="json") if run.model_info else None,
        "scored_by": run.scored_by,
        "created_at": run.created_at,
    }


def _run(row: Row[Any], name: str, counts: RunCounts) -> Run:
    return Run(
        id=row.id,
        sweep_id=row.sweep_id,
        position=row.position,
        name=name,
        first_name=None if name == row.name else row.name,
        config=RunConfig.model_validate(row.config),
        is_baseline=row.is_baseline,
        state=RunState(row.state),
        reason=None if row.reason is None else restored(row.reason),
        held=row.held,
        counts=counts,
        model_info=ModelInfo.model_validate(row.model_info) if row.model_info else None,
        scored_by=row.scored_by,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        memory=RunMemory.model_validate(row.memory) if row.memory else None,
    )
