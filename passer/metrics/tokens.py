"""How text is cut: the tokenizers of the field's own libraries, exact and fast.

Each gives what the library that its metric is named after gives; tests compare them on arbitrary Unicode.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any

from passer.metrics import nltk_parts
from passer.metrics.sentences import split_published, split_sentences

WORD_TOKENIZER = "NLTKWordTokenizer, lower-cased"
ROUGE_TOKENIZER = "rouge-score (a-z, 0-9); unicode-words where the reference is mostly in another script"

NgramCounts = Counter[str | tuple[str, ...]]

_ALPHANUMERIC = re.compile(r"[a-z0-9]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
# Scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) count character by character.
_UNICODE_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|"
    "(?:(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
    "[^\\W_][\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f]*)+"
)
_LETTERS = re.compile(r"[^\W\d_]")
_LATIN = re.compile(
    "[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua7ff]"
)

_13A_SYMBOL = re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])")
_13A_AFTER = re.compile(r"([^0-9])([\.,])")
_13A_BEFORE = re.compile(r"([\.,])([^0-9])")
_13A_DASH = re.compile(r"([0-9])(-)")


def ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """N-grams of one order; none where there are fewer words."""
    return zip(*(islice(words, start, None) for start in range(order)), strict=False)


def count_ngrams(words: Sequence[str], order: int) -> NgramCounts:
    """N-grams with their counts; a unigram is the word itself."""
    return Counter(words if order == 1 else ngrams(words, order))


def clipped_matches(counts: NgramCounts, words: Sequence[str], order: int) -> int:
    """How many of these n-grams stand among the words, each as often as both sides have it."""
    grams: Iterable[str | tuple[str, ...]] = words if order == 1 else ngrams(words, order)
    found = Counter(filter(counts.__contains__, grams))
    return sum(min(count, counts[gram]) for gram, count in found.items())


def alphanumeric(text: str) -> list[str]:
    """rouge-score's tokens without a stemmer."""
    return _ALPHANUMERIC.findall(text.lower())


def unicode_words(text: str) -> list[str]:
    """Lower-cased words of any script: letters and digits with their marks."""
    return _UNICODE_WORD.findall(text.lower())


def bare_words(text: str) -> list[str]:
    """SQuAD's normalised tokens."""
    return _ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split()


def mostly_latin(text: str) -> bool:
    """Whether at least half of the letters are Latin, or there are none."""
    if text.isascii():
        return True
    return 2 * len(_LATIN.findall(text)) >= len(_LETTERS.findall(text))


def tokens_13a(text: str) -> list[str]:
    """Tokens of mteval-v13a, as sacreBLEU cuts them."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, sign)
    words: list[str] = []
    for chunk in text.split():
        # No rule looks past white space, so each chunk is cut by itself, and most need no cutting.
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
    text = _13A_AFTER.sub(r"\1 \2 ", text)
    text = _13A_BEFORE.sub(r" \1 \2", text)
    return tuple(_13A_DASH.sub(r"\1 \2 ", text).split())


def word_sentences(text: str) -> list[list[str]]:
    """Lower-cased tokens of NLTK's word tokenizer, sentence by sentence."""
    return words_of([sentence.lower() for sentence in split_sentences(text)])


def published_sentences(text: str) -> list[list[str]]:
    """The same with the sentences that the published service found."""
    return words_of([sentence.lower() for sentence in split_published(text)])


# The rules of NLTK's word tokenizer for sentences without quotes. Only the one for the final stop looks past white
# space: it is applied to all sentences at once, a line for each; the others to each chunk by itself, in NLTK's order,
# rules on single characters as one.
_QUOTES = frozenset("'\"`\u00ab\u00bb\u2018\u2019\u201c\u201d\u201e")
_CLOSING = frozenset("])}>\"'\u00bb\u201d\u2019")
_FINAL_STOP = re.compile(r"(?m)([^.\n])\.([\])}> ]*)$")
_COLON = re.compile(r"([:,])([^\d])")
_FINAL_COLON = re.compile(r"[:,]$")
_MARK = re.compile(r"\.{2,}|--|[;@#$%&?!*\[\](){}<>\u2012-\u2015]")
_CONTRACTIONS = re.compile(r"\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon)(na)\b|\b(got)(ta)\b|\b(wan)(na)(?=\s|$)")
_CONTRACTED = frozenset({"cannot", "gimme", "lemme", "gonna", "gotta", "wanna"})
_MARKS = frozenset(",:;?!%")


def words_of(sentences: Sequence[str]) -> list[list[str]]:
    """NLTKWordTokenizer's tokens of each lower-cased sentence."""
    lines = [" ".join(sentence.split()) if _QUOTES.isdisjoint(sentence) else "" for sentence in sentences]
    cut = _FINAL_STOP.sub(r"\1 . \2", "\n".join(lines)).split("\n")
    return [_cut_line(line) if line else _quoted(sentence) for line, sentence in zip(cut, sentences, strict=True)]


def _cut_line(line: str) -> list[str]:
    words: list[str] = []
    for chunk in line.split():
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
    text = _COLON.sub(r" \1 \2", chunk)
    text = _MARK.sub(r" \g<0> ", _FINAL_COLON.sub(r" \g<0> ", text))
    return tuple(_CONTRACTIONS.sub(_apart, text).split())


def _apart(match: re.Match[str]) -> str:
    return " " + " ".join(part for part in match.groups() if part) + " "


def _quoted(sentence: str) -> list[str]:
    """Quotes have rules that look to both sides, so NLTK cuts each chunk between neighbours of its own kind."""
    chunks = sentence.split()
    if not chunks:
        return []
    if " ".join(chunks) != sentence or _CLOSING.issuperset(chunks[-1]):
        return list(_nltk_words().tokenize(sentence))
    words: list[str] = []
    last = len(chunks) - 1
    for place, chunk in enumerate(chunks):
        if place < last and _QUOTES.isdisjoint(chunk):
            words.extend(_cut_chunk(chunk))
        else:
            words.extend(_cut_by_nltk(chunk, place == 0, place == last))
    return words


@lru_cache(maxsize=32_768)
def _cut_by_nltk(chunk: str, is_first: bool, is_last: bool) -> tuple[str, ...]:
    before, after = "" if is_first else "x ", "" if is_last else " x"
    words = _nltk_words().tokenize(before + chunk + after)
    return tuple(words[0 if is_first else 1 : len(words) if is_last else -1])


@cache
def _nltk_words() -> Any:
    return nltk_parts.destructive().NLTKWordTokenizer()
