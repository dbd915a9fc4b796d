"""The six systems of configs/rag-fusion.yaml with the built-in model, killed once, whole in the end.

One question, whose variations are written and whose passages are graded by the model, with copied answers; then the
experiment as it is: ten questions, answered by the model.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from passer.adapters.experiments.reader import load_experiment
from passer.bootstrap import build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.refinements import PassageJudge
from passer.domain.retrieval.retriever import Dense, Reranked, models_of
from passer.domain.sweeps.sweep import Sweep
from passer.settings import Settings
from tests.api.conftest import BEES, QUESTIONS, SOIL
from tests.conftest import ROOT
from tests.local_model import with_model
from tests.served import Served
from tests.waiting import wait_until

pytestmark = [*with_model, pytest.mark.timeout(900)]

SHIPPED = load_experiment(ROOT / "configs" / "rag-fusion.yaml", {})
COUNT = 1
"""Questions: each costs four requests for variations, which three systems share, and one for each graded passage."""
VARIATIONS, GRADED = 4, 3


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


@pytest.mark.soak
def test_six_systems_and_reranking_by_the_model_run_to_the_end_though_they_are_killed(tmp_path: Path) -> None:
    _prepare(tmp_path)
    # The variations and grades are the model's; answers are copied, because only their number matters here.
    config = SHIPPED.config.model_copy(update={"questions": COUNT, "model": Model()})
    [writer] = {model for retriever in SHIPPED.retrievers for model in models_of(retriever)}
    reranked = Reranked(of=Dense(), by=PassageJudge(judge=writer), depth=GRADED)
    axes = SHIPPED.axes.model_copy(update={"retriever": (*SHIPPED.axes.retriever, reranked)})

    def is_within_both(home: Path) -> bool:
        # More than there are of one kind, so that some variations and some grades are stored.
        return len(_judged(home)) > max(VARIATIONS, GRADED)

    sweep = SHIPPED.model_copy(update={"config": config, "axes": axes})
    _run_killed(tmp_path, sweep, count=COUNT, judged=VARIATIONS + GRADED, kill_after=is_within_both)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_ten_questions_of_the_example_are_answered_by_the_model_though_it_is_killed(tmp_path: Path) -> None:
    built = build_services(Settings(home=tmp_path, encoder="none"))
    built.library.examples.load("organic-farming")
    built.close()
    _run_killed(tmp_path, SHIPPED, count=10, judged=10 * VARIATIONS, kill_after=_answered, within_s=6000)


def _run_killed(
    home: Path,
    sweep: Sweep,
    *,
    count: int,
    judged: int,
    kill_after: Callable[[Path], object],
    within_s: float = 400,
) -> None:
    """Kill the server in the middle, start it again, and check that everything is there once."""
    retrievers = len(sweep.retrievers)
    assert retrievers >= 6
    environment = {"PASSER_ENCODER": "none", "PASSER_CONCURRENCY": "2"}
    with Served(home, **environment) as server:
        # The first request of a process imports libraries: 6 s of a processor, minutes on a machine with other tests.
        created = server.client.post("/api/v1/sweeps", json=sweep.model_dump(mode="json"), timeout=300)
        assert created.status_code == 201, created.text
        sweep_id = created.json()["id"]
        wait_until(lambda: kill_after(home), within_s=within_s)
        server.kill()
    before = [_judged(home), _answered(home)]
    with Served(home, **environment) as server:
        wait_until(
            lambda: server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "finished", within_s=within_s
        )
        runs = server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]
        assert [run["counts"]["answered"] for run in runs] == [count] * 2 * retrievers
        for run in runs:
            detail = server.client.get(f"/api/v1/runs/{run['id']}/evaluations/0").json()
            rewriting = detail["rewriting"]
            assert (rewriting is not None) == ("RAG-Fusion" in run["name"])
            assert rewriting is None or rewriting["asked"][0] == detail["question"]["text"]
    # One judgement for each variation and grade, and what was there before the kill is still the same.
    assert len(_judged(home)) == judged
    assert before[0].items() <= _judged(home).items()
    assert before[1].items() <= _answered(home).items()


def _judged(home: Path) -> dict[str, object]:
    """Return the variations that are committed, by key."""
    with closing(sqlite3.connect(home / "passer.sqlite3", timeout=60)) as connection:
        return {key: rest for key, *rest in connection.execute("SELECT key, value, reason FROM judgements")}


def _answered(home: Path) -> dict[str, object]:
    """Return the committed answers to questions of runs, by key."""
    # The replies that variations are read from are answers too, but of no run.
    query = "SELECT answers.key, text FROM answers JOIN evaluations ON answer_key = answers.key"
    with closing(sqlite3.connect(home / "passer.sqlite3", timeout=60)) as connection:
        return dict(connection.execute(query))
