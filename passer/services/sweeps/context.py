"""Context of one running sweep: its runs, stores and servers, and the memory that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from passer.domain.dataset import Question
from passer.domain.lru_cache import LruCache
from passer.domain.models.model import Model, ModelMemory
from passer.domain.retrieval.passages import Ranking
from passer.domain.sweeps.run import Run, RunMemory
from passer.errors import PasserError
from passer.ports import (
    ChatModel,
    Clock,
    Collections,
    Engine,
    EvaluationStore,
    PromptTemplate,
    ReportsMemory,
    StoredSweep,
)
from passer.services.pipeline.answerer import Answerer
from passer.services.pipeline.ranker import RetrievalKey
from passer.services.sweeps.stop_conditions import Spending

GROUP_FOR_S = 0.05
"""Seconds for which results are collected before they are committed together."""
LOOK_AHEAD = 128
"""Requests kept in flight per server, enough to cover the pause while a run is finalised."""


class MemoryMeter:
    """Reads the memory of this process every second, and that of a model once, at the end of a run."""

    def __init__(self, resident: Callable[[], int | None], chat_model: Callable[[Model], ChatModel]) -> None:
        """Take what reads the resident memory of this process in bytes, and what returns the client of a model."""
        self._resident, self._chat_model = resident, chat_model
        self._peaks: dict[str, int] = {}

    def read(self, run_ids: Iterable[str]) -> None:
        """Read the memory of this process for the runs that it processes now."""
        now = self._resident()
        if now is not None:
            self._peaks.update({run_id: max(now, self._peaks.get(run_id, 0)) for run_id in run_ids})

    def of(self, run: Run) -> RunMemory:
        """Return what a run took, at its end."""
        self.read([run.id])
        return RunMemory(passer_bytes=self._peaks.get(run.id), model=self._of_model(run.config.model))

    def _of_model(self, model: Model) -> ModelMemory | None:
        # A server that is gone at this moment must not keep a run with all its scores from finishing.
        try:
            client = self._chat_model(model)
            return client.memory(model) if isinstance(client, ReportsMemory) else None
        except PasserError:
            return None


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
        """Return whether this is a timing run: questions run one after the other, and no stored result is reused."""
        return self.sweep.sweep.timing is not None

    @cached_property
    def strip_thinking(self) -> bool:
        """Return whether think blocks leave the scored text; the same for all configurations of a sweep."""
        return self.sweep.sweep.config.strip_thinking
