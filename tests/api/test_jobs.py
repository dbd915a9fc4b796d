"""Jobs over HTTP: listed where their result appears, cancelled, and still known after a restart of the server."""

from __future__ import annotations

import json
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.bootstrap.systems import answering, known_system, sweep_of
from passer.errors import ConflictError
from passer.metrics import MetricScorer
from passer.ports import POSTING
from passer.services.work.kinds import AnswersSpec, DatasetSpec, IngestSpec, PullSpec
from passer.services.work.sources import UploadedFiles
from passer.settings import Settings
from tests.adapters.reading.attacks import pdf_of_nested_forms
from tests.api.conftest import BEES, QUESTIONS, SOIL, Api
from tests.ollama_server import OllamaServer
from tests.waiting import wait_until


def served(services: Services) -> TestClient:
    return TestClient(create_app(services), base_url="http://127.0.0.1:8000")


@pytest.fixture
def settings(tmp_path: Path, ollama: OllamaServer) -> Settings:
    return Settings(home=tmp_path, PASSER_OLLAMA_URL=ollama.url, embedding="ollama/nomic-embed-text:latest")


def listed(api: Api) -> list[dict[str, Any]]:
    return api.client.get("/api/v1/sweeps").json()["items"]


def ingest(name: str = "farm") -> tuple[IngestSpec, list[bytes]]:
    source = UploadedFiles(names=("soil.txt", "bees.md"))
    return IngestSpec(collection=name, source=source), [SOIL.encode(), BEES.encode()]


def test_a_queued_upload_survives_the_process_and_is_done_by_the_next_server(settings: Settings, tmp_path: Path):
    before = build_services(settings)
    queued = before.work.queue.submit(*ingest())
    before.close()
    assert [path.name for path in (tmp_path / "uploads" / queued.id).iterdir()], "the files are on disk"

    with served(build_services(settings)) as client:
        for _ in range(600):
            job = client.get(f"/api/v1/jobs/{queued.id}").json()
            if job["state"] == "finished":
                break
            time.sleep(0.05)
        assert [each["name"] for each in job["result"]["documents"]] == ["soil.txt", "bees.md"]
        [item] = client.get("/api/v1/collections").json()["items"]
        assert sorted(each["name"] for each in item["documents"]) == ["bees.md", "soil.txt"]
        # Only once the row has ended: a process that is killed in between leaves files, and no job without them.
        wait_until(lambda: not (tmp_path / "uploads" / queued.id).exists(), "the files are still there")

    with served(build_services(settings)) as client:
        again = client.get(f"/api/v1/jobs/{queued.id}").json()
        assert again == job, "what came of it can still be asked about"


def test_jobs_are_listed_where_their_result_appears(api: Api):
    one, two = (api.ingest(name)["id"] for name in ("listed-one", "listed-two"))
    api.upload("listed-one")
    example = api.job(api.client.post("/api/v1/examples/organic-farming"))["id"]

    def listed(**query: object) -> list[str]:
        response = api.client.get("/api/v1/jobs", params=query)
        assert response.status_code == 200, response.text
        return [job["id"] for job in response.json()["items"]]

    assert listed(collection="listed-one") == [one]
    assert listed(kind="ingest", collection="listed-two") == [two]
    assert listed(collection="organic-farming") == listed(dataset="organic-farming") == [example]
    [dataset] = api.client.get("/api/v1/jobs", params={"dataset": "listed-one"}).json()["items"]
    assert (dataset["kind"], dataset["state"], dataset["result"]["questions"]) == ("dataset", "finished", 3)
    newest = listed(limit=3)
    assert newest == [example, dataset["id"], two]
    assert listed(kind="pull", collection="listed-one") == []
    assert listed(kind="post") == [POSTING]
    assert POSTING not in listed(limit=500)


def test_a_sweep_is_listed_as_work_with_its_progress(loaded: Api):
    sweep = {"name": "Listed", "config": {"dataset": "farm", "collection": "farm"}, "baseline": {"mode": "normal"}}
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()
    loaded.finished(created["id"])
    [job] = loaded.client.get("/api/v1/jobs", params={"kind": "sweep", "limit": 1}).json()["items"]
    assert (job["id"], job["kind"], job["subject"]) == (created["id"], "sweep", created["id"])
    assert (job["state"], job["message"], job["done"], job["total"]) == ("finished", "done", 3, 3)


def test_an_unknown_job_and_a_wrong_kind_are_one_sentence(api: Api):
    assert api.client.get("/api/v1/jobs/none").status_code == 404
    assert api.client.post("/api/v1/jobs/none/cancel").status_code == 404
    assert api.client.get("/api/v1/jobs", params={"kind": "cooking"}).status_code == 422
    refused = api.client.post(f"/api/v1/jobs/{POSTING}/cancel")
    assert (refused.status_code, "cannot be cancelled here" in refused.json()["detail"]) == (409, True)


def test_a_job_that_waits_is_cancelled_and_its_files_are_deleted(settings: Settings, tmp_path: Path):
    services = build_services(settings)
    queued = services.work.queue.submit(*ingest())
    app = create_app(services)
    client = TestClient(app, base_url="http://127.0.0.1:8000")  # not entered: no worker takes it
    cancelled = client.post(f"/api/v1/jobs/{queued.id}/cancel")
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    assert not (tmp_path / "uploads" / queued.id).exists()
    assert client.post(f"/api/v1/jobs/{queued.id}/cancel").status_code == 409
    services.close()


def test_a_job_that_runs_is_cancelled_and_keeps_the_documents_it_has_added(settings: Settings, ollama: OllamaServer):
    names = tuple(f"{number}.txt" for number in range(40))
    spec = IngestSpec(collection="slow", source=UploadedFiles(names=names))
    services = build_services(settings)
    ollama.embedding_latency_s = 0.1
    try:
        with served(services) as client:
            queued = services.work.queue.submit(spec, [f"Rule {name} is so.".encode() for name in names])
            for _ in range(600):
                job = client.get(f"/api/v1/jobs/{queued.id}").json()
                if job["done"] >= 1 and client.get("/api/v1/collections").json()["items"]:
                    break
                time.sleep(0.02)
            assert client.post(f"/api/v1/jobs/{queued.id}/cancel").json()["state"] == "cancelled"
            time.sleep(0.5)
            [item] = client.get("/api/v1/collections").json()["items"]
            time.sleep(0.5)
            [later] = client.get("/api/v1/collections").json()["items"]
            assert item["documents"] == later["documents"]
            assert 0 < len(item["documents"]) < len(names)
            again = client.get(f"/api/v1/jobs/{queued.id}").json()
            assert (again["state"], again["result"], again["problem"]) == ("cancelled", None, None)
    finally:
        ollama.embedding_latency_s = 0.0


def test_a_cancelled_import_of_answers_cancels_its_sweep(loaded: Api, monkeypatch: pytest.MonkeyPatch):
    released, score = Event(), MetricScorer.score

    def hold(scorer: MetricScorer, *given: Any, **how: Any) -> Any:
        released.wait(60)
        return score(scorer, *given, **how)

    monkeypatch.setattr(MetricScorer, "score", hold)
    rows = "".join(f"{each['id']},No idea.\n" for each in QUESTIONS)
    sent = loaded.client.post(
        "/api/v1/datasets/farm/answers",
        files=[("file", ("old.csv", f"id,answer\n{rows}")), ("file", ("new.csv", f"id,answer\n{rows}"))],
        data={"configuration": ["before", "after"], "title": "Two versions"},
    )
    assert sent.status_code == 202, sent.text
    job = sent.json()["job_id"]
    until = time.monotonic() + 60
    while not (found := [each for each in listed(loaded) if each["name"] == "Two versions"]):
        assert time.monotonic() < until, "the sweep did not begin"
        time.sleep(0.05)
    assert loaded.client.post(f"/api/v1/jobs/{job}/cancel").json()["state"] == "cancelled"
    assert loaded.reached(found[0]["id"], "cancelled")["state"] == "cancelled"
    released.set()
    assert loaded.client.get(f"/api/v1/jobs/{job}").json()["state"] == "cancelled"
    # Its files are deleted, and its answers are stored: the server's worker scores them.
    resume, until = f"/api/v1/sweeps/{found[0]['id']}/resume", time.monotonic() + 60
    while (resumed := loaded.client.post(resume)).status_code == 409:
        assert time.monotonic() < until, resumed.text
        time.sleep(0.05)
    ended = loaded.finished(found[0]["id"])
    assert [(run["state"], run["counts"]["scored"]) for run in ended["runs"]] == [("finished", len(QUESTIONS))] * 2


def test_cancelling_a_killed_import_of_answers_cancels_its_sweep_which_says_why_it_cannot_be_resumed(
    settings: Settings,
):
    services = build_services(settings)
    services.adapters.datasets.save_dataset(
        services.library.dataset_import.load(json.dumps(QUESTIONS).encode(), "farm.json", name="farm")
    )
    spec = AnswersSpec(dataset="farm", files=(("before", "old.csv"),))
    rows = "".join(f"{each['id']},No idea.\n" for each in QUESTIONS)
    content = f"id,answer\n{rows}".encode()
    queued = services.work.queue.submit(spec, [content])
    # What a process had made that was killed before the first answer.
    system = known_system(
        services.library.answer_files.read(content, "old.csv", services.adapters.datasets.load_dataset("farm"))
    )
    with answering(services.adapters, {"before": system}):
        sweep = services.sweeps.planner.create(
            sweep_of({"before": system}, "farm", questions=None, title=None), idempotency_key=spec.key
        )
    client = TestClient(create_app(services), base_url="http://127.0.0.1:8000")  # not entered: no worker takes it
    assert client.post(f"/api/v1/jobs/{queued.id}/cancel").json()["state"] == "cancelled"
    assert client.get(f"/api/v1/sweeps/{sweep.id}").json()["state"] == "cancelled"
    with pytest.raises(ConflictError, match="import the answers again"):
        services.sweeps.control.resume(sweep.id)
    assert client.get(f"/api/v1/sweeps/{sweep.id}").json()["state"] == "cancelled"
    services.close()


def test_a_failed_job_tells_the_same_problem_after_a_restart(settings: Settings):
    first = build_services(settings)
    with served(first) as client:
        bad = {"file": ("bad.json", b'[{"id": "q1"}]')}
        refused = client.post("/api/v1/datasets", files=bad, data={"name": "bad"})
        assert refused.status_code == 422
    with served(build_services(settings)) as client:
        [job] = client.get("/api/v1/jobs", params={"dataset": "bad"}).json()["items"]
        assert job["state"] == "failed"
        assert job["problem"] == refused.json()
        assert job["message"] == refused.json()["detail"]


def test_a_full_queue_says_so(settings: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("passer.services.work.queue.MOST_WAITING", 1)
    services = build_services(settings)
    app = create_app(services)
    client = TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False)
    services.work.queue.submit(PullSpec(name="one"))
    services.work.queue.submit(DatasetSpec(name="other", file="x.json"), [b"[]"])
    with pytest.raises(AttributeError):
        app.state.worker  # noqa: B018
    app.state.worker = services.server_worker.worker()
    refused = client.post("/api/v1/models", json={"name": "two"})
    assert refused.status_code == 503
    assert refused.json()["detail"].startswith("The queue is full: at most 1 job of this kind may wait.")
    services.close()


def test_a_file_that_takes_long_to_read_holds_up_no_other_collection(settings: Settings):
    # One of them reaches the limit of memory in 2 s on a quick machine, before the other collection is there.
    names = tuple(f"forms-{n}.pdf" for n in range(5))
    slow = IngestSpec(collection="slow", source=UploadedFiles(names=names))
    services = build_services(settings.model_copy(update={"reader_seconds": 4}))
    with served(services) as client:
        attacked = services.work.queue.submit(slow, [pdf_of_nested_forms()] * len(names))
        other = services.work.queue.submit(*ingest())
        states = {}
        for _ in range(1200):
            states = {job.id: client.get(f"/api/v1/jobs/{job.id}").json()["state"] for job in (other, attacked)}
            if states[other.id] == "finished":
                break
            time.sleep(0.05)
        assert states == {other.id: "finished", attacked.id: "running"}
        # What is said of a file that takes too much is in tests/adapters/reading.
        assert client.post(f"/api/v1/jobs/{attacked.id}/cancel").status_code == 200


def test_a_cancelled_job_ends_what_reads_its_file_at_once(settings: Settings):
    source = UploadedFiles(names=("forms.pdf",))
    # They take some 350 MB more each second: nothing but cancelling ends these readers soon.
    services = build_services(settings.model_copy(update={"reader_seconds": 3600, "reader_memory_mb": 6000}))
    with served(services) as client:
        both = [
            services.work.queue.submit(IngestSpec(collection=name, source=source), [pdf_of_nested_forms()])
            for name in ("slow", "slower")
        ]
        for _ in range(600):
            if all(client.get(f"/api/v1/jobs/{job.id}").json()["state"] == "running" for job in both):
                break
            time.sleep(0.05)
        time.sleep(1.0)
        for job in both:
            assert client.post(f"/api/v1/jobs/{job.id}/cancel").json()["state"] == "cancelled"
        # Both readers are free again: the next file is read, and not after an hour.
        other = services.work.queue.submit(*ingest())
        for _ in range(1200):
            if client.get(f"/api/v1/jobs/{other.id}").json()["state"] == "finished":
                break
            time.sleep(0.05)
        assert client.get(f"/api/v1/jobs/{other.id}").json()["state"] == "finished"
