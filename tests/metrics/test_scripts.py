"""The text columns of `standard` in every script, against independent programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passer.adapters.encoders.encoder import embedded_encoder
from passer.adapters.wordnet import find_wordnet
from passer.domain.score import Score
from passer.domain.texts.words import has_other_letters, other_scripts, unicode_pieces, unicode_words
from passer.metrics import DEFINITIONS, score_pairs
from passer.metrics.judged.parts import is_from, keywords
from tests.metrics import oracle, scripts

TEXT = (
    "METEOR", "BLEU", *(f"Rouge-{kind}.{field}" for kind in "12l" for field in "rpf"),
    "Laplace Perplexity", "Lidstone Perplexity", "F1 Score",
)  # fmt: skip
ROUGE = TEXT[2:11]
SCRIPTS = list(scripts.ONE_WORD)
CLUSTERS = sorted(
    {c for pair in scripts.ONE_WORD.values() for text in pair for c in scripts.clusters(text) if c[0].isalpha()}
)
mixed = st.lists(st.sampled_from([*CLUSTERS, *" .,:;'\"()“”_-", "1", "ab"]), max_size=20).map("".join)


def scored(reference: str, answer: str, *, language: str = "en", columns: tuple[str, ...] = TEXT) -> dict[str, Score]:
    (scores,) = score_pairs(
        [(reference, answer)],
        profile="standard",
        encoder=None,
        wordnet=find_wordnet(oracle.WORDNET),
        columns=columns,
        language=language,
    )
    return dict(scores)


def values(reference: str, answer: str) -> dict[str, float]:
    return {column: score.value or 0.0 for column, score in scored(reference, answer).items()}


@settings(max_examples=500)
@given(mixed)
def test_tokens_are_those_that_uniseg_cuts(text: str) -> None:
    pieces = unicode_pieces(text)
    assert [piece.text for piece in pieces] == scripts.tokens(text, fold=False, punctuation=True)
    assert [p.text for p in pieces if p.is_word] == scripts.tokens(text, fold=False, punctuation=False)
    assert unicode_words(text) == [word.casefold() for word in scripts.tokens(text, fold=False, punctuation=False)]


@pytest.mark.parametrize("script", SCRIPTS)
def test_identical_texts_have_the_highest_score(script: str) -> None:
    text, _ = scripts.ONE_WORD[script]
    found = values(text, text)
    matched = len(scripts.tokens(text, fold=True, punctuation=True))
    assert found["METEOR"] == pytest.approx(1 - 0.5 / matched**3)
    assert [found[column] for column in ("BLEU", "F1 Score", *ROUGE)] == pytest.approx([1] * 11)


@pytest.mark.parametrize("script", SCRIPTS)
def test_one_word_changed_lowers_every_score_and_raises_the_perplexities(script: str) -> None:
    text, changed = scripts.ONE_WORD[script]
    same, other = values(text, text), values(text, changed)
    for column in TEXT:
        assert other[column] > same[column] if "Perplexity" in column else other[column] < same[column], column


@pytest.mark.parametrize("script", SCRIPTS)
def test_rouge_is_rouge_scores_over_the_tokens_of_uniseg(script: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    reference, answer = scripts.ONE_WORD[script]
    result = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=scripts.Tokenizer()).score(reference, answer)
    expected = [part for each in result.values() for part in (each.recall, each.precision, each.fmeasure)]
    found = values(reference, answer)
    assert [found[column] for column in ROUGE] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("script", SCRIPTS)
def test_bleu_is_sacrebleus_over_the_tokens_of_uniseg(script: str) -> None:
    from sacrebleu.metrics.bleu import BLEU

    reference, answer = (" ".join(scripts.tokens(t, fold=False, punctuation=True)) for t in scripts.ONE_WORD[script])
    expected = BLEU(effective_order=True, tokenize="none", force=True).sentence_score(answer, [reference]).score / 100
    assert values(*scripts.ONE_WORD[script])["BLEU"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("script", SCRIPTS)
def test_bleu_is_near_sacrebleus_own_tokenizers(script: str) -> None:
    from sacrebleu.metrics.bleu import BLEU

    reference, answer = scripts.ONE_WORD[script]
    nearest = {
        "Han": "zh",
        "mixed": "zh",
        "Kana": "char",
        "Thai": "char",
        "Lao": "char",
        "Khmer": "char",
        "Myanmar": "char",
    }
    metric = BLEU(effective_order=True, tokenize=nearest.get(script, "intl"), force=True)
    theirs = metric.sentence_score(answer, [reference]).score / 100
    # `char` counts combining marks as characters, so that more is alike; `intl` cuts "2018/848" as unicode-1 does.
    assert values(reference, answer)["BLEU"] == pytest.approx(theirs, abs=0.2)


@pytest.mark.parametrize("script", SCRIPTS)
def test_meteor_is_nltks_with_equal_words_only(script: str) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    reference, answer = scripts.ONE_WORD[script]
    cut = [scripts.tokens(text, fold=True, punctuation=True) for text in (reference, answer)]
    expected = single_meteor_score(*cut, preprocess=str, stemmer=scripts.NoStems(), wordnet=scripts.NoSynonyms())
    score = scored(reference, answer)["METEOR"]
    assert (score.value, score.note) == (pytest.approx(expected, abs=1e-9), "meteor_exact")


@pytest.mark.parametrize("script", SCRIPTS)
def test_f1_and_perplexities_are_those_of_the_tokens_of_uniseg(script: str) -> None:
    from nltk.lm import Laplace

    reference, answer = scripts.ONE_WORD[script]
    theirs, ours = (Counter(scripts.tokens(text, fold=True, punctuation=False)) for text in (reference, answer))
    found = values(reference, answer)
    assert found["F1 Score"] == pytest.approx(2 * (theirs & ours).total() / (theirs.total() + ours.total()))
    train, test = ([scripts.tokens(text, fold=True, punctuation=True)] for text in (reference, answer))
    if script != "Kana":  # Two sentences; the others hold one.
        expected = oracle.perplexity(Laplace(2), train=train, test=test, orders=(2,))
        assert found["Laplace Perplexity"] == pytest.approx(expected)


def test_a_sentence_ends_at_the_full_stop_of_any_script() -> None:
    from nltk.lm import Laplace

    sentences = [scripts.tokens(text, fold=True, punctuation=True) for text in ("水は青い。", "土は黒い。")]
    expected = oracle.perplexity(Laplace(2), train=sentences, test=sentences[:1], orders=(2,))
    assert values("水は青い。土は黒い。", "水は青い。")["Laplace Perplexity"] == pytest.approx(expected)


def test_the_reference_alone_decides() -> None:
    notes = {column: score.note for column, score in scored("Почвата пази водата", "water").items()}
    assert notes == {column: "meteor_exact" if column == "METEOR" else "unicode-1" for column in TEXT}
    assert {score.note for score in scored("Soil holds water", "Почвата пази “водата”").values()} == {None}


def test_a_word_with_another_letter_is_one_token_against_a_reference_in_ascii() -> None:
    # naïve, β, carotene: rouge-score would make na, ve and carotene of them.
    found = values("carotene na", "naïve β-carotene")
    assert (found["Rouge-1.r"], found["Rouge-1.p"]) == (1 / 2, 1 / 3)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("25 °C – “CO₂”, ½ ☀️", False),
        ("naïve", True),
        ("cafe\u0301", True),
        ("٤٢", True),
        ("µm", True),
        ("plain", False),
    ],
)
def test_letters_and_digits_beyond_ascii_count_and_signs_do_not(text: str, other: bool) -> None:
    assert has_other_letters(text) is other


def test_composed_and_decomposed_texts_are_the_same() -> None:
    assert values("Đất cát ẩm", "Đa\u0302\u0301t ca\u0301t â\u0309m")["F1 Score"] == 1


def test_stems_and_synonyms_are_of_english() -> None:
    if not oracle.WORDNET.is_dir():
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    pair = "the automobile runs", "a car running"
    english, german = scored(*pair), scored(*pair, language="de-AT")
    assert english["METEOR"].value
    assert english["METEOR"].note is None
    # No two words of the pair are equal.
    assert (german["METEOR"].value, german["METEOR"].note) == (0.0, "meteor_exact")
    assert {name: score for name, score in german.items() if name != "METEOR"} == {
        name: score for name, score in english.items() if name != "METEOR"
    }


def test_scripts_are_named_by_how_many_texts_hold_them() -> None:
    assert other_scripts(["Почвата", "почвата и 水", "soil", "“x” β"]) == ("Cyrillic", "Greek", "Han")


def test_the_tokenizer_is_named_in_the_identity() -> None:
    assert DEFINITIONS["other_letters"].startswith("unicode-1 where the reference holds a letter")


@pytest.fixture(scope="module")
def encoder() -> Any:
    return embedded_encoder()


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("ดินเค็มทำให้ข้าวเติบโตช้า", "ข้าวโตช้าเพราะดินเค็ม"),
        ("ดินเค็มทำให้ข้าวเติบโตช้า", "The soil is salty."),
        ("a" * 5000, "b" * 5000),
    ],
)
def test_texts_that_the_encoder_does_not_know_have_no_encoder_scores(encoder: Any, reference: str, answer: str) -> None:
    (scores,) = score_pairs([(reference, answer)], profile="standard", encoder=encoder, wordnet=None)
    unknown = {name for name, score in scores.items() if score.reason == "unknown_script"}
    assert unknown == {name for name in scores if name.startswith(("Cosine", "Pearson", "Bert", "B-RT"))}


def test_the_published_profile_scores_unknown_texts_as_the_service_did(encoder: Any) -> None:
    (scores,) = score_pairs([("a" * 5000, "b" * 5000)], profile="published", encoder=encoder, wordnet=None)
    assert scores["Cosine similarity"].value == pytest.approx(1)


def test_a_few_unknown_words_do_not_matter(encoder: Any) -> None:
    text = "The soil of the field is called ดิน in Thai and holds water."
    (scores,) = score_pairs([(text, text)], profile="standard", encoder=encoder, wordnet=None)
    assert scores["Cosine similarity"].value == pytest.approx(1)


def test_a_fact_in_a_script_without_spaces_is_from_its_text_or_invented() -> None:
    # Subject, predicate and object: 工蜂, 酿造, 蜂蜜 are three of three pairs; of 奶牛, 产, 牛奶 none is there.
    source = keywords("工蜂一生大约能酿造一茶匙蜂蜜。")
    assert is_from("工蜂 酿造 蜂蜜", source)
    assert not is_from("奶牛 产 牛奶", source)
    thai = keywords("ผึ้งงานผลิตน้ำผึ้งได้หนึ่งช้อนชา")
    assert is_from("ผึ้งงาน ผลิต น้ำผึ้ง", thai)
    assert not is_from("วัวนม ดื่ม น้ำแปดสิบลิตร", thai)
