"""The ledger: its current end, its rows, the entries of a run, and transactions that a wallet signs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import PlainTextResponse
from pydantic import AwareDatetime, Field

from passer.api.deps import ServicesDep, WorkerDep
from passer.domain.base import Frozen
from passer.domain.ledger.entry import AccountName, Digest
from passer.ports import LedgerHead, LedgerPage, LedgerQuery
from passer.services.provenance.run_recorder import RunEntries
from passer.services.provenance.wallet_signing import Signed, TransactionToSign, WalletChain

router = APIRouter(prefix="/api/v1", tags=["ledger"])


@router.get("/ledger/head", operation_id="show_ledger_head")
def show_head(services: ServicesDep) -> LedgerHead:
    """Return the current end of the ledger and what it proves. Publish the digest elsewhere to protect earlier rows."""
    return services.adapters.ledgers.chosen.head()


@router.get("/ledger/checkpoint", operation_id="show_ledger_checkpoint", response_class=PlainTextResponse)
def show_checkpoint(services: ServicesDep) -> PlainTextResponse:
    """Return the signed checkpoint of all rows of the local ledger (c2sp.org/tlog-checkpoint)."""
    return PlainTextResponse(services.provenance.checkpoints.current().note)


@router.get("/ledger/key", operation_id="show_ledger_key", response_class=PlainTextResponse)
def show_key(services: ServicesDep) -> PlainTextResponse:
    """Return the key that signs checkpoints (a verifier key of c2sp.org/signed-note)."""
    return PlainTextResponse(services.provenance.checkpoints.key.text + "\n")


@router.get("/ledger/proof", operation_id="prove_ledger_row", response_class=PlainTextResponse)
def prove_row(
    row: Annotated[int, Query(ge=1, le=2**53 - 1, description="Number of the row.")], services: ServicesDep
) -> PlainTextResponse:
    """Return the proof that a row is in the local ledger at its checkpoint (c2sp.org/tlog-proof)."""
    return PlainTextResponse(services.provenance.checkpoints.prove(row).text)


@router.get("/ledger/consistency", operation_id="prove_ledger_consistency", response_class=PlainTextResponse)
def prove_consistency(
    earlier: Annotated[int, Query(ge=0, le=2**53 - 1, description="Number of rows of the earlier checkpoint.")],
    services: ServicesDep,
) -> PlainTextResponse:
    """Return the proof that the ledger continues an earlier checkpoint, as c2sp.org/tlog-witness takes it."""
    return PlainTextResponse(services.provenance.checkpoints.continuation(earlier).text)


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


TRANSACTIONS = "/api/v1/ledger/transactions"
TransactionId = Annotated[Digest, Path(description="SHA-256 of the packed bytes, in hexadecimal.")]


class Wanted(Frozen):
    """Request to prepare a transaction: signing account, permission and run."""

    account: AccountName
    """Account that is signed in."""
    permission: AccountName = "active"
    """Permission of the account that signs."""
    run_id: str | None = Field(default=None, max_length=48)
    """Only entries of this run; otherwise of those that wait longest."""


class Signatures(Frozen):
    """Signatures from a wallet."""

    account: AccountName
    """Account that is signed in: the one that the transaction was prepared for."""
    signatures: tuple[Annotated[str, Field(max_length=200)], ...] = Field(min_length=1, max_length=10)
    """`SIG_K1_...` over the prepared bytes."""


@router.get("/ledger/wallet", operation_id="show_wallet_chain")
def show_chain(services: ServicesDep) -> WalletChain:
    """Return the chain's data for a wallet, and whether entries wait for a signature."""
    return services.provenance.wallet_signing.chain()


@router.post("/ledger/transactions", operation_id="prepare_transaction", status_code=201)
def prepare(wanted: Wanted, services: ServicesDep, response: Response) -> TransactionToSign:
    """Prepare a transaction of up to 50 entries for a wallet; repeated requests return the same bytes."""
    made = services.provenance.wallet_signing.prepare(
        account=wanted.account, permission=wanted.permission, run_id=wanted.run_id
    )
    response.headers["location"] = f"{TRANSACTIONS}/{made.id}"
    return made


@router.post("/ledger/transactions/{key}/signatures", operation_id="sign_transaction", status_code=201)
def sign(key: TransactionId, given: Signatures, services: ServicesDep, worker: WorkerDep) -> Signed:
    """Check the signatures of the prepared bytes, store them, and post the transaction exactly once."""
    try:
        return services.provenance.wallet_signing.sign(key, account=given.account, signatures=given.signatures)
    finally:
        worker.wake()


@router.delete("/ledger/transactions/{key}", operation_id="drop_transaction", status_code=204)
def drop(key: TransactionId, services: ServicesDep) -> None:
    """Give up a prepared transaction, so that its entries can be prepared for another account."""
    services.provenance.wallet_signing.drop(key)
