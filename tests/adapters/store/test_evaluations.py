"""Facts of evaluations in every store: to the last bit, and final."""

from __future__ import annotations

from sqlalchemy import text

from passer.adapters.store.database import Database
from passer.adapters.store.evaluations import DatabaseEvaluations
from passer.domain.models.answer import Prompt
from passer.domain.models.chat import Message
from passer.domain.models.model import Model
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import Score
from passer.domain.sweeps.run import Evaluation, RunState
from passer.ports import (
    AnswerFact,
    BareRanking,
    Effort,
    EvaluationFact,
    PairFact,
    PromptFact,
    RankingFact,
    SearchAddress,
    SharedRanking,
)
from tests.adapters.store.made import answer, evaluation, ranking, sweep


def test_facts_come_back_to_the_last_bit(store):
    store.create_sweep(sweep())
    prompt = Prompt(
        template="default", template_digest="t" * 64, messages=(Message(role="user", content="Who? \u2014 \U0001f33e"),)
    )
    scores = {
        "METEOR": Score(value=1 / 3),
        "BLEU": Score(value=None, reason="empty_answer"),
        "F1 Score": Score(value=0, note="answer_cut_off"),
    }
    said = answer()
    evaluation = Evaluation(
        run_id="sweep-000", number=0, question_id="q0", state="scored", kept=(0, 2), prompt_digest=prompt.digest,
        answer_key=said.key, pair_key="s" * 64,
    )  # fmt: skip
    facts = [
        RankingFact("sweep", RankedBy("farm-books"), "q0", ranking()),
        PromptFact(prompt),
        AnswerFact(said),
        PairFact("s" * 64, scores, 0.01),
        EvaluationFact(evaluation),
    ]
    store.record(facts)
    store.record(facts)
    assert store.rankings("sweep", RankedBy("farm-books")) == {"q0": ranking()}
    assert store.rankings("sweep", RankedBy("farm-books"), ["q1"]) == {}
    assert store.ranked_questions("sweep", RankedBy("farm-books")) == {"q0"}
    assert (
        store.ranked_questions("sweep", RankedBy("other"))
        == store.ranked_questions("none", RankedBy("farm-books"))
        == set()
    )
    bare = BareRanking((("p-00000", 0.1 + 0.2), ("p-00001", -0.25)), ("p-00000",), embedding_s=0.5, retrieval_s=0.25)
    assert store.bare_rankings("sweep", RankedBy("farm-books")) == {"q0": bare}
    assert store.bare_rankings("sweep", RankedBy("farm-books"), ["q0", "q1"]) == {"q0": bare}
    assert (
        store.bare_rankings("sweep", RankedBy("farm-books"), ["q1"])
        == store.bare_rankings("sweep", RankedBy("other"))
        == {}
    )
    assert store.prompt(prompt.digest) == prompt
    assert store.prompt("none") is None
    assert store.answers([said.key, "none"]) == {said.key: said}
    assert store.pairs(["s" * 64]) == {"s" * 64: scores}
    assert store.evaluations("sweep-000") == [evaluation.model_copy(update={"scores": scores})]
    assert store.evaluations("sweep-000", with_scores=False) == [evaluation]


def test_an_evaluation_moves_on_and_what_is_content_addressed_never_changes(store):
    store.create_sweep(sweep())
    evaluation = Evaluation(run_id="sweep-000", number=1, question_id="q1", state="answered", answer_key="k" * 64)
    store.record([AnswerFact(answer()), EvaluationFact(evaluation)])
    moved = evaluation.model_copy(update={"state": "failed", "reason": "It broke."})
    store.record([AnswerFact(answer(text="another")), EvaluationFact(moved)])
    assert store.evaluations("sweep-000", with_scores=False) == [moved]
    assert store.answers(["k" * 64])["k" * 64].text == "said"


def test_evaluations_are_paged_in_dataset_order(store):
    store.create_sweep(sweep())
    for number in (2, 0, 1):
        store.record([EvaluationFact(Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}"))])
    assert [e.number for e in store.evaluations("sweep-000")] == [0, 1, 2]
    assert [e.number for e in store.evaluations("sweep-000", after=0, limit=1)] == [1]


def test_counts_are_those_of_the_evaluations(store):
    store.create_sweep(sweep())
    store.record(
        [
            AnswerFact(answer("a" * 64, abstained=True)),
            AnswerFact(answer("b" * 64, truncated="answer")),
            EvaluationFact(
                Evaluation(run_id="sweep-000", number=0, question_id="q0", state="scored", answer_key="a" * 64)
            ),
            EvaluationFact(
                Evaluation(
                    run_id="sweep-000", number=1, question_id="q1", state="answered", answer_key="b" * 64,
                    kept=(0, 3), reused=True,
                )
            ),
            EvaluationFact(Evaluation(run_id="sweep-000", number=2, question_id="q2", state="failed", kept=(0, 1))),
        ]
    )  # fmt: skip
    counts = store.load_sweep("sweep").runs[0].counts
    assert counts.model_dump() == {
        "questions": 3, "answered": 2, "scored": 1, "failed": 1, "uncovered": 1, "abstained": 1, "truncated": 1,
        "reused": 1,
    }  # fmt: skip


def test_the_speed_of_a_model_is_that_of_the_answers_it_was_asked_for(store):
    store.create_sweep(sweep())
    asked = {"state": "scored", "prompt_digest": "p" * 64}
    store.record(
        [
            *(AnswerFact(answer(name * 64, generation_s=s)) for name, s in (("a", 2.0), ("b", 8.0), ("c", 50.0))),
            evaluation(0, **asked, answer_key="a" * 64),
            evaluation(1, **asked, answer_key="b" * 64),
            evaluation(2, **asked, answer_key="b" * 64, reused=True),
            evaluation(3, state="scored", answer_key="c" * 64),
        ]
    )
    assert store.generation_times(Model()) == [], "no run has begun"
    store.set_state(["sweep-000"], RunState.RUNNING)
    assert sorted(seconds for seconds, _ in store.generation_times(Model())) == [2.0, 8.0]
    assert store.generation_times(Model(base_url="http://elsewhere")) == []
    assert store.generation_times(Model(name="another")) == []


def test_sweeps_share_what_was_found_and_each_sees_as_much_as_it_needs(store):
    for name in ("sweep", "other"):
        store.create_sweep(sweep(name))
    books, at = RankedBy("farm-books"), SearchAddress("s" * 64, "a" * 64, 2)
    store.record([RankingFact("sweep", books, "q0", ranking(), at=at)])
    without_gold = ranking().model_copy(update={"gold_ids": None})
    assert store.found_rankings("s" * 64, ["a" * 64, "b" * 64], depth=2) == {"a" * 64: SharedRanking(at, without_gold)}
    assert store.found_rankings("s" * 64, ["a" * 64], depth=3) == {}
    assert store.found_rankings("t" * 64, ["a" * 64], depth=1) == {}
    cut = store.found_rankings("s" * 64, ["a" * 64], depth=1)["a" * 64]
    assert (cut.at, len(cut.ranking.passages)) == (at, 1)

    mine = cut.ranking.model_copy(update={"gold_ids": ("p-00001",)})
    store.record([RankingFact("other", books, "q7", mine, at=cut.at, reused=True)])
    assert store.rankings("other", books) == {"q7": mine}
    assert store.bare_rankings("other", books)["q7"].ids == ("p-00000",)
    assert store.rankings("sweep", books) == {"q0": ranking()}, "as it was"
    assert [store.effort(name).rankings for name in ("sweep", "other")] == [1, 0]


def test_a_search_that_belongs_to_one_sweep_is_found_by_no_other(store):
    store.create_sweep(sweep())
    store.record([RankingFact("sweep", RankedBy("farm-books"), "q0", ranking())])
    assert store.rankings("sweep", RankedBy("farm-books")) == {"q0": ranking()}
    assert store.rankings("sweep", RankedBy("farm-books", "another")) == {}
    assert store.found_rankings("sweep/farm-books/dense", ["q0"], depth=1) == {}


def test_what_was_searched_for_is_stored_with_the_ranking(store):
    store.create_sweep(sweep())
    found = ranking().model_copy(update={"rewriting": Rewriting(asked=("q", "another"), dropped=2)})
    store.record([RankingFact("sweep", RankedBy("farm-books", "fusion"), "q0", found)])
    assert store.rankings("sweep", RankedBy("farm-books", "fusion")) == {"q0": found}


def test_a_stored_search_never_changes(store):
    store.create_sweep(sweep())
    store.create_sweep(sweep("other"))
    at, books = SearchAddress("s" * 64, "a" * 64, 2), RankedBy("farm-books")
    store.record([RankingFact("sweep", books, "q0", ranking(), at=at)])
    changed = ranking().model_copy(update={"passages": ranking().passages[1:], "retrieval_s": 9.0})
    store.record([RankingFact("other", books, "q0", changed, at=at)])
    assert store.found_rankings("s" * 64, ["a" * 64], depth=2)["a" * 64].ranking.retrieval_s == 0.25
    assert store.rankings("sweep", books) == {"q0": ranking()}


def test_the_effort_of_a_sweep_is_counted_apart_from_others(store):
    store.create_sweep(sweep())
    store.create_sweep(sweep("other"))
    asked = {"prompt_digest": "p" * 64, "answer_key": "a" * 64}
    store.record(
        [
            AnswerFact(answer("a" * 64)),
            *(PairFact(name * 64, {"METEOR": Score(value=0.5)}, 0.1) for name in "xy"),
            RankingFact("sweep", RankedBy("farm-books"), "q0", ranking()),
            RankingFact("sweep", RankedBy("farm-books"), "q1", ranking()),
            RankingFact("other", RankedBy("farm-books"), "q0", ranking()),
            evaluation(0, state="scored", pair_key="x" * 64, **asked),
            evaluation(1, state="scored", pair_key="x" * 64, reused=True, **asked),
            evaluation(2, state="answered", reused=True, **asked),
            evaluation(3, state="failed", prompt_digest="q" * 64),
            evaluation(4, state="scored", pair_key="y" * 64, answer_key="a" * 64),
        ]
    )
    assert store.effort("sweep") == Effort(rankings=2, prompted=3, generated=1, scored=3, pairs=2)
    assert store.effort("other") == Effort(rankings=1, prompted=0, generated=0, scored=0, pairs=0)


def test_reopening_forgets_failures_alone(store):
    store.create_sweep(sweep())
    for number, state in enumerate(("failed", "scored", "failed")):
        store.record(
            [EvaluationFact(Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}", state=state))]
        )
    store.set_state(["sweep-000"], RunState.FINISHED)
    assert store.reopen(["sweep-000"]) == 2
    assert [e.number for e in store.evaluations("sweep-000")] == [1]
    reopened = store.load_sweep("sweep").runs[0]
    assert (reopened.state, reopened.finished_at) == (RunState.QUEUED, None)


def test_a_scored_evaluation_is_final(store):
    store.create_sweep(sweep())
    scored = Evaluation(run_id="sweep-000", number=0, question_id="q0", state="scored", pair_key="s" * 64)
    late = scored.model_copy(update={"state": "answered", "pair_key": None})
    store.record([EvaluationFact(scored)])
    store.record([EvaluationFact(late)])
    assert store.evaluations("sweep-000", with_scores=False) == [scored]


def test_failed_evaluations_are_listed_alone_and_paged(store):
    store.create_sweep(sweep())
    store.record(
        [
            evaluation(0, state="failed", reason="gone"),
            evaluation(1, state="scored"),
            evaluation(2, state="answered"),
            evaluation(3, state="failed", reason="too hot"),
            evaluation(4, state="failed", reason="gone"),
        ]
    )
    found = store.evaluations("sweep-000", failed_only=True)
    assert [(item.number, item.reason) for item in found] == [(0, "gone"), (3, "too hot"), (4, "gone")]
    assert [item.number for item in store.evaluations("sweep-000", after=0, limit=1, failed_only=True)] == [3]


def test_a_question_is_read_in_all_runs_that_reached_it(store):
    store.create_sweep(sweep())
    facts = [
        EvaluationFact(Evaluation(run_id=run, number=number, question_id=f"q{number}"))
        for run, number in (("sweep-000", 0), ("sweep-000", 1), ("sweep-001", 1))
    ]
    store.record(facts)
    found = store.evaluations_of_question(["sweep-000", "sweep-001"], 1)
    assert sorted((each.run_id, each.question_id) for each in found) == [("sweep-000", "q1"), ("sweep-001", "q1")]
    assert [each.run_id for each in store.evaluations_of_question(["sweep-000", "sweep-001"], 0)] == ["sweep-000"]


def test_the_seconds_of_scoring_are_read_without_the_scores(tmp_path):
    """Their JSON took a tenth of reading the records of a run."""
    database = Database(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    store = DatabaseEvaluations(database)
    store.record([PairFact("p" * 64, {"METEOR": Score(value=0.5)}, 0.25)])
    with database.begin() as connection:
        connection.execute(text("UPDATE pairs SET scores = 'no JSON'"))
    assert store.scoring_times(["p" * 64, "none"]) == {"p" * 64: 0.25}
    database.close()
