"""Sentences of an answer as a model writes it: Markdown, lists, abbreviations and the full stops of all scripts.

Untrained Punkt finds too many ends rather than too few, so its pieces are joined where the sentence continues. A part
of a sentence has keywords that say nothing by themselves (`2.` of `Fig. 2.`), and would count as a statement without
support. Why no library does this: docs/decisions/022-sentences-of-an-answer.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import regex

from passer.domain.texts.abbreviations import LAST_UNLESS_NUMBERED, NEVER_LAST, WITH_ORDINAL_STOPS
from passer.domain.texts.sentence_ends import CLOSING, split_at_other_stops
from passer.domain.texts.words import UNSPACED, composed
from passer.metrics.sentences import split_sentences

_FENCED = re.compile(
    r"^[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n(.*?)(?:^[ \t]*\1[`~]*[ \t\r]*$|\Z)", re.DOTALL | re.MULTILINE
)
"""A block of code, from its mark to one that is as long or longer (CommonMark 0.31, 4.5).

Backticks behind the first ones of a line make it a line of text, whose end is not that of code.
"""
_NUMBER = r"[(\uff08]?(?:\p{Nd}{1,3}|\p{L})(?:[.)\uff0e\uff09](?=\s)|[)\uff0e\uff09\u3001])\s*"
_NUMBERED = regex.compile(rf"\s*{_NUMBER}(?=\S)")
_LEADING = regex.compile(r"\s*(?:>\s?|[-*+\u2013\u2022\u2023\u25e6\u30fb\u00b7]\s+|\u30fb|\[[ xX]\]\s+)*")
_HEADING = re.compile(r"\s*#{1,6}\s")
_EMPHASIS = regex.compile(r"(?<![\p{L}\p{N}*_])(\*{1,3}|_{1,3})(?=[^\s*_])(.{1,300}?)(?<=[^\s*_])\1(?![\p{L}\p{N}*_])")
_HAS_WORD = regex.compile(r"[\p{L}\p{N}]")
# Greek asks with a semicolon. Marks of ASCII behind letters of scripts without spaces end a sentence without one.
_FURTHER_ENDS = regex.compile(
    rf"(?<=\p{{Greek}};)\s+|(?<=[!?])(?={UNSPACED})|(?<=\p{{Nd}}\s?\p{{Ll}}\.)\s+(?=\p{{Lu}})"
)

# UAX 29, SB8: no sentence ends before a small letter. Georgian has no other ones in running text.
_GOES_ON = regex.compile(rf"(?V1)[^\p{{L}}\p{{N}}]*[\p{{Ll}}--\p{{Georgian}}]|{CLOSING}+\p{{L}}|[,;:]")
_STOPPED = regex.compile(rf"[.\u2026]{CLOSING}*\Z")
_LETTER = r"[[\p{L}\p{M}]--[\p{Han}\p{Hiragana}\p{Katakana}]]"
_LAST_WORD = regex.compile(rf"(?V1)(?<!{_LETTER}|[.-])({_LETTER}[{_LETTER}.-]*)\.\Z")
_INITIAL = regex.compile(rf"(?V1)[\p{{Lo}}--{UNSPACED}--\p{{Hangul}}]\p{{M}}*|\p{{Lu}}\.-\p{{Lu}}")
_OPENS_NUMBER = regex.compile(r"[(\u00a7\u2116]?\s?(?:\p{Nd}|(?!I[ '\u2019])[IVXLC]+\b)")
_COUNTED = regex.compile(r"\p{Nd}\s?\Z")
_OPEN_NUMBER = regex.compile(r"(?:\A|[:;,]\s*)[(]?\p{Nd}{1,3}[.)]\Z")
_ORDINAL = regex.compile(r"(?<![\p{Nd}.,]|\p{L}\.\s)\p{Nd}{1,2}\.\Z")
_LOOKED_AT = 40
"""Characters before an end that decide about it."""
_WRAPPED_AT = 40
"""Characters of a line from which the next one, if it begins with a small letter, continues it."""


def answer_sentences(text: str, language: str) -> list[str]:
    """Return the sentences of an answer in order.

    Items of lists, rows of tables and blocks of code are units of their own. Their marks, headings, which state
    nothing, and lines without a letter or digit are left out. `language` is a BCP 47 tag, and decides about ordinal
    numbers only.
    """
    has_ordinals = language.lower().replace("_", "-").partition("-")[0] in WITH_ORDINAL_STOPS
    found: list[str] = []
    for place, part in enumerate(_FENCED.split(composed(text))):
        # Behind each part is the mark of a block of code, and the code.
        if place % 3 != 1:
            found += [part] if place % 3 else _sentences_of_lines(part, has_ordinals)
    return [each for each in found if _HAS_WORD.search(each)]


def _sentences_of_lines(text: str, has_ordinals: bool) -> list[str]:
    return [each for line in _lines(text, has_ordinals) for each in _sentences(line, has_ordinals)]


def _lines(text: str, has_ordinals: bool) -> Iterator[str]:
    lines = filter(None, _unwrapped(line for line in text.splitlines() if not _HEADING.match(line)))
    bare = [line[_LEADING.match(line).end() :] for line in lines]
    # A single line may begin with an ordinal number: *3. Mai 2021*.
    numbered = sum(_NUMBERED.match(line) is not None for line in bare)
    is_list = len(bare) > 1 and numbered > (1 if has_ordinals else 0)
    for rest in bare:
        number = _NUMBERED.match(rest) if is_list else None
        yield _EMPHASIS.sub(r"\2", rest[number.end() :] if number else rest)


def _unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, those that continue a long one joined with it; an empty one is possible."""
    joined: list[str] = []
    length = 0
    for line in map(str.rstrip, lines):
        if length < _WRAPPED_AT or not line[:1].islower() or joined[-1][-1:] in ".:;!?|":
            yield " ".join(joined)
            joined, length = [], 0
        joined.append(line)
        length += len(line)
    yield " ".join(joined)


def _sentences(line: str, has_ordinals: bool) -> list[str]:
    joined: list[str] = []
    for piece in split_sentences(line):
        if joined and _goes_on(joined[-1][-_LOOKED_AT:], piece, has_ordinals):
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    parts = (part for each in joined for part in split_at_other_stops(each))
    return [part for each in parts for part in _FURTHER_ENDS.split(each)]


def _goes_on(before: str, after: str, has_ordinals: bool) -> bool:
    """Return whether a sentence continues after one of the ends that Punkt found."""
    if _OPEN_NUMBER.search(before) or (_STOPPED.search(before) and _GOES_ON.match(after)):
        return True
    if has_ordinals and _ORDINAL.search(before):
        return True
    found = _LAST_WORD.search(before)
    if found is None:
        return False
    word = found[1].casefold()
    if word in LAST_UNLESS_NUMBERED or len(word) == 1 or _COUNTED.search(before[: found.start()]):
        # Also a unit that is spelled as an abbreviation: 5 см is a depth, and см. a reference.
        is_abbreviation = _OPENS_NUMBER.match(after) is not None
    else:
        is_abbreviation = word in NEVER_LAST
    return is_abbreviation or _INITIAL.fullmatch(found[1]) is not None
