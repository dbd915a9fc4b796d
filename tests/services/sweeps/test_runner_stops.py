"""A sweep that is stopped, paused, cancelled or failed on: nothing is lost, asked twice, or left hanging."""

from __future__ import annotations

import itertools
from threading import Event

import pytest

from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.run import RunState
from passer.domain.timing.times import TimingPlan
from passer.errors import ConflictError, GenerationError, GeneratorUnavailable, IndexUnavailable, LeaseError
from passer.ports import PromptFact
from tests.fake_models import FakeChatModel
from tests.fakes import FakeTemplate
from tests.services.study import QUESTIONS, Study


def outcome(study: Study, sweep_id: str) -> list[tuple]:
    """All that two runs of one sweep must have in common."""
    found = []
    for run in study.store.load_sweep(sweep_id).runs:
        for e in study.store.evaluations(run.id):
            said = study.store.answers([e.answer_key or ""]).get(e.answer_key or "")
            found.append((run.id, run.state, e.model_dump(), said and said.model_dump(exclude={"generation_s"})))
    return found


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
    stored, prompted = sum(len(study.store.evaluations(run.id)) for run in sweep.runs), []
    study.store.record = lambda facts: (prompted.extend(f for f in facts if isinstance(f, PromptFact)), record(facts))
    study.running.run(sweep.id)
    assert len(prompted) == len(sweep.runs) * len(QUESTIONS) - stored, "what was answered is not prompted again"
    assert outcome(study, sweep.id) == expected
    assert sorted(study.chat_model.asked) == sorted(whole.chat_model.asked)


# A timing run takes no rankings over from others, and so it would search again for what it has forgotten.
@pytest.mark.parametrize("timing", [None, TimingPlan()], ids=["usual", "timing"])
@pytest.mark.parametrize("after", [1, 2, 5, 20])
def test_a_resumed_sweep_looks_up_no_ranking_again(after, timing, monkeypatch):
    monkeypatch.setattr("passer.services.sweeps.ranking_batcher.QUESTIONS_PER_SEARCH", 2)
    monkeypatch.setattr("passer.services.pipeline.ranker.QuestionSearch.warm_up", lambda *_: None)
    study = Study()
    sweep = study.create(0.1, 0.4, timing=timing)
    stop, commits = Event(), itertools.count(1)
    record = study.store.record

    def counted(facts):
        record(facts)
        if next(commits) >= after:
            stop.set()

    study.store.record = counted
    study.running.run(sweep.id, stop=stop)
    study.store.record = record
    before = dict(study.store.rankings(sweep.id, RankedBy("books")))
    assert before, "some were looked up before it stopped"
    study.running.run(sweep.id)
    looked_up = [question for questions, _ in study.index.searched for question in questions]
    assert sorted(looked_up) == sorted(QUESTIONS)
    assert {key: study.store.rankings(sweep.id, RankedBy("books"))[key] for key in before} == before


def test_a_question_that_fails_is_kept_with_its_reason_and_can_be_retried():
    broken = [True]

    def script(source):
        if "copper" in source.question and broken[0]:
            raise GenerationError("The reply was cut: try again.", reason="connection_lost")
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script))
    sweep = study.running.run(study.create(0.1).id)
    assert [run.state for run in sweep.runs] == [RunState.FINISHED] * 2
    assert [run.counts.failed for run in sweep.runs] == [1, 1]
    failed = study.store.evaluations(sweep.runs[0].id)[1]
    assert (failed.state, failed.reason) == ("failed", "The reply was cut: try again.")

    broken[0] = False
    before = len(study.chat_model.asked)
    study.control.retry(sweep.id)
    sweep = study.running.run(sweep.id)
    assert [run.counts.failed for run in sweep.runs] == [0, 0]
    assert [run.counts.scored for run in sweep.runs] == [6, 6]
    assert len(study.chat_model.asked) - before in (1, 2), "only what failed is asked again"


def test_a_server_that_goes_away_pauses_the_run_which_says_so_and_goes_on_by_itself():
    refusals = [20]
    seen = []

    def script(source):
        if len(study.chat_model.asked) > 3 and refusals[0]:
            refusals[0] -= 1
            seen.append([(run.state, run.reason) for run in study.store.load_sweep(sweep.id).runs])
            raise GeneratorUnavailable("Ollama does not answer: start it.")
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script), tick_s=3.0)
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

    def gone(*_):
        raise IndexUnavailable("Chroma does not answer: start it.")

    study.index.places = gone
    with pytest.raises(IndexUnavailable):
        study.running.run(sweep.id)
    states = [(run.state, run.reason) for run in study.store.load_sweep(sweep.id).runs]
    assert states == [(RunState.PAUSED, "Chroma does not answer: start it.")] * 2
    assert study.unfinished() == [sweep.id], "nobody has to resume it by hand"


def test_a_cancelled_run_stops_and_the_others_go_on():
    def script(source):
        if len(study.chat_model.asked) == 2:
            study.control.cancel(sweep.id, run_ids=[sweep.runs[1].id])
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script))
    sweep = study.create(0.1, 0.4)
    done = study.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED, RunState.CANCELLED, RunState.FINISHED]
    with pytest.raises(ConflictError, match="are finished, so they cannot be cancelled"):
        study.control.cancel(sweep.id, run_ids=[sweep.runs[0].id])


def test_a_prompt_template_that_is_edited_in_the_middle_changes_no_prompt_of_the_sweep():
    whole = Study()
    expected = outcome(whole, whole.running.run(whole.create(0.1, 0.4).id).id)

    def script(source):
        if len(study.chat_model.asked) == 3:
            study.templates.edit("default", "Answer in one word.")
        return source.passages[0].text if source.passages else "nothing"

    study = Study(chat_model=FakeChatModel(script))
    sweep, stop = study.create(0.1, 0.4), Event()
    record = study.store.record

    def stops_soon(facts):
        record(facts)
        if len(study.chat_model.asked) >= 3:
            stop.set()

    study.store.record = stops_soon
    study.running.run(sweep.id, stop=stop)
    study.store.record = record
    stored, prompted = sum(len(study.store.evaluations(run.id)) for run in sweep.runs), []
    study.store.record = lambda facts: (prompted.extend(f for f in facts if isinstance(f, PromptFact)), record(facts))
    study.running.run(sweep.id)
    assert len(prompted) == len(sweep.runs) * len(QUESTIONS) - stored, "what was answered is not prompted again"
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
    study.control.pause(sweep.id)
    study.running.run(sweep.id)
    assert study.chat_model.asked == []
    assert study.unfinished() == []
    study.control.resume(sweep.id)
    done = study.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED] * 2


def test_only_one_process_runs_a_sweep():
    study = Study()
    sweep = study.create(0.1)
    study.store.work.acquire(sweep.id, "elsewhere:1:abc", ttl_s=3600)
    with pytest.raises(LeaseError, match="elsewhere"):
        study.running.run(sweep.id)
    assert [run.state for run in study.store.load_sweep(sweep.id).runs] == [RunState.QUEUED] * 2


def test_scores_of_one_run_never_come_from_two_scorers():
    study = Study()
    sweep = study.create(0.1)
    study.scorer.identity = {"encoder": "another"}
    with pytest.raises(ConflictError, match="encoder fake, but encoder is now another"):
        study.running.run(sweep.id)


def test_the_engine_is_closed_whatever_happens():
    study = Study()
    study.running.run(study.create(0.1).id)
    assert [engine.closed for engine in study.engines] == [True]


def test_a_sweep_cancelled_while_the_model_server_is_gone_ends():
    study = Study(tick_s=0.5)

    def gone(source):
        if len(study.chat_model.asked) > 4:
            study.store.set_state([run.id for run in sweep.runs], RunState.CANCELLED)
        raise GeneratorUnavailable("Ollama does not answer: start it.")

    study.chat_model._script = gone
    sweep = study.create(0.1)
    done = study.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.CANCELLED] * 2
    assert len(study.chat_model.asked) < 30


def test_a_sweep_whose_model_server_is_gone_lets_others_go_first():
    study = Study(tick_s=0.5)

    def gone(source):
        raise GeneratorUnavailable("Ollama does not answer: start it.")

    study.chat_model._script = gone
    sweep = study.create(0.1)
    done = study.running.run(sweep.id, patience_s=5)
    assert [(run.state, run.reason) for run in done.runs] == [
        (RunState.PAUSED, "Ollama does not answer: start it.")
    ] * 2
    assert study.unfinished() == [sweep.id]


def test_a_pause_that_a_person_asked_for_outlasts_what_is_under_way():
    def script(source):
        if len(study.chat_model.asked) == 2:
            study.control.pause(sweep.id)
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script))
    sweep = study.create(0.1, 0.4)
    done = study.running.run(sweep.id)
    assert [(run.state, run.held) for run in done.runs] == [(RunState.PAUSED, True)] * 3
    study.control.resume(sweep.id)
    assert [run.state for run in study.running.run(sweep.id).runs] == [RunState.FINISHED] * 3


def test_failures_of_a_run_that_still_goes_on_are_not_retried_under_its_feet():
    def script(source):
        if "copper" in source.question:
            raise GenerationError("The reply was cut: try again.", reason="connection_lost")
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script))
    sweep = study.create(0.1)
    study.running.run(sweep.id)
    study.store.set_state([run.id for run in sweep.runs], RunState.RUNNING)
    with pytest.raises(ConflictError, match="Wait until they finish"):
        study.control.retry(sweep.id)
    assert [run.counts.failed for run in study.store.load_sweep(sweep.id).runs] == [1, 1]


def test_an_unexpected_error_costs_its_question_and_not_the_sweep(caplog):
    def script(source):
        if "copper" in source.question:
            raise RuntimeError("odd")
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script))
    done = study.running.run(study.create(0.1).id)
    assert [(run.state, run.counts.failed, run.counts.scored) for run in done.runs] == [(RunState.FINISHED, 1, 5)] * 2
    failed = study.store.evaluations(done.runs[0].id)[1]
    assert failed.reason == "PaSSER failed unexpectedly. Check the server log, then retry."
