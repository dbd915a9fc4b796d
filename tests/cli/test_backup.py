"""Everything that is kept, as one file and back: whole, while a server goes on, or not at all."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from threading import Event

import pytest

from passer.adapters.archive import writing
from passer.bootstrap import build_services
from passer.errors import InputError
from passer.ports import POSTING
from passer.services.work.kinds import IngestSpec
from passer.services.work.sources import PastedText
from passer.settings import Settings

SEARCH = ("ask", "What fixes nitrogen?", "--collection", "farm", "--k", 2, "--json")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests of this file, which read what is made in it once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def known() -> dict[str, Path]:
    return {}


@pytest.fixture
def backup(farm, known, home, tmp_path_factory):
    """A backup of a home with a sweep in it, made while another program has that home open."""
    if "file" not in known:
        swept = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.5", "--json")
        assert swept.status == 0, swept.err
        folder = tmp_path_factory.mktemp("backups")
        (home / "chain.key").write_text("a key")
        (home / "chain.key").chmod(0o600)
        (home / "elsewhere").symlink_to("/etc")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PASSER_CHAIN_KEY_FILE", str(home / "chain.key"))
            server = build_services(Settings(home=home))
            server.adapters.datasets.list_datasets()
            server.adapters.collections.list()
            made = farm("backup", folder / "kept.zip", "--json")
            server.close()
        assert made.status == 0, made.err
        known["file"] = folder / "kept.zip"
        (folder / "sweep").write_text(swept.json["id"])
    return known["file"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def changed(backup: Path, target: Path, member: str, content: bytes | None, *, name: str | None = None) -> Path:
    """The backup with one member changed, renamed, or left out."""
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(target, "w") as out:
        for each in source.namelist():
            if each != member:
                out.writestr(each, source.read(each))
            elif content is not None:
                out.writestr(name or each, content)
    return target


def restored(passer, monkeypatch, backup: Path, target: Path):
    monkeypatch.setenv("PASSER_HOME", str(target))
    return passer("restore", backup)


def test_what_was_kept_is_there_again(farm, backup, home, tmp_path, monkeypatch):
    sweep = (backup.parent / "sweep").read_text()
    before = farm("export", sweep, "-o", tmp_path / "before.csv", "--reproducible")
    assert before.status == 0, before.err
    asked = farm(*SEARCH).json["answer"]

    done = restored(farm, monkeypatch, backup, tmp_path / "new" / "home")

    assert done.status == 0, done.err
    assert farm("export", sweep, "-o", tmp_path / "after.csv", "--reproducible").status == 0
    assert (tmp_path / "after.csv").read_bytes() == (tmp_path / "before.csv").read_bytes()
    assert farm(*SEARCH).json["answer"]["text"] == asked["text"]
    assert (tmp_path / "new" / "home" / "documents" / "bees.md").read_text() == (home / "documents/bees.md").read_text()
    assert names_in(tmp_path / "new") == ["home"]


def test_leases_of_the_old_home_hold_nobody_up_in_the_new_one(farm, backup, home, tmp_path, monkeypatch):
    sweep, new = (backup.parent / "sweep").read_text(), tmp_path / "new"
    old = build_services(Settings(home=home))
    for work_id in (sweep, POSTING):
        assert old.adapters.work.acquire(work_id, "elsewhere:1:abc", ttl_s=3600) == "elsewhere:1:abc"
    assert farm("backup", tmp_path / "held.zip").status == 0
    for work_id in (sweep, POSTING):
        old.adapters.work.release(work_id, "elsewhere:1:abc")
    old.close()

    assert restored(farm, monkeypatch, tmp_path / "held.zip", new).status == 0
    copy = build_services(Settings(home=new))
    for work_id in (sweep, POSTING):
        assert copy.adapters.work.acquire(work_id, "here:2:def", ttl_s=1) == "here:2:def"
    copy.close()


def test_keys_links_and_what_lives_for_the_moment_stay_behind(backup):
    names = zipfile.ZipFile(backup).namelist()
    assert "passer.sqlite3" in names
    assert any(name.startswith("chroma/") for name in names)
    assert not [name for name in names if name.startswith("elsewhere") or name.endswith((".key", ".lock", "-wal"))]
    assert not [path.name for path in backup.parent.iterdir() if path.name not in ("kept.zip", "sweep")]


def test_nothing_is_written_over(farm, backup, home, monkeypatch, tmp_path):
    before = backup.read_bytes()
    again = farm("backup", backup)
    assert (again.status, again.err.count("already exists")) == (2, 1)
    assert backup.read_bytes() == before
    occupied = restored(farm, monkeypatch, backup, home)
    assert (occupied.status, occupied.err.count("already contains files")) == (2, 1)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert restored(farm, monkeypatch, backup, empty).status == 0


@pytest.mark.parametrize(
    ("member", "content", "name", "says"),
    [
        ("passer.sqlite3", b"SQLite format 3", None, "passer.sqlite3 in"),
        ("passer.sqlite3", None, None, "passer.sqlite3 must be both listed and present"),
        ("backup.json", None, None, "contains no backup.json"),
        ("backup.json", b'{"format": 2}', None, "cannot be read at format"),
        ("documents/bees.md", b"Bees", "documents/wasps.md", "documents/bees.md must be both listed and present"),
    ],
)
def test_a_changed_backup_is_refused_whole(farm, backup, monkeypatch, tmp_path, member, content, name, says):
    target = tmp_path / "home"
    done = restored(farm, monkeypatch, changed(backup, tmp_path / "changed.zip", member, content, name=name), target)
    assert done.status == 2
    assert says in done.err
    assert names_in(tmp_path) == ["changed.zip"]


def test_a_listing_that_unpacks_to_much_is_refused(farm, backup, monkeypatch, tmp_path):
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(forged, "w", zipfile.ZIP_DEFLATED) as out, out.open("backup.json", "w") as listing:
        for _ in range(80):
            listing.write(b" " * 2**20)
    done = restored(farm, monkeypatch, forged, tmp_path / "home")
    assert (done.status, names_in(tmp_path)) == (2, ["forged.zip"])
    assert "unpacks to more than 64 MB" in done.err


def test_a_path_that_leaves_the_folder_is_refused(farm, backup, monkeypatch, tmp_path):
    listing = json.loads(zipfile.ZipFile(backup).read("backup.json"))
    place = next(n for n, file in enumerate(listing["files"]) if file["path"] == "documents/bees.md")
    listing["files"][place]["path"] = "../bees.md"
    forged = changed(backup, tmp_path / "forged.zip", "backup.json", json.dumps(listing).encode())
    done = restored(farm, monkeypatch, forged, tmp_path / "home")
    assert (done.status, names_in(tmp_path)) == (2, ["forged.zip"])
    assert f"files.{place}.path" in done.err


def test_a_database_of_a_newer_program_is_refused(farm, backup, monkeypatch, tmp_path):
    monkeypatch.setattr("passer.adapters.archive.reading.knows_schema", lambda revision: revision == "of the future")
    done = restored(farm, monkeypatch, backup, tmp_path / "home")
    assert (done.status, names_in(tmp_path)) == (2, [])
    assert "or a newer one" in done.err


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [("PASSER_DATABASE_URL", "postgresql+psycopg://u@h/n", "pg_dump"), ("PASSER_CHROMA_URL", "http://h:1", "folder")],
)
def test_what_servers_keep_is_theirs_to_back_up(passer, monkeypatch, tmp_path, variable, value, says):
    monkeypatch.setenv(variable, value)
    for command in ("backup", "restore"):
        done = passer(command, tmp_path / "kept.zip")
        assert done.status == 2
        assert says in done.err


def test_an_empty_folder_has_nothing_to_back_up(passer, monkeypatch, tmp_path):
    monkeypatch.setenv("PASSER_HOME", str(tmp_path / "none"))
    done = passer("backup", tmp_path / "kept.zip")
    assert (done.status, names_in(tmp_path)) == (2, [])
    assert "nothing to back up" in done.err


def test_no_file_and_no_zip_are_one_sentence(passer, monkeypatch, tmp_path):
    (tmp_path / "text.zip").write_text("no zip")
    for name, says in (("text.zip", "not a complete zip"), ("absent.zip", "No such file")):
        done = restored(passer, monkeypatch, tmp_path / name, tmp_path / "home")
        assert done.status == 2
        assert says in done.err
        assert done.err.count("\n") == 1


def test_a_damaged_backup_is_one_sentence(farm, backup, monkeypatch, tmp_path):
    content = bytearray(backup.read_bytes())
    for place in range(200, 400):
        content[place] ^= 0xFF
    (tmp_path / "damaged.zip").write_bytes(content)
    done = restored(farm, monkeypatch, tmp_path / "damaged.zip", tmp_path / "home")
    assert (done.status, names_in(tmp_path)) == (2, ["damaged.zip"])
    assert done.err.count("\n") == 1


def test_a_key_that_no_setting_names_stays_behind_too(farm, backup, home, tmp_path):
    from passer.antelope.signing.keys import PrivateKey

    (home / "forgotten").write_text(PrivateKey.generate().reveal().get_secret_value() + "\n")
    assert farm("backup", tmp_path / "kept.zip").status == 0
    assert "forgotten" not in zipfile.ZipFile(tmp_path / "kept.zip").namelist()


def test_the_secret_of_stored_keys_stays_behind(farm, backup, home, tmp_path):
    (home / "secret.key").write_text("the secret that opens all stored keys")
    assert farm("backup", tmp_path / "kept.zip").status == 0
    assert "secret.key" not in zipfile.ZipFile(tmp_path / "kept.zip").namelist()


def test_an_upload_that_waits_is_in_the_backup_and_one_that_has_just_ended_does_not_break_it(
    farm, home, tmp_path, monkeypatch
):
    built = build_services(Settings(home=home))
    spec = IngestSpec(collection="later", source=PastedText(title="notes"))
    waits, ends = (built.work.queue.submit(spec, [text]) for text in (b"Hens go outside.", b"Bees fly."))
    is_key = writing._is_key

    def deleted(path: Path) -> bool:
        if ends.id in path.parts:
            built.work.queue.cancel(ends.id)
        return is_key(path)

    monkeypatch.setattr(writing, "_is_key", deleted)
    assert farm("backup", tmp_path / "kept.zip").status == 0
    built.work.queue.cancel(waits.id)
    built.close()
    assert restored(farm, monkeypatch, tmp_path / "kept.zip", tmp_path / "new").status == 0
    copy = build_services(Settings(home=tmp_path / "new"))
    copy.work.queue.run(copy.adapters.work.find(waits.id), Event())
    [later] = [each for each, _ in copy.adapters.collections.list() if each.name == "later"]
    assert later.name == "later"
    with pytest.raises(InputError, match="no longer in"):
        copy.work.queue.run(copy.adapters.work.find(ends.id), Event())
    copy.close()
