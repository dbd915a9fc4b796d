"""`passer.open`: the notebook of the documentation runs, and what is wrong is named."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import passer
from passer.bootstrap.home import Home
from passer.errors import ConfigError, DatasetError, InputError, NotFoundError
from tests.forked import ran
from tests.ollama_server import OllamaServer

NOTEBOOK = Path(__file__).parents[1] / "docs" / "first-sweep.ipynb"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with passer.open(tmp_path / "home", encoder="none") as opened:
        yield opened


def test_the_notebook_runs_from_its_first_cell_to_its_last(tmp_path: Path) -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    program = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
    done = ran(program, environment=dict(os.environ), runs="tests.test_open:run_cells", folder=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    verdict, *configurations = done.stdout.splitlines()
    assert verdict.startswith("extractive: No verdict yet. ")
    # Two numbers of passages and the baseline, six questions each.
    assert [line.split()[-2] for line in configurations] == ["6", "6", "6"]
    assert all(0 <= float(line.split()[-1]) <= 1 for line in configurations)
    assert (tmp_path / "sweep.xlsx").read_bytes().startswith(b"PK")


def run_cells() -> None:
    """Run the program that this process is given."""
    exec(sys.argv[1], {})


def test_questions_and_documents_are_those_of_the_home(home: Home, tmp_path: Path) -> None:
    (tmp_path / "soil.txt").write_text("Clover fixes nitrogen in the soil.")
    (tmp_path / "asked.csv").write_text("question,reference\nWhat does clover fix?,Nitrogen.\n")
    report = home.ingest("soil", tmp_path / "soil.txt")
    assert [document.passages_added for document in report.documents] == [1]
    assert home.import_dataset(tmp_path / "asked.csv") == "asked"
    (tmp_path / "more.csv").write_text("question,reference\nWhat do worms do?,Loosen the soil.\n")
    assert home.import_dataset(tmp_path / "more.csv", name=" asked ", add=True) == "asked"
    asked = home.services.adapters.datasets.load_dataset("asked").questions
    assert [each.reference for each in asked] == ["Nitrogen.", "Loosen the soil."]


def test_a_judge_assesses_the_sweep_of_a_program_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a program passes comes before the environment.
    monkeypatch.setenv("PASSER_OLLAMA_URL", "http://127.0.0.1:1")
    with (
        OllamaServer() as server,
        passer.open(tmp_path / "home", encoder="none", ollama_url=server.url) as home,
    ):
        (tmp_path / "soil.txt").write_text("Clover fixes nitrogen. Worms loosen the soil.")
        (tmp_path / "asked.csv").write_text("question,reference\nWhat does clover fix?,Nitrogen.\n")
        home.ingest("soil", tmp_path / "soil.txt")
        home.import_dataset(tmp_path / "asked.csv")
        sweep = home.sweep(
            {
                "name": "Judged",
                "dataset": "asked",
                "collection": "soil",
                "retrieval": {"mode": "normal", "k": [1]},
                "baseline": {"mode": "normal", "k": 2},
                "primary": "Answer correctness",
                "judge": "ollama/mistral:latest",
            }
        )
        [assessment] = home.services.adapters.judgements.assessments(sweep)
        marks = home.services.adapters.judgements.marks(assessment.id)
        # The scripted server fills the form that it is asked for.
        assert {mark.column for mark in marks} == {"Answer correctness"}
        assert {mark.reason for mark in marks} == {None}


def test_what_is_wrong_is_named(home: Home, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("question,reference\n,Nitrogen.\n")
    with pytest.raises(DatasetError, match=r"bad\.csv"):
        home.import_dataset(tmp_path / "bad.csv")
    with pytest.raises(InputError, match="cannot be read"):
        home.import_dataset(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="nothing to add"):
        home.ingest("soil")
    with pytest.raises(ConfigError, match="unknown key thresholds"):
        home.sweep({"dataset": "asked", "thresholds": [0.5]})
    with pytest.raises(NotFoundError):
        home.verdict("absent")
    with pytest.raises(InputError, match=r"There is no table “answers”\. Choose one of evaluations"):
        home.rows("absent", "answers")
    with pytest.raises(ConfigError, match="PASSER_CONCURRENCY is not valid"):
        passer.open(tmp_path, concurrency="many")
    with pytest.raises(ConfigError, match="There is no setting concurency"):
        passer.open(tmp_path, concurency=4)
    with pytest.raises(NotFoundError):
        passer.open(tmp_path / "home", project="absent")
