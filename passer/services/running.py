"""READ THIS FIRST: from a question to its scores, for every configuration of a sweep.

    retrieve -> [RetrievedPassage] -> build_prompt -> Prompt -> generate -> Answer -> score -> [Score]

`Running.run` shows the whole flow; `evaluating.py` holds how the steps overlap and what is committed when.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, groupby
from threading import Event

from passer.domain.dataset import Question
from passer.domain.retrieval import Ranking
from passer.domain.run import LIVE_STATES, Run, RunState, Server
from passer.domain.wording.sentence import sentence
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
from passer.services.evaluating import GROUP_FOR_S, LOOK_AHEAD, Evaluating, Lanes, Rankings, Tools
from passer.services.leasing import Lease, leased
from passer.services.progressing import ProgressMeter
from passer.services.recording import Recording
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
    recording: Recording
    clock: Clock
    look_ahead: int = LOOK_AHEAD
    """Answers under way at each server: at least as many as its slots."""
    group_for_s: float = GROUP_FOR_S
    """Longest time from an answer's arrival to its commit."""

    def run(self, sweep_id: str, *, stop: Event | None = None, patience_s: float | None = None) -> StoredSweep:
        """Run what is left of a sweep; returns when it is done, cancelled, held by a person, or `stop` is set.

        With `patience_s` also when the model server was gone for so long; the runs then stay paused, with the reason.
        """
        stop = stop or Event()
        with leased(self.leases, sweep_id, refusal=lambda holder: _run_elsewhere(sweep_id, holder)) as lease:
            sweep = self.runs.load_sweep(sweep_id)
            meter = ProgressMeter(self.leases, sweep, self.clock, lane_of=self._server)
            with self._states_on_error(sweep):
                self._check_scorer(sweep)
                questions = self._questions(sweep)
                rankings = self._retrieve(sweep, questions, meter, lease.renew, stop)
                with closing(self.engine()) as engine:
                    states = RunStates(self.runs, sweep, finish=self._finish(lease))
                    steps = Evaluating(self._tools(sweep, engine, lease), rankings, states, meter)
                    steps.run(self._lanes(sweep, questions), stop, patience_s=patience_s)
            return self.runs.load_sweep(sweep_id)

    @contextmanager
    def _states_on_error(self, sweep: StoredSweep) -> Iterator[None]:
        """An error outside any one question stops the sweep; what is committed stays, and the state says why."""
        state, reason = RunState.FAILED, str(sentence("stop.own-failure"))
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

    def _finish(self, lease: Lease) -> Callable[[str], bool]:
        """Finishes a run with its record; many that end together may take longer than a lease holds."""

        def finish(run_id: str) -> bool:
            lease.renew()
            return self.recording.finish(run_id)

        return finish

    def _tools(self, sweep: StoredSweep, engine: Engine, lease: Lease) -> Tools:
        of_text = self.answering.templates.of_text
        return Tools(
            evaluations=self.evaluations,
            answering=self.answering,
            templates={each.name: of_text(name=each.name, text=each.text) for each in sweep.templates},
            scored_by=dict(self.scorer.identity),
            look_ahead=self.look_ahead,
            group_for_s=self.group_for_s,
            is_timed=sweep.sweep.timing is not None,
            clock=self.clock,
            engine=engine,
            renew=lease.renew,
        )

    def _check_scorer(self, sweep: StoredSweep) -> None:
        """Scores of one run never come from two scorers."""
        now = dict(self.scorer.identity)
        for name, before in sweep.runs[0].scored_by.items():
            if now.get(name) != before:
                changed = {"name": name, "before": before, "now": now.get(name, "none")}
                raise ConflictError(sentence("stop.other-scorer", **changed))

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
            for rankings in self._ranked(sweep, name, missing, depth):
                self.evaluations.record([RankingFact(sweep.id, name, *found_one) for found_one in rankings.items()])
                found[name].update(rankings)
                renew()
                meter.retrieved(len(found[name]), len(questions))
                if stop.is_set():
                    break
        return found

    def _ranked(
        self, sweep: StoredSweep, name: str, missing: Sequence[Question], depth: int
    ) -> Iterator[dict[str, Ranking]]:
        """In batches; for a timing run one by one, after one that loads the embedding model."""
        if not missing:
            return iter(())
        index = self.collections.open(name)
        if sweep.sweep.timing is None:
            return ranked(index, missing, depth)
        index.search([missing[0].text], depth)
        return chain.from_iterable(ranked(index, [question], depth) for question in missing)

    def _server(self, run: Run) -> Server:
        return self.answering.located(run.config.model).server

    def _lanes(self, sweep: StoredSweep, questions: Sequence[Question]) -> Lanes:
        """What is left to do, by model server: one that is gone or slow holds up its own runs only."""
        lanes: dict[Server, list[Run]] = {}
        for run in sweep.runs:
            if run.state in LIVE_STATES and not run.held:
                lanes.setdefault(self._server(run), []).append(run)
        # A server that has just seen a prompt reads it faster: a timing run goes through all questions, then again.
        by_run = sweep.sweep.timing is not None
        return {server: self._tasks(runs, questions, by_run=by_run) for server, runs in lanes.items()}

    def _tasks(self, runs: Sequence[Run], questions: Sequence[Question], *, by_run: bool) -> Iterator[Task]:
        """Of one server: model by model (loading one is slow), then question by question across its runs."""
        for _, group in groupby(runs, key=lambda run: run.id if by_run else run.config.model):
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


def _run_elsewhere(sweep_id: str, holder: str) -> str:
    return f"Sweep {sweep_id} is being run by {holder}: follow it with `passer show {sweep_id}`."
