"""What of a workbook its rows do not show: worksheets that are not read, and rows that are hidden."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from typing import NamedTuple
from xml.etree import ElementTree

from passer.domain.wording.sentence import sentence

_BOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_CELL = re.compile(rb"<(?:\w+:)?c[ >]")
_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row(?=\s[^<>]*\bhidden="(?:1|true)")[^<>]*?\br="(\d+)"[^<>]*(?<!/)>')
_VALUE = re.compile(rb"<(?:\w+:)?(?:v|is)[ >]")
_LINK_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


class Unseen(NamedTuple):
    """What the rows that were read do not show."""

    read: str = ""
    """Name of the worksheet that is read: the first one that is shown."""
    further: tuple[str, ...] = ()
    """Names of the other worksheets that hold cells; spreadsheet programs add empty ones."""
    hidden_rows: tuple[int, ...] = ()
    """Numbers of the rows that hold values and are hidden, by a filter or by hand; the header is row 1."""


def unseen(content: bytes) -> Unseen:
    """Return what of a workbook that has been read is not in its rows, or not on the screen.

    Nothing where the workbook lists its parts in another way.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        if not {_BOOK, _LINKS} <= names:
            return Unseen()
        try:
            book, links = (ElementTree.fromstring(archive.read(part)) for part in (_BOOK, _LINKS))
        except ElementTree.ParseError:
            # The readers of cells accept some lists of parts that are no well-formed XML.
            return Unseen()
        targets = {link.get("Id"): posixpath.join("/xl", link.get("Target", "")) for link in links}
        listed = list(book.iterfind("{*}sheets/*"))
        read = next((each for each in listed if each.get("state", "visible") == "visible"), next(iter(listed), None))
        hidden: tuple[int, ...] = ()
        further = []
        for each in listed:
            part = posixpath.normpath(targets.get(each.get(_LINK_ID), "")).lstrip("/")
            xml = archive.read(part) if part in names else b""
            if each is read:
                hidden = _hidden_rows(xml)
            elif _CELL.search(xml):
                further.append(each.get("name", ""))
        return Unseen("" if read is None else read.get("name", ""), tuple(further), hidden)


def _hidden_rows(xml: bytes) -> tuple[int, ...]:
    # A row ends where the next one begins.
    rows = [(int(found[1]), found.end()) for found in _HIDDEN_ROW.finditer(xml)]
    return tuple(number for number, start in rows if _VALUE.search(xml, start, _end(xml, start)))


def _end(xml: bytes, start: int) -> int:
    found = xml.find(b"row>", start)
    return len(xml) if found < 0 else found


def remarks_on(content: bytes) -> tuple[str, ...]:
    """Return one sentence on hidden rows among those that were read, and one on worksheets that were not."""
    found = unseen(content)
    hidden = [number - 1 for number in found.hidden_rows if number > 1]
    said = [sentence("file.hidden-rows", n=len(hidden), row=hidden[0])] if hidden else []
    if found.further:
        sheets = ", ".join(found.further)
        said.append(sentence("file.further-sheets", read=found.read, sheets=sheets, n=len(found.further)))
    return tuple(said)
