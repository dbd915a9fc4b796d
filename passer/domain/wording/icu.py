"""ICU MessageFormat, as far as the catalogues use it: values, numbers by named styles, plurals.

Both catalogues of the product use this syntax. A library is not used: the maintained bindings need ICU itself (16 MB
of machine code), and the pure parser has had no release since 2021. What is accepted is checked by a test over every
message: `{name}`, `{name, number}`, `{name, number, STYLE}`, `{name, plural, one {# row} other {# rows}}` with `=0`.
Plural rules are those of CLDR, by Babel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from babel import Locale

from passer.domain.wording.counted import THIN, grouped

Parts = tuple["str | Argument | Plural | Pound", ...]
Values = Mapping[str, "str | int | float"]
Note = Callable[[str, float, str], str]
"""Called with each number's placeholder, value and text; returns the text that stands in the message."""

_MINUS = "\u2212"
_NOTHING = 1e-9
"""Size of a bound up to which it is 0: rounding errors."""
_BARE = re.compile(r"(?<!\d)(?=\.\d)")
"""Where a zero is left out, as in .021."""


@dataclass(frozen=True)
class Argument:
    """A placeholder, with the style of its number."""

    name: str
    style: str | None = None


@dataclass(frozen=True)
class Plural:
    """Forms by plural category, or by `=0` for an exact number."""

    name: str
    forms: tuple[tuple[str, Parts], ...]


@dataclass(frozen=True)
class Pound:
    """The number of the plural around it."""


@cache
def parsed(message: str) -> Parts:
    """Return the parts of a message; ValueError for syntax outside the subset."""
    parts, end = _parts(message, 0, in_plural=False)
    if end != len(message):
        raise ValueError(f"Unexpected }} at {end} of {message!r}.")
    return parts


def _plainly(_name: str, _value: float, text: str) -> str:
    return text


def formatted(message: str, values: Values, language: str, note: Note = _plainly) -> str:
    """Return the message with its values; KeyError for a missing value."""
    return _text(parsed(message), values, language, ("", 0), note)


def _text(parts: Parts, values: Values, language: str, count: tuple[str, float], note: Note) -> str:
    def text(part: str | Argument | Plural | Pound) -> str:
        if isinstance(part, str):
            return part
        if isinstance(part, Pound):
            return note(*count, number(count[1], "integer", language))
        value = values[part.name]
        if isinstance(part, Plural):
            return _text(_form(part, float(value), language), values, language, (part.name, float(value)), note)
        if isinstance(value, str):
            # A number in the digits that somebody else chose, as in names.
            return value if part.style is None else localised(value, language)
        return note(part.name, value, number(value, part.style, language))

    return "".join(map(text, parts))


def _form(plural: Plural, value: float, language: str) -> Parts:
    forms = dict(plural.forms)
    exact = f"={value:g}"
    if exact in forms:
        return forms[exact]
    return forms.get(_plural_rule(language)(value), forms["other"])


@cache
def _plural_rule(language: str) -> Callable[[float], str]:
    rule: Callable[[float], str] = Locale.parse(language).plural_form
    return rule


def _p_value(value: float) -> str:
    """Print p values in APA style: `= .021`, `< .001`, `= 1.00`."""
    if value < 0.001:
        return "< .001"
    text = f"{value:.3f}"
    return "= 1.00" if text.startswith("1") else f"= {text[1:]}"


def _percent(value: float) -> str:
    """Print 99.7 as itself instead of 100, and .3 instead of 0: neither all nor none."""
    text = f"{value:.0f}"
    if text == "100" and value < 100:
        return f"{math.floor(value * 10) / 10:.1f}"
    return f"{Decimal(f'{value:.2g}'):f}" if text == "0" and value > _NOTHING else text


def _rare(value: float) -> str:
    """Print one decimal, and of less than .05 two significant digits: a rare loss is not impossible."""
    text = f"{value:.1f}"
    return f"{Decimal(f'{value:.2g}'):f}" if text == "0.0" and value > 0 else text


def _bound(value: float, style: str) -> str:
    """Print the end of an interval; one that would be 0 keeps a digit: "better" never has an interval from 0."""
    text = format(value, style)
    return f"{Decimal(f'{value:.1g}'):+f}" if not float(text) and abs(value) > _NOTHING else text


_STYLES: Mapping[str, Callable[[float], str]] = {
    "integer": grouped,
    "points": lambda value: f"{value:+.2f}",
    "score": lambda value: f"{value:.4f}",
    "change": lambda value: f"{value:+.4f}",
    "one": lambda value: f"{value:.1f}",
    "two": lambda value: f"{value:.2f}",
    "percent": lambda value: f"{_percent(value * 100)}{THIN}%",
    "part": _percent,
    "rare": _rare,
    "points-bound": lambda value: _bound(value, "+.2f"),
    "change-bound": lambda value: _bound(value, "+.4f"),
    "p": _p_value,
    "raw": lambda value: f"{value:g}" if isinstance(value, float) else str(value),
}


def number(value: float, style: str | None, language: str) -> str:
    """Return a number in a named style, or as it is, with the decimal sign of the language and a minus sign.

    What rounds to zero carries no sign.
    """
    if style is None:
        return localised(str(value), language)
    text = _STYLES[style](value)
    if text[:1] in "+-" and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return localised(text.replace("-", _MINUS, 1) if text.startswith("-") else text, language)


def localised(text: str, language: str) -> str:
    """Return the text of one number with the decimal sign of a language, and the zero before a decimal comma."""
    return text if language == "en" else _BARE.sub("0", text).replace(".", ",")


def _parts(message: str, start: int, *, in_plural: bool) -> tuple[Parts, int]:
    parts: list[str | Argument | Plural | Pound] = []
    literal = start
    at = start
    while at < len(message) and message[at] != "}":
        if message[at] != "{" and not (in_plural and message[at] == "#"):
            at += 1
            continue
        if at > literal:
            parts.append(message[literal:at])
        if message[at] == "#":
            parts.append(Pound())
            at += 1
        else:
            part, at = _placeholder(message, at + 1)
            parts.append(part)
        literal = at
    if at > literal:
        parts.append(message[literal:at])
    return tuple(parts), at


def _placeholder(message: str, start: int) -> tuple[Argument | Plural, int]:
    end = min(place for mark in ",}" if (place := message.find(mark, start)) >= 0)
    name = message[start:end].strip()
    if message[end] == "}":
        return Argument(name), end + 1
    rest = message[end + 1 :].lstrip()
    if rest.startswith("plural,"):
        return _plural(name, message, message.index("plural,", end) + len("plural,"))
    close = message.index("}", end)
    kind, _, style = (part.strip() for part in message[end + 1 : close].partition(","))
    if kind != "number" or (style or "integer") not in _STYLES:
        raise ValueError(f"Unknown format of {name} in {message!r}.")
    return Argument(name, style or "integer"), close + 1


def _plural(name: str, message: str, at: int) -> tuple[Plural, int]:
    forms: list[tuple[str, Parts]] = []
    while message[at:].lstrip()[:1] != "}":
        opening = message.index("{", at)
        parts, closing = _parts(message, opening + 1, in_plural=True)
        forms.append((message[at:opening].strip(), parts))
        at = closing + 1
    if "other" not in dict(forms):
        raise ValueError(f"The plural of {name} has no form `other` in {message!r}.")
    return Plural(name, tuple(forms)), message.index("}", at) + 1
