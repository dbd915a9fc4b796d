"""Each step that only a chain can confirm has a tamper that it alone finds: of the bundle, or of what the node says."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from coincurve._libsecp256k1 import ffi

from passer.antelope.client.chain import AntelopeChain
from passer.antelope.client.replies import BlockInfo
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.entries import recorded_actions
from passer.antelope.format.transactions import signing_digest
from passer.antelope.proofs.witness import AntelopeWitness
from passer.antelope.signing.keys import PrivateKey, is_canonical
from passer.antelope.signing.signatures import Signature
from passer.domain.bundle.members import moment_text
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep, Verification
from passer.domain.ledger.entry import Action, ChainPlace, Entry, Receipt
from passer.ports.ledger import LedgerRow
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import MadeRun, members_of
from tests.conftest import ROOT
from tests.services.provenance.bundle_verifier.forging import Draft, Json, forged

if TYPE_CHECKING:
    from tests.chain.booted import Chain

BY = "researcher1"
WASM = hashlib.sha256((ROOT / "contracts" / "llmtest" / "llmtest.wasm").read_bytes()).hexdigest()


def posted(chain: Chain, entries: Sequence[Entry]) -> Iterator[Receipt]:
    """Receipts of one transaction in an irreversible block."""
    client = AntelopeChain(chain.rpc, chain.contract)
    signed = client.sign(client.prepare(entries, BY), chain.keys[BY])
    client.push(signed)
    chain.wait_irreversible(chain.wait_blocks(2))
    number = chain.rpc.block_of(signed.prepared.id)
    assert number is not None
    block = chain.rpc.block_info(number)
    for index, entry in enumerate(entries):
        place = ChainPlace(
            chain_id=signed.prepared.chain_id,
            contract=chain.contract,
            creator=BY,
            transaction_id=signed.prepared.id,
            packed_transaction=signed.prepared.packed,
            signatures=signed.signatures,
            action_index=index,
            block_number=number,
            block_id=block.id,
        )
        yield Receipt(entry=entry, recorded_at=block.timestamp, place=place)


@pytest.fixture(scope="module")
def bundle(chain: Chain) -> bytes:
    return MadeRun(questions=3).bundle("chain", post=lambda entries: posted(chain, entries))


class Forked(Rpc):
    """A node that changes over to another branch while it is asked."""

    asked = 0

    def block_info(self, number: int) -> BlockInfo:
        self.asked += 1
        found = super().block_info(number)
        return found if self.asked == 1 else found.model_copy(update={"id": f"{number:08x}" + "f" * 56})


class ChangedRows:
    """Tables of a contract in which one row says something else."""

    def __init__(self, client: AntelopeChain) -> None:
        self._rows = client.rows

    def of_testid(self, action: Action, testid: str) -> Iterator[LedgerRow]:
        for row in self._rows.of_testid(action, testid):
            is_run = "question" not in row.description
            yield row.model_copy(update={"results": (*row.results[:-1], 0.25)}) if is_run else row


def changed_rows(client: AntelopeChain) -> None:
    client.rows = ChangedRows(client)  # type: ignore[assignment]


@dataclass(frozen=True)
class Auditor:
    """Who asks the chain: by which client, expecting which code."""

    client: AntelopeChain
    code: str = WASM

    def verify(self, bundle: bytes) -> Verification:
        return BundleVerifier(
            recorded_actions, witnesses_for=lambda contract: [AntelopeWitness(self.client, code=self.code)]
        ).verify(bundle)


def signed_by(key: PrivateKey, held: Json, *, attempt: int = 0) -> str:
    """A signature over a transaction's bytes; each attempt gives another."""
    digest = signing_digest(bytes.fromhex(held["packed_transaction"]), chain_id=held["chain_id"])
    while True:
        extra = ffi.new("unsigned char [32]", attempt.to_bytes(32, "little"))
        signed = key._key.sign_recoverable(digest, hasher=None, custom_nonce=(ffi.NULL, extra))
        if is_canonical(signed[:64]):
            return Signature(bytes((signed[64] + 31,)) + signed[:64]).text
        attempt += 1


def by_a_stranger(chain: Chain, held: Json) -> None:
    """In a block that is not made yet: that the chain took it cannot be seen."""
    number = 2**31
    held.update(signatures=[signed_by(chain.keys["stranger"], held)])
    held.update(block_number=number, block_id=f"{number:08x}" + held["block_id"][8:])


def signed_again(chain: Chain, held: Json) -> None:
    """Another signature by the same key: the block holds the first one."""
    other = signed_by(chain.keys[BY], held, attempt=1000)
    assert other not in held["signatures"]
    held.update(signatures=[other])


def other_block(chain: Chain, held: Json) -> None:
    held.update(block_id=held["block_id"][:8] + "f" * 56)


def in_transaction(change: Callable[[Chain, Json], None]) -> Callable[[Chain, Draft], None]:
    return lambda chain, draft: change(chain, draft.entry["transactions"][0])


def backdated(chain: Chain, draft: Draft) -> None:
    """By a minute: the transaction expires within the hour, so that only the chain can tell."""
    for _, _, receipt in draft.receipts:
        at = datetime.fromisoformat(receipt["recorded_at"]) - timedelta(minutes=1)
        receipt["recorded_at"] = moment_text(at)


OF_BUNDLES: dict[ChainStep, Callable[[Chain, Draft], None]] = {
    "signer": in_transaction(by_a_stranger),
    "inclusion": in_transaction(signed_again),
    "block": in_transaction(other_block),
    "time": backdated,
}
OF_NODES: tuple[ChainStep, ...] = ("irreversible", "code", "row")


def tampered(chain: Chain, bundle: bytes, step: ChainStep) -> bytes:
    def change(draft: Draft) -> None:
        OF_BUNDLES[step](chain, draft)

    return forged(bundle, "transactions", change)


def test_an_untouched_bundle_passes_every_step(chain: Chain, bundle: bytes) -> None:
    found = Auditor(AntelopeChain(chain.rpc, chain.contract)).verify(forged(bundle, "records", lambda draft: None))
    assert {step.name for step in found.steps if step.name in CHAIN_STEPS and step.outcome != "pass"} == {"lock"}
    assert (found.failed, found.unconfirmed) == ((), ())


@pytest.mark.parametrize("step", OF_BUNDLES)
def test_the_step_alone_finds_a_tampered_bundle(chain: Chain, bundle: bytes, step: ChainStep) -> None:
    found = Auditor(AntelopeChain(chain.rpc, chain.contract)).verify(tampered(chain, bundle, step))
    assert [one.name for one in found.failed] == [step]


@pytest.mark.parametrize("step", OF_NODES)
def test_the_step_alone_finds_what_the_chain_denies(chain: Chain, bundle: bytes, step: ChainStep) -> None:
    rpc = Forked([chain.url]) if step == "irreversible" else chain.rpc
    client = AntelopeChain(rpc, chain.contract)
    if step == "row":
        changed_rows(client)
    found = Auditor(client, code="00" * 32 if step == "code" else WASM).verify(bundle)
    assert [one.name for one in found.failed] == [step]
    if isinstance(rpc, Forked):
        rpc.close()


def test_every_chain_step_has_its_tamper() -> None:
    assert {*OF_BUNDLES, *OF_NODES} == set(CHAIN_STEPS) - {"lock"}, "a test chain's contract is not locked"


@needs_node
def test_the_page_s_verifier_leaves_them_to_a_chain(chain: Chain, bundle: bytes, tmp_path: Path) -> None:
    """Offline nothing is wrong with these bundles."""
    for found in by_the_browser([tampered(chain, bundle, step) for step in OF_BUNDLES], tmp_path):
        assert found is not None
        assert found["verdict"] == "verified"
        assert {step["outcome"] for step in found["steps"] if step["name"] in CHAIN_STEPS} == {"not_checked"}


@pytest.mark.skipif(any(shutil.which(tool) is None for tool in ("bash", "curl", "jq")), reason="no bash, curl or jq")
def test_the_audit_by_hand_pages_through_the_rows(chain: Chain, bundle: bytes, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    [block] = [text for text in re.findall(r"```console\n(.*?)```", page, re.DOTALL) if "get_table_rows" in text]
    script = re.sub(r"^\$ ", "", block, flags=re.MULTILINE).replace('\\"limit\\": 1000', '\\"limit\\": 1')
    assert "1000" not in script
    (tmp_path / "entry.json").write_bytes(members_of(bundle)["entry.json"])
    known = {"NODE": chain.url, "CONTRACT": chain.contract, "PATH": os.environ["PATH"]}
    entry = json.loads(members_of(bundle)["entry.json"])["run"]
    known |= {"testid": entry["entry"]["testid"], "run_digest": entry["entry"]["run_digest"]}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=known, capture_output=True, text=True, check=False)
    [found] = done.stdout.splitlines()
    assert found.split("\t")[0] == BY
    assert found.split("\t")[2] == entry["entry"]["run_digest"]
