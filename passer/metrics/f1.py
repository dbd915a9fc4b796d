"""Token F1: harmonic mean of token precision and recall."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.score import Citation
from passer.metrics.pair import Pair
from passer.metrics.registry import Value, describe, register, tokenizer_note
from passer.metrics.tokens import OTHER_LETTERS_TOKENIZER, clipped_matches, count_ngrams

_CITATION = Citation(
    text="Rajpurkar, P. et al. (2016). SQuAD: 100,000+ questions for machine comprehension of text. EMNLP.",
    url="https://aclanthology.org/D16-1264/",
)


@register(
    describe(
        "F1 Score",
        "standard",
        summary="SQuAD's token F1: words in common, each as often as both sides have it.",
        formula=(
            "2 P R / (P + R), P = common / |answer|, R = common / |reference|; 0 without a common word. Tokens: "
            "lower-cased, ASCII punctuation and the articles a, an, the removed, split at white space; "
            f"{OTHER_LETTERS_TOKENIZER}, casefolded, without punctuation."
        ),
        citation=_CITATION,
    ),
    note=tokenizer_note,
)
def standard(pair: Pair) -> Sequence[Value]:
    """Return F1 over SQuAD's normalised tokens, or over the words of `unicode-1`."""
    if pair.by_unicode:
        return (_f1(reference=pair.reference.unicode_words, answer=pair.answer.unicode_words),)
    return (_f1(reference=pair.reference.bare, answer=pair.answer.bare),)


@register(
    describe(
        "F1 Score",
        "published",
        summary="Token F1 on white-space tokens, lower-cased, nothing removed.",
        formula="2 P R / (P + R), P = common / |answer|, R = common / |reference|; 0 without a common token.",
        citation=_CITATION,
    )
)
def published(pair: Pair) -> Sequence[Value]:
    """Return F1 over lower-cased white-space tokens."""
    return (_f1(reference=pair.reference.plain_lower, answer=pair.answer.plain_lower),)


def _f1(*, reference: list[str], answer: list[str]) -> Value:
    if not reference and not answer:
        return "no_tokens"
    common = clipped_matches(count_ngrams(reference, 1), answer)
    if not common:
        return 0.0
    precision, recall = common / len(answer), common / len(reference)
    return 2 * precision * recall / (precision + recall)
