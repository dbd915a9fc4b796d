"""Transactions of public tests and of the EOS main chain: the same bytes, the same ids."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from passer.antelope.format.packing import Packer
from passer.antelope.format.transactions import packed_transaction, signing_digest, transaction_id, unpacked_transaction
from passer.domain.ledger.chain import ChainAction, ChainTransaction, PermissionLevel
from passer.errors import InputError

# Of block 692,518 of the EOS main chain.
PACKED = (
    "11b3185bd48f4ef64b02000000000100a6823403ea3055000000572d3ccdcd01000000000000003000000000a8ed3232"
    "2300000000000000300000000000b0967a102700000000000004454f530000000002313100"
)
EXPECTED = ChainTransaction(
    expiration=datetime(2018, 6, 7, 4, 22, 41, tzinfo=UTC),
    ref_block_num=36820,
    ref_block_prefix=38532686,
    actions=(
        ChainAction(
            account="eosio.token",
            name="transfer",
            authorization=(PermissionLevel(actor="a"),),
            data="00000000000000300000000000b0967a102700000000000004454f5300000000023131",
        ),
    ),
)


def test_a_transaction_of_the_main_chain() -> None:
    assert packed_transaction(EXPECTED).hex() == PACKED
    assert unpacked_transaction(bytes.fromhex(PACKED)) == EXPECTED
    assert transaction_id(bytes.fromhex(PACKED)) == "da7adfcd313217bbf7e63c06cf00110ccfc00ed1bda188ba3542a4cbf859203a"


def test_a_transaction_without_authority_of_wharfkits_tests() -> None:
    data = Packer().name("foo").name("bar").uint64(10000).raw(b"\x04EOS\0\0\0\0").string("hello").packed()
    action = ChainAction(account="eosio.token", name="transfer", authorization=(), data=data.hex())
    transaction = ChainTransaction(
        expiration=datetime(1970, 1, 1, tzinfo=UTC), ref_block_num=0, ref_block_prefix=0, actions=(action,)
    )
    packed = packed_transaction(transaction)
    assert transaction_id(packed) == "97b4d267ce0e0bd6c78c52f85a27031bd16def0920703ca3b72c28c2c5a1a79b"


def test_the_signing_digest_covers_the_chain() -> None:
    packed = bytes.fromhex(PACKED)
    assert signing_digest(packed, chain_id="00" * 32) != signing_digest(packed, chain_id="01" * 32)


@pytest.mark.parametrize("cut", range(0, len(PACKED), 2))
def test_bytes_cut_anywhere_are_refused(cut: int) -> None:
    with pytest.raises(InputError):
        unpacked_transaction(bytes.fromhex(PACKED[:cut]))


def test_bytes_that_go_on_are_refused() -> None:
    with pytest.raises(InputError):
        unpacked_transaction(bytes.fromhex(PACKED) + b"\0")


def test_context_free_actions_are_refused() -> None:
    """Their data would be outside the bytes whose digest is signed."""
    start, rest = PACKED[:26], PACKED[28:]
    assert PACKED[26:28] == "00"
    with pytest.raises(InputError, match="context-free"):
        unpacked_transaction(bytes.fromhex(f"{start}01{'00' * 18}{rest}"))


def test_the_json_that_wallets_take() -> None:
    plain = EXPECTED.model_dump(mode="json")
    assert plain["expiration"] == "2018-06-07T04:22:41"
    assert ChainTransaction.model_validate(plain) == EXPECTED
    assert ChainTransaction.model_validate_json(EXPECTED.model_dump_json()) == EXPECTED
