"""Signing by wallets: the server prepares and posts, a person's wallet signs, and no key is ever here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from passer.domain.base import Count, Frozen
from passer.domain.ledger.antelope.transaction import ChainTransaction, unpacked_transaction
from passer.domain.ledger.entry import Digest
from passer.errors import LeaseError, LedgerUnavailable, NotFoundError, SigningRefused
from passer.ports import Clock, ContractKind, Journal, Outbox, Sent, WalletLedger
from passer.services.leasing import leased
from passer.services.posting import POSTER, Posting, elsewhere
from passer.services.preparing import LEDGER, Preparing, permission_of

T = TypeVar("T")

PATIENCE_S, PAUSE_S = 10.0, 0.1
"""How long a person waits for a poster that is at work, and between two looks."""
NO_CHAIN = (
    "Set PASSER_LEDGER=antelope with PASSER_CHAIN_URLS and PASSER_CHAIN_CONTRACT to record with a wallet: entries are "
    "recorded in the local ledger."
)
SIGNS_ITSELF = (
    "Leave PASSER_CHAIN_ACCOUNT and the key out of the server's settings to sign with a wallet: this server has a key "
    "and records by itself."
)


class WalletChain(Frozen):
    """What a wallet has to know, and whether anything waits for it."""

    available: bool
    """Whether a wallet can sign here, now."""
    reason: str | None
    """Why not, and what to do about it, in one sentence."""
    chain_id: Digest | None = None
    """Which chain; None where none is set, or none answers."""
    urls: tuple[str, ...] = ()
    """Addresses of its nodes, without passwords."""
    contract: str | None = None
    """Account that holds the contract."""
    kind: ContractKind = "llmtest"
    """Which contract it is."""
    abi: dict[str, Any] | None = None
    """The contract's ABI as JSON: a browser need not ask a node for it."""
    signs_itself: bool
    """Whether the server has a key: entries go by themselves."""
    waiting: Count
    """Entries of all runs that wait for a signature."""
    relay: str | None = None
    """Address of the relay through which the Anchor wallet answers; None is the wallet's own."""


class TransactionToSign(Frozen):
    """A transaction that waits for a wallet."""

    id: Digest
    """SHA-256 of the packed bytes."""
    chain_id: Digest
    """Which chain."""
    contract: str
    """Account that holds the contract."""
    account: str
    """Account that is to sign, and that the rows will name."""
    permission: str
    """Which of its permissions."""
    transaction: ChainTransaction
    """What the bytes say, as wallets take it."""
    packed: str
    """The bytes, in hex."""
    expires_at: datetime
    """UTC, by the chain's clock; it has to be signed before."""
    entries: Count
    """Entries in it, at most 50."""
    run_ids: tuple[str, ...]
    """Runs that they are of."""
    waiting: Count
    """Entries that still wait after it, of the run that was asked for, or of all."""


class Signed(Frozen):
    """What came of a signature."""

    id: Digest
    """SHA-256 of the packed bytes."""
    state: Literal["posted"] = "posted"
    """The chain has it."""
    posted: Count
    """Entries in it."""
    waiting: Count
    """Entries of all runs that wait for a signature."""
    block_number: int | None
    """Block that holds it, as far as is known."""


@dataclass(frozen=True)
class Signing:
    """Prepares, takes signatures, posts."""

    outbox: Outbox
    journal: Journal
    posting: Posting
    clock: Clock
    wallet: WalletLedger | None
    """None where entries are recorded in the local ledger."""
    signs_itself: bool = False
    """Whether the server has a key."""
    relay: str | None = None
    """Address of a relay for wallets."""

    def chain(self) -> WalletChain:
        """What a wallet has to know."""
        if self.wallet is None:
            return WalletChain(available=False, reason=NO_CHAIN, signs_itself=False, waiting=0, relay=self.relay)
        known: dict[str, Any] = {"signs_itself": self.signs_itself, "waiting": self._waiting(), "relay": self.relay}
        try:
            contract = self.wallet.contract()
        except (LedgerUnavailable, NotFoundError) as exc:
            return WalletChain(available=False, reason=exc.message, **known)
        reason = SIGNS_ITSELF if self.signs_itself else None
        if contract.abi is None:
            reason = f"Deploy the contract first, or correct PASSER_CHAIN_CONTRACT: {contract.contract} holds none."
        return WalletChain(available=reason is None, reason=reason, **known, **dict(contract))

    def prepare(self, *, account: str, permission: str = "active", run_id: str | None = None) -> TransactionToSign:
        """What the account is to sign: of one run, or of whichever waits longest. SigningRefused."""
        preparing = Preparing(self.outbox, self.journal, self._asked())

        def prepared() -> Sent:
            self._post(self.journal.sent("open"))
            with leased(self.outbox, POSTER, refusal=elsewhere):
                return preparing.prepare(account=account, permission=permission, run_id=run_id)

        return self._shown(self._patiently(prepared), run_id)

    def sign(self, key: str, *, account: str, signatures: tuple[str, ...]) -> Signed:
        """Check signatures over the kept bytes, keep them, and post. SigningRefused."""
        wallet, sent = self._asked(), self._found(key)
        if account != sent.creator:
            message = f"Sign in as {sent.creator}, or prepare anew as {account}: these rows are {sent.creator}'s."
            raise SigningRefused(message, reason="other-account")
        signed = wallet.with_signatures(sent, signatures)
        # Where the chain cannot be asked now, the poster does before it pushes.
        with suppress(LedgerUnavailable):
            wallet.check(signed)
        if sent.state == "prepared":
            self._keep(signed)
        elif sent.state == "open":
            self._keep_instead(sent, signed)
        return self._posted(key)

    def drop(self, key: str) -> None:
        """Give a prepared transaction up: its entries can be prepared anew, for any account. SigningRefused."""
        sent = self._found(key)
        if not self.journal.given_up(sent) and self._found(key).state != "dropped":
            message = "Leave it: it is signed already, and posted as soon as the chain takes it."
            raise SigningRefused(message, reason="signed-already")

    def _keep_instead(self, sent: Sent, signed: Sent) -> None:
        """Signatures that were kept while the chain was away, and turn out to be foreign, make room for right ones."""
        with suppress(LedgerUnavailable):
            try:
                self._asked().check(sent)
            except SigningRefused:
                self._asked().check(signed)
                self.journal.settled([signed])

    def _keep(self, signed: Sent) -> None:
        """Before anything is pushed; where another request was quicker, its signatures are there already."""
        now = self._now()
        if signed.expires_at < now and self.journal.given_up(signed):
            raise _over(signed, now)
        self.journal.signed(signed)

    def _posted(self, key: str) -> Signed:
        """Post what was signed, as the poster does; it goes on with it where this does not get through."""
        reason = None
        with suppress(LeaseError):
            reason = self._patiently(lambda: self._post([self._found(key)]))
        sent = self._found(key)
        if sent.state == "dropped":
            raise _over(sent, self._now())
        if sent.state not in ("posted", "final"):
            message = "Do not sign again: the signatures are kept, and posted as soon as the chain takes them"
            raise SigningRefused(f"{message} ({(reason or 'another PaSSER posts').rstrip('.')}).", reason="kept")
        return Signed(id=key, posted=len(sent.identities), waiting=self._waiting(), block_number=sent.block_number)

    def _post(self, sent: Sequence[Sent]) -> str | None:
        """Post these, whenever their turn would be; why some of them wait. LeaseError."""
        identities = [identity for one in sent for identity in one.identities]
        if not identities:
            return None
        records = {one.record for one in self.outbox.awaiting(identities, ledger=LEDGER)}
        return next(iter(self.posting.post(at_once=True, only=records).reasons), None)

    def _asked(self) -> WalletLedger:
        """The chain, where wallets sign."""
        if self.wallet is None:
            raise SigningRefused(NO_CHAIN, reason="no-chain")
        if self.signs_itself:
            raise SigningRefused(SIGNS_ITSELF, reason="signs-itself")
        return self.wallet

    def _found(self, key: str) -> Sent:
        sent = self.journal.find(key)
        if sent is None:
            message = "Prepare a transaction first: none of this id was prepared here."
            raise SigningRefused(message, reason="unknown-transaction")
        return sent

    def _shown(self, sent: Sent, run_id: str | None) -> TransactionToSign:
        inside = self.outbox.awaiting(sent.identities, ledger=LEDGER)
        waiting = sum(one.waiting for one in self.outbox.unposted(ledger=LEDGER) if run_id in (None, one.run_id))
        return TransactionToSign(
            id=sent.id,
            chain_id=sent.chain_id,
            contract=sent.contract,
            account=sent.creator,
            permission=permission_of(sent),
            transaction=unpacked_transaction(bytes.fromhex(sent.packed)),
            packed=sent.packed,
            expires_at=sent.expires_at,
            entries=len(sent.identities),
            run_ids=tuple(dict.fromkeys(one.run_id for one in inside)),
            waiting=waiting - sum(run_id in (None, one.run_id) for one in inside),
        )

    def _waiting(self) -> int:
        """Entries for which nobody has signed."""
        signed = sum(len(one.identities) for one in self.journal.sent("open"))
        return max(0, sum(one.waiting for one in self.outbox.unposted(ledger=LEDGER)) - signed)

    def _now(self) -> datetime:
        """The chain's clock, or this machine's where the chain cannot be asked."""
        try:
            return self._asked().now()
        except LedgerUnavailable:
            return self.clock.now()

    def _patiently(self, work: Callable[[], T]) -> T:
        """Work that wants the poster's lease, which is held for a moment again and again."""
        until = self.clock.monotonic() + PATIENCE_S
        while True:
            try:
                return work()
            except LeaseError:
                if self.clock.monotonic() > until:
                    raise
            time.sleep(PAUSE_S)


def _over(sent: Sent, now: datetime) -> SigningRefused:
    if sent.expires_at < now:
        message = (
            f"Prepare and sign anew: the transaction expired at {sent.expires_at:%H:%M:%S} UTC, before it was sent."
        )
        return SigningRefused(message, reason="expired")
    return SigningRefused("Prepare and sign anew: this transaction was given up.", reason="given-up")
