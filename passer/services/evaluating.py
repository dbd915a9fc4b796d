"""How one sweep's answers and scores overlap, and what is committed when.

One thread, this one, decides and writes; the engine's threads ask and score. What they brought back since the last
commit is committed together: an answer with every evaluation that waits for it, scores likewise, so that a process
that dies at any moment leaves nothing half-made, and nothing committed is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event

from passer.domain.base import digest_of
from passer.domain.retrieval import Ranking
from passer.domain.run import Answer, Evaluation, GenerationRequest
from passer.domain.score import Profile, Scores
from passer.ports import (
    AnswerFact,
    Clock,
    Engine,
    EvaluationFact,
    EvaluationStore,
    Fact,
    PairFact,
    PromptFact,
)
from passer.services.answering import Answering
from passer.services.asking import Arrived, Asking, Task, Waiting
from passer.services.progressing import ProgressMeter
from passer.services.run_states import RunStates

COLLECT_FOR_S = 0.05
"""Longest wait for the first thing to commit."""
LOOK_AHEAD = 64
"""Evaluations prepared together, and most answers under way."""
PAIRS_PER_BATCH = 32
BATCHES_UNDER_WAY = 4
MOST_UNSCORED = 1024
"""Pairs that may wait for the encoder before more is prepared; bounds memory."""
HEARTBEAT_S = 1.0

Rankings = dict[str, dict[str, Ranking]]
"""Ranking by collection and question id."""


@dataclass(frozen=True)
class Tools:
    """What the steps need of the service that runs them."""

    evaluations: EvaluationStore
    answering: Answering
    scored_by: Mapping[str, str]
    """What scores depend on beside the texts: encoder digest, limits, variants."""
    clock: Clock
    engine: Engine
    renew: Callable[[], None]
    """Keeps the lease."""


@dataclass
class _Pair:
    """One (reference, answer) pair and all evaluations that wait for its scores."""

    reference: str
    answer: str
    profile: Profile
    waiting: list[Waiting] = field(default_factory=list)


class Evaluating:
    """The steps of one sweep; `run` returns when nothing is left to do or `stop` is set."""

    def __init__(self, tools: Tools, rankings: Rankings, states: RunStates, meter: ProgressMeter) -> None:
        self._tools, self._rankings, self._states, self._meter = tools, rankings, states, meter
        self._arrived: Arrived = SimpleQueue()
        self._asking = Asking(
            engine=tools.engine,
            arrived=self._arrived,
            states=states,
            clock=tools.clock,
            answered=self._on_answer,
            failed=self._on_failure,
        )
        self._pairs: dict[str, _Pair] = {}
        self._unscored: list[str] = []
        self._batches = 0
        self._facts: list[Fact] = []
        self._fresh: list[tuple[Waiting, Answer]] = []
        self._beat = float("-inf")

    def run(self, tasks: Iterator[Task], stop: Event, *, patience_s: float | None = None) -> None:
        """Prepare, ask, score and commit until nothing is left, or the model server was gone for `patience_s`."""
        exhausted = False
        while not (stop.is_set() or self._asking.waited_s > (patience_s or float("inf"))):
            self._heartbeat()
            if not exhausted and self._has_room():
                batch = list(islice(tasks, LOOK_AHEAD))
                exhausted = not batch
                self._prepare([task for task in batch if self._states.is_live(task.run.id)])
            self._asking.probe()
            self._send_pairs(flush=exhausted and not self._asking)
            self._collect()
            self._commit()
            if exhausted and not (self._asking or self._pairs or self._facts):
                self._meter.tick("done")
                break
        self._commit()

    def _has_room(self) -> bool:
        """Whether more may be prepared: not while the model server is gone, or the encoder far behind."""
        waiting = self._asking.is_waiting or len(self._asking) >= LOOK_AHEAD
        return not waiting and len(self._pairs) < MOST_UNSCORED

    # -- preparing: passages, prompt, and whether the answer is known ------------------------------------------

    def _prepare(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            self._states.begin(task.run)
        self._score_again([(task, task.before) for task in tasks if task.before])
        prepared = [(task, *self._prepared(task)) for task in tasks if not task.before]
        stored = self._tools.evaluations.answers([request.key for _, _, request in prepared if request])
        for task, evaluation, request in prepared:
            if request is None:
                continue
            self._facts.append(PromptFact(request.prompt))
            if request.key in stored:
                self._answered((task, evaluation.model_copy(update={"reused": True})), stored[request.key])
            else:
                reused = request.key in self._asking
                self._asking.ask(request, (task, evaluation.model_copy(update={"reused": reused})))

    def _prepared(self, task: Task) -> tuple[Evaluation, GenerationRequest | None]:
        """The evaluation with what it would ask; None where the answer is fixed, and given already."""
        config = task.run.config
        ranking = self._rankings[config.collection][task.question.id]
        kept = config.retrieval.keep([passage.similarity for passage in ranking.passages])
        passages = ranking.passages[kept.start : kept.stop]
        evaluation = Evaluation(
            run_id=task.run.id, number=task.number, question_id=task.question.id, kept=(kept.start, kept.stop)
        )
        fixed = self._tools.answering.fixed_answer(config, passages)
        if fixed is not None:
            self._facts.append(AnswerFact(fixed))
            self._answered((task, evaluation), fixed)
            return evaluation, None
        request = self._tools.answering.build_request(
            config=config, model_info=task.run.model_info, question=task.question.text, passages=passages
        )
        return evaluation.model_copy(update={"prompt_digest": request.prompt.digest}), request

    def _score_again(self, answered: Sequence[Waiting]) -> None:
        """What was answered before the process died, and never scored."""
        keys = [evaluation.answer_key for _, evaluation in answered if evaluation.answer_key]
        known = self._tools.evaluations.answers(keys)
        for task, evaluation in answered:
            if evaluation.answer_key in known:
                self._to_score((task, evaluation), known[evaluation.answer_key])

    # -- answers --------------------------------------------------------------------------------------------------

    def _on_answer(self, waiting: list[Waiting], answer: Answer) -> None:
        self._facts.append(AnswerFact(answer))
        for each in waiting:
            self._answered(each, answer)

    def _on_failure(self, waiting: list[Waiting], reason: str) -> None:
        for task, evaluation in waiting:
            failed = evaluation.model_copy(update={"state": "failed", "reason": reason})
            self._facts.append(EvaluationFact(failed))
            self._done(task)

    def _answered(self, waiting: Waiting, answer: Answer) -> None:
        task, evaluation = waiting
        moved = evaluation.model_copy(update={"state": "answered", "answer_key": answer.key})
        self._facts.append(EvaluationFact(moved))
        self._fresh.append(((task, moved), answer))

    # -- scores ---------------------------------------------------------------------------------------------------

    def _to_score(self, waiting: Waiting, answer: Answer) -> None:
        profile, reference = waiting[0].run.config.profile, waiting[0].question.reference
        key = digest_of(
            {"profile": profile, "by": dict(self._tools.scored_by), "reference": reference, "answer": answer.text}
        )
        if key not in self._pairs:
            self._pairs[key] = _Pair(reference, answer.text, profile)
            self._unscored.append(key)
        self._pairs[key].waiting.append(waiting)

    def _send_pairs(self, *, flush: bool) -> None:
        """Full batches; a part of one only when nothing else is being scored or will come."""
        while self._unscored and self._batches < BATCHES_UNDER_WAY:
            profile = self._pairs[self._unscored[0]].profile
            keys = [key for key in self._unscored if self._pairs[key].profile == profile][:PAIRS_PER_BATCH]
            if len(keys) < PAIRS_PER_BATCH and not flush and self._batches:
                return
            taken = set(keys)
            self._unscored = [key for key in self._unscored if key not in taken]
            known = self._tools.evaluations.pairs(keys)
            for key in known:
                self._scored(key)
            self._send_batch([key for key in keys if key not in known], profile)

    def _send_batch(self, keys: list[str], profile: Profile) -> None:
        if not keys:
            return
        self._batches += 1
        began = self._tools.clock.monotonic()
        texts = [(self._pairs[key].reference, self._pairs[key].answer) for key in keys]
        future = self._tools.engine.score(texts, profile=profile)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_scores(keys, done, began)))

    def _on_scores(self, keys: list[str], future: Future[list[Scores]], began: float) -> None:
        self._batches -= 1
        seconds = (self._tools.clock.monotonic() - began) / len(keys)
        for key, scores in zip(keys, future.result(), strict=True):
            self._facts.append(PairFact(key, scores, seconds))
            self._scored(key)

    def _scored(self, key: str) -> None:
        for task, evaluation in self._pairs.pop(key).waiting:
            self._facts.append(EvaluationFact(evaluation.model_copy(update={"state": "scored", "pair_key": key})))
            self._done(task)

    def _done(self, task: Task) -> None:
        self._states.done(task.run.id)
        self._meter.advance(1)

    # -- committing, and keeping the lease ------------------------------------------------------------------------

    def _collect(self) -> None:
        """Take what has arrived; wait at most COLLECT_FOR_S for the first of it."""
        idle = bool(self._asking or self._batches) and not self._facts
        try:
            act = self._arrived.get(timeout=COLLECT_FOR_S) if idle else self._arrived.get_nowait()
            while True:
                act()
                act = self._arrived.get_nowait()
        except Empty:
            return

    def _commit(self) -> None:
        if self._facts:
            facts, self._facts = self._facts, []
            self._tools.evaluations.record(facts)
        self._score_committed()
        self._states.finish()

    def _score_committed(self) -> None:
        """Only a committed answer is scored: where another process answered the same first, it is that one's text."""
        fresh, self._fresh = self._fresh, []
        kept = self._tools.evaluations.answers(list({answer.key for _, answer in fresh})) if fresh else {}
        for waiting, answer in fresh:
            self._to_score(waiting, kept.get(answer.key, answer))

    def _heartbeat(self) -> None:
        """Renew the lease, report, and hear whether a person cancelled or paused a run."""
        now = self._tools.clock.monotonic()
        if now - self._beat < HEARTBEAT_S:
            return
        self._beat = now
        self._tools.renew()
        self._meter.tick("waiting" if self._asking.is_waiting else "answering")
        for run_id in self._states.hear():
            self._asking.drop(run_id)
