"""READ THIS FIRST: from a question to its scores, for every configuration of a sweep.

    Task -> retrieve -> Ranking -> prompt -> ChatRequest -> generate -> Answer -> score -> Scores

Each method of `QuestionFlow` takes what is ready and hands it on. Between two of them an evaluation may wait: for a
search (`ranking_batcher.py`), for a model server (`request_pool.py`), for the encoder (`score_batcher.py`), for the
commit (`CommitLog`). `scheduler.py` keeps all of these busy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from threading import Event

from passer.domain.base import digest_of
from passer.domain.dataset import Dataset
from passer.domain.lru_cache import LruCache
from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Server
from passer.domain.retrieval.passages import Ranking
from passer.domain.sweeps.run import Evaluation, Run
from passer.domain.wording.sentence import sentence
from passer.ports import (
    AnswerFact,
    Clock,
    Collections,
    DatasetStore,
    Engine,
    EvaluationFact,
    EvaluationStore,
    PairFact,
    PromptFact,
    RunStore,
    Scorer,
    StoredSweep,
    WorkStore,
)
from passer.services.pipeline.answerer import Answerer, PreparedQuestion, answer_to
from passer.services.pipeline.ranker import RetrievalKey, ranking_cache
from passer.services.provenance.run_recorder import RunRecorder
from passer.services.sweeps.context import GROUP_FOR_S, LOOK_AHEAD, MemoryMeter, SweepContext
from passer.services.sweeps.live_answers import LiveAnswers
from passer.services.sweeps.progress_meter import ProgressMeter
from passer.services.sweeps.ranking_batcher import RankedTask
from passer.services.sweeps.run_states import RunFinisher, RunStates
from passer.services.sweeps.scheduler import Scheduler, stations_of
from passer.services.sweeps.score_batcher import check_scorer
from passer.services.sweeps.stop_conditions import EQUAL_FAILURES, CircuitBreaker, Spending
from passer.services.sweeps.tasks import Task, Waiting, chain_of, lanes_of
from passer.services.work.lease import Lease, leased


class QuestionFlow:
    """The steps of one question under one configuration."""

    def __init__(self, context: SweepContext, states: RunStates, meter: ProgressMeter, breaker: CircuitBreaker) -> None:
        self._context, self._states, self._meter, self._breaker = context, states, meter, breaker
        self.stations = stations_of(context, states, self)

    def retrieve(self, tasks: Sequence[Task]) -> None:
        """Retrieve passages once per question for all configurations; `prompt` follows at once or after the search."""
        for task in tasks:
            self._states.begin(task.run)
        self._score_again([(task, task.before) for task in tasks if task.before])
        fresh = [task for task in tasks if not task.before]
        if self._context.spending.may_ask(pending=0):
            self.stations.rankings.rank(fresh)
        elif fresh:
            self._context.spending.leave_open()

    def prompt(self, ranked: Sequence[RankedTask]) -> None:
        """Cut the ranking for the configuration and render the prompt; `generate` follows, or the answer is fixed."""
        prepared = [(task, self._prepared(task, ranking)) for task, ranking in ranked]
        for task, question in prepared:
            if question.fixed_answer:
                self.stations.log.add(AnswerFact(question.fixed_answer))
                self.stations.log.answered((task, _evaluation(task, question)), question.fixed_answer)
        self.generate([(task, question) for task, question in prepared if not question.fixed_answer])

    def generate(self, prepared: Sequence[tuple[Task, PreparedQuestion]]) -> None:
        """Ask the model, unless the same was asked before; `answered` follows."""
        asked = [(self._request(task, question), task, question) for task, question in prepared]
        # An idle slot begins with the first request of a chain that it gets, so that one is sent first.
        asked.sort(key=lambda each: each[0].chain.place if each[0].chain else 0)
        stored = self._context.evaluations.answers([request.key for request, _, _ in asked])
        for request, task, question in asked:
            # Also while it is in flight: one generation serves all, and only its first evaluation was not reused.
            is_reused = request.key in stored or request.key in self.stations.requests
            update = {"prompt_digest": question.prompt.digest, "reused": is_reused}
            waiting = task, _evaluation(task, question).model_copy(update=update)
            self.stations.log.add(PromptFact(question.prompt))
            if request.key in stored:
                self._meter.stored(task.run.id, task.number)
                self.stations.log.answered(waiting, stored[request.key])
            elif is_reused or self._context.spending.may_ask(pending=len(self.stations.requests)):
                self.stations.requests.send(request, waiting)
            else:
                self._context.spending.leave_open()

    def answered(self, waiting: Sequence[Waiting], request: ChatRequest, completion: Completion) -> None:
        """Store the answer for all evaluations that wait for it; `score` follows once it is committed."""
        # Also if nothing waits for it any more: the answer is stored for equal requests later.
        answer = answer_to(request, completion, strip_thinking=self._context.strip_thinking)
        self.stations.log.add(AnswerFact(answer))
        self._meter.replied(answer.generation_s)
        self._context.spending.replied(answer)
        for each in waiting[:1]:
            self.stations.latest.append((each, answer))
        for each in waiting:
            self._breaker.succeeded(each[0].run.config.model)
            self.stations.log.answered(each, answer)

    def score(self, waiting: Waiting, answer: Answer) -> None:
        """Compare the answer with its reference answers; `scored` follows."""
        self.stations.scores.add(waiting, answer)

    def scored(self, waiting: Sequence[Waiting], key: str, facts: Sequence[PairFact]) -> None:
        """Store the scores for all evaluations with these references and this answer."""
        for fact in facts:
            self.stations.log.add(fact)
        for task, evaluation in waiting:
            self._end(task, evaluation.model_copy(update={"state": "scored", "pair_key": key}))

    def failed(self, waiting: Sequence[Waiting], reason: str) -> None:
        """Store the reason why a question could not be answered."""
        self._context.spending.failed()
        for task, evaluation in waiting:
            self._meter.failed(task.run.id, number=task.number, question_id=task.question.id, reason=reason)
            self._end(task, evaluation.model_copy(update={"state": "failed", "reason": reason}))
        for model in {task.run.config.model for task, _ in waiting[:1]}:
            if self._breaker.failed(model, reason):
                said = sentence("stop.equal-failures", count=EQUAL_FAILURES, reason=reason)
                # What waits is dropped at once: a server that refuses in milliseconds would refuse all of it.
                for run_id in self._states.hold(said, model=model):
                    self.stations.requests.drop(run_id)

    def keep_budget(self) -> None:
        """Send no requests once a limit is reached; answers in progress are completed and scored."""
        if not self._context.spending.may_ask(pending=0) and self.stations.requests.drop_unsent():
            self._context.spending.leave_open()

    def _end(self, task: Task, evaluation: Evaluation) -> None:
        self.stations.log.add(EvaluationFact(evaluation))
        self._states.done(task.run.id)
        self._meter.advance(evaluation)

    def _prepared(self, task: Task, ranking: Ranking) -> PreparedQuestion:
        question, config = task.question, task.run.config
        template = self._context.templates.get(config.prompt)
        return self._context.answerer.prepare(
            question=question.text, config=config, ranking=ranking, template=template, metadata=question.metadata
        )

    def _request(self, task: Task, question: PreparedQuestion) -> ChatRequest:
        request = self._context.answerer.request(question, model_info=task.run.model_info)
        if self._context.is_timed:
            # An answer of an earlier run has the seconds of that run: a timing run generates all of its own, and a
            # prompt that was read before would look faster than it is.
            key = digest_of({"timed": task.run.id, "answer": request.key})
            return request.model_copy(update={"key": key, "shares": False})
        return request.model_copy(update={"chain": chain_of(task, question)})

    def _score_again(self, answered: Sequence[Waiting]) -> None:
        """Score what an earlier process had answered and not scored."""
        keys = [evaluation.answer_key for _, evaluation in answered if evaluation.answer_key]
        known = self._context.evaluations.answers(keys)
        for task, evaluation in answered:
            if evaluation.answer_key in known:
                self._meter.stored(task.run.id, task.number)
                self.score((task, evaluation), known[evaluation.answer_key])


def _evaluation(task: Task, question: PreparedQuestion) -> Evaluation:
    return Evaluation(run_id=task.run.id, number=task.number, question_id=task.question.id, kept=question.kept)


@dataclass(frozen=True)
class SweepRunner:
    """Runs sweeps to their end, from wherever an earlier process left them."""

    runs: RunStore
    work: WorkStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    collections: Collections
    answerer: Answerer
    scorer: Scorer
    engine: Callable[[], Engine]
    run_recorder: RunRecorder
    clock: Clock
    live_answers: LiveAnswers = field(default_factory=LiveAnswers)
    """Live answers of the sweeps that this runner runs."""
    look_ahead: int = LOOK_AHEAD
    """Requests in flight at each server: at least as many as its slots."""
    slots: int = 4
    """Requests that a model server answers at a time."""
    group_for_s: float = GROUP_FOR_S
    """Longest time from the arrival of a result to its commit."""
    resident: Callable[[], int | None] = lambda: None
    """Reads the resident memory of this process, in bytes; None where the system does not tell."""
    previewed: LruCache[RetrievalKey, Mapping[str, Ranking]] = field(default_factory=ranking_cache)
    """Rankings of previews: a sweep that retrieves exactly the same reuses them."""
    flow: Callable[[SweepContext, RunStates, ProgressMeter, CircuitBreaker], QuestionFlow] = QuestionFlow
    """Makes the steps of a sweep's questions."""

    def run(self, sweep_id: str, *, stop: Event | None = None, patience_s: float | None = None) -> StoredSweep:
        """Run what is left of a sweep; returns when it is done, cancelled, held by a person, or `stop` is set.

        With `patience_s` also when the model server was gone for so long; the runs then stay paused, with the reason.
        """
        follow = f"Follow it with `passer show {sweep_id}`."
        with leased(
            self.work, sweep_id, refusal=lambda holder: f"Sweep {sweep_id} is run by {holder}. {follow}"
        ) as lease:
            sweep = self.runs.load_sweep(sweep_id)
            breaker, spending = CircuitBreaker(), Spending(sweep, self.clock)
            meter = ProgressMeter(
                lease.report,
                sweep,
                self.clock,
                lane_of=self._server,
                streaks=lambda: breaker.streaks,
                spent=lambda: spending.spent,
            )
            memory = MemoryMeter(self.resident, lambda model: self.answerer.chat_model(self.answerer.located(model)))
            by_id = {run.id: run for run in sweep.runs}
            finisher = RunFinisher(self.run_recorder, by_id, memory, renew=lease.renew)
            states = RunStates(self.runs, sweep, finisher=finisher, renew=lease.renew)
            with closing(finisher), states.stopped_on_error():
                # The version of its creation: a newer import under the same name has other questions.
                dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
                # Before anything is asked: answers would be paid for that cannot be scored with the others.
                check_scorer(sweep, now=self.scorer.identity, dataset=dataset)
                with closing(self.engine()) as engine:
                    context = self._context(sweep, dataset, engine, lease, spending, memory)
                    flow = self.flow(context, states, meter, breaker)
                    scheduler = Scheduler(context, states, meter, flow)
                    with self.live_answers.showing(sweep_id, flow.stations):
                        scheduler.run(lanes_of(context, self._server), stop or Event(), patience_s=patience_s)
                if spending.stopped:
                    # Only now: what had been asked is answered and scored, and runs without an open question finished.
                    states.hold(spending.stopped)
            return self.runs.load_sweep(sweep_id)

    def _context(
        self,
        sweep: StoredSweep,
        dataset: Dataset,
        engine: Engine,
        lease: Lease,
        spending: Spending,
        memory: MemoryMeter,
    ) -> SweepContext:
        of_text = self.answerer.templates.of_text
        return SweepContext(
            sweep=sweep,
            questions=dataset.questions[: sweep.questions],
            language=dataset.language,
            evaluations=self.evaluations,
            collections=self.collections,
            answerer=self.answerer.for_sweep(),
            # As they were at its creation: a file that was edited since would change the prompts within one sweep.
            templates={each.name: of_text(name=each.name, text=each.text) for each in sweep.templates},
            scored_by=sweep.runs[0].scored_by,
            clock=self.clock,
            engine=engine,
            renew=lease.renew,
            spending=spending,
            memory=memory,
            previewed=self.previewed,
            look_ahead=self.look_ahead,
            slots=self.slots,
            group_for_s=self.group_for_s,
        )

    def _server(self, run: Run) -> Server:
        return self.answerer.located(run.config.model).server
