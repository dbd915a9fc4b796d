"""Words of any script: the tokenizer `unicode-1`, which texts need it, and which scripts a text is written in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import regex

UNICODE_1 = "unicode-1"
"""Name of the tokenizer. A change of its tokens is a new name: scores by another tokenizer mean something else."""

# Line_Break=SA is Unicode's class of the scripts whose words only a dictionary finds. U+30FC and U+FF70 lengthen Kana.
_IDEOGRAPHIC = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70"
UNSPACED = rf"[{_IDEOGRAPHIC}\p{{Line_Break=SA}}]"

_EXTENDING = r"\p{Word_Break=Extend}\p{Word_Break=Format}\p{Word_Break=ZWJ}"
"""Characters that belong to the one before them, among them every combining mark."""


def _of(kinds: str) -> str:
    """Return the pattern of a character of these Word_Break classes, with what belongs to it (rule WB4)."""
    members = "".join(rf"\p{{Word_Break={kind}}}" for kind in kinds.split())
    return rf"(?:[{members}][{_EXTENDING}]*)"


_HEBREW, _ALPHABETIC, _NUMERIC = _of("Hebrew_Letter"), _of("ALetter Hebrew_Letter"), _of("Numeric")
# UAX 29 as a pattern, because regex's own boundary, (?w)\b, does not look past combining marks as rules 6 to 12 do.
_RUN = "|".join(
    (
        *(_ALPHABETIC, _NUMERIC, _of("ExtendNumLet")),
        rf"(?<={_ALPHABETIC}){_of('MidLetter MidNumLet Single_Quote')}(?={_ALPHABETIC})",
        rf"(?<={_NUMERIC}){_of('MidNum MidNumLet Single_Quote')}(?={_NUMERIC})",
        rf"(?<={_HEBREW}){_of('Double_Quote')}(?={_HEBREW})",
        rf"(?<={_HEBREW}){_of('Single_Quote')}",
    )
)
_PIECE = regex.compile(rf"(?sV1)(?={UNSPACED})\X|(?:{_RUN})+|\X")
_LETTER = r"[[\p{L}\p{Mn}\p{Mc}\p{Nd}]--\p{Variation_Selector}]"
_WORD = regex.compile(rf"(?V1){_LETTER}|\p{{N}}")
_MARK = regex.compile(r"[\p{P}\p{S}]")
_CLUSTER = r"\p{Grapheme_Cluster_Break=Extend}\p{Grapheme_Cluster_Break=SpacingMark}"
_EXTENDED_SPACE = regex.compile(rf" [{_EXTENDING}{_CLUSTER}]|\p{{Grapheme_Cluster_Break=Prepend}} ")
"""A space that belongs to one token with its neighbour."""
_OTHER_LETTER = regex.compile(rf"(?V1)[{_LETTER}--[\x00-\x7f]]")

_SCRIPTS = (
    *("Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Telugu", "Georgian"),
    *("Armenian", "Ethiopic", "Hangul", "Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"),
)
"""Scripts that cautions name; any other counts as `other`."""
_SCRIPT = regex.compile("|".join(rf"(?P<{name}>\p{{{name}}})" for name in _SCRIPTS))
_ANY_LETTER = regex.compile(r"(?V1)[\p{L}--[\p{Common}\p{Inherited}]]")
_JAPANESE = {"Hiragana": "Han", "Katakana": "Han"}
"""Japanese mixes these scripts in every sentence."""
_SHARED = regex.compile(r"[\p{Common}\p{Inherited}]")
_UNSPACED_LETTER = regex.compile(UNSPACED)
_IDEOGRAPHIC_LETTER = regex.compile(f"[{_IDEOGRAPHIC}]")
# Normalising takes the square of the length of a run of marks. UAX 15 breaks one after 30, by a joiner without a shape.
_LONG_RUN = regex.compile(r"(\p{M}{30})(?=\p{M})")
ENGLISH = "en"
SHORT = 60
"""Characters of the longest text between spaces that is cached. Without spaces it may be a whole passage, and thousands
of those fill the memory."""


class Piece(NamedTuple):
    """One token of a text."""

    text: str
    """Text as it is written, in NFC."""
    is_word: bool
    """True if it contains a letter or a digit; else it is a punctuation mark or a symbol."""


def has_other_letters(text: str) -> bool:
    """Return whether a text has a letter or decimal digit beyond ASCII: the libraries' tokenizers do not know those."""
    return not text.isascii() and _OTHER_LETTER.search(composed(text)) is not None


def word_count(text: str) -> int:
    """Return the number of words between blanks; in a script without blanks, two letters count as a word."""
    return max(len(text.split()), len(unicode_words(text)) // 2 if is_unspaced(text) else 0)


def is_unspaced(text: str) -> bool:
    """Return whether a text contains a letter of a script that is written without spaces between words."""
    return not text.isascii() and _UNSPACED_LETTER.search(text) is not None


def is_ideographic(text: str) -> bool:
    """Return whether a text contains a letter of Chinese or Japanese."""
    return _IDEOGRAPHIC_LETTER.search(text) is not None


def is_english(language: str) -> bool:
    """Return whether a BCP 47 tag names English."""
    return language.lower().replace("_", "-").partition("-")[0] == ENGLISH


def composed(text: str) -> str:
    """Return a text in NFC, so that precomposed and combining accents are equal."""
    return text if text.isascii() else unicodedata.normalize("NFC", _LONG_RUN.sub("\\1\u034f", text))


def unicode_pieces(text: str) -> list[Piece]:
    """Return the words, punctuation marks and symbols of a text by `unicode-1`, in order.

    A word lies between two word boundaries of UAX 29. In Han, Kana and the scripts without spaces each grapheme
    cluster is a word. White space and invisible characters are no token.
    """
    text = composed(text)
    if not is_cut_at_spaces(text):
        return list(_cut(text))
    return [piece for chunk in text.split(" ") for piece in (_cut_chunk if len(chunk) <= SHORT else _cut)(chunk)]


def unicode_words(text: str) -> list[str]:
    """Return the casefolded words of a text by `unicode-1`."""
    text = composed(text)
    if not is_cut_at_spaces(text):
        return list(_words(_cut(text)))
    return [
        word
        for chunk in text.split(" ")
        for word in (_chunk_words(chunk) if len(chunk) <= SHORT else _words(_cut(chunk)))
    ]


def is_cut_at_spaces(text: str) -> bool:
    """Return whether chunks between spaces can be cut separately: no rule looks past a space by itself."""
    # What extends a space is never ASCII, and the search takes as long as cutting known words.
    return text.isascii() or not _EXTENDED_SPACE.search(text)


def _cut(text: str) -> tuple[Piece, ...]:
    pieces = []
    for found in _PIECE.findall(text):
        if _WORD.search(found):
            pieces.append(Piece(found, True))
        elif _MARK.search(found):
            pieces.append(Piece(found, False))
    return tuple(pieces)


def _words(pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(piece.text.casefold() for piece in pieces if piece.is_word)


# Words repeat within a text and between a reference and its answers. An index of passages asks for words alone.
_cut_chunk = lru_cache(maxsize=32_768)(_cut)
_chunk_words = lru_cache(maxsize=32_768)(lambda chunk: _words(_cut(chunk)))


def other_scripts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the scripts of letters beyond ASCII in texts, most frequent first."""
    counts = Counter(name for text in texts if not text.isascii() for name in _scripts_of(text))
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def _scripts_of(text: str) -> set[str]:
    letters = set(_OTHER_LETTER.findall(composed(text)))
    found = {_SCRIPT.match(letter) or letter for letter in letters if not _SHARED.match(letter)}
    return {"other" if isinstance(each, str) else str(each.lastgroup) for each in found}


def main_script(text: str) -> str | None:
    """Return the script of most letters of a text, Han and Kana as one; None for a text without letters."""
    counts: Counter[str] = Counter()
    for letter in _ANY_LETTER.findall(text):
        found = _SCRIPT.match(letter)
        name = str(found.lastgroup) if found else "other"
        counts[_JAPANESE.get(name, name)] += 1
    return max(counts, key=lambda name: (counts[name], name), default=None)
