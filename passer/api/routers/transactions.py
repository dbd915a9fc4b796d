"""Signing with a wallet: the chain, transactions to sign, and their signatures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import Field

from passer.api.deps import ServicesDep, WorkerDep
from passer.domain.base import Frozen
from passer.domain.ledger.entry import AccountName, Digest
from passer.services.provenance.wallet_signing import Signed, TransactionToSign, WalletChain

router = APIRouter(prefix="/api/v1/ledger", tags=["ledger"])
PATH = router.prefix + "/transactions"
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


@router.get("/wallet", operation_id="show_wallet_chain")
def show_chain(services: ServicesDep) -> WalletChain:
    """Return the chain's data for a wallet, and whether entries wait for a signature."""
    return services.provenance.wallet_signing.chain()


@router.post("/transactions", operation_id="prepare_transaction", status_code=201)
def prepare(wanted: Wanted, services: ServicesDep, response: Response) -> TransactionToSign:
    """Prepare a transaction of up to 50 entries for a wallet; repeated requests return the same bytes."""
    made = services.provenance.wallet_signing.prepare(
        account=wanted.account, permission=wanted.permission, run_id=wanted.run_id
    )
    response.headers["location"] = f"{PATH}/{made.id}"
    return made


@router.post("/transactions/{key}/signatures", operation_id="sign_transaction", status_code=201)
def sign(key: TransactionId, given: Signatures, services: ServicesDep, worker: WorkerDep) -> Signed:
    """Check the signatures of the prepared bytes, store them, and post the transaction exactly once."""
    try:
        return services.provenance.wallet_signing.sign(key, account=given.account, signatures=given.signatures)
    finally:
        worker.wake()


@router.delete("/transactions/{key}", operation_id="drop_transaction", status_code=204)
def drop(key: TransactionId, services: ServicesDep) -> None:
    """Give up a prepared transaction, so that its entries can be prepared for another account."""
    services.provenance.wallet_signing.drop(key)
