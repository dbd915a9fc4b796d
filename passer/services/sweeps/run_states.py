"""States of the runs of a running sweep: remaining work, pauses, cancellations, and records of ended runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

from passer.domain.models.model import Model
from passer.domain.sweeps.run import LIVE_STATES, Run, RunMemory, RunState
from passer.domain.wording.sentence import sentence
from passer.errors import LeaseError, PasserError, StoreUnavailable, UnavailableError, WorkStopped
from passer.ports import RunRecord, RunStore, StoredSweep
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


log = logging.getLogger(__name__)


class RunStates:
    """Changes the states of runs in the store, each change once."""

    def __init__(
        self, store: RunStore, sweep: StoredSweep, *, finisher: RunFinisher, renew: Callable[[], None]
    ) -> None:
        self._store, self._sweep_id, self._finisher, self._renew = store, sweep.id, finisher, renew
        self._models = {run.id: run.config.model for run in sweep.runs}
        self._states = {run.id: run.state for run in sweep.runs}
        self._left = {run.id: sweep.questions - run.counts.scored - run.counts.failed for run in sweep.runs}
        self.is_stopping = False
        """True if this process has held runs that `poll_stopped` has not returned yet."""
        self._dropped = {run.id for run in sweep.runs if run.state.is_final or run.held}

    def is_live(self, run_id: str) -> bool:
        """Return whether the run has more to do."""
        return run_id not in self._dropped

    @property
    def running(self) -> list[str]:
        """Return the ids of the runs that are processed now."""
        return [run_id for run_id, state in self._states.items() if state is RunState.RUNNING and self.is_live(run_id)]

    def begin(self, run: Run) -> None:
        """Mark a run as running when its first evaluation is prepared."""
        if self._states[run.id] is not RunState.RUNNING:
            self._move([run.id], RunState.RUNNING)

    def pause(self, run_ids: Collection[str], reason: str) -> None:
        """Pause these runs, because their model server is not available."""
        running = [run_id for run_id in run_ids if self._states[run_id] is RunState.RUNNING and self.is_live(run_id)]
        self._move(running, RunState.PAUSED, reason=reason)

    def resume(self, run_ids: Collection[str]) -> None:
        """Resume these runs, because their model server is back."""
        paused = [run_id for run_id in sorted(run_ids) if self._states[run_id] is RunState.PAUSED]
        self._move([run_id for run_id in paused if self.is_live(run_id)], RunState.RUNNING)

    def hold(self, reason: str, *, model: Model | None = None) -> list[str]:
        """Pause the runs of a model, or all, until a person resumes them; `poll_stopped` reports it like any pause."""
        self._renew()
        held = [run_id for run_id, each in self._models.items() if model in (None, each) and self.is_live(run_id)]
        self._store.set_state(held, RunState.PAUSED, reason=reason, only_from=LIVE_STATES, held=True)
        self.is_stopping = True
        return held

    @contextmanager
    def stopped_on_error(self) -> Iterator[None]:
        """Stop the sweep at an error outside any single question; keep committed results, and store the reason."""
        state = RunState.FAILED
        reason: str = sentence("stop.own-failure")
        try:
            yield
        # The runs belong to another process now, or to the person who cancelled: their states are not for this one to
        # set.
        except (LeaseError, WorkStopped):
            raise
        except Exception as exc:
            if isinstance(exc, PasserError):
                reason = exc.message
                log.warning("sweep %s stopped: %s", self._sweep_id, reason)
            else:
                log.exception("sweep %s stopped", self._sweep_id)
            # Something outside is missing, which may come back; a failure of another kind would only happen again.
            if isinstance(exc, UnavailableError):
                state = RunState.PAUSED
            else:
                # Runs that lack only their record have not failed.
                with suppress(Exception):
                    self.finish(wait=True)
            # The database may be just what failed.
            with suppress(StoreUnavailable):
                self._store.set_state(list(self._states), state, reason=reason, only_from=LIVE_STATES, unless_held=True)
            raise

    def done(self, run_id: str) -> None:
        """Count one evaluation as done."""
        self._left[run_id] -= 1

    def finish(self, *, wait: bool) -> None:
        """Finish the runs without open evaluations, each with its record; call it after their results are committed.

        Without `wait` a run whose record is still being built is left for a later call.
        """
        for run_id in [run_id for run_id, left in self._left.items() if left <= 0 and self.is_live(run_id)]:
            is_finished = self._finisher.finish(run_id, wait=wait)
            if is_finished:
                self._states[run_id] = RunState.FINISHED
            # Also without a record: then a person cancelled or paused the run at this moment, and nothing more is done
            # for it.
            if is_finished is not None:
                self._dropped.add(run_id)

    def poll_stopped(self) -> dict[str, bool]:
        """Return the runs that were cancelled or paused since the last call, and whether they were cancelled."""
        self.is_stopping = False
        now = self._store.load_sweep(self._sweep_id, counted=False)
        stopped = {run.id: run.state.is_final for run in now.runs if run.state.is_final or run.held}
        fresh = {run_id: is_final for run_id, is_final in stopped.items() if self.is_live(run_id)}
        self._dropped.update(fresh)
        return fresh

    def _move(self, run_ids: list[str], state: RunState, *, reason: str | None = None) -> None:
        if run_ids:
            # A process that has lost its lease must not pause runs that another one now runs.
            self._renew()
            self._states.update(dict.fromkeys(run_ids, state))
            self._store.set_state(run_ids, state, reason=reason, only_from=LIVE_STATES, unless_held=True)
