"""The command line as a person runs it, and homes of each test's own: empty, of a small farm, and of a judged sweep."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import passer as program
from passer.cli import main
from passer.domain.retrieval.passages import Chunking
from tests.api.conftest import BEES, QUESTIONS, SOIL
from tests.ollama_server import OllamaServer
from tests.services.judging.made import Judged


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own, so that no test finds what another left."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def passer(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    monkeypatch.setenv("PASSER_HOME", str(home))
    monkeypatch.setenv("PASSER_OLLAMA_URL", "http://127.0.0.1:9")

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr("sys.argv", ["passer", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            status = 0
        except SystemExit as exc:
            status = int(exc.code or 0)
        captured = capsys.readouterr()
        return Ended(status, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def farm_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a collection and a dataset called farm, for copying."""
    home = tmp_path_factory.mktemp("farm")
    folder = home / "documents"
    folder.mkdir()
    (folder / "soil.txt").write_text(SOIL)
    (folder / "bees.md").write_text(BEES)
    (home / "farm.json").write_text(json.dumps(QUESTIONS))
    with program.open(home) as opened:
        report = opened.ingest("farm", folder, chunking=Chunking(chunk_size=128))
        assert sum(document.passages_added for document in report.documents) > 2
        assert opened.import_dataset(home / "farm.json") == "farm"
    return home


@pytest.fixture
def farm(passer, farm_home: Path, home: Path) -> Callable[..., Ended]:
    """With a collection and a dataset called farm."""
    if not (home / "farm.json").exists():
        shutil.copytree(farm_home, home, dirs_exist_ok=True)
    return passer


@pytest.fixture
def judge(passer, monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaServer]:
    """A model server that fills the form that it is asked for; it replies "Because." to everything else."""
    with OllamaServer(reply=lambda _: "Because.") as server:
        monkeypatch.setenv("PASSER_OLLAMA_URL", server.url)
        yield server


@pytest.fixture
def with_answers(passer, home: Path, judge: OllamaServer) -> Callable[..., Ended]:
    """With a finished sweep of two configurations, and a judge."""
    made = Judged(f"sqlite:///{home / 'passer.sqlite3'}")
    made.fill()
    made.close()
    return passer
