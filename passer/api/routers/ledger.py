"""The ledger: its current end, its rows, and the entries of a run."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from passer.api.deps import ServicesDep, WorkerDep
from passer.ports import LedgerHead, LedgerPage, LedgerQuery
from passer.services.provenance.run_recorder import RunEntries

router = APIRouter(prefix="/api/v1", tags=["ledger"])


@router.get("/ledger/head", operation_id="show_ledger_head")
def show_head(services: ServicesDep) -> LedgerHead:
    """Return the current end of the ledger and what it proves. Publish the digest elsewhere to protect earlier rows."""
    return services.adapters.ledgers.chosen.head()


@router.get("/ledger/entries", operation_id="list_ledger_entries")
def list_entries(
    services: ServicesDep,
    account: Annotated[str | None, Query(description="Only rows signed by this account.", max_length=13)] = None,
    run: Annotated[str | None, Query(description="Only rows of this run: its id, or its testid.")] = None,
    since: Annotated[AwareDatetime | None, Query(description="Only rows recorded at this time or later.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Only rows recorded before this time.")] = None,
    after: Annotated[str | None, Query(description="Id of the last row of the previous page.", max_length=40)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> LedgerPage:
    """List rows of the ledger, oldest first."""
    query = LedgerQuery(account=account, since=_utc(since), until=_utc(until), after=after, limit=limit)
    return services.provenance.ledger_browser.page(query, run=run)


@router.get("/runs/{run_id}/entries", operation_id="list_run_entries")
def list_run_entries(
    run_id: str,
    services: ServicesDep,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> RunEntries:
    """List the recorded and the waiting entries of a run, with the reason for waiting."""
    return services.provenance.run_recorder.entries(run_id, after=after, limit=limit)


@router.post("/runs/{run_id}/entries", operation_id="record_run", status_code=201)
def record_run(run_id: str, services: ServicesDep, worker: WorkerDep) -> RunEntries:
    """Record a finished run that has no record in the current ledger."""
    services.provenance.run_recorder.record(run_id)
    worker.wake()
    return services.provenance.run_recorder.entries(run_id)


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)
