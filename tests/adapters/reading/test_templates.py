"""Templates, experiment files and listings of backups that would take all memory or never end."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from passer.adapters.archive.reading import read_listing
from passer.adapters.prompts import JinjaPrompts
from passer.adapters.reading.isolated import IsolatedPrompt
from passer.adapters.reading.limits import ReaderLimits
from passer.adapters.reading.pool import ReaderPool
from passer.adapters.templates import JinjaPrompt
from passer.bootstrap.archive import restore
from passer.bootstrap.experiments import experiment
from passer.domain.retrieval.passages import Passage
from passer.errors import ConfigError, TooLargeError
from passer.settings import Settings

SHOWN = "{{ question }}{% for passage in passages %}{{ passage.text }}{% endfor %}"
TEN = "{% set x = " + " ~ ".join("x" * 10) + " %}"
ENDLESS = {
    "loops in loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "a macro that calls itself": "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "texts that grow": "{% set x = 'xxxxxxxxxx' %}" + TEN * 12,
    "texts replaced by longer ones": "{% set x = 'x' * 99 %}" + "{% set x = x|replace('x', 'x' * 99) %}" * 9,
    "a long text": "{{ 'x' * 10**10 }}",
}


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    made = ReaderPool(ReaderLimits(memory_mb=200, cpu_s=1, wall_s=60.0), files=10_000)
    yield made
    made.close()


def template(body: str) -> str:
    return "{% block user %}" + SHOWN + body + "{% endblock %}"


@pytest.mark.parametrize("name", ENDLESS)
def test_a_template_that_takes_too_much_is_refused(pool, name):
    with pytest.raises(ConfigError) as refused:
        IsolatedPrompt("foreign", template(ENDLESS[name]), pool=pool)
    assert "foreign" in refused.value.message
    assert refused.value.field == "prompt"


def test_a_template_of_a_folder_gives_the_same_messages_as_in_this_process(pool, tmp_path):
    (tmp_path / "own.j2").write_text(template(" Answer in {{ passages|length }} words."))
    prompts = JinjaPrompts(tmp_path, foreign=lambda name, text: IsolatedPrompt(name, text, pool=pool))
    own, here = prompts.load("own"), JinjaPrompts(tmp_path).load("own")
    passage = Passage(id="a", document="a.txt", number=0, text="Clover.", start=0, end=7)
    assert isinstance(own, IsolatedPrompt)
    assert own.digest == here.digest
    for passages in ((passage, passage), ()):
        assert own.render(question="Why?", passages=passages) == here.render(question="Why?", passages=passages)
    assert isinstance(prompts.load("default"), JinjaPrompt), "templates of PaSSER are rendered without another process"


EXPERIMENTS = {
    "merged anchors": "a0: &a0 {k: 1}\n"
    + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 30)}]}}\n" for n in range(1, 9)),
    "repeated anchors": "a0: &a0 [x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)),
    "a reference to itself": "a: &a [*a]\n",
    "a small step": "name: x\nretrieval: {mode: score, min_similarity: {start: 0, stop: 1, step: 1e-9}}\n",
    "an infinite step": "name: x\nretrieval: {mode: score, min_similarity: {start: 0, stop: .inf, step: .inf}}\n",
    "a day that is none": "name: 2001-99-99\n",
    "a deep nest": "name: " + "[" * 100_000 + "\n",
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_file_that_takes_too_much_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_text(EXPERIMENTS[name])
    with pytest.raises(ConfigError, match=r"experiment\.yaml"):
        experiment(path)


def test_an_experiment_file_of_more_text_than_a_sweep_needs_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "experiment.yaml"
    path.write_text("# " + "x" * 2**20)
    with pytest.raises(ConfigError, match=r"experiment\.yaml.*larger than 1024 kB"):
        experiment(path)


def test_a_listing_of_a_backup_that_takes_too_much_is_refused(tmp_path: Path) -> None:
    backup, home = tmp_path / "backup.zip", tmp_path / "home"
    with zipfile.ZipFile(backup, "w", zipfile.ZIP_DEFLATED) as out, out.open("backup.json", "w") as listing:
        listing.write(b'{"files": [' + b"[], " * 9_000_000 + b"[]]}")
    with pytest.raises(TooLargeError, match=r"backup\.zip"):
        restore(Settings(home=home, reader_memory_mb=100), backup)
    assert not home.exists()


def test_a_listing_of_a_backup_is_not_unpacked_beyond_its_limit(tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    with zipfile.ZipFile(backup, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        out.writestr("backup.json", bytes((64 << 20) + 1))
    with pytest.raises(TooLargeError, match=r"backup.json in .*backup\.zip unpacks to more than 64 MB"):
        read_listing(backup)


def test_a_listing_larger_than_the_disk_is_refused_before_anything_is_unpacked(tmp_path: Path) -> None:
    backup, home = tmp_path / "backup.zip", tmp_path / "home"
    file = f'{{"path": "passer.sqlite3", "size": {10**18}, "sha256": "{"0" * 64}"}}'
    with zipfile.ZipFile(backup, "w") as out:
        out.writestr("backup.json", f'{{"passer": "1", "made_at": "2026-01-01T00:00:00Z", "files": [{file}]}}')
        out.writestr("passer.sqlite3", b"")
    with pytest.raises(Exception, match="larger disk"):
        restore(Settings(home=home), backup)
    assert [path.name for path in tmp_path.iterdir()] == ["backup.zip"]
