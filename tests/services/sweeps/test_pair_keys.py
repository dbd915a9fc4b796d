"""The content address of a scored pair: two scorers never share a score."""

from __future__ import annotations

import hashlib
import json

from tests.fakes import FakeScorer
from tests.services.study import Study


def pair_keys(identity: dict[str, str]) -> dict[tuple[str, int], str | None]:
    study = Study(scorer=FakeScorer(identity))
    sweep = study.running.run(study.create(0.1).id)
    return {(run.id, e.number): e.pair_key for run in sweep.runs for e in study.store.evaluations(run.id)}


def test_a_pair_key_contains_the_scorers_identity():
    one = pair_keys({"encoder": "a", "meteor": "wordnet"})
    same = pair_keys({"meteor": "wordnet", "encoder": "a"})
    other = pair_keys({"encoder": "b", "meteor": "wordnet"})
    assert one == same
    assert one.keys() == other.keys()
    assert not set(one.values()) & set(other.values())


def test_a_pair_key_is_the_digest_of_profile_scorer_reference_and_answer():
    study = Study(scorer=FakeScorer({"encoder": "a"}))
    sweep = study.running.run(study.create(0.1).id)
    evaluation = study.store.evaluations(sweep.runs[0].id)[0]
    answer = study.store.answers([evaluation.answer_key or ""])[evaluation.answer_key or ""]
    reference = study.store.load_dataset("farm").questions[0].reference
    # RFC 8785 by hand: members sorted, no spaces; these texts are plain ASCII.
    parts = {"answer": answer.text, "by": {"encoder": "a"}, "profile": "standard", "reference": reference}
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    assert evaluation.pair_key == hashlib.sha256(canonical.encode()).hexdigest()
