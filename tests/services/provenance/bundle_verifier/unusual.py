"""Honest bundles of unusual kinds: of the published contract, and of blocks that may still be replaced."""

from __future__ import annotations

from collections.abc import Iterable

from passer.antelope.format.entries import published_action, recorded_actions
from passer.antelope.format.transactions import packed_transaction, transaction_id, unpacked_transaction
from passer.domain.ledger.entry import LEGACY_DIGEST, Entry, Receipt
from tests.bundles import MadeRun, chain_receipts
from tests.services.provenance.bundle_verifier.forging import Draft, forged

QUESTIONS = 12


def unsettled(entries: list[Entry]) -> Iterable[Receipt]:
    """Posted, in a block that may still be replaced."""
    for receipt in chain_receipts(entries):
        yield receipt.model_copy(update={"place": receipt.place.model_copy(update={"block_id": None})})


def in_published_contract(entries: list[Entry]) -> Iterable[Receipt]:
    """The four-field contract has the digest in its description."""
    for receipt in chain_receipts(entries):
        written = [
            entry.model_copy(update={"description": entry.description + LEGACY_DIGEST + entry.run_digest})
            for entry in entries
            if _is_in(receipt, entry)
        ]
        actions = tuple(published_action(entry, contract="llmtest", creator="researcher1") for entry in written)
        before = unpacked_transaction(bytes.fromhex(receipt.place.packed_transaction))
        packed = packed_transaction(before.model_copy(update={"actions": actions}))
        place = {"packed_transaction": packed.hex(), "transaction_id": transaction_id(packed)}
        yield receipt.model_copy(update={"place": receipt.place.model_copy(update=place)})


def _is_in(receipt: Receipt, entry: Entry) -> bool:
    recorded = recorded_actions(bytes.fromhex(receipt.place.packed_transaction))
    return any(action.entry == entry for action in recorded)


def published() -> bytes:
    """Return a bundle that the published contract recorded."""
    return MadeRun(questions=QUESTIONS).bundle("chain", post=in_published_contract)


def numbered_but_unsettled(bundle: bytes) -> bytes:
    """As earlier versions wrote it: the block's number without its id."""

    def change(draft: Draft) -> None:
        for transaction in draft.entry["transactions"]:
            transaction["block_id"] = None

    return forged(bundle, "transactions", change)
