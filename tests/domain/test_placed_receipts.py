"""Receipts of entry.json: their canonical bytes, cut out of the document, are those of their values."""

from __future__ import annotations

from datetime import UTC, datetime

import rfc8785
from pydantic import BaseModel

from passer.domain.bundle.documents import read_document
from passer.domain.bundle.entry_form import ROWS, receipts_of
from passer.domain.bundle.members import EntryDocument, EntryDocumentMaker
from passer.domain.ledger.entry import ChainPlace, Entry, LocalPlace, Receipt

DIGESTS = ("a" * 64, "b" * 64, "c" * 64)
TEXTS = (
    "plain",
    '{"entry":{"action":"addtest"},"place":{},"recorded_at":"',
    'ends like one: {"entry":{"action":',
    '\\","place":{"kind":"local"},"recorded_at":\\',
    "въпрос 🐝",
)
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def receipt(number: int, *, on_chain: bool = False) -> Receipt:
    entry = Entry(
        action="addtest",
        testid="abcdefghijkl",
        description=TEXTS[number % len(TEXTS)],
        results=(0.0, 1.0, 1e-7, 0.5),
        run_digest=DIGESTS[0],
        config_digest=DIGESTS[1],
    )
    local = LocalPlace(sequence=number + 1, previous=DIGESTS[1], digest=DIGESTS[2])
    chain = ChainPlace(
        chain_id=DIGESTS[0], contract="passer", creator="alice", transaction_id=DIGESTS[2], packed_transaction="00",
        signatures=(), action_index=number,
    )  # fmt: skip
    return Receipt(entry=entry, recorded_at=AT, place=chain if on_chain else local)


def canonical(value: BaseModel) -> bytes:
    return rfc8785.dumps(value.model_dump(mode="json"))


def test_what_is_cut_out_is_what_would_be_written():
    for on_chain in (False, True):
        given = [receipt(number, on_chain=on_chain) for number in range(12)]
        document = EntryDocumentMaker().document(
            {"entry": {"action": "no receipt"}}, run=given[0], questions=given[1:6], run_times=given[6],
            question_times=given[7:11], registration=given[11],
        )  # fmt: skip
        placed = receipts_of(read_document(EntryDocument, canonical(document)))
        assert [item.path.partition("[")[0] for item in placed] == [
            *ROWS[:1], *5 * ROWS[1:2], *ROWS[2:3], *4 * ROWS[3:4], ROWS[4],
        ]  # fmt: skip
        assert [item.receipt.entry for item in placed] == [each.entry for each in given]
        for item in placed:
            assert (item.entry, item.place) == (canonical(item.receipt.entry), canonical(item.receipt.place))


def test_a_document_without_receipts_has_none():
    document = EntryDocumentMaker().document({}, run=None, questions=None)
    assert receipts_of(read_document(EntryDocument, canonical(document))) == ()
    assert receipts_of(read_document(EntryDocument, b"{}")) == ()
