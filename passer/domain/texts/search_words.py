"""Words by which texts are searched: those of `unicode-1`, with the spellings of one word made equal."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import regex

from passer.domain.texts.words import SHORT, composed, is_cut_at_spaces, is_unspaced, unicode_pieces, unicode_words

TextRules = Literal[1, 2]
"""Rules by which a collection's texts are cut into terms and sentences, fixed when it is created. 2 makes the spellings
of one word equal, and knows the full stops of all scripts."""
TEXT_RULES: TextRules = 2
"""Rules of a new collection."""

# A blank without width (U+200B) lies between words; all else without a shape lies within them (soft hyphens, joiners).
_WITHOUT_SHAPE = regex.compile(r"(?V1)[\p{Default_Ignorable_Code_Point}--\u200b]+")
_ALIKE = dict(zip("‘’ʼʻ＇׳״₀₁₂₃₄₅₆₇₈₉", "'" * 6 + '"0123456789', strict=True))
"""Apostrophes, the marks of Hebrew abbreviations, and the digits of CO₂."""
_ANY_ALIKE = regex.compile(f"[{''.join(_ALIKE)}]")
# English endings stay with their word: plain words have no stems.
_ELISION = regex.compile(r"(?<=\p{Latin})'(?!(?:s|t|re|ve|ll|d|m)$)(?=\p{Latin})")
_OPTIONAL_MARKS = regex.compile(r"(?V1)[\p{Arabic}\p{Hebrew}\p{Greek}]\K\p{Mn}+|\u0640|(?<=i)\u0307")
"""Marks that writers may leave out: vowels of Arabic and Hebrew, accents of Greek capitals, tatweel; and the dot that
remains of İ."""
_LETTERS = str.maketrans("ىیةکہı", "ييهكهi")
"""Letters of Arabic that keyboards and writers interchange, as Lucene's normalisers of Arabic and Persian equate them;
and the dotless i, whose capital is I."""
_OTHER_DIGIT = regex.compile(r"(?V1)[\p{Nd}--[0-9]]")
_HANGUL = regex.compile(r"\p{Hangul}{3,}")


def search_words(text: str) -> list[str]:
    """Return the words of a text, case-folded, in NFKC and without optional marks.

    Latin words are cut at apostrophes (l'eau, Türkiye'nin), except before English endings. In scripts without blanks
    each pair of neighbours is a word beside each grapheme cluster, and so is each pair of syllables of a Korean word,
    as in Lucene's analyser of Chinese, Japanese and Korean.
    """
    if text.isascii() and "'" not in text:
        return unicode_words(text)
    text = without_shapeless(text)
    if not is_cut_at_spaces(text):
        return list(_cut(text))
    return [word for chunk in text.split(" ") for word in (_cut_chunk if len(chunk) <= SHORT else _cut)(chunk)]


def _cut(text: str) -> tuple[str, ...]:
    found: list[str] = []
    before = ""
    for piece in unicode_pieces(text):
        if not piece.is_word:
            before = ""
            continue
        words, is_cluster = _spelled(piece.text)
        found += words
        if is_cluster and before:
            found.append(before + words[0])
        before = words[0] if is_cluster else ""
    return tuple(found)


_cut_chunk = lru_cache(maxsize=32_768)(_cut)


def without_shapeless(text: str) -> str:
    """Return a text in NFC without invisible characters in words, with one kind of apostrophe."""
    if text.isascii():
        return text
    return composed(_ANY_ALIKE.sub(lambda found: _ALIKE[found[0]], _WITHOUT_SHAPE.sub("", text)))


def folded(word: str) -> str:
    """Return a word case-folded, in NFKC and without optional marks.

    Not a text: NFKC joins *10⁵* to 105, and *Name™* to *nametm*.
    """
    plain = unicodedata.normalize("NFKC", word).casefold()
    if plain.isascii():
        return plain
    bare = _OPTIONAL_MARKS.sub("", unicodedata.normalize("NFD", plain)).translate(_LETTERS)
    with_digits = _OTHER_DIGIT.sub(lambda found: str(unicodedata.digit(found[0], found[0])), bare)
    return unicodedata.normalize("NFKC", with_digits)


@lru_cache(maxsize=32_768)
def _spelled(word: str) -> tuple[tuple[str, ...], bool]:
    """Return the words that one word is searched by, and whether it is a cluster of a script without blanks."""
    plain = folded(word)
    if is_unspaced(word):
        return (plain,), True
    words = _ELISION.split(plain)
    if _HANGUL.fullmatch(plain):
        words += ["".join(pair) for pair in pairwise(plain)]
    return tuple(filter(None, words)), False
