"""Prepares transactions for wallets: the oldest waiting entries in order, never in two transactions at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from passer.domain.ledger.chain import ChainTransaction
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION
from passer.domain.wording.sentence import sentence
from passer.errors import SigningRefused
from passer.ports import Journal, LedgerKind, Outbox, OutboxEntry, Sent, WalletLedger

LEDGER: LedgerKind = "antelope"
"""The ledger that wallets sign for."""
LONG_ENOUGH = timedelta(seconds=60)
"""A prepared transaction is reused if it lives at least this long: signing takes a person some time."""


@dataclass(frozen=True)
class TransactionPreparer:
    """Prepares and saves transactions; callers of `prepare` hold the posting lease."""

    outbox: Outbox
    journal: Journal
    wallet: WalletLedger

    def prepare(self, *, account: str, permission: str, run_id: str | None) -> Sent:
        """Return the account's transaction of that run or of any, the same one while it lives.

        Raises SigningRefused if nothing can be prepared for it.
        """
        now = self.wallet.now()
        living = self._unexpired(now)
        for one in [one for one in living if one.creator == account and self._is_of(one, run_id)]:
            if one.expires_at >= now + LONG_ENOUGH and permission_of(self.wallet.transaction(one)) == permission:
                return one
            if self.journal.given_up(one):
                living.remove(one)
        while True:
            chosen = self._chosen(living, run_id, account=account)
            # Again until none of them is on the chain: some wallets send by themselves what they were asked to sign
            # only.
            if not self._recorded(chosen, account):
                break
        sent = self.wallet.prepared([one.entry for one in chosen], account=account, permission=permission)
        self.journal.keep([sent])
        return sent

    def _unexpired(self, now: datetime) -> list[Sent]:
        """Return transactions that can still be signed; give up expired ones and free their entries."""
        prepared = self.journal.sent("prepared")
        over = [one for one in prepared if one.expires_at < now or not self.wallet.is_here(one)]
        dropped = [one.id for one in over if self.journal.given_up(one)]
        return [one for one in prepared if one.id not in dropped]

    def _is_of(self, sent: Sent, run_id: str | None) -> bool:
        return run_id is None or run_id in {one.run_id for one in self.outbox.awaiting(sent.identities, ledger=LEDGER)}

    def _chosen(self, living: list[Sent], run_id: str | None, *, account: str) -> list[OutboxEntry]:
        """Return entries of no other transaction; a run with entries in one waits as a whole, to keep its order."""
        signed = [one for one in self.journal.sent("open") if self.wallet.is_here(one)]
        taken = {identity: one for one in (*living, *signed) for identity in one.identities}
        chosen: list[OutboxEntry] = []
        holders: dict[str, Sent] = {}
        for record in self.outbox.unposted(ledger=LEDGER):
            room = MOST_ENTRIES_PER_TRANSACTION - len(chosen)
            if record.run_id in holders or run_id not in (None, record.run_id) or not room:
                continue
            waiting = self.outbox.waiting(record.number, ledger=LEDGER, limit=room)
            holder = next((taken[one.entry.identity] for one in waiting if one.entry.identity in taken), None)
            if holder is not None:
                holders[record.run_id] = holder
            else:
                chosen.extend(waiting)
        if not chosen:
            raise _refusal(next(iter(holders.values()), None), account=account)
        return chosen

    def _recorded(self, chosen: list[OutboxEntry], account: str) -> bool:
        """Mark entries that are on the chain already as posted; return whether there were any."""
        receipts = {one.entry.identity: one for one in self.wallet.there([c.entry for c in chosen], account=account)}
        found = [one for one in chosen if one.entry.identity in receipts]
        self.outbox.posted([one.number for one in found], [receipts[one.entry.identity] for one in found])
        return bool(found)


def permission_of(transaction: ChainTransaction) -> str:
    """Return the creator's permission that a transaction acts with."""
    return transaction.actions[0].authorization[0].permission


def _refusal(holder: Sent | None, *, account: str) -> SigningRefused:
    if holder is None:
        return SigningRefused(sentence("wallet.nothing-waits"), reason="nothing-waits")
    if holder.state == "open":
        return SigningRefused(sentence("wallet.entries-signed"), reason="signed-already")
    until = f"{holder.expires_at:%H:%M:%S}"
    if holder.creator == account:
        return SigningRefused(sentence("wallet.held-yours", until=until), reason="held")
    return SigningRefused(sentence("wallet.held", holder=holder.creator, until=until), reason="held")
