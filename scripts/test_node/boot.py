"""From an empty chain to one with accounts and the contract `llmtest`, through the node's own API."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from passer.antelope.client.chain import new_transaction
from passer.antelope.client.replies import Pushed
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.transactions import packed_transaction, signing_digest
from passer.antelope.signing.authorities import Authority
from passer.antelope.signing.keys import PrivateKey
from passer.antelope.signing.signatures import sign
from passer.domain.ledger.chain import ChainAction
from passer.errors import ChainRefused
from scripts.test_node.nodeos import Node
from scripts.test_node.system_actions import SYSTEM, activate, newaccount, setabi, setcode

CONTRACT = "llmtest"
log = logging.getLogger("test_node")

_PREACTIVATE = "0ec7e080177b2c02b278d5088611686b49d739925a92d9bfcacd7fc6b74053bd"
_PUSHES = 5
"""Attempts at a transaction that expired or found the node busy."""


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
    """Post actions in one transaction, signed with these keys; raises the client's errors.

    A machine that was suspended may need longer than the transaction lives: then it is prepared and signed again.
    """
    given = tuple(actions)
    for _ in range(_PUSHES - 1):
        try:
            return _push_once(rpc, given, keys, lifetime_s)
        except ChainRefused as exc:
            # The chain did not execute either of these, so nothing is recorded twice.
            if exc.reason not in ("expired", "busy"):
                raise
            log.info("Posting again: %s", exc)
    return _push_once(rpc, given, keys, lifetime_s)


def _push_once(rpc: Rpc, actions: tuple[ChainAction, ...], keys: Sequence[PrivateKey], lifetime_s: int) -> Pushed:
    info = rpc.info()
    packed = packed_transaction(new_transaction(info, actions, lifetime_s=lifetime_s))
    digest = signing_digest(packed, chain_id=info.chain_id)
    return rpc.push(packed, [sign(digest, key).text for key in keys])


def _code(account: str, stem: Path) -> list[ChainAction]:
    definition = json.loads(stem.with_name(f"{stem.name}.abi").read_text(encoding="utf-8"))
    return [setcode(account, stem.with_name(f"{stem.name}.wasm").read_bytes()), setabi(account, definition)]
