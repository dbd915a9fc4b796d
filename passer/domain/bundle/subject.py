"""Subject of a verification: a run's bundle or a study, with its steps and its rows of the ledger."""

from __future__ import annotations

from passer.domain.bundle.documents import ReadMember, Wrong
from passer.domain.bundle.members import EntryDocument
from passer.domain.bundle.proofs_check import Proofs
from passer.domain.bundle.verification import Outcome, StepName, Steps


class Subject:
    """Steps so far, and how one fails at a question."""

    def __init__(self, steps: Steps, entry: ReadMember[EntryDocument], proofs: Proofs = Proofs()) -> None:
        self.steps, self.entry, self.proofs = steps, entry, proofs

    @property
    def questions(self) -> int:
        """Return the number of questions that have a row in entry.json, if questions are recorded."""
        return 0

    def name_of(self, number: int | None) -> str | None:
        """Return the id of a question; None where it is not known."""
        return None

    def fail_at(self, name: StepName, member: str, wrong: Wrong, *, more: int = 0) -> None:
        """Add a failed step; names the question where the problem has one."""
        question = self.name_of(wrong.number)
        where = f"Question {wrong.number + 1} ({question or 'id unknown'}): " if wrong.number is not None else ""
        others = f" {more} more have problems." if more else ""
        self.steps.failed(
            name, f"{where}{wrong.detail}{others}", member=member, number=wrong.number, question=question,
            path=wrong.field,
        )  # fmt: skip

    def add(self, name: StepName, outcome: Outcome, found: str | Wrong, member: str) -> None:
        """Add a step with its sentence, or with its problem in a member."""
        if isinstance(found, Wrong):
            self.fail_at(name, member, found)
        elif outcome == "pass":
            self.steps.passed(name, found)
        else:
            self.steps.unseen(name, found)
