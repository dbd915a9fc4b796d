"""Draftings: questions that models write from documents, and what people decide about them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from passer.api.access import caller_of
from passer.api.deps import Page, ServicesDep, WorkerDep
from passer.api.routers.jobs import Job, SubmitDep, job_of
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.domain.questions.drafting import DraftState
from passer.domain.sweeps.budget import Budget, GivenBudget
from passer.services.drafting.drafts import DraftPlan, DraftRequest
from passer.services.drafting.finishing import FinishedDraft, FinishRequest
from passer.services.drafting.review import DecisionRequest, DraftTable, ShownDraft
from passer.services.work.kinds import DraftSpec

router = APIRouter(prefix="/api/v1/drafts", tags=["drafts"])


class ListedDrafting(Frozen):
    """A drafting job and its progress."""

    table: DraftTable
    """Specification of the drafting job, with counts of refused drafts by check."""
    job: Job | None
    """Its state and progress; None if it was never queued."""


class ShownDrafting(ListedDrafting):
    """A drafting job with drafts."""

    drafts: tuple[ShownDraft, ...]
    """Drafts in the order of their windows; none unless a state is asked for."""


class GoalRequest(Frozen):
    """New limits of a drafting job that is resumed."""

    target: int | None = Field(default=None, ge=1, le=100_000)
    """Number of accepted questions; None keeps it."""
    patience: int | None = Field(default=None, ge=1, le=100_000)
    """Windows without any accepted question after which it ends; None keeps it."""
    answers: Literal[True] | None = None
    """Also answer the questions of the way `inpars`; None keeps what was wanted."""
    budget: GivenBudget = Field(default=Budget())
    """Limits, in all; none by default."""


@router.get("", operation_id="list_draftings")
def list_draftings(services: ServicesDep) -> Page[ListedDrafting]:
    """List drafting jobs, the newest first."""
    return Page(items=tuple(_listed(services, each.id) for each in services.adapters.drafts.draftings()))


@router.post("/plan", operation_id="plan_drafting")
def plan_drafting(body: DraftRequest, services: ServicesDep) -> DraftPlan:
    """Count windows and requests; the models are only asked for their description."""
    services.library.model_servers.check_named([*body.models, *([body.judge] if body.judge else [])])
    return services.drafting.drafts.plan(body)


@router.post("", operation_id="create_drafting", status_code=202)
def create_drafting(body: DraftRequest, services: ServicesDep, submit: SubmitDep) -> ListedDrafting:
    """Draft questions from the documents of a collection until enough are accepted.

    It is an assessment: its judgements can be read there, and replies that exist are reused.
    """
    services.library.model_servers.check_named([*body.models, *([body.judge] if body.judge else [])])
    assessment = services.drafting.drafts.create(body)
    submit(DraftSpec(assessment=assessment.id, collection=body.collection), ())
    return _listed(services, assessment.id)


@router.get("/{drafting_id}", operation_id="show_drafting")
def show_drafting(
    drafting_id: str,
    services: ServicesDep,
    state: Annotated[
        DraftState | Literal["all"] | None, Query(description="Also the drafts of this state, or all of them.")
    ] = None,
) -> ShownDrafting:
    """Return the progress of a drafting job, the checks that refused drafts, and the requested drafts."""
    listed = _listed(services, drafting_id)
    drafts: tuple[ShownDraft, ...] = ()
    if state is not None:
        drafts = tuple(services.drafting.review.shown(drafting_id, None if state == "all" else state))
    return ShownDrafting(table=listed.table, job=listed.job, drafts=drafts)


@router.patch("/{drafting_id}/{key}", operation_id="decide_draft")
def decide_draft(
    drafting_id: str, key: str, body: DecisionRequest, services: ServicesDep, request: Request
) -> ShownDraft:
    """Accept, edit or refuse a draft, or undo that; refused where somebody else has decided meanwhile."""
    return services.drafting.review.decide(drafting_id, key, body, by=_name_of(request))


@router.post("/{drafting_id}/finish", operation_id="finish_drafting", status_code=201)
def finish_drafting(drafting_id: str, body: FinishRequest, services: ServicesDep) -> FinishedDraft:
    """Make a dataset, or a new version of one, of the accepted drafts."""
    return services.drafting.finisher.finish(drafting_id, body)


@router.post("/{drafting_id}/resume", operation_id="resume_drafting", status_code=202)
def resume_drafting(drafting_id: str, body: GoalRequest, services: ServicesDep, worker: WorkerDep) -> ListedDrafting:
    """Resume a drafting job, also a finished one for more questions or for answers; nothing is asked twice."""
    services.drafting.drafts.prepare_resume(
        drafting_id, budget=body.budget, target=body.target, patience=body.patience, answers=body.answers
    )
    services.work.queue.resume(drafting_id)
    worker.wake()
    return _listed(services, drafting_id)


@router.post("/{drafting_id}/cancel", operation_id="cancel_drafting")
def cancel_drafting(drafting_id: str, services: ServicesDep) -> Job:
    """Cancel a drafting job; drafts so far are kept."""
    services.drafting.review.table(drafting_id)
    return Job.of(services.work.queue.cancel(drafting_id))


def _listed(services: Services, drafting_id: str) -> ListedDrafting:
    # Read the job before the table: a job that finishes in between would be shown with an incomplete table.
    job = job_of(services, drafting_id)
    return ListedDrafting(table=services.drafting.review.table(drafting_id), job=job)


def _name_of(request: Request) -> str:
    caller = caller_of(request)
    return (caller.account or "") if caller is not None else ""
