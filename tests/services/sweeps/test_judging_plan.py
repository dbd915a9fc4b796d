"""The plan of a sweep whose answers are judged: what the judge will be asked."""

from __future__ import annotations

import pytest

from passer.domain.dataset import GoldPassage
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.plan import SweepPlan
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.services.sweeps.preview import RetrievalPreview
from tests.services.study import Study

OLLAMA = Model(provider="ollama", name="mistral:7b")


def previewed(study: Study, wanted: Sweep) -> SweepPlan:
    return RetrievalPreview(planner=study.planner, answerer=study.answerer).preview(wanted).plan


@pytest.mark.parametrize(
    ("column", "asks", "complete"),
    [("Answer correctness", 1, True), ("Faithfulness", 1, False), ("Context precision", 2, True)],
)
def test_a_preview_counts_the_requests_of_the_judge(column: str, asks: int, complete: bool):
    study = Study()
    config = RunConfig(dataset="farm", collection="books", retrieval=NormalPolicy(k=2))
    wanted = Sweep(name="Judged", config=config, primary=column, judge=OLLAMA)
    found = previewed(study, wanted)
    assert found.judging is not None
    # Six questions with two passages each: one request about each answer, or about each of its passages.
    assert (found.judging.answers, found.judging.asks, found.judging.is_complete) == (6, 6 * asks, complete)
    assert found.judging.input_tokens
    before = study.planner.plan(wanted).judging
    assert before is not None
    # Before the retrieval one text stands for the passages, and the tokens of a prompt with passages are not known.
    assert (before.answers, before.asks) == (6, 6)
    assert (before.input_tokens is None) == (column == "Context precision")
    bare = Sweep(name="Study", config=config, baseline=NormalPolicy(k=5))
    assert study.planner.plan(bare).judging is None


def test_questions_without_references_are_judged_too():
    study = Study()
    known = study.store.load_dataset("farm")
    gold = (GoldPassage(document="a.txt", quote="Clover feeds bees."),)
    bare = known.model_copy(
        update={
            "questions": tuple(
                each.model_copy(update={"reference": "", "gold_passages": gold if number else ()})
                for number, each in enumerate(known.questions)
            )
        }
    )
    study.store.save_dataset(bare)
    config = RunConfig(dataset="farm", collection="books", retrieval=NormalPolicy(k=2))
    # Key facts are those of gold passages, which one of the six questions lacks; statements need neither.
    for column, asks in (("Nugget all", 5), ("Faithfulness", 6), ("Answer correctness", 0)):
        wanted = Sweep(name="Judged", config=config, primary=column, judge=OLLAMA)
        for plan in (
            study.planner.plan(wanted),
            RetrievalPreview(planner=study.planner, answerer=study.answerer).preview(wanted).plan,
        ):
            assert plan.judging is not None
            assert plan.judging.asks == asks, column


def test_the_number_of_a_list_is_no_sentence_that_the_judge_is_asked_about():
    study = Study()
    steps = " ".join(
        f"{number}. Clover feeds {fed}." for number, fed in enumerate(("bees", "cows", "soil") * 4, start=1)
    )
    known = study.store.load_dataset("farm")
    questions = tuple(each.model_copy(update={"reference": steps}) for each in known.questions)
    study.store.save_dataset(known.model_copy(update={"questions": questions}))
    config = RunConfig(dataset="farm", collection="books", retrieval=NormalPolicy(k=2))
    plan = study.planner.plan(Sweep(name="Judged", config=config, primary="Context recall", judge=OLLAMA))
    assert plan.judging is not None
    # A request is about at most 20 sentences: twelve are one, and would be two if each number were a sentence.
    assert plan.judging.asks == 6
