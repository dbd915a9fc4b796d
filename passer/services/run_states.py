"""The states of one sweep's runs while it is run: what was done, what a person said, what is left."""

from __future__ import annotations

from collections.abc import Callable, Collection

from passer.domain.run import LIVE_STATES, Run, RunState
from passer.ports import RunStore, StoredSweep


class RunStates:
    """Moves runs on in the store, each move once."""

    def __init__(self, store: RunStore, sweep: StoredSweep, *, finish: Callable[[str], bool]) -> None:
        self._store, self._sweep_id, self._finish = store, sweep.id, finish
        self._states = {run.id: run.state for run in sweep.runs}
        self._left = {run.id: sweep.questions - run.counts.scored - run.counts.failed for run in sweep.runs}
        self._dropped = {run.id for run in sweep.runs if run.state.is_final or run.held}

    def is_live(self, run_id: str) -> bool:
        """Whether anything more is to be done for it."""
        return run_id not in self._dropped

    def begin(self, run: Run) -> None:
        """Its first evaluation is being prepared."""
        if self._states[run.id] is not RunState.RUNNING:
            self._move([run.id], RunState.RUNNING)

    def pause(self, run_ids: Collection[str], reason: str) -> None:
        """The model server of these runs is gone."""
        running = [run_id for run_id in run_ids if self._states[run_id] is RunState.RUNNING and self.is_live(run_id)]
        self._move(running, RunState.PAUSED, reason=reason)

    def go_on(self, run_ids: Collection[str]) -> None:
        """The model server of these runs is back."""
        paused = [run_id for run_id in sorted(run_ids) if self._states[run_id] is RunState.PAUSED]
        self._move([run_id for run_id in paused if self.is_live(run_id)], RunState.RUNNING)

    def done(self, run_id: str) -> None:
        """One evaluation less to do."""
        self._left[run_id] -= 1

    def finish(self) -> None:
        """Runs with nothing left are finished, each with its record; to be called once what they did is committed."""
        for run_id in [run_id for run_id, left in self._left.items() if left <= 0 and self.is_live(run_id)]:
            if self._finish(run_id):
                self._states[run_id] = RunState.FINISHED
            self._dropped.add(run_id)

    def hear(self) -> list[str]:
        """Runs that a person has cancelled or paused since the last time: nothing more is asked for them."""
        now = self._store.load_sweep(self._sweep_id, counted=False)
        stopped = [run.id for run in now.runs if run.state.is_final or run.held]
        fresh = [run_id for run_id in stopped if self.is_live(run_id)]
        self._dropped.update(fresh)
        return fresh

    def _move(self, run_ids: list[str], state: RunState, *, reason: str | None = None) -> None:
        if run_ids:
            self._states.update(dict.fromkeys(run_ids, state))
            self._store.set_state(run_ids, state, reason=reason, only_from=LIVE_STATES, unless_held=True)
