"""Word documents, opened by python-docx.

Their text is read from the XML: python-docx leaves out what was inserted with tracked changes, and what is in content
controls (the citations of reference managers), fields, text boxes, equations and notes.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from passer.adapters.documents.docx_formulas import FORMULAS, formula
from passer.adapters.documents.docx_numbers import Numbering
from passer.adapters.documents.plain import document_of, raised, reader_version
from passer.domain.extras import requires_extra
from passer.domain.retrieval.passages import Document
from passer.domain.wording.sentence import sentence
from passer.errors import DocumentError

if TYPE_CHECKING:
    import docx.document

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_MOST_UNPACKED = 512 * 1024 * 1024
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WRAPPERS = frozenset(f"{_W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"))
"""Elements around paragraphs, rows and cells that belong to the text."""
_LEFT_OUT = frozenset((*(f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "sdtPr", "rt")), f"{_MC}Fallback"))
"""Elements whose text was deleted, describes other text, or stands elsewhere for programs that cannot read it there."""
_TEXTS = (f"{_W}t", f"{_M}t")
_SIGNS = {f"{_W}tab": "\t", f"{_W}ptab": "\t", f"{_W}cr": "\n", f"{_W}br": "\n", f"{_W}noBreakHyphen": "-"}
_NOTES = ("footnote", "endnote")
_OBJECTS = ("chart", "chartEx", "diagramData", "oleObject", "package")
"""Kinds of parts that may have text and are not read."""
_SYMBOLS = dict(
    zip(
        (0x22, 0x24, *range(0x40, 0x5B), *range(0x61, 0x7B), *range(0xA1, 0xBD), *range(0xC4, 0xE1), 0xE5, 0xF2),
        "∀∃≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ"
        "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊∑∫",
        strict=True,
    )
)
"""Characters of the font Symbol by their codes (Adobe's encoding): units and signs of inequality in older documents."""
_WINGDINGS = {0x52: "☑", 0x6F: "☐", 0xA8: "☐", 0xFE: "☑", 0xFD: "☒", 0xFC: "✓", 0xFB: "✗", 0xE0: "→", 0xDF: "←"}
_RAISING = f"{_W}vertAlign[@{_W}val='superscript']"


class Around(NamedTuple):
    """Parts of a document that its paragraphs refer to."""

    notes: Mapping[tuple[str, str], str]
    """Texts of notes by kind and id."""
    raised: frozenset[str]
    """Ids of the styles that raise characters."""
    numbering: Numbering
    """Numbers of the paragraphs."""


class DocxReader:
    """Reads headings, paragraphs and tables in order, each with its text boxes and notes; tracked changes as accepted.

    A table row becomes one line, cells separated by ` | `; a table within a cell has commas and semicolons.
    """

    suffixes: tuple[str, ...] = (".docx",)

    @property
    def version(self) -> str:
        with requires_extra("retrieval", sentence("extra.word")):
            return reader_version("docx-3", "python-docx")

    def read(self, content: bytes, name: str) -> Document:
        if not content:
            raise DocumentError(sentence("document.empty", name=name))
        if content.startswith(_OLE):
            raise DocumentError(sentence("document.old-word", name=name))
        document, around = _opened(content, name=name)
        if document.element.body.find(f".//{_W}altChunk") is not None:
            raise DocumentError(sentence("document.word-parts", name=name))
        text = "\n\n".join(_blocks(document.element.body, around))
        objects = sum(each.reltype.rpartition("/")[2] in _OBJECTS for each in document.part.rels.values())
        warnings = [sentence("document.word-objects", name=name, n=objects)] if objects else []
        return document_of(text, content=content, name=name, reader=self.version, warnings=warnings)


def _opened(content: bytes, *, name: str) -> tuple[docx.document.Document, Around]:
    with requires_extra("retrieval", sentence("extra.word")):
        import docx

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > _MOST_UNPACKED:
            raise DocumentError(sentence("document.unpacks", name=name, size=unpacked // 2**20))
        document = docx.Document(io.BytesIO(content))
        raised = _raising_styles(document)
        numbering = Numbering(document)
        return document, Around(_notes(document, raised, numbering), raised, numbering)
    except (DocumentError, MemoryError):
        raise
    except Exception as exc:  # python-docx raises zip, XML and package errors of every kind
        raise DocumentError(sentence("document.not-word", name=name)) from exc


def _raising_styles(document: docx.document.Document) -> frozenset[str]:
    styles = document.styles.element.iterchildren(f"{_W}style")
    return frozenset(each.get(f"{_W}styleId", "") for each in styles if each.find(f"{_W}rPr/{_RAISING}") is not None)


def _notes(
    document: docx.document.Document, raised: frozenset[str], numbering: Numbering
) -> Mapping[tuple[str, str], str]:
    from docx.oxml.parser import parse_xml

    found = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2].removesuffix("s")
        if kind in _NOTES and not relation.is_external:
            for note in parse_xml(relation.target_part.blob).iterchildren(f"{_W}{kind}"):
                found[kind, note.get(f"{_W}id", "")] = " ".join(_blocks(note, Around({}, raised, numbering))).strip()
    return found


def _blocks(container: Any, around: Around) -> Iterator[str]:
    """Yield the texts of paragraphs and tables of an element; those of text boxes and notes behind their paragraph."""
    begun, waiting = "", list[str]()
    for block in _children(container):
        if block.tag == f"{_W}tbl":
            # A table within a cell is part of one row.
            between, end = (", ", "; ") if container.tag == f"{_W}tc" else (" | ", "\n")
            found = [end.join(between.join(row) for row in _rows(block, around))]
        elif block.tag == f"{_W}p":
            beside: list[str] = []
            label, text = around.numbering.label(block), "".join(_inline(block, around, beside))
            begun += label + text if text.strip() else ""
            if block.find(f"{_W}pPr/{_W}rPr/{_W}del") is not None:
                # Its end was deleted: the next paragraph continues it.
                waiting += beside
                continue
            found, begun, waiting = [begun, *waiting, *beside], "", []
        else:
            continue
        yield from (text for text in found if text.strip())
    yield from (text for text in (begun, *waiting) if text.strip())


def _children(element: Any) -> Iterator[Any]:
    """Yield the children of an element, and those of wrappers in place of the wrappers."""
    for child in element.iterchildren():
        if _is_placeholder(child):
            continue
        if child.tag in _WRAPPERS:
            yield from _children(child)
        else:
            yield child


def _inline(element: Any, around: Around, beside: list[str]) -> Iterator[str]:
    """Yield the parts of a paragraph's text; append the texts of its text boxes and notes to `beside`."""

    def text_of(part: Any) -> str:
        return "".join(_inline(part, around, beside))

    for child in element.iterchildren():
        tag = child.tag
        if tag in _TEXTS:
            yield child.text or ""
        elif tag in _SIGNS:
            yield _SIGNS[tag]
        elif tag == f"{_W}sym":
            yield _symbol(child)
        elif tag == f"{_W}r" and (looks := child.find(f"{_W}rPr")) is not None:
            if _is_on(looks, "vanish") or _is_on(looks, "strike") or _is_on(looks, "dstrike"):
                continue
            text = text_of(child)
            yield (raised(text) if text and _is_raised(looks, around) else None) or text
        elif tag in FORMULAS:
            yield formula(child, text_of)
        elif tag == f"{_W}txbxContent":
            beside += _blocks(child, around)
        elif tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
            kind = tag.removeprefix(_W).removesuffix("Reference")
            beside.append(around.notes.get((kind, child.get(f"{_W}id", "")), ""))
        elif tag not in _LEFT_OUT and not _is_placeholder(child):
            yield from _inline(child, around, beside)


def _is_placeholder(element: Any) -> bool:
    """Return whether a field shows only its placeholder, such as Click here to enter text."""
    return element.tag == f"{_W}sdt" and element.find(f"{_W}sdtPr/{_W}showingPlcHdr") is not None


def _is_raised(looks: Any, around: Around) -> bool:
    """Return whether a run is superscript, directly or by its style."""
    style, height = looks.find(f"{_W}rStyle"), looks.find(f"{_W}position")
    is_set_higher = height is not None and height.get(f"{_W}val", "-").isdecimal() and height.get(f"{_W}val") != "0"
    return (
        is_set_higher
        or looks.find(_RAISING) is not None
        or (style is not None and style.get(f"{_W}val") in around.raised)
    )


def _is_on(looks: Any, name: str) -> bool:
    """Return whether a property of a run, such as hidden or crossed-out text, is set."""
    found = looks.find(f"{_W}{name}")
    return found is not None and found.get(f"{_W}val", "1") not in ("0", "false", "off")


def _symbol(element: Any) -> str:
    """Return a character that a document gives by its code in a font; empty where the font is not known."""
    font, code = element.get(f"{_W}font", "").lower(), element.get(f"{_W}char", "")
    number = int(code, 16) if re.fullmatch("[0-9A-Fa-f]{1,4}", code) else 0
    known = _SYMBOLS if font == "symbol" else _WINGDINGS if font.startswith("wingdings") else {}
    return known.get(number & 0xFF, "" if known or 0xE000 <= number <= 0xF8FF or number < 0x20 else chr(number))


def _rows(table: Any, around: Around) -> Iterator[Collection[str]]:
    """Yield the texts of the cells of each row."""
    above: dict[int, str] = {}
    for row in _children(table):
        if row.tag != f"{_W}tr" or row.find(f"{_W}trPr/{_W}del") is not None:
            continue
        texts: dict[int, str] = {}
        column = row.grid_before
        # Not python-docx's cells: it has a cell once per column that it spans, which may be two thousand million, and
        # looks for the beginning of cells that are merged downwards row by row, the square of their number.
        for cell in _children(row):
            if cell.tag == f"{_W}tc":
                continues = cell.vMerge == "continue" and column in above
                texts[column] = above[column] if continues else " ".join(" ".join(_blocks(cell, around)).split())
                column += cell.grid_span
        yield texts.values()
        above = texts
