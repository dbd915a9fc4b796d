"""What goes wrong with single replies: the run ends finished, with counts and reasons, and all else is scored."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from passer.bootstrap import build_services
from passer.domain.analysis.choices import SweepChoices
from passer.domain.models.model import Model
from passer.domain.sweeps.run import RunState
from passer.errors import ModelNotFoundError
from passer.services.sweeps.stop_conditions import EQUAL_FAILURES
from passer.settings import Settings
from tests.e2e.farm import CROPS, HIT, LLAMA, MISTRAL, RETRIES, SILENCE_S, WITHIN_S, Farm, check_counts, text
from tests.ollama_server import OllamaServer, Step
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    home = tmp_path_factory.mktemp("home")
    with OllamaServer() as server:
        services = build_services(Settings(home=home, PASSER_OLLAMA_URL=server.url))
        documents = [
            (f"{crop}.txt", f"{crop.title()} on an organic farm. The rule for {crop} is {n}.".encode())
            for n, crop in enumerate(CROPS)
        ]
        services.library.document_ingest.ingest_sources("farm", documents)
        yield Farm(services, server)
        services.close()


@pytest.fixture(autouse=True)
def no_faults_left(farm: Farm) -> Iterator[None]:
    yield
    farm.server.forget()
    farm.server.latency_s = 0.0


FOR_GOOD = {
    "cut_json": (Step(fault="cut_json"), 7, "is not readable"),
    "no_json": (Step(fault="malformed"), 7, "is not readable"),
    "early_end": (Step(fault="ends_early"), 7, "ended before it was complete"),
    "reset_midway": (Step(fault="reset"), 7, "was lost before the reply was complete"),
    "crash_midway": (Step(fault="error_in_stream"), 3, "failed while answering"),
    "silence": (Step(fault="hang"), 7, "did not respond in time"),
    "status_500": (Step(status=500), 3, "returned 500: llama runner process has terminated"),
    "status_404": (
        Step(status=404, error="model not found"),
        1,
        "does not have the model mistral:latest. Run `ollama pull mistral:latest` there",
    ),
    "too_long": (Step(status=400, error="input exceeds the context length"), 1, "Keep fewer passages or raise num_ctx"),
}
"""Faults that do not go away: how often each prompt is asked, and what its question says then."""


@pytest.mark.parametrize("name", FOR_GOOD)
def test_a_fault_that_stays_costs_its_own_question_alone_until_it_is_retried(farm: Farm, name: str):
    step, attempts, reason = FOR_GOOD[name]
    sweep = farm.sweep(name)
    farm.script_question(name, step)
    done = farm.run(sweep, silence_s=SILENCE_S if step.fault == "hang" else WITHIN_S)
    check_counts(done, questions=8, answered=7, scored=7, failed=1)
    for run in done.runs:
        failed = farm.evaluations(run)[HIT]
        assert (failed.state, failed.answer_key, failed.scores) == ("failed", None, None)
        assert re.search(reason, failed.reason or "")
    prompts = farm.times_asked(name, hit=True).total()
    assert farm.times_asked(name, hit=True) == {attempts: prompts}
    assert set(farm.times_asked(name, hit=False)) == {1}
    analysis = farm.services.analysis.sweep_results.analyse(sweep.id)
    assert [(item.n_failed, item.excluded) for item in analysis.configurations] == [(1, {"generation_failed": 1})] * 3

    farm.server.forget()
    farm.services.sweeps.control.retry(sweep.id)
    check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    assert farm.times_asked(name, hit=True) == {attempts + 1: prompts}
    assert set(farm.times_asked(name, hit=False)) == {1}


PASSING = {
    "twice_500": (Step(status=500), 2),
    "429_with_seconds": (Step(status=429, retry_after="1"), 2),
    "429_with_a_date": (Step(status=429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), 4),
    "twice_503": (Step(status=503), 2),
    "one_reset": (Step(fault="reset_at_once"), 1),
    "one_cut": (Step(fault="cut_json"), 1),
}
"""Faults that go away, and after how many."""


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_goes_away_costs_nothing_but_the_attempts(farm: Farm, name: str):
    step, times = PASSING[name]
    sweep = farm.sweep(name)
    farm.script_question(name, step, times=times)
    check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    asked = farm.times_asked(name, hit=True)
    assert sum(each * prompts for each, prompts in asked.items()) == asked.total() + times
    assert set(farm.times_asked(name, hit=False)) == {1}


def test_an_empty_reply_is_asked_for_again_and_then_an_answer_that_says_so(farm: Farm):
    sweep = farm.sweep("nothing")
    farm.script_question("nothing", Step(reply=""))
    done = farm.run(sweep)
    check_counts(done, questions=8, answered=8, scored=8, failed=0)
    for run in done.runs:
        empty = farm.evaluations(run)[HIT]
        answer = farm.answer(empty)
        assert (empty.state, answer.text, answer.reason) == ("scored", "", "empty_answer")
        assert (empty.scores or {})["METEOR"].reason == "empty_answer"
    assert set(farm.times_asked("nothing", hit=True)) == {RETRIES.empty_attempts}
    assert set(farm.times_asked("nothing", hit=False)) == {1}


def test_a_first_token_that_takes_long_holds_up_its_own_question_alone(farm: Farm):
    before: list[int] = []

    def reply(prompt: str) -> str:
        if text("slow", HIT) in prompt:
            before.append(farm.times_asked("slow", hit=False).total())
        return "Hens live for long."

    sweep = farm.sweep("slow")
    # At most three of the four slots wait for it.
    farm.script_question("slow", Step(latency_s=2.0))
    farm.server.reply, usual = reply, farm.server.reply
    try:
        check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    finally:
        farm.server.reply = usual
    others = farm.times_asked("slow", hit=False)
    assert before == [others.total()] * farm.times_asked("slow", hit=True).total(), "all others were asked meanwhile"
    assert set(others) | set(farm.times_asked("slow", hit=True)) == {1}


CUT = {
    "long_answer": (Step(reply="and so on " * 100), "answer", {"num_predict": 60}),
    "long_prompt": (Step(prompt_tokens=4096), "prompt", {"num_ctx": 4096}),
}
"""What is cut, by what the server says of it."""


@pytest.mark.parametrize("name", CUT)
def test_what_was_cut_is_flagged_counted_and_kept_or_left_out_by_choice(farm: Farm, name: str):
    step, part, options = CUT[name]
    sweep = farm.sweep(name, **options)
    farm.script_question(name, step)
    done = farm.run(sweep)
    check_counts(done, questions=8, answered=8, scored=8, failed=0, truncated=1)
    for run in done.runs:
        cut = [farm.answer(evaluation).truncated for evaluation in farm.evaluations(run)]
        assert cut == [part if number == HIT else None for number in range(8)]
    assert set(farm.times_asked(name, hit=True)) | set(farm.times_asked(name, hit=False)) == {1}

    def found(choices: SweepChoices) -> list[tuple[int, int, dict[str, int]]]:
        analysis = farm.services.analysis.sweep_results.analyse(sweep.id, choices)
        return [(item.n, item.n_truncated, item.excluded) for item in analysis.configurations]

    assert found(SweepChoices(truncated="keep")) == [(8, 1, {})] * 3
    assert found(SweepChoices(truncated="exclude")) == [(7, 1, {"truncated": 1})] * 3


def test_a_model_that_is_gone_says_which_pull_brings_it_back_and_the_other_model_goes_on(farm: Farm):
    sweep = farm.sweep("gone", models=(MISTRAL, LLAMA))
    pulled = farm.server.known.pop(LLAMA.name)
    done = farm.run(sweep)
    of_llama = [run for run in done.runs if run.config.model.name == LLAMA.name]
    others = [run for run in done.runs if run not in of_llama]
    assert {(run.counts.scored, run.counts.failed, run.state) for run in others} == {(8, 0, RunState.FINISHED)}
    # Equal failures in a row pause the model's runs, so not every question has to fail.
    assert {(run.counts.scored, run.state) for run in of_llama} == {(0, RunState.PAUSED)}
    assert sum(run.counts.failed for run in of_llama) >= EQUAL_FAILURES
    pull = f"{farm.server.url} does not have the model {LLAMA.name}. Run `ollama pull {LLAMA.name}` there."
    failed = (each for run in of_llama for each in farm.evaluations(run) if each.state == "failed")
    assert {evaluation.reason for evaluation in failed} == {pull}

    farm.server.known[LLAMA.name] = pulled
    farm.services.sweeps.control.resume(sweep.id)
    farm.run(sweep)
    farm.services.sweeps.control.retry(sweep.id)
    check_counts(farm.run(sweep), questions=8, answered=8, scored=8, failed=0)
    assert {*farm.times_asked("gone", hit=True), *farm.times_asked("gone", hit=False)} == {2}, "once by each model"


def test_a_model_that_never_was_there_is_refused_before_anything_is_asked(farm: Farm):
    with pytest.raises(
        ModelNotFoundError, match=r"does not have the model qwen3:8b\. Run `ollama pull qwen3:8b` there"
    ):
        farm.sweep("never", models=(MISTRAL, Model(provider="ollama", name="qwen3:8b")))
    assert not farm.times_asked("never", hit=False)


def test_a_server_that_refuses_connections_is_waited_for(farm: Farm):
    sweep = farm.sweep("refused")
    farm.server.latency_s = 30.0
    with farm.under_way(sweep) as thread:
        wait_until(lambda: len(farm.times_asked("refused", hit=False)) > 0, "it is asked")
        farm.server.stop()
        try:
            wait_until(lambda: {run.state for run in farm.now(sweep).runs} == {RunState.PAUSED}, "it is paused")
            said = {run.reason for run in farm.now(sweep).runs}
            assert said == {f"The model server at {farm.server.url} does not accept connections. Start it, then retry."}
        finally:
            farm.server.latency_s = 0.0
            farm.server.start()
        thread.join(WITHIN_S)
    check_counts(farm.now(sweep), questions=8, answered=8, scored=8, failed=0)
    # What was under way when it stopped was cut, and is asked once more.
    assert {*farm.times_asked("refused", hit=True), *farm.times_asked("refused", hit=False)} <= {1, 2}
