"""The preview: what it counts is what the run then does, and it costs nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passer.domain.models.answer import ModelTimings
from passer.domain.models.decoding import GenerationOptions, explicit_options
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.refinements import Terms
from passer.domain.retrieval.retriever import Dense, RankedBy, Retriever, Rewritten
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.plan import ModelPlan
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.times import TimingPlan
from passer.errors import GeneratorUnavailable, NotFoundError
from passer.services.pipeline.ranker import RetrievalKey, ranking_cache
from passer.services.pipeline.retrieval_search import source_of
from passer.services.sweeps.preview import RetrievalPreview
from tests.fake_models import FakeChatModel
from tests.services.study import QUESTIONS, Study

OLLAMA = Model(provider="ollama", name="mistral:7b")


def planning(study: Study) -> RetrievalPreview:
    return RetrievalPreview(planner=study.planner, answerer=study.answerer)


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
    assert study.chat_model.asked == []
    done = study.running.run(study.planner.create(WANTED[name]).id)
    assert plan.distinct_prompts == len(study.chat_model.asked)
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
        done = study.running.run(study.planner.create(WANTED["thresholds"]).id)
        outcomes.append([study.store.evaluations(run.id) for run in done.runs])
    assert looked.index.searched == plain.index.searched == [(list(QUESTIONS), 100)]
    assert outcomes[0] == outcomes[1]
    rankings = looked.store.rankings(looked.store.list_sweeps(limit=1)[0].id, RankedBy("books"))
    assert rankings == plain.store.rankings(plain.store.list_sweeps(limit=1)[0].id, RankedBy("books"))


def test_rankings_of_anything_else_are_not_taken_over():
    study = Study()
    planning(study).preview(sweep(0.1, questions=3))
    study.running.run(study.planner.create(sweep(0.1)).id)
    assert [len(texts) for texts, _ in study.index.searched] == [3, 6]
    study.index.collection = study.index.collection.model_copy(update={"chunking": Chunking(chunk_size=64)})
    study.running.run(study.planner.create(sweep(0.1, questions=3)).id)
    assert [len(texts) for texts, _ in study.index.searched] == [3, 6, 3], "the collection is another now"


def test_a_ranking_that_a_model_did_not_finish_is_searched_again():
    study = Study()
    planning(study).preview(sweep(0.1))
    source = source_of(study.collections, "books", Dense()).digest
    key = RetrievalKey(source, study.store.load_dataset("farm").digest, len(QUESTIONS), 100)
    found = study.planner.rankings.get(key)
    assert found is not None
    study.planner.rankings.put(key, {**found, "q1": found["q1"].model_copy(update={"is_complete": False})})
    study.running.run(study.planner.create(sweep(0.1)).id)
    assert [len(texts) for texts, _ in study.index.searched] == [6, 1]


def test_a_preview_that_is_too_large_is_not_remembered():
    study = Study()
    study.planner = replace(study.planner, rankings=ranking_cache(6 * 4 - 1))
    planning(study).preview(WANTED["thresholds"])
    planning(study).preview(WANTED["thresholds"])
    assert len(study.index.searched) == 2


def test_each_policy_says_what_it_keeps():
    """Of each question with a gold passage, that passage shares most words with it, so that it is among two kept."""
    study = Study()
    found = planning(study).preview(sweep(0.4, 0.9999)).policies
    assert [(each.name, each.is_baseline) for each in found] == [
        ("Top-k 2", True), ("Similarity ≥ 0.40", False), ("Similarity ≥ 1.00", False),
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
    done = study.running.run(study.planner.create(WANTED["thresholds"]).id)
    for policy, run in zip(before.policies, done.runs, strict=True):
        kept = [e.kept for e in study.store.evaluations(run.id)]
        assert policy.retrieval.mean_passages == sum(last - first for first, last in kept) / 6
        assert policy.most_passages == max(last - first for first, last in kept)


def test_prompts_that_do_not_fit_and_policies_that_keep_nothing_are_named():
    study = Study()
    options = GenerationOptions(num_ctx=128, num_predict=120)
    warnings = planning(study).preview(sweep(0.9999, model=OLLAMA, options=options)).plan.warnings
    assert any(line.startswith("Top-k 2, books: 6 of 6 prompts") for line in warnings)
    assert any(line.startswith("Similarity ≥ 1.00, books: no passage is kept") for line in warnings)


def test_a_server_that_cuts_prompts_is_named_once():
    class Old(FakeChatModel):
        def describe(self, model: Model) -> ModelInfo:
            return super().describe(model).model_copy(update={"engine": "ollama 0.12.5"})

    def warned(model: Model) -> int:
        warnings = planning(Study(chat_model=Old())).preview(sweep(0.4, model=model)).plan.warnings
        return sum("Ollama 0.12.5 removes the beginning" in line for line in warnings)

    assert (warned(OLLAMA), warned(Model())) == (1, 0)


def test_options_that_are_left_to_the_servers_version_are_named():
    def warned(**config: object) -> list[str]:
        warnings = planning(Study()).preview(sweep(0.4, **config)).plan.warnings
        return [line for line in warnings if "the version of the server decides them" in line]

    [line] = warned(model=OLLAMA)
    assert "repeat_penalty: 1.0" in line
    assert "think: false" in line
    [line] = warned(model=OLLAMA, options=explicit_options().model_copy(update={"num_batch": None}))
    assert "For a new study set num_batch: 512." in line
    assert not warned(model=OLLAMA, options=explicit_options())
    assert not warned()


def test_similarities_and_the_range_proposed_are_those_of_the_rankings():
    study = Study()
    [found] = planning(study).preview(sweep(0.4)).collections
    rankings = study.index.search(QUESTIONS, 100)
    nearest = sorted(ranking.passages[0].similarity for ranking in rankings)
    assert found.nearest is not None
    assert found.nearest.p50 == pytest.approx((nearest[2] + nearest[3]) / 2)
    last = sorted(ranking.passages[-1].similarity for ranking in rankings)
    assert found.tenth is None, "there are four passages: the fourth is not the tenth"
    assert found.proposed is not None
    assert found.proposed.start <= (last[2] + last[3]) / 2 <= found.nearest.p50 <= found.proposed.stop


def test_what_is_missing_is_named_with_the_command_that_makes_it():
    study = Study()
    wanted = sweep(0.4, axes={"chunking": (Chunking(chunk_size=64), Chunking(chunk_size=32, chunk_overlap=8))})
    with pytest.raises(NotFoundError, match=r"books-64-50 does not exist.*books-32-8 does not exist.*`passer ingest"):
        planning(study).preview(wanted)
    assert study.index.searched == []


def test_a_model_server_that_is_away_leaves_only_the_cache_unknown():
    class Away(FakeChatModel):
        def describe(self, model):
            raise GeneratorUnavailable("Ollama does not answer: start it.")

    study = Study(chat_model=Away())
    plan = planning(study).preview(sweep(0.1, model=OLLAMA)).plan
    assert plan.distinct_prompts
    assert plan.cached is None
    assert any(
        "The number of cached answers of mistral:7b is unknown: Ollama does not answer" in each
        for each in plan.warnings
    )


def test_the_expected_time_is_what_is_left_at_the_measured_speed():
    study = Study()
    study.chat_model.seconds = 3.0
    assert planning(study).preview(sweep(0.1)).plan.expected_s is None, "never measured"
    study.running.run(study.planner.create(sweep(0.1)).id)
    plan = planning(study).preview(sweep(0.05, 0.1, 0.4)).plan
    assert plan.models[0].median_s == 3.0
    left = (plan.distinct_prompts or 0) - (plan.cached or 0)
    assert left > 0
    assert plan.expected_s == left * 3.0 / 4


@pytest.mark.parametrize("answers", ["fast", "repeatable"])
def test_prompts_that_begin_alike_are_read_once_unless_answers_are_to_be_repeatable(answers: str) -> None:
    study = Study()
    config = RunConfig(
        dataset="farm", collection="books", model=Model(provider="local", name="m"), answers=answers, no_passages="ask"
    )
    sweep = Sweep(name="s", config=config, axes=Axes(k=(1, 2)), baseline=NormalPolicy(k=3))
    found = RetrievalPreview(planner=study.planner, answerer=study.answerer).preview(sweep)
    sums = {each.name: each.tokens.mean * len(QUESTIONS) for each in found.policies if each.tokens}
    [model] = found.plan.models
    assert model.prompt_tokens == round(sum(sums.values()))
    assert model.read_tokens == round(max(sums.values()) if answers == "fast" else sum(sums.values()))


def test_what_another_retriever_has_shown_is_not_read_again() -> None:
    """No question contains the term, so that expansion finds the same passages and no prompt is new."""
    study = Study()
    config = RunConfig(
        dataset="farm", collection="books", model=Model(provider="local", name="m"), answers="fast", no_passages="ask"
    )
    unused = Rewritten(of=Dense(), by=Terms(name="unused", terms={"zeppelin": ("airship",)}))

    def planned(*retrievers: Retriever) -> ModelPlan:
        sweep = Sweep(name="s", config=config, axes=Axes(k=(1, 2), retriever=retrievers))
        return RetrievalPreview(planner=study.planner, answerer=study.answerer).preview(sweep).plan.models[0]

    alone, both = planned(Dense()), planned(Dense(), unused)
    assert (both.prompt_tokens, both.read_tokens) == (alone.prompt_tokens, alone.read_tokens)
    assert 0 < alone.read_tokens < alone.prompt_tokens


def test_a_timing_run_asks_everything_anew_and_counts_no_cached_answers():
    study = Study()
    plain = sweep(0.1, 0.4, model=OLLAMA)
    study.running.run(study.planner.create(plain).id)
    again = planning(study).preview(plain).plan
    assert (again.cached or 0) > 0, "an ordinary sweep would reuse them"
    timed = plain.model_copy(update={"timing": TimingPlan(warm_up=0)})
    assert planning(study).preview(timed).plan.cached == 0


@pytest.mark.parametrize("answers", ["fast", "repeatable"])
def test_the_expected_time_counts_what_chains_read_once(answers):
    study = Study()
    wanted = sweep(0.1, 0.3, answers=answers, model=Model(provider="local", name="m"))
    # Ten answers of 3 s, 1 s of which to read 100 tokens; 20 more tokens were in memory.
    told = ModelTimings(prompt_eval_count=120, cached_count=20, prompt_eval_duration_ns=1_000_000_000)
    study.store.generation_times = lambda model: [(3.0, told)] * 10
    plan = planning(study).preview(wanted).plan
    [model] = plan.models
    assert (model.median_s, model.writing_s, model.token_s) == (3.0, 2.0, 0.01)
    at_once = 4 if answers == "fast" else 1
    assert plan.expected_s == pytest.approx((model.generations * 2.0 + model.read_tokens * 0.01) / at_once)
    # A server that does not tell how long it reads: each takes the median.
    study.store.generation_times = lambda model: [(3.0, told), (3.0, ModelTimings())]
    assert planning(study).preview(wanted).plan.expected_s == pytest.approx(model.generations * 3.0 / at_once)
