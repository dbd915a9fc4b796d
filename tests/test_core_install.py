"""PaSSER with its core dependencies alone: what it does without an extra, and what it says where it needs one.

Every package that the core does not bring is unimportable in a process that forks the commands, so that no second
virtual environment is needed.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from passer.domain.score import VECTOR_ORDER
from passer.metrics.registry import families
from tests.bundles import MadeRun
from tests.conftest import ROOT
from tests.forked import other_server, ran
from tests.result_sheets import row_of, write_sheet

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HEAVY = {"torch", "transformers", "chromadb", "pypdfium2", "matplotlib", "ray", "langchain_core", "psycopg"}
MAIN = "from passer.cli import main; main()"


def reached(requirements: Iterable[str]) -> set[str]:
    """Canonical names of the distributions that requirements bring in this environment."""
    found: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    left = [Requirement(each) for each in requirements]
    while left:
        wanted = left.pop()
        name, extras = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found.add(name)
        try:
            listed = [Requirement(each) for each in requires(name) or ()]
        except PackageNotFoundError:
            continue
        asked = [{"extra": extra} for extra in ("", *extras)]
        left += [each for each in listed if each.marker is None or any(map(each.marker.evaluate, asked))]
    return found


@cache
def blocked() -> tuple[str, ...]:
    """Importable names that belong to no core dependency."""
    core = reached(PROJECT["dependencies"])
    return tuple(
        module
        for module, distributions in packages_distributions().items()
        if module != "passer" and not core & {canonicalize_name(each) for each in distributions}
    )


def run(code: str, *arguments: object, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code without the blocked packages."""
    return ran(
        *(code, *arguments),
        environment={"PASSER_HOME": str(home / "home"), "HOME": str(home), **environment},
        folder=home,
        runs="tests.core_forks:execute",
        server=other_server("tests.core_forks", *blocked()),
    )


def test_what_is_blocked_is_what_the_extras_bring():
    assert set(blocked()) >= HEAVY | {"tokenizers", "safetensors", "langchain_text_splitters", "pypdf", "docx"}
    assert not {"numpy", "scipy", "httptools", "openpyxl", "nltk"} & set(blocked())


def test_bundles_are_verified(tmp_path: Path):
    (tmp_path / "run.zip").write_bytes(MadeRun(questions=3).bundle("local"))
    done = run(MAIN, "verify", "run.zip", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "verified: run" in done.stdout


def test_result_sheets_are_imported_and_analysed(tmp_path: Path):
    # METEOR of 12 questions: differences that are not all the same, so that there is something to test.
    for name, gain in (("baseline", 0.0), ("threshold_0.5", 0.1)):
        rows = [row_of(f"question {n}?", n / 20 + gain * (1 + n % 3)) for n in range(12)]
        write_sheet(tmp_path / "study" / "m" / f"{name}.xlsx", rows)
    done = run(MAIN, "import", "sheets", "study", "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = run(MAIN, "analyse", json.loads(done.stdout)["id"], "--procedure", "corrected", "--json", home=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert [each["n"] for each in json.loads(shown.stdout)["configurations"]] == [12, 12]


def test_answers_are_scored_by_the_text_metrics(tmp_path: Path):
    (tmp_path / "pairs.json").write_text(json.dumps([{"reference": "one two three four", "answer": "one two three"}]))
    done = run(MAIN, "score", "pairs.json", "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    [row] = json.loads(done.stdout)["rows"]
    needs = {info.name for family in families("standard") if family.needs_encoder for info in family.infos}
    assert {name for name in VECTOR_ORDER if row[name]["value"] is None} - {"METEOR"} == needs
    assert {row[name]["reason"] for name in needs} == {"encoder_unavailable"}
    # By hand: precision 3/3, recall 3/4, F1 = 2 * 1 * .75 / 1.75.
    assert row["Rouge-1.f"]["value"] == pytest.approx(6 / 7, abs=1e-6)


def test_the_python_api_scores_too(tmp_path: Path):
    code = "import passer; t = passer.score(references=['a b'], answers=['a b'], columns=['F1 Score']); print(t.values)"
    done = run(code, home=tmp_path)
    assert done.stdout.strip() == "[[1.]]", done.stderr


def test_the_server_answers(tmp_path: Path):
    code = (
        "from fastapi.testclient import TestClient\n"
        "from passer.api.app import create_app\n"
        "from passer.bootstrap import services\n"
        "with services() as built, TestClient(create_app(built), base_url='http://127.0.0.1') as client:\n"
        "    print([client.get(f'/api/v1/{each}').status_code for each in ('sweeps', 'datasets', 'imports')])\n"
    )
    done = run(code, home=tmp_path)
    assert done.stdout.strip() == "[200, 200, 200]", done.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("collections",), "retrieval"),
        (("ingest", "farm", "soil.txt"), "retrieval"),
    ],
)
def test_what_needs_an_extra_says_which_in_one_line(tmp_path: Path, arguments: tuple[str, ...], extra: str):
    (tmp_path / "soil.txt").write_text("Clover fixes nitrogen.")
    done = run(MAIN, *arguments, home=tmp_path)
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("passer: "), done.stderr
    assert last.endswith(f' needs packages that are not installed. Run: pip install "passer-rag[{extra}]"'), last


def test_a_sweep_asks_for_the_encoder_before_it_starts(tmp_path: Path):
    """A file that is scored shows at once that columns are empty; a sweep would show it after hours."""
    code = (
        "from passer.bootstrap import services\nwith services() as built: print(built.pipeline.identity_for_sweeps())"
    )
    done = run(code, home=tmp_path)
    assert 'Run: pip install "passer-rag[encoder]", or set PASSER_ENCODER=none' in done.stderr
    chosen = run(code, home=tmp_path, PASSER_ENCODER="none")
    assert "'encoder': 'none'" in chosen.stdout, chosen.stderr


def test_doctor_says_how_to_add_the_encoder(tmp_path: Path):
    done = run(MAIN, "doctor", home=tmp_path)
    assert 'pip install "passer-rag[encoder]"' in done.stdout, done.stderr
