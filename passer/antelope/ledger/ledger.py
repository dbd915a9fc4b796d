"""The ledger on an Antelope chain: signed transactions are saved before a push and searched for before the next.

A transaction that is not known to be taken stays open in the journal. It is then either found on the chain, or pushed
again as the same bytes, which a chain takes at most once; new bytes are made only when the chain's irreversible time
has passed the expiration and its entries are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from passer.antelope.client.chain import LIFETIME_S, AntelopeChain, PushReceipt, push_receipt
from passer.antelope.client.replies import ChainInfo
from passer.antelope.ledger.blocks import Blocks
from passer.antelope.ledger.listing import Listing
from passer.antelope.ledger.pushing import AHEAD, Settling, Signer, TimedChainInfo, pushed_in_order
from passer.antelope.ledger.recorded import NEXT_BLOCK, Recorded, key_of, key_of_row, receipt_of, receipts_of
from passer.antelope.ledger.wallets import check_signatures
from passer.antelope.signing.keys import PrivateKey
from passer.domain.ledger.entry import Entry, Receipt
from passer.domain.wording.sentence import sentence
from passer.errors import ChainRefused, LedgerRefused, LedgerUnavailable, SignatureAwaited, SigningRefused
from passer.ports import Journal, LedgerHead, LedgerKind, LedgerPage, LedgerQuery, LedgerRow, OnRecorded, Sent, Verified


class AntelopeLedger:
    """ports.Ledger on a contract."""

    kind: LedgerKind = "antelope"

    def __init__(
        self,
        chain: AntelopeChain,
        journal: Journal,
        *,
        account: str | None,
        permission: str = "active",
        key: PrivateKey | None,
        published: bool = False,
        lifetime_s: int = LIFETIME_S,
    ) -> None:
        self._chain, self._journal = chain, journal
        self._account, self._published = account, published
        self._signer = Signer(account, permission, key, lifetime_s) if account is not None and key is not None else None
        blocks = Blocks(chain.rpc)
        self._recorded = Recorded(chain, journal, blocks, published=published)
        self._settling = Settling(chain, blocks, published=published)
        self._listing = Listing(chain.rows)
        self._seen: set[str] = set()
        """Runs whose chain entries this process has read."""

    def append(self, entries: Sequence[Entry], *, taken: OnRecorded | None = None) -> list[Receipt]:
        receipts: list[Receipt] = []
        given = 0
        try:
            for one in self._appended(entries):
                receipts.append(one)
                # Report in parts of AHEAD: meanwhile the next transactions are on their way to the node.
                if taken is not None and len(receipts) - given == AHEAD:
                    taken(receipts[given:])
                    given = len(receipts)
        except (LedgerRefused, LedgerUnavailable):
            if not receipts:
                raise
        return receipts

    def settle(self) -> int:
        posted = [sent for sent in self._journal.sent("posted") if self._is_mine(sent)]
        if not posted:
            return 0
        info = self._chain.rpc.info()
        # After a change of the chain, the journal still has transactions of the former one, which this node does not
        # know.
        posted = [sent for sent in posted if sent.chain_id == info.chain_id]
        changed = [after for sent in posted if (after := self._settling.settled(sent, info)) != sent]
        self._journal.settled(changed)
        return len(posted) - sum(sent.state != "posted" for sent in changed)

    def get(self, row_id: str) -> LedgerRow:
        """Return one row by action and number, such as `addtest-17`."""
        return self._listing.get(row_id)

    def list(self, query: LedgerQuery) -> LedgerPage:
        return self._listing.page(query)

    def verify(self, entry: Entry) -> Verified:
        wanted, other = self._recorded.written(entry), None
        for row in self._chain.rows.of_testid(entry.action, entry.testid):
            if self._account in (None, row.account):
                if key_of_row(row) == key_of(wanted, published=self._published):
                    said = "" if row.authenticated else " (legacy, unauthenticated)"
                    return Verified(
                        verdict="equal", detail=f"Row {row.id} of {row.account} contains it{said}.", row=row
                    )
                other = row if row.description == wanted.description else other
        if other is not None:
            return Verified(verdict="differs", detail=f"Row {other.id} differs from it.", row=other)
        return Verified(verdict="absent", detail="The contract has no such row.")

    def head(self) -> LedgerHead:
        info = self._chain.rpc.info()
        rows = [self._chain.rows.last_number(action) for action in self._chain.rows.actions]
        contract = "published" if self._published else "chain"
        return LedgerHead(
            kind="antelope",
            place=f"{self._chain.contract} on chain {info.chain_id} at {', '.join(self._chain.rpc.urls)}",
            entries=sum(0 if last is None else last + 1 for last in rows),
            digest=info.last_irreversible_block_id,
            at=self._chain.rpc.block_info(info.last_irreversible_block_num).timestamp,
            proves=sentence(f"ledger.{contract}-proves"),
            proves_not=sentence(f"ledger.{contract}-proves-not"),
        )

    # -- appending ------------------------------------------------------------------------------------------------

    def _appended(self, entries: Sequence[Entry]) -> Iterator[Receipt]:
        sent = [one for one in self._journal.sent("open") if self._is_mine(one)]
        if self._signer is None and not {entry.identity for entry in entries}.intersection(_by_entry(sent)):
            raise SignatureAwaited(sentence("ledger.sign"))
        seen = TimedChainInfo.now(self._chain)
        info = seen.info
        opened = _by_entry([one for one in sent if one.chain_id == info.chain_id])
        there = self._there(entries, opened)
        fresh: list[Entry] = []
        taken: dict[str, PushReceipt | None] = {}
        for entry in entries:
            row, known = there.get(entry.identity), opened.get(entry.identity)
            if row is None and known is not None and known.id not in taken:
                yield from self._posted(fresh, seen)
                fresh = []
                taken[known.id] = self._pushed_again(known, info)
            pushed = taken.get(known.id) if known is not None else None
            if row is None and pushed is None:
                fresh.append(entry)
                continue
            yield from self._posted(fresh, seen)
            fresh = []
            if row is not None:
                yield self._recorded.receipt(entry, row, known)
            elif known is not None and pushed is not None:
                yield receipt_of(entry, known, pushed)
        yield from self._posted(fresh, seen)

    def _posted(self, entries: Sequence[Entry], seen: TimedChainInfo) -> Iterator[Receipt]:
        """Sign, keep, push: in order, one transaction after the other."""
        if not entries:
            return
        if self._signer is None:
            raise SignatureAwaited(sentence("ledger.sign"))
        self._check_free(entries, seen.info)
        written = self._recorded.written
        for of_one, sent, pushed in pushed_in_order(self._chain, self._journal, self._signer, entries, written, seen):
            yield from receipts_of(of_one, sent, pushed)

    def _check_free(self, entries: Sequence[Entry], info: ChainInfo) -> None:
        """Check that no wallet was asked to sign the entries, for example before this server had a key."""
        wanted = {entry.identity for entry in entries}
        for one in self._journal.sent("prepared"):
            expired = one.expires_at < info.head_block_time and self._journal.given_up(one)
            if not expired and wanted.intersection(one.identities):
                raise LedgerRefused(
                    sentence("chain.awaits-signature", account=one.creator, time=f"{one.expires_at:%H:%M:%S}")
                )

    def _pushed_again(self, sent: Sent, info: ChainInfo) -> PushReceipt | None:
        """Push the same bytes again, which a chain accepts once; None if they expired finally and were given up."""
        if self._settling.is_gone(sent, info):
            self._journal.settled([sent.model_copy(update={"state": "dropped"})])
            return None
        if sent.expires_at < info.head_block_time:
            raise LedgerRefused(sentence("chain.expired-unknown", time=f"{sent.expires_at:%H:%M:%S}"))
        try:
            if self._signer is None or self._signer.account != sent.creator:
                # A wallet's signatures are unchecked if the chain could not be asked when they were saved.
                check_signatures(self._chain, sent)
            return push_receipt(self._chain.rpc.push(bytes.fromhex(sent.packed), sent.signatures))
        except SigningRefused as exc:
            raise LedgerRefused(exc.message) from exc
        except ChainRefused as exc:
            if exc.reason != "duplicate":
                raise
            # An earlier push was accepted but its reply was lost; its rows appear with the next block.
            raise LedgerRefused(NEXT_BLOCK) from exc

    def _there(self, entries: Sequence[Entry], opened: Mapping[str, Sent]) -> dict[str, LedgerRow]:
        """Return the rows of these entries on the chain, asking only for entries that may have been pushed before."""
        doubted = {entry.testid for entry in entries if entry.identity in opened}
        if self._signer is not None:
            doubted |= {entry.testid for entry in entries} - self._seen
        accounts = {
            entry.identity: opened[entry.identity].creator if entry.identity in opened else self._account
            for entry in entries
            if entry.testid in doubted
        }
        found = self._recorded.rows(
            {identity: (account,) for identity, account in accounts.items() if account is not None}, entries
        )
        self._seen |= doubted
        return found

    def _is_mine(self, sent: Sent) -> bool:
        """Return whether this ledger pushes it: every transaction of its contract in the journal, by any signer."""
        return sent.contract == self._chain.contract


def _by_entry(sent: Sequence[Sent]) -> dict[str, Sent]:
    return {identity: one for one in sent for identity in one.identities}
