"""The best over several references, against what the field's own programs compute for a list of them."""

from __future__ import annotations

import re
import string
from collections import Counter

import pytest

from passer.adapters.wordnet import find_wordnet
from passer.domain.references import best_scores
from passer.domain.score import Scores
from passer.metrics import MetricScorer

CASES = [
    ("Denver Broncos", ["Denver Broncos", "The Broncos", "the Denver Broncos of the AFC"]),
    ("It was the Broncos who won", ["Denver Broncos", "Broncos", "the Broncos won the game"]),
    ("in the tenth century", ["10th century", "the first half of the 10th century", "10th"]),
    ("copper is limited to 28 kilograms", ["28 kg", "28 kilograms in seven years", "four kilograms a year"]),
    ("nobody knows", ["Ada Lovelace", "Lovelace"]),
]


def best(answer: str, references: list[str]) -> Scores:
    scorer = MetricScorer(encoder=None, wordnet=find_wordnet(None))
    return best_scores(scorer.score([(each, answer) for each in references], profile="standard"))


def squad_f1(prediction: str, truths: list[str]) -> float:
    """The evaluation script of SQuAD 1.1: normalize_answer, f1_score, metric_max_over_ground_truths."""

    def tokens(text: str) -> list[str]:
        text = "".join(each for each in text.lower() if each not in set(string.punctuation))
        return re.sub(r"\b(a|an|the)\b", " ", text).split()

    def f1(truth: str) -> float:
        said, wanted = tokens(prediction), tokens(truth)
        same = sum((Counter(said) & Counter(wanted)).values())
        if same == 0:
            return 0.0
        precision, recall = same / len(said), same / len(wanted)
        return 2 * precision * recall / (precision + recall)

    return max(map(f1, truths))


@pytest.mark.parametrize(("answer", "references"), CASES)
def test_f1_is_that_of_squads_evaluation(answer: str, references: list[str]) -> None:
    assert best(answer, references)["F1 Score"].value == pytest.approx(squad_f1(answer, references), abs=1e-12)


@pytest.mark.parametrize(("answer", "references"), CASES)
def test_rouge_is_rouge_scores_over_several_targets(answer: str, references: list[str]) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    expected = RougeScorer(["rouge1", "rouge2", "rougeL"]).score_multi(references, answer)
    scores = best(answer, references)
    for kind, name in (("rouge1", "Rouge-1"), ("rouge2", "Rouge-2"), ("rougeL", "Rouge-l")):
        found = [scores[f"{name}.{part}"].value for part in "prf"]
        assert found == pytest.approx(list(expected[kind]), abs=1e-6), kind


@pytest.mark.parametrize(("answer", "references"), CASES)
def test_bleu_is_the_best_of_sacrebleus_sentences(answer: str, references: list[str]) -> None:
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True)
    expected = max(bleu.sentence_score(answer, [each]).score for each in references) / 100
    assert best(answer, references)["BLEU"].value == pytest.approx(expected, abs=1e-6)
