"""Small files that cost much to read. Each function returns the content of one."""

from __future__ import annotations

import io
import zipfile
import zlib

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

_SHARED_STRINGS = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    b'spreadsheetml.sharedStrings+xml"/>'
)


def _replaced(content: bytes, parts: dict[str, bytes]) -> bytes:
    """A copy of an archive with some parts replaced."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, parts.get(part) or old.read(part))
        for part in parts.keys() - set(old.namelist()):
            new.writestr(part, parts[part])
    return stream.getvalue()


def _workbook(sheet: str, **parts: bytes) -> bytes:
    from openpyxl import Workbook

    book, stream = Workbook(), io.BytesIO()
    book.active.append(["question"])
    book.save(stream)
    xml = f"<worksheet {_S}><sheetData>{sheet}</sheetData></worksheet>".encode()
    with zipfile.ZipFile(stream) as book_parts:
        types = book_parts.read("[Content_Types].xml").replace(
            b"</Types>", (_SHARED_STRINGS if parts else b"") + b"</Types>"
        )
    return _replaced(stream.getvalue(), {"xl/worksheets/sheet1.xml": xml, "[Content_Types].xml": types, **parts})


def _header() -> str:
    return '<row r="1"><c r="A1" t="inlineStr"><is><t>question</t></is></c></row>'


def workbook_of_a_distant_row() -> bytes:
    return _workbook(_header() + '<row r="2000000000"><c r="A2000000000"><v>1</v></c></row>')


def workbook_of_one_text_in_many_cells() -> bytes:
    strings = f"<sst {_S}><si><t>question</t></si><si><t>{'x' * 9_000_000}</t></si></sst>".encode()
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>{int(n > 1)}</v></c></row>' for n in range(1, 200_001))
    return _workbook(cells, **{"xl/sharedStrings.xml": strings})


def workbook_of_a_long_text() -> bytes:
    cell = f'<row r="2"><c r="A2" t="inlineStr"><is><t>{"x" * 240_000_000}</t></is></c></row>'
    return _workbook(_header() + cell)


def _word(body: str) -> bytes:
    import docx

    stream = io.BytesIO()
    docx.Document().save(stream)
    xml = f"<w:document {_W}><w:body>{body}</w:body></w:document>".encode()
    return _replaced(stream.getvalue(), {"word/document.xml": xml})


def word_file_of_a_wide_cell() -> bytes:
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>'
    return _word(f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr>{cell}</w:tr></w:tbl>")


def word_file_of_cells_merged_downwards() -> bytes:
    cell = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>"
    first = cell.replace("<w:vMerge/>", '<w:vMerge w:val="restart"/>')
    rows = f"<w:tr>{first}</w:tr>" + f"<w:tr>{cell}</w:tr>" * 1000
    return _word(f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid>{rows}</w:tbl>")


def word_file_of_empty_paragraphs() -> bytes:
    return _word("<w:p/>" * 85_000_000)


def _pdf(objects: list[bytes]) -> bytes:
    # In place: `bytes` would be copied for each of 50,000 objects.
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, item in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return bytes(out) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def _stream(dictionary: bytes, content: bytes) -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (dictionary, len(content), content)


def pdf_of_nested_forms() -> bytes:
    """Nine forms, each of which shows the next one ten times: 10^9 texts."""
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    forms = []
    for number in range(9):
        inner = b"/X Do " * 10 if number < 8 else b"BT /F 9 Tf (soil) Tj ET"
        resources = b"/Resources<</XObject<</X %d 0 R>>/Font<</F 5 0 R>>>>" % (7 + number)
        forms.append(_stream(b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]" + resources, inner))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</X 6 0 R>>>>>>"
    catalogue, pages = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return _pdf([catalogue, pages, page, _stream(b"", b"/X Do " * 10), font, *forms])


def pdf_of_a_large_stream() -> bytes:
    """A gigabyte of blanks through three filters."""
    content = b" " * 2**30
    for _ in range(3):
        content = zlib.compress(content, 9)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>"
    filters = b"/Filter[/FlateDecode/FlateDecode/FlateDecode]"
    catalogue, pages = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return _pdf([catalogue, pages, page, _stream(filters, content)])


def pdf_of_many_pages() -> bytes:
    count = 50_000
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    pages = b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids)
    return _pdf([b"<</Type/Catalog/Pages 2 0 R>>", pages, *[b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"] * count])


def parquet_of_one_text_many_times() -> bytes:
    import pyarrow
    from pyarrow import parquet

    text = pyarrow.array(["x" * 5_000_000])
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 1000, pyarrow.int32()), text)
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table({"question": column}), stream, compression="zstd")
    return stream.getvalue()


def csv_of_many_columns() -> bytes:
    return ",".join(f"c{number}" for number in range(400_000)).encode() + b"\nx\n"


def json_of_many_keys() -> bytes:
    keys = ", ".join(f'"k{number}": 1' for number in range(1_000_000))
    return f'[{{{keys}, "k0": 2}}]'.encode()


def markdown_of_open_comments() -> bytes:
    return b"text " + b"<!--" * 1_000_000


def markdown_of_marks() -> bytes:
    return ("a" + "\u0315\u0300" * 12_000).encode() * 20


def page_of_links() -> bytes:
    return b"<html><body>" + b'<a href="/x">link</a> ' * 400_000 + b"</body></html>"


def archive_of_many_sheets() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(60_000):
            archive.writestr(f"m/threshold_{number}.xlsx", b"")
    return stream.getvalue()


def harmless_page() -> bytes:
    """A page as people write it: what an attack is compared with."""
    return b"<html><body>" + b"<p>Clover fixes nitrogen from the air, and bees visit it.</p>" * 1000 + b"</body></html>"
