"""An analysis of a finished sweep is made once; of one that is opened again, anew."""

from __future__ import annotations

from collections.abc import Callable

from passer.adapters.tables import table_writers
from passer.domain.analysis.choices import SweepChoices
from passer.domain.answer import GenerationRequest
from passer.errors import GenerationError
from passer.services.comparing import Comparing
from passer.services.exporting import Exporting
from passer.services.inspecting import Inspecting
from tests.fakes import FakeGenerator
from tests.services.study import QUESTIONS, Study


class Reading:
    """Comparing over a study whose first question finds its model dead until it is mended."""

    def __init__(self) -> None:
        generator = FakeGenerator()
        self._answers: Callable[[GenerationRequest], str] = generator._script
        self._generator, generator._script = generator, self._script
        self.dead = True
        self.study = Study(generator=generator)
        self.sweep = self.study.running.run(self.study.create(0.3).id)
        store = self.study.store
        self.comparing = Comparing(
            inspecting=Inspecting(runs=store, evaluations=store, datasets=store),
            runs=store,
            evaluations=store,
            exporting=Exporting(writers=table_writers()),
        )

    def _script(self, request: GenerationRequest) -> str:
        if self.dead and request.question == QUESTIONS[0]:
            raise GenerationError("Look into the log.", reason="server_error", retryable=False)
        return self._answers(request)


def test_a_finished_sweep_is_analysed_once_for_each_choice() -> None:
    reading = Reading()
    first = reading.comparing.analyse(reading.sweep.id)
    assert reading.comparing.analyse(reading.sweep.id) is first
    dropped = reading.comparing.analyse(reading.sweep.id, SweepChoices(missing="drop"))
    assert dropped is not first
    assert (first.missing, dropped.missing) == ("worst", "drop")


def test_a_run_that_was_opened_again_is_analysed_anew() -> None:
    reading = Reading()
    before = reading.comparing.analyse(reading.sweep.id)
    reading.dead = False
    reading.study.steering.retry(reading.sweep.id)
    reading.study.running.run(reading.sweep.id)
    after = reading.comparing.analyse(reading.sweep.id)
    assert (before.configurations[0].n_failed, after.configurations[0].n_failed) == (1, 0)
