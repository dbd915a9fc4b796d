"""Tampers with entry.json: its form and seals, rows, the local ledger, transactions."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from passer.domain.bundle.members import seal_of
from passer.domain.bundle.verification import StepName
from tests.bundles import Recorded
from tests.services.provenance.bundle_verifier.file_tampers import around
from tests.services.provenance.bundle_verifier.forging import ZEROS, Draft, Json, Stage, local_digest, pack


def entry(change: Callable[[Json], object]) -> Callable[[Draft], object]:
    return lambda draft: change(draft.entry)


def resealed(change: Callable[[Json], object]) -> Callable[[Draft], None]:
    """A change of entry.json with the seals that follow from it."""

    def changed(draft: Draft) -> None:
        change(draft.entry)
        for _, _, receipt in draft.receipts:
            receipt["seals"]["place"] = seal_of(receipt["place"])

    return changed


def unused_transaction(e: Json) -> None:
    e["transactions"].append(e["transactions"][0])


def swap_transactions(e: Json) -> None:
    """In another order than that of their first use."""
    e["transactions"].reverse()
    last = len(e["transactions"]) - 1
    for receipt in (e["run"], *e["questions"], e["run_times"], *e["question_times"]):
        receipt["place"]["transaction"] = last - receipt["place"]["transaction"]


ENTRIES: dict[str, tuple[Stage, Callable[[Draft], object], Recorded]] = {
    "a line break at the end": ("members", around("entry.json", b"", b"\n"), "local"),
    "another seal of the seals": ("seals", entry(lambda e: e["seals"].update(manifest="0" * 16)), "local"),
    "another seal of a place": ("seals", entry(lambda e: e["questions"][3]["seals"].update(place="0" * 16)), "local"),
    "another seal of a time": (
        "seals", entry(lambda e: e["question_times"][3]["seals"].update(recorded_at="0" * 16)), "local",
    ),
    "another seal of the manifest alone": ("seals", entry(lambda e: e["manifest"].update(software="0" * 16)), "local"),
    "another seal of a chain": (
        "seals", entry(lambda e: e["transactions"][0]["seals"].update(chain_id="0" * 16)), "chain",
    ),
    "one seal more": ("seals", entry(lambda e: e["transactions"][0]["seals"].update(more="0" * 16)), "chain"),
    "one seal less": ("seals", entry(lambda e: e["transactions"][0]["seals"].pop("chain_id")), "chain"),
    "one member more": ("seals", entry(lambda e: e.update(more=1)), "local"),
    "one member less": ("seals", entry(lambda e: e.pop("run_times")), "local"),
    "a receipt without a time": ("seals", entry(lambda e: e["run"].pop("recorded_at")), "local"),
    "a time that is none": ("seals", entry(lambda e: e["run"].update(recorded_at="yesterday")), "local"),
    "a place of another kind": ("seals", entry(lambda e: e["run"]["place"].update(kind="cloud")), "local"),
    "results without end": ("seals", entry(lambda e: e["run"]["entry"].update(results=[1] * 65)), "local"),
    "no results": ("seals", entry(lambda e: e["run"]["entry"].update(results=[])), "local"),
    "a description too long": ("seals", entry(lambda e: e["run"]["entry"].update(description="я" * 129)), "local"),
    "a name that is none": ("seals", entry(lambda e: e["run"]["entry"].update(testid="A")), "local"),
    "a sequence beyond 2^53 - 1": (
        "seals", entry(lambda e: e["run"]["place"].update(sequence=float(2**53))), "local",
    ),
    "an odd number of hex digits": (
        "seals", entry(lambda e: e["transactions"][0].update(packed_transaction="000")), "chain",
    ),
    "a question's row less": ("seals", entry(lambda e: e["questions"].pop()), "local"),
    "a question's row of times less": ("seals", entry(lambda e: e["question_times"].pop()), "local"),
    "no row of the run": ("seals", entry(lambda e: e.update(run="not recorded")), "local"),
    "one place for two rows": (
        "entries", entry(lambda e: e["questions"][4]["place"].update(sequence=e["questions"][3]["place"]["sequence"])),
        "local",
    ),
    "one place for two rows of a chain": (
        "seals", resealed(lambda e: e["questions"][4].update(place=e["questions"][3]["place"])), "chain",
    ),
    "a transaction of no row": ("places", entry(unused_transaction), "chain"),
    "transactions in another order": ("places", entry(swap_transactions), "chain"),
    "a transaction that is not there": (
        "seals", resealed(lambda e: e["questions"][4]["place"].update(transaction=99)), "chain",
    ),
}  # fmt: skip


def row(name: str, number: int | None, **values: Any) -> Callable[[Draft], None]:
    """Another value in a row of the ledger, recorded so."""

    def changed(draft: Draft) -> None:
        held = draft.entry[name] if number is None else draft.entry[name][number]
        assert held["entry"] != held["entry"] | values
        held["entry"] |= values

    return changed


ROWS = {
    "run_digest": ZEROS,
    "config_digest": ZEROS,
    "testid": "another",
    "description": "another",
    "results": [0.25] * 24,
}


# The local ledger and the transactions


def cut_out(draft: Draft) -> None:
    """A row in the middle follows nothing; its own digest is right."""
    receipt = draft.entry["questions"][7]
    receipt["place"]["previous"] = ZEROS
    receipt["place"]["digest"] = local_digest(receipt)
    after = draft.entry["questions"][8]
    after["place"]["previous"] = receipt["place"]["digest"]
    after["place"]["digest"] = local_digest(after)
    draft.entry["questions"][9]["place"]["previous"] = after["place"]["digest"]
    relink(draft, 9)


def relink(draft: Draft, start: int) -> None:
    """Right digests from a question's row on."""
    rows = sorted((receipt for _, _, receipt in draft.receipts), key=lambda one: one["place"]["sequence"])
    first = rows.index(draft.entry["questions"][start])
    for before, after in zip(rows[first - 1 :], rows[first:], strict=False):
        after["place"]["previous"] = before["place"]["digest"]
        after["place"]["digest"] = local_digest(after)


def first_rows(draft: Draft) -> None:
    """Rows 1, 2, ... of a ledger, the first of which follows a row that cannot be."""
    for _, _, receipt in draft.receipts:
        receipt["place"]["sequence"] -= 2


def last_digest(draft: Draft) -> None:
    last = max((receipt for _, _, receipt in draft.receipts), key=lambda one: one["place"]["sequence"])
    last["place"]["digest"] = ZEROS


def another_time(draft: Draft) -> None:
    """Sealed anew, but not in the row's digest."""
    draft.entry["questions"][7]["recorded_at"] = "2020-01-01T00:00:00Z"


def transaction(**values: Any) -> Callable[[Draft], object]:
    return entry(lambda e: e["transactions"][1].update(values))


def swap_actions(draft: Draft) -> None:
    one, other = draft.entry["questions"][2], draft.entry["questions"][4]
    one["place"], other["place"] = other["place"], one["place"]


def behind_the_last(draft: Draft) -> None:
    last = draft.entry["question_times"][-1]["place"]
    same = [
        receipt["place"] for _, _, receipt in draft.receipts if receipt["place"]["transaction"] == last["transaction"]
    ]
    last["action_index"] = len(same)


def other_action(draft: Draft) -> None:
    """The bytes record another value than the row says."""
    held = draft.entry["transactions"][0]
    packed = bytes.fromhex(held["packed_transaction"])
    value = struct.pack("<d", 0.5)
    assert value in packed
    pack(held, packed.replace(value, struct.pack("<d", 0.75), 1))


def bytes_of(change: Callable[[bytes], bytes]) -> Callable[[Draft], None]:
    def changed(draft: Draft) -> None:
        held = draft.entry["transactions"][0]
        pack(held, change(bytes.fromhex(held["packed_transaction"])))

    return changed


LEDGER: list[tuple[StepName, str, Stage, Callable[[Draft], object], Recorded]] = [
    ("local_ledger", "another digest", "places", last_digest, "local"),
    ("local_ledger", "a row cut out", "places", cut_out, "local"),
    ("local_ledger", "a first row that follows another", "entries", first_rows, "local"),
    ("local_ledger", "another time", "places", another_time, "local"),
    ("transaction_id", "another id", "transactions", transaction(transaction_id=ZEROS), "chain"),
    ("transaction_id", "a block's id alone", "transactions", transaction(block_number=None), "chain"),
    ("transaction_id", "another block number", "transactions", transaction(block_number=7), "chain"),
    ("action", "two actions swapped", "transactions", swap_actions, "chain"),
    ("action", "another value in the bytes", "transactions", other_action, "chain"),
    ("action", "another contract", "transactions", transaction(contract="other"), "chain"),
    ("action", "another creator", "transactions", transaction(creator="researcher2"), "chain"),
    ("action", "bytes that are no transaction", "transactions", bytes_of(lambda packed: bytes(20)), "chain"),
    ("action", "a byte more", "transactions", bytes_of(lambda packed: packed + b"\0"), "chain"),
    ("action", "the action behind the last", "transactions", behind_the_last, "chain"),
    ("action", "an action that is not there", "transactions",
     entry(lambda e: e["question_times"][11]["place"].update(action_index=49)), "chain"),
]  # fmt: skip
