"""Readers of plain text and Markdown, and the last step of every reader: normalise the text and build the Document."""

from __future__ import annotations

import hashlib
import re
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version

from passer.adapters.encodings import encoding_of, format_of, misread_at
from passer.domain.retrieval.passages import Document
from passer.domain.texts.damage import read_twice
from passer.domain.texts.words import composed
from passer.domain.wording.sentence import sentence
from passer.errors import DocumentError

_NEW_LINES = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, lone surrogates, byte-order marks and non-characters are not text, and some stores
# refuse them.
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
PAGE_BREAK = "\n\n"
_CHECKED, _FEWEST, _SHOWN = 100_000, 12, 40
SUPERSCRIPTS = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
"""Without them 10 to the power of 5 would be 105, and a note 1 behind 500 would make 5001."""


_RAISED = re.compile(r"[+\-\u2212\u2013]?\d{1,3}(?:[,;\u2013-]\s?\d{1,3})*")
_RAISED_TERM = re.compile(r"(?=.*[\d+])\w{1,3}(?:[+\-\u2212\u2013/*·]\w{1,3})+|[+\-\u2212\u2013][A-Za-z]")


def raised(text: str) -> str | None:
    """Return a superscript as plain text: numbers and notes as ¹², terms as ^(n+1); None for words."""
    if _RAISED.fullmatch(text):
        sign = "\u2212" if text.startswith("\u2013") else text[0]
        return (sign + text[1:]).translate(SUPERSCRIPTS)
    return f"^({text})" if _RAISED_TERM.fullmatch(text) else None


def normalised(text: str) -> str:
    """Return Unicode NFC with line feeds as the only line ends, without control characters and lone surrogates."""
    return composed(_NOT_TEXT.sub("", _NEW_LINES.sub("\n", text)))


@cache
def reader_version(number: str, *packages: str) -> str:
    """Return a reader's version: its number, then the packages that find the text; PackageNotFoundError without one.

    The number is raised whenever the same bytes may be read as another text. A document that is added again is read
    again only if the version differs from that which read it before.
    """
    return ", ".join((number, *(f"{package} {version(package)}" for package in packages)))


def document_of(
    text: str, *, content: bytes, name: str, reader: str | None = None, warnings: Sequence[str] = ()
) -> Document:
    """Build a document without pages; DocumentError if no text is left."""
    plain = normalised(text)
    if not plain.strip():
        raise DocumentError(sentence("document.no-text", name=name))
    digest = hashlib.sha256(content).hexdigest()
    return Document(name=name, digest=digest, text=plain, reader=reader, warnings=tuple(warnings))


def document_of_pages(
    pages: Sequence[str], *, content: bytes, name: str, reader: str, warnings: Sequence[str] = ()
) -> Document:
    """Build a document whose `page_starts` hold each page's first character; DocumentError if no page has text."""
    plain = [normalised(page) for page in pages]
    if not any(page.strip() for page in plain):
        raise DocumentError(sentence("document.images", name=name))
    starts, position = [], 0
    for page in plain:
        starts.append(position)
        position += len(page) + len(PAGE_BREAK)
    digest = hashlib.sha256(content).hexdigest()
    whole = PAGE_BREAK.join(plain)
    return Document(
        name=name, digest=digest, text=whole, page_starts=tuple(starts), reader=reader, warnings=tuple(warnings)
    )


def decoded(content: bytes, *, name: str) -> str:
    """Decode UTF-8, or UTF-16 and UTF-32 with a byte-order mark. Other encodings are refused, not guessed."""
    if not content:
        raise DocumentError(sentence("document.empty", name=name))
    if (ends := format_of(content)) is not None:
        raise DocumentError(sentence("document.other-kind", name=name, suffixes=ends))
    try:
        text = content.decode(encoding_of(content))
    except UnicodeDecodeError as exc:
        raise DocumentError(sentence("document.not-utf8", name=name, byte=exc.start)) from exc
    if (place := misread_at(text)) is not None:
        raise DocumentError(sentence("document.not-utf8", name=name, byte=len(text[:place].encode())))
    check_read_once(text, name=name)
    return text


def check_read_once(text: str, *, name: str) -> None:
    """Raise DocumentError for a text that was UTF-8 and that another program read in an encoding of Windows."""
    letters = [place for place, char in enumerate(text[:_CHECKED]) if not char.isascii()]
    # An article about such texts has a few of them, and other letters beyond ASCII.
    if len(letters) >= _FEWEST and (meant := read_twice(text)) is not None:
        words = text[letters[0] :].split(maxsplit=3)[:3]
        seen = " ".join(words)[:40]
        raise DocumentError(
            sentence("document.read-twice", name=name, seen=seen, meant=(read_twice(seen) or meant)[:40])
        )


class TextReader:
    """Reads text files unchanged."""

    suffixes: tuple[str, ...] = (".txt", ".text")
    version: str | None = None

    def read(self, content: bytes, name: str) -> Document:
        return document_of(decoded(content, name=name), content=content, name=name)


_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\r?\n(?:#[^\n]*\n)*[\w\"'][^\n:]*:(?:[ \t\r]|\n).*?\n---[ \t]*(\r?\n|\Z)", re.DOTALL
)
"""Begins with a name and a colon: a text between two rules is no front matter."""


_TOML = re.compile(r"\A\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_MARK = re.compile(
    r"(?P<comment><!--)"
    r"|(?P<fence>^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3,}(?=[^`\n]*$)|~{3,}))|(?P<code>`+)"
    r"|(?P<point>^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t])|(?P<text>^ {0,3}[^\s<`]|^ {1,3}(?=[<`]))"
    r"|(?P<indented>^(?: {4}| {0,3}\t)[ \t]*(?=\S))",
    re.MULTILINE,
)
"""Signs that begin a comment, code, a point of a list, or another line."""
_RUN, _BLANK = re.compile("`+"), re.compile(r"\n[ \t\r]*\n")


class MarkdownReader:
    """Reads Markdown as written, without YAML and TOML front matter, and without comments that are no code."""

    suffixes: tuple[str, ...] = (".md", ".markdown")
    version: str | None = "md-2"

    def read(self, content: bytes, name: str) -> Document:
        text = _FRONT_MATTER.sub("", decoded(content, name=name))
        without = _without(text, _comments(text))
        matter = _TOML.match(text)
        if matter is not None and _is_toml(matter[1]):
            without = _without(text[matter.end() :], _comments(text[matter.end() :]))
        # The first version had no name; texts that both read alike have the passages of then.
        is_as_first = without == _without(text, _all_comments(text))
        return document_of(without, content=content, name=name, reader=None if is_as_first else self.version)


def _is_toml(text: str) -> bool:
    try:
        return bool(tomllib.loads(text.replace("\r\n", "\n")))
    except (ValueError, RecursionError):
        # Besides its own error: integers of thousands of digits, and deeply nested lists.
        return False


def _without(text: str, parts: Iterable[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in parts:
        kept.append(text[position:start])
        position = end
    return "".join((*kept, text[position:]))


def _all_comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield the comments. A pattern would search to the end again for each comment that is never closed."""
    end = 0
    while (start := text.find("<!--", end)) >= 0 and (close := text.find("-->", start)) >= 0:
        end = close + len("-->")
        yield start, end


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield the comments outside code: blocks with a fence, indented blocks, and parts of lines."""
    position, within_list, code_end = 0, False, 0
    last = text.rfind("-->") if "<!--" in text else -1
    runs = defaultdict[int, list[int]](list)
    for run in _RUN.finditer(text) if last >= 0 else ():
        runs[run.end() - run.start()].append(run.start())
    while position < last and (found := _MARK.search(text, position)) is not None:
        start, position = found.span()
        if found.lastgroup == "comment":
            position = max(position, text.find("-->", start) + len("-->"))
            if position <= last + len("-->"):
                yield start, position
        elif found.lastgroup == "fence":
            position = _end_of_fence(text, found)
        elif found.lastgroup == "code":
            position = _end_of_code(text, found, runs)
        elif found.lastgroup == "indented":
            if not within_list and (start == code_end or _follows_blank_line(text, start)):
                position = code_end = (text.find("\n", start) + 1) or len(text)
        else:
            within_list = found.lastgroup == "point"


def _follows_blank_line(text: str, start: int) -> bool:
    return start == 0 or not text[text.rfind("\n", 0, start - 1) + 1 : start].strip()


def _end_of_fence(text: str, fence: re.Match[str]) -> int:
    sign = fence[0].strip(" \t>-*+0123456789.)")
    close = re.compile(rf"^[ \t>]*{sign}{sign[0]}*[ \t\r]*$", re.MULTILINE).search(text, fence.end())
    return len(text) if close is None else close.end()


def _end_of_code(text: str, begun: re.Match[str], runs: Mapping[int, Sequence[int]]) -> int:
    """Return where code within a paragraph ends; signs without an end are text."""
    length = begun.end() - begun.start()
    later = bisect_right(runs[length], begun.start())
    close = runs[length][later] if later < len(runs[length]) else len(text)
    is_text = close == len(text) or _BLANK.search(text, begun.end(), close)
    return begun.end() if is_text else close + length
