"""Pairs that wait for their scores while others are still being answered: one for each distinct (reference, answer)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from passer.domain.base import digest_of
from passer.domain.dataset import Dataset
from passer.domain.models.answer import Answer
from passer.domain.score import Scores, VectorProfile
from passer.domain.texts.words import has_other_letters, is_english
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.metrics import EARLIER
from passer.ports import Clock, Engine, EvaluationStore, PairFact, StoredSweep
from passer.services.sweeps.request_pool import Arrived
from passer.services.sweeps.tasks import Waiting

PAIRS_PER_BATCH = 32
BATCHES_UNDER_WAY = 4


@dataclass
class _Pair:
    """One (reference, answer) pair and all evaluations that wait for its scores."""

    reference: str
    answer: str
    profile: VectorProfile
    waiting: list[Waiting] = field(default_factory=list)


class ScoreBatcher:
    """Scores in batches; `scored` is called in the writing thread, with the fact unless it is known already."""

    def __init__(
        self,
        *,
        engine: Engine,
        arrived: Arrived,
        evaluations: EvaluationStore,
        scored_by: Mapping[str, str],
        language: str,
        clock: Clock,
        scored: Callable[[list[Waiting], str, PairFact | None], None],
        is_timed: bool,
    ) -> None:
        self._is_timed = is_timed
        self._engine, self._arrived, self._evaluations, self._clock = engine, arrived, evaluations, clock
        self._language, self._scored = language, scored
        # METEOR of other languages has other values; English keeps the key that it had before there was a language.
        self._scored_by = {**scored_by, **({} if is_english(language) else {"language": language})}
        self._pairs: dict[str, _Pair] = {}
        self._unsent: list[str] = []
        self._batches = 0

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def is_under_way(self) -> bool:
        """Return whether a batch is being scored."""
        return self._batches > 0

    def add(self, waiting: Waiting, answer: Answer) -> None:
        """Queue a committed answer for scoring, together with evaluations that wait for the same pair."""
        run, reference = waiting[0].run, waiting[0].question.reference
        profile = run.config.profile
        key = digest_of({"profile": profile, "by": self._scored_by, "reference": reference, "answer": answer.text})
        if self._is_timed:
            # Its seconds are those of this sweep, not of the first that scored the pair.
            key = digest_of({"timed": run.sweep_id, "pair": key})
        if key not in self._pairs:
            self._pairs[key] = _Pair(reference, answer.text, profile)
            self._unsent.append(key)
        self._pairs[key].waiting.append(waiting)

    def send(self, *, flush: bool) -> None:
        """Send full batches; send a partial batch only if nothing else is being scored or expected."""
        while self._unsent and self._batches < BATCHES_UNDER_WAY:
            profile = self._pairs[self._unsent[0]].profile
            keys = [key for key in self._unsent if self._pairs[key].profile == profile][:PAIRS_PER_BATCH]
            if len(keys) < PAIRS_PER_BATCH and not flush and self._batches:
                return
            taken = set(keys)
            self._unsent = [key for key in self._unsent if key not in taken]
            # When the batch is sent, not when a pair is queued: one query for 32 pairs.
            known = self._evaluations.pairs(keys)
            for key in known:
                self._scored(self._pairs.pop(key).waiting, key, None)
            self._send_batch([key for key in keys if key not in known], profile)

    def _send_batch(self, keys: list[str], profile: VectorProfile) -> None:
        if not keys:
            return
        self._batches += 1
        began = self._clock.monotonic()
        texts = [(self._pairs[key].reference, self._pairs[key].answer) for key in keys]
        future = self._engine.score(texts, profile=profile, language=self._language)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_scores(keys, done, began)))

    def _on_scores(self, keys: list[str], future: Future[list[Scores]], began: float) -> None:
        self._batches -= 1
        # A batch has one duration: the mean is what can be said of each of its pairs.
        seconds = (self._clock.monotonic() - began) / len(keys)
        for key, scores in zip(keys, future.result(), strict=True):
            self._scored(self._pairs.pop(key).waiting, key, PairFact(key, scores, seconds))


def check_scorer(sweep: StoredSweep, *, now: Mapping[str, str], dataset: Dataset) -> None:
    """Raise ConflictError unless a sweep can continue with this scorer: scores of one run never come from two.

    A sweep of an older version can continue if the changed definitions do not affect its questions.
    """
    references = [question.reference for question in dataset.questions[: sweep.questions]]
    is_plain = is_english(dataset.language) and not any(map(has_other_letters, references))
    for name, before in sweep.runs[0].scored_by.items():
        if now.get(name) != before and not (is_plain and EARLIER.get(name) == before):
            changed = {"name": name, "before": before, "now": now.get(name, "none")}
            raise ConflictError(sentence("stop.other-scorer", **changed))
