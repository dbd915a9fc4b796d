"""Store of drafts and of what people say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from passer.domain.judging.assessment import Assessment
from passer.domain.judging.task import TaskText
from passer.domain.questions.drafting import Decision, Draft, Drafting


@dataclass(frozen=True)
class DraftFact:
    """A draft was made."""

    assessment_id: str
    draft: Draft


class DraftStore(Protocol):
    """Drafts by assessment; they are written by `EvaluationStore.record`, in the order of their windows."""

    def draftings(self) -> list[Assessment]:
        """Return the assessments that draft questions, the newest first."""

    def set_drafting(self, assessment_id: str, drafting: Drafting, tasks: Sequence[TaskText]) -> None:
        """Change how many questions a drafting wants, or whether it wants answers; `tasks` are those of its models."""

    def drafts(self, assessment_id: str) -> list[Draft]:
        """Return the drafts of an assessment in order of window, model and question."""

    def delete_drafts(self, assessment_id: str, *, place: int) -> int:
        """Delete the drafts from this place on; decisions about them stay. Returns their number."""

    def decisions(self, assessment_id: str) -> list[Decision]:
        """Return all decisions of people about drafts of an assessment, by key and revision."""

    def add_decision(self, assessment_id: str, decision: Decision) -> None:
        """Save a decision; ConflictError if one of its revision exists."""
