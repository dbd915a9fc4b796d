"""Every command that the documentation prints in a code block is run, page by page, in one home.

Names that a reader replaces (ID, MODEL, handbook) are replaced; a scripted model server answers for all models. What
cannot be run here is listed with the reason. `docs/audit.md` is run by tests/test_audit.py.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.forked import shim
from tests.ollama_server import OllamaServer
from tests.result_sheets import row_of, write_sheet
from tests.test_documentation import PAGES

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]

CORPUS = ROOT / "datasets" / "organic-farming" / "corpus"
QUESTIONS = ROOT / "datasets" / "organic-farming" / "questions.jsonl"
NOT_RUN = {
    r"^(make|passer serve) ?": "sets up or starts for good; CI runs it",
    r"^(pip|docker|curl|ray|chroma|openssl) ": "another program, a package registry or a container engine",
    r"^(export|PASSER_\w+=)": "settings of servers that are not here",
    r"^passer ledger (stamp|stamped) |--stamp$|--roots ": "needs an authority: tests/adapters/test_time_stamps.py",
    r"^passer import (answers|ragelo) ": "files of other tools: tests/cli/test_outside.py",
    r"^passer judge run --dataset": "answers of other tools: tests/services/judging",
    r"^passer judge facts|--facts ": "key facts that a judge listed: tests/services/judging/test_key_facts.py",
    r"Failure: ": "an assessment of failures: tests/services/judging/test_labelling.py",
    r"^passer draft resume ID --answers": "questions without answers: tests/services/drafting/test_answers.py",
    r"^passer draft finish": "drafts that a scripted server cannot write: tests/cli/test_drafting.py",
    r"^passer (calibrate|label import|judge tune)|--tuned": "needs labels of people: tests/cli/test_judging.py",
    r"^passer arena (import|people|add)": "games of people or other tools: tests/services/arena",
    r"0e3b10332beb-000|--against first|--constants (FIRST|first)": "a second sweep or machine",
}
EXPERIMENT = """\
name: Budget
dataset: farm
collection: farm
model: extractive
retrieval: {mode: score, min_similarity: {start: 0.30, stop: 0.50, step: 0.10}}
baseline: {mode: normal, k: 10}
"""
CORRECTNESS = "assessments WHERE spec LIKE '%Answer correctness%'"
WORSE = 1
"""Exit status of `passer check` where a configuration is worse; docs/ci.md says so."""


@dataclass
class Reader:
    """Somebody who types the commands of the documentation."""

    folder: Path
    environment: dict[str, str]
    ran: list[str] = field(default_factory=list)
    bundled: str = ""
    """Run of which there is a bundle."""

    def types(self, command: str) -> None:
        if command not in self.ran:
            self.run(command, self.named(command))

    def set_up(self, command: str) -> None:
        self.run(command, command)

    def run(self, command: str, wanted: str) -> None:
        done = subprocess.run(
            ["bash", "-c", wanted], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        allowed = (0, WORSE) if command.startswith("passer check") else (0,)
        assert done.returncode in allowed, f"{command}\n{wanted}\n{done.stdout[-500:]}{done.stderr[-1500:]}"
        self.ran.append(command)

    def named(self, command: str) -> str:
        """Return the command with what a reader puts into it."""
        for pattern, value in self.names(command).items():
            command = re.sub(pattern, value, command)
        return command

    def names(self, command: str) -> dict[str, str]:
        words = command.split()[1:3]
        kind = words[0] if words[0] in ("arena", "judge", "label", "draft") else "sweep"
        ids = {"arena": "tournaments", "judge": "assessments", "label": CORRECTNESS, "draft": "assessments"}
        is_import = "--procedure" in command or "--label " in command
        latest = self.latest("imports" if is_import else ids.get(kind, "sweeps"))
        return {
            r"\b(ollama/MODEL|ollama/mistral:7b|openai/\w+|MODEL)\b": "ollama/mistral:latest",
            r"docs/\*\.pdf https://\S+": f"{CORPUS}/pr*.md",
            r"questions\.xlsx|datasets/organic-farming/questions\.jsonl": "questions.jsonl",
            r"(?<!/)datasets/organic-farming/corpus|\./papers": str(CORPUS),
            r"(?<!/)configs/": f"{ROOT}/configs/",
            r"/backup/": f"{self.folder}/",
            r"\b(SWEEP|FIRST|0e3b10332beb|3f2a9c0b1d4e)\b": self.latest("sweeps"),
            r"\b(ID|ASSESSMENT)\b": latest,
            "Top-k 10": "Similarity ≥ 0.50",
            r"--key KEY": '--key "$(passer ledger key)"',
            r"\bDRAW\b": self.latest("label_draws"),
            r"\bRUN\b": self.bundled,
            r"--dataset D ": "--dataset farm ",
            r"--collection C ": "--collection farm ",
            r"120:3f5a\.\.\.": "$(passer activity verify | grep -oE '[0-9]+:[0-9a-f]{64}')",
            r"(users add \w+ .*)": rf"\1 --password-file {self.folder}/password",
            r"--project litpath activity": "--project other activity",
        }

    def latest(self, table: str) -> str:
        """Return the id of what was made last; "ID" where there is nothing."""
        database = Path(self.environment["PASSER_HOME"]) / "passer.sqlite3"
        if not database.exists():
            return "ID"
        with closing(sqlite3.connect(database)) as opened:
            try:
                found = opened.execute(f"SELECT id FROM {table} ORDER BY created_at DESC LIMIT 1").fetchone()
            except sqlite3.OperationalError:
                return "ID"
        return str(found[0]) if found else "ID"


def commands(page: Path) -> Iterator[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)
    for block in (text for language, text in blocks if language in ("", "sh")):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            command = re.split(r"\s{2,}(?:#|\w)|\s+# ", line.strip())[0].strip()
            if re.match(r"(passer|make|pip|docker|ray|chroma|curl|openssl|export|PASSER_\w+=)\b", command):
                yield command


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder = tmp_path_factory.mktemp("reader")
    with OllamaServer(models=("mistral:latest",)) as model:
        environment = {**os.environ, "PASSER_HOME": str(folder / "home"), "PASSER_OLLAMA_URL": model.url}
        places = (shim(folder / "bin"), Path(sys.executable).parent, environment["PATH"])
        environment["PATH"] = os.pathsep.join(map(str, places))
        found = Reader(folder, environment)
        (folder / "questions.jsonl").write_text("".join(QUESTIONS.read_text().splitlines(keepends=True)[:20]))
        rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
        (folder / "questions.json").write_text(json.dumps(rows))
        (folder / "results" / "mistral").mkdir(parents=True)
        for threshold in (0.0, 0.5):
            sheet = [row_of(each["question"], threshold) for each in rows]
            write_sheet(folder / "results" / "mistral" / f"threshold_{threshold}.xlsx", sheet)
        (folder / "experiment.yaml").write_text(EXPERIMENT)
        (folder / "password").write_text("correct horse battery")
        found.set_up("passer projects add other")
        for name in ("farm", "handbook"):
            found.set_up(f"passer ingest {name} {CORPUS}/principles-and-control.md")
            found.set_up(f"passer import dataset {folder}/questions.jsonl --name {name}")
        found.set_up("passer sweep --dataset farm --collection farm --thresholds 0.3:0.5:0.1")
        found.bundled = f"{found.latest('sweeps')}-000"
        found.set_up(f"passer bundle {found.bundled} -o bundle.zip")
        found.set_up("passer import sheets results/")
        yield found


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "audit.md"], ids=lambda page: page.stem)
def test_every_printed_command_runs(reader: Reader, page: Path) -> None:
    problems = []
    for command in commands(page):
        if any(re.search(pattern, command) for pattern in NOT_RUN):
            continue
        try:
            reader.types(command)
        except AssertionError as exc:
            problems.append(str(exc))
    assert problems == []
