"""Runs: what a person can do to them, by state."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from passer.domain.sweeps.run import Run, RunConfig, RunCounts


def _run(state: str, failed: int = 0) -> Run:
    return Run(
        id="s-0",
        sweep_id="s",
        position=0,
        name="Top 3",
        config=RunConfig(dataset="questions", collection="passages"),
        state=state,
        counts=RunCounts(questions=5, failed=failed),
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("state", "failed", "acts"),
    [
        ("queued", 2, ("pause", "cancel")),
        ("running", 0, ("pause", "cancel")),
        ("paused", 1, ("resume", "cancel")),
        ("cancelled", 1, ("resume",)),
        ("failed", 0, ("resume",)),
        ("failed", 3, ("resume", "retry")),
        ("finished", 0, ()),
        ("finished", 1, ("retry",)),
    ],
)
def test_acts_are_those_that_change_the_run(state: str, failed: int, acts: tuple[str, ...]):
    assert _run(state, failed).acts == acts


def test_a_run_is_read_again_from_its_own_json():
    run = _run("failed", 3)
    assert Run.model_validate(run.model_dump(mode="json")) == run
