"""The workflow and the fixture of docs/ci.md, run as they are printed, on a small sweep with the built-in reader."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
PROJECT = "passer-rag"
TOPICS = ("clover", "lucerne", "bees", "compost", "rye", "maize")
FACTS = ("binds nitrogen", "needs lime", "flowers in May", "keeps water")


def printed(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


EXPERIMENT, WORKFLOW = printed("yaml")
[FIXTURE] = printed("python")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository as the page assumes it: documents, questions and an experiment."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "documents").mkdir()
    for topic in TOPICS:
        text = "\n\n".join(f"On this farm {topic} {fact}." for fact in FACTS)
        (folder / "documents" / f"{topic}.md").write_text(text, encoding="utf-8")
    questions = [
        {"question": f"What of {topic}: {fact.split()[0]}?", "reference": f"On this farm {topic} {fact}."}
        for topic in TOPICS
        for fact in FACTS
    ]
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    (folder / "experiment.yaml").write_text(EXPERIMENT, encoding="utf-8")
    return folder


def run(command: list[str], project: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PASSER_HOME": str(project / "home"), "PYTHONPATH": str(ROOT)}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_the_workflow_and_the_fixture_do_what_they_say(project: Path) -> None:
    [job] = yaml.safe_load(WORKFLOW)["jobs"].values()
    *_, install, gate = job["steps"]
    assert install["run"].split()[:2] == ["pip", "install"]
    assert install["run"].split()[2].strip('"').partition("[")[0] == PROJECT
    done = run(["bash", "-e", "-c", gate["run"]], project)
    assert done.returncode == 0, done.stderr
    sweep_id = json.loads((project / "sweep.json").read_text(encoding="utf-8"))["id"]
    (project / "test_gate.py").write_text(FIXTURE, encoding="utf-8")
    passed = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_gate.py"], project)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert run(["passer", "check", sweep_id, "--against", "no such configuration"], project).returncode == 2
