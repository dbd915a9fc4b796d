"""Packed values: bytes written out by hand from the format, and every value back again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.antelope.format.packing import Packer, Unpacker
from passer.errors import InputError

BYTES: list[tuple[Callable[[Packer], Packer], str]] = [
    (lambda out: out.uint8(255), "ff"),
    (lambda out: out.uint16(0x1234), "3412"),
    (lambda out: out.uint32(0x12345678), "78563412"),
    (lambda out: out.uint64(2**63 + 1), "0100000000000080"),
    (lambda out: out.varuint32(0), "00"),
    (lambda out: out.varuint32(127), "7f"),
    (lambda out: out.varuint32(128), "8001"),
    (lambda out: out.varuint32(300), "ac02"),
    (lambda out: out.varuint32(2**32 - 1), "ffffffff0f"),
    (lambda out: out.boolean(True).boolean(False), "0100"),
    (lambda out: out.name("eosio.token"), "00a6823403ea3055"),
    (lambda out: out.string("hi there"), "086869207468657265"),
    (lambda out: out.string("ü€😀"), "09c3bce282acf09f9880"),
    (lambda out: out.blob(b"\x00\x01"), "020001"),
    (lambda out: out.checksum256("ab" * 32), "ab" * 32),
    (lambda out: out.float64s([0.5, -2.0]), "02000000000000e03f00000000000000c0"),
    (lambda out: out.time_point_sec(datetime(2018, 6, 7, 4, 22, 41, tzinfo=UTC)), "11b3185b"),
    (lambda out: out.list(["a", ""], Packer.string), "02016100"),
]


@pytest.mark.parametrize(("pack", "expected"), BYTES)
def test_bytes(pack: Callable[[Packer], Packer], expected: str) -> None:
    assert pack(Packer()).packed().hex() == expected


@pytest.mark.parametrize(
    "pack",
    [
        lambda out: out.uint8(256),
        lambda out: out.uint16(-1),
        lambda out: out.uint64(2**64),
        lambda out: out.varuint32(2**32),
        lambda out: out.checksum256("ab" * 31),
        lambda out: out.checksum256("zz" * 32),
        lambda out: out.string("\ud800"),
        lambda out: out.name("no name"),
    ],
)
def test_what_does_not_fit(pack: Callable[[Packer], Packer]) -> None:
    with pytest.raises(InputError):
        pack(Packer())


@pytest.mark.parametrize("data", ["", "80", "8000", "ffffffff1f", "808080808001"])
def test_malformed_lengths(data: str) -> None:
    with pytest.raises(InputError):
        Unpacker(bytes.fromhex(data)).varuint32()


def test_bytes_that_end_too_early_or_too_late() -> None:
    with pytest.raises(InputError, match="too early"):
        Unpacker(b"\x05abc").blob()
    with pytest.raises(InputError, match="too early"):
        Unpacker(b"\xff\xff\xff\xff\x0f").float64s()
    with pytest.raises(InputError, match="1 bytes are left over"):
        Unpacker(b"a").done()


def test_bytes_that_are_no_utf8_are_shown_as_such() -> None:
    assert Unpacker(b"\x02a\xff").string() == "a\ufffd"


@given(
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**32 - 1),
    st.text(),
    st.binary(max_size=300),
    st.lists(st.floats(allow_nan=False)),
    st.datetimes(datetime(1970, 1, 1), datetime(2106, 1, 1)).map(lambda at: at.replace(microsecond=0, tzinfo=UTC)),
)
def test_values_come_back(big: int, small: int, text: str, data: bytes, values: list[float], moment: datetime) -> None:
    packer = Packer().uint64(big).varuint32(small).string(text).blob(data).float64s(values).time_point_sec(moment)
    out = Unpacker(packer.packed())
    assert (out.uint64(), out.varuint32(), out.string(), out.blob()) == (big, small, text, data)
    assert (out.float64s(), out.time_point_sec()) == (tuple(values), moment)
    out.done()
