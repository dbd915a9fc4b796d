"""An arena judged by the built-in model, killed in the middle and resumed: nothing is asked twice, no game is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from passer.adapters.store.schema import answers
from tests.conftest import ROOT
from tests.local_model import MODEL, with_model
from tests.services.arena.made import Played

pytestmark = [*with_model, pytest.mark.timeout(900)]
WITHIN_S = 600.0


def committed(arena: Played, before: int) -> int:
    with arena.store.database.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(answers)).scalar_one()) - before


def passer(home: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PASSER_HOME": str(home), "PASSER_ENCODER": "none", "PASSER_CONCURRENCY": "1"}
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "passer", "arena", *arguments]
    return subprocess.Popen(command, env=environment, text=True, cwd=ROOT, stdout=pipe, stderr=pipe)


def test_an_arena_that_is_killed_goes_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    with closing(Played(url)) as arena:
        arena.fill()
        before = committed(arena, 0)
    judge = ("--judge", f"{MODEL.provider}/{MODEL.name}", "--documents", "none", "--num-ctx", "2048", "--json")
    first = passer(tmp_path, "start", "sweep", *judge)
    with first, closing(Played(url)) as arena:
        until = time.monotonic() + WITHIN_S
        while committed(arena, before) < 1:
            assert first.poll() is None, first.communicate()
            assert time.monotonic() < until
            time.sleep(0.01)
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
