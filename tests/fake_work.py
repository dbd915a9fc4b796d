"""The table of work in memory, held to the same contract as the real one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from passer.domain.base import Frozen
from passer.domain.sweeps.run import LIVE_STATES, RESUMABLE_STATES, RunState
from passer.domain.wording.counted import counted
from passer.errors import NotFoundError, QueueFull
from passer.ports import POSTING, Clock, Work, WorkFailure, WorkProgress, WorkQuery

OPEN = (RunState.QUEUED, RunState.RUNNING)


class MemoryWork:
    """ports.WorkStore on a dict; `sweep_state` gives the state of a sweep as its runs have it."""

    def __init__(self, clock: Clock, sweep_state: Callable[[str], RunState]) -> None:
        self._clock, self._sweep_state = clock, sweep_state
        self._lock = Lock()
        self._rows: dict[str, Work] = {}
        self._leases: dict[str, tuple[str, float]] = {}
        self.raw: dict[str, Frozen] = {}
        self.add(Work(id=POSTING, kind="post", created_at=clock.now()), most=1, ttl_s=0)

    def add(self, work: Work, *, most: int, ttl_s: float) -> Work:
        same = [row for row in self._rows.values() if row.kind == work.kind and row.state is RunState.QUEUED]
        if len(same) >= most and work.kind != "sweep":
            raise QueueFull(f"The queue is full: at most {counted(most, 'job')} of this kind may wait.")
        self._rows[work.id] = work.model_copy(update={"number": len(self._rows) + 1, "owner": None})
        if work.owner:
            self._leases[work.id] = (work.owner, self._clock.monotonic() + ttl_s)
        return self.find(work.id)

    def find(self, work_id: str) -> Work:
        row = self._rows.get(work_id)
        if row is None:
            raise NotFoundError(f"There is no job {work_id!r}.")
        owner, until = self._leases.get(work_id, (None, 0.0))
        state = self._sweep_state(work_id) if row.kind == "sweep" else row.state
        is_leased = owner is not None and until >= self._clock.monotonic()
        return row.model_copy(update={"owner": owner if is_leased else None, "state": state})

    def list_work(self, query: WorkQuery) -> list[Work]:
        found = [self.find(work_id) for work_id in reversed(self._rows)]
        if query.kinds:
            found = [row for row in found if row.kind in query.kinds]
        if query.subject is not None:
            found = [row for row in found if row.subject == query.subject]
        return found[: query.limit]

    def waiting(self) -> list[Work]:
        return [row for row in map(self.find, self._rows) if row.state in OPEN]

    def acquire(self, work_id: str, owner: str, *, ttl_s: float) -> str:
        with self._lock:
            self.find(work_id)
            holder, until = self._leases.get(work_id, (owner, 0.0))
            now = self._clock.monotonic()
            if holder == owner or until < now:
                self._leases[work_id] = (owner, now + ttl_s)
                return owner
            return holder

    def renew(self, work_id: str, owner: str, *, ttl_s: float, progress: Frozen | None = None) -> bool:
        if not self._is_held(work_id, owner):
            return False
        self._leases[work_id] = (owner, self._clock.monotonic() + ttl_s)
        if progress is not None:
            self.raw[work_id] = progress
            kept = progress.model_dump()
            told = WorkProgress(
                message=kept.get("message", kept.get("stage", "")), done=kept.get("done", 0), total=kept.get("total", 0)
            )
            self._rows[work_id] = self._rows[work_id].model_copy(update={"progress": told})
        return True

    def release(self, work_id: str, owner: str) -> None:
        if self._is_held(work_id, owner):
            del self._leases[work_id]

    def begin(self, work_id: str, owner: str) -> bool:
        row = self._rows[work_id]
        if not self._is_held(work_id, owner) or row.state not in OPEN:
            return False
        begun = {"state": RunState.RUNNING, "started_at": row.started_at or self._clock.now()}
        self._rows[work_id] = row.model_copy(update=begun)
        return True

    def end(
        self,
        work_id: str,
        owner: str,
        state: RunState,
        *,
        result: dict[str, Any] | None = None,
        failure: WorkFailure | None = None,
    ) -> bool:
        row = self._rows[work_id]
        if not self._is_held(work_id, owner) or row.state is not RunState.RUNNING:
            return False
        ended = self._clock.now() if state.is_final else None
        moved = {"state": state, "result": result, "failure": failure, "ended_at": ended}
        self._rows[work_id] = row.model_copy(update=moved)
        del self._leases[work_id]
        return True

    def cancel(self, work_id: str) -> bool:
        row = self._rows[work_id]
        if row.kind == "sweep" or row.state not in LIVE_STATES:
            return False
        self._rows[work_id] = row.model_copy(update={"state": RunState.CANCELLED, "ended_at": self._clock.now()})
        self._leases.pop(work_id, None)
        return True

    def requeue(self, work_id: str) -> bool:
        row = self._rows[work_id]
        goes_on = row.kind == "draft" and row.state is RunState.FINISHED
        if row.kind == "sweep" or not (goes_on or row.state in RESUMABLE_STATES):
            return False
        again = {"state": RunState.QUEUED, "failure": None, "result": None, "ended_at": None}
        self._rows[work_id] = row.model_copy(update=again)
        return True

    def prune(self, kept: int) -> Sequence[str]:
        ended = [
            row.id
            for row in reversed(self._rows.values())
            if row.kind not in ("sweep", "assess", "draft") and row.state.is_final
        ]
        for work_id in ended[kept:]:
            del self._rows[work_id]
        return ended[kept:]

    def _is_held(self, work_id: str, owner: str) -> bool:
        return self._leases.get(work_id, ("", 0.0))[0] == owner
