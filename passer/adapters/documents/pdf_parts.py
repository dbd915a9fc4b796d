"""Order of the parts of a line from right to left, by their places: Unicode's bidirectional algorithm backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple
from unicodedata import bidirectional

_PAIRS = ("()", "[]", "{}", "<>", "\xab\xbb", "\u2039\u203a")
BRACKETS = {sign: pair for pair in _PAIRS for sign in pair}
_NEARER = 0.1
"""Size of a letter by which a bracket is nearer to the text that it encloses."""
_SPACE, _UNIT = 0.12, 3
"""Least distance of words, in sizes of their letters, and the most letters of a unit, such as kg."""
_SEPARATORS, _SIGNS = ".,:/\xa0\u060c", "+-\u2212"
"""Signs within numbers: those of the first kind in all scripts, the others not after Arabic letters."""


class Part(NamedTuple):
    """A word, a number or a sign of a line."""

    text: str
    left: float
    right: float
    size: float

    @property
    def way(self) -> str:
        """Return its direction: R, AL (Arabic) or L for letters, EN for figures; another one for other signs."""
        ways = [bidirectional(sign) for sign in self.text]
        strong = next((way for way in ways if way in ("R", "AL", "L")), None)
        return strong or ("EN" if ways[0] in ("EN", "AN") else ways[0])


def in_order(parts: Sequence[Part], length: int) -> str | None:
    """Return the text of the parts, as long as it was; None if it would be longer."""
    line = sorted(parts, key=lambda part: part.left + part.right)
    ways = _with_units([part.way for part in line], line)
    sides = dict(sides_of([(part.text, part.left, part.right) for part in line]))
    pieces, gaps, opened = list[str](), [0.0], set[str]()
    behind: Part | None = None
    for group in reversed(list(_groups(line, ways))):
        first, last = line[group.start], line[group.stop - 1]
        gaps += [] if behind is None else [_gap(last, behind)]
        gaps += [_gap(*pair) for pair in pairwise(line[group.start : group.stop])]
        pieces += _with_brackets(line, group, sides, opened, is_to_left=ways[group.start] not in ("L", "EN"))
        behind = first
    free = length - sum(map(len, pieces))
    # A font may have letters with more space around them than another one has between words.
    least = max([_SPACE, *sorted(gaps, reverse=True)[free : free + 1]]) if free >= 0 else inf
    text = "".join(f" {piece}" if gap > least else piece for gap, piece in zip(gaps, pieces, strict=True))
    before, space, after = text.partition(" ")
    return before + space + "\0" * (length - len(text)) + after if space or len(text) == length else None


def _with_units(ways: list[str], line: Sequence[Part]) -> list[str]:
    """Return the directions with signs such as % and $ as parts of the numbers next to them."""
    for place, other in (pair for each in pairwise(range(len(ways))) for pair in (each, each[::-1])):
        is_next = ways[place] == "ET" and ways[other] == "EN" and not _is_arabic(ways, max(place, other))
        if is_next and not _is_apart(line[min(place, other)], line[max(place, other)]):
            ways[place] = "EN"
    return ways


def _is_arabic(ways: Sequence[str], start: int) -> bool:
    """Return whether the letters before a number, which are to its right, are Arabic."""
    return next((way for way in ways[start:] if way in ("L", "R", "AL")), "") == "AL"


def _is_apart(left: Part, right: Part) -> bool:
    return _gap(left, right) > _SPACE


def _gap(left: Part, right: Part) -> float:
    return (right.left - left.right) / min(left.size, right.size)


def _groups(line: Sequence[Part], ways: Sequence[str]) -> Iterator[range]:
    """Yield the parts from the left, those that run from left to right together."""
    start = 0
    while start < len(line):
        end = start + 1
        if ways[start] in ("L", "EN"):
            while (following := _joined(line, ways, start, end)) > end:
                end = following
        yield range(start, end)
        start = end


def _joined(line: Sequence[Part], ways: Sequence[str], start: int, end: int) -> int:
    """Return where a group from left to right ends with the next letters or figures, or its own end."""
    after = next((place for place in range(end, len(line)) if ways[place] in ("L", "EN", "R", "AL")), len(line))
    between = "".join(part.text for part in line[end:after])
    is_apart = any(_is_apart(*pair) for pair in pairwise(line[end - 1 : after + 1]))
    if ways[start] == "L" and _closes(line, start, end):
        return end + 1
    if after == len(line) or ways[after] not in ("L", "EN"):
        return end
    if ways[start] == "L":
        # What a page shows as "kg 5" is 5 kg, and "Article 5" is one as well.
        is_unit = len(line[end - 1].text) <= _UNIT and not line[end - 1].text[:2].isupper()
        is_number = ways[after] == "L" or not is_apart or not is_unit
    elif ways[after] == "L":
        is_number = not is_apart and not between
    else:
        is_number = not is_apart and len(between) <= 1 and between in _SEPARATORS + _SIGNS * (not _is_arabic(ways, end))
    return after + 1 if is_number else end


def _closes(line: Sequence[Part], start: int, end: int) -> bool:
    """Return whether the next sign closes a bracket that words from left to right opened."""
    pair = BRACKETS.get(line[end].text) if end < len(line) else None
    return pair is not None and sum(part.text in pair for part in line[start:end]) % 2 == 1


def _with_brackets(
    line: Sequence[Part], group: range, sides: Mapping[int, bool], opened: set[str], *, is_to_left: bool
) -> Iterator[str]:
    """Yield the texts of a group; a bracket with a word on both sides opens unless one of its kind is open."""
    for place in group:
        pair = BRACKETS.get(line[place].text)
        if pair is None:
            yield line[place].text
            continue
        opens = sides[place] == is_to_left if place in sides else pair not in opened
        (opened.add if opens else opened.discard)(pair)
        yield pair[0 if opens else 1]


def sides_of(signs: Sequence[tuple[str, float, float]]) -> Iterator[tuple[int, bool]]:
    """Yield the places of brackets that are next to text on one side, and whether that is the left one."""
    words = [(left, right) for text, left, right in signs if text[0].isalnum()]
    for place, (text, left, right) in enumerate(signs):
        if text in BRACKETS:
            middle = (left + right) / 2
            to_left = min((left - end for begin, end in words if begin + end < 2 * middle), default=inf)
            to_right = min((begin - right for begin, end in words if begin + end > 2 * middle), default=inf)
            if abs(to_left - to_right) > _NEARER * 2 * (right - left):
                yield place, to_left < to_right
