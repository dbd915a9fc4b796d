"""kill -9 in the middle of an ingest and of a sheet import: after a restart it finishes by itself, and is whole."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import ROOT
from tests.e2e.killed import TEXT_ONLY
from tests.ollama_server import OllamaServer
from tests.postgres import postgres_url
from tests.result_sheets import row_of, write_sheet
from tests.served import Served
from tests.waiting import wait_until

WITHIN_S = 60.0
DOCUMENTS = {
    f"rule-{number:02d}.txt": f"Rule {number} of the farm. " * (1 + number % 5) + f"It says {number * 7}."
    for number in range(30)
}


def serve(home: Path, model: OllamaServer, **more: str) -> Served:
    return Served(home, PASSER_OLLAMA_URL=model.url, **TEXT_ONLY, **more)


def job_of(client: httpx.Client, address: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    until = time.monotonic() + WITHIN_S
    while not holds(job := client.get(address).json()):
        assert job["state"] in ("queued", "running"), job
        assert time.monotonic() < until, job
        time.sleep(0.005)
    return job


def wait_until_uploads_are_deleted(home: Path) -> None:
    """Files of a job are deleted after its state is stored, so a reader may see it finished a moment before."""
    wait_until(lambda: not any((home / "uploads").iterdir()), "uploaded files are left behind")


def is_finished(job: dict[str, Any]) -> bool:
    return bool(job["state"] == "finished")


def upload(client: httpx.Client, path: str, files: dict[str, bytes], **data: str) -> str:
    given = [("files", (name, content)) for name, content in files.items()]
    accepted = client.post(path, files=given, data=data)
    assert accepted.status_code == 202, accepted.text
    return str(accepted.headers["location"])


def documents(client: httpx.Client) -> list[dict[str, Any]]:
    found = client.get("/api/v1/collections").json()["items"]
    return [dict(each) for item in found for each in item["documents"]]


@pytest.mark.soak
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.timeout(600)
def test_an_ingest_killed_twice_finishes_by_itself_and_adds_nothing_twice(tmp_path: Path, database: str):
    files = {name: text.encode() for name, text in DOCUMENTS.items()}
    with OllamaServer() as model:
        (tmp_path / "whole").mkdir()
        with serve(tmp_path / "whole", model) as server:
            address = upload(server.client, "/api/v1/collections/farm/documents", files)
            job_of(server.client, address, is_finished)
            expected = documents(server.client)
        (tmp_path / "killed").mkdir()
        if database == "sqlite":
            check_killed_ingest(tmp_path / "killed", model, files, expected)
            return
        with postgres_url(tmp_path) as url:
            check_killed_ingest(tmp_path / "killed", model, files, expected, PASSER_DATABASE_URL=url)


def check_killed_ingest(
    home: Path, model: OllamaServer, files: dict[str, bytes], expected: list[dict[str, Any]], **more: str
) -> None:
    # On a busy machine a look takes half a second, and in it the whole ingest must not end.
    model.embedding_latency_s = 0.25
    with serve(home, model, **more) as server:
        address = upload(server.client, "/api/v1/collections/farm/documents", files)
        waiting = upload(server.client, "/api/v1/collections/later/documents", {"queued.txt": b"It waits its turn."})
        wait_until(lambda: len(documents(server.client)) >= 5)
        server.kill()
    with serve(home, model, **more) as server:
        known = wait_until(lambda: len(found := documents(server.client)) >= 12 and found)
        assert server.client.get(address).json()["state"] == "running"
        server.kill()
    embedded = len([seen for seen in model.seen if seen.path == "/api/embed"])
    model.embedding_latency_s = 0.0
    with serve(home, model, **more) as server:
        done = job_of(server.client, address, is_finished)
        job_of(server.client, waiting, is_finished)
        found = documents(server.client)
        wait_until_uploads_are_deleted(home)
    of_this = [each for each in found if each["name"] != "queued.txt"]
    assert of_this == expected, "the same documents with the same passages as in an unbroken ingest"
    assert [each["name"] for each in found if each["name"] == "queued.txt"], "the upload that waited was done too"
    assert [each["name"] for each in done["result"]["documents"]] == list(DOCUMENTS)
    assert not [each for each in done["result"]["documents"] if each["problem"]]
    again = len([seen for seen in model.seen if seen.path == "/api/embed"]) - embedded
    assert again <= len(DOCUMENTS) - len(known) + 3, "what is whole is not embedded again"


@pytest.mark.soak
def test_a_sheet_import_that_is_killed_finishes_by_itself_and_is_whole(tmp_path: Path):
    archive = packed_study(tmp_path / "sheets")
    with OllamaServer() as model:
        (tmp_path / "whole").mkdir()
        with serve(tmp_path / "whole", model) as server:
            address = upload(server.client, "/api/v1/imports", {"study.zip": archive})
            expected = job_of(server.client, address, is_finished)["result"]
        home = tmp_path / "killed"
        home.mkdir()
        with serve(home, model) as server:
            address = upload(server.client, "/api/v1/imports", {"study.zip": archive})
            at = job_of(server.client, address, lambda job: job["done"] >= 2)
            assert at["state"] == "running", "it is in the middle"
            assert at["done"] < at["total"]
            assert server.client.get("/api/v1/imports").json()["items"] == []
            server.kill()
        with serve(home, model) as server:
            found = job_of(server.client, address, is_finished)["result"]
            listed = server.client.get("/api/v1/imports").json()["items"]
            wait_until_uploads_are_deleted(home)
    undated = ({key: value for key, value in each.items() if key != "created_at"} for each in (found, expected))
    assert next(undated) == next(undated)
    assert [(each["id"], each["sheets"]) for each in listed] == [(expected["id"], expected["sheets"])]


def packed_study(folder: Path) -> bytes:
    """Sheets enough to be read for some seconds."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for number in range(30):
            path = Path(f"m/threshold_0.{number + 10}.xlsx")
            write_sheet(folder / path, [row_of(f"question {n}?", (n + number) % 10 / 10) for n in range(150)])
            packed.write(folder / path, path.as_posix())
    return stream.getvalue()


@pytest.mark.soak
def test_an_ingest_of_the_command_line_that_is_killed_is_finished_by_the_next_server(tmp_path: Path):
    home, folder = tmp_path / "home", tmp_path / "documents"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    with OllamaServer(embedding_latency_s=0.05) as model:
        environment = {**os.environ, "PASSER_HOME": str(home), "PASSER_OLLAMA_URL": model.url, **TEXT_ONLY}
        environment["PYTHONPATH"] = str(ROOT)
        before = len(model.seen)
        command = [sys.executable, "-m", "passer", "ingest", "farm", "documents"]
        process = subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL)
        wait_until(lambda: len(model.seen) >= before + 8)
        process.kill()
        process.wait(WITHIN_S)
        with serve(home, model) as server:
            [job] = server.client.get("/api/v1/jobs", params={"collection": "farm"}).json()["items"]
            job_of(server.client, f"/api/v1/jobs/{job['id']}", is_finished)
            assert sorted(each["name"] for each in documents(server.client)) == sorted(DOCUMENTS)
