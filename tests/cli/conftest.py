"""The command line as a person runs it, and a home with a small collection and its questions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from passer.cli import main
from tests.api.conftest import BEES, QUESTIONS, SOIL


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
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


@pytest.fixture
def farm(passer, home) -> Callable[..., Ended]:
    """With a collection and a dataset called farm."""
    folder = home / "documents"
    if not folder.exists():
        folder.mkdir()
        (folder / "soil.txt").write_text(SOIL)
        (folder / "bees.md").write_text(BEES)
        (home / "farm.json").write_text(json.dumps(QUESTIONS))
        done = passer("ingest", "farm", folder, "--chunk-size", 128, "--json")
        assert done.status == 0, done.err
        assert sum(document["passages_added"] for document in done.json["documents"]) > 2
        assert passer("import", "dataset", home / "farm.json").status == 0
    return passer
