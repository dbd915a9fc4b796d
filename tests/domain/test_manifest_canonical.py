"""Canonical JSON, read: the vectors of RFC 8785, and agreement with the writer on anything."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from time import process_time

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from passer.domain.base import canonical_json
from passer.domain.canonical import NotCanonical, read_canonical

# Appendix B: the bits of a double, and how it is written.
NUMBERS = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333",
    "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}
# Section 3.2.2 and 3.2.3.
EXAMPLE = (
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
)
SORTED = (
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control\x7f","\u00f6":"Latin Small Letter O With Diaeresis",'
    '"\u20ac":"Euro Sign","\U0001f600":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
)


@pytest.mark.parametrize(("bits", "written"), NUMBERS.items())
def test_numbers_are_written_as_ecmascript_does(bits: str, written: str):
    value = struct.unpack(">d", bytes.fromhex(bits))[0]
    assert canonical_json(value) == written.encode()
    assert read_canonical(f'{{"a":[{written}],"b":"e-1"}}'.encode())["a"] == [value]


ANY_TEXT = st.text(st.characters(codec=None)) | st.text('"\\:,{[e-+0123456789.\U0001f41d\ue000\uffff')
ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(ANY_VALUE)
@example({"\ue000": 1, '\U0001f41d\\"': 2})
@example(["1.0", 1.0, 1e16, 5e-05, -0.0, 12345678901234567, 2**53 - 1, 0.1, "\x7f\x1f"])
@example([float(2**53)] * 2)
def test_what_is_written_is_what_rfc8785_writes(value: object):
    def written(write: Callable[[object], bytes]) -> bytes | type[Exception]:
        try:
            return write(value)
        except ValueError as exc:
            return type(exc)

    assert written(canonical_json) == written(rfc8785.dumps)


@pytest.mark.parametrize("text", [EXAMPLE, SORTED])
def test_the_examples_of_the_standard(text: str):
    assert canonical_json(read_canonical(text.encode())) == text.encode()


@pytest.mark.parametrize(
    "wrong",
    [
        '{"a":1.0}', '{"a":1e5}', '{"a":1E+30}', '{"a":-0}', '{"a":0.00000100}', '{"a":1e-07}', '{"a":5e-05}',
        '{"a":9007199254740993}', '{"a":12345678901234567891}', '{"a":1e400}', '{"a":NaN}', '{"a":-Infinity}',
        '{"a":' + "9" * 5000 + "}", '{"a":01}', '{"a":.5}', '{"a":+1}',
        '{"b":1,"a":2}', '{"a":1,"a":1}', '{"a":1,"a":2}', '{ "a":1}', '{"a":1}\n', '{"a":1} ', "", "\ufeff{}",
        '{"a":"\\u0041"}', '{"a":"\\/"}', '{"a":"\\u000F"}', '{"a":"\\u000a"}', '{"a":"\\ud83d\\ude00"}',
        '{"a":"\\ud800"}', '{"\\ud800":1}', '{"a":"\n"}', "{'a':1}", '{"a":1,}', "[1,]", "[1]]", '{"a":tru}',
        '{"\ufb33":1,"\U0001f600":2}', '{"a":",1e5,"}x', '{"a":[1,2,3.0]}', '{"a":1//2}',
        "1.0", "[-0.0]", '{"a":"2.0,","b":1.0}',
    ],
)  # fmt: skip
def test_what_is_not_canonical_is_refused(wrong: str):
    with pytest.raises(NotCanonical):
        read_canonical(wrong.encode())


@pytest.mark.parametrize("wrong", [b"\xff", b'{"a":"\xc0\x80"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xf5\x80\x80\x80"}'])
def test_what_is_not_utf8_is_refused(wrong: bytes):
    with pytest.raises(NotCanonical, match="UTF-8"):
        read_canonical(wrong)


def test_deep_nesting_is_refused_and_never_a_crash():
    assert read_canonical(b"[" * 65 + b"]" * 65)
    for depth in (66, 500, 100_000):
        with pytest.raises(NotCanonical, match="nested"):
            read_canonical(b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":"x,1e5,y"}', '{"a":":1.0,"}', '{"a":"[1e-07]","b":0.0000012}', '{"a":"\\u0000odd1e5","b":1e-7}',
        '{"a":"e-mail: 5.0,"}',
    ],
)  # fmt: skip
def test_texts_that_look_like_numbers_are_texts(text: str):
    assert read_canonical(text.encode()) == json.loads(text)


def test_a_text_of_emoji_takes_no_longer_than_another():
    began = process_time()
    assert canonical_json(["\U0001f41d" * 50_000]) == b'["' + "\U0001f41d".encode() * 50_000 + b'"]'
    # With the square of the number of emoji it took more than a minute.
    assert process_time() - began < 5


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6)
    | st.integers(-(2**53) + 1, 2**53 - 1) | st.sampled_from([",1e5,", ":1.0}", "\0odd1", "😀\":"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=300)
@given(VALUES)
def test_what_the_writer_writes_is_read_back(value: object):
    try:
        written = canonical_json(value)
    except ValueError:  # a lone surrogate
        return
    assert canonical_json(read_canonical(written)) == written


@settings(max_examples=600)
@given(VALUES, st.data())
def test_whatever_is_accepted_is_what_the_writer_would_write(value: object, data: st.DataObject):
    text = bytearray(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    place = data.draw(st.integers(0, len(text) - 1))
    text[place] = data.draw(st.sampled_from(b'0123456789.eE+-,:"\\{}[] ax'))
    try:
        read = read_canonical(bytes(text))
    except NotCanonical:
        return
    assert canonical_json(read) == bytes(text)
