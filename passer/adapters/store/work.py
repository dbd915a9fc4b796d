"""The table of work: pending work, lease owners, and progress."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from passer.adapters.store.database import Database
from passer.adapters.store.schema import runs
from passer.adapters.store.schema import work as table
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.base import Frozen
from passer.domain.sweeps.run import LIVE_STATES, RESUMABLE_STATES, RunState
from passer.domain.wording.sentence import STORED, sentence
from passer.errors import NotFoundError, QueueFull
from passer.ports import Clock, Work, WorkFailure, WorkProgress, WorkQuery

LIVE = tuple(state.value for state in LIVE_STATES)
KEPT_KINDS = ("assess", "draft", "tune")
"""Kinds whose rows hold state or results of an assessment."""
OPEN = (RunState.QUEUED.value, RunState.RUNNING.value)


class DatabaseWork:
    """ports.WorkStore on SQL."""

    def __init__(self, database: Database, clock: Clock, *, project: str = DEFAULT_PROJECT) -> None:
        """Read and write the table of a project's database."""
        self._database, self._clock, self._project = database, clock, project

    def add(self, work: Work, *, most: int, ttl_s: float) -> Work:
        with self._database.begin() as connection:
            waiting = select(func.count()).where(table.c.kind == work.kind, table.c.state == RunState.QUEUED.value)
            if connection.execute(waiting).scalar_one() >= most:
                raise QueueFull(sentence("work.queue-full", most=most))
            until = self._database.seconds(connection) + ttl_s if work.owner else None
            connection.execute(table.insert().values(**new_row(work), lease_until=until))
            return self._find(connection, work.id)

    def find(self, work_id: str) -> Work:
        with self._database.connect() as connection:
            return self._find(connection, work_id)

    def list_work(self, query: WorkQuery) -> list[Work]:
        wanted: list[ColumnElement[bool]] = [table.c.kind.in_(query.kinds)] if query.kinds else []
        if query.subject is not None:
            wanted.append(table.c.subject == query.subject)
        return self._select(*wanted, order=table.c.number.desc(), limit=query.limit)

    def waiting(self) -> list[Work]:
        begun = select(runs.c.sweep_id).where(runs.c.state.in_(LIVE), runs.c.held.is_(False))
        return self._select(or_(table.c.state.in_(OPEN), table.c.id.in_(begun)), order=table.c.number.asc())

    def acquire(self, work_id: str, owner: str, *, ttl_s: float) -> str:
        with self._database.begin() as connection:
            # Locked, so that a holder who gives it back meanwhile leaves no moment in which nobody holds it.
            row = select(table.c.lease_owner, table.c.lease_until).where(table.c.id == work_id).with_for_update()
            found = connection.execute(row).one_or_none()
            if found is None:
                raise _unknown(work_id)
            now = self._database.seconds(connection)
            if found.lease_owner not in (None, owner) and found.lease_until >= now:
                return str(found.lease_owner)
            taken = update(table).where(table.c.id == work_id).values(lease_owner=owner, lease_until=now + ttl_s)
            connection.execute(taken)
            return owner

    def renew(self, work_id: str, owner: str, *, ttl_s: float, progress: Frozen | None = None) -> bool:
        given: dict[str, Any] = {"work": work_id, "holder": owner}
        if progress is not None:
            given["told"] = progress.model_dump(mode="json", context=STORED)
        with self._database.begin() as connection:
            # By the database's clock: two machines may differ by more than a lease lasts.
            given["until"] = self._database.seconds(connection) + ttl_s
            return connection.execute(_renewed(tells=progress is not None), given).rowcount == 1

    def release(self, work_id: str, owner: str) -> None:
        free = update(table).where(*_held(work_id, owner)).values(lease_owner=None, lease_until=None)
        self._database.change(free)

    def begin(self, work_id: str, owner: str) -> bool:
        values = {"state": RunState.RUNNING.value, "started_at": func.coalesce(table.c.started_at, self._clock.now())}
        moved = update(table).where(*_held(work_id, owner), table.c.state.in_(OPEN)).values(values)
        return self._database.change(moved) == 1

    def end(
        self,
        work_id: str,
        owner: str,
        state: RunState,
        *,
        result: dict[str, Any] | None = None,
        failure: WorkFailure | None = None,
    ) -> bool:
        values = {
            "state": state.value,
            "result": result,
            "failure": failure.model_dump(mode="json", context=STORED) if failure else None,
            "ended_at": self._clock.now() if state.is_final else None,
            "lease_owner": None,
            "lease_until": None,
        }
        # Only for the lease owner, and only while it runs: an earlier cancellation must not be overwritten.
        running = table.c.state == RunState.RUNNING.value
        return self._database.change(update(table).where(*_held(work_id, owner), running).values(values)) == 1

    def cancel(self, work_id: str) -> bool:
        # The lease is released, too: the worker notices this at its next renewal (decision 005).
        values = {"state": RunState.CANCELLED.value, "ended_at": self._clock.now()}
        free = {"lease_owner": None, "lease_until": None}
        with self._database.begin() as connection:
            moved = update(table).where(table.c.id == work_id, table.c.state.in_(LIVE)).values(**values, **free)
            return connection.execute(moved).rowcount == 1

    def requeue(self, work_id: str) -> bool:
        values = {"state": RunState.QUEUED.value, "failure": None, "result": None, "ended_at": None}
        resumable = table.c.state.in_([state.value for state in RESUMABLE_STATES])
        # A finished drafting can be resumed with a higher target.
        stopped = resumable | ((table.c.kind == "draft") & (table.c.state == RunState.FINISHED.value))
        return self._database.change(update(table).where(table.c.id == work_id, stopped).values(values)) == 1

    def prune(self, kept: int) -> Sequence[str]:
        """Delete old ended rows; return their ids."""
        # Assessments, draftings and tunings are kept: their row is their state, and they can be resumed at any time.
        ended = and_(table.c.state.is_not(None), table.c.state.not_in(LIVE), table.c.kind.not_in(KEPT_KINDS))
        with self._database.begin() as connection:
            numbers = select(table.c.number).where(ended).order_by(table.c.number.desc())
            oldest = connection.execute(numbers.offset(kept).limit(1)).scalar()
            if oldest is None:
                return []
            gone = connection.execute(select(table.c.id).where(ended, table.c.number <= oldest)).scalars().all()
            connection.execute(delete(table).where(ended, table.c.number <= oldest))
            return list(gone)

    def _find(self, connection: Connection, work_id: str) -> Work:
        found = self._loaded(connection, table.c.id == work_id)
        if not found:
            raise _unknown(work_id)
        return found[0]

    def _select(self, *wanted: ColumnElement[bool], order: Any, limit: int | None = None) -> list[Work]:
        with self._database.connect() as connection:
            return self._loaded(connection, *wanted, order=order, limit=limit)

    def _loaded(
        self, connection: Connection, *wanted: ColumnElement[bool], order: Any = None, limit: int | None = None
    ) -> list[Work]:
        now = self._database.seconds(connection)
        query = _with_state().where(*wanted).order_by(order).limit(limit)
        return [_work(row, now, self._project) for row in connection.execute(query)]


def new_row(given: Work) -> dict[str, Any]:
    """Return the column values of a new row; a sweep stores no state, because its runs have one."""
    return {
        "id": given.id,
        "kind": given.kind,
        "subject": given.subject,
        "spec": given.spec,
        "state": None if given.kind == "sweep" else given.state.value,
        "lease_owner": given.owner,
        "created_at": given.created_at,
        "started_at": given.started_at,
    }


def _held(work_id: str, owner: str) -> tuple[ColumnElement[bool], ...]:
    # An expired lease that no other process acquired is still valid for its owner: no one else did any work.
    return table.c.id == work_id, table.c.lease_owner == owner


@cache
def _renewed(*, tells: bool) -> Update:
    # Composed once: each commit of a sweep renews its lease, and composing it takes as long as executing it.
    values: dict[str, Any] = {"lease_until": bindparam("until")}
    if tells:
        values["progress"] = bindparam("told", type_=table.c.progress.type)
    mine = table.c.id == bindparam("work"), table.c.lease_owner == bindparam("holder")
    return update(table).where(*mine).values(values)


@cache
def _with_state() -> Select[Any]:
    columns = [column for column in table.c if column.name != "state"]
    return select(*columns, _state().label("state"))


def _state() -> ColumnElement[Any]:
    """Return the stored state; for a sweep, the state that follows from its runs, so that the two cannot disagree."""

    def has_run(*which: ColumnElement[bool]) -> ColumnElement[bool]:
        return exists().where(runs.c.sweep_id == table.c.id, *which)

    by_itself = runs.c.held.is_(False)
    of_runs = case(
        (has_run(by_itself, runs.c.state.in_((RunState.RUNNING.value, RunState.PAUSED.value))), RunState.RUNNING.value),
        (has_run(by_itself, runs.c.state == RunState.QUEUED.value), RunState.QUEUED.value),
        (has_run(runs.c.state.in_(LIVE)), RunState.PAUSED.value),
        (has_run(runs.c.state == RunState.FAILED.value), RunState.FAILED.value),
        (has_run(runs.c.state == RunState.CANCELLED.value), RunState.CANCELLED.value),
        else_=literal(RunState.FINISHED.value),
    )
    return case((table.c.kind == "sweep", of_runs), else_=table.c.state)


def _work(row: Any, now: float, project: str) -> Work:
    is_leased = row.lease_owner is not None and row.lease_until >= now
    return Work(
        id=row.id,
        project=project,
        number=row.number,
        kind=row.kind,
        subject=row.subject,
        spec=row.spec,
        state=RunState(row.state),
        progress=_progress(row.progress) if row.progress else None,
        result=row.result,
        failure=WorkFailure.model_validate(row.failure) if row.failure else None,
        owner=row.lease_owner if is_leased else None,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )


def _progress(kept: dict[str, Any]) -> WorkProgress:
    """Return the progress as it was reported; a sweep reports more, and a stage instead of a message."""
    message = kept.get("message", kept.get("stage", ""))
    return WorkProgress(message=message, done=kept.get("done", 0), total=kept.get("total", 0))


def _unknown(work_id: str) -> NotFoundError:
    return NotFoundError(sentence("problem.no-job", job=work_id))
