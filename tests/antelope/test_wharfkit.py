"""WharfKit's serialiser, keys and signatures against ours: digests, UTF-8, 50 actions, both directions."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from passer.antelope.client.chain import recovered_keys
from passer.antelope.format.entries import entry_action
from passer.antelope.format.transactions import packed_identity, packed_transaction, signing_digest, transaction_id
from passer.antelope.signing.authorities import Authority
from passer.antelope.signing.keys import PrivateKey
from passer.antelope.signing.signatures import Signature, sign
from passer.domain.ledger.chain import ChainTransaction, IdentityProof, PermissionLevel
from passer.domain.ledger.entry import Entry
from scripts.test_node.abi import packed_abi
from scripts.test_node.system_actions import newaccount, updateauth
from tests.antelope.entries import entries, entry
from tests.antelope.legacy import legacy_private_text
from tests.conftest import ROOT

FRONTEND = ROOT / "frontend"
ABI = json.loads((ROOT / "contracts" / "llmtest" / "llmtest.abi").read_text())
CHAIN = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"


def ask(*questions: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the replies of WharfKit from a single start of Node.js."""
    if shutil.which("node") is None or not (FRONTEND / "node_modules" / "@wharfkit" / "session").is_dir():
        pytest.skip("WharfKit is not installed: run `npm ci` in frontend/")
    done = subprocess.run(
        ["node", str(Path("scripts") / "pack-transactions.mjs")],
        cwd=FRONTEND,
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-1000:]
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def transaction_of(*recorded: Entry) -> ChainTransaction:
    return ChainTransaction(
        expiration=datetime(2031, 12, 31, 23, 59, 59, tzinfo=UTC),
        ref_block_num=65535,
        ref_block_prefix=4_000_000_001,
        actions=tuple(entry_action(one, contract="llmtest", creator="researcher1") for one in recorded),
    )


def in_fields(transaction: ChainTransaction, *recorded: Entry) -> dict[str, Any]:
    """The same with the actions' data as plain fields, for WharfKit to pack by the contract's ABI."""
    plain = transaction.model_dump(mode="json")
    for action, one in zip(plain["actions"], recorded, strict=True):
        fields = one.model_dump(mode="json", exclude={"action"})
        action["data"] = {"creator": "researcher1", **fields}
    return plain


LONG = entry(1, text='Ünïcödé, 漢字, 😀, "quoted", \\ and\na line').model_copy(
    update={"description": "漢" * 85 + "x", "results": tuple(float(place) for place in range(64))}
)
TINY = entry(2).model_copy(update={"description": "", "results": (5e-324, -0.0, 1.7976931348623157e308, 0.1)})


@pytest.mark.parametrize("recorded", [[entry(0)], entries(50), [LONG, TINY]], ids=["one", "fifty", "odd ones"])
def test_bytes_and_ids_are_the_same(recorded: list[Entry]) -> None:
    transaction = transaction_of(*recorded)
    packed = packed_transaction(transaction)
    wallet = transaction.model_dump(mode="json")
    by_abi, by_wallet = ask(
        {"ask": "pack", "transaction": in_fields(transaction, *recorded), "abi": ABI},
        {"ask": "wallet", "transaction": wallet, "chain_id": CHAIN},
    )
    assert by_abi == {"packed": packed.hex(), "id": transaction_id(packed)}
    assert by_wallet["packed"] == packed.hex()
    assert by_wallet["digest"] == signing_digest(packed, chain_id=CHAIN).hex()


def test_the_packed_abi() -> None:
    (answer,) = ask({"ask": "abi", "abi": ABI})
    assert answer["packed"] == packed_abi(ABI).hex()


def test_keys_and_signatures_both_ways() -> None:
    keys = [PrivateKey.generate() for _ in range(5)]
    digests = [hashlib.sha256(bytes([place])).hexdigest() for place in range(5)]
    texts = [key.reveal().get_secret_value() for key in keys]
    ours = [sign(bytes.fromhex(digest), key).text for key, digest in zip(keys, digests, strict=True)]
    answers = ask(
        *({"ask": "key", "key": text} for text in texts),
        *({"ask": "sign", "key": text, "digest": digest} for text, digest in zip(texts, digests, strict=True)),
        *({"ask": "recover", "signature": text, "digest": digest} for text, digest in zip(ours, digests, strict=True)),
    )
    for place, key in enumerate(keys):
        shown = answers[place]
        assert (shown["public"], shown["legacy"]) == (key.public.text, key.public.legacy_text)
        assert (shown["key"], shown["wif"]) == (texts[place], legacy_private_text(key).get_secret_value())
        assert PrivateKey(SecretStr(shown["wif"])).public == key.public
        theirs = Signature.read(answers[5 + place]["signature"])
        assert theirs.canonical
        assert theirs.recover(bytes.fromhex(digests[place])) == key.public
        assert answers[10 + place] == {"key": key.public.text}


def test_proofs_of_identity_are_the_same_bytes_and_give_the_key() -> None:
    key = PrivateKey.generate()
    proof = IdentityProof(
        expiration=datetime(2031, 12, 31, 23, 59, 59, tzinfo=UTC),
        signer=PermissionLevel(actor="researcher1", permission="owner"),
        signature="",
    )
    (theirs,) = ask(
        {
            "ask": "identity",
            "key": key.reveal().get_secret_value(),
            "chain_id": CHAIN,
            "scope": "abcdxyz12345",
            "expiration": "2031-12-31T23:59:59",
            "signer": {"actor": "researcher1", "permission": "owner"},
        }
    )
    packed = packed_identity(proof, challenge="abcdxyz12345")
    assert theirs["packed"] == packed.hex()
    assert theirs["recovered"] == key.public.text
    assert recovered_keys(packed, [theirs["signature"]], chain_id=CHAIN) == (key.public,)


AUTHORITY_ABI = {
    "version": "eosio::abi/1.1",
    "types": [],
    "structs": [
        {"name": "permission_level", "base": "", "fields": [
            {"name": "actor", "type": "name"}, {"name": "permission", "type": "name"}]},
        {"name": "key_weight", "base": "", "fields": [
            {"name": "key", "type": "public_key"}, {"name": "weight", "type": "uint16"}]},
        {"name": "permission_level_weight", "base": "", "fields": [
            {"name": "permission", "type": "permission_level"}, {"name": "weight", "type": "uint16"}]},
        {"name": "wait_weight", "base": "", "fields": [
            {"name": "wait_sec", "type": "uint32"}, {"name": "weight", "type": "uint16"}]},
        {"name": "authority", "base": "", "fields": [
            {"name": "threshold", "type": "uint32"}, {"name": "keys", "type": "key_weight[]"},
            {"name": "accounts", "type": "permission_level_weight[]"}, {"name": "waits", "type": "wait_weight[]"}]},
        {"name": "newaccount", "base": "", "fields": [
            {"name": "creator", "type": "name"}, {"name": "name", "type": "name"},
            {"name": "owner", "type": "authority"}, {"name": "active", "type": "authority"}]},
        {"name": "updateauth", "base": "", "fields": [
            {"name": "account", "type": "name"}, {"name": "permission", "type": "name"},
            {"name": "parent", "type": "name"}, {"name": "auth", "type": "authority"}]},
    ],
    "actions": [],
    "tables": [],
}  # fmt: skip


def test_authorities_are_read_as_they_were_meant() -> None:
    first, second = PrivateKey.generate().public, PrivateKey.generate().public
    low, high = sorted((first, second), key=lambda key: key.data)
    lock = Authority.of_account(PermissionLevel(actor="eosio.null"))
    mixed = Authority(3, keys=((high, 2), (low, 1)), accounts=((PermissionLevel(actor="bob"), 1),), waits=((60, 1),))
    made = newaccount("alice", creator="eosio", owner=mixed, active=lock)
    locked = updateauth("alice", "owner", lock)
    lower = updateauth("alice", "active", lock)
    shown = ask(
        {"ask": "unpack", "packed": made.data, "type": "newaccount", "abi": AUTHORITY_ABI},
        {"ask": "unpack", "packed": locked.data, "type": "updateauth", "abi": AUTHORITY_ABI},
        {"ask": "unpack", "packed": lower.data, "type": "updateauth", "abi": AUTHORITY_ABI},
    )
    by_null = [{"permission": {"actor": "eosio.null", "permission": "active"}, "weight": 1}]
    nobody = {"threshold": 1, "keys": [], "accounts": by_null, "waits": []}
    assert shown[0] == {
        "creator": "eosio",
        "name": "alice",
        "owner": {
            "threshold": 3,
            "keys": [{"key": low.text, "weight": 1}, {"key": high.text, "weight": 2}],
            "accounts": [{"permission": {"actor": "bob", "permission": "active"}, "weight": 1}],
            "waits": [{"wait_sec": 60, "weight": 1}],
        },
        "active": nobody,
    }
    assert shown[1] == {"account": "alice", "permission": "owner", "parent": "", "auth": nobody}
    assert shown[2] == {"account": "alice", "permission": "active", "parent": "owner", "auth": nobody}
