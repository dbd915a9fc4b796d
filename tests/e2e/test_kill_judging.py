"""kill -9 in the middle of an assessment: what was committed is not asked again, and the marks are whole."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

from sqlalchemy import func, select

from passer.adapters.store.schema import answers
from passer.domain.models.model import Model
from passer.services.judging.assessments import AssessmentRequest
from tests.forked import Captured
from tests.ollama_server import OllamaServer
from tests.served import free_port
from tests.services.judging.made import Judged
from tests.services.judging.rated import COLUMN, QUESTIONS, fill_rated

REPEATS = 30
ASKS, MARKS = 4 * REPEATS, 5 * REPEATS
REPLIES = 10
"""Replies before the kill."""
WITHIN_S = 120.0


def said(_: str) -> str:
    return "Grade strictly and by the facts."


def passer(home: Path, model: OllamaServer, *arguments: str) -> Captured:
    environment = {**os.environ, "PASSER_HOME": str(home), "PASSER_OLLAMA_URL": model.url}
    return Captured("judge", *arguments, environment=environment)


def committed(made: Judged, stored: int) -> int:
    """Replies of the judge in the database: so many answers were stored before any was judged."""
    with made.store.database.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(answers)).scalar_one()) - stored


@contextmanager
def replying(port: int, times: int) -> Iterator[OllamaServer]:
    """A server that replies so often and then no more: with its one slot no further reply can ever arrive."""
    said_so_far, is_over = count(), Event()

    def reply(prompt: str) -> str:
        if next(said_so_far) >= times:
            is_over.wait(WITHIN_S)
            raise ConnectionError("gone")
        return said(prompt)

    with OllamaServer(reply=reply, port=port, slots=1) as model:
        yield model
        is_over.set()


def wait_for_replies(process: Captured, made: Judged, stored: int) -> None:
    """Wait until all replies are committed."""
    until = time.monotonic() + WITHIN_S
    while committed(made, stored) < REPLIES:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)


def killed(home: Path, port: int, made: Judged, stored: int, *arguments: str) -> int:
    """Kill a command after the judge has replied some times; returns how many replies were committed."""
    with replying(port, REPLIES) as model, passer(home, model, *arguments) as process:
        wait_for_replies(process, made, stored)
        process.kill()
        process.communicate()
    return committed(made, stored)


def output(process: Captured) -> dict[str, Any]:
    out, err = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_an_assessment_that_is_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    port = free_port()
    with closing(Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")) as made:
        made.fill()
        judge = ("--judge", "ollama/mistral:latest", "--columns", "Answer correctness", "--repeats", str(REPEATS))
        assert killed(tmp_path, port, made, 4, "run", "sweep", *judge, "--json") == REPLIES
        [assessment] = made.judgements.assessments()
        with OllamaServer(reply=said, port=port) as model:
            table = output(passer(tmp_path, model, "resume", assessment.id, "--json"))
            assert len(model.generations) == ASKS - REPLIES
            assert [cell["judged"] for cell in table["cells"]] == [3, 2]
            again = output(passer(tmp_path, model, "run", "sweep", *judge, "--json"))
            assert len(model.generations) == ASKS - REPLIES
        assert len(made.judgements.marks(assessment.id)) == MARKS
        assert made.judgements.assessment(again["assessment"]["id"]).spent.asks == 0


def test_a_judge_whose_server_goes_away_waits_for_it_and_asks_nothing_twice(tmp_path: Path) -> None:
    port = free_port()
    with closing(Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")) as made:
        made.fill()
        judge = ("--judge", "ollama/mistral:latest", "--columns", "Answer correctness", "--repeats", str(REPEATS))
        with replying(port, REPLIES) as model:
            process = passer(tmp_path, model, "run", "sweep", *judge, "--json")
            wait_for_replies(process, made, 4)
        with OllamaServer(reply=said, port=port) as model:
            table = output(process)
            assert len(model.generations) == ASKS - REPLIES
        assert [cell["judged"] for cell in table["cells"]] == [3, 2]
        assert table["assessment"]["spent"]["asks"] >= ASKS


def test_a_tuning_that_is_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    port = free_port()
    judge = Model(provider="ollama", name="mistral:latest", base_url=f"http://127.0.0.1:{port}")
    # Half of the 40 questions choose, 8 of them as examples. A judge that gives every answer the same grade agrees by
    # no candidate, so that nothing is tested: the task, the examples and one rewrite, 12 answers each.
    asks = 3 * 12 + 1
    with closing(Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")) as made:
        fill_rated(made)
        base = made.assessments.create(AssessmentRequest(target="sweep-000", judge=judge, columns=(COLUMN,))).id
        kept = killed(tmp_path, port, made, QUESTIONS, "tune", base, "--instructions", "1", "--json")
        assert kept == REPLIES
        [tuning] = made.judgements.tunings(base)
        with OllamaServer(reply=said, port=port) as model:
            report = output(passer(tmp_path, model, "resume", tuning.id, "--json"))
            assert len(model.generations) == asks - REPLIES
            assert report["spent"]["asks"] == asks
            assert (report["chosen"], report["tuned"]) == (0, None)
            assert [each["judged"] for each in report["candidates"]] == [12, 12, 12]
            assert output(passer(tmp_path, model, "tuning", tuning.id, "--json")) == report
            [listed] = output(passer(tmp_path, model, "tunings", base, "--json"))["tunings"]
        assert (listed["id"], listed["state"]) == (tuning.id, "finished")
