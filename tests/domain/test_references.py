"""Several right answers: which reference gives the value of each column, by hand."""

from __future__ import annotations

import hashlib
import json

import pytest
from pydantic import ValidationError

from passer.domain.bundle.question_record import question_digest
from passer.domain.dataset import Dataset, Question
from passer.domain.references import best_places, best_scores
from passer.domain.score import VECTOR_ORDER, Score, Scores


def row(**values: float) -> Scores:
    """Zero in every column but these; their names have underscores in place of other marks."""
    plain = {column.replace(" ", "_").replace("-", "_").replace(".", "_"): column for column in VECTOR_ORDER}
    scores = dict.fromkeys(VECTOR_ORDER, Score(value=0.0))
    return scores | {plain[name]: Score(value=value) for name, value in values.items()}


def test_each_metric_keeps_the_best_value_by_its_own_direction() -> None:
    first = row(METEOR=0.2, F1_Score=0.9, Laplace_Perplexity=5.0)
    second = row(METEOR=0.8, F1_Score=0.1, Laplace_Perplexity=3.0)
    kept = best_scores([first, second])
    found = [kept[column].value for column in ("METEOR", "F1 Score", "Laplace Perplexity", "BLEU")]
    assert found == [0.8, 0.9, 3.0, 0.0]
    assert best_places([first, second])["BLEU"] == 0, "the first of equal ones"


def test_precision_and_recall_are_those_of_the_reference_with_the_best_f1() -> None:
    # A word of two, in a reference of one word and in one of four: F1 is 2/3 and 1/3.
    short = row(Rouge_1_p=0.5, Rouge_1_r=1.0, Rouge_1_f=2 / 3)
    long = row(Rouge_1_p=0.5, Rouge_1_r=0.25, Rouge_1_f=1 / 3, Rouge_2_f=0.1)
    kept = best_scores([long, short])
    assert [kept[f"Rouge-1.{part}"].value for part in "rpf"] == [1.0, 0.5, 2 / 3]
    assert kept["Rouge-2.f"].value == 0.1, "other lengths of words in a row may have another reference"


def test_a_value_is_kept_where_only_one_reference_gives_any() -> None:
    none = dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="no_tokens"))
    assert best_scores([none, row(METEOR=0.0)])["METEOR"] == Score(value=0.0)
    empty = dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="empty_answer"))
    assert best_scores([none, empty])["METEOR"].reason == "no_tokens"


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def test_digests_contain_the_other_references_only_where_there_are_any() -> None:
    plain = {"id": "q", "text": "Who?", "reference": "Ann", "gold_passages": []}
    for more in ({}, {"other_references": ["Anna"]}):
        dataset = Dataset(name="d", questions=(Question(**(plain | more)),))
        assert dataset.digest == digest({"language": "en", "questions": [plain | more]})
    assert question_digest("q", "Who?", ("Ann",)) == digest(["q", "Who?", "Ann"])
    assert question_digest("q", "Who?", ("Ann", "Anna")) == digest(["q", "Who?", "Ann", ["Anna"]])


@pytest.mark.parametrize(
    ("reference", "others"), [("", ["Ann"]), ("Ann", ["Ann"]), ("Ann", ["x", "x"]), ("Ann", [""]), ("Ann", [])]
)
def test_references_that_say_the_same_or_nothing_are_refused(reference: str, others: list[str]) -> None:
    with pytest.raises(ValidationError):
        Question(id="q", text="Who?", reference=reference, other_references=others)
