"""Prepares the elements of a web page, so that trafilatura reads its main part completely and in the order shown."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Any

from passer.adapters.documents.docx_numbers import written
from passer.adapters.documents.html_tables import arrange_tables
from passer.adapters.documents.plain import SUPERSCRIPTS, raised

_PLAIN = {
    **dict.fromkeys(("time", "label", "output", "button"), "span"),
    **dict.fromkeys(("figure", "fieldset", "address", "center"), "div"),
    **dict.fromkeys(("figcaption", "legend"), "p"),
}
"""Elements that trafilatura drops with their content, and the elements that replace them."""
_MENUS = frozenset(
    (
        *("nav", "navbar", "navbox", "navigation", "menu", "submenu", "breadcrumb", "breadcrumbs", "sidebar"),
        *("share", "sharing", "comments", "hidden", "hide", "noprint"),
    )
)
"""Words in classes and ids of elements without text of the page, also in its main part."""
_AROUND = frozenset(
    (
        *("footer", "header", "banner", "social", "cookie", "cookies", "consent", "newsletter", "ad", "ads", "advert"),
        *("related", "widget", "popup", "modal", "byline", "author", "tags", "teaser", "comment", "promo", "login"),
    )
)
"""Such words outside the main part."""
_CONTENT = frozenset(
    (
        *(
            "content",
            "main",
            "main-content",
            "maincontent",
            "main_content",
            "page-content",
            "article-content",
            "article",
        ),
        *(
            "article-body",
            "articlebody",
            "entry-content",
            "post-content",
            "post-body",
            "bodycontent",
            "mw-content-text",
        ),
    )
)
"""Classes and ids of the main part, for pages without an element `main`."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_WORDS = re.compile("[a-z]+")
_LISTS = {
    **dict.fromkeys(("a", "lower-alpha", "lower-latin"), "lowerLetter"),
    **dict.fromkeys(("A", "upper-alpha", "upper-latin"), "upperLetter"),
    **{"i": "lowerRoman", "lower-roman": "lowerRoman", "I": "upperRoman", "upper-roman": "upperRoman"},
}
_LIST_STYLE = re.compile(
    r"\blist-style(?:-type)?\s*:[^;]{0,100}?\b(none|decimal|(?:lower|upper)-(?:alpha|latin|roman))\b", re.IGNORECASE
)
_NO_TEXT = ("del", "s", "strike", "template", "rp", "rt")
"""Elements with deleted text, text that browsers do not show, and reading aids."""
_WITHIN_LINES = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "big", "br", "cite", "code", "dfn", "em", "font", "i", "img", "ins", "kbd"),
        *("mark", "math", "ruby", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var", "wbr"),
    )
)
"""Elements within a line of text."""
_ANCHORS = frozenset("¶#§🔗^↑↩")
_TOOLS = frozenset(("mw-editsection", "mw-jump-link", "editsection"))
"""Classes of links by which wikis change a page."""
_COPIES = re.compile(r"copy(?!right)|clipboard|\bclip\b", re.IGNORECASE)
"""What names the buttons that copy a block of code."""
_OF_LISTS = ("li", "dd", "dt", "td", "th")


def prepare(tree: Any) -> Any:
    """Remove hidden text, protect the main part and fill cells that span rows; return the main part, None without."""
    for gone in [*tree.iter(*_NO_TEXT), *filter(_is_tool, tree.iter())]:
        gone.clear(keep_tail=True)
    _write_signs(tree)
    for element in tree.iter(*_PLAIN):
        if element.tag in ("label", "button"):
            element.tail = element.tail or " "
        element.tag = _PLAIN[element.tag]
    for formula in tree.iter("math"):
        # trafilatura reads a formula in LaTeX where it has one, and drops others.
        if not formula.get("alttext") and formula.find(".//annotation") is None:
            formula.tag = "span"
            for power in formula.iterfind(".//msup/mn[last()]"):
                power.text = (power.text or "").translate(SUPERSCRIPTS)
    for quotation in tree.iter("blockquote"):
        if quotation.find(".//table") is not None:
            # trafilatura would read the cells as one text.
            quotation.tag = "div"
    main = _main(tree)
    within = set() if main is None else set(main.iter())
    for element in tree.iter():
        if isinstance(element.tag, str):
            _keep(element, within)
    for numbered in tree.iter("ol"):
        _number_points(numbered)
    _mark_texts(tree, main)
    title = None if main is None or main.find(".//h1") is not None else tree.find(".//h1")
    # Many pages have their title in a header outside the main part; the heading of a menu is the name of the site.
    if title is not None and main not in title.iter() and not any(map(_is_named, (title, *title.iterancestors()))):
        main.insert(0, title)
    arrange_tables(tree)
    return main


def _mark_texts(tree: Any, main: Any) -> None:
    """Give the texts of a page the elements that trafilatura reads."""
    if main is None:
        # Where trafilatura finds no main part, it reads paragraphs and no headings.
        for heading in tree.iter(*_HEADINGS):
            heading.tag = "p"
    else:
        _keep_links(main)
        for article in main.iterdescendants("article", "main"):
            # trafilatura would read these alone.
            article.tag = "div"
        for container in list(main.iter("div", "section", "article", "main")):
            _mark_paragraphs(container)


def _is_tool(element: Any) -> bool:
    """Return whether an element changes or copies what the page shows."""
    names = f"{element.get('class', '')} {element.get('title', '')} {element.get('aria-label', '')}"
    return bool(_TOOLS & set(names.split())) or (element.tag == "button" and _COPIES.search(names) is not None)


def _keep_links(main: Any) -> None:
    """Keep the lists and tables of links: trafilatura takes them for menus. A list of the page's own parts is one."""
    for link in list(main.iter("a")):
        is_listed = next(link.iterancestors(*_OF_LISTS), None) is not None
        if is_listed and not link.get("href", "#").startswith("#"):
            link.tag = "span"


def _write_signs(tree: Any) -> None:
    """Write powers and quotation marks as characters; empty the links of headings to themselves (¶)."""
    for power in tree.iter("sup"):
        text = "".join(power.itertext()).strip()
        if (shown := raised(text)) is not None:
            tail = power.tail
            power.clear()
            power.tag, power.text, power.tail = "span", shown, tail
    for quote in tree.iter("q"):
        quote.tag, quote.text = "span", f"\u201c{quote.text or ''}"
        last = quote[-1] if len(quote) else None
        if last is None:
            quote.text += "\u201d"
        else:
            last.tail = f"{last.tail or ''}\u201d"
    for link in tree.iter("a"):
        if link.get("href", "").startswith("#") and "".join(link.itertext()).strip("\ufe0e\ufe0f \n") in _ANCHORS:
            link.clear(keep_tail=True)
            link.tag = "span"


def _mark_paragraphs(container: Any) -> None:
    """Put text directly in a container into paragraphs: trafilatura drops most of it otherwise."""
    if (container.text or "").strip():
        first = container.makeelement("p")
        first.text, container.text = container.text, None
        container.insert(0, first)
    paragraph = container[0] if len(container) and container[0].tag == "p" else None
    for child in list(container):
        if child is paragraph:
            pass
        elif child.tag in _WITHIN_LINES:
            if paragraph is None:
                paragraph = container.makeelement("p")
                child.addprevious(paragraph)
            paragraph.append(child)
            continue
        else:
            paragraph = None
        if (child.tail or "").strip():
            paragraph = container.makeelement("p")
            paragraph.text, child.tail = child.tail, None
            child.addnext(paragraph)


def _is_named(element: Any) -> bool:
    return bool(element.get("class") or element.get("id"))


def _number_points(numbered: Any) -> None:
    """Write the numbers of a list into its points, as trafilatura writes a dash for each."""
    style = _LIST_STYLE.search(numbered.get("style", ""))
    kind = style[1].lower() if style else numbered.get("type", "")
    if kind == "none":
        # The page shows no numbers, often because its texts have their own.
        return
    points = list(numbered.iterchildren("li"))
    step = 1 if numbered.get("reversed") is None else -1
    count = _written_number(numbered, "start", 1 if step > 0 else len(points))
    for point in points:
        count = _written_number(point, "value", count)
        holder = point if (point.text or "").strip() or not len(point) or point[0].tag != "p" else point[0]
        holder.text = f"{written(count, _LISTS.get(kind, 'decimal'))}. {(holder.text or '').lstrip()}"
        count += step


def _written_number(element: Any, name: str, default: int) -> int:
    found = re.fullmatch(r"\s*(-?[0-9]{1,5})\s*", element.get(name, ""))
    return int(found[1]) if found else default


def _main(tree: Any) -> Any:
    """Return the main part of a page; None where the page names none."""
    named = [*tree.iter("main"), *(each for each in tree.iter() if each.get("role") == "main")]
    articles = list(tree.iter("article"))
    return next(iter(named), articles[0] if len(articles) == 1 else _content(tree))


def _content(tree: Any) -> Any:
    """Return the innermost part that is named as content and has more than half of the text; None without one."""
    length = len(" ".join(tree.itertext()))
    found = None
    for element in tree.iter("div", "section"):
        names = {*element.get("class", "").lower().split(), element.get("id", "").lower()}
        if names & _CONTENT and 2 * len(" ".join(element.itertext())) > length:
            is_around = next(element.iter("nav", "header", "footer"), None) is not None
            found = found if is_around or any(_names(each) & _AROUND for each in element.iter()) else element
    if found is not None:
        found.tag = "main"
    return found


def _names(element: Any) -> set[str]:
    return set(_WORDS.findall(f"{element.get('class', '')} {element.get('id', '')}".lower()))


def _keep(element: Any, main: Set[Any]) -> None:
    """Remove class and id of an element, unless a word of them shows that it is no text of the page.

    trafilatura drops elements by parts of names: `barley` contains bar, and `authority` contains author.
    """
    no_text = _MENUS if element in main else _MENUS | _AROUND
    for name in ("class", "id"):
        if not set(_WORDS.findall(element.get(name, "").lower())) & no_text:
            element.attrib.pop(name, None)
    if element in main and element.tag in ("aside", "footer"):
        element.tag = "div"
