"""Tokenizers that equal those of the libraries that metrics are named after, and `unicode-1` for other letters.

Tests compare each with its library on arbitrary text without letters beyond ASCII.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import compress, islice
from typing import Any

import numpy as np
import regex

from passer.domain.texts.sentence_ends import OTHER_STOP
from passer.domain.texts.words import UNICODE_1, Piece, composed, has_other_letters, unicode_pieces
from passer.metrics import nltk_parts
from passer.metrics.sentences import split_published, split_sentences

WORD_TOKENIZER = "NLTKWordTokenizer, lower-cased"
ROUGE_TOKENIZER = "rouge-score (a-z, 0-9)"
OTHER_LETTERS_TOKENIZER = f"{UNICODE_1} where the reference holds a letter or digit beyond ASCII"
"""Scripts of `standard`: the reference alone decides, so that all configurations of a question share a tokenizer."""

NgramCounts = Counter[str | tuple[str, ...]]

_ALPHANUMERIC = re.compile(r"[a-z0-9]+")
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
# A word with letters beyond ASCII is one token; rouge-score would keep its ASCII letters and drop the others.
_LETTERS_AND_DIGITS = regex.compile(r"(?V1)[[\p{L}\p{Mn}\p{Mc}\p{Nd}]--\p{Variation_Selector}]+")
# Ends of sentences in scripts whose full stop Punkt does not know.
_AFTER_OTHER_STOP = regex.compile(rf"(?V1)(?<={OTHER_STOP})")

_13A_SYMBOL = re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])")
_13A_AFTER = re.compile(r"([^0-9])([\.,])")
_13A_BEFORE = re.compile(r"([\.,])([^0-9])")
_13A_DASH = re.compile(r"([0-9])(-)")


def ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """Return the n-grams of one order; empty if there are fewer words than the order."""
    return zip(*(islice(words, start, None) for start in range(order)), strict=False)


def count_ngrams(words: Sequence[str], order: int) -> NgramCounts:
    """Count n-grams; a unigram is the word itself, not a tuple."""
    return Counter(words if order == 1 else ngrams(words, order))


def clipped_matches(counts: NgramCounts, words: Iterable[str]) -> int:
    """Count the words in `counts`, each at most as often as both have it."""
    return _clipped(counts, filter(counts.__contains__, words))


def clipped_matches_by_order(counts: Sequence[NgramCounts], words: Sequence[str]) -> list[int]:
    """Count the n-grams of each order from 1 that words share with `counts`, each at most as often as both have it."""
    known = np.fromiter(map(counts[0].__contains__, words), bool, len(words))
    matches = [_clipped(counts[0], [words[place] for place in np.flatnonzero(known).tolist()])]
    for order, theirs in enumerate(counts[1:], start=2):
        # An n-gram can match only where both of its (n-1)-grams do, which is at few places of a long answer.
        known = known[:-1] & known[1:]
        places = np.flatnonzero(known)
        grams = [tuple(words[place : place + order]) for place in places.tolist()]
        known[places] = in_both = [gram in theirs for gram in grams]
        matches.append(_clipped(theirs, compress(grams, in_both)))
    return matches


def _clipped(counts: NgramCounts, found: Iterable[str | tuple[str, ...]]) -> int:
    return sum(min(count, counts[gram]) for gram, count in Counter(found).items())


def alphanumeric(text: str) -> list[str]:
    """Return rouge-score's tokens, without its stemmer; a word with a letter beyond ASCII is one token."""
    if has_other_letters(text):
        return list(_LETTERS_AND_DIGITS.findall(composed(text).lower()))
    return _ALPHANUMERIC.findall(text.lower())


def unicode_sentences(text: str) -> list[list[Piece]]:
    """Return the tokens of each sentence by `unicode-1`; a sentence ends at the full stop of any script."""
    parts = (part for found in split_sentences(composed(text)) for part in _AFTER_OTHER_STOP.split(found))
    return [pieces for part in parts if (pieces := unicode_pieces(part))]


def bare_words(text: str) -> list[str]:
    """Return SQuAD's normalised tokens."""
    bare = text.lower().translate(_NO_PUNCTUATION)
    words = bare.split()
    if "".join(words).isalnum():
        return [word for word in words if word not in _ARTICLES]
    # An article next to a sign beyond ASCII is removed, too.
    return _ARTICLE.sub(" ", bare).split()


def tokens_13a(text: str) -> list[str]:
    """Return the tokens of mteval-v13a as in sacreBLEU."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, sign)
    words: list[str] = []
    for chunk in text.split():
        # No rule crosses white space, so chunks are tokenized separately, and most chunks need no rule at all.
        if chunk.isalnum():
            words.append(chunk)
        else:
            words.extend(_cut_13a(chunk))
    return words


@lru_cache(maxsize=32_768)
def _cut_13a(chunk: str) -> tuple[str, ...]:
    word, mark = (chunk[:-1], chunk[-1]) if chunk[-1] in ".," else (chunk, "")
    if word.isalnum() or word.replace("-", "").isalpha():
        return (word, mark) if mark else (word,)
    text = _13A_SYMBOL.sub(r" \1 ", f" {chunk} ")
    if "." in text or "," in text:
        text = _13A_BEFORE.sub(r" \1 \2", _13A_AFTER.sub(r"\1 \2 ", text))
    if "-" in text:
        text = _13A_DASH.sub(r"\1 \2 ", text)
    return tuple(text.split())


def word_sentences(text: str) -> list[list[str]]:
    """Return lower-cased tokens of NLTK's word tokenizer, per sentence."""
    return words_of([sentence.lower() for sentence in split_sentences(text)])


def published_sentences(text: str) -> list[list[str]]:
    """Return the same tokens for sentences split by the published service's splitter."""
    return words_of([sentence.lower() for sentence in split_published(text)])


# The rules of NLTK's word tokenizer for sentences without quotes. Only the rule for the final full stop crosses white
# space. The other rules run per chunk, in NLTK's order, with the rules on single characters merged into one.
_QUOTE = re.compile("['\"`\u00ab\u00bb\u2018\u2019\u201c\u201d\u201e]")
_CLOSING = frozenset("])}>\"'\u00bb\u201d\u2019")
_FINAL_STOP = re.compile(r"([^.])\.([\])}> ]*)$")
_COLON = re.compile(r"([:,])([^\d])")
_FINAL_COLON = re.compile(r"[:,]$")
_MARK = re.compile(r"\.{2,}|--|[;@#$%&?!*\[\](){}<>\u2012-\u2015]")
_CONTRACTIONS = re.compile(r"\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon)(na)\b|\b(got)(ta)\b|\b(wan)(na)(?=\s|$)")
_CONTRACTED = frozenset({"cannot", "gimme", "lemme", "gonna", "gotta", "wanna"})
_MARKS = frozenset(",:;?!%")
# A quoted word, or one with such an ending, is split in the same way everywhere; NLTK itself splits the others.
_PLAIN_QUOTED = re.compile(r"""(?P<opens>"?)(?P<word>[a-z0-9]+)(?P<ends>n't|'(?:s|m|d|ll|re|ve))?(?P<closes>"?)""")


def words_of(sentences: Sequence[str]) -> list[list[str]]:
    """Return NLTKWordTokenizer's tokens of each lower-cased sentence."""
    return [_quoted(sentence) if _QUOTE.search(sentence) else _unquoted(sentence) for sentence in sentences]


def _unquoted(sentence: str) -> list[str]:
    chunks = sentence.split()
    end = chunks[-1] if chunks else ""
    if end.endswith(".") and end[:-1] and end[-2] != ".":
        chunks[-1:] = end[:-1], "."
    elif end[-1:] in _CLOSING:
        chunks = _FINAL_STOP.sub(r"\1 . \2", " ".join(chunks)).split()
    words: list[str] = []
    for chunk in chunks:
        if chunk.isalnum() and chunk not in _CONTRACTED:
            words.append(chunk)
        else:
            words.extend(_cut_chunk(chunk))
    return words


@lru_cache(maxsize=32_768)
def _cut_chunk(chunk: str) -> tuple[str, ...]:
    word, mark = (chunk[:-1], chunk[-1]) if chunk[-1] in _MARKS else (chunk, "")
    if word.replace("-", "").isalnum() and "--" not in word and _CONTRACTED.isdisjoint(word.split("-")):
        return (word, mark) if mark else (word,)
    text = _COLON.sub(r" \1 \2", chunk) if ":" in chunk or "," in chunk else chunk
    text = _MARK.sub(r" \g<0> ", _FINAL_COLON.sub(r" \g<0> ", text))
    return tuple(_CONTRACTIONS.sub(_apart, text).split())


def _apart(match: re.Match[str]) -> str:
    return " " + " ".join(part for part in match.groups() if part) + " "


def _quoted(sentence: str) -> list[str]:
    """Tokenize a sentence with quotes: their rules look at both sides, so NLTK cuts each chunk with its neighbours."""
    chunks = sentence.split()
    if not chunks:
        return []
    if " ".join(chunks) != sentence or _CLOSING.issuperset(chunks[-1]):
        return list(_nltk_words().tokenize(sentence))
    words: list[str] = []
    last = len(chunks) - 1
    for place, chunk in enumerate(chunks):
        if _QUOTE.search(chunk):
            words.extend(_cut_quoted(chunk, place == 0, place == last))
        else:
            words.extend(_unquoted(chunk) if place == last else _cut_chunk(chunk))
    return words


@lru_cache(maxsize=32_768)
def _cut_quoted(chunk: str, is_first: bool, is_last: bool) -> tuple[str, ...]:
    plain = _PLAIN_QUOTED.fullmatch(chunk)
    if plain and plain["word"] not in _CONTRACTED:
        opens, word, ends, closes = plain.groups()
        return tuple(filter(None, (opens and "``", word, ends, closes and "''")))
    before, after = "" if is_first else "x ", "" if is_last else " x"
    words = _nltk_words().tokenize(before + chunk + after)
    return tuple(words[0 if is_first else 1 : len(words) if is_last else -1])


@cache
def _nltk_words() -> Any:
    return nltk_parts.destructive().NLTKWordTokenizer()
