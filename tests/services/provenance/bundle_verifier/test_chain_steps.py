"""What only a chain confirms, and when it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep, Finding
from passer.domain.ledger.entry import vector_of
from passer.ports import PlacedEntry
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.bundles import Recorded, members_of, rebuilt
from tests.fakes import FakeWitness
from tests.services.provenance.bundle_verifier.checked import value_of


def test_a_chain_is_asked_about_every_transaction(bundles: dict[Recorded, bytes]):
    witness = FakeWitness()
    found = BundleVerifier(recorded_actions, witnesses_for=lambda contract: [witness]).verify(bundles["chain"])
    assert found.verdict == "verified"
    assert {step.outcome for step in found.steps if step.name in CHAIN_STEPS} == {"pass"}
    assert sum(len(entries) for _, entries in witness.asked) == 102
    each = [len({entry.action_index for entry in entries}) for _, entries in witness.asked]
    assert each == [2, 20, 20, 20, 20, 20], "the transaction of the run's own rows comes first"


@pytest.mark.parametrize("name", CHAIN_STEPS)
def test_what_a_chain_denies_is_not_verified(bundles: dict[Recorded, bytes], name: ChainStep):
    class Denying(FakeWitness):
        def examine(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
            found = dict(super().examine(transaction, entries))
            if len(self.asked) == 3:
                found[name] = Finding(outcome="fail", detail="No.")
            elif len(self.asked) == 2:
                del found[name]
            return found

    found = BundleVerifier(recorded_actions, witnesses_for=lambda contract, witness=Denying(): [witness]).verify(
        bundles["chain"]
    )
    assert [(step.name, step.field) for step in found.failed] == [(name, "transactions[2]")]


def test_a_chain_is_not_asked_about_what_does_not_hold_by_itself(bundles: dict[Recorded, bytes]):
    members = members_of(bundles["chain"])
    document = value_of(members["entry.json"])
    document["transactions"][0]["packed_transaction"] = "00" + document["transactions"][0]["packed_transaction"][2:]
    witness = FakeWitness()
    bundle = rebuilt(members | {"entry.json": canonical_json(document)})
    found = BundleVerifier(recorded_actions, witnesses_for=lambda contract: [witness]).verify(bundle)
    assert not witness.asked
    assert {step.outcome for step in found.steps if step.name in CHAIN_STEPS} == {"not_checked"}
    assert "transactions[0].packed_transaction" in {step.field for step in found.failed}


def test_nothing_local_is_asked_of_a_chain(bundles: dict[Recorded, bytes]):
    witness = FakeWitness()
    found = BundleVerifier(recorded_actions, witnesses_for=lambda contract: [witness]).verify(bundles["local"])
    assert not witness.asked
    assert "local ledger, not on a blockchain" in found.steps[-1].detail


def test_the_mask_of_a_vector_is_part_of_what_is_compared():
    assert vector_of((None, 0.5)) == (0.0, 0.5, 2.0)
