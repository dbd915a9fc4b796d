"""The main job with a real language model: real prompts, real nonsense, real crashes."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from passer.adapters.generators.local.models import BUILT_IN
from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Chunking
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import GenerationOptions, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.times import TimingPlan
from passer.ports import StoredSweep
from passer.settings import Settings
from tests.api.conftest import BEES, QUESTIONS, SOIL
from tests.e2e.killed import descendants
from tests.local_model import MODEL, with_model
from tests.served import Served
from tests.waiting import wait_until

pytestmark = [*with_model, pytest.mark.timeout(600)]

CHILD = "passer.adapters.generators.local.child"
OPTIONS = GenerationOptions(temperature=0, num_predict=8, num_ctx=1024)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def services(home: Path) -> Iterator[Services]:
    built = build_services(Settings(home=home, encoder="none", concurrency=2))
    texts = {"soil": SOIL, "bees": BEES}
    for name, text in texts.items():
        chunking = Chunking(chunk_size=128, chunk_overlap=0)
        built.library.document_ingest.ingest_text("farm", title=name, text=text, chunking=chunking)
    questions = tuple(
        Question(id=str(each["id"]), text=str(each["question"]), reference=str(each["reference"])) for each in QUESTIONS
    )
    built.adapters.datasets.save_dataset(Dataset(name="farm", questions=questions))
    yield built
    built.close()


def run(services: Services, *, timing: TimingPlan | None = None, name: str = "s", **changes: object) -> StoredSweep:
    """Run 1, 2 and 3 passages over the questions."""
    config = RunConfig(dataset="farm", collection="farm", model=MODEL, options=OPTIONS).model_copy(update=changes)
    sweep = Sweep(name=name, config=config, axes=Axes(k=(1, 2)), baseline=NormalPolicy(k=3), timing=timing)
    return services.sweeps.runner.run(services.sweeps.planner.create(sweep).id)


def answers(services: Services, sweep: StoredSweep) -> list[Answer]:
    """Return the answers of a sweep, run by run."""
    found = []
    for each in sweep.runs:
        for evaluation in services.adapters.evaluations.evaluations(each.id):
            assert evaluation.answer_key, evaluation.reason
            found.append(services.adapters.evaluations.answers([evaluation.answer_key])[evaluation.answer_key])
    return found


def test_a_sweep_reads_each_passage_of_a_question_once(services: Services) -> None:
    done = run(services)
    assert {each.state for each in done.runs} == {RunState.FINISHED}
    assert all(each.counts.scored == len(QUESTIONS) for each in done.runs)
    info = done.runs[0].model_info
    assert info is not None
    assert (info.name, info.quantization, info.for_trials) == (BUILT_IN, "Q4_1", True)
    timings = [answer.timings for answer in answers(services, done)]
    assert all(each.prompt_eval_count and each.eval_count for each in timings)
    read = sum(each.read_count or 0 for each in timings)
    widest = sum(max(each.prompt_eval_count or 0 for each in timings[n :: len(QUESTIONS)]) for n in range(3))
    # The question and the marks after it stand behind the passages, so each prompt reads those again.
    assert read <= widest + 2 * 50 * len(QUESTIONS)
    assert read < 0.6 * sum(each.prompt_eval_count or 0 for each in timings)


def test_an_answer_at_its_limit_and_a_prompt_beyond_the_window_are_marked(services: Services) -> None:
    cut = answers(services, run(services, name="cut", options=OPTIONS.model_copy(update={"num_predict": 2})))
    assert {answer.truncated for answer in cut} == {"answer"}
    small = OPTIONS.model_copy(update={"num_ctx": 128})
    long = run(services, name="long", options=small)
    # Several failures of the same kind in a row pause a sweep; the shortest prompts fit.
    assert long.state in (RunState.PAUSED, RunState.FINISHED)
    ended = [each for run in long.runs for each in services.adapters.evaluations.evaluations(run.id)]
    refused = [each for each in ended if each.state == "failed"]
    assert len(refused) >= 5
    assert all("too long" in (each.reason or "") for each in refused)


@pytest.mark.soak
def test_a_timing_run_reads_every_prompt_whole(services: Services) -> None:
    done = run(services, name="timed", timing=TimingPlan(warm_up=1))
    timings = [answer.timings for answer in answers(services, done)]
    assert {each.cached_count for each in timings} == {0}
    assert all(each.prompt_eval_duration_ns and each.eval_duration_ns for each in timings)
    report = services.analysis.timing_results.report(done.id)
    assert report.configurations[0].figures["read_tokens"] == report.configurations[0].figures["prompt_tokens"]
    # 135 million parameters with their window cannot take less, nor can Python with its libraries.
    for taken in (each.memory for each in report.configurations):
        assert taken is not None
        assert taken.model is not None
        assert taken.model.total_bytes > 50e6
        assert (taken.passer_bytes or 0) > 50e6


def test_a_model_that_crashes_in_the_middle_is_started_again_and_no_question_is_lost(services: Services) -> None:
    config = RunConfig(dataset="farm", collection="farm", model=MODEL, options=OPTIONS.model_copy(update={"seed": 3}))
    created = services.sweeps.planner.create(
        Sweep(name="crash", config=config, axes=Axes(k=(1, 2)), baseline=NormalPolicy(k=3))
    )
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(services.sweeps.runner.run, created.id)
        wait_until(lambda: sum(run.counts.answered for run in services.adapters.runs.load_sweep(created.id).runs) >= 2)
        killed = [pid for pid, title in descendants(os.getpid()) if CHILD in title]
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        done = running.result(timeout=240)
    assert {run.state for run in done.runs} == {RunState.FINISHED}
    assert all(run.counts.scored == len(QUESTIONS) for run in done.runs), "the crash cost no question"
    assert killed
    assert not set(killed) & {pid for pid, title in descendants(os.getpid()) if CHILD in title}


@pytest.mark.soak
def test_a_server_that_is_killed_leaves_no_model_and_goes_on_to_the_same_answers(
    home: Path, services: Services
) -> None:
    unbroken = answers(services, run(services, name="whole", answers="repeatable"))
    services.close()
    config = RunConfig(dataset="farm", collection="farm", model=MODEL, options=OPTIONS, answers="repeatable")
    config = config.model_copy(update={"options": OPTIONS.model_copy(update={"seed": 7})})
    sweep = Sweep(name="killed", config=config, axes=Axes(k=(1, 2)), baseline=NormalPolicy(k=3))
    environment = {"PASSER_ENCODER": "none", "PASSER_CONCURRENCY": "2"}
    with Served(home, **environment) as server:
        created = server.client.post("/api/v1/sweeps", json=sweep.model_dump(mode="json"))
        assert created.status_code == 201, created.text
        sweep_id = created.json()["id"]
        wait_until(lambda: _answered(server.client, sweep_id) >= 3)
        before = _texts(server.client, sweep_id)
        [child] = [pid for pid, title in descendants(server.process.pid) if CHILD in title]
        server.kill()
    wait_until(lambda: not Path(f"/proc/{child}/cmdline").exists() or not Path(f"/proc/{child}/cmdline").read_bytes())
    with Served(home, **environment) as server:
        wait_until(lambda: server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "finished")
        after = _texts(server.client, sweep_id)
    assert before.items() <= after.items()
    # Greedy decoding: another seed must not matter, and nothing was shared that could.
    assert list(after.values()) == [answer.text for answer in unbroken]


@pytest.mark.soak
def test_a_question_in_the_chat_is_answered_by_the_model(home: Path) -> None:
    # The application closes its services when it ends.
    with TestClient(
        create_app(build_services(Settings(home=home, encoder="none"))), base_url="http://127.0.0.1"
    ) as client:
        body = {
            "question": QUESTIONS[0]["question"],
            "collection": "farm",
            "model": MODEL.model_dump(),
            "options": OPTIONS.model_dump(),
            "retrieval": {"mode": "normal", "k": 1},
        }
        reply = client.post("/api/v1/answers", json=body)
    assert reply.status_code == 200, reply.text
    assert reply.json()["answer"]["timings"]["prompt_eval_count"] > 50
    assert reply.json()["answer"]["model_digest"] != "unknown"


def _answered(client: httpx.Client, sweep_id: str) -> int:
    return sum(each["counts"]["answered"] for each in client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"])


def _texts(client: httpx.Client, sweep_id: str) -> dict[tuple[str, int], str]:
    """Return the answers that are committed, by run and question."""
    rows = client.get(f"/api/v1/sweeps/{sweep_id}/export", params={"format": "jsonl", "reproducible": True}).text
    told = [json.loads(line) for line in rows.splitlines()]
    return {(row["run_id"], row["number"]): row["answer"] for row in told if row["answer"] is not None}
