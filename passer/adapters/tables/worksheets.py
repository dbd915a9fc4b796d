"""Parts of a workbook that its rows do not show: worksheets that are not read, and hidden rows."""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import zipfile
import zlib
from typing import NamedTuple
from xml.etree import ElementTree

from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

_BOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_CELL = re.compile(rb"<(?:\w+:)?c[ >]")
_ROW = re.compile(rb"<(?:\w+:)?row(?:\s[^<>]*)?>")
_HIDDEN, _NUMBER = re.compile(rb'\shidden="(?:1|true)"'), re.compile(rb'\sr="(\d{1,7})"')
_VALUE = re.compile(rb"<(?:\w+:)?(?:v|is)[ >]")
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ElementTree.ParseError)
"""Errors of parts that the readers of cells do not need, or read although they are damaged."""
_LINK_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


class HiddenParts(NamedTuple):
    """Parts of a workbook that the rows do not show."""

    read: str = ""
    """Name of the worksheet that is read: the first one that is shown."""
    further: tuple[str, ...] = ()
    """Names of the other worksheets with cells; spreadsheet programs add empty ones."""
    hidden_rows: tuple[int, ...] = ()
    """Numbers of the rows with values that are hidden, by a filter or by hand; the header is row 1."""


def hidden_parts(content: bytes) -> HiddenParts:
    """Return the parts of a workbook that are not in its rows or not visible: worksheets and hidden rows.

    Empty if the workbook lists its parts in another way, or if parts of it are damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _hidden_parts(archive) if {_BOOK, _LINKS} <= set(archive.namelist()) else HiddenParts()
    except DAMAGED:
        return HiddenParts()


def _hidden_parts(archive: zipfile.ZipFile) -> HiddenParts:
    book, links = (ElementTree.fromstring(archive.read(part)) for part in (_BOOK, _LINKS))
    targets = {
        link.get("Id"): posixpath.normpath(posixpath.join("/xl", link.get("Target", ""))).lstrip("/")
        for link in links
        # A sheet may be a chart, which has no cells.
        if link.get("Type", "").endswith("/worksheet")
    }
    listed = [each for each in book.iterfind("{*}sheets/*") if each.get(_LINK_ID) in targets]
    read = next((each for each in listed if each.get("state", "visible") == "visible"), next(iter(listed), None))
    hidden: tuple[int, ...] = ()
    names, further = set(archive.namelist()), []
    for each in listed:
        part = targets[each.get(_LINK_ID)]
        xml = archive.read(part) if part in names else b""
        if each is read:
            hidden = _hidden_rows(xml)
        elif _CELL.search(xml):
            further.append(each.get("name", ""))
    return HiddenParts("" if read is None else read.get("name", ""), tuple(further), hidden)


def _hidden_rows(xml: bytes) -> tuple[int, ...]:
    if b"hidden" not in xml:
        return ()
    rows = list(_ROW.finditer(xml))
    # A row ends where the next one begins.
    ends = [*(row.start() for row in rows[1:]), len(xml)]
    return tuple(
        int(number[1])
        for row, end in zip(rows, ends, strict=True)
        if _HIDDEN.search(row[0]) and (number := _NUMBER.search(row[0])) and _VALUE.search(xml, row.end(), end)
    )


def remarks_on(content: bytes) -> tuple[str, ...]:
    """Return one sentence on hidden rows among those that were read, and one on worksheets that were not."""
    found = hidden_parts(content)
    hidden = [number - 1 for number in found.hidden_rows if number > 1]
    said = [sentence("file.hidden-rows", n=len(hidden), row=hidden[0])] if hidden else []
    if found.further:
        sheets = ", ".join(found.further)
        said.append(sentence("file.further-sheets", read=found.read, sheets=sheets, n=len(found.further)))
    return tuple(said)


def check_further(content: bytes) -> None:
    """Raise DatasetError for a workbook whose rows are on worksheets that are not read."""
    found = hidden_parts(content)
    if found.further:
        raise DatasetError(
            sentence("file.no-row", read=found.read, sheets=", ".join(found.further), n=len(found.further))
        )
