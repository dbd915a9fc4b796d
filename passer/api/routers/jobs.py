"""Work that outlasts a request: accepted with 202, followed by its address, listed where its result will appear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Depends, Query, Request, Response

from passer.api.deps import Page, ServicesDep, WorkerDep
from passer.api.problems import Problem, problem_of, refusal
from passer.api.project_paths import placed
from passer.domain.base import Frozen
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import LocalizedJson, LocalizedText
from passer.errors import NotFoundError
from passer.ports import Work, WorkFailure, WorkKind, WorkProgress, WorkQuery
from passer.services.work.kinds import SPECS, WorkSpec
from passer.services.work.queue import error_of

router = APIRouter(prefix="/api/v1/jobs", tags=["jobs"])

OF_COLLECTIONS: tuple[WorkKind, ...] = ("ingest", "example")
OF_DATASETS: tuple[WorkKind, ...] = ("dataset", "example", "ragelo", "answers")


class Job(Frozen):
    """A job with its state and progress."""

    id: str
    """Unique."""
    kind: WorkKind
    """Kind of work."""
    subject: str | None = None
    """Name of the collection, dataset, import or model in which the result appears."""
    state: RunState = RunState.QUEUED
    """State of the job."""
    message: LocalizedText = ""
    """Current step, or the reason of a failure."""
    done: int = 0
    """Steps done."""
    total: int = 0
    """Steps in all; 0 while that is unknown."""
    result: LocalizedJson | None = None
    """Result of the job."""
    problem: Problem | None = None
    """Reason of the failure."""
    created_at: datetime
    """UTC."""
    ended_at: datetime | None = None
    """UTC; None before its end."""

    @classmethod
    def of(cls, work: Work) -> Job:
        """Return a row of the table of work as a job."""
        progress, failure = work.progress or WorkProgress(), work.failure
        return cls(
            **{name: getattr(work, name) for name in ("id", "kind", "subject", "state", "result")},
            message=failure.message if failure else progress.message,
            done=progress.done,
            total=progress.total,
            problem=_problem(failure) if failure else None,
            created_at=work.created_at,
            ended_at=work.ended_at,
        )


class Accepted(Frozen):
    """A job that was accepted; the header `Location` is its address."""

    job_id: str
    """Id of the job."""
    status_url: str
    """Path of the job, as in the header `Location`."""


Submit = Callable[[WorkSpec[Any], Sequence[bytes | BinaryIO]], Accepted]
"""Queues work with its uploaded files."""


async def _submit(services: ServicesDep, worker: WorkerDep, request: Request, response: Response) -> Submit:
    def submit(spec: WorkSpec[Any], files: Sequence[bytes | BinaryIO] = ()) -> Accepted:
        work = services.work.queue.submit(spec, files)
        worker.wake()
        path = f"{router.prefix}/{work.id}"
        response.headers["Location"] = path
        return Accepted(job_id=work.id, status_url=placed(path, request.scope))

    return submit


SubmitDep = Annotated[Submit, Depends(_submit)]


def job_of(services: ServicesDep, some_id: str) -> Job | None:
    """Return the job with this id; None where the work has no row, because it was complete at once."""
    try:
        return Job.of(services.adapters.work.find(some_id))
    except NotFoundError:
        return None


@router.get("", operation_id="list_jobs")
def list_jobs(
    services: ServicesDep,
    kind: Annotated[list[WorkKind] | None, Query(description="Only these jobs. Repeatable.")] = None,
    collection: Annotated[str | None, Query(description="Only jobs that add to this collection.")] = None,
    dataset: Annotated[str | None, Query(description="Only jobs that create this dataset.")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Page[Job]:
    """List waiting, running and ended jobs, newest first; without `kind`, all except sweeps and posting."""
    kinds = tuple(kind or SPECS)
    for subject, of in ((collection, OF_COLLECTIONS), (dataset, OF_DATASETS)):
        kinds = tuple(each for each in kinds if subject is None or each in of)
    if not kinds:
        return Page(items=())
    query = WorkQuery(kinds=kinds, subject=collection or dataset, limit=limit)
    return Page(items=tuple(Job.of(work) for work in services.adapters.work.list_work(query)))


@router.get("/{job_id}", operation_id="show_job")
def show_job(job_id: str, services: ServicesDep) -> Job:
    """Return a job with its progress."""
    return Job.of(services.adapters.work.find(job_id))


@router.post("/{job_id}/cancel", operation_id="cancel_job")
def cancel_job(job_id: str, services: ServicesDep) -> Job:
    """Cancel a waiting or running job; committed results are kept."""
    return Job.of(services.work.queue.cancel(job_id))


def _problem(failure: WorkFailure) -> Problem:
    error = error_of(failure)
    return refusal("error", 500, failure.message) if error is None else problem_of(error)
