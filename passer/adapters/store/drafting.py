"""Drafts and decisions about them on SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, select, update

from passer.adapters.store.database import Database
from passer.adapters.store.judging import DatabaseJudgements
from passer.adapters.store.judging_tables import assessments, draft_decisions, drafts
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.task import TaskText
from passer.domain.questions.drafting import Decision, Draft, Drafting
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports.judging import DraftFact


class DatabaseDrafts:
    """ports.DraftStore on SQL."""

    def __init__(self, database: Database, judgements: DatabaseJudgements) -> None:
        self._database, self._judgements = database, judgements

    def draftings(self) -> list[Assessment]:
        return [each for each in self._judgements.all_assessments() if each.spec.drafting is not None]

    def set_drafting(self, assessment_id: str, drafting: Drafting, tasks: Sequence[TaskText]) -> None:
        spec = self._judgements.assessment(assessment_id).spec.model_copy(update={"drafting": drafting})
        changed = {"spec": spec.model_dump(mode="json"), "tasks": [task.model_dump(mode="json") for task in tasks]}
        self._database.change(update(assessments).where(assessments.c.id == assessment_id).values(changed))

    def drafts(self, assessment_id: str) -> list[Draft]:
        query = select(drafts.c.draft).where(drafts.c.assessment_id == assessment_id)
        rows = self._database.values(query.order_by(drafts.c.place, drafts.c.number))
        return [Draft.model_validate(row) for row in rows]

    def delete_drafts(self, assessment_id: str, *, place: int) -> int:
        later = delete(drafts).where(drafts.c.assessment_id == assessment_id, drafts.c.place >= place)
        return self._database.change(later)

    def decisions(self, assessment_id: str) -> list[Decision]:
        query = select(draft_decisions.c.decision).where(draft_decisions.c.assessment_id == assessment_id)
        order = draft_decisions.c.key, draft_decisions.c.revision
        return [Decision.model_validate(row) for row in self._database.values(query.order_by(*order))]

    def add_decision(self, assessment_id: str, decision: Decision) -> None:
        row = {
            "assessment_id": assessment_id,
            "key": decision.key,
            "revision": decision.revision,
            "decision": decision.model_dump(mode="json"),
            "at": decision.at,
        }
        try:
            with self._database.begin() as connection:
                # The key holds the revision: of two people who decide at once, the second one's insert fails, and they
                # see the first.
                connection.execute(draft_decisions.insert().values(row))
        except ConflictError as exc:
            raise ConflictError(sentence("drafts.stale")) from exc


def draft_row(fact: DraftFact) -> dict[str, Any]:
    """Return the columns of a draft."""
    draft = fact.draft
    return {
        "assessment_id": fact.assessment_id,
        "key": draft.key,
        "place": draft.place,
        "number": draft.number,
        "draft": draft.model_dump(mode="json"),
    }
