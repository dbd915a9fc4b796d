"""Weights and thresholds by hand."""

from __future__ import annotations

import pytest

from passer.antelope.format.packing import Packer
from passer.antelope.signing.authorities import Authority, check_signers
from passer.antelope.signing.keys import PrivateKey, PublicKey
from passer.domain.ledger.chain import PermissionLevel
from passer.errors import InputError
from scripts.test_node.abi import packed_abi

FIRST, SECOND, THIRD = (PrivateKey.generate().public for _ in range(3))
ALICE, BOB = PermissionLevel(actor="alice"), PermissionLevel(actor="bob")


@pytest.mark.parametrize(
    ("authority", "keys", "satisfied"),
    [
        (Authority.of_key(FIRST), [FIRST], True),
        (Authority.of_key(FIRST), [SECOND], False),
        (Authority.of_key(FIRST), [], False),
        (Authority.of_key(FIRST), [FIRST, SECOND], True),
        (Authority(2, keys=((FIRST, 1), (SECOND, 1))), [FIRST], False),
        (Authority(2, keys=((FIRST, 1), (SECOND, 1))), [FIRST, FIRST], False),
        (Authority(2, keys=((FIRST, 1), (SECOND, 1))), [SECOND, FIRST], True),
        (Authority(2, keys=((FIRST, 2), (SECOND, 1))), [FIRST], True),
        (Authority(2, keys=((FIRST, 2), (SECOND, 1))), [SECOND, THIRD], False),
        (Authority.of_account(BOB), [FIRST], None),
        (Authority(2, keys=((FIRST, 1),), accounts=((BOB, 1),)), [FIRST], None),
        (Authority(3, keys=((FIRST, 1),), accounts=((BOB, 1),)), [FIRST], False),
        (Authority(2, keys=((FIRST, 1),), waits=((3600, 1),)), [FIRST], None),
        (Authority(1, keys=((PublicKey("R1", FIRST.data), 1),)), [FIRST], False),
    ],
)
def test_who_may_act(authority: Authority, keys: list[PublicKey], satisfied: bool | None) -> None:
    checked = check_signers(authority, keys, who=ALICE)
    assert checked.satisfied is satisfied
    assert "alice@active" in checked.detail


def test_the_packed_form() -> None:
    packer = Packer()
    Authority.of_account(PermissionLevel(actor="eosio.null")).pack(packer)
    eosio_null = Packer().name("eosio.null").packed().hex()
    assert packer.packed().hex() == f"01000000{'00'}01{eosio_null}00000000a8ed3232010000"


@pytest.mark.parametrize("definition", [{}, {"version": 5}, {"version": "eosio::abi/1.1", "structs": [{}]}])
def test_what_is_no_abi(definition: dict[str, object]) -> None:
    with pytest.raises(InputError, match="ABI as its compiler wrote it"):
        packed_abi(definition)
