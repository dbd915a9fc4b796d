"""What only tests and benchmarks need of a chain: the legacy form of private keys, and roots of Merkle trees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pydantic import SecretStr

from passer.antelope.format.base58 import encoded, unsealed
from passer.antelope.proofs.inclusion import merkle_path, root_of
from passer.antelope.signing.keys import PrivateKey


def legacy_private_text(key: PrivateKey) -> SecretStr:
    """The form that begins with 5 (WIF), for tools that read no other."""
    data = b"\x80" + (unsealed(key.reveal().get_secret_value()[7:], "K1") or b"")
    return SecretStr(encoded(data + hashlib.sha256(hashlib.sha256(data).digest()).digest()[:4]))


def merkle_root(leaves: Sequence[str]) -> str:
    """Where the path of the first leaf leads; 64 zeros for a block without transactions."""
    return root_of(leaves[0], merkle_path(leaves, 0)) if leaves else "00" * 32
