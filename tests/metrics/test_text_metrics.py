"""The text-only columns agree with the libraries that define them, on every pair."""

from __future__ import annotations

import re
import string
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from passer.adapters.wordnet import find_wordnet
from passer.domain.references import best_scores
from passer.domain.score import VECTOR_ORDER, VectorProfile
from passer.metrics import EXACT_AND_STEM, METEOR, MetricScorer, infos, score_pairs
from passer.metrics.meteor import _stemmed
from passer.metrics.sentences import split_published, split_sentences
from tests.metrics import oracle
from tests.metrics.texts import PAIRS

ROUGE = tuple(f"Rouge-{kind}.{field}" for kind in "12l" for field in "rpf")
WORDS = st.sampled_from(
    ["the", "cat", "Cat", "sat.", "runs", "running", "car", "automobile", "a", "on,", ".", "3.5", "it's"]
)
# Of Porter's paper (1980), whatever the step.
ENDINGS = (
    "s", "sses", "ies", "ss", "eed", "ed", "ing", "at", "bl", "iz", "y", "ational", "tional", "enci", "anci",
    "izer", "abli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness",
    "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical", "ful",
    "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll",
)  # fmt: skip
sentences = st.lists(WORDS, min_size=1, max_size=25).map(" ".join).filter(lambda text: bool(text.strip(". ")))
many = settings(max_examples=150)


def value(
    column: str, *, reference: str, answer: str, profile: VectorProfile = "standard", wordnet: Any = None
) -> float:
    (scores,) = score_pairs([(reference, answer)], profile=profile, encoder=None, wordnet=wordnet, columns=(column,))
    found = scores[column].value
    assert found is not None, scores[column].reason
    return found


def values(columns: Sequence[str], *, reference: str, answer: str, profile: VectorProfile) -> list[float]:
    (scores,) = score_pairs([(reference, answer)], profile=profile, encoder=None, wordnet=None, columns=columns)
    return [score.value if score.value is not None else float("inf") for score in scores.values()]


def nltk_words(text: str, *, published: bool = False) -> list[list[str]]:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    split = split_published if published else split_sentences
    return [NLTKWordTokenizer().tokenize(sentence.lower()) for sentence in split(text)]


@pytest.fixture(scope="module")
def nltk_reader(tmp_path_factory: pytest.TempPathFactory) -> Any:
    if not oracle.WORDNET.is_dir():
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return oracle.nltk_wordnet(tmp_path_factory.mktemp("wordnet"))


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_meteor_is_nltks(nltk_reader: Any, reference: str, answer: str) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    wordnet = find_wordnet(oracle.WORDNET)
    flat = [[word for sentence in nltk_words(text) for word in sentence] for text in (reference, answer)]
    standard = single_meteor_score(flat[0], flat[1], wordnet=nltk_reader)
    published = single_meteor_score(reference.split(), answer.split(), wordnet=nltk_reader)
    assert value(METEOR, reference=reference, answer=answer, wordnet=wordnet) == pytest.approx(standard, abs=1e-6)
    assert value(METEOR, reference=reference, answer=answer, wordnet=wordnet, profile="published") == pytest.approx(
        published, abs=1e-6
    )


def test_the_best_meteor_of_several_references_is_nltks(nltk_reader: Any) -> None:
    from nltk.translate.meteor_score import meteor_score

    answer, references = "the physician bought a car", ["a doctor", "the doctor bought an automobile", "nobody"]
    cut = [[word for sentence in nltk_words(text) for word in sentence] for text in (answer, *references)]
    scorer = MetricScorer(encoder=None, wordnet=find_wordnet(oracle.WORDNET))
    rows = scorer.score([(each, answer) for each in references], profile="standard")
    expected = meteor_score(cut[1:], cut[0], wordnet=nltk_reader)
    assert best_scores(rows)["METEOR"].value == pytest.approx(expected, abs=1e-6)


def test_synonyms_are_what_wordnet_adds() -> None:
    if not oracle.WORDNET.is_dir():
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    pair = {"reference": "the doctor bought an automobile", "answer": "the physician bought a car"}
    # "the" and "bought" match exactly: F = 2/5, two chunks of two matches, so (1 - .5) 2/5. With doctor-physician three
    # words match in one chunk: (1 - .5 / 27) 3/5. "automobile" stays: its stem "automobil" is no synonym of "car".
    assert value(EXACT_AND_STEM, **pair) == pytest.approx(0.2)
    assert value(METEOR, **pair, wordnet=find_wordnet(oracle.WORDNET)) == pytest.approx(0.6 * (1 - 0.5 / 27))


class _NoSynonyms:
    def synsets(self, word: str) -> list[Any]:
        return []


@many
@given(
    st.sampled_from(("relat", "digit", "control", "hopef", "valu", "analog", "sensit", "geol", "a", "th")),
    st.lists(st.sampled_from(ENDINGS), max_size=3),
)
def test_stems_are_those_of_nltk(start: str, endings: list[str]) -> None:
    word = start + "".join(endings)
    assert _stemmed(word) == PorterStemmer().stem(word)


@many
@given(sentences, sentences)
def test_exact_and_stem_variant_is_meteor_without_synonyms(reference: str, answer: str) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    expected = single_meteor_score(reference.split(), answer.split(), wordnet=_NoSynonyms())
    found = value(EXACT_AND_STEM, reference=reference, answer=answer, profile="published")
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_bleu_is_sacrebleus(reference: str, answer: str) -> None:
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(effective_order=True)
    expected = metric.sentence_score(answer, [reference]).score / 100
    assert value("BLEU", reference=reference, answer=answer) == pytest.approx(expected, abs=1e-6)


@many
@given(sentences, sentences)
def test_published_bleu_is_nltks(reference: str, answer: str) -> None:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    expected = sentence_bleu(
        [reference.split()], answer.split(), smoothing_function=SmoothingFunction().method4, weights=(0.25,) * 4
    )
    found = value("BLEU", reference=reference, answer=answer, profile="published")
    assert found == pytest.approx(float(expected), abs=1e-6)


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_rouge_is_rouge_scores(reference: str, answer: str) -> None:
    found = values(ROUGE, reference=reference, answer=answer, profile="standard")
    assert found == pytest.approx(oracle.rouge_score()(reference, answer), abs=1e-6)


@many
@given(sentences, sentences)
def test_rouge_is_rouge_scores_on_anything(reference: str, answer: str) -> None:
    expected = oracle.rouge_score()(reference, answer)
    (scores,) = score_pairs([(reference, answer)], profile="standard", encoder=None, wordnet=None, columns=ROUGE)
    assert [score.value or 0.0 for score in scores.values()] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_published_rouge_is_the_package_with_sides_exchanged(reference: str, answer: str) -> None:
    _check_published_rouge(reference, answer)


@many
@given(sentences, sentences)
def test_published_rouge_on_anything(reference: str, answer: str) -> None:
    _check_published_rouge(reference, answer)


def _check_published_rouge(reference: str, answer: str) -> None:
    from rouge import Rouge

    result = Rouge().get_scores(reference, answer)[0]
    expected = [result[kind][field] for kind in ("rouge-1", "rouge-2", "rouge-l") for field in "rpf"]
    found = values(ROUGE, reference=reference, answer=answer, profile="published")
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_perplexities_are_nltks(reference: str, answer: str) -> None:
    from nltk.lm import Laplace, Lidstone

    train, test = nltk_words(reference), nltk_words(answer)
    laplace = oracle.perplexity(Laplace(2), train=train, test=test, orders=(2,))
    lidstone = oracle.perplexity(Lidstone(0.1, 3), train=train, test=test, orders=(3,))
    assert value("Laplace Perplexity", reference=reference, answer=answer) == pytest.approx(laplace, rel=1e-6)
    assert value("Lidstone Perplexity", reference=reference, answer=answer) == pytest.approx(lidstone, rel=1e-6)


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_published_perplexities_are_nltks(reference: str, answer: str) -> None:
    from nltk.lm import Laplace, Lidstone

    train = nltk_words(reference, published=True)
    whole = [word for sentence in nltk_words(answer.lower(), published=True) for word in sentence]
    first = nltk_words(answer, published=True)[:1]
    laplace = oracle.perplexity(Laplace(2), train=train, test=[whole], orders=(1, 2))
    lidstone = oracle.perplexity(Lidstone(0.1, 3), train=train, test=first, orders=(1, 2, 3))
    pair = {"reference": reference, "answer": answer}
    assert value("Laplace Perplexity", **pair, profile="published") == pytest.approx(laplace, rel=1e-6)
    assert value("Lidstone Perplexity", **pair, profile="published") == pytest.approx(lidstone, rel=1e-6)


def _squad_f1(reference: str, answer: str) -> float:
    """As SQuAD's evaluation script states it."""

    def cut(text: str) -> list[str]:
        bare = "".join(char for char in text.lower() if char not in set(string.punctuation))
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    gold, given_ = cut(reference), cut(answer)
    same = sum((Counter(gold) & Counter(given_)).values())
    return 2 * same / (len(gold) + len(given_)) if same else 0.0


@pytest.mark.parametrize(("reference", "answer"), PAIRS)
def test_f1_is_squads(reference: str, answer: str) -> None:
    assert value("F1 Score", reference=reference, answer=answer) == pytest.approx(_squad_f1(reference, answer))


def test_every_column_describes_itself(tmp_path: Path) -> None:
    for profile in ("standard", "published"):
        described = infos(profile)
        assert [info.name for info in described] == [*VECTOR_ORDER, EXACT_AND_STEM]
        assert all(info.profile == profile and info.citation.url.startswith("https://") for info in described)
