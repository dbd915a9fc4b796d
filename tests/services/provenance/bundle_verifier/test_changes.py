"""Every change of a bundle is found, and its place is named."""

from __future__ import annotations

import hashlib
import random
from bisect import bisect_right
from collections.abc import Sequence

import pytest

from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.members import seal_of
from passer.domain.bundle.verification import CHAIN_STEPS, Step
from passer.domain.canonical import NotCanonical, read_canonical
from tests.bundles import MadeRun, Recorded, members_of, rebuilt
from tests.services.provenance.bundle_verifier.checked import IDS, RECORDED, refused, value_of, verify


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
    def member(self) -> bytes:
        """The changed member."""
        content = self.target.members[self.name]
        return content[: self.at] + bytes([self.new]) + content[self.at + 1 :]

    @property
    def forged(self) -> bytes:
        """The same change with the zip's checksums put right."""
        return rebuilt(self.target.members | {self.name: self.member})

    def check(self, failed: Sequence[Step]) -> None:
        """The question or the field is named."""
        if self.name == "questions.jsonl":
            number = self.target.members[self.name].count(b"\n", 0, self.at)
            assert (number, IDS[number]) in {(step.number, step.question) for step in failed}
        elif self.name == "scores.csv":
            number = bisect_right(self.target.rows, self.at) - 1
            named = {(step.number, step.question) for step in failed if step.member == self.name}
            assert named == {(number, IDS[number])} if number >= 0 else {(None, None)}
        elif self.name != "structure":
            steps = [step for step in failed if step.member == self.name]
            assert steps
            changed = changed_members(self.target.members[self.name], self.member)
            assert not changed or changed & {_top(step.field or "") for step in steps}


def changed_members(before: bytes, after: bytes) -> set[str]:
    """Names of the members of a document whose values differ; none where the second is not canonical any more."""
    try:
        one, other = read_canonical(before), read_canonical(after)
    except NotCanonical:
        return set()
    return {name for name in one.keys() | other.keys() if name not in one or one[name] != other.get(name)}


def _top(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]


@pytest.mark.parametrize("share", [0.2, pytest.param(1.0, marks=pytest.mark.soak)])
@pytest.mark.parametrize("recorded", ["nowhere", "local", "chain"])
def test_a_changed_byte_is_found_wherever_it_is(bundles: dict[Recorded, bytes], recorded: Recorded, share: float):
    """400 positions over all members and the bytes between them, 2,000 in the soak tests; of some the checksums are
    put right again.
    """
    target, dice = Target(bundles[recorded]), random.Random(20260101)
    for turn in range(int(share * {"nowhere": 1350, "local": 450, "chain": 200}[recorded])):
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
    document["manifest"]["software"] = seal_of(manifest["software"])
    document["seals"]["manifest"] = seal_of(document["manifest"])
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
    receipt["seals"]["place"] = seal_of(receipt["place"])
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
        receipt["seals"]["place"] = seal_of(receipt["place"])
    failed = refused(rebuilt(members | {"entry.json": canonical_json(document)}))
    assert [(step.name, step.number) for step in failed] == [("action", 2)]
