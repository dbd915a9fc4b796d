"""A bundle of questions with several right answers: verified, scored again and compared with its dataset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.question_record import recorded_scores
from passer.domain.bundle.verification import Verification
from passer.domain.dataset import Dataset, Question
from passer.metrics import MetricScorer
from passer.services.provenance.bundle_verifier import BundleVerifier, Rescoring
from passer.services.provenance.bundle_writer import BundleWriter
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.fake_models import FakeChatModel
from tests.services.provenance.bundle_verifier.forging import Draft, Json, forged
from tests.services.study import Study

SCORER = MetricScorer(encoder=None, wordnet=None)
SAID = "clover fixes nitrogen"
QUESTIONS = (
    Question(id="a", text="what fixes nitrogen", reference="peas", other_references=("clover does", "bees")),
    Question(id="b", text="how far do bees fly", reference="clover fixes nitrogen"),
)


@pytest.fixture(scope="module")
def study() -> Study:
    study = Study(chat_model=FakeChatModel(lambda _: SAID), scorer=SCORER)
    study.store.save_dataset(Dataset(name="farm", questions=QUESTIONS))
    study.running.run(study.create(0.1).id)
    return study


def bundle_of(study: Study, *, texts: bool = True) -> bytes:
    [sweep] = study.store.list_sweeps(limit=1)
    writer = BundleWriter(study.manifest_builder, study.store.outbox, "local")
    with writer.bundle(sweep.runs[0].id, texts=texts) as stream:
        return stream.read()


def verified(bundle: bytes, dataset: Dataset | None = None) -> Verification:
    verifier = BundleVerifier(recorded_actions, expectation=Expectation(dataset=dataset), rescore=Rescoring(SCORER))
    return verifier.verify(bundle)


def outcome(found: Verification, name: str) -> str:
    return next(step.outcome for step in found.steps if step.name == name)


def changed(bundle: bytes, change: Callable[[Json], object]) -> bytes:
    """With another first record, and all digests made to fit."""

    def tamper(draft: Draft) -> None:
        change(draft.records[0])

    return forged(bundle, "records", tamper)


def test_it_is_verified_scored_again_and_is_the_whole_dataset(study: Study) -> None:
    found = verified(bundle_of(study))
    assert (found.verdict, outcome(found, "rescored"), outcome(found, "dataset")) == ("verified", "pass", "pass")
    own = Dataset(name="own", questions=QUESTIONS)
    assert outcome(verified(bundle_of(study), own), "dataset") == "pass"
    without = Dataset(name="own", questions=(QUESTIONS[0].model_copy(update={"other_references": None}), QUESTIONS[1]))
    assert outcome(verified(bundle_of(study), without), "dataset") == "fail"


def test_scores_of_the_first_reference_alone_are_found(study: Study) -> None:
    [alone] = SCORER.score([(QUESTIONS[0].reference, SAID)], profile="standard")

    def lower(record: Json) -> None:
        record["scores"], record["missing"], record["notes"] = recorded_scores(alone)

    assert outcome(verified(changed(bundle_of(study), lower)), "rescored") == "fail"
    left_out = changed(bundle_of(study), lambda record: record.pop("other_references"))
    found = verified(left_out)
    assert (outcome(found, "rescored"), outcome(found, "dataset")) == ("fail", "not_checked")


@needs_node
def test_both_verifiers_agree_on_every_kind(study: Study, tmp_path: Path) -> None:
    bundle = bundle_of(study)
    bundles = [
        bundle,
        bundle_of(study, texts=False),
        changed(bundle, lambda record: record.pop("other_references")),
        changed(bundle, lambda record: record["other_references"].append("beans")),
        changed(bundle, lambda record: record.update(other_references=[])),
        changed(bundle, lambda record: record.update(other_references="clover")),
        changed(bundle, lambda record: record.update(other_references=[f"{n}" for n in range(201)])),
        changed(bundle_of(study, texts=False), lambda record: record.update(other_references=["clover"])),
    ]
    ours = [BundleVerifier(recorded_actions).verify(each) for each in bundles]
    theirs = by_the_browser(bundles, tmp_path)
    for number, (own, other) in enumerate(zip(ours, theirs, strict=True)):
        assert other is not None
        assert other["verdict"] == own.verdict, number
        assert other["steps"] == [step_of(step) for step in own.steps], number
    assert [each.verdict for each in ours[:4]] == ["verified"] * 4
    assert {each.verdict for each in ours[4:]} == {"not verified"}
    assert "clover" not in bundles[1].decode(errors="ignore")
