"""Perplexity of the answer under an n-gram model of the reference: 2 to its cross-entropy in bits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from passer.domain.score import Citation, MetricInfo, VectorProfile
from passer.metrics.pair import Pair, Text
from passer.metrics.registry import Value, describe, register, tokenizer_note
from passer.metrics.sentences import PUBLISHED_SPLITTER, SENTENCE_SPLITTER
from passer.metrics.tokens import OTHER_LETTERS_TOKENIZER, ngrams

_START, _END, _UNKNOWN = "<s>", "</s>", "<UNK>"
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
    """Counts of the reference's n-grams, orders 1 to `order`, with additive smoothing."""

    def __init__(self, sentences: Sequence[Sequence[str]], *, order: int, gamma: float) -> None:
        self._gamma = gamma
        self.order = order
        self._counts = _counted(sentences, range(1, order + 1), pads=order - 1)
        self._contexts: Counter[tuple[str, ...]] = Counter()
        for gram, count in self._counts.items():
            self._contexts[gram[:-1]] += count
        self._vocabulary = {gram[0] for gram in self._counts if len(gram) == 1}
        self._smoothing = gamma * (len(self._vocabulary) + 1)

    def masked(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Replace every word that the reference lacks by one unknown word."""
        known = self._vocabulary
        return [[word if word in known else _UNKNOWN for word in sentence] for sentence in sentences]

    def perplexity(self, masked: Sequence[Sequence[str]], orders: Iterable[int]) -> Value:
        """Return 2 to the cross-entropy of all n-grams of these orders, padding included."""
        # With one unknown word there are far fewer distinct n-grams than n-grams, so each is evaluated once.
        grams = _counted(masked, orders, pads=self.order - 1)
        total = grams.total()
        if not total:
            return "no_tokens"
        seen, contexts, log2 = self._counts.get, self._contexts.get, math.log2
        gamma, smoothing = self._gamma, self._smoothing
        bits = math.fsum(
            count * log2((contexts(gram[:-1], 0) + smoothing) / (seen(gram, 0) + gamma))
            for gram, count in grams.items()
        )
        return float(2.0 ** (bits / total))


def _models(reference: Text) -> tuple[_Model, _Model]:
    """Return the Laplace and the Lidstone model over the same vocabulary."""
    return _models_of(reference.sentences)


def _unicode_models(reference: Text) -> tuple[_Model, _Model]:
    return _models_of(reference.unicode_sentences)


def _published_models(reference: Text) -> tuple[_Model, _Model]:
    return _models_of(reference.published_sentences)


def _models_of(sentences: Sequence[Sequence[str]]) -> tuple[_Model, _Model]:
    return _Model(sentences, order=2, gamma=1), _Model(sentences, order=3, gamma=0.1)


def _counted(sentences: Iterable[Sequence[str]], orders: Iterable[int], *, pads: int) -> Counter[tuple[str, ...]]:
    """Yield the n-grams within sentences, each sentence padded at its start and end."""
    before, after = [_START] * pads, [_END] * pads
    words = [word for sentence in sentences for word in (*before, *sentence, *after)]
    counts: Counter[tuple[str, ...]] = Counter()
    for order in orders:
        counts.update(ngrams(words, order))
        # All sentences stand in one padded row; n-grams that span two sentences consist of padding alone and are
        # dropped.
        for ends in range(1, order):
            counts.pop((_END,) * ends + (_START,) * (order - ends), None)
    return counts


@register(
    _info("standard", "Laplace Perplexity", order=2, gamma="1", tested="bigrams of all sentences of the answer"),
    _info("standard", "Lidstone Perplexity", order=3, gamma="0.1", tested="trigrams of all sentences of the answer"),
    note=tokenizer_note,
)
def standard(pair: Pair) -> Sequence[Value]:
    """Return both perplexities over the highest order, all sentences pooled."""
    laplace, lidstone = pair.reference.once(_unicode_models if pair.by_unicode else _models)
    answer = laplace.masked(pair.answer.unicode_sentences if pair.by_unicode else pair.answer.sentences)
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
    whole, first = laplace.masked([pair.answer.published_words]), laplace.masked(pair.answer.published_sentences[:1])
    return laplace.perplexity(whole, (1, 2)), lidstone.perplexity(first, (1, 2, 3))
