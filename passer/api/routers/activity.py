"""The activity log of a project, for its administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from passer.api.deps import Page, ServicesDep
from passer.api.files import described_files, file_response
from passer.domain.accounts.activity import ActivityCheck, LoggedAct

router = APIRouter(prefix="/api/v1", tags=["activity"])

MOST_ROWS = 500


@router.get("/activity", operation_id="list_activity")
def list_activity(
    services: ServicesDep,
    account: Annotated[str | None, Query(description="Only rows of this account.", max_length=60)] = None,
    operation: Annotated[str | None, Query(description="Only acts of this kind.", max_length=60)] = None,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1, description="Only rows before this one.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 100,
) -> Page[LoggedAct]:
    """List who did what in the project, the newest first. Requests that only read are not recorded."""
    found = services.activity.newest(account=account, operation=operation, before=before, limit=limit + 1)
    shown = tuple(found[:limit])
    return Page(items=shown, next=str(shown[-1].number) if len(found) > limit else None)


@router.get("/activity/check", operation_id="check_activity")
def check_activity(services: ServicesDep) -> ActivityCheck:
    """Check the digests of the whole log: whether a row was changed, removed or inserted since it was recorded."""
    return services.activity.check()


@router.get(
    "/activity/export",
    operation_id="export_activity",
    response_class=StreamingResponse,
    responses=described_files(".jsonl"),
)
def export_activity(services: ServicesDep) -> StreamingResponse:
    """Export the whole log as JSON Lines, the oldest row first."""
    return file_response(services.activity.exported(), name="activity.jsonl")
