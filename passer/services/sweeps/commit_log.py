"""Facts of a sweep that are not committed yet."""

from __future__ import annotations

from collections.abc import Callable

from passer.domain.models.answer import Answer
from passer.ports import EvaluationFact, EvaluationStore, Fact
from passer.services.sweeps.tasks import Waiting


class CommitLog:
    """Collects facts and commits them together, so that a process that dies at any moment leaves nothing half-made.

    `committed` is called with each answer once it is in the store: nothing is scored before.
    """

    def __init__(
        self,
        evaluations: EvaluationStore,
        *,
        renew: Callable[[], None],
        committed: Callable[[Waiting, Answer], None],
    ) -> None:
        self._evaluations, self._renew, self._committed = evaluations, renew, committed
        self._facts: list[Fact] = []
        self._answered: list[tuple[Waiting, Answer]] = []

    def __len__(self) -> int:
        return len(self._facts)

    def add(self, *facts: Fact) -> None:
        """Keep facts for the next commit, in order."""
        self._facts.extend(facts)

    def answered(self, waiting: Waiting, answer: Answer) -> None:
        """Keep that an evaluation has its answer."""
        task, evaluation = waiting
        moved = evaluation.model_copy(update={"state": "answered", "answer_key": answer.key})
        if task.run.config.model.is_outside:
            # No ranking is cut; what counts passages counts those that the system says it used.
            moved = moved.model_copy(update={"kept": (0, len(answer.passages))})
        self._facts.append(EvaluationFact(moved))
        self._answered.append(((task, moved), answer))

    def commit(self) -> None:
        """Commit everything; LeaseError if another process has taken over."""
        if self._facts:
            # Immediately before the commit: another process may have taken over since the last one (decision 005).
            self._renew()
            # Not put back if the commit fails: the sweep stops then, and the next process computes them again.
            facts, self._facts = self._facts, []
            self._evaluations.record(facts)
        answered, self._answered = self._answered, []
        keys = list({answer.key for _, answer in answered})
        # Where another process answered the same prompt first, the store keeps its text: that one is scored.
        stored = self._evaluations.answers(keys) if keys else {}
        for waiting, answer in answered:
            self._committed(waiting, stored.get(answer.key, answer))
