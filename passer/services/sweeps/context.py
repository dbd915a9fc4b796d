"""Context of one running sweep: its runs, stores and servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from passer.domain.dataset import Question
from passer.domain.lru_cache import LruCache
from passer.domain.retrieval.passages import Ranking
from passer.ports import Clock, Collections, Engine, EvaluationStore, PromptTemplate, StoredSweep
from passer.services.pipeline.answerer import Answerer
from passer.services.pipeline.ranker import RetrievalKey
from passer.services.sweeps.memory_meter import MemoryMeter
from passer.services.sweeps.stop_conditions import Spending

GROUP_FOR_S = 0.05
"""Seconds for which results are collected before they are committed together."""
LOOK_AHEAD = 128
"""Requests kept in flight per server, enough to cover the pause while a run is finalised."""


@dataclass(frozen=True)
class SweepContext:
    """One sweep, and the tools that its steps share."""

    sweep: StoredSweep
    questions: Sequence[Question]
    """Its questions, in dataset order."""
    language: str
    """BCP 47 tag of the dataset."""
    evaluations: EvaluationStore
    collections: Collections
    answerer: Answerer
    templates: Mapping[str, PromptTemplate]
    """Templates as they were when the sweep was created, by name."""
    scored_by: Mapping[str, str]
    """Everything except the texts that scores depend on: encoder digest, limits, variants."""
    clock: Clock
    engine: Engine
    renew: Callable[[], None]
    """Extends the lease; raises where it was lost, so that nothing more is committed."""
    spending: Spending
    """Usage of the budget."""
    memory: MemoryMeter
    """Memory that its runs use."""
    previewed: LruCache[RetrievalKey, Mapping[str, Ranking]]
    """Rankings of previews, by question id."""
    look_ahead: int = LOOK_AHEAD
    """Requests in flight at each server while there are more to send; at least half of it."""
    slots: int = 4
    """Requests that a model server answers at a time."""
    group_for_s: float = GROUP_FOR_S
    """Longest time from the arrival of a result to its commit."""

    @cached_property
    def is_timed(self) -> bool:
        """Return whether this is a timing run: one question after the other, and nothing reused from an earlier run."""
        return self.sweep.sweep.timing is not None

    @cached_property
    def strip_thinking(self) -> bool:
        """Return whether think blocks leave the scored text; the same for all configurations of a sweep."""
        return self.sweep.sweep.config.strip_thinking
