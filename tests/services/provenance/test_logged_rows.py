"""Bundles with a proof that their rows were in a ledger at a checkpoint that its operator signed."""

from __future__ import annotations

import pytest

from passer.domain.base import canonical_json
from passer.domain.bundle.expectation import Expectation, LoggedRow
from passer.domain.bundle.merkle import leaf_hash
from passer.domain.canonical import read_canonical
from passer.domain.ledger.checkpoint import InclusionProof
from passer.domain.ledger.signed_note import NoteKey
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.bundles import MadeRun, members_of
from tests.domain.test_signed_notes import KEY, LOG
from tests.logged import logged_row


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return MadeRun(questions=5).bundle("local")


def outcome(bundle: bytes, expected: LoggedRow) -> tuple[str, str, bool]:
    found = BundleVerifier(expectation=Expectation(logged=expected)).verify(bundle)
    step = next(step for step in found.steps if step.name == "expected")
    return step.outcome, step.detail, bool(found.unconfirmed)


def test_the_row_of_the_run_is_in_the_ledger(bundle: bytes):
    assert canonical_json(read_canonical(members_of(bundle)["entry.json"]))
    found = outcome(bundle, logged_row(bundle, row=8))
    assert found == ("pass", f"Row 8 (run) is in the ledger {LOG} at its signed checkpoint of 8 rows.", False)


def test_what_a_proof_does_not_show(bundle: bytes):
    # A row that the bundle has not, a proof of another row, and a key that signed nothing.
    assert outcome(bundle, logged_row(bundle, row=1))[::2] == ("not_checked", True)
    of_other = logged_row(bundle, row=7).proof
    moved = LoggedRow(proof=InclusionProof(7, of_other.hashes, of_other.checkpoint), key=KEY)
    assert outcome(bundle, moved)[:2] == ("fail", "The proof does not show that row 8 was in the ledger.")
    other_key = NoteKey(LOG, leaf_hash(b"another key"))
    assert outcome(bundle, logged_row(bundle, row=8, key=other_key))[0] == "fail"
