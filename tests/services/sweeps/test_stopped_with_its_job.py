"""A sweep inside a job is stopped when the job may not continue, for any reason."""

from __future__ import annotations

import pytest

from passer.bootstrap import systems
from passer.domain.cancellation import cancellable
from passer.errors import WorkCancelled


@pytest.mark.parametrize("error", [WorkCancelled("Cancelled."), OSError("The disk is gone.")])
def test_the_sweep_is_stopped_by_any_error_of_the_look(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "LOOK_EVERY_S", 0.01)

    def check() -> None:
        raise error

    with cancellable(check), systems._stopped_with_its_job() as stop:
        assert stop.wait(20)


def test_a_sweep_whose_job_goes_on_is_not_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "LOOK_EVERY_S", 0.01)
    with cancellable(lambda: None), systems._stopped_with_its_job() as stop:
        assert not stop.wait(0.1)
