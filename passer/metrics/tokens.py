"""How text is cut: the tokenizers of the field's own libraries, exact and fast.

Each gives what the library that its metric is named after gives; tests compare them on arbitrary Unicode.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from passer.metrics.sentences import split_published, split_sentences

WORD_TOKENIZER = "NLTKWordTokenizer, lower-cased"
ROUGE_TOKENIZER = "rouge-score (a-z, 0-9); unicode-words where the reference is mostly in another script"

_NOT_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")
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


def alphanumeric(text: str) -> list[str]:
    """rouge-score's tokens without a stemmer."""
    return _NOT_ALPHANUMERIC.sub(" ", text.lower()).split()


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
    text = _13A_SYMBOL.sub(r" \1 ", f" {text} ")
    text = _13A_AFTER.sub(r"\1 \2 ", text)
    text = _13A_BEFORE.sub(r" \1 \2", text)
    return _13A_DASH.sub(r"\1 \2 ", text).split()


def word_sentences(text: str) -> list[list[str]]:
    """Lower-cased tokens of NLTK's word tokenizer, sentence by sentence."""
    return words_of([sentence.lower() for sentence in split_sentences(text)])


def published_sentences(text: str) -> list[list[str]]:
    """The same with the sentences that the published service found."""
    return words_of([sentence.lower() for sentence in split_published(text)])


# The rules of NLTK's word tokenizer for sentences without quotes, applied to many sentences at once, a line for each.
# Rules on single characters commute, so they are one expression; the others keep NLTK's order.
_QUOTES = frozenset("'\"`\u00ab\u00bb\u2018\u2019\u201c\u201d\u201e")
_FINAL_STOP = re.compile(r"(?m)([^.\n])\.([\])}> ]*)$")
_COLON = re.compile(r"([:,])([^\d\n])")
_FINAL_COLON = re.compile(r"(?m)([:,])$")
_MARK = re.compile(r"\.{2,}|--|[;@#$%&?!*\[\](){}<>\u2012-\u2015]")
_CONTRACTIONS = re.compile(r"\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon)(na)\b|\b(got)(ta)\b|\b(wan)(na)(?=\s|$)")
_CONTRACTED = re.compile("cannot|gimme|lemme|gonna|gotta|wanna")


def words_of(sentences: Sequence[str]) -> list[list[str]]:
    """NLTKWordTokenizer's tokens of each sentence."""
    lines = [" ".join(sentence.split()) if _QUOTES.isdisjoint(sentence) else "" for sentence in sentences]
    cut = iter(_cut_lines("\n".join(lines)))
    return [words if line else _quoted(sentence) for line, sentence, words in zip(lines, sentences, cut, strict=True)]


def _cut_lines(text: str) -> list[list[str]]:
    text = _FINAL_STOP.sub(r"\1 . \2", text)
    text = _FINAL_COLON.sub(r" \1 ", _COLON.sub(r" \1 \2", text))
    text = _MARK.sub(r" \g<0> ", text)
    if _CONTRACTED.search(text):
        text = _CONTRACTIONS.sub(_apart, text)
    return [line.split() for line in text.split("\n")]


def _apart(match: re.Match[str]) -> str:
    return " " + " ".join(part for part in match.groups() if part) + " "


def _quoted(sentence: str) -> list[str]:
    """Quotes have rules that look to both sides: those sentences go to NLTK itself."""
    return list(_nltk_words().tokenize(sentence)) if sentence.strip() else []


@cache
def _nltk_words() -> Any:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()
