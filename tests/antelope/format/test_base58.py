"""RIPEMD-160 against its authors' vectors, base 58 against Bitcoin's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.antelope.format.base58 import decoded, encoded, ripemd160, ripemd160_in_python, sealed, unsealed


@pytest.mark.parametrize(
    ("message", "digest"),
    [
        (b"", "9c1185a5c5e9fc54612808977ee8f548b2258d31"),
        (b"a", "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe"),
        (b"abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        (b"message digest", "5d0689ef49d2fae572b881b123a85ffa21595f36"),
        (b"abcdefghijklmnopqrstuvwxyz", "f71c27109c692c1b56bbdceb5b9d2865b3708dbc"),
        (b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "12a053384a9c0c88e405a06c27dcf49ada62eb2b"),
        (b"1234567890" * 8, "9b752e45573d4b39f4dbd3323cab82bf63326bfb"),
        (b"hello world", "98c615784ccb5fe5936fbc0cbe9dfdb408d92f0f"),
    ],
)
def test_ripemd160_vectors(message: bytes, digest: str) -> None:
    assert ripemd160(message).hex() == digest
    assert ripemd160_in_python(message).hex() == digest


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("", ""),
        ("61", "2g"),
        ("626262", "a3gV"),
        ("73696d706c792061206c6f6e6720737472696e67", "2cFupjhnEsSn59qHXstmK2ffpLv2"),
        ("516b6fcd0f", "ABnLTmg"),
        ("572e4794", "3EFU7m"),
        ("00000000000000000000", "1111111111"),
    ],
)
def test_base58_vectors(data: str, text: str) -> None:
    assert encoded(bytes.fromhex(data)) == text
    assert decoded(text) == bytes.fromhex(data)


@pytest.mark.parametrize("text", ["0", "O", "I", "l", "a b", "1" * 3000])
def test_not_base58(text: str) -> None:
    assert decoded(text) is None


@given(st.binary(max_size=80))
def test_bytes_come_back(data: bytes) -> None:
    assert decoded(encoded(data)) == data
    assert unsealed(sealed(data, "K1"), "K1") == (data or None)
    assert unsealed(sealed(data, "K1"), "R1") is None
