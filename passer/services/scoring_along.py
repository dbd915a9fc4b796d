"""Pairs that wait for their scores while others are still being answered: one for each distinct (reference, answer)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from passer.domain.answer import Answer
from passer.domain.base import digest_of
from passer.domain.score import Profile, Scores
from passer.ports import Clock, Engine, EvaluationStore, PairFact
from passer.services.asking import Arrived, Waiting

PAIRS_PER_BATCH = 32
BATCHES_UNDER_WAY = 4


@dataclass
class _Pair:
    """One (reference, answer) pair and all evaluations that wait for its scores."""

    reference: str
    answer: str
    profile: Profile
    waiting: list[Waiting] = field(default_factory=list)


class ScoringAlong:
    """Scores in batches; `scored` is called in the writing thread, with the fact unless it is known already."""

    def __init__(
        self,
        *,
        engine: Engine,
        arrived: Arrived,
        evaluations: EvaluationStore,
        scored_by: Mapping[str, str],
        clock: Clock,
        scored: Callable[[list[Waiting], str, PairFact | None], None],
        is_timed: bool,
    ) -> None:
        self._is_timed = is_timed
        self._engine, self._arrived, self._evaluations, self._clock = engine, arrived, evaluations, clock
        self._scored_by, self._scored = dict(scored_by), scored
        self._pairs: dict[str, _Pair] = {}
        self._unsent: list[str] = []
        self._batches = 0

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def is_under_way(self) -> bool:
        """Whether a batch is being scored."""
        return self._batches > 0

    def add(self, waiting: Waiting, answer: Answer) -> None:
        """An answer that is committed waits for its scores; with those that wait for the same already."""
        run, reference = waiting[0].run, waiting[0].question.reference
        profile = run.config.profile
        key = digest_of({"profile": profile, "by": self._scored_by, "reference": reference, "answer": answer.text})
        if self._is_timed:
            # Its seconds are those of this sweep, not of the first that scored the pair.
            key = digest_of({"timed": run.id.rpartition("-")[0], "pair": key})
        if key not in self._pairs:
            self._pairs[key] = _Pair(reference, answer.text, profile)
            self._unsent.append(key)
        self._pairs[key].waiting.append(waiting)

    def send(self, *, flush: bool) -> None:
        """Full batches; a part of one only when nothing else is being scored or will come."""
        while self._unsent and self._batches < BATCHES_UNDER_WAY:
            profile = self._pairs[self._unsent[0]].profile
            keys = [key for key in self._unsent if self._pairs[key].profile == profile][:PAIRS_PER_BATCH]
            if len(keys) < PAIRS_PER_BATCH and not flush and self._batches:
                return
            taken = set(keys)
            self._unsent = [key for key in self._unsent if key not in taken]
            known = self._evaluations.pairs(keys)
            for key in known:
                self._scored(self._pairs.pop(key).waiting, key, None)
            self._send_batch([key for key in keys if key not in known], profile)

    def _send_batch(self, keys: list[str], profile: Profile) -> None:
        if not keys:
            return
        self._batches += 1
        began = self._clock.monotonic()
        texts = [(self._pairs[key].reference, self._pairs[key].answer) for key in keys]
        future = self._engine.score(texts, profile=profile)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_scores(keys, done, began)))

    def _on_scores(self, keys: list[str], future: Future[list[Scores]], began: float) -> None:
        self._batches -= 1
        seconds = (self._clock.monotonic() - began) / len(keys)
        for key, scores in zip(keys, future.result(), strict=True):
            self._scored(self._pairs.pop(key).waiting, key, PairFact(key, scores, seconds))
