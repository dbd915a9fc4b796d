"""Whatever is changed in a bundle is found, and where it was is said."""

from __future__ import annotations

import hashlib
import io
import random
import re
import zipfile
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle import Transaction, seal_of
from passer.domain.canonical import path_at, read_canonical
from passer.domain.ledger import vector_of
from passer.domain.verification import CHAIN_STEPS, ChainStep, Finding, Step, Verification
from passer.errors import InputError
from passer.ports import PlacedEntry
from passer.services.verifying import Verifying
from tests.bundles import MadeRun, Recorded, members_of, question_ids, rebuilt
from tests.fakes import FakeWitness

IDS = question_ids(50)
RECORDED: tuple[Recorded, ...] = ("nowhere", "local", "chain", "chain, run alone")


@pytest.fixture(scope="module")
def bundles() -> dict[Recorded, bytes]:
    return {recorded: MadeRun().bundle(recorded, with_times=recorded == "chain") for recorded in RECORDED}


def verify(bundle: bytes) -> Verification:
    return Verifying().verify(bundle)


def value_of(document: bytes) -> dict[str, Any]:
    """JSON as RFC 8785 has it: every number a double."""
    value: dict[str, Any] = read_canonical(document).value
    return value


def refused(bundle: bytes) -> tuple[Step, ...]:
    """The failed steps about contents; the zip's own checksum is not what is tested."""
    found = verify(bundle)
    assert found.verdict == "not verified"
    return tuple(step for step in found.failed if step.name != "zip")


@pytest.mark.parametrize("recorded", RECORDED)
def test_a_whole_bundle_is_verified(bundles: dict[Recorded, bytes], recorded: Recorded):
    found = verify(bundles[recorded])
    assert (found.verdict, found.failed, found.questions) == ("verified", (), 50)
    outcomes = {step.name: step.outcome for step in found.steps}
    about_the_run = [
        "zip",
        "manifest",
        "questions",
        "root",
        "config",
        "collection",
        "counts",
        "means",
        "scores",
        "timings",
    ]
    assert {outcomes[name] for name in (*about_the_run, "entry")} == {"pass"}
    ledger = ["run_entry", "question_entries", "local_ledger", "transaction_id", "action"]
    passed = {"nowhere": 0b00000, "local": 0b11100, "chain": 0b11011, "chain, run alone": 0b10011}[recorded]
    assert [outcomes[name] == "pass" for name in ledger] == [bool(passed >> place & 1) for place in range(4, -1, -1)]
    assert all(outcomes[name] == "not_checked" for name in CHAIN_STEPS)
    assert all("because" in step.detail for step in found.steps if step.outcome == "not_checked")


class Target:
    """A bundle whose bytes are changed one at a time."""

    def __init__(self, bundle: bytes) -> None:
        self.bundle, self.members = bundle, members_of(bundle)
        self.spans: dict[str, Sequence[int]] = {}
        outside, end = [], 0
        for name, content in self.members.items():
            start = bundle.index(content, end)
            outside += range(end, start)
            end = start + len(content)
            self.spans[name] = range(start, end)
        self.spans["structure"] = [*outside, *range(end, len(bundle))]
        leaves = [hashlib.sha256(b"\0" + line).hexdigest() for line in self.members["questions.jsonl"].splitlines()]
        table = self.members["scores.csv"]
        self.rows = [
            table.rindex(b"\r\n%d," % number, 0, table.index(leaf.encode())) + 2 for number, leaf in enumerate(leaves)
        ]


class Mutant:
    """One byte changed, and where it was."""

    def __init__(self, target: Target, dice: random.Random) -> None:
        self.target = target
        self.name = dice.choice(list(target.spans))
        place = dice.choice(target.spans[self.name])
        self.at = place - target.spans[self.name][0]
        old = target.bundle[place]
        new = dice.choice([old ^ 1 << dice.randrange(8), dice.randrange(256), *b'09ae"\\,:{}[]- \r\n'])
        self.new = old ^ 1 if new == old else new
        self.bundle = target.bundle[:place] + bytes([self.new]) + target.bundle[place + 1 :]

    @property
    def forged(self) -> bytes:
        """The same change with the zip's checksums put right."""
        content = self.target.members[self.name]
        changed = content[: self.at] + bytes([self.new]) + content[self.at + 1 :]
        return rebuilt(self.target.members | {self.name: changed})

    def check(self, failed: Sequence[Step]) -> None:
        """The question or the field is named."""
        if self.name == "questions.jsonl":
            number = self.target.members[self.name].count(b"\n", 0, self.at)
            assert (number, IDS[number]) in {(step.number, step.question) for step in failed}
        elif self.name == "scores.csv":
            number = bisect_right(self.target.rows, self.at) - 1
            named = {(step.number, step.question) for step in failed if step.member == self.name}
            assert named == {(number, IDS[number])} if number >= 0 else {(None, None)}
        elif self.name in ("manifest.json", "entry.json"):
            path = path_at(self.target.members[self.name], self.at)
            named = [step.field or "" for step in failed if step.member == self.name]
            assert any(_top(field) == _top(path) for field in named), (path, named)
        elif self.name == "timings.jsonl":
            assert self.name in {step.member for step in failed}


def _top(path: str) -> str:
    """The field of the document; the outermost braces belong to none."""
    return path.partition(".")[0].partition("[")[0]


@pytest.mark.parametrize("recorded", ["nowhere", "local", "chain"])
def test_a_changed_byte_is_found_wherever_it_is(bundles: dict[Recorded, bytes], recorded: Recorded):
    """2,000 positions over all members and the bytes between them; of some the checksums are put right again."""
    target, dice = Target(bundles[recorded]), random.Random(20260101)
    for turn in range({"nowhere": 1350, "local": 450, "chain": 200}[recorded]):
        mutant = Mutant(target, dice)
        mutant.check(refused(mutant.bundle))
        if mutant.name != "structure" and turn % 10 == 0:
            found = verify(mutant.forged)
            assert found.steps[0].outcome == "pass", "the zip itself is in order"
            mutant.check(found.failed)


@pytest.mark.parametrize("recorded", ["nowhere", "local"])
@pytest.mark.parametrize(
    ("change", "number"),
    [
        (lambda lines: lines[:9] + lines[10:], 9),
        (lambda lines: lines[:-1], 49),
        (lambda lines: [*lines, lines[0].replace(b'"number":0', b'"number":50').replace(b"=1+1", b"new")], 50),
        (lambda lines: [*lines[:9], lines[10], lines[9], *lines[11:]], 9),
        (lambda lines: lines[::-1], 0),
        (lambda lines: [*lines[:20], lines[20], *lines[20:]], 21),
        (lambda lines: [*lines[:3], lines[3].replace(b'"state":"scored"', b'"state":"failed"'), *lines[4:]], 3),
    ],
    ids=["drop one", "drop the last", "add one", "swap two", "turn round", "repeat one", "change a state"],
)  # fmt: skip
def test_records_dropped_added_swapped_or_in_another_order_are_found(
    bundles: dict[Recorded, bytes], recorded: Recorded, change, number: int
):
    members = members_of(bundles[recorded])
    lines = members["questions.jsonl"].splitlines(keepends=True)
    assert lines != change(lines)
    failed = refused(rebuilt(members | {"questions.jsonl": b"".join(change(lines))}))
    assert number in {step.number for step in failed}


def test_two_records_that_change_places_numbers_and_all_are_found(bundles: dict[Recorded, bytes]):
    members = members_of(bundles["nowhere"])
    lines = members["questions.jsonl"].splitlines(keepends=True)
    lines[9], lines[10] = (
        lines[10].replace(b'"number":10,', b'"number":9,'),
        lines[9].replace(b'"number":9,', b'"number":10,'),
    )
    failed = refused(rebuilt(members | {"questions.jsonl": b"".join(lines)}))
    assert {"root", "scores", "timings"} <= {step.name for step in failed}
    assert {step.number for step in failed if step.number is not None} == {9}


@pytest.mark.parametrize("recorded", ["nowhere", "local", "chain"])
def test_the_manifest_of_another_run_is_found(bundles: dict[Recorded, bytes], recorded: Recorded):
    members = members_of(bundles[recorded])
    other = members_of(MadeRun(seed=2).bundle())
    failed = refused(rebuilt(members | {"manifest.json": other["manifest.json"]}))
    assert {"manifest", "means", "timings"} <= {step.name for step in failed}
    assert {step.field for step in failed if step.name == "manifest"} == {"dataset"}


def test_a_manifest_changed_together_with_its_seals_is_found_by_the_ledger_s_row(bundles: dict[Recorded, bytes]):
    """The seals prove nothing; the digest in the ledger does."""
    members = members_of(bundles["local"])
    document, manifest = value_of(members["entry.json"]), value_of(members["manifest.json"])
    other = members_of(MadeRun().bundle("local"))
    manifest["software"]["passer"] = "9.9.9"
    document["manifest"]["software"] = seal_of(canonical_json(manifest["software"]))
    document["seals"]["manifest"] = seal_of(canonical_json(document["manifest"]))
    forged = other | {"manifest.json": canonical_json(manifest), "entry.json": canonical_json(document)}
    failed = refused(rebuilt(forged))
    assert [(step.name, step.field) for step in failed] == [("run_entry", "run.entry.run_digest")]


@pytest.mark.parametrize(
    ("change", "step", "field"),
    [
        (lambda d: d["questions"][3]["entry"].update(results=[4.5]), "question_entries", "questions[3].entry.results"),
        (lambda d: d["questions"][3]["entry"].update(testid="a" * 12), "question_entries", "questions[3].entry.testid"),
        (lambda d: d["run"]["entry"].update(description="another"), "run_entry", "run.entry.description"),
        (lambda d: d["run"].update(recorded_at="2020-01-02T03:04:05Z"), "entry", "run.recorded_at"),
        (lambda d: d["questions"].pop(), "entry", "questions"),
        (lambda d: d.update(run="not recorded"), "entry", "run"),
        (lambda d: d["questions"].reverse(), "question_entries", "questions[0].entry.description"),
    ],
)  # fmt: skip
def test_a_changed_receipt_is_found_and_its_field_named(bundles: dict[Recorded, bytes], change, step: str, field: str):
    members = members_of(bundles["local"])
    document = value_of(members["entry.json"])
    change(document)
    failed = refused(rebuilt(members | {"entry.json": canonical_json(document)}))
    assert (step, field) in [(found.name, found.field) for found in failed]


def test_a_local_row_cut_out_and_closed_up_is_found(bundles: dict[Recorded, bytes]):
    """Its own digest made right, but not those that follow it."""
    members = members_of(bundles["local"])
    document = value_of(members["entry.json"])
    receipt = document["questions"][7]
    receipt["place"]["previous"] = "0" * 64
    row = {"entry": receipt["entry"], "previous": "0" * 64, "recorded_at": receipt["recorded_at"],
           "sequence": receipt["place"]["sequence"]}  # fmt: skip
    receipt["place"]["digest"] = digest_of(row)
    receipt["seals"]["place"] = seal_of(canonical_json(receipt["place"]))
    failed = refused(rebuilt(members | {"entry.json": canonical_json(document)}))
    assert [(step.name, step.number, step.field) for step in failed] == [
        ("local_ledger", 7, "questions[7].place.previous")
    ]


def test_a_receipt_that_names_another_action_of_its_transaction_is_found(bundles: dict[Recorded, bytes]):
    members = members_of(bundles["chain"])
    document = value_of(members["entry.json"])
    one, other = document["questions"][2], document["questions"][4]
    one["place"], other["place"] = other["place"], one["place"]
    for receipt in (one, other):
        receipt["seals"]["place"] = seal_of(canonical_json(receipt["place"]))
    failed = refused(rebuilt(members | {"entry.json": canonical_json(document)}))
    assert [(step.name, step.number) for step in failed] == [("action", 2)]


# -- files that were made to hurt


def with_member(bundle: bytes, name: str, content: bytes) -> bytes:
    return rebuilt(members_of(bundle) | {name: content})


DEEP = b'{"a":' * 100_000 + b"1" + b"}" * 100_000


@pytest.mark.parametrize("name", ["manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl"])
@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"\0", b"null", b"[]", b"{}", b"\xff\xfe", b'"', DEEP, b"[" * 100_000, b"1" * 100_000, b"{" * 65,
        b"\xef\xbb\xbf{}", b"\n" * 1000, b'{"a":NaN}', b'{"a":1,"a":1}', b"\r\n" * 10, b"1e999999", b'{"\\ud800":1}',
    ],
)  # fmt: skip
def test_any_content_of_any_member_gets_a_verdict(bundles: dict[Recorded, bytes], name: str, content: bytes):
    for recorded in ("nowhere", "chain"):
        found = verify(with_member(bundles[recorded], name, content))
        assert found.verdict == "not verified"


def test_a_random_value_at_any_place_of_a_document_gets_a_verdict(bundles: dict[Recorded, bytes]):
    """Of the right form or not: never a traceback, and whatever differs is found."""
    dice = random.Random(7)
    values = [None, True, -1, 0, 1.5, 1e300, 2**52, "", "x" * 300, "é😀", [], {}, [[]], {"a": 1}, "0" * 64, "a" * 12]
    for name in ("manifest.json", "entry.json"):
        members = members_of(bundles["chain"])
        for _ in range(100):
            document = value_of(members[name])
            at, key = _somewhere(document, dice)
            before, at[key] = at[key], dice.choice(values)
            if at[key] == before and type(at[key]) is type(before):
                continue
            assert refused(rebuilt(members | {name: canonical_json(document)}))


@pytest.mark.parametrize("number", ["9007199254740992", "10000000000000000", "1e+300"])
def test_a_number_that_no_double_holds_apart_gets_a_verdict(bundles: dict[Recorded, bytes], number: str):
    """Canonical as they stand, and integers beyond what has one form."""
    members = members_of(bundles["chain"])
    for name, field in (("entry.json", "block_number"), ("manifest.json", "asked")):
        content, found = re.subn(
            rb'("%b":)[0-9]+' % field.encode(), rb"\g<1>" + number.encode(), members[name], count=1
        )
        assert found == 1
        assert refused(rebuilt(members | {name: content}))


def _somewhere(document, dice: random.Random):
    at, key = document, dice.choice(list(document))
    while isinstance(at[key], dict | list) and at[key] and dice.random() < 0.8:
        at = at[key]
        key = dice.choice(list(at)) if isinstance(at, dict) else dice.randrange(len(at))
    return at, key


def test_structures_that_lie_get_a_verdict(bundles: dict[Recorded, bytes]):
    bundle = bundles["nowhere"]
    members = members_of(bundle)
    lies = [
        bundle + b"x",
        b"x" + bundle,
        bundle[:-1],
        bundle[: len(bundle) // 2],
        bundle + bundle,
        bundle[:30],
        b"PK\x03\x04",
        b"PK\x05\x06" + bytes(18),
        rebuilt(dict(reversed(members.items()))),
        rebuilt(members | {"more.txt": b"more"}),
        rebuilt({name: content for name, content in members.items() if name != "timings.jsonl"}),
        rebuilt({}),
        bundle[:18] + b"\xff\xff\xff\xff\xff\xff\xff\xff" + bundle[26:],
        bundle.replace(b"scores.csv", b"SCORES.CSV"),
    ]
    for lie in lies:
        found = verify(lie)
        assert found.verdict == "not verified"
        assert found.steps[0].outcome == "fail"


def test_a_zip_by_another_program_is_another_file(bundles: dict[Recorded, bytes]):
    """The same contents, compressed or with today's date, are not the one form; a bomb is never unpacked."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as written:
            for name, content in members_of(bundles["nowhere"]).items():
                written.writestr(name, content)
            written.writestr("bomb", bytes(10**7))
        assert verify(stream.getvalue()).steps[0].outcome == "fail"


@pytest.mark.parametrize("content", [b"", b"x", b"%PDF-1.7", b"PK", b"\x1f\x8b" + bytes(1000)])
def test_what_is_no_zip_at_all_could_not_be_checked(content: bytes):
    with pytest.raises(InputError, match="no bundle"):
        verify(content)


# -- what a chain confirms


def test_a_chain_is_asked_about_every_transaction(bundles: dict[Recorded, bytes]):
    witness = FakeWitness()
    found = Verifying(witness_for=lambda contract: witness).verify(bundles["chain"])
    assert found.verdict == "verified"
    assert {step.outcome for step in found.steps if step.name in CHAIN_STEPS} == {"pass"}
    assert sum(len(entries) for _, entries in witness.asked) == 102
    each = [len({entry.action_index for entry in entries}) for _, entries in witness.asked]
    assert each == [2, 20, 20, 20, 20, 20], "the transaction of the run's own rows comes first"


@pytest.mark.parametrize("name", CHAIN_STEPS)
def test_what_a_chain_denies_is_not_verified(bundles: dict[Recorded, bytes], name: ChainStep):
    class Denying(FakeWitness):
        def look(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
            found = dict(super().look(transaction, entries))
            if len(self.asked) == 3:
                found[name] = Finding(outcome="fail", detail="No.")
            elif len(self.asked) == 2:
                del found[name]
            return found

    found = Verifying(witness_for=lambda contract, witness=Denying(): witness).verify(bundles["chain"])
    assert [(step.name, step.field) for step in found.failed] == [(name, "transactions[2]")]


def test_a_chain_is_not_asked_about_what_does_not_hold_by_itself(bundles: dict[Recorded, bytes]):
    members = members_of(bundles["chain"])
    document = value_of(members["entry.json"])
    document["transactions"][0]["packed_transaction"] = "00" + document["transactions"][0]["packed_transaction"][2:]
    witness = FakeWitness()
    bundle = rebuilt(members | {"entry.json": canonical_json(document)})
    found = Verifying(witness_for=lambda contract: witness).verify(bundle)
    assert not witness.asked
    assert {step.outcome for step in found.steps if step.name in CHAIN_STEPS} == {"not_checked"}
    assert "transactions[0].packed_transaction" in {step.field for step in found.failed}


def test_nothing_local_is_asked_of_a_chain(bundles: dict[Recorded, bytes]):
    witness = FakeWitness()
    found = Verifying(witness_for=lambda contract: witness).verify(bundles["local"])
    assert not witness.asked
    assert "local ledger, not on a chain" in found.steps[-1].detail


def test_the_mask_of_a_vector_is_part_of_what_is_compared():
    assert vector_of((None, 0.5)) == (0.0, 0.5, 2.0)
