"""The ledger: where it stands, what is in it, and how far the entries of a run are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from passer.api.deps import PosterDep, ServicesDep
from passer.ports import LedgerHead, LedgerPage, LedgerQuery
from passer.services.recording import RunEntries

router = APIRouter(prefix="/api/v1", tags=["ledger"])


@router.get("/ledger/head", operation_id="show_ledger_head")
def show_head(services: ServicesDep) -> LedgerHead:
    """Where the ledger stands, what it proves, and what it does not: publish the digest elsewhere."""
    return services.ledger.head()


@router.get("/ledger/entries", operation_id="list_ledger_entries")
def list_entries(
    services: ServicesDep,
    account: Annotated[str | None, Query(description="Only rows that this account signed.", max_length=13)] = None,
    run: Annotated[str | None, Query(description="Only rows of this run: its id, or its testid.")] = None,
    since: Annotated[AwareDatetime | None, Query(description="Recorded then or later.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Recorded before.")] = None,
    after: Annotated[str | None, Query(description="Id of the last row of the page before.", max_length=40)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> LedgerPage:
    """Rows straight from the ledger, oldest first."""
    query = LedgerQuery(account=account, since=_utc(since), until=_utc(until), after=after, limit=limit)
    return services.tracing.page(query, run=run)


@router.get("/runs/{run_id}/entries", operation_id="list_run_entries")
def list_run_entries(
    run_id: str,
    services: ServicesDep,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> RunEntries:
    """What was recorded of a run, what waits, and why."""
    return services.recording.entries(run_id, after=after, limit=limit)


@router.post("/runs/{run_id}/entries", operation_id="record_run", status_code=201)
def record_run(run_id: str, services: ServicesDep, poster: PosterDep) -> RunEntries:
    """Record a finished run that was finished before there was a ledger, or for another one."""
    services.recording.record(run_id)
    poster.wake()
    return services.recording.entries(run_id)


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)
