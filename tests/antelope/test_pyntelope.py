"""pyntelope, which published PaSSER posts with, in an environment of its own: the same bytes for published actions."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passer.antelope.client.chain import new_transaction, recovered_keys
from passer.antelope.format.entries import published_action
from passer.antelope.format.transactions import packed_transaction, transaction_id
from passer.antelope.signing.keys import PrivateKey
from passer.domain.ledger.chain import ChainTransaction
from passer.domain.ledger.entry import Entry
from tests.antelope.entries import entries, entry
from tests.antelope.legacy import legacy_private_text
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.chain.booted import Chain

PYTHON = ROOT / ".venvs" / "pyntelope" / "bin" / "python"
CHAIN = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
NO_PYNTELOPE = "pyntelope is not installed in .venvs/pyntelope: `make pyntelope` does that where pip reaches it"
PUBLISHED = ROOT / "tests" / "contracts" / "published"


def ascii_entries(count: int) -> list[Entry]:
    """pyntelope refuses other text."""
    return [
        one.model_copy(update={"description": f"{one.run_digest} #{place}"}) for place, one in enumerate(entries(count))
    ]


def ask(transaction: ChainTransaction, recorded: list[Entry], key: PrivateKey, *, creator: str, chain_id: str) -> Any:
    if not PYTHON.is_file():
        pytest.skip(NO_PYNTELOPE)
    question = {
        "chain_id": chain_id,
        "ref_block_num": transaction.ref_block_num,
        "ref_block_prefix": transaction.ref_block_prefix,
        "expiration": transaction.expiration.replace(tzinfo=None).isoformat(),
        "key": legacy_private_text(key).get_secret_value(),
        "actions": [
            {
                "account": action.account,
                "name": action.name,
                "data": {"creator": creator, **one.model_dump(include={"testid", "description", "results"})},
            }
            for action, one in zip(transaction.actions, recorded, strict=True)
        ],
    }
    # Its clock arithmetic is that of the machine's zone: any but UTC would shift the expiration.
    done = subprocess.run(
        [str(PYTHON), str(Path(__file__).with_name("pyntelope_oracle.py"))],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "TZ": "UTC"},
    )
    assert done.returncode == 0, done.stderr[-1000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("count", [1, 10])
def test_bytes_ids_and_signatures(count: int) -> None:
    recorded, key = ascii_entries(count), PrivateKey.generate()
    transaction = ChainTransaction(
        expiration=datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC),
        ref_block_num=12345,
        ref_block_prefix=3_987_654_321,
        actions=tuple(published_action(one, contract="published", creator="researcher1") for one in recorded),
    )
    packed = packed_transaction(transaction)
    theirs = ask(transaction, recorded, key, creator="researcher1", chain_id=CHAIN)
    assert theirs["packed"] == packed.hex()
    assert theirs["id"] == transaction_id(packed)
    assert recovered_keys(packed, theirs["signatures"], chain_id=CHAIN) == (key.public,)


def test_one_node_takes_both(chain: Chain) -> None:
    """The published contract; one transaction is signed here and one by pyntelope."""
    abi = json.loads((PUBLISHED / "published.abi").read_text())
    chain.deploy("published", wasm=(PUBLISHED / "published.wasm").read_bytes(), abi=abi)
    one, other = ascii_entries(2)
    chain.push(published_action(one, contract="published", creator="researcher1"))
    action = published_action(other, contract="published", creator="researcher1")
    info = chain.rpc.info()
    transaction = new_transaction(info, [action])
    theirs = ask(transaction, [other], chain.keys["researcher1"], creator="researcher1", chain_id=info.chain_id)
    pushed = chain.rpc.push(bytes.fromhex(theirs["packed"]), theirs["signatures"])
    assert pushed.transaction_id == transaction_id(packed_transaction(transaction))
    shown = [row for table in ("testtable", "timetable") for row in chain.rows(table, code="published")]
    assert {row["description"] for row in shown} == {one.description, other.description}


def test_what_pyntelope_cannot_do() -> None:
    """Why it is not the client: if this begins to work, look again."""
    recorded, key = [entry(1, text="ü")], PrivateKey.generate()
    transaction = ChainTransaction(
        expiration=datetime(2031, 5, 6, tzinfo=UTC),
        ref_block_num=1,
        ref_block_prefix=1,
        actions=(published_action(recorded[0], contract="published", creator="researcher1"),),
    )
    with pytest.raises(AssertionError, match="multi-byte utf"):
        ask(transaction, recorded, key, creator="researcher1", chain_id=CHAIN)
