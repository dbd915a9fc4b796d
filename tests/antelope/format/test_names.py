"""Names: values of the public eosjs and WharfKit tests, and every value back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.antelope.format.packing import name_text, name_value
from passer.errors import InputError

LETTERS = "abcdefghijklmnopqrstuvwxyz12345."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0),
        ("foo", 6712615244595724288),
        ("eosio", 0x5530EA0000000000),
        ("eosio.token", 0x5530EA033482A600),
        ("active", 0x3232EDA800000000),
        ("transfer", 0xCDCD3C2D57000000),
        ("zzzzzzzzzzzzj", 0xFFFFFFFFFFFFFFFF),
    ],
)
def test_known_names(text: str, value: int) -> None:
    assert name_value(text) == value
    assert name_text(value) == text


@pytest.mark.parametrize("text", ["Foo", "a_b", "6", "foo.", "zzzzzzzzzzzzz", "aaaaaaaaaaaaaa", "ü", "a b"])
def test_no_name(text: str) -> None:
    with pytest.raises(InputError, match="a-z, 1-5 and dots, but no dot at the beginning"):
        name_value(text)


@given(st.text(LETTERS, max_size=12).map(lambda text: text.rstrip(".")))
def test_names_come_back(text: str) -> None:
    assert name_text(name_value(text)) == text


@given(st.integers(0, 2**64 - 1))
def test_values_come_back(value: int) -> None:
    assert name_value(name_text(value)) == value
