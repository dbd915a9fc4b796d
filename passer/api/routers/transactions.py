"""Signing with a wallet: what it has to know, transactions for it, and the signatures that it gives."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import Field

from passer.api.deps import PosterDep, ServicesDep
from passer.domain.base import Frozen
from passer.domain.ledger.entry import AccountName, Digest
from passer.services.signing import Signed, TransactionToSign, WalletChain

router = APIRouter(prefix="/api/v1/ledger", tags=["ledger"])
PATH = router.prefix + "/transactions"
TransactionId = Annotated[Digest, Path(description="SHA-256 of the packed bytes, in hex.")]


class Wanted(Frozen):
    """Who is to sign, and for what."""

    account: AccountName
    """Account that is signed in."""
    permission: AccountName = "active"
    """Which of its permissions signs."""
    run_id: str | None = Field(default=None, max_length=48)
    """Only entries of this run; otherwise of those that wait longest."""


class Signatures(Frozen):
    """What a wallet gave."""

    account: AccountName
    """Account that is signed in: the one that the transaction was prepared for."""
    signatures: tuple[Annotated[str, Field(max_length=200)], ...] = Field(min_length=1, max_length=10)
    """`SIG_K1_...` over the prepared bytes."""


@router.get("/wallet", operation_id="show_wallet_chain")
def show_chain(services: ServicesDep) -> WalletChain:
    """What a wallet has to know of the chain, and whether entries wait for it."""
    return services.signing.chain()


@router.post("/transactions", operation_id="prepare_transaction", status_code=201)
def prepare(wanted: Wanted, services: ServicesDep, response: Response) -> TransactionToSign:
    """Prepare up to fifty entries for a wallet; the same bytes again for who asks again while they live."""
    made = services.signing.prepare(account=wanted.account, permission=wanted.permission, run_id=wanted.run_id)
    response.headers["location"] = f"{PATH}/{made.id}"
    return made


@router.post("/transactions/{key}/signatures", operation_id="sign_transaction", status_code=201)
def sign(key: TransactionId, given: Signatures, services: ServicesDep, poster: PosterDep) -> Signed:
    """Check signatures over the prepared bytes, keep them, and post: once, whatever happens in between."""
    try:
        return services.signing.sign(key, account=given.account, signatures=given.signatures)
    finally:
        poster.wake()


@router.delete("/transactions/{key}", operation_id="drop_transaction", status_code=204)
def drop(key: TransactionId, services: ServicesDep) -> None:
    """Give a prepared transaction up: its entries can be prepared for another account."""
    services.signing.drop(key)
