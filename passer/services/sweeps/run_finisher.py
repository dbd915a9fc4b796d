"""Finishes the runs of a sweep, each with its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from passer.domain.sweeps.run import Run, RunMemory
from passer.ports import RunRecord
from passer.services.provenance.run_recorder import RunRecorder
from passer.services.sweeps.context import MemoryMeter


class RunFinisher:
    """Builds records in a separate thread and stores them in the thread that writes.

    A record reads all questions of its run, which takes 20 s for 50,000: meanwhile the questions of the next run are
    asked.
    """

    def __init__(
        self, recorder: RunRecorder, runs: Mapping[str, Run], memory: MemoryMeter, *, renew: Callable[[], None]
    ) -> None:
        self._recorder, self._runs, self._memory, self._renew = recorder, runs, memory, renew
        # One record after the other: runs finish in the order in which their records were begun.
        self._pool = ThreadPoolExecutor(1, "record")
        self._built: dict[str, tuple[Future[RunRecord], RunMemory]] = {}

    def finish(self, run_id: str, *, wait: bool) -> bool | None:
        """Finish a run whose questions are committed, as long as the lease is held.

        False if the run is paused or has ended; None while its record is being built, unless `wait`.
        """
        if run_id not in self._built:
            # Before the lease is checked: a model server may take seconds to say how much memory a model has.
            taken = self._memory.of(self._runs[run_id])
            self._built[run_id] = self._pool.submit(self._recorder.built, run_id), taken
        built, taken = self._built[run_id]
        if not (wait or built.done()):
            return None
        record = built.result()
        self._renew()
        return self._recorder.finish(run_id, record, taken)

    def close(self) -> None:
        """End the thread; a record that is being built is not stored."""
        self._pool.shutdown(cancel_futures=True)
