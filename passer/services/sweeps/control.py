"""Control of a sweep by a person: cancel, pause, resume, and retry failed questions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.budget import SweepBudget
from passer.domain.sweeps.run import LIVE_STATES, RESUMABLE_STATES, RETRYABLE_STATES, Run, RunState
from passer.domain.wording.sentence import sentence
from passer.domain.wording.validation_message import validation_message
from passer.errors import ConfigError, ConflictError, NotFoundError
from passer.ports import EvaluationStore, RunStore, StoredSweep


@dataclass(frozen=True)
class SweepControl:
    """Moves runs; the process that runs them notices this within a second."""

    runs: RunStore
    evaluations: EvaluationStore
    lacking: Callable[[StoredSweep, Sequence[Run]], str | None] = lambda _sweep, _runs: None
    """Returns the name of a system that no other process can ask, without all its answers; None where there is none."""

    def cancel(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Cancel a sweep; results so far are kept."""
        return self._move(sweep_id, run_ids, RunState.CANCELLED, only_from=LIVE_STATES, refused="sweep.not-cancelled")

    def pause(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Stop until a person resumes."""
        reason = sentence("stop.by-person")
        return self._move(
            sweep_id,
            run_ids,
            RunState.PAUSED,
            only_from=LIVE_STATES,
            refused="sweep.not-paused",
            reason=reason,
            held=True,
        )

    def resume(self, sweep_id: str, *, run_ids: Sequence[str] = (), budget: SweepBudget | None = None) -> StoredSweep:
        """Queue paused, cancelled and failed runs again; stored answers are reused.

        `budget` replaces the limits of the sweep. ConflictError where a limit is used up already, and where answers are
        missing that only the process had which created the sweep.
        """
        chosen = self._chosen(sweep_id, run_ids)
        stored = self.runs.load_sweep(sweep_id, counted=False)
        self._check_answers(stored, chosen)
        used_up = (budget or stored.budget).used_up(stored.spent)
        if used_up is not None:
            raise ConflictError(used_up)
        if budget is not None:
            # New limits may leave the price of the judge out: its requests must not become free by that.
            kept = budget.judge_price or stored.budget.judge_price
            self.runs.set_budget(sweep_id, budget.model_copy(update={"judge_price": kept}))
        # Queued only: a server's worker, or the command that resumes it, runs it in its turn.
        self.runs.set_state([run.id for run in chosen], RunState.QUEUED, only_from=RESUMABLE_STATES)
        return self.runs.load_sweep(sweep_id)

    def retry(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Ask the failed questions again, and only those; a run still in progress is retried once it has finished."""
        failed = [run for run in self._chosen(sweep_id, run_ids) if run.counts.failed]
        ended = [run.id for run in failed if run.state in RETRYABLE_STATES]
        if failed and not ended:
            found = _states(failed)
            raise ConflictError(sentence("sweep.failed-running", sweep=sweep_id, states=found))
        self._check_answers(self.runs.load_sweep(sweep_id, counted=False), failed)
        self.evaluations.reopen(ended)
        return self.runs.load_sweep(sweep_id)

    def annotate(self, sweep_id: str, changes: Mapping[str, object]) -> StoredSweep:
        """Change the given members of a sweep's annotation; ConfigError names an invalid one."""
        known = self.runs.load_sweep(sweep_id, counted=False).annotation
        try:
            changed = Annotation.model_validate({**known.model_dump(), **changes})
        except ValidationError as exc:
            first = exc.errors()[0]
            field = str(first["loc"][0])
            raise ConfigError(
                sentence("problem.field", field=field, problem=validation_message(first)), field=field
            ) from exc
        self.runs.annotate(sweep_id, changed)
        return self.runs.load_sweep(sweep_id)

    def _move(
        self,
        sweep_id: str,
        run_ids: Sequence[str],
        state: RunState,
        *,
        only_from: Collection[RunState],
        refused: str,
        reason: str | None = None,
        held: bool = False,
    ) -> StoredSweep:
        chosen = self._chosen(sweep_id, run_ids)
        ids = [run.id for run in chosen]
        # Not compared with the states that were read: the process that runs them may finish a run at this moment.
        if not self.runs.set_state(ids, state, reason=reason, only_from=tuple(only_from), held=held):
            raise ConflictError(sentence(refused, sweep=sweep_id, states=_states(chosen)))
        return self.runs.load_sweep(sweep_id)

    def _check_answers(self, sweep: StoredSweep, runs: Sequence[Run]) -> None:
        """Refuse what would wait forever: no process can ask the system again."""
        system = self.lacking(sweep, runs)
        if system is not None:
            raise ConflictError(sentence("outside.not-here", system=system))

    def _chosen(self, sweep_id: str, run_ids: Sequence[str]) -> list[Run]:
        runs = {run.id: run for run in self.runs.load_sweep(sweep_id).runs}
        for run_id in run_ids:
            if run_id not in runs:
                raise NotFoundError(sentence("sweep.no-run", sweep=sweep_id, run=run_id))
        return [runs[run_id] for run_id in run_ids] or list(runs.values())


def _states(runs: Sequence[Run]) -> tuple[str, ...]:
    return tuple(sentence(f"state.{state}") for state in sorted({run.state.value for run in runs}))
