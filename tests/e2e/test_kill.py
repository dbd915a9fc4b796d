"""kill -9 at random moments: the finished sweep equals an uninterrupted one, and no stored answer was asked twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.killed import Study, exported, finish, wait_for_more
from tests.ollama_server import OllamaServer
from tests.postgres import postgres_url

STUDY = Study()
WITH_ENCODER = Study(questions=15, thresholds=(0.2, 0.5), environment={})


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    return STUDY.unbroken(tmp_path_factory.mktemp("unbroken"))


@pytest.mark.timeout(600)
def test_a_sweep_killed_at_three_points_loses_nothing(tmp_path: Path, unbroken: tuple[str, bytes]):
    assert STUDY.evaluations > 500
    STUDY.killed(tmp_path, kills=3, seed=20260101).check(STUDY, unbroken)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_a_sweep_killed_at_a_hundred_points_loses_nothing(tmp_path: Path, unbroken: tuple[str, bytes], seed: int):
    STUDY.killed(tmp_path, kills=10, seed=seed).check(STUDY, unbroken)


@pytest.mark.soak
def test_encoder_scores_after_a_kill_are_those_of_an_unbroken_sweep(tmp_path: Path):
    for name in ("unbroken", "killed"):
        (tmp_path / name).mkdir()
    whole = WITH_ENCODER.unbroken(tmp_path / "unbroken")
    WITH_ENCODER.killed(tmp_path / "killed", kills=1, seed=7).check(WITH_ENCODER, whole)


@pytest.mark.soak
def test_postgresql_loses_nothing_either(tmp_path: Path, unbroken: tuple[str, bytes]):
    with postgres_url(tmp_path) as url:
        STUDY.killed(tmp_path, kills=20, seed=11, PASSER_DATABASE_URL=url).check(STUDY, unbroken)


def test_ctrl_c_saves_and_the_next_start_goes_on(tmp_path: Path, unbroken: tuple[str, bytes]):
    with OllamaServer(latency_s=0.02) as model:
        with STUDY.serve(tmp_path, model) as server:
            sweep_id = STUDY.prepare(server.client)
            wait_for_more(server.client, sweep_id, 5, STUDY.evaluations)
            assert server.stop() == 0
        with STUDY.serve(tmp_path, model) as server:
            assert finish(server.client, sweep_id)
            assert (sweep_id, exported(server.client, sweep_id)) == unbroken
