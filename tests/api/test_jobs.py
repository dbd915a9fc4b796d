"""Jobs over HTTP: listed where their result appears, cancelled, and still known after a restart of the server."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.ports import POSTING
from passer.services.work.kinds import DatasetSpec, IngestSpec, PullSpec, UploadedFiles
from passer.settings import Settings
from tests.adapters.reading.attacks import pdf_of_nested_forms
from tests.api.conftest import BEES, SOIL, Api
from tests.ollama_server import OllamaServer


def served(services: Services) -> TestClient:
    return TestClient(create_app(services), base_url="http://127.0.0.1:8000")


@pytest.fixture
def settings(tmp_path: Path, ollama: OllamaServer) -> Settings:
    return Settings(home=tmp_path, PASSER_OLLAMA_URL=ollama.url, embedding="ollama/nomic-embed-text:latest")


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
        assert not (tmp_path / "uploads" / queued.id).exists()

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
    app.state.worker = services.workshop.worker()
    refused = client.post("/api/v1/models", json={"name": "two"})
    assert refused.status_code == 503
    assert refused.json()["detail"].startswith("The queue is full: at most 1 job of this kind may wait.")
    services.close()


def test_a_file_that_takes_long_to_read_holds_up_no_other_collection(settings: Settings):
    slow = IngestSpec(collection="slow", source=UploadedFiles(names=("forms.pdf",)))
    services = build_services(settings.model_copy(update={"reader_seconds": 8}))
    with served(services) as client:
        attacked = services.work.queue.submit(slow, [pdf_of_nested_forms()])
        other = services.work.queue.submit(*ingest())
        states = {}
        for _ in range(1200):
            states = {job.id: client.get(f"/api/v1/jobs/{job.id}").json()["state"] for job in (other, attacked)}
            if states[other.id] == "finished":
                break
            time.sleep(0.05)
        assert states == {other.id: "finished", attacked.id: "running"}
        for _ in range(1200):
            job = client.get(f"/api/v1/jobs/{attacked.id}").json()
            if job["state"] == "finished":
                break
            time.sleep(0.05)
        [document] = job["result"]["documents"]
        # Processor time, or the clock where others want the processors too.
        assert re.match(
            r"forms\.pdf (takes more than (8|32) s|needs more than .+ MB of memory) to read\. Split it",
            document["problem"],
        )
