"""BLEU: clipped n-gram precision with a brevity penalty."""

from __future__ import annotations

import math
from collections.abc import Sequence

from passer.domain.score import Citation
from passer.domain.texts.words import UNICODE_1
from passer.metrics.pair import Pair, Text
from passer.metrics.registry import Value, describe, register, tokenizer_note
from passer.metrics.tokens import NgramCounts, clipped_matches_by_order, count_ngrams

SIGNATURE = "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"
"""sacreBLEU's signature of the `standard` definition."""

_ORDERS = (1, 2, 3, 4)
_PAPINENI = "Papineni, K. et al. (2002). BLEU: a method for automatic evaluation of machine translation. ACL. "


@register(
    describe(
        "BLEU",
        "standard",
        summary="Sentence BLEU as sacreBLEU defines it, between 0 and 1.",
        formula=(
            "BP exp(mean over n of ln p_n), n = 1..min(4, |answer|); p_n = clipped matches / n-grams of the answer; "
            "the k-th n without a match counts 1 / 2^k matches; BP = min(1, exp(1 - |reference| / |answer|)); "
            f"0 without any match. sacreBLEU signature {SIGNATURE}; tok:{UNICODE_1} where the reference holds a letter "
            "beyond ASCII."
        ),
        citation=Citation(
            text=_PAPINENI + "Post, M. (2018). A call for clarity in reporting BLEU scores. WMT.",
            url="https://aclanthology.org/W18-6319/",
        ),
    ),
    note=tokenizer_note,
)
def standard(pair: Pair) -> Sequence[Value]:
    """Return sentence BLEU with exponential smoothing and effective order."""
    words, counts = (_by_unicode, _unicode_counts) if pair.by_unicode else (_by_13a, _13a_counts)
    reference, answer = words(pair.reference), words(pair.answer)
    if not reference and not answer:
        return ("no_tokens",)
    matches = clipped_matches_by_order(pair.reference.once(counts), answer)
    if not any(matches):
        return (0.0,)
    logs, missing = [], 0
    for order, found in zip(_ORDERS, matches, strict=True):
        total = len(answer) - order + 1
        if total <= 0:
            break
        missing += not found
        logs.append(math.log((found or 0.5**missing) / total))
    return (_brevity(reference=len(reference), answer=len(answer)) * math.exp(math.fsum(logs) / len(logs)),)


@register(
    describe(
        "BLEU",
        "published",
        summary="Sentence BLEU of white-space tokens, case-sensitive, by NLTK with smoothing method 4.",
        formula=(
            "BP exp(sum over n = 1..4 of ln(p_n) / 4); p_n = clipped matches / max(1, n-grams of the answer); the k-th "
            "n without a match counts ln|answer| / (5 2^k) matches (if |answer| > 1, else it is left out); "
            "BP = min(1, exp(1 - |reference| / |answer|)); 0 if no word matches."
        ),
        citation=Citation(
            text=_PAPINENI + "Chen, B. and Cherry, C. (2014). A systematic comparison of smoothing techniques for "
            "sentence-level BLEU. WMT.",
            url="https://aclanthology.org/W14-3346/",
        ),
    )
)
def published(pair: Pair) -> Sequence[Value]:
    """Return NLTK's sentence_bleu with smoothing method 4."""
    reference, answer = pair.reference.plain, pair.answer.plain
    matches = clipped_matches_by_order(pair.reference.counts_plain, answer)
    if not matches[0]:
        return (0.0,)
    logs, missing = [], 0
    for order, found in zip(_ORDERS, matches, strict=True):
        total = max(1, len(answer) - order + 1)
        if found:
            logs.append(0.25 * math.log(found / total))
        elif len(answer) > 1:
            missing += 1
            logs.append(0.25 * math.log(math.log(len(answer)) / (5 * 2**missing) / total))
    return (_brevity(reference=len(reference), answer=len(answer)) * math.exp(math.fsum(logs)),)


def _by_13a(text: Text) -> list[str]:
    return text.international


def _by_unicode(text: Text) -> list[str]:
    return text.unicode_tokens


def _13a_counts(text: Text) -> list[NgramCounts]:
    return [count_ngrams(text.international, order) for order in _ORDERS]


def _unicode_counts(text: Text) -> list[NgramCounts]:
    return [count_ngrams(text.unicode_tokens, order) for order in _ORDERS]


def _brevity(*, reference: int, answer: int) -> float:
    return 1.0 if answer >= reference else math.exp(1 - reference / answer)
