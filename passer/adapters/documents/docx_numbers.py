"""Numbers of paragraphs in a Word document: (a), 1.2 or Article 3 is not in their text, but counted by Word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import docx.document

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_MOST = 32_767
"""Largest number that Word counts to."""
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_ALPHABETS = {
    "Letter": "abcdefghijklmnopqrstuvwxyz",
    # Word's Russian list, which Bulgarian documents use too, leaves out ё, й, ъ, ы and ь.
    "russian": "абвгдежзиклмнопрстуфхцчшщэюя",
}


class _Level(NamedTuple):
    start: int
    form: str
    text: str
    style: str | None
    is_legal: bool
    """Whether figures stand for the numbers of all levels: 1.2 in Article I."""
    begins_behind: int
    """Level, from 1: behind a paragraph of it, or of one above it, the count begins again; 0 for never."""


class Numbering:
    """Counts the numbered paragraphs of one document, in their order."""

    def __init__(self, document: docx.document.Document) -> None:
        part = next((each for each in _related(document) if each.reltype.endswith("/numbering")), None)
        root = None if part is None else _parsed(part.target_part.blob)
        self._levels: dict[str, dict[int, _Level]] = {}
        self._list_of: dict[str, str] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        if root is not None:
            self._read(root)
        self._styles = {
            each.get(f"{_W}styleId", ""): each for each in document.styles.element.iterchildren(f"{_W}style")
        }
        self._counts: dict[str, list[int | None]] = {}

    def _read(self, root: Any) -> None:
        lists = {each.get(f"{_W}abstractNumId", ""): _levels(each) for each in root.iterchildren(f"{_W}abstractNum")}
        for each in root.iterchildren(f"{_W}num"):
            key = each.get(f"{_W}numId", "")
            self._list_of[key] = _value(each, "abstractNumId") or ""
            self._levels[key] = dict(lists.get(self._list_of[key], {}))
            for change in each.iterchildren(f"{_W}lvlOverride"):
                self._levels[key] |= _levels(change)
                if (start := _value(change, "startOverride")) is not None and start.isdecimal():
                    self._restarts[key, _number(change, "ilvl", 0)] = int(start)

    def label(self, paragraph: Any) -> str:
        """Return the number of the next paragraph as Word shows it, with a space; "" where it has none."""
        key, depth = self._place_of(paragraph)
        levels = self._levels.get(key, {})
        if depth not in levels:
            return ""
        counts = self._counts.setdefault(self._list_of[key], [None] * _LEVELS)
        restart = self._restarts.pop((key, depth), None)
        before = counts[depth]
        counts[depth] = restart if restart is not None else levels[depth].start if before is None else before + 1
        for below in range(depth + 1, _LEVELS):
            if below not in levels or depth < levels[below].begins_behind:
                counts[below] = None
        own = levels[depth]
        if own.form in ("bullet", "none"):
            return ""
        shown = _PLACE.sub(lambda found: _shown(counts, levels, int(found[1]) - 1, own.is_legal), own.text)
        return f"{shown.strip()} " if shown.strip() else ""

    def _place_of(self, paragraph: Any) -> tuple[str, int]:
        """Return the list of a paragraph and its level in the list, set directly or by its style."""
        style = _value(paragraph, "pPr", "pStyle")
        own = paragraph.find(f"{_W}pPr/{_W}numPr")
        key, depth = _value(own, "numId"), _value(own, "ilvl")
        for _ in range(_LEVELS):
            found = self._styles.get(style or "")
            if key is not None or found is None:
                break
            of_style = found.find(f"{_W}pPr/{_W}numPr")
            key, depth = _value(of_style, "numId"), depth or _value(of_style, "ilvl")
            levels = self._levels.get(key or "", {})
            depth = depth or next((str(each) for each, level in levels.items() if level.style == style), None)
            style = _value(found, "basedOn")
        return key or "", min(int(depth), _LEVELS - 1) if depth and depth.isdecimal() else 0


def _related(document: docx.document.Document) -> list[Any]:
    return [each for each in document.part.rels.values() if not each.is_external]


def _parsed(xml: bytes) -> Any:
    from docx.oxml.parser import parse_xml

    return parse_xml(xml)


def _value(element: Any, *path: str) -> str | None:
    found = None if element is None else element.find("/".join(f"{_W}{name}" for name in path))
    value = None if found is None else found.get(f"{_W}val")
    return None if value is None else str(value)


def _number(element: Any, name: str, default: int) -> int:
    value = element.get(f"{_W}{name}", "")
    return min(int(value), _LEVELS - 1) if value.isdecimal() else default


def _levels(element: Any) -> dict[int, _Level]:
    found = {_number(level, "ilvl", 0): level for level in element.iterchildren(f"{_W}lvl")}
    return {place: _level(level, place) for place, level in found.items()}


def _level(element: Any, place: int) -> _Level:
    start = _value(element, "start") or ""
    first = int(start) if start.isdecimal() and len(start) <= len(str(_MOST)) else 1
    form, text = _value(element, "numFmt") or "decimal", _value(element, "lvlText") or ""
    legal = element.find(f"{_W}isLgl")
    is_legal = legal is not None and legal.get(f"{_W}val") not in ("0", "false", "off")
    behind = _value(element, "lvlRestart") or ""
    # A level that is not above its own is ignored, as Word does.
    begins_behind = int(behind) if re.fullmatch("[0-8]", behind) and int(behind) <= place else place
    return _Level(first, form, text, _value(element, "pStyle"), is_legal, begins_behind)


def _shown(counts: list[int | None], levels: Mapping[int, _Level], depth: int, is_legal: bool) -> str:
    level = levels.get(depth)
    count = counts[depth]
    if level is None or level.form in ("bullet", "none"):
        return ""
    return written(level.start if count is None else count, "decimal" if is_legal else level.form)


def written(count: int, form: str) -> str:
    """Return a number in letters, Roman figures, or figures."""
    alphabet = next(
        (letters for name, letters in _ALPHABETS.items() if form.endswith(name) or form.startswith(name)), ""
    )
    if not 0 < count <= _MOST:
        return str(count)
    if alphabet:
        # After z come aa and bb.
        text = alphabet[(count - 1) % len(alphabet)] * ((count - 1) // len(alphabet) + 1)
    elif form.endswith("Roman"):
        text = _roman(count)
    else:
        return f"{count:02d}" if form == "decimalZero" else str(count)
    return text.upper() if form.startswith("upper") or form.endswith("Upper") else text


def _roman(count: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (count // value)
        count %= value
    return text
