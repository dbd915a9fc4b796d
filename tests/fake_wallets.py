"""A chain in memory on which people record with wallets; an account signs by writing its name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from passer.antelope.format.entries import entry_action
from passer.antelope.format.transactions import packed_transaction, transaction_id, unpacked_transaction
from passer.domain.ledger.chain import ChainTransaction, IdentityProof
from passer.domain.ledger.entry import ChainPlace, Entry, Receipt
from passer.errors import LedgerUnavailable, SignatureAwaited, SigningRefused
from passer.ports import ChainContract, Journal, LedgerKind, OnRecorded, Sent
from tests.fake_outbox import FakeLedger
from tests.fakes import FakeClock

START = datetime(2026, 1, 1, tzinfo=UTC)
CHAIN, CONTRACT = "1" * 64, "llmtest"


class FakeWallets:
    """ports.WalletLedger; `away` as a chain that does not answer, `at` its clock, `rows` what is on it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.away = False
        self.at = START
        self.chain_id = CHAIN
        self.rows: dict[str, Sent] = {}
        self.pushed: list[str] = []

    def contract(self) -> ChainContract:
        self.answer()
        return ChainContract(
            chain_id=self.chain_id, urls=("http://node",), contract=CONTRACT, kind="llmtest", abi={"actions": []}
        )

    def proving_key(self, proof: IdentityProof, *, challenge: str, chain_id: str) -> str:
        return f"key of {proof.signature}"

    def now(self) -> datetime:
        self.answer()
        return self.at

    def is_here(self, sent: Sent) -> bool:
        self.answer()
        return sent.chain_id == self.chain_id

    def there(self, entries: Sequence[Entry], *, account: str) -> list[Receipt]:
        self.answer()
        return [self.receipt(entry) for entry in entries if entry.identity in self.rows]

    def prepared(self, entries: Sequence[Entry], *, account: str, permission: str) -> Sent:
        self.answer()
        made = [entry_action(entry, contract=CONTRACT, creator=account, permission=permission) for entry in entries]
        expires_at = self.at + timedelta(seconds=600)
        number = len(self._journal.sent("prepared", "open", "posted", "final", "dropped"))
        transaction = ChainTransaction(
            expiration=expires_at, ref_block_num=number, ref_block_prefix=0, actions=tuple(made)
        )
        packed = packed_transaction(transaction)
        return Sent(
            id=transaction_id(packed),
            chain_id=self.chain_id,
            contract=CONTRACT,
            creator=account,
            packed=packed.hex(),
            signatures=(),
            expires_at=expires_at,
            identities=tuple(entry.identity for entry in entries),
            state="prepared",
        )

    def transaction(self, sent: Sent) -> ChainTransaction:
        return unpacked_transaction(bytes.fromhex(sent.packed))

    def with_signatures(self, sent: Sent, signatures: Sequence[str]) -> Sent:
        if not all(text.startswith("SIG_") for text in signatures):
            raise SigningRefused("Give a signature.", reason="malformed-signature")
        return sent.model_copy(update={"signatures": tuple(signatures)})

    def check(self, sent: Sent) -> None:
        self.answer()
        if sent.signatures != signature_of(sent.id, sent.creator):
            raise SigningRefused("Sign with another key.", reason="foreign-key")

    def answer(self) -> None:
        if self.away:
            raise LedgerUnavailable("Start the node.")

    def take(self, sent: Sent) -> None:
        """As a chain takes a transaction: once."""
        self.answer()
        assert sent.id not in self.pushed
        assert not self.rows.keys() & set(sent.identities), "an entry would be there twice"
        self.pushed.append(sent.id)
        self.rows |= dict.fromkeys(sent.identities, sent)

    def receipt(self, entry: Entry) -> Receipt:
        sent = self.rows[entry.identity]
        place = ChainPlace(
            chain_id=sent.chain_id,
            contract=sent.contract,
            creator=sent.creator,
            transaction_id=sent.id,
            packed_transaction=sent.packed,
            signatures=sent.signatures,
            action_index=sent.identities.index(entry.identity),
            block_number=len(self.pushed),
        )
        return Receipt(entry=entry, recorded_at=self.at, place=place)


class FakeChainLedger(FakeLedger):
    """ports.Ledger without a key, for an outbox that marks what was taken; `loses` as many answers to pushes."""

    kind: LedgerKind = "antelope"

    def __init__(self, wallets: FakeWallets, journal: Journal) -> None:
        super().__init__(FakeClock())
        self._wallets, self._journal = wallets, journal
        self.loses = 0

    def append(self, entries: Sequence[Entry], *, taken: OnRecorded | None = None) -> list[Receipt]:
        here = [one for one in self._journal.sent("open") if self._wallets.is_here(one)]
        opened = {identity: one for one in here for identity in one.identities}
        receipts = []
        for entry in entries:
            if entry.identity not in opened:
                break
            self._wallets.answer()
            self._push(opened[entry.identity], entry)
            receipts.append(self._wallets.receipt(entry))
        if not receipts:
            raise SignatureAwaited("Sign in the browser.")
        return receipts

    def _push(self, sent: Sent, entry: Entry) -> None:
        if entry.identity not in self._wallets.rows:
            self._wallets.check(sent)
            self._wallets.take(sent)
            if self.loses:
                self.loses -= 1
                raise LedgerUnavailable("The connection was cut.")


def signature_of(key: str, account: str) -> tuple[str, ...]:
    """What an account's wallet gives for a transaction."""
    return (f"SIG_{hashlib.sha256(f'{key} {account}'.encode()).hexdigest()}",)
