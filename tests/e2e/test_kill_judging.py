"""kill -9 in the middle of an assessment: what was committed is not asked again, and the marks are whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from passer.adapters.store.schema import answers
from tests.conftest import ROOT
from tests.ollama_server import OllamaServer
from tests.services.judging.made import Judged

REPEATS = 30
ASKS, MARKS = 4 * REPEATS, 5 * REPEATS
WITHIN_S = 120.0


def passer(home: Path, model: OllamaServer, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PASSER_HOME": str(home), "PASSER_OLLAMA_URL": model.url}
    command = [sys.executable, "-m", "passer", "judge", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, text=True, cwd=ROOT, stdout=pipe, stderr=pipe)


def committed(made: Judged) -> int:
    """Replies of the judge in the database: four answers were stored before any was judged."""
    with made.store.database.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(answers)).scalar_one()) - 4


def output(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_an_assessment_that_is_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    with closing(Judged(url)) as made:
        made.fill()
    with OllamaServer(latency_s=0.02, reply=lambda _: "Because.") as model:
        judge = ("--judge", "ollama/mistral:latest", "--columns", "Answer correctness", "--repeats", str(REPEATS))
        first = passer(tmp_path, model, "run", "sweep", *judge, "--json")
        with first, closing(Judged(url)) as made:
            until = time.monotonic() + WITHIN_S
            while committed(made) < ASKS // 8:
                assert first.poll() is None, first.communicate()
                assert time.monotonic() < until
                time.sleep(0.005)
            first.kill()
            first.communicate()
            kept = committed(made)
            [assessment] = made.judgements.assessments()
        assert 0 < kept < ASKS
        asked = len(model.generations)
        table = output(passer(tmp_path, model, "resume", assessment.id, "--json"))
        assert len(model.generations) - asked == ASKS - kept
        assert [cell["judged"] for cell in table["cells"]] == [3, 2]
        again = output(passer(tmp_path, model, "run", "sweep", *judge, "--json"))
        assert len(model.generations) - asked == ASKS - kept
    with closing(Judged(url)) as made:
        assert len(made.judgements.marks(assessment.id)) == MARKS
        assert made.judgements.assessment(again["assessment"]["id"]).spent.asks == 0
