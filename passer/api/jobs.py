"""Work that outlasts a request: accepted with 202, followed by its address."""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Event, Lock
from typing import Any, Literal

from passer.api.problems import Problem, problem_of
from passer.domain.base import Frozen
from passer.errors import ConflictError, NotFoundError, PasserError
from passer.ports import Progress

log = logging.getLogger(__name__)

KEPT = 1000
"""Ended jobs that can still be asked about."""
STOPS_WITHIN_S = 10.0


class Job(Frozen):
    """A piece of work and how far it is."""

    id: str
    """Unique."""
    kind: str
    """What is being done."""
    state: Literal["queued", "running", "finished", "failed"] = "queued"
    """Where it is."""
    message: str = ""
    """What it is doing."""
    done: int = 0
    """So many."""
    total: int = 0
    """Of so many; 0 before that is known."""
    result: dict[str, Any] | None = None
    """What came of it."""
    problem: Problem | None = None
    """Why it failed."""


class Accepted(Frozen):
    """Where to follow a job."""

    job_id: str
    """Its id."""
    status_url: str
    """Its address."""


class Jobs:
    """Runs jobs on threads, one at a time in each lane: work that must not overlap shares one."""

    def __init__(self) -> None:
        self._lanes: dict[str, ThreadPoolExecutor] = {}
        self._lock = Lock()
        self._stopping = Event()
        self._under_way, self._ended = 0, Condition()
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def start(self, kind: str, work: Callable[[Progress], Frozen | None], *, lane: str = "") -> Accepted:
        """Queue work behind what is in its lane; it gets a progress callback and returns what came of it."""
        job = Job(id=secrets.token_hex(8), kind=kind)
        self._keep(job)
        with self._lock:
            if lane not in self._lanes:
                self._lanes[lane] = ThreadPoolExecutor(max_workers=1, thread_name_prefix="jobs")
        self._lanes[lane].submit(self._run, job.id, work)
        return Accepted(job_id=job.id, status_url=f"/api/v1/jobs/{job.id}")

    def get(self, job_id: str) -> Job:
        """A job as it is now."""
        with self._lock:
            if job_id not in self._jobs:
                raise NotFoundError(f"There is no job {job_id!r}: it was of an earlier start of the server.")
            return self._jobs[job_id]

    def close(self) -> None:
        """Stop the jobs under way at their next report of progress, and start no other."""
        self._stopping.set()
        for pool in self._lanes.values():
            pool.shutdown(wait=False, cancel_futures=True)
        with self._ended:
            self._ended.wait_for(lambda: self._under_way == 0, timeout=STOPS_WITHIN_S)

    def _run(self, job_id: str, work: Callable[[Progress], Frozen | None]) -> None:
        def progress(message: str, done: int, total: int) -> None:
            if self._stopping.is_set():
                raise ConflictError("The server was stopped: start it, then ask for this again.")
            self._update(job_id, state="running", message=message, done=done, total=total)

        with self._ended:
            self._under_way += 1
        self._update(job_id, state="running")
        try:
            result = work(progress)
        except PasserError as exc:
            self._update(job_id, state="failed", message=exc.message, problem=problem_of(exc))
        except Exception:
            log.exception("job %s failed", job_id)
            detail = "PaSSER itself failed: look at the server's log."
            self._update(
                job_id, state="failed", message=detail, problem=Problem(title="Error", status=500, detail=detail)
            )
        else:
            self._update(job_id, state="finished", result=result.model_dump(mode="json") if result else None)
        finally:
            with self._ended:
                self._under_way -= 1
                self._ended.notify_all()

    def _update(self, job_id: str, **changes: Any) -> None:
        with self._lock:
            self._jobs[job_id] = self._jobs[job_id].model_copy(update=changes)

    def _keep(self, job: Job) -> None:
        with self._lock:
            self._jobs[job.id] = job
            ended = [key for key, known in self._jobs.items() if known.state in ("finished", "failed")]
            for key in ended[: max(0, len(self._jobs) - KEPT)]:
                del self._jobs[key]
