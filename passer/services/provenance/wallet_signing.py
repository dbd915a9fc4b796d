"""Signing by wallets: the server prepares and posts, a person's wallet signs; the server never has a key."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from passer.domain.base import Count, Frozen
from passer.domain.ledger.chain import ChainTransaction
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import LeaseError, LedgerUnavailable, NotFoundError, SigningRefused
from passer.ports import POSTING, Clock, ContractKind, Journal, Outbox, Sent, WalletLedger, WorkStore
from passer.services.provenance.outbox_poster import OutboxPoster, elsewhere
from passer.services.provenance.transaction_preparer import LEDGER, TransactionPreparer, permission_of
from passer.services.work.lease import leased

T = TypeVar("T")

PATIENCE_S, PAUSE_S = 10.0, 0.1
"""Longest wait for a busy poster, and the pause between two attempts, in seconds."""


class WalletChain(Frozen):
    """Data of the chain for a wallet, and whether entries wait for it."""

    available: bool
    """True if a wallet can sign now."""
    reason: LocalizedText | None
    """Reason why not, with the action to take, in one sentence."""
    chain_id: Digest | None = None
    """Id of the chain; None if none is set or answers."""
    urls: tuple[str, ...] = ()
    """Addresses of its nodes, without passwords."""
    contract: str | None = None
    """Account of the contract."""
    kind: ContractKind = "llmtest"
    """Kind of the contract."""
    abi: dict[str, Any] | None = None
    """The contract's ABI as JSON, so that a browser need not ask a node."""
    signs_itself: bool
    """True if the server has a key and posts by itself."""
    waiting: Count
    """Entries of all runs that wait for a signature."""
    relay: str | None = None
    """Address of the relay through which the Anchor wallet answers; None is the wallet's own."""


class TransactionToSign(Frozen):
    """A transaction that waits for a wallet."""

    id: Digest
    """SHA-256 of the packed bytes."""
    chain_id: Digest
    """The chain."""
    contract: str
    """Account of the contract."""
    account: str
    """Account that is to sign, and that the rows will name."""
    permission: str
    """Permission of the account."""
    transaction: ChainTransaction
    """Content of the bytes, in the form that wallets take."""
    packed: str
    """The bytes, in hex."""
    expires_at: datetime
    """UTC, by the chain's clock; it has to be signed before."""
    entries: Count
    """Entries in it, at most 50."""
    run_ids: tuple[str, ...]
    """Ids of the runs of its entries."""
    waiting: Count
    """Entries that still wait after it, of the run that was asked for, or of all."""


class Signed(Frozen):
    """Result of a signature."""

    id: Digest
    """SHA-256 of the packed bytes."""
    state: Literal["posted"] = "posted"
    """State of the transaction on the chain."""
    posted: Count
    """Entries in it."""
    waiting: Count
    """Entries of all runs that wait for a signature."""
    block_number: int | None
    """Block that contains it, as far as is known."""


@dataclass(frozen=True)
class WalletSigning:
    """Prepares transactions, accepts signatures and posts."""

    outbox: Outbox
    journal: Journal
    outbox_poster: OutboxPoster
    work: WorkStore
    clock: Clock
    wallet: WalletLedger | None
    """None where entries are recorded in the local ledger."""
    signs_itself: bool = False
    """True if the server has a key."""
    relay: str | None = None
    """Address of a relay for wallets."""

    def chain(self) -> WalletChain:
        """Return what a wallet needs."""
        if self.wallet is None:
            return WalletChain(
                available=False, reason=sentence("wallet.no-chain"), signs_itself=False, waiting=0, relay=self.relay
            )
        known: dict[str, Any] = {"signs_itself": self.signs_itself, "waiting": self._waiting(), "relay": self.relay}
        try:
            contract = self.wallet.contract()
        except (LedgerUnavailable, NotFoundError) as exc:
            return WalletChain(available=False, reason=exc.message, **known)
        reason = sentence("wallet.signs-itself") if self.signs_itself else None
        if contract.abi is None:
            reason = sentence("wallet.no-contract", account=contract.contract)
        return WalletChain(available=reason is None, reason=reason, **known, **dict(contract))

    def prepare(self, *, account: str, permission: str = "active", run_id: str | None = None) -> TransactionToSign:
        """Return the transaction that the account signs next, of one run or of the longest waiting.

        Raises SigningRefused if nothing waits that the account may sign.
        """
        transaction_preparer = TransactionPreparer(self.outbox, self.journal, self._asked())

        def prepared() -> Sent:
            # What was signed earlier is posted first, so that rows keep the order of their entries.
            self._post(self.journal.sent("open"))
            with leased(self.work, POSTING, refusal=elsewhere):
                return transaction_preparer.prepare(account=account, permission=permission, run_id=run_id)

        return self._shown(self._patiently(prepared), run_id)

    def sign(self, key: str, *, account: str, signatures: tuple[str, ...]) -> Signed:
        """Check signatures over the stored bytes, save them and post. Raises SigningRefused if they do not hold."""
        wallet, sent = self._asked(), self._found(key)
        if account != sent.creator:
            other = sentence("wallet.other-account", creator=sent.creator, account=account)
            raise SigningRefused(other, reason="other-account")
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
        """Give up a prepared transaction, so that any account can prepare its entries again.

        Raises SigningRefused if it is signed already.
        """
        sent = self._found(key)
        if not self.journal.given_up(sent) and self._found(key).state != "dropped":
            raise SigningRefused(sentence("wallet.signed"), reason="signed-already")

    def _keep_instead(self, sent: Sent, signed: Sent) -> None:
        """Signatures that were kept while the chain was away, and turn out to be foreign, make room for right ones."""
        with suppress(LedgerUnavailable):
            try:
                self._asked().check(sent)
            except SigningRefused:
                self._asked().check(signed)
                self.journal.settled([signed])

    def _keep(self, signed: Sent) -> None:
        """Store the signatures of a transaction."""
        # Before anything is pushed; if another request was quicker, its signatures are stored already.
        now = self._now()
        if signed.expires_at < now and self.journal.given_up(signed):
            raise _over(signed, now)
        self.journal.signed(signed)

    def _posted(self, key: str) -> Signed:
        """Post signed transactions as the poster does; those that fail here are left to the poster."""
        reason = None
        with suppress(LeaseError):
            reason = self._patiently(lambda: self._post([self._found(key)]))
        sent = self._found(key)
        if sent.state == "dropped":
            raise _over(sent, self._now())
        if sent.state not in ("posted", "final"):
            # A whole sentence: cut to a part of one it would lose its code, and stay English for every reader.
            why = reason or sentence("posting.another")
            raise SigningRefused(sentence("wallet.kept", reason=why), reason="kept")
        return Signed(id=key, posted=len(sent.identities), waiting=self._waiting(), block_number=sent.block_number)

    def _post(self, sent: Sequence[Sent]) -> str | None:
        """Post these now; return why some of them wait. Raises LeaseError if another process posts."""
        identities = [identity for one in sent for identity in one.identities]
        if not identities:
            return None
        records = {one.record for one in self.outbox.awaiting(identities, ledger=LEDGER)}
        return next(iter(self.outbox_poster.post(at_once=True, only=records).reasons), None)

    def _asked(self) -> WalletLedger:
        """Return the chain's ledger for wallets; raise SigningRefused where wallets do not sign."""
        if self.wallet is None:
            raise SigningRefused(sentence("wallet.no-chain"), reason="no-chain")
        if self.signs_itself:
            raise SigningRefused(sentence("wallet.signs-itself"), reason="signs-itself")
        return self.wallet

    def _found(self, key: str) -> Sent:
        sent = self.journal.find(key)
        if sent is None:
            raise SigningRefused(sentence("wallet.unknown-transaction"), reason="unknown-transaction")
        return sent

    def _shown(self, sent: Sent, run_id: str | None) -> TransactionToSign:
        inside = self.outbox.awaiting(sent.identities, ledger=LEDGER)
        waiting = sum(one.waiting for one in self.outbox.unposted(ledger=LEDGER) if run_id in (None, one.run_id))
        transaction = self._asked().transaction(sent)
        return TransactionToSign(
            id=sent.id,
            chain_id=sent.chain_id,
            contract=sent.contract,
            account=sent.creator,
            permission=permission_of(transaction),
            transaction=transaction,
            packed=sent.packed,
            expires_at=sent.expires_at,
            entries=len(sent.identities),
            run_ids=tuple(dict.fromkeys(one.run_id for one in inside)),
            waiting=waiting - sum(run_id in (None, one.run_id) for one in inside),
        )

    def _waiting(self) -> int:
        """Return the number of unsigned entries."""
        signed = sum(len(one.identities) for one in self.journal.sent("open"))
        return max(0, sum(one.waiting for one in self.outbox.unposted(ledger=LEDGER)) - signed)

    def _now(self) -> datetime:
        """Return the chain's time, or this machine's if the chain does not answer."""
        try:
            return self._asked().now()
        except LedgerUnavailable:
            return self.clock.now()

    def _patiently(self, work: Callable[[], T]) -> T:
        """Retry work that needs the posting lease until it is free."""
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
        expired = sentence("wallet.expired", at=f"{sent.expires_at:%H:%M:%S}")
        return SigningRefused(expired, reason="expired")
    return SigningRefused(sentence("wallet.given-up"), reason="given-up")
