"""How one sweep's answers and scores overlap, and what is committed when.

One thread, this one, decides and writes; the engine's threads ask and score. What they brought back since the last
commit is committed together: an answer with every evaluation that waits for it, scores likewise, so that a process
that dies at any moment leaves nothing half-made, and nothing committed is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic

from passer.domain.answer import Answer, GenerationRequest
from passer.domain.base import digest_of
from passer.domain.retrieval import Ranking
from passer.domain.run import Evaluation, Server
from passer.ports import (
    AnswerFact,
    Clock,
    Engine,
    EvaluationFact,
    EvaluationStore,
    Fact,
    PairFact,
    PromptFact,
    PromptTemplate,
)
from passer.services.answering import Answering
from passer.services.asking import Arrived, Asking, Task, Waiting
from passer.services.progressing import ProgressMeter
from passer.services.run_states import RunStates
from passer.services.scoring_along import ScoringAlong

GROUP_FOR_S = 0.05
"""How long what arrives is collected, to be committed together."""
PREPARED_TOGETHER = 64
"""Evaluations; so many prompts are built at once."""
LOOK_AHEAD = 128
"""Answers under way at a server, unless its slots want more: they last while a run's record is being made."""
MOST_UNSCORED = 1024
"""Pairs that may wait for the encoder before more is prepared; bounds memory."""
HEARTBEAT_S = 1.0

Rankings = dict[str, dict[str, Ranking]]
"""Ranking by collection and question id."""
Lanes = Mapping[Server, Iterator[Task]]
"""What is to be done at each model server, in order; servers do not wait for each other."""


@dataclass(frozen=True)
class Tools:
    """What the steps need of the service that runs them."""

    evaluations: EvaluationStore
    answering: Answering
    templates: Mapping[str, PromptTemplate]
    """As they were when the sweep was created, by name."""
    scored_by: Mapping[str, str]
    """What scores depend on beside the texts: encoder digest, limits, variants."""
    clock: Clock
    engine: Engine
    renew: Callable[[], None]
    """Keeps the lease."""
    look_ahead: int = LOOK_AHEAD
    """Answers under way at each server while there are more to ask; at least half of it."""
    group_for_s: float = GROUP_FOR_S
    """Longest time from an arrival to its commit."""
    is_timed: bool = False
    """One question after the other, each scored before the next is asked, and none answered by an earlier run."""


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
        self._scoring = ScoringAlong(
            engine=tools.engine,
            arrived=self._arrived,
            evaluations=tools.evaluations,
            scored_by=tools.scored_by,
            clock=tools.clock,
            scored=self._scored,
            is_timed=tools.is_timed,
        )
        self._facts: list[Fact] = []
        self._fresh: list[tuple[Waiting, Answer]] = []
        self._beat = float("-inf")

    def run(self, lanes: Lanes, stop: Event, *, patience_s: float | None = None) -> None:
        """Prepare, ask, score and commit until nothing is left, or only servers gone for `patience_s` are."""
        left = dict(lanes)
        while not stop.is_set():
            self._heartbeat(left)
            for server in self._with_room(left):
                batch = list(islice(left[server], 1 if self._tools.is_timed else PREPARED_TOGETHER))
                if not batch:
                    del left[server]
                self._prepare([task for task in batch if self._states.is_live(task.run.id)])
            self._asking.probe()
            self._scoring.send(flush=not (left or self._asking))
            self._collect(left)
            self._commit()
            if not (left or self._asking or self._scoring or self._facts):
                self._meter.tick("done")
                break
            if patience_s is not None and self._waited_s(left) > patience_s:
                break
        self._commit()

    def _with_room(self, left: Lanes) -> list[Server]:
        """For whom more may be prepared: not while a server is gone, or the encoder far behind."""
        there = [server for server in left if not self._asking.is_gone(server)]
        if self._tools.is_timed:
            return [] if self._asking.is_busy or self._scoring or self._facts else there[:1]
        if len(self._scoring) >= MOST_UNSCORED:
            return []
        return [server for server in there if self._asking.under_way(server) < self._tools.look_ahead]

    def _waited_s(self, left: Lanes) -> float:
        """How long nothing could be done, because every model server with something left to do is gone."""
        if self._scoring:
            return 0.0
        return min((self._asking.waited_s(server) for server in {*left, *self._asking.servers}), default=0.0)

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
            config=config,
            model_info=task.run.model_info,
            question=task.question.text,
            passages=passages,
            template=self._tools.templates.get(config.prompt),
        )
        if self._tools.is_timed:
            request = request.model_copy(update={"key": digest_of({"timed": task.run.id, "answer": request.key})})
        return evaluation.model_copy(update={"prompt_digest": request.prompt.digest}), request

    def _score_again(self, answered: Sequence[Waiting]) -> None:
        """What was answered before the process died, and never scored."""
        keys = [evaluation.answer_key for _, evaluation in answered if evaluation.answer_key]
        known = self._tools.evaluations.answers(keys)
        for task, evaluation in answered:
            if evaluation.answer_key in known:
                self._scoring.add((task, evaluation), known[evaluation.answer_key])

    # -- answers --------------------------------------------------------------------------------------------------

    def _on_answer(self, waiting: list[Waiting], answer: Answer) -> None:
        self._facts.append(AnswerFact(answer))
        for each in waiting:
            self._answered(each, answer)

    def _on_failure(self, waiting: list[Waiting], reason: str) -> None:
        for task, evaluation in waiting:
            failed = evaluation.model_copy(update={"state": "failed", "reason": reason})
            self._facts.append(EvaluationFact(failed))
            self._meter.failed(task.run.id, number=task.number, question_id=task.question.id, reason=reason)
            self._done(task)

    def _answered(self, waiting: Waiting, answer: Answer) -> None:
        task, evaluation = waiting
        moved = evaluation.model_copy(update={"state": "answered", "answer_key": answer.key})
        self._facts.append(EvaluationFact(moved))
        self._fresh.append(((task, moved), answer))

    def _scored(self, waiting: list[Waiting], key: str, fact: PairFact | None) -> None:
        if fact is not None:
            self._facts.append(fact)
        for task, evaluation in waiting:
            self._facts.append(EvaluationFact(evaluation.model_copy(update={"state": "scored", "pair_key": key})))
            self._done(task)

    def _done(self, task: Task) -> None:
        self._states.done(task.run.id)
        self._meter.advance(task.run.id)

    # -- committing, and keeping the lease ------------------------------------------------------------------------

    def _collect(self, left: Lanes) -> None:
        """Take what arrives while something is under way, until it is time to commit, or to ask more."""
        until = monotonic() + (0.0 if self._facts else self._tools.group_for_s)
        while True:
            wait_s = until - monotonic() if self._is_under_way(left) else 0.0
            try:
                act = self._arrived.get(timeout=wait_s) if wait_s > 0 else self._arrived.get_nowait()
            except Empty:
                return
            act()

    def _is_under_way(self, left: Lanes) -> bool:
        """Whether something will arrive, and no server is about to run out of questions."""
        hungry = any(self._asking.under_way(each) < self._tools.look_ahead // 2 for each in self._with_room(left))
        return bool(self._asking or self._scoring.is_under_way) and not hungry

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
            self._scoring.add(waiting, kept.get(answer.key, answer))

    def _heartbeat(self, left: Lanes) -> None:
        """Renew the lease, report, and hear whether a person cancelled or paused a run."""
        now = self._tools.clock.monotonic()
        if now - self._beat < HEARTBEAT_S:
            return
        self._beat = now
        self._tools.renew()
        self._meter.tick("waiting" if self._waited_s(left) else "answering")
        for run_id in self._states.hear():
            self._asking.drop(run_id)
            self._meter.drop(run_id)
