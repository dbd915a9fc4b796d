"""Actions of a chain's own account: new accounts, contracts, authorities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passer.antelope.format.packing import Packer
from passer.antelope.signing.authorities import Authority
from passer.domain.ledger.chain import ChainAction, PermissionLevel
from scripts.test_node.abi import packed_abi

SYSTEM = "eosio"
"""The account that holds the system contract."""


def newaccount(name: str, *, creator: str, owner: Authority, active: Authority) -> ChainAction:
    """Create an account, at its creator's cost."""
    packer = Packer().name(creator).name(name)
    owner.pack(packer)
    active.pack(packer)
    return _system("newaccount", PermissionLevel(actor=creator), packer)


def setcode(account: str, wasm: bytes) -> ChainAction:
    """Put a contract's code on an account."""
    return _system("setcode", PermissionLevel(actor=account), Packer().name(account).uint8(0).uint8(0).blob(wasm))


def setabi(account: str, definition: Mapping[str, Any]) -> ChainAction:
    """Put a contract's ABI, given as its JSON, on an account."""
    return _system("setabi", PermissionLevel(actor=account), Packer().name(account).blob(packed_abi(definition)))


def updateauth(account: str, permission: str, authority: Authority) -> ChainAction:
    """Replace a permission (`owner` or `active`) of an account; signed with its owner permission."""
    packer = Packer().name(account).name(permission).name("" if permission == "owner" else "owner")
    authority.pack(packer)
    return _system("updateauth", PermissionLevel(actor=account, permission="owner"), packer)


def activate(feature: str) -> ChainAction:
    """Activate a protocol feature, given as its digest, through the boot contract."""
    return _system("activate", PermissionLevel(actor=SYSTEM), Packer().checksum256(feature))


def _system(name: str, by: PermissionLevel, data: Packer) -> ChainAction:
    return ChainAction(account=SYSTEM, name=name, authorization=(by,), data=data.packed().hex())
