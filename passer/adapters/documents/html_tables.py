"""Tables of a web page, so that trafilatura reads each of their rows with all of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MOST_COPIED = 200_000
"""Characters that cells may be copied to the rows that they span; a page may claim any number of rows."""
_DIGITS = 5
_POINTS = ("li", "dd", "dt")


def arrange_tables(tree: Any) -> None:
    """Fill cells that span rows, move tables out of cells, and write those within points of lists as texts."""
    room = _MOST_COPIED
    for group in tree.iter("table", "thead", "tbody", "tfoot"):
        room = _span(group.findall("tr"), room)
    for table in list(tree.iter("table")):
        around = next(table.iterancestors("td", "th", *_POINTS), None)
        if around is not None and around.tag not in _POINTS:
            _unnest(table)
    for table in reversed(list(tree.iter("table"))):
        if next(table.iterancestors(*_POINTS), None) is not None:
            _write(table)


def _write(table: Any) -> None:
    """Write a table within a point of a list as one text, as tables within cells of Word documents are.

    trafilatura would read its cells without anything between them.
    """
    parts = [_text(each) for each in table.iterchildren("caption")]
    for row in table.iter("tr"):
        cells = [_text(each) for each in row.iterchildren("td", "th")]
        parts += [", ".join(cells)] if any(cells) else []
    table.clear(keep_tail=True)
    table.tag, table.text = "span", f" {'; '.join(parts)} "


def _text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _unnest(table: Any) -> None:
    """Move the rows of a table within a cell after the row of the cell: trafilatura would put them after all rows."""
    around = next(table.iterancestors("tr"), None)
    if around is None:
        return
    for row in reversed([each for each in table.iter("tr") if next(each.iterancestors("table")) is table]):
        around.addnext(row)
    table.clear(keep_tail=True)
    table.tag = "span"


def _span(rows: Sequence[Any], room: int) -> int:
    """Write cells that span several rows into each of them; return how many characters may still be copied."""
    reaching: dict[int, tuple[int, str]] = {}
    for place, row in enumerate(rows):
        cells: list[Any] = []
        column = 0
        for cell in (*(each for each in row if each.tag in ("td", "th")), None):
            while room > 0 and reaching.get(column, (-1, ""))[0] >= place:
                cells.append(row.makeelement("td"))
                cells[-1].text = reaching[column][1]
                room -= len(cells[-1].text) + 1
                column += 1
            if cell is not None:
                cells.append(cell)
                last = min(place + _number(cell, "rowspan"), len(rows)) - 1
                if last > place:
                    reaching[column] = last, " ".join("".join(cell.itertext()).split())
                cell.attrib.pop("rowspan", None)
                column += _number(cell, "colspan")
        if len(cells) > len(row):
            row[:] = cells
    return room


def _number(cell: Any, name: str) -> int:
    value = cell.get(name, "").strip()
    return max(1, int(value)) if value.isascii() and value.isdecimal() and len(value) <= _DIGITS else 1
