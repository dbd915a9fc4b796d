"""Projects from the command line: data apart, backups of one and of all, and the name in what leaves the project."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.golden.test_home import BUNDLED, FINISHED, FOLDER, LEDGER_ROWS, MANIFEST

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests of this file, which read what is made in it once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("PASSER_ENCODER", "none")


@pytest.fixture
def restored(passer, home):
    """Restore the old home as the default project and as `copied`, and add an empty project, once for this file."""
    if not (home / "projects" / "copied").exists():
        assert passer("restore", FOLDER / "home.zip").status == 0
        assert passer("projects", "add", "litpath").status == 0
        assert passer("--project", "copied", "restore", FOLDER / "home.zip").status == 0
    return passer


def test_an_old_home_is_the_default_project_and_a_new_one_is_empty(passer, tmp_path, monkeypatch):
    monkeypatch.setenv("PASSER_HOME", str(tmp_path / "own"))
    assert passer("restore", FOLDER / "home.zip").status == 0
    assert passer("projects", "list", "--json").json == {"projects": [{"name": "default", "members": 0}]}
    assert passer("--project", "litpath", "runs").status == 2
    added = passer("projects", "add", "litpath")
    assert (added.status, added.out) == (0, ""), added.err
    assert passer("projects", "add", "litpath").status == 2
    assert FINISHED in passer("runs").out
    assert passer("--project", "default", "runs").out == passer("runs").out
    assert json.loads(passer("--project", "litpath", "runs", "--json").out)["sweeps"] == []
    assert passer("--project", "litpath", "show", FINISHED).status == 2
    assert passer("--project", "litpath", "ledger", "head").out.split()[0] == "0"
    assert passer("runs").out.count(FINISHED) == 1, "the option ends with its command"


def test_a_backup_is_of_one_project_or_of_all(restored, tmp_path, monkeypatch):
    """The old home is a project too: what is in both has the same ids, and neither reads the other."""
    passer = restored
    assert FINISHED in passer("--project", "copied", "runs").out
    assert passer("--project", "copied", "ledger", "head").out.split()[0] == str(LEDGER_ROWS)
    assert passer("--project", "copied", "backup", tmp_path / "one.zip").status == 0
    assert passer("backup", tmp_path / "all.zip").status == 0
    one, every = (set(zipfile.ZipFile(tmp_path / f"{name}.zip").namelist()) for name in ("one", "all"))
    assert {"passer.sqlite3", "chroma/chroma.sqlite3"} <= one
    assert not any(name.startswith("projects/") for name in one)
    assert {"passer.sqlite3", "projects/copied/passer.sqlite3", "projects/copied/chroma/chroma.sqlite3"} <= every
    assert not any(name.endswith(("-wal", "-shm")) for name in every)
    monkeypatch.setenv("PASSER_HOME", str(tmp_path / "elsewhere"))
    assert passer("restore", tmp_path / "all.zip").status == 0
    assert passer("projects", "list", "--json").json["projects"][1]["name"] == "copied"
    assert FINISHED in passer("--project", "copied", "runs").out
    shutil.rmtree(tmp_path / "elsewhere")


def test_what_leaves_a_project_names_it_and_what_leaves_the_default_one_is_as_before(restored, tmp_path):
    def row(*project: str) -> dict[str, object]:
        file = tmp_path / f"{len(project)}.jsonl"
        assert restored(*project, "export", FINISHED, "-o", file).status == 0
        return json.loads(file.read_text().splitlines()[0])

    assert "project" not in row()
    assert row("--project", "copied")["project"] == "copied"


@pytest.mark.usefixtures("restored")
def test_a_manifest_made_in_a_project_names_it(home: Path):
    from passer.bootstrap import build_services
    from passer.domain.bundle.manifest import Manifest
    from passer.settings import Settings

    settings = Settings(home=home, encoder="none")
    for project, expected in (("default", None), ("copied", "copied")):
        services = build_services(settings.of_project(project))
        manifest = services.provenance.manifest_builder.manifest(BUNDLED)
        assert manifest.run.project == expected
        assert ("project" in json.loads(manifest.canonical)["run"]) == (expected is not None)
        # What was recorded before is returned as it was recorded.
        assert services.provenance.bundle_writer.manifest(BUNDLED).digest == MANIFEST
        assert Manifest.model_validate_json(manifest.canonical).digest == manifest.digest
        services.close()


def test_members_are_chosen_on_the_command_line(restored, tmp_path):
    passer = restored
    file = tmp_path / "password"
    file.write_text(PASSWORD)
    assert passer("users", "add", "maria", "--role", "admin", "--password-file", file).status == 0
    added = passer("--project", "copied", "users", "add", "ivan", "--role", "researcher", "--password-file", file)
    assert "in the project copied" in added.err
    assert passer("projects", "allow", "litpath", "ivan").status == 0
    assert passer("projects", "allow", "nothing", "ivan").status == 2
    assert passer("projects", "members", "litpath", "--json").json == {
        "members": [{"account": "ivan", "role": "viewer"}, {"account": "maria", "role": "admin"}]
    }
    listed = passer("users", "list", "--json").json["users"]
    assert [(each["role"], each["projects"]) for each in listed] == [
        (None, {"copied": "researcher", "litpath": "viewer"}),
        ("admin", {}),
    ]
    assert passer("users", "token", "ivan", "--only", "copied").out.startswith("passer_")
    assert passer("users", "token", "ivan", "--only", "default").status == 2
    assert passer("projects", "remove", "litpath", "ivan").status == 0
    assert [each["account"] for each in passer("projects", "members", "litpath", "--json").json["members"]] == ["maria"]


@pytest.mark.parametrize("name", ["../x", "Maria", "a b", "", "-x", "x" * 41])
def test_names_that_are_no_folder_or_schema_are_refused(passer, name, tmp_path, monkeypatch):
    monkeypatch.setenv("PASSER_HOME", str(tmp_path / "own"))
    assert passer("projects", "add", "--", name).status == 2
