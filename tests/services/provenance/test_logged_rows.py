"""Bundles with a proof that their rows were in a ledger at a checkpoint that its operator signed."""

from __future__ import annotations

import pytest

from passer.domain.base import canonical_json
from passer.domain.bundle.expectation import Expectation, LoggedRow
from passer.domain.canonical import read_canonical
from passer.domain.ledger.checkpoint import Checkpoint, InclusionProof, leaf_of
from passer.domain.ledger.signed_note import NoteKey
from passer.domain.ledger.tlog import inclusion_proof
from passer.domain.merkle import leaf_hash, root_of
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.bundles import MadeRun, members_of
from tests.domain.test_signed_notes import KEY, LOG, signed


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return MadeRun(questions=5).bundle("local")


def logged(bundle: bytes, *, row: int, key: NoteKey = KEY) -> LoggedRow:
    """The proof of a row, in a ledger that has two other rows before those of the bundle."""
    entry = read_canonical(members_of(bundle)["entry.json"])
    rows = [*entry["questions"], entry["run"]]
    digests = {receipt["place"]["sequence"]: receipt["place"]["digest"] for receipt in rows}
    leaves = [leaf_of(digests.get(sequence, "0" * 64)) for sequence in range(1, max(digests) + 1)]
    proof = inclusion_proof(row - 1, len(leaves), lambda level, n: root_of(leaves[n << level : (n + 1) << level]))
    checkpoint = signed(Checkpoint(LOG, len(leaves), root_of(leaves)).text)
    return LoggedRow(proof=InclusionProof(row - 1, tuple(proof), checkpoint), key=key)


def outcome(bundle: bytes, expected: LoggedRow) -> tuple[str, str, bool]:
    found = BundleVerifier(expectation=Expectation(logged=expected)).verify(bundle)
    step = next(step for step in found.steps if step.name == "expected")
    return step.outcome, step.detail, bool(found.unconfirmed)


def test_the_row_of_the_run_is_in_the_ledger(bundle: bytes):
    assert canonical_json(read_canonical(members_of(bundle)["entry.json"]))
    found = outcome(bundle, logged(bundle, row=8))
    assert found == ("pass", f"Row 8 (run) is in the ledger {LOG} at its signed checkpoint of 8 rows.", False)


def test_what_a_proof_does_not_show(bundle: bytes):
    # A row that the bundle has not, a proof of another row, and a key that signed nothing.
    assert outcome(bundle, logged(bundle, row=1))[::2] == ("not_checked", True)
    of_other = logged(bundle, row=7).proof
    moved = LoggedRow(proof=InclusionProof(7, of_other.hashes, of_other.checkpoint), key=KEY)
    assert outcome(bundle, moved)[:2] == ("fail", "The proof does not show that row 8 was in the ledger.")
    other_key = NoteKey(LOG, leaf_hash(b"another key"))
    assert outcome(bundle, logged(bundle, row=8, key=other_key))[0] == "fail"
