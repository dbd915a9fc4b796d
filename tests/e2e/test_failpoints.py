"""Commands that are killed inside a write: the same command run again ends as one that was not killed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import BEES, QUESTIONS, SOIL
from tests.conftest import ROOT
from tests.e2e.killed import TEXT_ONLY
from tests.failpoints import UPLOAD
from tests.forked import ran
from tests.ollama_server import OllamaServer

KILLED = -9
RUN = ("run", "--dataset", "farm", "--collection", "farm", "--model", "ollama/mistral:latest")
GOLDEN = ROOT / "tests" / "golden" / "home.zip"
STATE = (("datasets", "--json"), ("collections", "--json"), ("runs", "--json"), ("ledger", "head", "--json"))


@dataclass
class Done:
    """How a command ended; `points` is how often it could have died."""

    status: int
    out: str
    err: str
    points: int


@dataclass
class Passer:
    """Runs commands in a home; `at` is the point at which they die."""

    environment: dict[str, str]

    def __call__(self, home: Path, *args: object, at: int = 0) -> Done:
        environment = {**os.environ, **self.environment, "PASSER_HOME": str(home)}
        with tempfile.NamedTemporaryFile("r") as counted:
            done = ran(at, counted.name, *args, environment=environment, runs="tests.failpoints:run")
            return Done(done.returncode, done.stdout, done.stderr, int(counted.read() or 0))

    def state(self, home: Path) -> list[Any]:
        """What a home contains, without times; its activity log fits."""
        assert self(home, "activity", "verify").status == 0
        return [timeless(json.loads(self(home, *command).out)) for command in STATE]


def timeless(value: Any) -> Any:
    if isinstance(value, list):
        return [timeless(each) for each in value]
    if isinstance(value, dict):
        return {key: timeless(each) for key, each in value.items() if not key.endswith("_at") and key not in VARYING}
    return value


VARYING = {"at", "place", "digest", "version"}


@pytest.fixture(scope="module")
def passer() -> Iterator[Passer]:
    with OllamaServer() as model:
        yield Passer({**TEXT_ONLY, "PASSER_OLLAMA_URL": model.url})


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory, passer: Passer) -> Path:
    """A folder with documents, questions, a home with both, and a backup of it."""
    folder = tmp_path_factory.mktemp("material")
    (folder / "documents").mkdir()
    (folder / "documents" / "soil.txt").write_text(SOIL)
    (folder / "documents" / "bees.md").write_text(BEES)
    (folder / "farm.json").write_text(json.dumps(QUESTIONS))
    home = folder / "home"
    for command in (("ingest", "farm", folder / "documents"), ("import", "dataset", folder / "farm.json")):
        done = passer(home, *command)
        assert done.status == 0, done.err
    for command in (RUN, ("backup", folder / "backup.zip")):
        done = passer(home, *command)
        assert done.status == 0, done.err
    return folder


Prepared = Callable[[Path, Path], tuple[object, ...]]


def ingest(material: Path, home: Path) -> tuple[object, ...]:
    return "ingest", "farm", material / "documents"


def import_dataset(material: Path, home: Path) -> tuple[object, ...]:
    return "import", "dataset", material / "farm.json"


def restore(material: Path, home: Path) -> tuple[object, ...]:
    return "restore", material / "backup.zip"


def backup(material: Path, home: Path) -> tuple[object, ...]:
    shutil.copytree(material / "home", home)
    return "backup", home.parent / "again.zip"


def migration(material: Path, home: Path) -> tuple[object, ...]:
    with zipfile.ZipFile(GOLDEN) as archive:
        archive.extractall(home.parent / "unpacked")
    [database] = (home.parent / "unpacked").rglob("passer.sqlite3")
    shutil.move(database.parent, home)
    return "datasets", "--json"


def bundle(material: Path, home: Path) -> tuple[object, ...]:
    shutil.copytree(material / "home", home)
    return "bundle", f"{sweep_of(home)}-000", "-o", home.parent / "run.zip"


def publish(material: Path, home: Path) -> tuple[object, ...]:
    if not (material / "judged").exists():
        # Its scores stand in the database already: a study has a verdict, and no encoder is loaded here.
        subprocess.run([sys.executable, "-m", "tests.judged_home", str(material / "judged")], cwd=ROOT, check=True)
    shutil.copytree(material / "judged", home)
    return "publish", "better", "-o", home.parent / "study.zip"


def upload(material: Path, home: Path) -> tuple[object, ...]:
    return UPLOAD, *sorted((material / "documents").iterdir())


def sweep_of(home: Path) -> str:
    with closing(sqlite3.connect(home / "passer.sqlite3")) as opened:
        return str(opened.execute("SELECT id FROM sweeps").fetchone()[0])


SCENARIOS: dict[str, Prepared] = {
    each.__name__: each for each in (ingest, import_dataset, restore, backup, migration, bundle, publish, upload)
}


def points_of(passer: Passer, material: Path, folder: Path, prepare: Prepared) -> tuple[int, list[Any]]:
    home = folder / "home"
    folder.mkdir()
    done = passer(home, *prepare(material, home))
    assert done.status == 0, done.err
    return done.points, passer.state(home)


def check(passer: Passer, material: Path, folder: Path, name: str, at: int, whole: list[Any]) -> bool:
    """Check one kill; False where the command had ended before this point."""
    home = folder / "home"
    folder.mkdir()
    command = SCENARIOS[name](material, home)
    killed = passer(home, *command, at=at)
    if killed.status == 0:
        return False
    assert killed.status == KILLED, (at, killed)
    again = passer(home, *command)
    # What had ended before the kill is refused in a sentence.
    assert again.status in (0, 2), (at, again)
    assert "Traceback" not in again.err, (at, again)
    assert passer.state(home) == whole, (name, at)
    # Uploads that belong to no work are deleted after a day: they may be of a process that lives.
    left = [path.name for path in folder.rglob("*") if "partial" in path.name and path.parent.name != "uploads"]
    assert left == [], (name, at)
    return True


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_command_killed_at_every_write_is_run_again(
    passer: Passer, material: Path, tmp_path: Path, name: str
) -> None:
    points, whole = points_of(passer, material, tmp_path / "whole", SCENARIOS[name])
    killed = 0
    # A server renews leases while it works, so that two runs need not have the same number of points.
    while check(passer, material, tmp_path / str(killed + 1), name, killed + 1, whole):
        killed += 1
        shutil.rmtree(tmp_path / str(killed))
    assert killed == points or (name == "upload" and killed > 10)
