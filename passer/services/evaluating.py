"""How one sweep's answers and scores overlap, and what is committed when.

One thread, this one, decides and writes; the engine's threads ask and score. What they bring back is committed
together at most every COMMIT_EVERY_S: an answer with every evaluation that waits for it, scores likewise, so that a
process that dies at any moment leaves nothing half-made, and nothing committed is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event

from passer.domain.base import digest_of
from passer.domain.dataset import Question
from passer.domain.retrieval import Ranking
from passer.domain.run import Answer, Evaluation, GenerationRequest, Run, RunState
from passer.domain.score import Profile, Scores
from passer.errors import GenerationError, GeneratorUnavailable
from passer.ports import (
    AnswerFact,
    Clock,
    Engine,
    EvaluationFact,
    EvaluationStore,
    Fact,
    PairFact,
    PromptFact,
    RunStore,
    StoredSweep,
)
from passer.services.answering import Answering
from passer.services.progressing import ProgressMeter

COMMIT_EVERY_S = 0.05
LOOK_AHEAD = 64
"""Evaluations prepared together, and most answers under way."""
PAIRS_PER_BATCH = 32
BATCHES_UNDER_WAY = 4
HEARTBEAT_S = 1.0
PROBE_AFTER_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""When a vanished model server is asked again; the last one repeats."""

Rankings = dict[str, dict[str, Ranking]]
"""Ranking by collection and question id."""


@dataclass(frozen=True)
class Tools:
    """What the steps need of the service that runs them."""

    runs: RunStore
    evaluations: EvaluationStore
    answering: Answering
    scored_by: Mapping[str, str]
    """What scores depend on beside the texts: encoder digest, limits, variants."""
    clock: Clock


@dataclass(frozen=True)
class Task:
    """One evaluation that is not done; `before` is what an earlier process committed of it."""

    run: Run
    number: int
    question: Question
    before: Evaluation | None = None


@dataclass
class _Asked:
    """One request under way and all evaluations that wait for it."""

    request: GenerationRequest
    waiting: list[tuple[Task, Evaluation]] = field(default_factory=list)


@dataclass
class _Pair:
    """One (reference, answer) pair and all evaluations that wait for its scores."""

    reference: str
    answer: str
    profile: Profile
    waiting: list[tuple[Task, Evaluation]] = field(default_factory=list)


class Evaluating:
    """The steps of one sweep; `run` returns when nothing is left to do or `stop` is set."""

    def __init__(
        self,
        tools: Tools,
        sweep: StoredSweep,
        rankings: Rankings,
        engine: Engine,
        meter: ProgressMeter,
        renew: Callable[[], None],
    ) -> None:
        self._tools, self._sweep, self._rankings = tools, sweep, rankings
        self._engine, self._meter, self._renew = engine, meter, renew
        self._asked: dict[str, _Asked] = {}
        self._parked: list[str] = []
        self._probes, self._probe_at = 0, 0.0
        self._probing: str | None = None
        self._pairs: dict[str, _Pair] = {}
        self._unscored: list[str] = []
        self._batches = 0
        self._arrived: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._facts: list[Fact] = []
        self._states = {run.id: run.state for run in sweep.runs}
        self._dropped: set[str] = set()
        self._left = {run.id: sweep.questions - run.counts.scored - run.counts.failed for run in sweep.runs}
        self._beat = float("-inf")

    def run(self, tasks: Iterator[Task], stop: Event) -> None:
        """Prepare, ask, score and commit until nothing is left."""
        exhausted = False
        while not stop.is_set():
            self._heartbeat()
            if not exhausted and not self._parked and len(self._asked) < LOOK_AHEAD:
                batch = list(islice(tasks, LOOK_AHEAD))
                exhausted = not batch
                self._prepare([task for task in batch if self._is_live(task.run.id)])
            self._probe()
            self._send_pairs(flush=exhausted and not self._asked)
            self._collect()
            self._commit()
            if exhausted and not (self._asked or self._pairs or self._facts):
                break
        self._commit()
        self._finish()

    # -- preparing: passages, prompt, and whether the answer is known ------------------------------------------

    def _prepare(self, tasks: list[Task]) -> None:
        for task in tasks:
            self._begin(task.run)
        answered = [task for task in tasks if task.before is not None]
        known = self._tools.evaluations.answers([str(t.before.answer_key) for t in answered if t.before])
        for task in answered:
            if task.before and task.before.answer_key:
                self._to_score(task, task.before, known[task.before.answer_key])
        prepared = [self._request(task) for task in tasks if task.before is None]
        stored = self._tools.evaluations.answers([request.key for _, _, request in prepared if request])
        for task, evaluation, request in prepared:
            if request is None:
                continue
            self._facts.append(PromptFact(request.prompt))
            if request.key in stored:
                self._answered(task, evaluation.model_copy(update={"reused": True}), stored[request.key])
            elif request.key in self._asked:
                waiting = evaluation.model_copy(update={"reused": True})
                self._asked[request.key].waiting.append((task, waiting))
            else:
                self._asked[request.key] = _Asked(request, [(task, evaluation)])
                self._send(request)

    def _request(self, task: Task) -> tuple[Task, Evaluation, GenerationRequest | None]:
        config = task.run.config
        ranking = self._rankings[config.collection][task.question.id]
        kept = config.retrieval.keep([passage.similarity for passage in ranking.passages])
        evaluation = Evaluation(
            run_id=task.run.id, number=task.number, question_id=task.question.id, kept=(kept.start, kept.stop)
        )
        passages = ranking.passages[kept.start : kept.stop]
        fixed = self._tools.answering.fixed_answer(config, passages)
        if fixed is not None:
            self._facts.append(AnswerFact(fixed))
            self._answered(task, evaluation, fixed)
            return task, evaluation, None
        request = self._tools.answering.build_request(
            config=config, model_info=task.run.model_info, question=task.question.text, passages=passages
        )
        return task, evaluation.model_copy(update={"prompt_digest": request.prompt.digest}), request

    def _begin(self, run: Run) -> None:
        if self._states[run.id] is not RunState.RUNNING:
            self._states[run.id] = RunState.RUNNING
            self._tools.runs.set_state(
                [run.id], RunState.RUNNING, only_from=(RunState.QUEUED, RunState.PAUSED, RunState.RUNNING)
            )

    # -- asking -------------------------------------------------------------------------------------------------

    def _send(self, request: GenerationRequest) -> None:
        future = self._engine.generate(request)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_answer(request.key, done)))

    def _on_answer(self, key: str, future: Future[Answer]) -> None:
        try:
            answer = future.result()
        except GeneratorUnavailable as exc:
            self._park(key, exc.message)
            return
        except GenerationError as exc:
            self._unpark()
            for task, evaluation in self._asked.pop(key).waiting:
                self._failed(task, evaluation, exc.message)
            return
        self._unpark()
        self._facts.append(AnswerFact(answer))
        for task, evaluation in self._asked.pop(key).waiting:
            self._answered(task, evaluation, answer)

    def _park(self, key: str, reason: str) -> None:
        """The model server is gone: keep the request, say so, and ask again later."""
        if key == self._probing or not (self._parked or self._probing):
            self._probing = None
            delay = PROBE_AFTER_S[min(self._probes, len(PROBE_AFTER_S) - 1)]
            self._probes += 1
            self._probe_at = self._tools.clock.monotonic() + delay
        self._parked.append(key)
        waiting = {task.run.id for task, _ in self._asked[key].waiting}
        fresh = [run_id for run_id in waiting if self._states[run_id] is RunState.RUNNING]
        for run_id in fresh:
            self._states[run_id] = RunState.PAUSED
        if fresh:
            self._tools.runs.set_state(fresh, RunState.PAUSED, reason=reason, only_from=(RunState.RUNNING,))

    def _probe(self) -> None:
        """One request at a time goes out while the server is gone."""
        if self._parked and self._probing is None and self._tools.clock.monotonic() >= self._probe_at:
            self._probing = self._parked.pop(0)
            self._send(self._asked[self._probing].request)

    def _unpark(self) -> None:
        """The model server answers: whatever it says, it is back."""
        self._probes, self._probing = 0, None
        parked, self._parked = self._parked, []
        for key in parked:
            self._send(self._asked[key].request)
        paused = [run_id for run_id, state in self._states.items() if state is RunState.PAUSED]
        for run_id in paused:
            self._states[run_id] = RunState.RUNNING
        if paused:
            self._tools.runs.set_state(paused, RunState.RUNNING, only_from=(RunState.PAUSED,))

    def _answered(self, task: Task, evaluation: Evaluation, answer: Answer) -> None:
        moved = evaluation.model_copy(update={"state": "answered", "answer_key": answer.key})
        self._facts.append(EvaluationFact(moved))
        self._to_score(task, moved, answer)

    def _failed(self, task: Task, evaluation: Evaluation, reason: str) -> None:
        self._facts.append(EvaluationFact(evaluation.model_copy(update={"state": "failed", "reason": reason})))
        self._done(task)

    # -- scoring ------------------------------------------------------------------------------------------------

    def _to_score(self, task: Task, evaluation: Evaluation, answer: Answer) -> None:
        profile, reference = task.run.config.profile, task.question.reference
        key = digest_of(
            {"profile": profile, "by": dict(self._tools.scored_by), "reference": reference, "answer": answer.text}
        )
        if key not in self._pairs:
            self._pairs[key] = _Pair(reference, answer.text, profile)
            self._unscored.append(key)
        self._pairs[key].waiting.append((task, evaluation))

    def _send_pairs(self, *, flush: bool) -> None:
        while self._unscored and self._batches < BATCHES_UNDER_WAY:
            profile = self._pairs[self._unscored[0]].profile
            keys = [key for key in self._unscored if self._pairs[key].profile == profile][:PAIRS_PER_BATCH]
            if len(keys) < PAIRS_PER_BATCH and not flush and self._batches:
                return
            self._unscored = [key for key in self._unscored if key not in set(keys)]
            known = self._tools.evaluations.pairs(keys)
            for key, scores in known.items():
                self._scored(key, scores)
            fresh = [key for key in keys if key not in known]
            if fresh:
                self._batches += 1
                self._score(fresh, profile)

    def _score(self, keys: list[str], profile: Profile) -> None:
        began = self._tools.clock.monotonic()
        texts = [(self._pairs[key].reference, self._pairs[key].answer) for key in keys]
        future = self._engine.score(texts, profile=profile)

        def arrived(done: Future[list[Scores]]) -> None:
            self._arrived.put(lambda: self._on_scores(keys, done, began))

        future.add_done_callback(arrived)

    def _on_scores(self, keys: list[str], future: Future[list[Scores]], began: float) -> None:
        self._batches -= 1
        seconds = (self._tools.clock.monotonic() - began) / len(keys)
        for key, scores in zip(keys, future.result(), strict=True):
            self._facts.append(PairFact(key, scores, seconds))
            self._scored(key, scores)

    def _scored(self, key: str, scores: Mapping[str, object]) -> None:
        for task, evaluation in self._pairs.pop(key).waiting:
            moved = evaluation.model_copy(update={"state": "scored", "pair_key": key})
            self._facts.append(EvaluationFact(moved))
            self._done(task)

    # -- committing and keeping the lease -----------------------------------------------------------------------

    def _collect(self) -> None:
        """Take what has arrived; wait at most one commit interval for the first of it."""
        idle = bool(self._asked or self._batches) and not self._facts
        try:
            act = self._arrived.get(timeout=COMMIT_EVERY_S) if idle else self._arrived.get_nowait()
            while True:
                act()
                act = self._arrived.get_nowait()
        except Empty:
            return

    def _commit(self) -> None:
        if not self._facts:
            return
        facts, self._facts = self._facts, []
        self._tools.evaluations.record(facts)
        finished = [run_id for run_id, left in self._left.items() if left <= 0 and self._is_live(run_id)]
        for run_id in finished:
            self._states[run_id] = RunState.FINISHED
        if finished:
            self._tools.runs.set_state(finished, RunState.FINISHED, only_from=(RunState.RUNNING, RunState.PAUSED))

    def _done(self, task: Task) -> None:
        self._left[task.run.id] -= 1
        self._meter.advance(1)

    def _is_live(self, run_id: str) -> bool:
        return run_id not in self._dropped and not self._states[run_id].is_final

    def _heartbeat(self) -> None:
        """Renew the lease, report, and hear whether a person cancelled or paused a run."""
        now = self._tools.clock.monotonic()
        if now - self._beat < HEARTBEAT_S:
            return
        self._beat = now
        self._renew()
        self._meter.tick("waiting" if self._parked else "answering")
        for run in self._tools.runs.load_sweep(self._sweep.id).runs:
            if (run.state.is_final or run.held) and self._is_live(run.id):
                self._drop(run.id)

    def _drop(self, run_id: str) -> None:
        """A person cancelled or paused the run: nothing more is asked for it; what is under way is still kept."""
        self._dropped.add(run_id)
        for key in list(self._parked):
            asked = self._asked[key]
            asked.waiting = [(task, evaluation) for task, evaluation in asked.waiting if task.run.id != run_id]
            if not asked.waiting:
                self._parked.remove(key)
                del self._asked[key]

    def _finish(self) -> None:
        done = [run_id for run_id, left in self._left.items() if left <= 0 and self._is_live(run_id)]
        if done:
            self._tools.runs.set_state(
                done, RunState.FINISHED, only_from=(RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)
            )
        self._meter.tick("done")
