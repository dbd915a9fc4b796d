"""Answers that wait for their scores while others are being answered: each once for the same reference answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.dataset import Dataset
from passer.domain.models.answer import Answer
from passer.domain.references import PairKeys, best_scores, key_of_best
from passer.domain.score import VectorProfile
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
class _Unscored:
    """An answer with its reference answers, and all evaluations that wait for its scores."""

    references: Mapping[str, str]
    """References by the key of their pair with the answer."""
    answer: str
    profile: VectorProfile
    waiting: list[Waiting] = field(default_factory=list)


class ScoreBatcher:
    """Scores in batches; `scored` is called in the writing thread, with the facts that are new."""

    def __init__(
        self,
        *,
        engine: Engine,
        arrived: Arrived,
        evaluations: EvaluationStore,
        scored_by: Mapping[str, str],
        language: str,
        clock: Clock,
        scored: Callable[[list[Waiting], str, Sequence[PairFact]], None],
        timed: str | None,
    ) -> None:
        self._engine, self._arrived, self._evaluations, self._clock = engine, arrived, evaluations, clock
        self._language, self._scored = language, scored
        self._keys = PairKeys(scored_by, language, timed)
        self._pairs: dict[str, _Unscored] = {}
        self._unsent: list[str] = []
        self._batches = 0

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def is_in_progress(self) -> bool:
        """Return whether a batch is being scored."""
        return self._batches > 0

    def add(self, waiting: Waiting, answer: Answer) -> None:
        """Queue a committed answer for scoring, together with evaluations that wait for the same pair."""
        task = waiting[0]
        profile = task.run.config.profile
        references = self._keys.of(task.question.references, answer.text, profile)
        key = key_of_best(list(references))
        if key not in self._pairs:
            self._pairs[key] = _Unscored(references, answer.text, profile)
            self._unsent.append(key)
        self._pairs[key].waiting.append(waiting)

    def send(self, *, flush: bool) -> None:
        """Send full batches; send a partial batch only if nothing else is being scored or expected."""
        while self._unsent and self._batches < BATCHES_UNDER_WAY:
            profile = self._pairs[self._unsent[0]].profile
            keys, is_full = self._next(profile)
            if not is_full and not flush and self._batches:
                return
            taken = set(keys)
            self._unsent = [key for key in self._unsent if key not in taken]
            # When the batch is sent, not when a pair is queued: one query for 32 pairs.
            known = self._evaluations.pairs(keys)
            for key in known:
                self._scored(self._pairs.pop(key).waiting, key, ())
            self._send_batch([key for key in keys if key not in known], profile)

    def _next(self, profile: VectorProfile) -> tuple[list[str], bool]:
        """Return the keys of the next batch of a profile, and whether it is full."""
        keys: list[str] = []
        pairs = 0
        for key in self._unsent:
            if self._pairs[key].profile == profile:
                keys.append(key)
                pairs += len(self._pairs[key].references)
                if pairs >= PAIRS_PER_BATCH:
                    return keys, True
        return keys, False

    def _send_batch(self, keys: list[str], profile: VectorProfile) -> None:
        units = [self._pairs[key] for key in keys]
        # One of several references may be the only one of another question.
        of_several = [pair for unit in units if len(unit.references) > 1 for pair in unit.references]
        known = self._known(of_several) if of_several else {}
        texts = {pair: (each, unit.answer) for unit in units for pair, each in unit.references.items()}
        pairs = [pair for pair in texts if pair not in known]
        if not pairs:
            self._keep(keys, known, {})
            return
        self._batches += 1
        began = self._clock.monotonic()
        future = self._engine.score([texts[pair] for pair in pairs], profile=profile, language=self._language)

        def on_scores() -> None:
            self._batches -= 1
            # A batch has one duration: each of its pairs gets the mean.
            seconds = (self._clock.monotonic() - began) / len(pairs)
            rows = zip(pairs, future.result(), strict=True)
            self._keep(keys, known, {pair: PairFact(pair, scores, seconds) for pair, scores in rows})

        future.add_done_callback(lambda _: self._arrived.put(on_scores))

    def _known(self, pairs: Sequence[str]) -> dict[str, PairFact]:
        """Return what is stored of these pairs, with the seconds that each took when it was scored."""
        scores, seconds = self._evaluations.pairs(pairs), self._evaluations.scoring_times(pairs)
        return {pair: PairFact(pair, found, seconds.get(pair, 0.0)) for pair, found in scores.items()}

    def _keep(self, keys: Sequence[str], known: Mapping[str, PairFact], facts: Mapping[str, PairFact]) -> None:
        """Pass on the scores of a batch; of several references, the best score is a separate fact."""
        for key in keys:
            unit = self._pairs.pop(key)
            new = [facts[pair] for pair in unit.references if pair in facts]
            if len(unit.references) > 1:
                parts = [known[pair] if pair in known else facts[pair] for pair in unit.references]
                best = best_scores([part.scores for part in parts])
                new.append(PairFact(key, best, math.fsum(part.scoring_s for part in parts)))
            self._scored(unit.waiting, key, new)


def check_scorer(sweep: StoredSweep, *, now: Mapping[str, str], dataset: Dataset) -> None:
    """Raise ConflictError unless a sweep can continue with this scorer: scores of one run never come from two.

    A sweep of an older version can continue if the changed definitions do not affect its questions.
    """
    references = [each for question in dataset.questions[: sweep.questions] for each in question.references]
    is_plain = is_english(dataset.language) and not any(map(has_other_letters, references))
    for name, before in sweep.runs[0].scored_by.items():
        if now.get(name) != before and not (is_plain and EARLIER.get(name) == before):
            changed = {"name": name, "before": before, "now": now.get(name, "none")}
            raise ConflictError(sentence("stop.other-scorer", **changed))
