"""Numbers in texts, with expectations by hand: how locales write them, and which could be two numbers."""

from __future__ import annotations

import pytest

from passer.domain.texts.written_numbers import has_decimal_comma, number_text, parsed_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0.52", 0.52), ("0,52", 0.52), ("0,123", 0.123), ("12,5", 12.5), ("1.234,5", 1234.5), ("1 234,5", 1234.5)),
        *(("1,234.5", 1234.5), ("-0,5", -0.5), ("52%", 0.52), ("52,5 %", 0.525), ("1e-3", 0.001), (" 7 ", 7.0)),
        *(("1.234", 1.234), ("1,234", None), ("1,234,567", None), ("0.1.2", None), ("nan", None), ("inf", None)),
        *(("1_000", None), ("", None), ("%", None), ("5 kg", None), ("N/A", None), ("1e999%", None)),
    ],
)
def test_a_number_is_read_where_it_can_be_only_one(text: str, value: float | None) -> None:
    assert parsed_number(text) == value


def test_beside_decimal_commas_a_point_groups_thousands() -> None:
    assert [parsed_number(text, comma=True) for text in ("1,234", "1.234", "1.234,5", "0.5")] == [
        1.234,
        1234,
        1234.5,
        0.5,
    ]
    assert [has_decimal_comma(text) for text in ("0,52", "12,5 %", "1.234,5", "1,234", "0.5", "x")] == [
        *(True, True, True, False, False, False),
    ]


def test_numbers_of_data_frames_are_written_as_people_write_them() -> None:
    written = [number_text(value) for value in (1815.0, -2.0, 0.00001, 2.5, 1e22, 0.1)]
    assert written == ["1815", "-2", "0.00001", "2.5", "1" + "0" * 22, "0.1"]
