"""The ledger entries of a run: one per question, and the run's own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from passer.domain.ledger.entry import LONGEST_DESCRIPTION, Action, Entry, testid_of, vector_of

Granularity = Literal["question", "run"]
"""A row per question and one for the run, or the run's row alone."""


@dataclass(frozen=True)
class EntryMaker:
    """Builds the entries of one run."""

    run_id: str
    config_digest: str

    def of_run(self, action: Action, means: Sequence[float | None], *, run_digest: str) -> Entry:
        """Return the run's entry: means under the manifest's digest."""
        return self._entry(action, run_description(self.run_id), means, run_digest)

    def of_question(self, action: Action, values: Sequence[float | None], *, question_id: str, leaf: str) -> Entry:
        """Return a question's entry: values under its leaf."""
        return self._entry(action, question_description(self.run_id, question_id), values, leaf)

    @cached_property
    def _testid(self) -> str:
        return testid_of(self.run_id)

    def _entry(self, action: Action, description: str, values: Sequence[float | None], digest: str) -> Entry:
        return Entry(
            action=action,
            testid=self._testid,
            description=description,
            results=vector_of(tuple(values)),
            run_digest=digest,
            config_digest=self.config_digest,
        )


def question_description(run_id: str, question_id: str) -> str:
    """Return the description of a question's entry; a long question id is replaced by its SHA-256."""
    whole = f"run {run_id} question {question_id}"
    if len(whole.encode()) <= LONGEST_DESCRIPTION:
        return whole
    # The hash keeps rows of two long ids apart; cutting an id would let them share a description.
    return f"run {run_id} question sha256:{hashlib.sha256(question_id.encode()).hexdigest()}"


def run_description(run_id: str) -> str:
    """Return the description of a run's entry."""
    return f"run {run_id}"
