"""Each number of a reader stands for one way of reading: another text of the same bytes needs another number.

A document that is added again is read again only by another version, and sweeps state the text by it. The files are few
and small, with at least one of everything that a reader is written for. Extend them with what a reader learns.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Sequence

import docx
import pytest
from docx.oxml.parser import parse_xml

from passer.adapters.documents import document_readers
from tests.adapters.drawn_pdf import Drawn, drawn
from tests.conftest import ROOT

READ = {
    "pdf-7, pypdfium2 5.15.2, pypdf 7.1.0": "b4e49cccce157096",
    "docx-3, python-docx 1.2.0": "d3763f2709f9bf2a",
    "html-6, trafilatura 2.3.1, lxml 6.1.3": "e7214dae72bdb744",
    ".txt": "ef621d040de46c00",
    "md-2": "d8e764786488b021",
}
"""Digests of the texts by version, or by suffix without one. Entries come and go, but their digests never change.

A new version of a package gets an entry of its own (make lock, then run this test): what it reads differently is
reported to users, as their documents state the version.
"""
_CONSTRAINTS = ROOT / "constraints.txt"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_LINE = "Clover fixes nitrogen from the air by means of bacteria in its roots, and it covers the"


def _pdf() -> list[bytes]:
    body = [(70.0, 760 - 13.0 * row, 10.0, f"{_LINE} {row}") for row in range(45)]
    book: list[Sequence[Drawn]] = [
        [(70, 805, 9, f"{page} Handbook"), *body, (70, 170, 10, "the fertili-"), (290, 40, 9, str(page))]
        for page in range(1, 7)
    ]
    columns = [
        (x, 740 - 14.0 * row, 10.0, text)
        for row in range(12)
        for x, text in ((50.0, f"the plants grow in spring, {row} weeks-"), (310.0, f"old bacteria of the roots {row}"))
    ]
    signs = [(50.0, 700.0, 12.0, "The yield is 10"), (50 + 6.447 * 12, 704.5, 8.0, "5"), (50, 680, 12, "COVID-")]
    signs += [(50, 666, 12, "19 and nitro-"), (50, 652, 12, "gen, EC-"), (50, 638, 12, "UK  \xad \xa0x")]
    signs += [
        (50, 610, 12, "It holds 10"),
        (50 + 4.614 * 12, 616, 8, "5"),
        (50 + 4.892 * 12 + 8 * 0.556, 610, 12, "kg"),
    ]
    signs += [(50, 590, 12, "the in-row and the in-"), (50, 576, 12, "row weeds")]
    letters = {**dict(zip("EDCBA", "حمقلا", strict=True)), "<": "(", ">": ")", "1": "1", ".": "."}
    from_right = [(60.0 + 9 * place, 700.0, 14.0, sign) for place, sign in enumerate("EDCBA <EDCBA> 11") if sign != " "]
    from_right += [(60.0 + 9 * place, 660.0, 14.0, sign) for place, sign in enumerate("1 .11 EDCBA") if sign != " "]
    title = [(70.0 + 14 * place, 780.0, 12.0, sign) for place, sign in enumerate("NORDEN UND OSTEN") if sign != " "]
    sections = [[(70.0, 775.0, 10.0, f"{page}. Scope"), *body[5:]] for page in range(1, 7)]
    rows = [(x, 803 - 14.0 * row, 10.0, f"{row} kg") for row in range(1, 55) for x in (70.0, 300.0)]
    tables = [[(70.0, 812.0, 10.0, "Crop"), (300.0, 812.0, 10.0, "Yield"), *rows]] * 6
    names = [(x + 8.0 * n, 760 - 13.0 * y, 10.0, "NEON"[n]) for y in range(12) for x in (70, 400) for n in range(4)]
    cells = (("Crop", "N", "P"), ("Rye", "1", "2"), ("Oats", "", "3"))
    gaps = [
        (70.0 + 90 * x, 700 - 16.0 * y, 10.0, cell) for y, row in enumerate(cells) for x, cell in enumerate(row) if cell
    ]
    cells = (("EDCBA", "DCBA", "CBA"), ("DCB", "1", "1.1"), ("EDC", "", "11"))
    to_left = [
        (400 - 90.0 * x, 700 - 16.0 * y, 10.0, cell)
        for y, row in enumerate(cells)
        for x, cell in enumerate(row)
        if cell
    ]
    others = [
        drawn(names),
        drawn(title),
        drawn(*sections),
        drawn(*tables),
        drawn(gaps),
        drawn(to_left, letters=letters),
    ]
    return [drawn(*book), drawn(columns), drawn(signs), drawn(from_right, letters=letters, is_spoken=True), *others]


def _word() -> list[bytes]:
    def run(text: str, looks: str = "") -> str:
        return f'<w:r><w:rPr>{looks}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'

    raised, power = "<w:vertAlign w:val='superscript'/>", "<m:sup><m:r><m:t>n+1</m:t></m:r></m:sup>"
    formula = f"<m:oMath><m:sSup><m:e><m:r><m:t>2</m:t></m:r></m:e>{power}</m:sSup></m:oMath>"
    paragraphs = (
        run("The yield is 10") + run("5", raised) + run("1,2", raised) + run("th", raised) + run("x", "<w:strike/>"),
        f"<w:del>{run('old')}</w:del><w:ins>{run('new')}</w:ins>{run('hidden', '<w:vanish/>')}{formula}",
        run("one") + "<w:r><w:tab/><w:br/><w:noBreakHyphen/><w:sym w:font='Symbol' w:char='F0B0'/></w:r>",
    )
    asked = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run('Click')}</w:sdtContent></w:sdt>"
    joined = f"<w:pPr><w:rPr><w:del w:id='1' w:author='a'/></w:rPr></w:pPr>{run('First ')}"
    paragraphs = (*paragraphs, joined, run("half") + asked)
    document, stream = docx.Document(), io.BytesIO()
    for level, style in ((1, "List Number"), (2, "List Number"), (1, "List Bullet")):
        document.add_heading(f"Heading {level}", level)
        document.add_paragraph("point", style=style)
    for xml in paragraphs:
        document.add_paragraph()._p.getparent().append(parse_xml(f"<w:p {_W} {_MATH}>{xml}</w:p>"))
    table = document.add_table(2, 3)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "tall"
    table.cell(0, 1).add_table(1, 2).cell(0, 1).text = "within"
    document.save(stream)
    return [stream.getvalue()]


def _page() -> list[bytes]:
    around = f"<p>{_LINE} soil of the farm in all of the winter.</p>" * 4
    parts = (
        "<p>10<sup>&minus;3</sup> g, 500<sup>1,2</sup>, 2<sup>n+1</sup>, 4<sup>th</sup>, <s>170</s> <q>120</q></p>",
        "<ol type='a' start='3'><li>three</li><li value='7'><p>seven</p></li></ol><ul><li>point</li></ul>",
        "<table><caption>Yields</caption><tr><th>Crop</th><th rowspan=2>Sum</th></tr><tr><td>Rye</td></tr>"
        "<tr><td>(a)</td><td>scope<table><tr><td>(i)</td></tr></table></td></tr><tr><td>(b)</td></tr></table>",
        "<aside class='warning'>Take care.</aside><time>30 May</time><address>Sofia</address><del>gone</del>",
        "<details><summary>More</summary><p>Answer</p></details><pre>a\n  b</pre><dl><dt>Term</dt><dd>What</dd></dl>",
        "<math><msup><mn>10</mn><mn>5</mn></msup></math><ruby>漢<rt>kan</rt></ruby><template>none</template>",
        f"<article>{around}</article><section><div>Beside</div></section>",
    )
    menus = "<nav><p>Home</p></nav><header><h1>Rules</h1></header><footer><p>Imprint</p></footer>"
    parts = (
        *parts,
        "<h2>Links<span class='mw-editsection'>[<a href='e'>edit</a>]</span></h2><ol><li><a href='x'>Smith</a></li>"
        "</ol><ul><li><a href='#a'>Part</a></li></ul><pre><button title='Copy'>Copy</button>x</pre>"
        "<dl><dt>Rye<dd>Needs<table><tr><td>N<td>P</tr><tr><td><td>2</tr></table></dl><blockquote><table><tr><td>N<td>"
        "<tr><td>P<td>2</table></blockquote>"
        "<p>کتاب\u200cها</p><div><label>One</label><label>Two</label></div>",
    )
    whole = f"<html><body>{menus}<main>{around}{around.join(parts)}</main></body></html>"
    short = "<html><body><div>Only a <b>few</b> words</div></body></html>"
    cells = "<tr><th>Crop<th>N<th>P</tr><tr><td>Rye<td><td>2</tr>"
    small = f"<html><body><nav>Home</nav><main><p>Few words of crops</p><table>{cells}</table></main></body></html>"
    other = f"<html><head><meta charset=windows-1251></head><body>{around}<p>Азот</p></body></html>".encode("cp1251")
    return [whole.encode(), short.encode(), other, small.encode()]


def _text() -> list[bytes]:
    text = "\ufeffCafe\u0301\r\nsecond\rthird\x00 \u2028end \xad\u200b \x0cpage"
    return [text.encode(), text.lstrip("\ufeff").encode("utf-16")]


def _markdown() -> list[bytes]:
    return [
        b"---\ntitle: T\n---\n# Head\n<!-- gone -->\n**bold** `x`\n\n| a | b |\n",
        b"---\n\nFirst.\n\n---\n<!-- open",
        b"+++\ntitle = 'T'\n+++\n```\n<!-- code -->\n```\n`<!-- code -->` <!-- gone -->\n\n    <!-- code -->\n- a\n\n"
        b"    <!-- gone -->\n",
    ]


FILES: dict[str, Callable[[], list[bytes]]] = {
    ".pdf": _pdf,
    ".docx": _word,
    ".html": _page,
    ".txt": _text,
    ".md": _markdown,
}


@pytest.mark.parametrize("suffix", FILES)
def test_another_text_of_the_same_bytes_has_another_number(suffix: str) -> None:
    [reader] = [each for each in document_readers() if suffix in each.suffixes]
    texts = [reader.read(content, f"a{suffix}").text for content in FILES[suffix]()]
    found = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    own = reader.version or suffix
    pinned = set(re.findall(r"^([\w.-]+)==(\S+)", _CONSTRAINTS.read_text(), re.MULTILINE))
    others = [name for name in own.split(", ")[1:] if tuple(name.split()) not in pinned]
    if others:
        pytest.skip(f"{', '.join(others)}: constraints.txt has another version, which may read another text")
    assert own in READ, f"What {own} reads is not recorded. Look at the texts, then add {own!r}: {found!r} to READ."
    if reader.version is None:
        assert found == READ[own], "Ids of passages would stand for other texts. Give the reader a version first."
    assert found == READ[own], (
        f"The reader of {suffix} reads another text than before. Raise its number ({own.split(',')[0]}), so that "
        f"documents are read again, and add the new version with {found!r} to READ."
    )
