"""The contract on a real node: what it keeps, who pays, and what locking its account does."""

from __future__ import annotations

import hashlib
import math
import struct
from datetime import UTC, datetime

import pytest

from passer.antelope.signing.authorities import Authority
from passer.domain.ledger.chain import PermissionLevel
from passer.errors import ChainRefused
from scripts.test_node.system_actions import setcode, updateauth
from tests.chain.booted import WASM, Chain
from tests.contracts.packed import PUBLISHED, TABLES, Row, action, stored

both = pytest.mark.parametrize(("said", "table"), TABLES)

EXACT = (0.1, 1 / 3, -0.0, 5e-324, math.nextafter(1, 2), 1.7976931348623157e308, 2.0**60 + 256, -1e-300)
"""Numbers that any detour over decimal digits or 32 bits would change."""


@both
def test_a_row_holds_just_what_was_signed(chain: Chain, said: str, table: str) -> None:
    row = Row(testid="exactly", results=EXACT, description="Въпрос № 7 — ½ 𝛼".encode())
    chain.push(action(said, row.data))
    found = stored(chain.packed_rows(table)[-1]).row
    assert found == row
    assert struct.pack("<8d", *found.results) == struct.pack("<8d", *EXACT)


@both
def test_the_node_shows_a_row_by_the_abi(chain: Chain, said: str, table: str) -> None:
    row = Row(testid="shown", results=(0.25, -3.0), description="въпрос".encode())
    chain.push(action(said, row.data))
    shown = chain.rows(table)[-1]
    assert [float(value) for value in shown.pop("results")] == [0.25, -3.0]
    assert isinstance(shown.pop("id"), int)
    assert datetime.fromisoformat(shown.pop("created_at"))
    assert shown == {
        "userid": "researcher1",
        "testid": "shown",
        "description": "въпрос",
        "run_digest": row.run_digest.hex(),
        "config_digest": row.config_digest.hex(),
    }


@both
def test_ids_count_up_in_each_table_and_time_is_the_blocks(fresh_chain: Chain, said: str, table: str) -> None:
    batch = [action(said, Row(testid="counted", description=b"%d" % number).data) for number in range(50)]
    pushed = fresh_chain.push(*batch)
    fresh_chain.push(action(said, Row(testid="counted", description=b"last").data))
    block = _block_of(fresh_chain, pushed.transaction_id)
    rows = [stored(data) for data in fresh_chain.packed_rows(table)]
    assert [(row.id, row.row.description) for row in rows] == [
        *((number, b"%d" % number) for number in range(50)),
        (50, b"last"),
    ]
    other = {"testtable": "timetable", "timetable": "testtable"}[table]
    assert fresh_chain.packed_rows(other) == []
    assert {row.created_at for row in rows[:50]} == {int(block.timestamp())}


@both
def test_rows_are_found_by_user_and_by_testid(fresh_chain: Chain, said: str, table: str) -> None:
    made = [("researcher1", "early"), ("researcher2", "early"), ("researcher1", "late"), ("researcher2", "middle")]
    for place, (user, testid) in enumerate(made):
        row = Row(user=user, testid=testid, description=b"%d" % place)
        fresh_chain.push(action(said, row.data, by=(user,)), by=user)

    def found(index: int, key: str | None) -> list[str]:
        return [row["description"] for row in fresh_chain.rows(table, index=index, key=key)]

    assert found(1, None) == ["0", "1", "2", "3"]
    assert found(2, "researcher1") == ["0", "2"]
    assert found(2, "researcher2") == ["1", "3"]
    assert found(2, "stranger") == []
    assert found(3, "early") == ["0", "1"]
    assert found(3, "late") == ["2"]
    assert found(3, None) == ["0", "1", "2", "3"]


def test_the_creator_pays_for_the_memory_and_nobody_else(fresh_chain: Chain) -> None:
    accounts = ("researcher1", "researcher2", "stranger", "llmtest")
    before = {account: fresh_chain.ram_usage(account) for account in accounts}
    row = Row(results=tuple(float(number) for number in range(24)))
    # The first row of all also pays for the tables: two of 112 bytes, the second index having one of its own.
    fresh_chain.push(action("addtest", row.data))
    fresh_chain.push(action("addtest", row.but(user="researcher2").data, by=("researcher2",)), by="researcher2")
    paid = {account: fresh_chain.ram_usage(account) - before[account] for account in accounts}
    # 8+8+8+4 of id, user, testid, time; lengths of one byte; and the chain's own 112 a row and 128 an index.
    size = 28 + 1 + 24 * 8 + 1 + len(row.description) + 64
    assert paid == {
        "researcher1": size + 112 + 2 * 128 + 2 * 112,
        "researcher2": size + 112 + 2 * 128,
        "stranger": 0,
        "llmtest": 0,
    }


def test_the_longest_row_is_taken_and_the_shortest(chain: Chain) -> None:
    for row in (
        Row(testid="longest", results=(1.0,) * 64, description=b"x" * 256),
        Row(testid="two", description="я".encode() * 64, results=(1.0,) * 24),
        Row(testid="a", results=(0.0,), description=b"x", run_digest=bytes(32), config_digest=bytes(32)),
        Row(testid="zzzzzzzzzzzz", results=(-1e308,), description="я".encode() * 128),
    ):
        chain.push(action("addtest", row.data))
        assert stored(chain.packed_rows("testtable")[-1]).row == row


@both
@pytest.mark.parametrize("letter", [*range(0x00, 0x80, 21), 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF])
def test_every_kind_of_letter_is_taken(chain: Chain, said: str, table: str, letter: int) -> None:
    row = Row(testid="letters", description=chr(letter).encode())
    chain.push(action(said, row.data))
    assert stored(chain.packed_rows(table)[-1]).row == row


def test_two_creators_may_sign_one_transaction(chain: Chain) -> None:
    rows = [Row(user=user, testid="together") for user in ("researcher1", "researcher2")]
    chain.push(*(action("addtest", row.data, by=(row.user,)) for row in rows), by=("researcher1", "researcher2"))
    assert [stored(data).row for data in chain.packed_rows("testtable")[-2:]] == rows


def test_the_code_on_chain_is_the_file(chain: Chain) -> None:
    assert chain.rpc.code_hash("llmtest") == hashlib.sha256(WASM.read_bytes()).hexdigest()


def test_once_locked_nobody_replaces_the_code_and_recording_goes_on(fresh_chain: Chain) -> None:
    nobody = Authority.of_account(PermissionLevel(actor="eosio.null"))
    before = fresh_chain.rpc.code_hash("llmtest")
    fresh_chain.push(updateauth("llmtest", "active", nobody), updateauth("llmtest", "owner", nobody), by="llmtest")

    replacement = setcode("llmtest", (PUBLISHED / "published.wasm").read_bytes())
    with pytest.raises(ChainRefused) as refused:
        fresh_chain.push(replacement, by="llmtest")
    assert refused.value.reason == "authority"
    back = Authority.of_key(fresh_chain.keys["llmtest"].public)
    for permission in ("active", "owner"):
        with pytest.raises(ChainRefused):
            fresh_chain.push(updateauth("llmtest", permission, back), by="llmtest")

    row = Row(testid="afterwards")
    fresh_chain.push(action("addtest", row.data))
    assert stored(fresh_chain.packed_rows("testtable")[-1]).row == row
    assert fresh_chain.rpc.code_hash("llmtest") == before


def test_rows_outlive_a_restart(fresh_chain: Chain) -> None:
    row = Row(testid="kept", results=EXACT)
    fresh_chain.push(action("addtest", row.data))
    fresh_chain.wait_blocks()
    before = fresh_chain.packed_rows("testtable")
    fresh_chain.restart()
    assert fresh_chain.packed_rows("testtable") == before
    fresh_chain.push(action("addtest", row.but(testid="later").data))
    assert [stored(data).id for data in fresh_chain.packed_rows("testtable")] == [0, 1]


def _block_of(chain: Chain, transaction_id: str) -> datetime:
    """Time of the block that holds a transaction, once it is irreversible."""
    chain.wait_irreversible(chain.wait_blocks())
    trace = chain.node.call("/v1/trace_api/get_transaction_trace", {"id": transaction_id})
    block = chain.node.call("/v1/chain/get_block", {"block_num_or_id": trace["block_num"]})
    return datetime.fromisoformat(block["timestamp"]).replace(tzinfo=UTC)
