"""The preview: what it counts is what the run then does, and it costs nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passer.domain.retrieval import Chunking, NoRetrievalPolicy, NormalPolicy
from passer.domain.run import GenerationOptions, Model, RunConfig
from passer.domain.sweep import Axes, Sweep
from passer.errors import GeneratorUnavailable, NotFoundError
from passer.services.planning import Planning
from passer.services.retrieving import RankingMemory
from tests.fakes import FakeGenerator
from tests.services.study import QUESTIONS, Study

OLLAMA = Model(provider="ollama", name="mistral:7b")


def planning(study: Study) -> Planning:
    return Planning(sweeping=study.sweeping, answering=study.answering)


def sweep(*thresholds: float, axes: dict | None = None, **config: object) -> Sweep:
    given = {"dataset": "farm", "collection": "books", **config}
    return Sweep(
        name="Study",
        config=RunConfig(**given),
        axes=Axes(min_similarity=thresholds, **(axes or {})),
        baseline=NormalPolicy(k=2),
    )


WANTED = {
    "thresholds": sweep(0.05, 0.1, 0.4, 0.99),
    "asked without passages": sweep(0.4, 0.99, no_passages="ask"),
    "models, temperatures, repetitions": sweep(
        0.1, 0.4, axes={"model": (OLLAMA, Model(provider="ollama", name="b")), "temperature": (0, 1), "repeat": 2}
    ),
    "prompts and the closed book": sweep(
        0.1, axes={"prompt": ("default", "brief"), "retrieval": (NoRetrievalPolicy(),)}
    ),
    "some questions": sweep(0.1, 0.4, questions=3),
}


@pytest.mark.parametrize("name", WANTED)
def test_a_preview_counts_what_the_run_then_asks(name):
    study = Study()
    plan = planning(study).preview(WANTED[name]).plan
    assert study.generator.asked == []
    done = study.running.run(study.sweeping.create(WANTED[name]).id)
    assert plan.distinct_prompts == len(study.generator.asked)
    evaluations = [e for run in done.runs for e in study.store.evaluations(run.id)]
    assert plan.evaluations == len(evaluations)
    assert plan.fixed == sum(e.prompt_digest is None for e in evaluations)
    assert plan.cached == 0
    again = planning(study).preview(WANTED[name]).plan
    assert (again.distinct_prompts, again.cached) == (plan.distinct_prompts, plan.distinct_prompts)
    assert again.expected_s == 0


def test_a_preview_keeps_nothing():
    study = Study()
    planning(study).preview(WANTED["thresholds"])
    assert study.store.commits == []
    assert study.store.list_sweeps(limit=10) == []


def test_the_run_takes_the_rankings_over_and_comes_to_the_same():
    plain, looked = Study(), Study()
    planning(looked).preview(WANTED["thresholds"])
    outcomes = []
    for study in (plain, looked):
        done = study.running.run(study.sweeping.create(WANTED["thresholds"]).id)
        outcomes.append([study.store.evaluations(run.id) for run in done.runs])
    assert looked.index.searched == plain.index.searched == [(list(QUESTIONS), 100)]
    assert outcomes[0] == outcomes[1]
    rankings = looked.store.rankings(looked.store.list_sweeps(limit=1)[0].id, "books")
    assert rankings == plain.store.rankings(plain.store.list_sweeps(limit=1)[0].id, "books")


def test_rankings_of_anything_else_are_not_taken_over():
    study = Study()
    planning(study).preview(sweep(0.1, questions=3))
    study.running.run(study.sweeping.create(sweep(0.1)).id)
    assert [len(texts) for texts, _ in study.index.searched] == [3, 6]
    study.index.collection = study.index.collection.model_copy(update={"chunking": Chunking(chunk_size=64)})
    study.running.run(study.sweeping.create(sweep(0.1, questions=3)).id)
    assert [len(texts) for texts, _ in study.index.searched] == [3, 6, 3], "the collection is another now"


def test_a_preview_that_is_too_large_is_not_remembered():
    study = Study()
    study.sweeping = replace(study.sweeping, remembered=RankingMemory(most_passages=6 * 4 - 1))
    planning(study).preview(WANTED["thresholds"])
    planning(study).preview(WANTED["thresholds"])
    assert len(study.index.searched) == 2


def test_each_policy_says_what_it_keeps():
    """Of each question with a gold passage, that passage shares most words with it, so that it is among two kept."""
    study = Study()
    found = planning(study).preview(sweep(0.4, 0.9999)).policies
    assert [(each.name, each.is_baseline) for each in found] == [
        ("Normal k=2", True), ("Score >= 0.40", False), ("Score >= 1.00", False),
    ]  # fmt: skip
    normal, score, strict = (each.retrieval for each in found)
    assert (normal.mean_passages, normal.coverage, normal.n_questions) == (2.0, 1.0, 6)
    assert (normal.n_gold, normal.recall, normal.hit_rate) == (5, 1.0, 1.0)
    assert score.coverage is not None
    assert 0 < score.coverage < 1
    assert (strict.coverage, strict.recall) == (0, 0)
    assert (found[2].most_passages, found[2].tokens) == (0, None)
    assert found[0].tokens is not None
    assert found[0].tokens.overflowing == 0, "the extractive reader has no window"


def test_what_a_policy_keeps_is_what_the_run_keeps():
    study = Study()
    before = planning(study).preview(WANTED["thresholds"])
    done = study.running.run(study.sweeping.create(WANTED["thresholds"]).id)
    for policy, run in zip(before.policies, done.runs, strict=True):
        kept = [e.kept for e in study.store.evaluations(run.id)]
        assert policy.retrieval.mean_passages == sum(last - first for first, last in kept) / 6
        assert policy.most_passages == max(last - first for first, last in kept)


def test_prompts_that_do_not_fit_and_policies_that_keep_nothing_are_named():
    study = Study()
    options = GenerationOptions(num_ctx=128, num_predict=120)
    warnings = planning(study).preview(sweep(0.9999, model=OLLAMA, options=options)).plan.warnings
    assert any(line.startswith("Normal k=2 of books: 6 of 6 prompts") for line in warnings)
    assert any(line.startswith("Score >= 1.00 of books: no passage is kept") for line in warnings)


def test_similarities_and_the_range_proposed_are_those_of_the_rankings():
    study = Study()
    [found] = planning(study).preview(sweep(0.4)).collections
    rankings = study.index.search(QUESTIONS, 100)
    nearest = sorted(ranking.passages[0].similarity for ranking in rankings)
    assert found.nearest is not None
    assert found.nearest.p50 == pytest.approx((nearest[2] + nearest[3]) / 2)
    last = sorted(ranking.passages[-1].similarity for ranking in rankings)
    assert found.farthest == found.tenth, "there are four passages"
    assert found.farthest is not None
    assert found.farthest.p50 == pytest.approx((last[2] + last[3]) / 2)
    assert found.proposed is not None
    assert found.proposed.start <= found.farthest.p50 <= found.nearest.p50 <= found.proposed.stop


def test_what_is_missing_is_named_with_the_command_that_makes_it():
    study = Study()
    wanted = sweep(0.4, axes={"chunking": (Chunking(chunk_size=64), Chunking(chunk_size=32, chunk_overlap=8))})
    with pytest.raises(NotFoundError, match="collection books-64-50 and collection books-32-8: run `passer ingest"):
        planning(study).preview(wanted)
    assert study.index.searched == []


def test_a_model_server_that_is_away_leaves_only_the_cache_unknown():
    class Away(FakeGenerator):
        def describe(self, model):
            raise GeneratorUnavailable("Ollama does not answer: start it.")

    study = Study(generator=Away())
    plan = planning(study).preview(sweep(0.1, model=OLLAMA)).plan
    assert plan.distinct_prompts
    assert plan.cached is None
    assert any("What is cached of mistral:7b cannot be told: Ollama does not answer" in each for each in plan.warnings)


def test_the_expected_time_is_what_is_left_at_the_measured_speed():
    study = Study()
    generate = study.generator.generate
    study.generator.generate = lambda request: generate(request).model_copy(update={"generation_s": 3.0})
    assert planning(study).preview(sweep(0.1)).plan.expected_s is None, "never measured"
    study.running.run(study.sweeping.create(sweep(0.1)).id)
    plan = planning(study).preview(sweep(0.05, 0.1, 0.4)).plan
    assert plan.models[0].median_s == 3.0
    left = (plan.distinct_prompts or 0) - (plan.cached or 0)
    assert left > 0
    assert plan.expected_s == left * 3.0 / 4
