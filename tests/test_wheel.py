"""The wheel carries all that the program needs, the browser application included."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

NEEDED = (
    "passer/static/index.html",
    "passer/datasets/organic-farming/questions.jsonl",
    "passer/configs/offline-example.yaml",
)
"""What the build puts beside the package's own files."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    if not (ROOT / "passer" / "static" / "index.html").is_file():
        pytest.skip("the browser application is not built: make client")
    folder: Path = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True, timeout=120)
    return zipfile.ZipFile(next(folder.glob("passer_rag-*.whl")))


@pytest.mark.parametrize("name", NEEDED)
def test_the_wheel_holds(wheel: zipfile.ZipFile, name: str):
    assert name in wheel.namelist()


def test_the_wheel_holds_every_file_of_the_package(wheel: zipfile.ZipFile):
    files = (path for path in (ROOT / "passer").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    own = {path.relative_to(ROOT).as_posix() for path in files}
    assert "passer/prompts/default.j2" in own
    assert own <= set(wheel.namelist())


def test_the_page_of_the_wheel_loads_only_what_the_wheel_holds(wheel: zipfile.ZipFile):
    page = wheel.read("passer/static/index.html").decode()
    assets = [part.split('"')[0] for part in page.split('"/')[1:]]
    assert any(asset.endswith(".js") for asset in assets)
    for asset in assets:
        assert f"passer/static/{asset}" in wheel.namelist()


def test_nothing_of_the_tests_or_of_this_machine_is_in_the_wheel(wheel: zipfile.ZipFile):
    assert not [name for name in wheel.namelist() if name.startswith(("tests/", "frontend/", "benchmarks/"))]
    here = str(ROOT).encode()
    assert not [name for name in wheel.namelist() if here in wheel.read(name)]
