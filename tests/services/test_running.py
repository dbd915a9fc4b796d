"""A sweep from its first question to its last score, on fakes."""

from __future__ import annotations

import itertools
import time
from threading import Event

import pytest

from passer.domain.run import RunState
from passer.errors import ConflictError, GenerationError, GeneratorUnavailable, IndexUnavailable, LeaseError
from passer.ports import AnswerFact, EvaluationFact
from passer.services.conducting import Conducting
from tests.fakes import FakeGenerator, FakeTemplate
from tests.services.study import QUESTIONS, TEXTS, Study


def outcome(study: Study, sweep_id: str) -> list[tuple]:
    """All that two runs of one sweep must have in common."""
    found = []
    for run in study.store.load_sweep(sweep_id).runs:
        for e in study.store.evaluations(run.id):
            said = study.store.answers([e.answer_key or ""]).get(e.answer_key or "")
            found.append((run.id, run.state, e.model_dump(), said and said.model_dump(exclude={"generation_s"})))
    return found


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
    assert len(study.generator.asked) == len(set(study.generator.asked)) == len(prompts)
    assert len(study.scorer.scored) == len(set(study.scorer.scored))
    reused = sum(run.counts.reused for run in sweep.runs)
    asked_evaluations = sum(
        1 for run in sweep.runs for e in study.store.evaluations(run.id) if e.prompt_digest is not None
    )
    assert reused == asked_evaluations - len(prompts) > 0


def test_a_second_sweep_asks_nothing_that_the_first_has_answered():
    study = Study()
    study.running.run(study.create(0.1).id)
    asked, scored = len(study.generator.asked), len(study.scorer.scored)
    again = study.running.run(study.create(0.1).id)
    assert (len(study.generator.asked), len(study.scorer.scored)) == (asked, scored)
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
    rankings = study.store.rankings(sweep.id, "books")
    gold = rankings["q0"].gold_ids
    assert gold is not None
    assert [p.text for p in study.index.passages() if p.id in gold] == [TEXTS[0]]
    assert rankings["q5"].gold_ids is None


@pytest.mark.parametrize("after", range(0, 60, 4))
def test_stopped_anywhere_and_resumed_it_is_the_same_and_asks_nothing_twice(after):
    whole = Study()
    expected = outcome(whole, whole.running.run(whole.create(0.1, 0.4).id).id)

    study = Study()
    sweep = study.create(0.1, 0.4)
    stop, commits = Event(), itertools.count()
    record = study.store.record

    def counted(facts):
        record(facts)
        if next(commits) >= after:
            stop.set()

    study.store.record = counted
    study.running.run(sweep.id, stop=stop)
    study.store.record = record
    study.running.run(sweep.id)
    assert outcome(study, sweep.id) == expected
    assert sorted(study.generator.asked) == sorted(whole.generator.asked)


def test_an_answer_is_committed_together_with_the_evaluations_that_wait_for_it():
    study = Study()
    study.running.run(study.create(0.1, 0.4).id)
    for facts in study.store.commits:
        answered = {fact.answer.key for fact in facts if isinstance(fact, AnswerFact)}
        moved = {fact.evaluation.answer_key for fact in facts if isinstance(fact, EvaluationFact)}
        assert answered <= moved


def test_a_question_that_fails_is_kept_with_its_reason_and_can_be_retried():
    broken = [True]

    def script(request):
        if "copper" in request.question and broken[0]:
            raise GenerationError("The reply was cut: try again.", reason="connection_lost")
        return request.passages[0].text

    study = Study(generator=FakeGenerator(script))
    sweep = study.running.run(study.create(0.1).id)
    assert [run.state for run in sweep.runs] == [RunState.FINISHED] * 2
    assert [run.counts.failed for run in sweep.runs] == [1, 1]
    failed = study.store.evaluations(sweep.runs[0].id)[1]
    assert (failed.state, failed.reason) == ("failed", "The reply was cut: try again.")

    broken[0] = False
    before = len(study.generator.asked)
    study.steering.retry(sweep.id)
    sweep = study.running.run(sweep.id)
    assert [run.counts.failed for run in sweep.runs] == [0, 0]
    assert [run.counts.scored for run in sweep.runs] == [6, 6]
    assert len(study.generator.asked) - before in (1, 2), "only what failed is asked again"


def test_a_server_that_goes_away_pauses_the_run_which_says_so_and_goes_on_by_itself():
    refusals = [20]
    seen = []

    def script(request):
        if len(study.generator.asked) > 3 and refusals[0]:
            refusals[0] -= 1
            seen.append([(run.state, run.reason) for run in study.store.load_sweep(sweep.id).runs])
            raise GeneratorUnavailable("Ollama does not answer: start it.")
        return request.passages[0].text

    study = Study(generator=FakeGenerator(script), tick_s=3.0)
    sweep = study.create(0.1, 0.4)
    done = study.running.run(sweep.id)
    assert refusals == [0]
    assert any((RunState.PAUSED, "Ollama does not answer: start it.") in states for states in seen)
    assert [run.state for run in done.runs] == [RunState.FINISHED] * 3
    assert [run.counts.scored for run in done.runs] == [6] * 3
    assert all(run.reason is None for run in done.runs)


def test_an_index_that_is_gone_pauses_the_sweep_with_the_reason():
    study = Study()
    sweep = study.create(0.1)

    def gone(questions, top_k):
        raise IndexUnavailable("Chroma does not answer: start it.")

    study.index.search = gone
    with pytest.raises(IndexUnavailable):
        study.running.run(sweep.id)
    states = [(run.state, run.reason) for run in study.store.load_sweep(sweep.id).runs]
    assert states == [(RunState.PAUSED, "Chroma does not answer: start it.")] * 2
    assert study.store.unfinished() == [sweep.id], "nobody has to resume it by hand"


def test_a_cancelled_run_stops_and_the_others_go_on():
    def script(request):
        if len(study.generator.asked) == 2:
            study.steering.cancel(sweep.id, run_ids=[sweep.runs[1].id])
        return request.passages[0].text

    study = Study(generator=FakeGenerator(script))
    sweep = study.create(0.1, 0.4)
    done = study.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED, RunState.CANCELLED, RunState.FINISHED]
    with pytest.raises(ConflictError, match="is finished, so it cannot be cancelled"):
        study.steering.cancel(sweep.id, run_ids=[sweep.runs[0].id])


def test_a_prompt_template_that_is_edited_in_the_middle_changes_no_prompt_of_the_sweep():
    whole = Study()
    expected = outcome(whole, whole.running.run(whole.create(0.1, 0.4).id).id)

    def script(request):
        if len(study.generator.asked) == 3:
            study.templates.edit("default", "Answer in one word.")
        return request.passages[0].text if request.passages else "nothing"

    study = Study(generator=FakeGenerator(script))
    sweep, stop = study.create(0.1, 0.4), Event()
    record = study.store.record

    def stops_soon(facts):
        record(facts)
        if len(study.generator.asked) >= 3:
            stop.set()

    study.store.record = stops_soon
    study.running.run(sweep.id, stop=stop)
    study.store.record = record
    study.running.run(sweep.id)
    assert outcome(study, sweep.id) == expected
    digests = {prompt.template_digest for prompt in study.store._prompts.values()}
    assert digests == {each.digest for each in sweep.templates} == {FakeTemplate("default").digest}

    edited = study.create(0.1, 0.4)
    assert edited.templates[0].text == "Answer in one word."
    assert edited.id != sweep.id, "another text is another study"
    study.running.run(edited.id)
    assert {e.prompt_digest for e in study.store.evaluations(edited.runs[0].id)}.isdisjoint(
        e.prompt_digest for e in study.store.evaluations(sweep.runs[0].id)
    )


def test_a_paused_sweep_waits_for_the_person_and_goes_on_where_it_was():
    study = Study()
    sweep = study.create(0.1)
    study.steering.pause(sweep.id)
    study.running.run(sweep.id)
    assert study.generator.asked == []
    assert study.store.unfinished() == []
    study.steering.resume(sweep.id)
    done = study.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED] * 2


def test_only_one_process_runs_a_sweep():
    study = Study()
    sweep = study.create(0.1)
    study.store.acquire(sweep.id, "elsewhere:1:abc", ttl_s=3600)
    with pytest.raises(LeaseError, match="elsewhere"):
        study.running.run(sweep.id)
    assert [run.state for run in study.store.load_sweep(sweep.id).runs] == [RunState.QUEUED] * 2


def test_scores_of_one_run_never_come_from_two_scorers():
    study = Study()
    sweep = study.create(0.1)
    study.scorer.identity = {"encoder": "another"}
    with pytest.raises(ConflictError, match="encoder fake and would go on with another"):
        study.running.run(sweep.id)


def test_the_engine_is_closed_whatever_happens():
    study = Study()
    study.running.run(study.create(0.1).id)
    assert [engine.closed for engine in study.engines] == [True]


def test_a_sweep_cancelled_while_the_model_server_is_gone_ends():
    study = Study(tick_s=0.5)

    def gone(request):
        if len(study.generator.asked) > 4:
            study.store.set_state([run.id for run in sweep.runs], RunState.CANCELLED)
        raise GeneratorUnavailable("Ollama does not answer: start it.")

    study.generator._script = gone
    sweep = study.create(0.1)
    done = study.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.CANCELLED] * 2
    assert len(study.generator.asked) < 30


def test_a_sweep_whose_model_server_is_gone_lets_others_go_first():
    study = Study(tick_s=0.5)

    def gone(request):
        raise GeneratorUnavailable("Ollama does not answer: start it.")

    study.generator._script = gone
    sweep = study.create(0.1)
    done = study.running.run(sweep.id, patience_s=5)
    assert [(run.state, run.reason) for run in done.runs] == [
        (RunState.PAUSED, "Ollama does not answer: start it.")
    ] * 2
    assert study.store.unfinished() == [sweep.id]


def test_a_pause_that_a_person_asked_for_outlasts_what_is_under_way():
    def script(request):
        if len(study.generator.asked) == 2:
            study.steering.pause(sweep.id)
        return request.passages[0].text

    study = Study(generator=FakeGenerator(script))
    sweep = study.create(0.1, 0.4)
    done = study.running.run(sweep.id)
    assert [(run.state, run.held) for run in done.runs] == [(RunState.PAUSED, True)] * 3
    study.steering.resume(sweep.id)
    assert [run.state for run in study.running.run(sweep.id).runs] == [RunState.FINISHED] * 3


def test_failures_of_a_run_that_still_goes_on_are_not_retried_under_its_feet():
    def script(request):
        if "copper" in request.question:
            raise GenerationError("The reply was cut: try again.", reason="connection_lost")
        return request.passages[0].text

    study = Study(generator=FakeGenerator(script))
    sweep = study.create(0.1)
    study.running.run(sweep.id)
    study.store.set_state([run.id for run in sweep.runs], RunState.RUNNING)
    with pytest.raises(ConflictError, match="let them finish"):
        study.steering.retry(sweep.id)
    assert [run.counts.failed for run in study.store.load_sweep(sweep.id).runs] == [1, 1]


def test_an_unexpected_error_costs_its_question_and_not_the_sweep(caplog):
    def script(request):
        if "copper" in request.question:
            raise RuntimeError("odd")
        return request.passages[0].text

    study = Study(generator=FakeGenerator(script))
    done = study.running.run(study.create(0.1).id)
    assert [(run.state, run.counts.failed, run.counts.scored) for run in done.runs] == [(RunState.FINISHED, 1, 5)] * 2
    failed = study.store.evaluations(done.runs[0].id)[1]
    assert failed.reason == "PaSSER itself failed: look at the log, then retry."


def test_what_no_database_can_hold_is_taken_out_of_a_reply():
    study = Study(generator=FakeGenerator(lambda request: "clover\ud800 fixes\0 nitrogen"))
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
    conducting = Conducting(study.running, study.store)
    conducting.start()
    for _ in range(200):
        if not study.store.unfinished():
            break
        time.sleep(0.02)
    third = study.create(0.9)
    conducting.wake()
    for _ in range(200):
        if not study.store.unfinished():
            break
        time.sleep(0.02)
    conducting.stop()
    for sweep in (first, second, third):
        assert {run.state for run in study.store.load_sweep(sweep.id).runs} == {RunState.FINISHED}
