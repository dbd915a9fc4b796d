"""Makes invisible characters of untrusted texts visible on terminals and pages.

ESC begins terminal commands; direction marks can make a text look different from its content (Unicode TR 36).
"""

from __future__ import annotations

import re

_INVISIBLE = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
)
_CONTROL_PICTURES, _DELETE = 0x2400, 0x7F


def visible(text: str) -> str:
    """Return the text with control characters and direction marks as signs: ␛, [U+202E]. Line ends and tabs stay."""
    return _INVISIBLE.sub(lambda found: _sign(ord(found[0])), text)


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\u2421" if code == _DELETE else f"[U+{code:04X}]"
