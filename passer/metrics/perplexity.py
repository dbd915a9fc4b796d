"""Perplexity of the answer under an n-gram model of the reference: 2 to its cross-entropy in bits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain, repeat, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passer.domain.score import Citation, MetricInfo, VectorProfile
from passer.metrics.pair import Pair, Text
from passer.metrics.registry import Value, describe, register, tokenizer_note
from passer.metrics.sentences import PUBLISHED_SPLITTER, SENTENCE_SPLITTER
from passer.metrics.tokens import OTHER_LETTERS_TOKENIZER

_UNKNOWN, _START, _END, _FIRST_WORD = range(4)
"""Numbers of the unknown word, of the pads, and of the first word of a vocabulary."""
_CITATION = Citation(
    text="Chen, S. F. and Goodman, J. (1999). An empirical study of smoothing techniques for language modeling. "
    "Computer Speech & Language 13(4), 359-394.",
    url="https://doi.org/10.1006/csla.1999.0128",
)
_CEILING = (
    "The ceiling is the size of the reference's vocabulary, so values of different questions are not comparable; "
    "compare configurations on the same questions."
)
_TRAINED = (
    "lower-cased NLTK word tokens of the sentences that {splitter} finds, {pads} pad(s) on both sides, "
    "vocabulary of all tokens, pads and <UNK>; P(w | h) = (count(h w) + {gamma}) / (count(h) + {gamma} |V|)."
)


def _info(profile: VectorProfile, name: str, *, order: int, gamma: str, tested: str) -> MetricInfo:
    splitter = PUBLISHED_SPLITTER if profile == "published" else SENTENCE_SPLITTER
    trained = _TRAINED.format(pads=order - 1, gamma=gamma, splitter=splitter)
    if profile == "standard":
        trained += f" Tokens: {OTHER_LETTERS_TOKENIZER}, casefolded; sentences then end at the full stop of any script."
    return describe(
        name,
        profile,
        summary=f"Perplexity of the answer under an order-{order} model of the reference, {gamma} added to each count.",
        formula=f"2^(-mean log2 P) over {tested}. Model: {trained}",
        minimum=1.0,
        maximum=None,
        higher_is_better=False,
        citation=_CITATION,
        notes=(_CEILING,),
    )


class _Model:
    """Counts of the reference's n-grams, orders 1 to `order`, with additive smoothing.

    An n-gram is one number whose digits are its words; without the last digit it is its context.
    """

    def __init__(self, sentences: Sequence[Sequence[str]], *, order: int, gamma: float) -> None:
        self._gamma = gamma
        self._order = order
        words = dict.fromkeys(word for sentence in sentences for word in sentence)
        self._numbers = {word: number for number, word in enumerate(words, start=_FIRST_WORD)}
        self._base = _FIRST_WORD + len(words)
        row = self._row(sentences)
        self._counts = {size: self._counted(row, size) for size in range(1, order + 1)}
        self._contexts = {size: self._summed(counts) for size, counts in self._counts.items()}
        self._smoothing = gamma * (len(self._counts[1]) + 1)

    def perplexity(self, sentences: Sequence[Sequence[str]], orders: Iterable[int]) -> Value:
        """Return 2 to the cross-entropy of all n-grams of these orders, padding included."""
        row = self._row(sentences)
        # All words that the reference lacks count as one unknown word. Distinct n-grams are therefore few, and each is
        # evaluated once.
        grams = {size: self._counted(row, size) for size in orders}
        total = sum(counts.total() for counts in grams.values())
        if not total:
            return "no_tokens"
        bits = math.fsum(chain.from_iterable(starmap(self._bits, grams.items())))
        return float(2.0 ** (bits / total))

    def _bits(self, size: int, grams: Counter[int]) -> list[float]:
        seen, contexts, log2 = self._counts[size].get, self._contexts[size].get, math.log2
        gamma, smoothing, base = self._gamma, self._smoothing, self._base
        return [
            count * log2((contexts(gram // base, 0) + smoothing) / (seen(gram, 0) + gamma))
            for gram, count in grams.items()
        ]

    def _row(self, sentences: Sequence[Sequence[str]]) -> NDArray[Any]:
        """Return the words of all sentences as numbers, each sentence padded at its start and end."""
        number, before, after = self._numbers.get, [_START] * (self._order - 1), [_END] * (self._order - 1)
        row: list[int] = []
        for sentence in sentences:
            row += before
            row += map(number, sentence, repeat(_UNKNOWN))
            row += after
        # Python's integers where 64 bits are too few, as for a vocabulary of two million words.
        return np.array(row, dtype=np.int64 if self._base**self._order < 2**63 else object)

    def _counted(self, row: NDArray[Any], size: int) -> Counter[int]:
        grams = row
        for start in range(1, size):
            grams = grams[:-1] * self._base + row[start:]
        counts: Counter[int] = Counter(grams.tolist())
        # All sentences are in one row; n-grams that span two sentences consist only of padding and are dropped.
        for ends in range(1, size):
            counts.pop(reduce(self._followed, [_END] * ends + [_START] * (size - ends)), None)
        return counts

    def _followed(self, gram: int, word: int) -> int:
        return gram * self._base + word

    def _summed(self, counts: Counter[int]) -> Counter[int]:
        contexts: Counter[int] = Counter()
        for gram, count in counts.items():
            contexts[gram // self._base] += count
        return contexts


def _models(reference: Text) -> tuple[_Model, _Model]:
    """Return the Laplace and the Lidstone model over the same vocabulary."""
    return _models_of(reference.sentences)


def _unicode_models(reference: Text) -> tuple[_Model, _Model]:
    return _models_of(reference.unicode_sentences)


def _published_models(reference: Text) -> tuple[_Model, _Model]:
    return _models_of(reference.published_sentences)


def _models_of(sentences: Sequence[Sequence[str]]) -> tuple[_Model, _Model]:
    return _Model(sentences, order=2, gamma=1), _Model(sentences, order=3, gamma=0.1)


@register(
    _info("standard", "Laplace Perplexity", order=2, gamma="1", tested="bigrams of all sentences of the answer"),
    _info("standard", "Lidstone Perplexity", order=3, gamma="0.1", tested="trigrams of all sentences of the answer"),
    note=tokenizer_note,
)
def standard(pair: Pair) -> Sequence[Value]:
    """Return both perplexities over the highest order, all sentences pooled."""
    laplace, lidstone = pair.reference.once(_unicode_models if pair.by_unicode else _models)
    answer = pair.answer.unicode_sentences if pair.by_unicode else pair.answer.sentences
    return laplace.perplexity(answer, (2,)), lidstone.perplexity(answer, (3,))


@register(
    _info(
        "published",
        "Laplace Perplexity",
        order=2,
        gamma="1",
        tested="the unigrams and bigrams of the answer, lower-cased before it is split, as one sequence, pads included",
    ),
    _info(
        "published",
        "Lidstone Perplexity",
        order=3,
        gamma="0.1",
        tested="the uni-, bi- and trigrams of the answer's first sentence, pads included",
    ),
)
def published(pair: Pair) -> Sequence[Value]:
    """Return both perplexities as the published service mixes the orders."""
    laplace, lidstone = pair.reference.once(_published_models)
    whole, first = [pair.answer.published_words], pair.answer.published_sentences[:1]
    return laplace.perplexity(whole, (1, 2)), lidstone.perplexity(first, (1, 2, 3))
