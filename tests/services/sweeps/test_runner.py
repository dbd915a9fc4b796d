"""A sweep from its first question to its last score, on fakes."""

from __future__ import annotations

import time

from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.run import RunState
from passer.ports import AnswerFact, EvaluationFact
from passer.services.sweeps.lane import SweepLane, SweepRoom
from passer.services.work.worker import Worker
from tests.fake_models import FakeChatModel
from tests.services.study import QUESTIONS, TEXTS, Study


def test_a_sweep_runs_to_its_end_with_every_question_scored():
    study = Study()
    sweep = study.running.run(study.create(0.1, 0.4, 0.99).id)
    assert [run.state for run in sweep.runs] == [RunState.FINISHED] * 4
    for run in sweep.runs:
        assert (run.counts.answered, run.counts.scored, run.counts.failed) == (6, 6, 0)
        assert run.started_at is not None
        assert run.finished_at is not None
    assert sweep.progress is not None
    assert (sweep.progress.stage, sweep.progress.done, sweep.progress.total) == ("done", 24, 24)
    first = study.store.evaluations(sweep.runs[0].id)[0]
    assert first.kept == (0, 2)
    assert study.store.answers([first.answer_key])[first.answer_key].text == TEXTS[0]
    assert first.scores is not None
    assert first.scores["METEOR"].value == 1.0


def test_the_index_is_asked_once_per_question_for_the_whole_sweep():
    study = Study()
    study.running.run(study.create(0.1, 0.4, 0.99).id)
    assert study.index.searched == [(list(QUESTIONS), 100)]


def test_one_generation_per_distinct_prompt_and_one_scoring_per_distinct_pair():
    study = Study()
    sweep = study.running.run(study.create(0.05, 0.1, 0.4).id)
    prompts = {e.prompt_digest for run in sweep.runs for e in study.store.evaluations(run.id) if e.prompt_digest}
    assert len(study.chat_model.asked) == len(set(study.chat_model.asked)) == len(prompts)
    assert len(study.scorer.scored) == len(set(study.scorer.scored))
    reused = sum(run.counts.reused for run in sweep.runs)
    asked_evaluations = sum(
        1 for run in sweep.runs for e in study.store.evaluations(run.id) if e.prompt_digest is not None
    )
    assert reused == asked_evaluations - len(prompts) > 0


def test_a_second_sweep_asks_nothing_that_the_first_has_answered():
    study = Study()
    study.running.run(study.create(0.1).id)
    asked, scored = len(study.chat_model.asked), len(study.scorer.scored)
    again = study.running.run(study.create(0.1).id)
    assert (len(study.chat_model.asked), len(study.scorer.scored)) == (asked, scored)
    assert [run.counts.scored for run in again.runs] == [6, 6]


def test_no_passage_is_an_abstention_that_nobody_was_asked_for():
    study = Study()
    sweep = study.running.run(study.create(0.9999).id)
    strict = sweep.runs[1]
    assert strict.counts.uncovered == 6
    assert strict.counts.abstained == 6
    assert all(e.prompt_digest is None for e in study.store.evaluations(strict.id))


def test_no_passage_may_also_be_asked_without_context():
    study = Study()
    sweep = study.running.run(study.create(0.9999, no_passages="ask").id)
    assert all(e.prompt_digest is not None for e in study.store.evaluations(sweep.runs[1].id))


def test_the_passages_that_hold_the_answer_are_known_where_the_dataset_says_so():
    study = Study()
    sweep = study.running.run(study.create(0.1).id)
    rankings = study.store.rankings(sweep.id, RankedBy("books"))
    gold = rankings["q0"].gold_ids
    assert gold is not None
    assert [p.text for p in study.index.passages() if p.id in gold] == [TEXTS[0]]
    assert rankings["q5"].gold_ids is None


def test_an_answer_is_committed_together_with_the_evaluations_that_wait_for_it():
    study = Study()
    study.running.run(study.create(0.1, 0.4).id)
    for facts in study.store.commits:
        answered = {fact.answer.key for fact in facts if isinstance(fact, AnswerFact)}
        moved = {fact.evaluation.answer_key for fact in facts if isinstance(fact, EvaluationFact)}
        assert answered <= moved


def test_what_no_database_can_hold_is_taken_out_of_a_reply():
    study = Study(chat_model=FakeChatModel(lambda request: "clover\ud800 fixes\0 nitrogen"))
    done = study.running.run(study.create(0.1).id)
    assert [run.counts.scored for run in done.runs] == [6, 6]
    answer = next(iter(study.store._answers.values()))
    assert answer.text == "clover? fixes nitrogen"


def test_where_another_process_answered_first_its_text_is_scored():
    study = Study()
    sweep = study.create(0.1)
    record = study.store.record

    def raced(facts):
        for fact in facts:
            if isinstance(fact, AnswerFact) and not fact.answer.abstained:
                study.store._answers.setdefault(fact.answer.key, fact.answer.model_copy(update={"text": "theirs"}))
        record(facts)

    study.store.record = raced
    study.running.run(sweep.id)
    assert {answer for _, answer in study.scorer.scored} == {"theirs"}


def test_the_server_runs_what_waits_and_what_an_earlier_process_left():
    study = Study()
    first, second = study.create(0.1), study.create(0.4)
    study.store.set_state([run.id for run in first.runs], RunState.RUNNING)
    room = SweepRoom(study.running, study.store, study.answerer.located)
    lane = SweepLane(lambda _: room, slots=1)
    sweep_worker = Worker(study.store.work, (lane,))
    sweep_worker.start()
    for _ in range(200):
        if not study.unfinished():
            break
        time.sleep(0.02)
    third = study.create(0.9)
    sweep_worker.wake()
    for _ in range(200):
        if not study.unfinished():
            break
        time.sleep(0.02)
    sweep_worker.stop()
    for sweep in (first, second, third):
        assert {run.state for run in study.store.load_sweep(sweep.id).runs} == {RunState.FINISHED}
