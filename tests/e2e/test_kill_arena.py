"""An arena judged by the built-in model, killed in the middle and resumed: nothing is asked twice, no game is lost.

`make soak` also plays a whole study: six systems answer 20 questions, and five pairs of each are judged in both orders.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from passer.adapters.experiments.reader import load_experiment
from passer.adapters.store.schema import answers
from passer.bootstrap import build_services
from passer.domain.retrieval.retriever import models_of
from passer.settings import Settings
from tests.conftest import ROOT
from tests.forked import Captured
from tests.local_model import MODEL, with_model
from tests.served import Served
from tests.services.arena.made import Played
from tests.waiting import wait_until

pytestmark = [*with_model, pytest.mark.timeout(900)]
WITHIN_S = 600.0


def committed(arena: Played, before: int) -> int:
    with arena.store.database.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(answers)).scalar_one()) - before


def passer(home: Path, *arguments: str) -> Captured:
    environment = {**os.environ, "PASSER_HOME": str(home), "PASSER_ENCODER": "none", "PASSER_CONCURRENCY": "1"}
    return Captured("arena", *arguments, environment=environment)


def test_an_arena_that_is_killed_goes_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    with closing(Played(url)) as arena:
        arena.fill()
        before = committed(arena, 0)
    judge = ("--judge", f"{MODEL.provider}/{MODEL.name}", "--documents", "none", "--num-ctx", "2048", "--json")
    first = passer(tmp_path, "start", "sweep", *judge)
    with first, closing(Played(url)) as arena:
        wait_until(lambda: committed(arena, before) or first.poll() is not None, within_s=WITHIN_S)
        assert first.poll() is None, first.communicate()
        first.kill()
        first.communicate()
        kept = committed(arena, before)
        [tournament] = arena.tournaments.tournaments()
    second = passer(tmp_path, "resume", tournament.id, "--json")
    out, err = second.communicate(timeout=WITHIN_S)
    assert second.returncode == 0, err
    found = json.loads(out)
    assert sum(found["games"].values()) == 2
    # Its server enforces the form, so only a reply that was cut off can be unreadable.
    assert set(found["reasons"]) <= {"cut_off"}
    assert any("too weak to judge" in warning for warning in found["warnings"])
    with closing(Played(url)) as arena:
        # What the killed process had asked and not committed is not counted; the rest is asked once.
        spent = arena.judgements.assessment(tournament.id).spent.asks
        assert committed(arena, before) == spent >= kept
        assert {played.question_id for played in arena.tournaments.played(tournament.id)} == {"q0", "q1"}


QUESTIONS, PAIRS, STUDY_WITHIN_S = 20, 5, 6000.0
"""Questions; pairs of systems that each is played by, of 15, so that the study ends within half an hour."""


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_study_of_six_systems_and_20_questions_is_killed_once_and_whole_in_the_end(tmp_path: Path) -> None:
    built = build_services(Settings(home=tmp_path, encoder="none"))
    built.library.examples.load("organic-farming")
    built.close()
    environment = {"PASSER_ENCODER": "none", "PASSER_CONCURRENCY": "2"}
    with Served(tmp_path, **environment) as server:
        sweep = server.client.post("/api/v1/sweeps", json=_six_systems()).json()
        wait_until(
            lambda: server.client.get(f"/api/v1/sweeps/{sweep['id']}").json()["state"] == "finished",
            within_s=STUDY_WITHIN_S,
        )
        runs = server.client.get(f"/api/v1/sweeps/{sweep['id']}").json()["runs"]
        assert [run["counts"]["answered"] for run in runs] == [QUESTIONS] * 6
        # Without documents, to keep it short.
        body = {
            "runs": [sweep["id"]],
            "judge": {"provider": MODEL.provider, "name": MODEL.name},
            "options": {"documents": "none", "per_question": PAIRS},
            "num_ctx": 2048,
        }
        plan = server.client.post("/api/v1/tournaments/plan", json=body).json()
        assert plan["games"] == PAIRS * QUESTIONS
        started = server.client.post("/api/v1/tournaments", json=body).json()["tournament"]["id"]
        where = f"/api/v1/tournaments/{started}"
        wait_until(lambda: len(_games(server, where)) > 2 * QUESTIONS, within_s=STUDY_WITHIN_S)
        server.kill()
    with Served(tmp_path, **environment) as server:
        before = {_place(game): game for game in _games(server, where)}
        wait_until(lambda: server.client.get(where).json()["job"]["state"] == "finished", within_s=STUDY_WITHIN_S)
        games = {_place(game): game for game in _games(server, where)}
        ratings = server.client.get(f"{where}/ratings").json()
        again = server.client.post("/api/v1/tournaments/plan", json=body).json()
    assert len(before) < len(games)
    assert before.items() <= games.items()
    ids = [row["id"] for row in ratings["tournament"]["entrants"]]
    assert set(ids) == {run["id"] for run in runs}
    assert sum(ratings["games"].values()) == len(games) == PAIRS * QUESTIONS
    # 100 games are drawn so that each of the 15 pairs plays 6 or 7.
    played = Counter((a, b) for _, a, b in games)
    assert (set(played), set(played.values())) == (set(combinations(ids, 2)), {6, 7})
    assert set(ratings["reasons"]) <= {"cut_off"}
    assert sum(row["rating"] for row in ratings["rows"]) == pytest.approx(6000)
    assert all(row["low"] <= row["rating"] <= row["high"] for row in ratings["rows"])
    assert ratings["questions"] == QUESTIONS
    # Whoever plays it again asks nothing that has been read.
    assert again["known"] >= again["asks"] - 2 * ratings["games"].get("failed", 0)


def _six_systems() -> dict[str, Any]:
    """Dense, BM25 and hybrid retrieval with one and with three passages, answered by the built-in model."""
    shipped = load_experiment(ROOT / "configs" / "rag-fusion.yaml", {})
    plain = tuple(retriever for retriever in shipped.axes.retriever if not tuple(models_of(retriever)))
    assert len(plain) == 3
    config = shipped.config.model_copy(update={"questions": QUESTIONS, "model": MODEL})
    axes = shipped.axes.model_copy(update={"retriever": plain})
    made: dict[str, Any] = shipped.model_copy(update={"config": config, "axes": axes}).model_dump(mode="json")
    return made


def _games(server: Served, where: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.client.get(f"{where}/games").json()["items"]
    return found


def _place(game: dict[str, Any]) -> tuple[str, str, str]:
    return game["question_id"], game["a"], game["b"]
