"""English pairs of the published record: the text columns equal the libraries that they are named after."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from benchmarks.peers.texts import real_pairs
from passer.adapters.wordnet import find_wordnet
from passer.domain.texts.words import has_other_letters
from passer.metrics import score_pairs
from tests.metrics import oracle
from tests.metrics.test_text_metrics import ROUGE, _squad_f1, nltk_words

COLUMNS = ("METEOR", "BLEU", "F1 Score", *ROUGE)
Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def pairs(test_data: Path) -> Pairs:
    return real_pairs(test_data)


def check(pairs: Pairs, folder: Path) -> None:
    from nltk.translate.meteor_score import single_meteor_score
    from sacrebleu.metrics.bleu import BLEU

    if not oracle.WORDNET.is_dir():
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        synonyms = oracle.nltk_wordnet(folder)
    bleu, rouge = BLEU(effective_order=True), oracle.rouge_score()
    ours = score_pairs(pairs, profile="standard", encoder=None, wordnet=find_wordnet(oracle.WORDNET), columns=COLUMNS)
    for (reference, answer), scores in zip(pairs, ours, strict=True):
        words = [[word for sentence in nltk_words(text) for word in sentence] for text in (reference, answer)]
        theirs = [
            single_meteor_score(*words, wordnet=synonyms),
            bleu.sentence_score(answer, [reference]).score / 100,
            _squad_f1(reference, answer),
            *rouge(reference, answer),
        ]
        assert [scores[column].value for column in COLUMNS] == pytest.approx(theirs, abs=1e-9), reference
        assert {score.note for score in scores.values()} == {None}


def test_english_pairs_score_as_by_the_libraries(pairs: Pairs, tmp_path: Path) -> None:
    english = [pair for pair in pairs if not has_other_letters(pair[0])]
    check(random.Random(5).sample(english, 60), tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_all_english_pairs_score_as_by_the_libraries(pairs: Pairs, tmp_path: Path) -> None:
    check([pair for pair in pairs if not has_other_letters(pair[0])], tmp_path)


def test_few_references_of_the_record_hold_letters_beyond_ascii(pairs: Pairs) -> None:
    """Two Cyrillic look-alikes and an accent, by reading; all other references are for the libraries' tokenizers."""
    others = {reference for reference, _ in pairs if has_other_letters(reference)}
    assert len(others) == 3
