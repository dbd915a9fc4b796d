"""Marks for what trafilatura drops: the second of two equal paragraphs of a page, and the joiners within words."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

_DIGITS = [chr(0x1D800 + value) for value in range(16)]
_JOINERS = {"\u200c": chr(0x1D810), "\u200d": chr(0x1D811)}
"""Signs for the joiners of Persian and Hindi words, as trafilatura keeps only signs that are printed."""
_MARK, _MARKS = re.compile(f"[{_DIGITS[0]}-{_DIGITS[-1]}]+"), re.compile("[\U0001d800-\U0001d811]")
_BLOCKS = ("p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "div", "caption")
_AROUND = frozenset((*_BLOCKS, "table", "ul", "ol", "dl", "section"))


def marked(tree: Any) -> bool:
    """Mark equal texts of a page by their number, and its joiners; return False if the page has the marks' signs."""
    if any(map(_MARKS.search, tree.itertext())):
        return False
    for element in tree.iter():
        for name in ("text", "tail"):
            if (text := getattr(element, name)) and any(joiner in text for joiner in _JOINERS):
                setattr(element, name, text.translate(str.maketrans(_JOINERS)))
    counts: Counter[str] = Counter()
    for block in tree.iter(*_BLOCKS):
        text = "" if any(child.tag in _AROUND for child in block) else " ".join("".join(block.itertext()).split())
        if text and (count := counts[text]):
            sign = "".join(_DIGITS[int(digit, 16)] for digit in f"{count:x}")
            if len(block):
                block[-1].tail = f"{(block[-1].tail or '').rstrip()}{sign}"
            else:
                block.text = f"{block.text.rstrip()}{sign}"
        counts[text] += 1
    return True


def without_marks(text: str) -> str:
    """Return the text as the page has it."""
    return _MARK.sub("", text).translate({ord(mark): joiner for joiner, mark in _JOINERS.items()})
