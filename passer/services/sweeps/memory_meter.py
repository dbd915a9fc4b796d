"""Memory of the runs of a sweep: of this process, and of the model in its server."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from passer.domain.models.model import Model, ModelMemory
from passer.domain.sweeps.run import Run, RunMemory
from passer.errors import PasserError
from passer.ports import ChatModel, ReportsMemory


class MemoryMeter:
    """Reads the memory of this process every second, and that of a model once, at the end of a run."""

    def __init__(self, resident: Callable[[], int | None], chat_model: Callable[[Model], ChatModel]) -> None:
        """Take what reads the resident memory of this process in bytes, and what returns the client of a model."""
        self._resident, self._chat_model = resident, chat_model
        self._peaks: dict[str, int] = {}

    def read(self, run_ids: Iterable[str]) -> None:
        """Read the memory of this process for the runs that it processes now."""
        now = self._resident()
        if now is not None:
            self._peaks.update({run_id: max(now, self._peaks.get(run_id, 0)) for run_id in run_ids})

    def of(self, run: Run) -> RunMemory:
        """Return what a run took, at its end."""
        self.read([run.id])
        return RunMemory(passer_bytes=self._peaks.get(run.id), model=self._of_model(run.config.model))

    def _of_model(self, model: Model) -> ModelMemory | None:
        # A server that is gone at this moment must not keep a run with all its scores from finishing.
        try:
            client = self._chat_model(model)
            return client.memory(model) if isinstance(client, ReportsMemory) else None
        except PasserError:
            return None
