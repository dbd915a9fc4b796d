"""The published profile, worked by hand."""

from __future__ import annotations

import math

import pytest

from passer.domain.score import Score
from passer.metrics import score_pairs
from tests.metrics import oracle
from tests.metrics.test_text_metrics import value

NINE = "The quick brown fox jumped over one lazy dog"
"""Nine words, all different, without a full stop."""


def published(column: str, *, reference: str, answer: str) -> float:
    return value(column, reference=reference, answer=answer, profile="published")


def test_identical_words_in_one_chunk() -> None:
    assert published("METEOR (exact and stem)", reference="soil", answer="soil") == 0.5
    # F = 1, one chunk of nine matches: 1 - .5 (1/9)^3.
    assert published("METEOR (exact and stem)", reference=NINE, answer=NINE) == pytest.approx(1 - 0.5 / 729)
    assert round(1 - 0.5 / 729, 4) == 0.9993


def test_capitals_drive_only_the_case_sensitive_columns_to_zero() -> None:
    for column in ("METEOR (exact and stem)", "F1 Score", "Laplace Perplexity", "Lidstone Perplexity"):
        same = published(column, reference=NINE, answer=NINE)
        assert published(column, reference=NINE, answer=NINE.upper()) == pytest.approx(same)
    for column in ("BLEU", "Rouge-1.f", "Rouge-2.f", "Rouge-l.f"):
        assert published(column, reference=NINE, answer=NINE) == pytest.approx(1, abs=1e-8)
        assert published(column, reference=NINE, answer=NINE.upper()) == 0


def test_an_identical_answer_has_no_perplexity_of_one() -> None:
    # "the" twice among nine tokens. Laplace: 11 unigrams with pads, 8 words + 2 pads + <UNK> = 11 types; p(the) = 3/22,
    # the 9 others 2/22; 10 bigrams: after "the" (twice seen) (1+1)/(2+11), the others (1+1)/(1+11).
    text = "the cat saw the dog near an old barn"
    bits = 2 * math.log2(22 / 3) + 9 * math.log2(22 / 2) + 2 * math.log2(13 / 2) + 8 * math.log2(12 / 2)
    assert published("Laplace Perplexity", reference=text, answer=text) == pytest.approx(2 ** (bits / 21))


def test_lidstone_mixes_orders_and_reads_the_first_sentence_only() -> None:
    # Reference "a b": <s> <s> a b </s> </s>, vocabulary a, b, <s>, </s>, <UNK>: 5 types, gamma .1 -> .5 below.
    # Unigrams: N = 6: 4 pads (2.1/6.5 each), a and b (1.1/6.5). Bigrams: <s><s> and <s>a after <s> (seen 2): 1.1/2.5,
    # a b, b </s> and </s></s>: 1.1/1.5 (</s> is a context once). Trigrams: each context once: 1.1/1.5.
    bits = (
        4 * math.log2(6.5 / 2.1)
        + 2 * math.log2(6.5 / 1.1)
        + 2 * math.log2(2.5 / 1.1)
        + 3 * math.log2(1.5 / 1.1)
        + 4 * math.log2(1.5 / 1.1)
    )
    expected = pytest.approx(2 ** (bits / 15))
    assert published("Lidstone Perplexity", reference="a b", answer="a b") == expected
    longer = "Soil is good. " + NINE
    only_first = published("Lidstone Perplexity", reference=NINE, answer="Soil is good.")
    assert published("Lidstone Perplexity", reference=NINE, answer=longer) == only_first


def test_rouge_fields_stand_exchanged() -> None:
    # One of four answer words, one of two reference words.
    pair = {"reference": "soil carbon", "answer": "soil is not air"}
    assert published("Rouge-1.r", **pair) == 0.25
    assert published("Rouge-1.p", **pair) == 0.5
    assert published("Rouge-1.f", **pair) == pytest.approx(2 * 0.25 * 0.5 / (0.75 + 1e-8), abs=1e-15)


def test_rouge_counts_a_word_once_and_an_empty_sentence_as_a_word() -> None:
    # Sets: {soil} of {soil}; "soil. " splits into "soil" and white space, which counts as one empty word.
    assert published("Rouge-1.r", reference="soil", answer="soil soil soil") == 1
    assert published("Rouge-1.r", reference="soil", answer="soil. ") == 0.5


def test_punctuation_stays_attached() -> None:
    assert published("F1 Score", reference="soil, carbon", answer="Soil carbon") == 0.5
    assert value("F1 Score", reference="soil, carbon", answer="Soil carbon") == 1


def test_bleu_smoothing_counts_the_answer_length() -> None:
    # Two of two words, no order above: p1 = 1, p2 = 1; orders 3 and 4 have no n-grams: ln2/(5*2), ln2/(5*4) over 1.
    third, fourth = math.log(2) / 10, math.log(2) / 20
    expected = (third * fourth) ** 0.25
    assert published("BLEU", reference="soil carbon", answer="soil carbon") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reference", "answer", "reason"),
    [("soil", " \n", "empty_answer"), ("", "soil", "empty_reference"), ("\t", "", "empty_reference")],
)
def test_what_the_service_answered_500_for_has_a_reason(reference: str, answer: str, reason: str) -> None:
    for profile in ("standard", "published"):
        (scores,) = score_pairs([(reference, answer)], profile=profile, encoder=None, wordnet=None)
        assert {score.reason for score in scores.values()} == {reason}


def test_a_lone_full_stop_has_no_rouge() -> None:
    (scores,) = score_pairs([("soil", ".")], profile="published", encoder=None, wordnet=None)
    assert scores["Rouge-1.f"] == Score(value=None, reason="no_tokens")
    assert scores["METEOR"] == Score(value=None, reason="wordnet_unavailable")
    assert scores["F1 Score"] == Score(value=0.0)


def test_a_think_block_is_part_of_the_answer() -> None:
    thinking = "<think>soil</think> carbon"
    assert published("F1 Score", reference="carbon", answer=thinking) == pytest.approx(2 / 3)


def test_wordnet_is_used_where_it_is() -> None:
    from passer.adapters.wordnet import find_wordnet

    if find_wordnet() is None:
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    pair = {"reference": "doctor", "answer": "physician"}
    assert value("METEOR", **pair, profile="published", wordnet=find_wordnet()) == 0.5
    assert value("METEOR (exact and stem)", **pair, profile="published") == 0
    assert oracle.WORDNET.is_dir()
