"""A forger who makes everything right again except one thing.

A bundle is made anew in the order in which its parts follow from one another; a tamper is let in behind one stage, and
every later stage follows from what it left.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from passer.antelope.format.entries import entry_action
from passer.antelope.format.transactions import packed_transaction, unpacked_transaction
from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.members import SCORES_HEADER, scores_row, seal_of
from passer.domain.bundle.merkle import leaf_hash, root_of
from passer.domain.bundle.question_record import LOCAL_TIMES, MODEL_TIMES, TIMES, vector
from passer.domain.canonical import read_canonical
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.of_run import EntryMaker
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.run_tally import RunningMeans, Tally
from tests.bundles import members_of, rebuilt

Json = dict[str, Any]
ZEROS = "0" * 64
Stage = Literal["records", "lines", "manifest", "entries", "transactions", "places", "seals", "members", "file"]


@dataclass
class Draft:
    """A bundle in parts; a tamper changes them."""

    manifest: Json
    records: list[Json]
    timings: list[Json]
    entry: Json
    lines: list[bytes]
    """Of questions.jsonl, with their breaks."""
    timing_lines: list[bytes]
    table: bytes
    """scores.csv."""
    members: dict[str, bytes]
    file: bytes

    @property
    def receipts(self) -> Iterator[tuple[str, int | None, Json]]:
        """Member of entry.json, number of the question, receipt."""
        for name in ("run", "questions", "run_times", "question_times"):
            held = self.entry[name]
            if isinstance(held, dict):
                yield name, None, held
            elif isinstance(held, list):
                yield from ((name, number, receipt) for number, receipt in enumerate(held))


def forged(bundle: bytes, stage: Stage, tamper: Callable[[Draft], object]) -> bytes:
    """The bundle with the tamper behind that stage, and everything after it made to fit."""
    draft = taken_apart(bundle)
    for name, follow in STAGES.items():
        follow(draft)
        if name == stage:
            tamper(draft)
    return draft.file


def taken_apart(bundle: bytes) -> Draft:
    """The parts of a bundle, before anything follows from them."""
    members = members_of(bundle)
    read = {name: [_json(line) for line in content.splitlines()] for name, content in members.items() if "json" in name}
    return Draft(
        manifest=read["manifest.json"][0],
        records=read["questions.jsonl"],
        timings=read["timings.jsonl"],
        entry=read["entry.json"][0],
        lines=[],
        timing_lines=[],
        table=b"",
        members={},
        file=bundle,
    )


def _json(text: bytes) -> Json:
    value: Json = read_canonical(text)
    return value


def _records(draft: Draft) -> None:
    """Nothing comes before them."""


def _lines(draft: Draft) -> None:
    draft.lines = [canonical_json(record) + b"\n" for record in draft.records]
    draft.timing_lines = [canonical_json(timing) + b"\n" for timing in draft.timings]


def _manifest(draft: Draft) -> None:
    manifest, tally = draft.manifest, Tally()
    leaves = [
        bytes.fromhex(record["withheld"]["leaf"]) if "withheld" in record else leaf_hash(line.removesuffix(b"\n"))
        for record, line in zip(draft.records, draft.lines, strict=True)
    ]
    draft.table = SCORES_HEADER
    for record, leaf in zip(draft.records, leaves, strict=True):
        tally.add(state=record["state"], reason=record["reason"], scores=record["scores"])
        draft.table += scores_row(
            number=record["number"], question_id=record["id"], leaf=leaf.hex(), state=record["state"],
            scores=record["scores"],
        )  # fmt: skip
    manifest["questions_root"] = root_of(leaves).hex()
    manifest["timings_digest"] = hashlib.sha256(b"".join(draft.timing_lines)).hexdigest()
    manifest["counts"] = tally.counts.model_dump()
    manifest["means"] = {column: mean.model_dump() for column, mean in tally.means.items()}
    manifest["dataset"]["questions"] = len(draft.records)
    manifest["config_digest"] = digest_of(manifest["config"])
    if manifest["collection"] is not None:
        manifest["collection"]["digest"] = collection_digest(manifest["collection"])


def collection_digest(collection: Json) -> str:
    return digest_of({name: collection[name] for name in ("chunking", "documents", "embedding")})


def _entries(draft: Draft) -> None:
    maker = EntryMaker(draft.manifest["run"]["id"], draft.manifest["config_digest"])
    rows = [_times(*pair) for pair in zip(draft.records, draft.timings, strict=False)]
    means = RunningMeans(len(TIMES))
    for row in rows:
        means.add(row)
    run_digest = hashlib.sha256(canonical_json(draft.manifest)).hexdigest()
    stated = draft.manifest["means"]
    of_run = {
        "run": tuple(stated.get(column, {"mean": None})["mean"] for column in VECTOR_ORDER),
        "run_times": means.means,
    }
    for name, number, receipt in draft.receipts:
        action: Literal["addtest", "addtimetest"] = "addtimetest" if name.endswith("times") else "addtest"
        if number is None:
            entry = maker.of_run(action, of_run[name], run_digest=run_digest)
        else:
            record, leaf = draft.records[number], leaf_hash(draft.lines[number].removesuffix(b"\n")).hex()
            values = rows[number] if action == "addtimetest" else vector(record["scores"])
            entry = maker.of_question(action, values, question_id=record["id"], leaf=leaf)
        receipt["entry"] = entry.model_dump(mode="json")


def _times(record: Json, timing: Json) -> tuple[float | None, ...]:
    return (*(record["timings"][name] for name in MODEL_TIMES), *(timing[name] for name in LOCAL_TIMES))


def _transactions(draft: Draft) -> None:
    for number, transaction in enumerate(draft.entry["transactions"]):
        held = [receipt for _, _, receipt in draft.receipts if receipt["place"]["transaction"] == number]
        held.sort(key=lambda receipt: receipt["place"]["action_index"])
        actions = tuple(
            entry_action(
                Entry.model_validate(receipt["entry"]), contract=transaction["contract"], creator=transaction["creator"]
            )
            for receipt in held
        )
        before = unpacked_transaction(bytes.fromhex(transaction["packed_transaction"]))
        pack(transaction, packed_transaction(before.model_copy(update={"actions": actions})))


def pack(transaction: Json, packed: bytes) -> None:
    """Other bytes, and the id that follows from them."""
    transaction["packed_transaction"] = packed.hex()
    transaction["transaction_id"] = hashlib.sha256(packed).hexdigest()


def _places(draft: Draft) -> None:
    local = [receipt for _, _, receipt in draft.receipts if receipt["place"]["kind"] == "local"]
    before: Json | None = None
    for receipt in sorted(local, key=lambda receipt: receipt["place"]["sequence"]):
        place = receipt["place"]
        if before is not None and before["sequence"] + 1 == place["sequence"]:
            place["previous"] = before["digest"]
        place["digest"] = local_digest(receipt)
        before = place


def local_digest(receipt: Json) -> str:
    place = receipt["place"]
    row = {"previous": place["previous"], "sequence": place["sequence"]}
    return digest_of(row | {"entry": receipt["entry"], "recorded_at": receipt["recorded_at"]})


def _seals(draft: Draft) -> None:
    draft.entry["manifest"] = {name: seal_of(value) for name, value in draft.manifest.items()}
    draft.entry["seals"] = {"manifest": seal_of(draft.entry["manifest"])}
    for _, _, receipt in draft.receipts:
        receipt["seals"] = {name: seal_of(receipt[name]) for name in ("place", "recorded_at")}
    for transaction in draft.entry["transactions"]:
        transaction["seals"] = {name: seal_of(value) for name, value in transaction.items() if name != "seals"}


def _members(draft: Draft) -> None:
    draft.members = {
        "manifest.json": canonical_json(draft.manifest),
        "questions.jsonl": b"".join(draft.lines),
        "scores.csv": draft.table,
        "entry.json": canonical_json(draft.entry),
        "timings.jsonl": b"".join(draft.timing_lines),
    }


def _file(draft: Draft) -> None:
    draft.file = rebuilt(draft.members)


STAGES: dict[Stage, Callable[[Draft], None]] = {
    "records": _records,
    "lines": _lines,
    "manifest": _manifest,
    "entries": _entries,
    "transactions": _transactions,
    "places": _places,
    "seals": _seals,
    "members": _members,
    "file": _file,
}
