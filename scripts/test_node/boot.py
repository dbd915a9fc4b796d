"""From an empty chain to one with accounts and the contract `llmtest`, through the node's own API."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from passer.adapters.antelope.authorities import Authority
from passer.adapters.antelope.chain import new_transaction
from passer.adapters.antelope.keys import PrivateKey
from passer.adapters.antelope.replies import Pushed
from passer.adapters.antelope.rpc import Rpc
from passer.adapters.antelope.signatures import sign
from passer.adapters.antelope.system_actions import SYSTEM, activate, newaccount, setabi, setcode
from passer.domain.ledger.antelope.transaction import ChainAction, packed_transaction, signing_digest
from scripts.test_node.nodeos import Node

CONTRACT = "llmtest"

_PREACTIVATE = "0ec7e080177b2c02b278d5088611686b49d739925a92d9bfcacd7fc6b74053bd"


def boot(node: Node, rpc: Rpc, keys: Mapping[str, PrivateKey], *, bios: Path, contract: Path) -> None:
    """Protocol features, the boot contract, an account for each key, and the contract; then wait until it is final.

    `keys` is by account and has `eosio`, the chain's own; `bios` and `contract` are folders with wasm and abi.
    """
    asked = {"protocol_features_to_activate": [_PREACTIVATE]}
    node.call("/v1/producer/schedule_protocol_feature_activations", asked)
    node.wait_blocks()
    push(rpc, _code(SYSTEM, bios / "eosio.bios" / "eosio.bios"), keys=[keys[SYSTEM]])
    known = node.call("/v1/producer/get_supported_protocol_features", {"exclude_disabled": True})
    features = [found["feature_digest"] for found in known if found["feature_digest"] != _PREACTIVATE]
    push(rpc, map(activate, features), keys=[keys[SYSTEM]])
    node.wait_blocks()
    authorities = {name: Authority.of_key(key.public) for name, key in keys.items() if name != SYSTEM}
    made = [newaccount(name, creator=SYSTEM, owner=to, active=to) for name, to in authorities.items()]
    push(rpc, made, keys=[keys[SYSTEM]])
    push(rpc, _code(CONTRACT, contract / "llmtest"), keys=[keys[CONTRACT]])
    node.wait_irreversible(node.wait_blocks())


def push(rpc: Rpc, actions: Iterable[ChainAction], *, keys: Sequence[PrivateKey], lifetime_s: int = 60) -> Pushed:
    """Post actions in one transaction, signed with these keys; the client's errors."""
    info = rpc.info()
    packed = packed_transaction(new_transaction(info, tuple(actions), lifetime_s=lifetime_s))
    digest = signing_digest(packed, chain_id=info.chain_id)
    return rpc.push(packed, [sign(digest, key).text for key in keys])


def _code(account: str, stem: Path) -> list[ChainAction]:
    definition = json.loads(stem.with_name(f"{stem.name}.abi").read_text(encoding="utf-8"))
    return [setcode(account, stem.with_name(f"{stem.name}.wasm").read_bytes()), setabi(account, definition)]
