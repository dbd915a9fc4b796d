"""Numbers that Word counts and does not store: of articles, points and lists."""

from __future__ import annotations

import io
from collections.abc import Sequence

import docx
import pytest
from docx.oxml.ns import nsdecls
from docx.oxml.parser import parse_xml

from passer.adapters.documents.docx import DocxReader

LEVELS = (
    ("decimal", "Article %1", "<w:pStyle w:val='Heading1'/>"),
    ("decimal", "%1.%2.", ""),
    ("lowerLetter", "(%3)", ""),
    ("lowerRoman", "%4)", ""),
    ("bullet", "•", ""),
    ("russianLower", "%6)", ""),
    ("upperRoman", "%7", ""),
)
CHAPTERS = (
    ("upperRoman", "Chapter %1", ""),
    ("decimal", "Article %2", "<w:lvlRestart w:val='0'/>"),
    ("decimal", "%1.%2.%3", "<w:isLgl/>"),
    ("lowerLetter", "(%4)", "<w:lvlRestart w:val='1'/>"),
)
"""Articles that are counted through all chapters, paragraphs in figures alone, points that only a chapter begins again
(ISO 29500-1, 17.9.10 and 17.9.4).
"""
Numbered = tuple[str, int, str]
"""List, level, and text."""


def text_of(*paragraphs: Numbered, restart: str = "", of: Sequence[tuple[str, str, str]] = LEVELS) -> list[str]:
    document, stream = docx.Document(), io.BytesIO()
    numbering = document.part.numbering_part.element
    for each in list(numbering):
        numbering.remove(each)
    levels = "".join(
        f"<w:lvl w:ilvl='{place}'><w:start w:val='1'/><w:numFmt w:val='{form}'/>{style}"
        f"<w:lvlText w:val='{text}'/></w:lvl>"
        for place, (form, text, style) in enumerate(of)
    )
    space = nsdecls("w")
    numbering.append(parse_xml(f"<w:abstractNum {space} w:abstractNumId='7'>{levels}</w:abstractNum>"))
    for key, more in (("1", ""), ("2", restart)):
        numbering.append(parse_xml(f"<w:num {space} w:numId='{key}'><w:abstractNumId w:val='7'/>{more}</w:num>"))
    for key, level, text in paragraphs:
        paragraph = document.add_paragraph(text)
        if key:
            own = f"<w:numPr {space}><w:ilvl w:val='{level}'/><w:numId w:val='{key}'/></w:numPr>"
            paragraph._p.get_or_add_pPr().append(parse_xml(own))
    document.save(stream)
    return DocxReader().read(stream.getvalue(), "a.docx").text.split("\n\n")


def test_articles_and_points_have_the_numbers_that_word_shows() -> None:
    found = text_of(
        ("1", 0, "Scope"), ("1", 1, "Farms"), ("1", 2, "large"), ("1", 2, "small"), ("", 0, "Plain."),
        ("1", 2, "others"), ("1", 3, "old"), ("1", 1, "Shops"), ("1", 2, "open"), ("1", 0, "Duties"),
        ("1", 1, "Records"), ("0", 0, "None"),
    )  # fmt: skip
    assert found == [
        "Article 1 Scope", "1.1. Farms", "(a) large", "(b) small", "Plain.", "(c) others",
        "i) old", "1.2. Shops", "(a) open", "Article 2 Duties", "2.1. Records", "None",
    ]  # fmt: skip


def test_a_second_list_goes_on_or_begins_anew() -> None:
    first, second = ("1", 0, "A"), ("2", 0, "B")
    assert text_of(first, second) == ["Article 1 A", "Article 2 B"]
    anew = "<w:lvlOverride w:ilvl='0'><w:startOverride w:val='5'/></w:lvlOverride>"
    assert text_of(first, second, second, restart=anew) == ["Article 1 A", "Article 5 B", "Article 6 B"]


def test_articles_are_counted_through_all_chapters_where_the_list_says_so() -> None:
    found = text_of(
        ("1", 0, "General"), ("1", 1, "Scope"), ("1", 3, "farms"), ("1", 1, "Terms"), ("1", 3, "shops"),
        ("1", 0, "Duties"), ("1", 1, "Records"), ("1", 2, "Dates"), ("1", 3, "sowing"), of=CHAPTERS,
    )  # fmt: skip
    assert found == [
        "Chapter I General", "Article 1 Scope", "(a) farms", "Article 2 Terms", "(b) shops",
        "Chapter II Duties", "Article 3 Records", "2.3.1 Dates", "(a) sowing",
    ]  # fmt: skip


def test_a_list_may_have_levels_of_its_own() -> None:
    level = "<w:lvl w:ilvl='0'><w:numFmt w:val='upperLetter'/><w:lvlText w:val='Annex %1'/></w:lvl>"
    own = f"<w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/>{level}</w:lvlOverride>"
    assert text_of(("1", 0, "A"), ("2", 0, "B"), restart=own) == ["Article 1 A", "Annex A B"]


@pytest.mark.parametrize(
    ("level", "number", "shown"),
    [(2, 27, "(aa) x"), (3, 14, "xiv) x"), (4, 3, "x"), (5, 10, "к) x"), (6, 49, "XLIX x")],
)
def test_forms_of_numbers(level: int, number: int, shown: str) -> None:
    assert text_of(*[("1", level, "x")] * number)[-1] == shown


def test_a_heading_is_numbered_by_its_style() -> None:
    document, stream = docx.Document(), io.BytesIO()
    style = document.styles["Heading 1"].element
    numbering = document.part.numbering_part.element
    level = "<w:lvl w:ilvl='1'><w:numFmt w:val='decimal'/><w:pStyle w:val='Heading1'/><w:lvlText w:val='§ %2'/></w:lvl>"
    numbering.insert(0, parse_xml(f"<w:abstractNum {nsdecls('w')} w:abstractNumId='77'>{level}</w:abstractNum>"))
    numbering.append(parse_xml(f"<w:num {nsdecls('w')} w:numId='78'><w:abstractNumId w:val='77'/></w:num>"))
    style.get_or_add_pPr().append(parse_xml(f"<w:numPr {nsdecls('w')}><w:numId w:val='78'/></w:numPr>"))
    for text in ("Scope", "Duties"):
        document.add_heading(text, level=1)
    document.save(stream)
    assert DocxReader().read(stream.getvalue(), "a.docx").text == "§ 1 Scope\n\n§ 2 Duties"


def test_a_document_without_lists_has_no_numbers() -> None:
    document, stream = docx.Document(), io.BytesIO()
    document.add_paragraph("Plain.")
    document.save(stream)
    assert DocxReader().read(stream.getvalue(), "a.docx").text == "Plain."
