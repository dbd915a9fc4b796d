"""Numbers in sentences: the rules of the house, and the decimal sign of the reader."""

from __future__ import annotations

import json

import pytest

from passer.domain.wording.icu import number
from passer.domain.wording.sentence import pieces, reading, sentence, shown, stored


# The Publication Manual of the APA, 7th edition, 6.36: p < .001, else two or three decimals without a leading zero.
@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        (0.0213, "p", "= .021"),
        (0.0004, "p", "< .001"),
        (1.0, "p", "= 1.00"),
        (-1.234, "points", "−1.23"),
        (1.234, "points", "+1.23"),
        (-0.001, "points", "0.00"),
        (0.93, "percent", "93\u202f%"),
        (0.997, "percent", "99.7\u202f%"),
        (1.0, "percent", "100\u202f%"),
        (0.0, "percent", "0\u202f%"),
        (0.002, "percent", "0.2\u202f%"),
        (99.96, "part", "99.9"),
        (0.00003, "part", "0.00003"),
        (1e-13, "part", "0"),
        (99.4, "part", "99"),
        (70.4, "part", "70"),
        (4.8704, "rare", "4.9"),
        (0.0299529, "rare", "0.03"),
        (0.0, "rare", "0.0"),
        (0.00003, "change-bound", "+0.00003"),
        (-0.0043, "points-bound", "−0.004"),
        (1e-17, "points-bound", "0.00"),
        (0.0061, "points-bound", "+0.01"),
        (-1000, "integer", "−1\u202f000"),
        (0.55, "raw", "0.55"),
    ],
)
def test_numbers_are_written_by_the_rules_of_the_house(value, style, text):
    assert number(value, style, "en") == text


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        (-0.5, "points", "−0,50"), (0.5454, "score", "0,5454"), (12.5, "one", "12,5"), (0.05, "raw", "0,05"),
        (0.021, "p", "= 0,021"), (0.0001, "p", "< 0,001"), (1.0, "p", "= 1,00"), (18744, "integer", "18\u202f744"),
        (0.25, None, "0,25"), (1e-05, "raw", "1e-05"),
    ],
)  # fmt: skip
def test_bulgarian_numbers_have_a_decimal_comma(value, style, text):
    assert number(value, style, "bg") == text


def test_a_sentence_has_the_decimal_sign_of_its_reader_and_keeps_its_value():
    said = sentence("amount.points-gain", value=0.5)
    assert said == "+0.50 points"
    with reading("bg"):
        assert shown(said).startswith("+0,50")
        assert [piece.value for piece in pieces(said) if piece.name] == [0.5]
    assert json.loads(stored(said))["values"] == {"value": 0.5}
