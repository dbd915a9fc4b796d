"""Scores computed again from the recorded texts: honest ones are equal, raised ones are found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passer.adapters.wordnet import find_wordnet
from passer.antelope.format.entries import recorded_actions
from passer.domain.bundle.question_record import recorded_scores
from passer.domain.bundle.verification import Step, Verification
from passer.domain.score import VECTOR_ORDER
from passer.metrics import MetricScorer
from passer.ports import Scorer
from passer.services.provenance.bundle_verifier import BundleVerifier, Rescoring
from tests.bundles import MadeRun
from tests.fakes import FakeScorer
from tests.services.provenance.bundle_verifier.forging import Draft, Json, forged

TEXT_COLUMNS = (*VECTOR_ORDER[:13], "F1 Score")


def scored_by(scorer: Scorer, change: Callable[[Json], object] = lambda record: None) -> bytes:
    """A bundle of 60 questions whose scores that scorer computed; `change` is made before anything follows from it."""

    def score(draft: Draft) -> None:
        draft.manifest["scored_by"] = dict(scorer.identity)
        for record in draft.records:
            if record["state"] == "scored":
                [scores] = scorer.score([(record["reference"], record["answer"])], profile="standard")
                record["scores"], record["missing"], record["notes"] = recorded_scores(scores)
                change(record)

    return forged(MadeRun(questions=60).bundle("local"), "records", score)


def rescored(bundle: bytes, scorer: Scorer) -> tuple[Verification, Step]:
    found = BundleVerifier(recorded_actions, rescore=Rescoring(scorer)).verify(bundle)
    return found, next(step for step in found.steps if step.name == "rescored")


@pytest.fixture(scope="module")
def texts() -> MetricScorer:
    return MetricScorer(encoder=None, wordnet=find_wordnet(None))


def raised(record: Json) -> None:
    """By .2, as far as the metric's range allows: no value is impossible."""
    for column in ("METEOR", "F1 Score", "Rouge-l.f"):
        if record["scores"][column] is not None:
            record["scores"][column] = min(record["scores"][column] + 0.2, 1)


def test_honest_scores_are_equal(texts: MetricScorer):
    found, step = rescored(scored_by(texts), texts.fresh())
    assert (found.verdict, step.outcome, found.unconfirmed) == ("verified", "pass", ())


def test_raised_scores_are_found_though_everything_else_fits(texts: MetricScorer):
    bundle = scored_by(texts, raised)
    assert not BundleVerifier(recorded_actions).verify(bundle).failed, "digests cannot tell"
    found, step = rescored(bundle, texts.fresh())
    assert [one.name for one in found.failed] == ["rescored"]
    assert (step.member, step.number) == ("questions.jsonl", 0)
    assert "more questions differ" in step.detail


def test_a_single_value_and_a_reason_are_found(texts: MetricScorer):
    def bleu(record: Json) -> None:
        record["scores"]["BLEU"] += 1e-8 if record["number"] == 3 else 0

    assert rescored(scored_by(texts, bleu), texts.fresh())[1].number == 3

    def reason(record: Json) -> None:
        if record["number"] == 4:
            record["missing"] = dict.fromkeys(record["missing"], "too_long")

    assert rescored(scored_by(texts, reason), texts.fresh())[1].number == 4


def test_what_another_scorer_computed_is_not_compared():
    """Another release of BLEU, or another encoder: its columns are named, the others compared."""
    ours = {"bleu": "2.6.0", "rouge_tokenizer": "a", "meteor": "w", "encoder_digest": "e"}
    other = FakeScorer(ours | {"bleu": "2.5.0", "encoder_digest": "f"})

    def change(record: Json) -> None:
        record["scores"]["BLEU"] = 0.75
        record["scores"]["Cosine similarity"] = 0.75

    _, step = rescored(scored_by(FakeScorer(ours), change), other)
    assert step.outcome == "pass"
    assert "another one: BLEU, Cosine similarity" in step.detail
    assert "F1 Score" not in step.detail
    _, step = rescored(
        scored_by(FakeScorer(ours)), FakeScorer(dict.fromkeys((*ours, "other_letters", "word_tokenizer"), ""))
    )
    assert step.outcome == "not_checked"


@pytest.mark.parametrize(
    ("column", "by", "outcome"),
    [("Bert-Score.f1", 5e-5, "pass"), ("Bert-Score.f1", 2e-4, "fail"), ("F1 Score", 1e-10, "pass"),
     ("F1 Score", 5e-5, "fail")],
)  # fmt: skip
def test_encoders_may_differ_by_a_ten_thousandth_between_machines(column: str, by: float, outcome: str):
    def change(record: Json) -> None:
        if record["scores"][column] is not None:
            record["scores"][column] += by

    assert rescored(scored_by(FakeScorer(), change), FakeScorer())[1].outcome == outcome
