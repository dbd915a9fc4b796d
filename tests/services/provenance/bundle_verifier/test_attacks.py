"""Bundles that verified although they should not have, and honest ones that did not: each attack of the audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import CONFIRMING, ChainStep, Finding, Step, Verification
from passer.domain.dataset import Dataset, GoldPassage
from passer.ports import PlacedEntry
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import MadeRun, Recorded, members_of, rebuilt
from tests.fakes import FakeWitness
from tests.services.provenance.bundle_verifier.checked import verify
from tests.services.provenance.bundle_verifier.forging import Draft, Stage, forged, taken_apart
from tests.services.provenance.bundle_verifier.unusual import QUESTIONS, numbered_but_unsettled, published, unsettled


@pytest.fixture(scope="module")
def whole() -> dict[Recorded, bytes]:
    return {recorded: MadeRun(questions=QUESTIONS).bundle(recorded) for recorded in ("nowhere", "local", "chain")}


def step(found: Verification, name: str) -> Step:
    return next(one for one in found.steps if one.name == name)


def backdated(moment: str) -> Callable[[Draft], None]:
    """All times, in a bundle that is made to fit."""

    def change(draft: Draft) -> None:
        for _, _, receipt in draft.receipts:
            receipt["recorded_at"] = moment

    return change


@pytest.mark.parametrize("moment", ["2020-01-01T00:00:00.500000Z", "2026-01-02T03:05:06Z", "2026-01-02T02:05:04Z"])
def test_a_backdated_bundle_contradicts_the_transaction_that_was_signed(whole: dict[Recorded, bytes], moment: str):
    """The signed bytes say when they expire; a chain takes them in the hour before."""
    found = verify(forged(whole["chain"], "entries", backdated(moment)))
    assert [(one.name, one.field) for one in found.failed] == [("action", "run.recorded_at")]


@pytest.mark.parametrize(
    "moment",
    ["2026-02-30T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04:05.5Z",
     "2026-01-02T03:04:05.000000Z", "0999-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"],
)  # fmt: skip
def test_a_time_that_is_none_or_has_another_form_is_refused(whole: dict[Recorded, bytes], moment: str):
    found = verify(forged(whole["local"], "entries", backdated(moment)))
    assert [(one.name, one.field) for one in found.failed] == [("entry", "run.recorded_at")]


class AlmostSilent(FakeWitness):
    """A node that names its chain and the contract's code, and has no other answer."""

    def examine(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        return {"code": Finding(outcome="pass", detail="The contract's code is the expected one.")}


class Denying(FakeWitness):
    def examine(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        found = dict(super().examine(transaction, entries))
        return found | {"row": Finding(outcome="fail", detail="No row matches.")}


def witnessed(bundle: bytes, *witnesses: FakeWitness, **expected: object) -> Verification:
    expectation = Expectation.model_validate(expected)
    return BundleVerifier(recorded_actions, lambda contract: witnesses, expectation).verify(bundle)


def test_a_node_that_says_almost_nothing_confirms_nothing(whole: dict[Recorded, bytes]):
    found = witnessed(whole["chain"], AlmostSilent())
    assert (found.verdict, found.unconfirmed) == ("verified", CONFIRMING)
    assert witnessed(whole["chain"], FakeWitness()).unconfirmed == ()
    assert witnessed(whole["local"], FakeWitness()).unconfirmed == CONFIRMING, "no chain holds a local row"
    assert verify(whole["chain"]).unconfirmed is None, "nothing was asked"


def test_nodes_that_disagree_are_named(whole: dict[Recorded, bytes]):
    nodes = [FakeWitness("http://one"), Denying("http://two"), AlmostSilent("http://three")]
    found = witnessed(whole["chain"], *nodes)
    assert step(found, "row").outcome == "fail"
    assert step(found, "row").detail.startswith("The nodes disagree. http://one: The chain confirms it. http://two: No")
    assert step(found, "signer").outcome == "not_checked", "the third node did not answer"
    assert step(found, "code").outcome == "pass"


@pytest.mark.parametrize(
    ("expected", "outcome", "field"),
    [
        ({"account": "researcher1", "contract": "llmtest", "chain_id": "c" * 64}, "pass", None),
        ({"account": "researcher2"}, "fail", "transactions[0].creator"),
        ({"contract": "other"}, "fail", "transactions[0].contract"),
        ({"chain_id": "d" * 64}, "fail", "transactions[0].chain_id"),
        ({"head": (3, "0" * 64)}, "not_checked", None),
    ],
)
def test_what_the_auditor_expects_is_compared(
    whole: dict[Recorded, bytes], expected: dict[str, object], outcome: str, field: str | None
):
    found = BundleVerifier(recorded_actions, expectation=Expectation.model_validate(expected)).verify(whole["chain"])
    assert (step(found, "expected").outcome, step(found, "expected").field) == (outcome, field)
    assert found.unconfirmed == (() if outcome == "pass" else ("expected",))


def test_a_published_head_pins_a_row_of_the_local_ledger(whole: dict[Recorded, bytes]):
    def against(sequence: int, digest: str) -> Step:
        expectation = Expectation(head=(sequence, digest))
        return step(BundleVerifier(recorded_actions, expectation=expectation).verify(whole["local"]), "expected")

    rows: list[tuple[int, str]] = []
    forged(whole["local"], "entries", lambda draft: rows.extend(
        (receipt["place"]["sequence"], receipt["place"]["digest"]) for _, _, receipt in draft.receipts))  # fmt: skip
    last = max(rows)
    assert against(*last).outcome == "pass"
    assert against(last[0], "0" * 64).outcome == "fail"
    assert against(last[0] + 7, "0" * 64).outcome == "not_checked"


# Honest bundles


def test_a_block_that_is_not_irreversible_yet_is_left_out(whole: dict[Recorded, bytes]):
    bundle = MadeRun(questions=QUESTIONS).bundle("chain", post=unsettled)
    assert b'"block_id":null,"block_number":null' in members_of(bundle)["entry.json"]
    assert not verify(bundle).failed


def test_a_bundle_written_before_its_block_was_irreversible_is_verified(whole: dict[Recorded, bytes]):
    found = verify(numbered_but_unsettled(whole["chain"]))
    assert (found.verdict, step(found, "transaction_id").outcome) == ("verified", "not_checked")
    assert "not irreversible" in step(found, "transaction_id").detail
    asked = FakeWitness()
    witnessed(numbered_but_unsettled(whole["chain"]), asked)
    assert asked.asked, "a chain can tell what the bundle could not"


def test_a_bundle_of_the_published_contract_is_verified_without_its_rows():
    found = verify(published())
    assert (found.verdict, step(found, "action").outcome) == ("verified", "not_checked")
    assert "published contract" in step(found, "action").detail
    assert witnessed(published(), FakeWitness()).unconfirmed == CONFIRMING

    def other_score(draft: Draft) -> None:
        draft.entry["run"]["entry"]["results"][0] = 0.25

    assert [one.name for one in verify(rebuilt_entry(published(), other_score)).failed][-1] == "action"


def rebuilt_entry(bundle: bytes, change: Callable[[Draft], None]) -> bytes:
    """A change of entry.json alone: `forged` would pack the actions of the other contract."""
    draft = taken_apart(bundle)
    change(draft)
    return rebuilt(members_of(bundle) | {"entry.json": canonical_json(draft.entry)})


# Questions left out


def dropped(bundle: bytes, kept: int) -> bytes:
    """The best of the questions, everything else made to fit."""

    def change(draft: Draft) -> None:
        draft.records[kept:], draft.timings[kept:] = [], []

    return forged(bundle, "records", change)


def test_questions_that_were_left_out_are_found_with_the_dataset():
    made = MadeRun(questions=60)
    whole, few = made.bundle(), dropped(made.bundle(), 15)
    assert step(verify(whole), "dataset").outcome == "pass"
    assert step(verify(few), "dataset").outcome == "not_checked"
    expectation = Expectation(dataset=made.dataset)
    found = BundleVerifier(recorded_actions, expectation=expectation).verify(few)
    assert (found.verdict, step(found, "dataset").field) == ("not verified", "dataset.questions")
    assert "15 of the 60 questions" in step(found, "dataset").detail
    assert BundleVerifier(recorded_actions, expectation=expectation).verify(whole).unconfirmed == ()


def test_another_dataset_or_another_question_is_found():
    made = MadeRun(questions=12)
    gold = (GoldPassage(document="a.md", quote="Clover."),)
    richer = made.dataset.questions[0].model_copy(update={"gold_passages": gold})
    other = Dataset(name="farm", questions=(richer, *made.dataset.questions[1:]))
    found = BundleVerifier(recorded_actions, expectation=Expectation(dataset=other)).verify(made.bundle())
    assert (step(found, "dataset").outcome, step(found, "dataset").field) == ("fail", "dataset.digest")

    def reworded(draft: Draft) -> None:
        draft.records[4]["question"] += "?"

    expectation = Expectation(dataset=made.dataset)
    found = BundleVerifier(recorded_actions, expectation=expectation).verify(forged(made.bundle(), "records", reworded))
    assert [(one.name, one.number) for one in found.failed] == [("dataset", 4)]


# Both verifiers

LATER: dict[str, Stage] = {"asked": "manifest", "n": "manifest", "sequence": "entries"}
"""Values that follow from others: behind which stage another is put in their place."""
INTEGERS: dict[str, Callable[[Draft, float], object]] = {
    "dimension": lambda d, value: d.manifest["collection"]["embedding"].update(dimension=value),
    "chunk_size": lambda d, value: d.manifest["collection"]["chunking"].update(chunk_size=value),
    "chunk_overlap": lambda d, value: d.manifest["collection"]["chunking"].update(chunk_overlap=value),
    "passages": lambda d, value: d.manifest["collection"].update(
        documents=[{"name": "a", "digest": "0" * 64, "passages": value}]),
    "context_length": lambda d, value: d.manifest["model"].update(context_length=value),
    "size_bytes": lambda d, value: d.manifest["model"].update(size_bytes=value),
    "slots": lambda d, value: d.manifest["model"].update(slots=value),
    "cpu_count": lambda d, value: d.manifest["machine"].update(cpu_count=value),
    "memory_bytes": lambda d, value: d.manifest["machine"].update(memory_bytes=value),
    "asked": lambda d, value: d.manifest["counts"].update(asked=value),
    "n": lambda d, value: d.manifest["means"]["BLEU"].update(n=value),
    "rank": lambda d, value: d.records[11]["passages"][0].update(rank=value),
    "eval_count": lambda d, value: d.records[11]["timings"].update(eval_count=value),
    "cached_count": lambda d, value: d.records[11]["timings"].update(cached_count=value),
    "sequence": lambda d, value: d.entry["run"]["place"].update(sequence=value),
    "questions": lambda d, value: d.manifest["config"].update(questions=value),
}  # fmt: skip


HONEST = ("a leap day", "published", "unsettled", "everything that a server tells", "left out", "other scripts")


def _split(draft: Draft, splitter: str | None, *, rules: int = 2, **more: str | None) -> None:
    document = {"name": "a", "digest": "0" * 64, "passages": 1, "splitter": splitter, **more}
    draft.manifest["collection"].update(documents=[document], text_rules=rules)


def _set(draft: Draft, *, name: str, value: float) -> None:
    INTEGERS[name](draft, value)


@needs_node
def test_both_verifiers_agree_about_every_integer(whole: dict[Recorded, bytes], tmp_path: Path):
    values: tuple[float, ...] = (-1, 0, 1, 2**53 - 1, float(2**53), -(2**53 - 1), -float(2**53), 1e300, 0.5)
    changes = [(name, value) for name in INTEGERS for value in values]
    files = [
        forged(whole["local"], LATER.get(name, "records"), partial(_set, name=name, value=value))
        for name, value in changes
    ]
    for change, file, found in zip(changes, files, by_the_browser(files, tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(one) for one in verify(file).steps], change


@needs_node
def test_both_verifiers_agree_about_attacks_and_honest_bundles(whole: dict[Recorded, bytes], tmp_path: Path):
    made = MadeRun(questions=60)
    told = {"slots": 4, "capabilities": ["completion"], "remote_model": "cloud", "engine": "e", "for_trials": True}
    files = {
        "backdated": forged(whole["chain"], "entries", backdated("2020-01-01T00:00:00Z")),
        "no such day": forged(whole["local"], "entries", backdated("2026-02-30T00:00:00Z")),
        "a leap day": forged(whole["local"], "entries", backdated("2024-02-29T00:00:00Z")),
        "no leap day": forged(whole["local"], "entries", backdated("2026-02-29T00:00:00Z")),
        "published": published(),
        "unsettled": numbered_but_unsettled(whole["chain"]),
        "left out": dropped(made.bundle(), 15),
        "everything that a server tells": forged(
            whole["local"], "records", lambda draft: draft.manifest["model"].update(told)),
        "other scripts": forged(whole["local"], "records", lambda draft: _split(draft, "scripts-1", text="1" * 64)),
        "an unknown splitter": forged(whole["local"], "records", lambda draft: _split(draft, "scripts-0")),
        "a splitter that is null": forged(whole["local"], "records", lambda draft: _split(draft, None)),
        "no text": forged(whole["local"], "records", lambda draft: _split(draft, "scripts-1", text=None)),
        "no digest": forged(whole["local"], "records", lambda draft: _split(draft, "scripts-1", text="1" * 63)),
        "unknown rules": forged(whole["local"], "records", lambda draft: _split(draft, "scripts-1", rules=3)),
        "old rules that are told": forged(whole["local"], "records", lambda draft: _split(draft, "scripts-1", rules=1)),
        "a default that is told": forged(
            whole["local"], "records", lambda draft: draft.manifest["model"].update(for_trials=False)),
        "nothing told": forged(
            whole["local"], "records", lambda draft: draft.manifest["model"].update(capabilities=[])),
    }  # fmt: skip
    for name, found in zip(files, by_the_browser(list(files.values()), tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(one) for one in verify(files[name]).steps], name
        assert found["verdict"] == ("verified" if name in HONEST else "not verified"), name


@needs_node
@pytest.mark.parametrize("name", ["questions.jsonl", "timings.jsonl", "scores.csv"])
def test_a_member_of_line_breaks_alone_costs_little_memory(whole: dict[Recorded, bytes], name: str, tmp_path: Path):
    """Three million lines once took the browser's verifier to 4 GB."""
    files = [
        rebuilt(members_of(whole["nowhere"]) | {name: line * (3_000_000 // len(line))}) for line in (b"\n", b"0\n")
    ]
    found = by_the_browser(files, tmp_path, heap_mb=256)
    for file, one in zip(files, found, strict=True):
        assert one is not None
        assert one["steps"] == [step_of(each) for each in verify(file).steps]
