"""Paging over tables by a script: nodes that stop early, incomplete replies, and names that look like numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from passer.antelope.client.rows import Rows
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.packing import Packer, name_value
from passer.errors import InputError, LedgerUnavailable
from tests.antelope.scripted_node import ScriptedNode

TABLE = "/v1/chain/get_table_rows"


@pytest.fixture
def node() -> ScriptedNode:
    return ScriptedNode()


@pytest.fixture
def rows(node: ScriptedNode) -> Iterator[Rows]:
    with node.serving() as url:
        rpc = Rpc([url], connect_timeout_s=2, read_timeout_s=5)
        yield Rows(rpc, "llmtest")
        rpc.close()


def row(number: int, *, testid: str = "run1", user: str = "alice", value: float = 0.5) -> str:
    packer = Packer().uint64(number).name(user).name(testid).uint32(1_700_000_000).float64s([value, float(number)])
    return packer.string("text").checksum256("aa" * 32).checksum256("bb" * 32).packed().hex()


def page(*texts: str, next_key: str = "") -> tuple[int, dict[str, object]]:
    return 200, {"rows": list(texts), "more": bool(next_key), "next_key": next_key}


def test_pages_follow_one_another(node: ScriptedNode, rows: Rows) -> None:
    node.answers[TABLE] = [page(row(3), row(5), next_key="9"), page(next_key="9"), page(row(9))]
    found = list(rows.range("addtest"))
    assert [one.id for one in found] == ["addtest-3", "addtest-5", "addtest-9"]
    assert [asked.get("lower_bound") for path, asked in node.asked if path == TABLE] == ["0", "9", "9"]


def test_a_node_that_does_not_say_where_to_go_on(node: ScriptedNode, rows: Rows) -> None:
    node.answers[TABLE] = [(200, {"rows": [row(3)], "more": True}), page(row(4))]
    assert [one.id for one in rows.range("addtimetest")] == ["addtimetest-3", "addtimetest-4"]
    node.answers[TABLE] = [(200, {"rows": [], "more": True})]
    with pytest.raises(LedgerUnavailable, match="another node"):
        list(rows.range("addtest"))


def test_a_run_is_looked_up_by_its_first_and_last_row(node: ScriptedNode, rows: Rows) -> None:
    """A name of digits alone is asked for by its value: a node would take it for a number."""
    testid = "123451234512"
    ends = [page(row(7, testid=testid)), page(row(9, testid=testid))]
    whole = page(row(7, testid=testid), row(8, testid="other"), row(9, testid=testid, value=float("nan")))
    node.answers[TABLE] = [*ends, whole]
    found = list(rows.of_testid("addtest", testid))
    assert [one.id for one in found] == ["addtest-7", "addtest-9"]
    assert found[0].results == (0.5, 7.0)
    assert found[1].results == (None, 9.0), "what is no number is None"
    asked = [asked for path, asked in node.asked if path == TABLE]
    assert [(one["index_position"], one["lower_bound"], one["upper_bound"]) for one in asked] == [
        ("3", str(name_value(testid)), str(name_value(testid))),
        ("3", str(name_value(testid)), str(name_value(testid))),
        ("1", "7", "9"),
    ]
    assert [one["reverse"] for one in asked] == [False, True, False]


def test_no_rows(node: ScriptedNode, rows: Rows) -> None:
    node.answers[TABLE] = [page()]
    assert list(rows.of_testid("addtest", "run1")) == []
    assert list(rows.of_account("addtest", "alice")) == []
    assert rows.last_number("addtest") is None
    assert rows.one("addtest", 3) is None


@pytest.mark.parametrize("text", ["", "00", row(1) + "00", row(1)[:-2]])
def test_rows_of_another_contract(node: ScriptedNode, rows: Rows, text: str) -> None:
    node.answers[TABLE] = [page(text)]
    with pytest.raises(InputError, match="exactly as the blockchain returned them"):
        list(rows.range("addtest"))
