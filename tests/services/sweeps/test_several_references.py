"""Sweeps over questions with several right answers: pairs are shared, and each score is the best one."""

from __future__ import annotations

import hashlib
import json

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.sweeps.run import Evaluation
from passer.domain.timing.times import TimingPlan
from passer.ports import StoredSweep
from passer.services.analysis.sweep_analysis import analyse
from passer.services.runs.run_browser import RunBrowser
from tests.analysis_rows import sweep
from tests.fake_models import FakeChatModel
from tests.services.study import Study

SAID = "clover fixes nitrogen"
TRUTHS = ("lucerne binds nitrogen", "clover fixes it", "peas")
"""Of their words the answer has a third, two thirds, and none."""
SEVERAL = Question(id="a", text="what fixes nitrogen", reference=TRUTHS[0], other_references=TRUTHS[1:])
ONE = Question(id="b", text="how is nitrogen fixed", reference=TRUTHS[1])


def study_of(*questions: Question) -> Study:
    study = Study(chat_model=FakeChatModel(lambda _: SAID))
    study.store.save_dataset(Dataset(name="farm", questions=questions))
    return study


def evaluations(study: Study, sweep: StoredSweep) -> list[Evaluation]:
    return study.store.evaluations(sweep.runs[0].id)


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def test_the_best_is_kept_and_each_pair_is_scored_once() -> None:
    study = study_of(SEVERAL, ONE)
    sweep = study.running.run(study.create(0.1).id)
    several, one = evaluations(study, sweep)
    assert several.scores
    assert several.scores["METEOR"].value == pytest.approx(2 / 3)
    assert one.scores
    assert one.scores["METEOR"].value == pytest.approx(2 / 3)
    assert sorted(study.scorer.scored) == sorted((truth, SAID) for truth in TRUTHS)

    parts = [
        digest({"answer": SAID, "by": {"encoder": "fake"}, "profile": "standard", "reference": truth})
        for truth in TRUTHS
    ]
    assert (several.pair_key, one.pair_key) == (digest({"best_of": parts}), parts[1])
    stored = study.store.pairs(parts)
    assert [stored[part]["METEOR"].value for part in parts] == pytest.approx([1 / 3, 2 / 3, 0])
    seconds = study.store.scoring_times([*parts, several.pair_key or ""])
    assert seconds[several.pair_key or ""] == pytest.approx(sum(seconds[part] for part in parts))


def test_what_another_dataset_scored_is_used_again() -> None:
    study = study_of(ONE)
    study.running.run(study.create(0.1).id)
    study.store.save_dataset(Dataset(name="farm", questions=(SEVERAL,)))
    study.scorer.scored.clear()
    sweep = study.running.run(study.create(0.1).id)
    assert sorted(study.scorer.scored) == sorted((truth, SAID) for truth in (TRUTHS[0], TRUTHS[2]))
    parts = [
        digest({"answer": SAID, "by": {"encoder": "fake"}, "profile": "standard", "reference": truth})
        for truth in TRUTHS
    ]
    best = evaluations(study, sweep)[0].pair_key or ""
    seconds = study.store.scoring_times([*parts, best])
    assert seconds[best] == pytest.approx(sum(seconds[part] for part in parts)), "as long as if none had been known"
    study.scorer.scored.clear()
    study.store.save_dataset(Dataset(name="farm", questions=(SEVERAL, ONE)))
    again = study.running.run(study.create(0.1).id)
    assert not study.scorer.scored, "the best of these pairs is stored, too"
    assert evaluations(study, again)[0].pair_key == evaluations(study, sweep)[0].pair_key


@pytest.mark.parametrize("timing", [None, TimingPlan(warm_up=0)])
def test_the_page_of_a_question_names_the_reference_of_each_score(timing: TimingPlan | None) -> None:
    study = study_of(SEVERAL, ONE)
    sweep = study.running.run(study.create(0.1, timing=timing).id)
    browser = RunBrowser(runs=study.store, evaluations=study.store, datasets=study.store)
    found = browser.detail(sweep.runs[0].id, 0).best_references
    # The perplexities are better when they are lower, so theirs is the reference with which the answer shares nothing.
    assert found
    assert (found["METEOR"], found["Laplace Perplexity"]) == (1, 2)
    assert browser.detail(sweep.runs[0].id, 1).best_references is None
    assert browser.page(sweep.runs[0].id, find="peas").total == 1, "a search finds the other right answers"


def test_more_references_than_a_batch_has_pairs() -> None:
    others = tuple(f"word {number}" for number in range(70))
    questions = (Question(id="many", text="who", reference="clover", other_references=others), SEVERAL, ONE)
    study = study_of(*questions)
    sweep = study.running.run(study.create(0.1).id)
    found = [each.scores["METEOR"].value if each.scores else None for each in evaluations(study, sweep)]
    assert found == pytest.approx([1, 2 / 3, 2 / 3])


def test_an_analysis_says_how_many_questions_have_several_right_answers() -> None:
    runs = sweep(base=[0.0, 0.2], better=[0.5, 1.0])
    [said] = set(analyse(runs, questions=(SEVERAL, ONE)).statements) - set(analyse(runs, questions=(ONE,)).statements)
    assert said.startswith("1 question has several right answers: ")
