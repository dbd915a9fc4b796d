"""Formulas of Word documents as one line of text: without its sign a root or a bracket would be another number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passer.adapters.documents.plain import raised

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FORMULAS = frozenset(f"{_M}{name}" for name in ("d", "f", "func", "m", "nary", "rad", "sup"))


def formula(element: Any, text_of: Callable[[Any], str]) -> str:
    """Return the text of an element of a formula; `text_of` returns the texts of its parts."""

    def part(name: str) -> str:
        found = element.find(f"{_M}{name}")
        return "" if found is None else text_of(found)

    def parts(name: str, within: Any = element) -> list[str]:
        return [text_of(each) for each in within.iterchildren(f"{_M}{name}")]

    match element.tag.removeprefix(_M):
        case "sup":
            return _power(text_of(element))
        case "f":
            return f"{_closed(part('num'))}/{_closed(part('den'))}"
        case "rad":
            degree = part("deg")
            return f"√{f'[{degree}]' if degree else ''}{_closed(part('e'))}"
        case "nary":
            lower = part("sub")
            return f"{_sign(element, 'chr', '∫')}{f'_({lower})' if lower else ''}{_power(part('sup'))} {part('e')}"
        case "func":
            return f"{part('fName')} {part('e')}"
        case "m":
            return "; ".join(", ".join(parts("e", row)) for row in element.iterchildren(f"{_M}mr"))
        case _:
            within = _sign(element, "sepChr", "|").join(parts("e"))
            return f"{_sign(element, 'begChr', '(')}{within}{_sign(element, 'endChr', ')')}"


def _power(text: str) -> str:
    return raised(text) or (f"^({text})" if text else "")


def _closed(text: str) -> str:
    return text if len(text) == 1 or text.isdecimal() or _is_closed(text) else f"({text})"


def _is_closed(text: str) -> bool:
    """Return whether one pair of brackets encloses the complete text."""
    return text.startswith("(") and text.find(")") == len(text) - 1


def _sign(element: Any, name: str, default: str) -> str:
    """Return a sign from the properties of an element: `default` without the property, "" for one without a value."""
    found = element.find(f"./*/{_M}{name}")
    return default if found is None else str(found.get(f"{_M}val", ""))
