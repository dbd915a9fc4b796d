"""Sweeps before they run: the plan without retrieval, the creation; and after: what was saved."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from scipy import stats

from passer.domain.dataset import Question
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Chunking
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.plan import Saved
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import DecisionPlan, PlannedSpread
from passer.domain.verdict.two_looks import Looks
from passer.errors import ConfigError, ConflictError
from tests.fakes import FakeEncoder, FakeIndex, passages_of
from tests.services.study import TEXTS, Study

HERE = {"dataset": "farm", "collection": "books"}


def sweep(baseline: object = None, config: dict | None = None, **axes: object) -> Sweep:
    return Sweep(name="S", config=RunConfig(**{**HERE, **(config or {})}), axes=Axes(**axes), baseline=baseline)


def test_a_plan_counts_without_retrieving():
    study = Study()
    plan = study.planner.plan(sweep(NormalPolicy(k=2), min_similarity=(0.1, 0.2)))
    assert (plan.questions, plan.configurations, plan.evaluations) == (6, 3, 18)
    assert (plan.distinct_prompts, plan.cached, plan.expected_s, plan.missing) == (None, None, None, ())
    assert study.index.searched == []
    assert study.planner.plan(sweep(config={"questions": 4})).evaluations == 4


def test_the_extractive_reader_is_refused_over_vectors_of_another_model_before_anything_is_stored():
    study = Study()
    own = FakeEncoder.model
    planner = replace(study.planner, reader_encoder=lambda: own)
    assert planner.plan(sweep(k=(1, 2))).configurations == 2
    # Of the same length: only the digest tells that they are of another model.
    other = replace(study.planner, reader_encoder=lambda: own.model_copy(update={"name": "mini", "digest": "b" * 64}))
    for refuses in (other.plan, other.create):
        with pytest.raises(
            ConfigError, match=r"vectors of the collection books\. .+ add the documents to a new collection with mini"
        ) as refused:
            refuses(sweep(k=(1, 2)))
        assert refused.value.field == "model"
    assert study.store.list_sweeps(limit=1) == []
    assert other.plan(sweep(config={"model": Model(provider="local", name="m")})).configurations == 1


def test_a_plan_says_what_its_questions_can_decide():
    wanted = sweep(NormalPolicy(k=2), min_similarity=(0.1,), config={"dataset": "elsewhere"})
    found = replace(Study().planner, measured=lambda _: measured(0.1)).plan(wanted, questions=60).decision
    assert found is not None
    # One comparison, SD .1: Student's t with 59 degrees of freedom, and the normal quantile of power .8.
    assert found.detectable == pytest.approx((stats.t.ppf(0.975, 59) + stats.norm.ppf(0.8)) * 0.1 / 60**0.5)
    # The smallest n that is enough by its own degrees of freedom.
    assert found.questions_needed == next(
        n for n in range(2, 1000) if n >= ((stats.t.ppf(0.975, n - 1) + stats.norm.ppf(0.8)) * 0.1 / 0.02) ** 2
    )
    # In the unit of the verdict that follows.
    assert found.line == (
        "60 questions can detect differences of 3.7 points or more in 1 comparison (power 80 %). A margin of 2 points "
        "needs about 198 questions. The standard deviation of the paired differences is 10 points, as measured in an "
        "earlier sweep of this dataset. Fewer than 149 questions can miss rare losses that together "
        "exceed the margin: “as good” then does not exclude them."
    )
    several = sweep(NormalPolicy(k=2), min_similarity=(0.1, 0.2), config={"dataset": "elsewhere"}, repeat=3)
    more = replace(Study().planner, measured=lambda _: measured(0.1)).plan(several, questions=60).decision
    assert more is not None
    # Two comparisons: the level of each is that of Sidak.
    critical = stats.t.ppf((1 + 0.95**0.5) / 2, 59)
    assert (more.comparisons, more.detectable) == (2, pytest.approx((critical + 0.841621) * 0.1 / 60**0.5, abs=1e-6))
    asked: list[Sweep] = []
    planner = replace(Study().planner, measured=lambda planned: asked.append(planned))
    assert planner.plan(sweep(k=(1, 2))).decision is None
    assert asked == [], "earlier sweeps are not read for nothing"


def test_a_plan_without_earlier_sweeps_gives_the_range_of_what_is_assumed_and_says_so():
    wanted = sweep(NormalPolicy(k=2), min_similarity=(0.1,), config={"dataset": "elsewhere"})
    found = Study().planner.plan(wanted, questions=60).decision
    assert found is not None
    assert found.spread.source == "assumed"
    usual = stats.t.ppf(0.975, 59) + stats.norm.ppf(0.8)
    assert found.smallest_detectable == pytest.approx(usual * found.spread.smallest / 60**0.5)
    assert found.detectable == pytest.approx((4.5 + stats.norm.ppf(0.8)) * found.spread.largest / 60**0.5)
    assert found.questions_needed == math.ceil(((4.5 + stats.norm.ppf(0.8)) * found.spread.largest / 0.02) ** 2)
    assert " or more at best, and of " in found.line
    assert "is assumed to be" in found.line


def test_a_plan_of_fewer_questions_than_a_verdict_needs_promises_nothing():
    wanted = sweep(NormalPolicy(k=2), min_similarity=(0.1,), config={"dataset": "elsewhere"})
    found = replace(Study().planner, measured=lambda _: measured(0.01)).plan(wanted, questions=12).decision
    assert found is not None
    assert found.line.startswith("12 questions allow no verdict, which needs at least 20.")
    # Seven questions would be enough for the margin, not for a verdict.
    assert found.questions_needed == 20


def test_a_plan_says_nothing_of_differences_on_a_scale_of_which_nothing_is_known():
    wanted = sweep(NormalPolicy(k=2), min_similarity=(0.1,), config={"dataset": "elsewhere"})
    wanted = wanted.model_copy(update={"primary": "Laplace Perplexity"})
    unbounded = Study().planner.plan(wanted, questions=60)
    # What is assumed is that of a scale from 0 to 1.
    assert unbounded.decision is None
    assert any("scale of Laplace Perplexity is another one" in said for said in unbounded.warnings)
    known = replace(Study().planner, measured=lambda _: measured(30.0)).plan(wanted, questions=60)
    assert known.decision is not None
    assert known.decision.detectable > 10


def test_a_plan_counts_as_its_looks_do():
    def decided(questions: int, looks: Looks | None) -> DecisionPlan:
        config = {"dataset": "elsewhere", "questions": questions}
        wanted = sweep(NormalPolicy(k=2), min_similarity=(0.1,), config=config).model_copy(update={"looks": looks})
        found = replace(Study().planner, measured=lambda _: measured(0.1)).plan(wanted, questions=questions).decision
        assert found is not None
        return found

    def detectable(alpha: float, n: int) -> float:
        return float((stats.t.ppf(1 - alpha / 2, n - 1) + stats.norm.ppf(0.8)) * 0.1 / n**0.5)

    planned, chosen = Looks(first=60, second=140), Looks(first=60, second=140, is_planned=False)
    # Lan and DeMets: 2 (1 - Phi(1.96 / sqrt(60 / 140))) = .0028.
    spent = 2 * stats.norm.sf(stats.norm.ppf(0.975) / (60 / 140) ** 0.5)
    assert spent == pytest.approx(0.0028, abs=5e-5)
    assert decided(60, planned).detectable == pytest.approx(detectable(spent, 60))
    assert decided(140, planned).detectable == pytest.approx(detectable(0.05 - spent, 140))
    assert decided(60, planned).questions_needed == decided(140, planned).questions_needed > 198
    assert "First of two planned looks (60 of 140 questions), tested at alpha 0.00275." in decided(60, planned).line
    assert decided(140, planned).line.endswith("the bound accounts for the look after 60 questions.")
    # Only the new questions are tested.
    assert decided(140, chosen).detectable == pytest.approx(detectable(0.05, 80))
    assert decided(140, chosen).questions == 80
    assert decided(140, chosen).line.endswith("determined what to test, so only the 80 new questions are tested.")
    assert decided(140, None).detectable == pytest.approx(detectable(0.05, 140))


def measured(spread: float) -> PlannedSpread:
    return PlannedSpread(smallest=spread, largest=spread, source="dataset", sweeps=("before",))


def test_a_plan_and_the_sweep_say_that_the_dataset_has_fewer_questions_than_wanted():
    study = Study()
    wanted = sweep(config={"questions": 9})
    said = "9 questions are requested, but the dataset has 6. Only these are asked."
    assert study.planner.plan(wanted).warnings[0] == said
    assert study.planner.create(wanted).shortfall == said
    enough = sweep(config={"questions": 6})
    assert study.planner.create(enough).shortfall is None
    assert not any("wanted" in warning for warning in study.planner.plan(enough).warnings)
    looks = enough.model_copy(update={"looks": Looks(first=6, second=12)})
    assert study.planner.plan(looks).warnings[0].startswith("The planned second look needs 12 questions")


def test_a_number_stands_in_for_a_dataset_that_is_not_here():
    study = Study()
    elsewhere = sweep(config={"dataset": "elsewhere"})
    plan = study.planner.plan(elsewhere, questions=369)
    assert plan.evaluations == 369
    [missing] = plan.missing
    assert (missing.kind, missing.command) == ("dataset", "passer import dataset FILE --name elsewhere")
    without = study.planner.plan(elsewhere)
    assert (without.evaluations, without.configurations, without.missing) == (0, 1, (missing,))
    limited = sweep(config={"dataset": "elsewhere", "questions": 60})
    assert study.planner.plan(limited, questions=369).evaluations == 60


def test_a_plan_names_the_collections_that_are_missing_with_the_commands_that_make_them():
    plan = Study().planner.plan(sweep(embedding=("embedded", "ollama/e"), chunking=(Chunking(),)))
    assert [(missing.name, missing.command) for missing in plan.missing] == [
        (
            "collection books-embedded",
            "PASSER_EMBEDDING=embedded passer ingest books-embedded DOCUMENTS --chunk-size 1024 --chunk-overlap 50",
        ),
        (
            "collection books-ollama-e",
            "PASSER_EMBEDDING=ollama/e passer ingest books-ollama-e DOCUMENTS --chunk-size 1024 --chunk-overlap 50",
        ),
    ]


def test_without_a_preview_the_time_is_that_of_every_evaluation_and_known_only_for_measured_models():
    study = Study()
    study.chat_model.seconds = 2.0
    study.running.run(study.create(0.1).id)
    measured = study.planner.plan(sweep(k=(1, 2)))
    assert measured.expected_s == 2 * 6 * 2.0 / 4
    mixed = study.planner.plan(sweep(NormalPolicy(), model=(Model(), Model(provider="ollama", name="new"))))
    assert [model.median_s for model in mixed.models] == [2.0, None]
    assert mixed.expected_s is None


def test_an_unknown_template_is_refused_already_by_the_plan():
    with pytest.raises(ConfigError, match="Choose one of brief, default"):
        Study().planner.plan(sweep(config={"prompt": "long"}))


def test_each_collection_has_its_runs_with_a_baseline_of_their_own():
    study = Study()
    for size in (64, 32):
        index = FakeIndex(f"books-{size}-8", passages_of(*TEXTS[:2]))
        index.collection = index.collection.model_copy(update={"chunking": Chunking(chunk_size=size, chunk_overlap=8)})
        study.collections._indexes[index.collection.name] = index
    chunkings = tuple(Chunking(chunk_size=size, chunk_overlap=8) for size in (64, 32))
    created = study.planner.create(sweep(NormalPolicy(k=2), min_similarity=(0.1,), chunking=chunkings))
    assert [(run.config.collection, run.name, run.is_baseline) for run in created.runs] == [
        ("books-64-8", "Top-k 2, 64/8", True),
        ("books-64-8", "Similarity ≥ 0.10, 64/8", False),
        ("books-32-8", "Top-k 2, 32/8", True),
        ("books-32-8", "Similarity ≥ 0.10, 32/8", False),
    ]
    done = study.running.run(created.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED] * 4
    assert study.planner.savings(done).retrievals == Saved(naive=24, made=12)


def test_a_collection_that_is_bound_otherwise_is_refused():
    with pytest.raises(ConflictError, match="has passages of 1\u202f024 characters"):
        Study().planner.create(sweep(chunking=(Chunking(chunk_size=64),)))


def test_a_finished_sweep_says_what_it_did_not_do_twice():
    """Three thresholds that all keep the same passages, and a baseline that keeps others or as many."""
    study = Study()
    done = study.running.run(study.create(0.1, 0.11, 0.12).id)
    saved = study.planner.savings(done)
    assert saved.retrievals == Saved(naive=4 * 6, made=6)
    assert saved.generations.made == len(study.chat_model.asked)
    asked = [e for run in done.runs for e in study.store.evaluations(run.id) if e.prompt_digest]
    assert saved.generations.naive == len(asked) > len(study.chat_model.asked)
    assert saved.scorings == Saved(naive=24, made=len(study.scorer.scored))

    again = study.running.run(study.create(0.1, 0.11, 0.12).id)
    second = study.planner.savings(again)
    assert second.generations == Saved(naive=saved.generations.naive, made=0), "everything was answered already"
    assert second.retrievals == Saved(naive=24, made=0), "the first sweep has looked everything up"


def test_a_closed_book_needs_no_retrieval():
    study = Study()
    done = study.running.run(study.planner.create(sweep(config={"retrieval": {"mode": "none"}})).id)
    assert study.planner.savings(done).retrievals == Saved(naive=0, made=0)
    assert study.index.searched == []


def test_a_plan_warns_of_questions_that_are_asked_twice():
    study = Study()
    held = study.store.load_dataset("farm")
    twice = [
        replaced(held.questions[place], id=f"again{place}", text=f" {held.questions[place].text}") for place in (0, 1)
    ]
    study.store.save_dataset(held.model_copy(update={"questions": (*held.questions, *twice)}))
    (said,) = [each for each in study.planner.plan(sweep(k=(1, 2))).warnings if "different texts" in each]
    assert said.startswith("The 8 questions have only 6 different texts. Equal questions count as independent")
    assert not any("different texts" in each for each in study.planner.plan(sweep(config={"questions": 6})).warnings)
    declared = [replaced(each, cluster=each.text.strip()) for each in (*held.questions, *twice)]
    study.store.save_dataset(held.model_copy(update={"questions": tuple(declared)}))
    assert not any("different texts" in each for each in study.planner.plan(sweep(k=(1, 2))).warnings)


def replaced(question: Question, **changes: object) -> Question:
    return question.model_copy(update=changes)


def test_a_margin_or_a_spread_near_0_is_planned_and_shown_as_what_it_is():
    wanted = sweep(NormalPolicy(k=2), min_similarity=(0.1,), config={"dataset": "elsewhere"})
    tiny = Study().planner.plan(wanted.model_copy(update={"margin": 1e-200}), questions=60).decision
    assert tiny is not None
    assert 10**12 < tiny.fewest_needed < tiny.questions_needed < 2**53, "the largest whole number of JSON"
    alike = replace(Study().planner, measured=lambda _: measured(0.0001)).plan(wanted, questions=60).decision
    assert alike is not None
    # (2.00 + .84) .01 points / sqrt 60 = .0037 points.
    assert "can detect differences of 0.0037 points or more" in alike.line
    assert "paired differences is 0.01 points" in alike.line
