"""Web pages: what a browser shows of them, in the order in which it is shown."""

from __future__ import annotations

import pytest

from passer.adapters.documents.html import HtmlReader

AROUND = "<p>The farm grows wheat and clover in turn on all of its fields, as the rules of the region ask.</p>" * 4


def text_of(part: str) -> str:
    page = f"<html><body><main><h1>Rules</h1>{AROUND}{part}{AROUND}</main></body></html>"
    return HtmlReader().read(page.encode(), "a.html").text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("10<sup>&minus;3</sup> g", "10⁻³ g"),
        ("10<sup>&#8722;3</sup> g", "10⁻³ g"),
        ("500<sup>1,2</sup> kg", "500¹,² kg"),
        ("500<sup><a href='#n1'>1</a>, <a href='#n2'>2</a></sup> kg", "500¹, ² kg"),
        ("500<sup>1–3</sup> kg", "500¹–³ kg"),
        ("x<sup>n+1</sup> is", "x^(n+1) is"),
        ("2<sup>n−1</sup> is", "2^(n−1) is"),
        ("e<sup>−x</sup> is", "e^(−x) is"),
        ("on the 4<sup>th</sup> of", "on the 4th of"),
        ("на 5<sup>-ти</sup> май", "на 5-ти май"),
        ("3.4<sup>a</sup> kg", "3.4a kg"),
    ],
)
def test_raised_signs_of_a_page(written: str, read: str) -> None:
    assert read in text_of(f"<p>It is {written} in all years.</p>")


def test_a_table_within_a_cell_is_read_where_it_stands() -> None:
    """The pages of EU law have the points of an article in tables, and theirs in tables within them."""

    def point(sign: str, text: str, within: str = "") -> str:
        return f"<tr><td><p>{sign}</p></td><td><p>{text}</p>{within}</td></tr>"

    inner = f"<table><tbody>{point('(i)', 'plants;')}{point('(ii)', 'animals.')}</tbody></table>"
    points = point("(a)", "the object;") + point("(b)", "the scope:", inner) + point("(c)", "the date.")
    found = [line for line in text_of(f"<table>{points}</table>").split("\n") if "(" in line]
    assert [line.strip("| ").split()[0] for line in found] == ["(a)", "(b)", "(i)", "(ii)", "(c)"]


@pytest.mark.parametrize(
    ("around", "read"),
    [
        ("<ul><li>The needs:{}by crop</li></ul>", "- The needs: Crop, N, P; Rye, , 2 by crop"),
        ("<dl><dt>Needs</dt><dd><p>By crop.</p>{}</dd></dl>", "- By crop. Crop, N, P; Rye, , 2"),
        ("<blockquote>{}</blockquote>", "| Rye |  | 2 |"),
    ],
)
def test_a_table_within_a_list_or_quotation_keeps_its_cells(around: str, read: str) -> None:
    """Without signs between them, the 2 of P would read as that of N."""
    rows = "<tr><th>Crop</th><th>N</th><th>P</th></tr><tr><td>Rye</td><td></td><td>2</td></tr>"
    assert read in text_of(around.format(f"<table>{rows}</table>"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The limit is <s>170</s> <b>120</b> kg.", "The limit is 120 kg."),
        ("The limit is <strike>170</strike> <b>120</b> kg.", "The limit is 120 kg."),
        ("It is called <q>green <b>manure</b></q> by farmers.", "It is called “green manure” by farmers."),
        ("It is called <q>mulch</q> by farmers.", "It is called “mulch” by farmers."),
        (
            "これは<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>です。",
            "これは漢字です。",
        ),
        ("Shown.<template>Not shown.</template>", "Shown."),
    ],
)
def test_a_sentence_is_read_as_it_is_shown(written: str, read: str) -> None:
    found = [line for line in text_of(f"<p>{written}</p>").split("\n") if not line.startswith(("Rules", "The farm"))]
    assert " ".join(" ".join(found).split()) == read


def test_links_to_a_heading_beside_it_are_left_out_and_addresses_are_kept() -> None:
    text = text_of("<h2>Seeds<a class='headerlink' href='#seeds'>¶</a></h2><address>Sofia, 1 Main Street</address>")
    assert "\nSeeds\nSofia, 1 Main Street\n" in text


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        ("<div>Take care of bees.</div>", ["Take care of bees."]),
        ("<div>Dose: <b>120 kg</b></div><div><span>Label</span></div>", ["Dose: 120 kg", "Label"]),
        (
            "<div>These are allowed:<ul><li>compost</li></ul>and no other.</div>",
            ["These are allowed:", "- compost", "and no other."],
        ),
        (
            "<div class='card'><h3>Card</h3><div>Its text</div><span>Its end</span></div>",
            ["Card", "Its text", "Its end"],
        ),
        ("<aside class='warning'>Take care.</aside>", ["Take care."]),
        ("<center>In the middle</center>", ["In the middle"]),
        ("<div><label>Linux</label><label>Windows</label></div>", ["Linux Windows"]),
    ],
)
def test_words_that_stand_in_no_paragraph_are_read(part: str, lines: list[str]) -> None:
    found = [line for line in text_of(part).split("\n") if not line.startswith(("Rules", "The farm"))]
    assert found == lines


def various(count: int) -> str:
    return "".join(
        f"<p>On field {n} the farm grows wheat and clover in turn, as the rules ask.</p>" for n in range(count)
    )


@pytest.mark.parametrize("name", ["class='content'", "id='main-content'", "class='row'"])
def test_headings_of_a_page_without_a_main_part_are_read(name: str) -> None:
    parts = f"<h1>Guide</h1>{various(9)}<h2>Bees <a href='#b'>#</a></h2>{various(9)}"
    page = f"<div class='top'><div>Login</div></div><div {name}>{parts}</div>"
    text = HtmlReader().read(f"<html><body>{page}</body></html>".encode(), "a.html").text
    assert [line.strip() for line in text.split("\n") if "field" not in line][-2:] == ["Guide", "Bees"]


def test_a_part_that_is_named_as_the_content_is_the_main_part() -> None:
    content = f"<div class='content'><h1>Guide</h1>{various(9)}<div>Short</div><aside>Beside</aside></div>"
    page = f"<div class='top'><div>Login</div></div>{content}<div class='sidebar'><p>Other pages</p></div>"
    text = HtmlReader().read(f"<html><body>{page}</body></html>".encode(), "a.html").text
    assert text.startswith("Guide\n")
    assert text.endswith("\nShort\nBeside")


def test_what_stands_beside_the_articles_of_a_main_part_is_read() -> None:
    part = f"<article><h2>First</h2>{various(5)}</article><article><h2>Second</h2>{various(3)}</article>"
    beside = "<section><h2>Questions</h2><div><h3><button>May I?</button></h3><div>Yes, you may.</div></div></section>"
    lines = text_of(part + beside).split("\n")
    assert [line for line in lines if not line.startswith(("On field", "The farm"))] == [
        *("Rules", "First", "Second", "Questions", "May I?", "Yes, you may.")
    ]


def test_lists_of_links_in_the_main_part_are_read_and_those_to_its_own_parts_are_not() -> None:
    points = "<li><a href='https://a.example/1'>Smith (2001): Soils</a></li><li><a href='b'>Miller (2010)</a></li>"
    contents = "<ul><li><a href='#one'>One</a></li><li><a href='#two'>Two</a></li></ul>"
    rows = "<table><tr><td><a href='c'>Rule 848</a></td></tr><tr><td><a href='d'>Rule 834</a></td></tr></table>"
    text = text_of(f"{contents}<h2>References</h2><ol>{points}</ol>{rows}")
    found = [line for line in text.split("\n") if not line.startswith(("Rules", "The farm"))]
    assert [line.strip("| ") for line in found] == [
        *("References", "- 1. Smith (2001): Soils", "- 2. Miller (2010)", "Rule 848", "Rule 834")
    ]


def test_menus_of_links_in_the_main_part_are_left_out() -> None:
    links = "<ul><li><a href='a'>Home</a></li><li><a href='b'>Shop</a></li></ul>"
    menus = f"<nav>{links}</nav><div class='sidebar'>{links}</div><div role='navigation'>{links}</div>"
    assert "Shop" not in text_of(menus)


@pytest.mark.parametrize(
    "part",
    [
        # MediaWiki until 1.42 has the link within the heading, and after it since then.
        "<h2>Use<span class='mw-editsection'>[<a href='e'>edit</a> | <a href='s'>edit source</a>]</span></h2>",
        "<div class='mw-heading'><h2>Use</h2><span class='mw-editsection'>[<a href='e'>edit</a>]</span></div>",
        "<h2>Use</h2><button class='copybtn' title='Copy'>Copy</button>",
    ],
)
def test_tools_of_a_page_are_left_out(part: str) -> None:
    found = [line for line in text_of(part).split("\n") if not line.startswith(("Rules", "The farm"))]
    assert found == ["Use"]


@pytest.mark.parametrize("name", ["eclipse", "copyright-toggle", "paperclip-icon"])
def test_buttons_with_words_that_contain_copy_or_clip_stay(name: str) -> None:
    text = text_of(f"<h2>Use</h2><p>Before</p><button class='{name}'>Sow in rows</button>")
    assert "Sow in rows" in text


LAW = "".join(
    f"<p>Article {n}</p><p>Scope</p><p>The rules of article {n} apply to all farms that grow wheat and clover.</p>"
    "<p>This applies to operators and to groups of operators that are listed in the annex.</p>"
    "<table><tr><td>(a)</td><td>live products;</td></tr></table>"
    for n in range(1, 9)
)


@pytest.mark.parametrize("page", [LAW, f"<div id='text'>{LAW}</div>", f"<main>{LAW}</main>"])
@pytest.mark.parametrize("part", ["Scope", "This applies to operators", "live products;"])
def test_texts_that_a_page_repeats_are_read_each_time(page: str, part: str) -> None:
    text = HtmlReader().read(f"<html><body>{page}</body></html>".encode(), "a.html").text
    assert text.count(part) == 8
    assert max(text) < "\U00010000", "no mark is left"


@pytest.mark.parametrize("words", ["می\u200cخواهد کتاب\u200cها", "क्\u200dष", "👩\u200d🌾"])
@pytest.mark.parametrize("around", ["", AROUND])
def test_joiners_within_words_are_kept(words: str, around: str) -> None:
    page = f"<html><body><main>{around}<p>A {words} b.</p>{around}</main></body></html>"
    assert f"A {words} b." in HtmlReader().read(page.encode(), "a.html").text


def test_a_page_in_the_signs_of_the_marks_is_read_as_it_is() -> None:
    page = f"<html><body><main>{AROUND}<p>The sign \U0001d801 and \U0001d810.</p></main></body></html>"
    assert "The sign \U0001d801 and \U0001d810." in HtmlReader().read(page.encode(), "a.html").text


def test_a_page_of_few_words_is_read_as_a_long_one() -> None:
    """Menus are left out, raised figures stay in their line, and a value stays behind an empty cell."""
    rows = "<tr><th>Crop<th>N<th>Yield</tr><tr><td>Wheat<td>120<td>7.4</tr><tr><td>Barley<td><td>5.1</tr>"
    page = (
        "<html><body><nav><a href='/'>Home</a> <a href='/x'>About us</a></nav>"
        f"<main><h1>Rye</h1><p>Its yield is 10<sup>3</sup> kg.</p><table>{rows}</table></main>"
        "<footer>Copyright 2024</footer></body></html>"
    )
    read = HtmlReader().read(page.encode(), "a.html").text
    lines = [line.strip(" |") for line in read.split("\n") if "---" not in line]
    assert lines == ["Rye", "Its yield is 10³ kg.", "Crop | N | Yield", "Wheat | 120 | 7.4", "Barley |  | 5.1"]


def test_a_main_part_that_a_program_fills_later_is_not_the_page() -> None:
    page = f"<html><body><main>Loading...</main><div>{AROUND}</div></body></html>"
    assert "wheat and clover" in HtmlReader().read(page.encode(), "a.html").text


def test_a_main_part_with_less_than_half_of_the_text_is_not_the_page() -> None:
    """A card beside the text, in a page that is short."""
    text = "The farm grows wheat and clover in turn on all of its fields, as the rules ask."
    page = f"<html><body><article>Featured: rye in the valleys.</article><div>{text}</div></body></html>"
    assert text in HtmlReader().read(page.encode(), "a.html").text
