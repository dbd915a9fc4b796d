"""The six systems of configs/rag-fusion.yaml: variations by the built-in model, killed once, whole in the end."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from passer.adapters.experiments import load_experiment
from passer.bootstrap import build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.model import Model
from passer.domain.retrieval import Chunking
from passer.settings import Settings
from tests.api.conftest import BEES, QUESTIONS, SOIL
from tests.conftest import ROOT
from tests.local_model import with_model
from tests.served import Served

pytestmark = [*with_model, pytest.mark.timeout(900)]

COUNT = 1
"""Questions: each costs four requests for variations, which three systems share."""


def _prepare(home: Path) -> None:
    built = build_services(Settings(home=home, encoder="none"))
    for name, text in {"soil": SOIL, "bees": BEES}.items():
        chunking = Chunking(chunk_size=128, chunk_overlap=0)
        built.library.document_ingest.ingest_text("organic-farming", title=name, text=text, chunking=chunking)
    asked = tuple(
        Question(id=str(each["id"]), text=str(each["question"]), reference=str(each["reference"]))
        for each in QUESTIONS[:COUNT]
    )
    built.adapters.datasets.save_dataset(Dataset(name="organic-farming", questions=asked))
    built.close()


def test_six_systems_run_to_the_end_though_they_are_killed(tmp_path: Path) -> None:
    _prepare(tmp_path)
    shipped = load_experiment(ROOT / "configs" / "rag-fusion.yaml", {})
    assert len(shipped.retrievers) == 6
    # The variations are the model's; answers are copied, because only their number matters here.
    config = shipped.config.model_copy(update={"questions": COUNT, "model": Model()})
    sweep = shipped.model_copy(update={"config": config})
    environment = {"PASSER_ENCODER": "none", "PASSER_CONCURRENCY": "2"}
    with Served(tmp_path, **environment) as server:
        created = server.client.post("/api/v1/sweeps", json=sweep.model_dump(mode="json"))
        assert created.status_code == 201, created.text
        sweep_id = created.json()["id"]
        _wait(lambda: _judged(tmp_path))
        server.kill()
    before = _judged(tmp_path)
    with Served(tmp_path, **environment) as server:
        _wait(lambda: server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "finished")
        runs = server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]
        assert [run["counts"]["answered"] for run in runs] == [COUNT] * 12
        for run in runs:
            detail = server.client.get(f"/api/v1/runs/{run['id']}/evaluations/0").json()
            rewriting = detail["rewriting"]
            assert (rewriting is not None) == ("RAG-Fusion" in run["name"])
            assert rewriting is None or rewriting["asked"][0] == QUESTIONS[0]["question"]
    # One judgement for each variation, and those from before the kill are still the same.
    assert len(_judged(tmp_path)) == 4 * COUNT
    assert before.items() <= _judged(tmp_path).items()


def _judged(home: Path) -> dict[str, object]:
    """Return the variations that are committed, by key."""
    with closing(sqlite3.connect(home / "passer.sqlite3", timeout=60)) as connection:
        return {key: rest for key, *rest in connection.execute("SELECT key, value, reason FROM judgements")}


def _wait(is_so: Callable[[], object], within_s: float = 400.0) -> None:
    until = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.2)
