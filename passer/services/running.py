"""READ THIS FIRST: from a question to its scores, for every configuration of a sweep.

    retrieve -> [RetrievedPassage] -> build_prompt -> Prompt -> generate -> Answer -> score -> [Score]

`Running.run` shows the whole flow; `evaluating.py` holds how the steps overlap and what is committed when.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from threading import Event

from passer.domain.dataset import Question
from passer.domain.retrieval import Ranking
from passer.domain.run import LIVE_STATES, RunState
from passer.errors import ConflictError, LeaseError, PasserError, StoreUnavailable, UnavailableError
from passer.ports import (
    Clock,
    Collections,
    DatasetStore,
    Engine,
    EvaluationStore,
    LeaseStore,
    RankingFact,
    RunStore,
    Scorer,
    StoredSweep,
)
from passer.services.answering import Answering
from passer.services.asking import Task
from passer.services.evaluating import Evaluating, Rankings, Tools
from passer.services.leasing import Lease, leased
from passer.services.progressing import ProgressMeter
from passer.services.retrieving import ranked
from passer.services.run_states import RunStates

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Running:
    """Runs sweeps to their end, from wherever an earlier process left them."""

    runs: RunStore
    leases: LeaseStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    collections: Collections
    answering: Answering
    scorer: Scorer
    engine: Callable[[], Engine]
    clock: Clock

    def run(self, sweep_id: str, *, stop: Event | None = None, patience_s: float | None = None) -> StoredSweep:
        """Run what is left of a sweep; returns when it is done, cancelled, held by a person, or `stop` is set.

        With `patience_s` also when the model server was gone for so long; the runs then stay paused, with the reason.
        """
        stop = stop or Event()
        with leased(self.leases, sweep_id) as lease:
            sweep = self.runs.load_sweep(sweep_id)
            meter = ProgressMeter(self.leases, sweep, self.clock)
            with self._states_on_error(sweep):
                self._check_scorer(sweep)
                questions = self._questions(sweep)
                rankings = self._retrieve(sweep, questions, meter, lease.renew, stop)
                with closing(self.engine()) as engine:
                    steps = Evaluating(self._tools(engine, lease), rankings, RunStates(self.runs, sweep), meter)
                    steps.run(self._tasks(sweep, questions), stop, patience_s=patience_s)
            return self.runs.load_sweep(sweep_id)

    @contextmanager
    def _states_on_error(self, sweep: StoredSweep) -> Iterator[None]:
        """An error outside any one question stops the sweep; what is committed stays, and the state says why."""
        state, reason = RunState.FAILED, "PaSSER itself failed: look at the log, then resume."
        try:
            yield
        except LeaseError:
            raise
        except Exception as exc:
            if isinstance(exc, PasserError):
                reason = exc.message
                log.warning("sweep %s stopped: %s", sweep.id, reason)
            else:
                log.exception("sweep %s stopped", sweep.id)
            if isinstance(exc, UnavailableError):
                state = RunState.PAUSED
            with suppress(StoreUnavailable):
                self.runs.set_state(
                    [run.id for run in sweep.runs], state, reason=reason, only_from=LIVE_STATES, unless_held=True
                )
            raise

    def _tools(self, engine: Engine, lease: Lease) -> Tools:
        return Tools(
            evaluations=self.evaluations,
            answering=self.answering,
            scored_by=dict(self.scorer.identity),
            clock=self.clock,
            engine=engine,
            renew=lease.renew,
        )

    def _check_scorer(self, sweep: StoredSweep) -> None:
        """Scores of one run never come from two scorers."""
        now = dict(self.scorer.identity)
        for name, before in sweep.runs[0].scored_by.items():
            if now.get(name) != before:
                raise ConflictError(
                    f"Scores of this sweep began with {name} {before} and would go on with {now.get(name, 'none')}: "
                    "bring that back and resume, or start a new sweep."
                )

    def _questions(self, sweep: StoredSweep) -> Sequence[Question]:
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        return dataset.questions[: sweep.questions]

    def _retrieve(
        self,
        sweep: StoredSweep,
        questions: Sequence[Question],
        meter: ProgressMeter,
        renew: Callable[[], None],
        stop: Event,
    ) -> Rankings:
        """Ask the index once per question for the deepest cut that any configuration needs."""
        found: Rankings = {}
        for name in dict.fromkeys(run.config.collection for run in sweep.runs):
            depth = max(run.config.retrieval.depth for run in sweep.runs if run.config.collection == name)
            if depth == 0:
                found[name] = {question.id: Ranking(passages=()) for question in questions}
                continue
            found[name] = self.evaluations.rankings(sweep.id, name)
            missing = [question for question in questions if question.id not in found[name]]
            for rankings in ranked(self.collections.open(name), missing, depth) if missing else ():
                self.evaluations.record([RankingFact(sweep.id, name, *found_one) for found_one in rankings.items()])
                found[name].update(rankings)
                renew()
                meter.retrieved(len(found[name]), len(questions))
                if stop.is_set():
                    break
        return found

    def _tasks(self, sweep: StoredSweep, questions: Sequence[Question]) -> Iterator[Task]:
        """What is left to do: model by model (loading one is slow), then question by question across its runs."""
        live = [run for run in sweep.runs if run.state in LIVE_STATES and not run.held]
        for _, group in groupby(live, key=lambda run: run.config.model):
            same_model = list(group)
            known = {
                run.id: {e.number: e for e in self.evaluations.evaluations(run.id, with_scores=False)}
                for run in same_model
            }
            for number, question in enumerate(questions):
                for run in same_model:
                    before = known[run.id].get(number)
                    if before is None or before.state == "answered":
                        yield Task(run=run, number=number, question=question, before=before)
