"""Sweeps of RAG-Fusion and of graded passages with a scripted model: by hand, asked once, failures with reasons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from passer.adapters.store.judging import DatabaseJudgements
from passer.domain.bundle.question_record import QuestionRecord
from passer.domain.models.chat import ChatRequest
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passage_relevance import UMBRELA_RELEVANT
from passer.domain.retrieval.passages import Ranking
from passer.domain.retrieval.refinements import PassageJudge, Variations
from passer.domain.retrieval.report import RetrievalRequest
from passer.domain.retrieval.retriever import Dense, Lexical, RankedBy, Reranked, Retriever, Rewritten
from passer.domain.retrieval.retriever_names import retriever_of
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.sweeps.variations import KEYWORDS
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, GenerationError, GeneratorUnavailable
from passer.ports import StoredSweep
from passer.ports.draft import Abort
from passer.services.judging.recipe_runner import PassageJudges, QuestionRewriters, RecipeRunner
from passer.services.judging.tools import JudgingTools
from passer.services.pipeline.ranker import Ranker
from passer.services.pipeline.retrieval_evaluation import RetrievalEvaluation
from tests.adapters.store.made import SqlStore
from tests.fake_retrieval_inputs import FakeRetrievalInputs
from tests.services.judging.made import InstantEngine, ScriptedJudge
from tests.services.study import QUESTIONS, Study

WRITER = Model(provider="openai", name="writer", base_url="http://user:secret@127.0.0.1:1")
TWO = Rewritten(of=Lexical(), by=Variations(judge=WRITER, n=2))
BEES = "how far do bees fly"


def lines(request: ChatRequest) -> str:
    """The first variation of the question about bees is about copper, the second repeats the question."""
    return "copper in seven years" if request.options.seed == 42 else BEES


class Fusing(Study):
    """The small study, with a model that writes variations."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        kept = SqlStore(f"sqlite:///{folder / 'judgements.sqlite3'}")
        self.writer = ScriptedJudge(lines)
        self.digest = "w" * 12
        recipes = RecipeRunner(
            tools=JudgingTools(
                judgements=DatabaseJudgements(kept.database),
                evaluations=kept,
                engine=lambda: InstantEngine(self.writer),
                clock=self.clock,
            ),
            describe=lambda model: ModelInfo(name=model.name, digest=self.digest, context_length=8192),
            located=lambda model: model,
        )
        self.ranker = Ranker(QuestionRewriters(recipes), judges=PassageJudges(recipes))
        self.answerer = replace(self.answerer, ranker=self.ranker)
        self.planner = replace(self.planner, ranker=self.ranker)
        self.running = replace(self.running, answerer=self.answerer)

    def sweep(self, *retrievers: Retriever) -> StoredSweep:
        config = RunConfig(dataset="farm", collection="books")
        axes = Axes(retriever=retrievers, k=(1, 2))
        return self.planner.create(Sweep(name="s", config=config, axes=axes, baseline=NormalPolicy(k=3)))

    def ranking(self, sweep: StoredSweep, question: str = BEES) -> Ranking:
        ranked_by = RankedBy("books", sweep.runs[-1].config.retriever.key)
        return self.store.rankings(sweep.id, ranked_by)[f"q{QUESTIONS.index(question)}"]


@pytest.fixture
def study(tmp_path: Path) -> Fusing:
    return Fusing(tmp_path)


def test_rankings_of_question_and_variation_are_fused_and_measured_by_the_question(study: Fusing) -> None:
    sweep = study.running.run(study.sweep(Lexical(), TWO).id)
    assert {run.state for run in sweep.runs} == {RunState.FINISHED}
    found = study.ranking(sweep)
    assert found.rewriting is not None
    assert (found.rewriting.asked, found.rewriting.dropped) == ((BEES, "copper in seven years"), 1)
    # Each text has one passage with its words, first in its ranking: 1 / (60 + 1) each.
    assert [passage.score for passage in found.passages] == [1 / 61, 1 / 61]
    assert {passage.text.split()[0] for passage in found.passages} == {"bees", "copper"}
    near = study.index.similarities([BEES], [[passage.id for passage in found.passages]])
    assert [passage.similarity for passage in found.passages] == near[0]
    # Three configurations and a second sweep share what the model wrote.
    asked = len(study.writer.asked)
    assert asked == 2 * len(QUESTIONS)
    again = study.running.run(study.sweep(TWO).id)
    assert len(study.writer.asked) == asked
    assert study.ranking(again) == found


def test_the_model_and_the_instruction_are_pinned_and_named_in_the_manifest(study: Fusing) -> None:
    sweep = study.sweep(TWO)
    pins = sweep.runs[0].config.retriever.by.pins
    assert pins["model"] == study.digest
    assert {"task", "options"} < pins.keys()
    finished = study.running.run(sweep.id)
    described = study.manifest_builder.manifest(finished.runs[0].id).config["retriever"]["by"]
    assert described["pins"] == pins
    assert described["judge"]["base_url"] == "http://127.0.0.1:1", "no password leaves the installation"
    records = {each.question: each for each in study.manifest_builder.records(finished.runs[0].id)}
    assert records[BEES].searched == (BEES, "copper in seven years")
    assert QuestionRecord.model_validate_json(records[BEES].line) == records[BEES]
    other = study.sweep(Rewritten(of=Dense(), by=TWO.by))
    study.digest = "another"
    with pytest.raises(ConflictError, match="Start a new sweep"):
        study.running.run(other.id)


def test_a_failed_reply_falls_back_and_is_asked_for_again_by_the_next_sweep(study: Fusing) -> None:
    study.writer.script = lambda request: (
        GenerationError("no", reason="server_error")
        if BEES in request.messages[-1].content
        else "copper in seven years"
    )
    sweep = study.running.run(study.sweep(TWO).id)
    found = study.ranking(sweep)
    assert found.rewriting is not None
    assert (found.rewriting.asked, found.rewriting.reason) == ((BEES,), "no-reply")
    assert found.passages[0].text.startswith("bees")
    study.writer.script = lines
    assert study.ranking(study.running.run(study.sweep(TWO).id)).rewriting.reason is None


def test_a_server_that_is_gone_pauses_the_sweep_and_nothing_is_asked_twice(study: Fusing) -> None:
    gone = GeneratorUnavailable(sentence("retriever.no-models"))
    study.writer.script = lambda request: gone if BEES in request.messages[-1].content else "copper in seven years"
    sweep = study.sweep(TWO)
    with pytest.raises(GeneratorUnavailable):
        study.running.run(sweep.id)
    assert {run.state for run in study.store.load_sweep(sweep.id).runs} == {RunState.PAUSED}
    study.writer.script = lines
    study.control.resume(sweep.id)
    assert {run.state for run in study.running.run(sweep.id).runs} == {RunState.FINISHED}
    answered = [request.key for request in study.writer.asked if BEES not in request.messages[-1].content]
    assert len(answered) == len(set(answered)) == 2 * (len(QUESTIONS) - 1)


THREE = Reranked(of=Dense(), by=PassageJudge(judge=WRITER), depth=3)


def graded(request: ChatRequest) -> str:
    """Passages about hens hold the answer, those about copper a part of it, and a reply about clover has no grade."""
    text = " ".join(message.content for message in request.messages)
    # Words that no question has; 7 is no grade, also in the second attempt.
    grade = next((grade for word, grade in (("third", 2), ("kilograms", 1), ("clover", 7)) if word in text), 0)
    return f'{{"a_reason": "It says so.", "b_grade": {grade}}}'


def test_a_model_orders_the_first_passages_by_its_grades_and_grades_none_twice(study: Fusing) -> None:
    study.writer.script = graded
    sweep = study.running.run(study.sweep(Dense(), THREE).id)
    assert {run.state for run in sweep.runs} == {RunState.FINISHED}
    assert sweep.runs[-1].config.retriever.by.pins["model"] == study.digest
    rules = {"hens": 2, "copper": 1, "bees": 0, "clover": None}
    for question in QUESTIONS:
        before = [each.text.split()[0] for each in study.ranker.rank(study.index, Dense(), [question], 3)[0].passages]
        found = study.ranking(sweep, question).passages
        # Equal grades keep their order, and a passage without a grade comes last.
        expected = sorted(before, key=lambda word: (rules[word] is None, -(rules[word] or 0)))
        assert [each.text.split()[0] for each in found] == expected
        assert [each.score for each in found] == [rules[word] for word in expected]
        near = study.index.similarities([question], [[each.id for each in found]])[0]
        assert [each.similarity for each in found] == pytest.approx(near)
    asked = len(study.writer.asked)
    # A reply with a grade that there is not is asked for a second time.
    assert 3 * len(QUESTIONS) <= asked <= 6 * len(QUESTIONS)
    again = study.running.run(study.sweep(THREE).id)
    assert len(study.writer.asked) == asked
    assert study.ranking(again).passages == study.ranking(sweep).passages


def test_a_passage_without_a_reply_comes_last_and_is_graded_by_the_next_sweep(study: Fusing) -> None:
    study.writer.script = lambda request: (
        GenerationError("no", reason="server_error") if "third" in request.messages[-1].content else graded(request)
    )
    hens = QUESTIONS[3]
    first = study.ranking(study.running.run(study.sweep(THREE).id), hens).passages
    assert {each.text.split()[0]: each.score for each in first}["hens"] is None
    study.writer.script = graded
    assert study.ranking(study.running.run(study.sweep(THREE).id), hens).passages[0].text.startswith("hens")


def either(request: ChatRequest) -> str:
    """A grade where one is asked for, else a variation."""
    return graded(request) if "b_grade" in str(request.reply_schema) else lines(request)


def test_a_comparison_counts_each_question_that_a_model_is_done_with(study: Fusing) -> None:
    study.writer.script = either
    evaluation = RetrievalEvaluation(study.store, study.collections, FakeRetrievalInputs(), lambda _: {}, study.ranker)
    seen = dict[str, list[tuple[int, int]]]()
    evaluation.evaluate(
        RetrievalRequest(dataset="farm", collection="books", retrievers=(Dense(), TWO, THREE), ks=(1,)),
        progress=lambda label, done, total: seen.setdefault(label, []).append((done, total)),
    )
    n = len(QUESTIONS)
    each = [(done, n) for done in range(1, n + 1)]
    assert seen == {Dense().label: [(n, n)], TWO.label: [*each, (n, n)], THREE.label: [*each, (n, n)]}


def test_who_goes_away_ends_the_asking_and_what_was_replied_is_not_asked_again(study: Fusing) -> None:
    abort = Abort()

    def leaves(request: ChatRequest) -> str:
        # While the passages of the second question are graded.
        if len(study.writer.asked) == 4:
            abort.ask()
        return graded(request)

    study.writer.script = leaves
    with abort.watching(), pytest.raises(GeneratorUnavailable):
        study.ranker.rank(study.index, THREE, QUESTIONS[1:], 3)
    before = len(study.writer.asked)
    assert before < 3 * len(QUESTIONS[1:])
    study.writer.script = graded
    study.ranker.rank(study.index, THREE, QUESTIONS[1:], 3)
    keys = [request.key for request in study.writer.asked]
    assert len(keys) == len(set(keys)) > before


def test_a_retriever_names_the_instruction_of_its_model(study: Fusing) -> None:
    """Keywords of Jagerman et al. instead of variations, and the scale of UMBRELA up to 3."""
    study.writer.script = lambda request: (
        graded(request).replace("2", "3") if "b_grade" in str(request.reply_schema) else lines(request)
    )
    keywords = Rewritten(of=Lexical(), by=Variations(judge=WRITER, n=1, prompt="keywords"))
    umbrela = Reranked(of=Dense(), by=PassageJudge(judge=WRITER, task="umbrela"), depth=3)
    pinned = [study.ranker.pinned(each) for each in (keywords, umbrela)]
    assert [each.by.pins["task"] for each in pinned] == [KEYWORDS.digest, UMBRELA_RELEVANT.digest]
    assert [each.label for each in pinned] == ["RAG-Fusion x1, keywords (BM25)", "Dense reranked by writer (UMBRELA)"]
    [found] = study.ranker.rank(study.index, pinned[0], [BEES], 3)
    assert found.rewriting is not None
    assert found.rewriting.asked == (BEES, "copper in seven years")
    assert "Write keywords" in study.writer.asked[-1].messages[0].content
    [read] = study.ranker.rank(study.index, pinned[1], [BEES], 3)
    assert {each.text.split()[0]: each.score for each in read.passages}["hens"] == 3
    changed = Reranked(of=Dense(), by=PassageJudge(judge=WRITER, pins=pinned[1].by.pins))
    with pytest.raises(ConflictError, match="Start a new sweep"):
        study.ranker.rank(study.index, changed, [BEES], 3)


def test_names_of_models_that_rerank() -> None:
    found = retriever_of("rerank:bm25@ollama@lab/a:7b")
    assert found == Reranked(
        of=Lexical(), by=PassageJudge(judge=Model(provider="ollama", connection="lab", name="a:7b")), depth=10
    )
    assert found.label == "BM25 reranked by a:7b"
