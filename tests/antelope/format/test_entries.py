"""Entries as actions: bytes by hand, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.antelope.format.entries import action_entry, entry_action, published_action
from passer.domain.ledger.chain import ChainAction, PermissionLevel
from passer.domain.ledger.entry import Entry
from passer.errors import InputError

ENTRY = Entry(
    action="addtest", testid="foo", description="ü", results=(0.5,), run_digest="aa" * 32, config_digest="bb" * 32
)
FIRST_FOUR = "000000000000ae39" + "000000000000285d" + "02c3bc" + "01000000000000e03f"


def test_bytes_of_an_entry() -> None:
    action = entry_action(ENTRY, contract="llmtest", creator="bar", permission="post")
    assert action.data == FIRST_FOUR + "aa" * 32 + "bb" * 32
    assert (action.account, action.name) == ("llmtest", "addtest")
    assert action.authorization == (PermissionLevel(actor="bar", permission="post"),)


def test_bytes_for_the_published_contract() -> None:
    assert published_action(ENTRY, contract="llmtest", creator="bar").data == FIRST_FOUR


def test_what_is_no_entry() -> None:
    for name, data in [("transfer", ""), ("addtest", FIRST_FOUR), ("addtest", FIRST_FOUR + "aa" * 65)]:
        with pytest.raises(InputError):
            action_entry(ChainAction(account="llmtest", name=name, authorization=(), data=data))
    infinite = FIRST_FOUR[:-16] + "000000000000f07f" + "aa" * 64
    with pytest.raises(InputError, match=r"is not an entry|does not record an entry"):
        action_entry(ChainAction(account="llmtest", name="addtest", authorization=(), data=infinite))


@given(
    st.sampled_from(["addtest", "addtimetest"]),
    st.text(min_size=1, max_size=64).filter(lambda text: text.isprintable()),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=64),
    st.binary(min_size=32, max_size=32),
)
def test_entries_come_back(name: str, description: str, results: list[float], digest: bytes) -> None:
    entry = Entry.model_validate(
        {
            "action": name,
            "testid": "abcdefghijkl",
            "description": description,
            "results": tuple(results),
            "run_digest": digest.hex(),
            "config_digest": digest[::-1].hex(),
        }
    )
    assert action_entry(entry_action(entry, contract="llmtest", creator="alice")) == (entry, "alice")
