"""Names of the worksheets of a workbook that are not read."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from xml.etree import ElementTree

_BOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_CELL = re.compile(rb"<(?:\w+:)?c[ >]")
_LINK_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def further_worksheets(content: bytes) -> tuple[str, ...]:
    """Return the names of the worksheets that hold cells and are not the first one that is shown.

    Spreadsheet programs add empty ones.

    `content` is a workbook that has been read already. Empty where the workbook lists its parts in another way.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        if not {_BOOK, _LINKS} <= names:
            return ()
        try:
            book, links = (ElementTree.fromstring(archive.read(part)) for part in (_BOOK, _LINKS))
        except ElementTree.ParseError:
            # The readers of cells accept some lists of parts that are no well-formed XML.
            return ()
        targets = {link.get("Id"): posixpath.join("/xl", link.get("Target", "")) for link in links}
        listed = list(book.iterfind("{*}sheets/*"))
        read = next((each for each in listed if each.get("state", "visible") == "visible"), next(iter(listed), None))
        others = [(each.get("name", ""), targets.get(each.get(_LINK_ID), "")) for each in listed if each is not read]
        parts = [(name, posixpath.normpath(target).lstrip("/")) for name, target in others]
        return tuple(name for name, part in parts if part in names and _CELL.search(archive.read(part)))
