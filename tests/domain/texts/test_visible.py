"""Characters that nobody sees are shown."""

from __future__ import annotations

import pytest

from passer.domain.texts.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\u202egpj.exe", "a[U+202E]gpj.exe"),
        ("\u2066x\u2069", "[U+2066]x[U+2069]"),
        ("\x9b31m", "[U+009B]31m"),
        ("\x7f\x00", "␡␀"),
        ("Почва\tи\nпчели\r\n", "Почва\tи\nпчели\r\n"),
        ("e\u0301 \u200d 🐝", "e\u0301 \u200d 🐝"),
    ],
)
def test_control_characters_and_direction_marks_become_signs(text, shown):
    assert visible(text) == shown
