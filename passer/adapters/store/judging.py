"""Judgements, assessments, marks and labels on SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update

from passer.adapters.store.database import LOOKUP, Database, by_key
from passer.adapters.store.judging_tables import assessments, judgements, label_draws, labels, marks, reserved_places
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.draw import LabelDraw
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.marks import Label, Mark
from passer.domain.sweeps.budget import Budget
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import JudgementFact, MarkFact, MarkSum

ASKED_AGAIN = "judge_failed"
"""Reason of marks that a retry deletes; other reasons concern the reply, which is kept."""


class DatabaseJudgements:
    """ports.JudgementStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def judgements(self, keys: Sequence[str]) -> dict[str, Judgement]:
        with self._database.connect() as connection:
            found = by_key(connection, judgements, "key", keys)
        return {key: Judgement.model_validate(row) for key, row in found.items()}

    def add_assessment(self, assessment: Assessment) -> None:
        row = assessment.model_dump(mode="json", exclude={"created_at"})
        self._database.change(assessments.insert().values(**row, created_at=assessment.created_at))

    def assessment(self, assessment_id: str) -> Assessment:
        found = self._found(assessments.c.id == assessment_id)
        if not found:
            raise NotFoundError(sentence("judging.no-assessment", assessment=assessment_id))
        return found[0]

    def assessments(self, sweep_id: str | None = None) -> list[Assessment]:
        found = self._found(*([] if sweep_id is None else [assessments.c.sweep_id == sweep_id]))
        return [each for each in found if each.spec.makes_marks]

    def tunings(self, assessment_id: str) -> list[Assessment]:
        found = self._found()
        return [each for each in found if each.spec.tuning and each.spec.tuning.assessment == assessment_id]

    def all_assessments(self) -> list[Assessment]:
        """Return the assessments of every kind, the newest first."""
        return self._found()

    def set_budget(self, assessment_id: str, budget: Budget) -> None:
        changed = update(assessments).where(assessments.c.id == assessment_id)
        self._database.change(changed.values(budget=budget.model_dump(mode="json")))

    def marks(self, assessment_id: str, *, column: str | None = None, item_key: str | None = None) -> list[Mark]:
        query = select(marks).where(marks.c.assessment_id == assessment_id)
        if item_key is not None:
            query = query.where(marks.c.item_key == item_key)
        if column is not None:
            query = query.where(marks.c.column == column)
        rows = self._database.rows(query.order_by(marks.c.item_key, marks.c.column, marks.c.repeat))
        return [Mark.model_validate(dict(row)) for row in rows]

    def marked(self, assessment_id: str) -> set[tuple[str, str, int]]:
        query = select(marks.c.item_key, marks.c.column, marks.c.repeat).where(marks.c.assessment_id == assessment_id)
        with self._database.connect() as connection:
            return {(row[0], row[1], row[2]) for row in connection.execute(query)}

    def mark_sums(self, assessment_id: str) -> tuple[MarkSum, ...]:
        values = func.count(marks.c.value), func.coalesce(func.sum(marks.c.value), 0.0)
        query = select(marks.c.column, func.count(), *values).where(marks.c.assessment_id == assessment_id)
        with self._database.connect() as connection:
            rows = connection.execute(
                query.where(marks.c.repeat == 1).group_by(marks.c.column).order_by(marks.c.column)
            )
            return tuple(MarkSum(*row) for row in rows)

    def delete_failed_marks(self, assessment_id: str) -> int:
        failed = delete(marks).where(marks.c.assessment_id == assessment_id, marks.c.reason == ASKED_AGAIN)
        return self._database.change(failed)

    def _found(self, *wanted: ColumnElement[bool]) -> list[Assessment]:
        query = select(assessments).where(*wanted).order_by(assessments.c.created_at.desc(), assessments.c.id)
        return [Assessment.model_validate(dict(row)) for row in self._database.rows(query)]


class DatabaseLabels:
    """ports.LabelStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_labels(self, given: Sequence[Label], *, keep_repeated: bool = False) -> int:
        added = 0
        with self._database.begin() as connection:
            for label in given:
                mine = (
                    labels.c.item_key == label.item_key,
                    labels.c.column == label.column,
                    labels.c.rater == label.rater,
                )
                newest = select(labels.c.revision, labels.c.value, labels.c.note).where(*mine)
                last = connection.execute(newest.order_by(labels.c.revision.desc()).limit(1)).one_or_none()
                # A file that is imported twice adds nothing. But a rater who keeps a value after seeing the judge's has
                # confirmed it: hence `keep_repeated`.
                is_repeated = last is not None and (last.value, last.note) == (label.value, label.note)
                if is_repeated and not keep_repeated:
                    continue
                revision = 1 if last is None else last.revision + 1
                connection.execute(labels.insert().values(**{**dict(label), "revision": revision}))
                added += 1
        return added

    def labels(self, item_keys: Sequence[str] | None = None, *, column: str | None = None) -> list[Label]:
        queries = [select(labels)]
        if item_keys is not None:
            parts = (item_keys[start : start + LOOKUP] for start in range(0, len(item_keys), LOOKUP))
            queries = [select(labels).where(labels.c.item_key.in_(part)) for part in parts]
        found: list[Label] = []
        with self._database.connect() as connection:
            for query in queries:
                chosen = query if column is None else query.where(labels.c.column == column)
                found += [Label.model_validate(dict(row)) for row in connection.execute(chosen).mappings()]
        return sorted(found, key=lambda each: (each.item_key, each.column, each.rater, each.revision))

    def rated(self, assessment_id: str) -> dict[str, int]:
        same = (labels.c.item_key == marks.c.item_key, labels.c.column == marks.c.column)
        # From the ratings, of which there are few: a join began with all marks, 24 ms of 60,000 for each page.
        is_judged = exists().where(marks.c.assessment_id == assessment_id, *same)
        query = select(labels.c.column, func.count(labels.c.item_key.distinct())).where(is_judged)
        query = query.group_by(labels.c.column)
        with self._database.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def add_draw(self, draw: LabelDraw) -> None:
        row = {"id": draw.id, "assessment_id": draw.assessment_id, "created_at": draw.created_at}
        self._database.change(label_draws.insert().values(**row, draw=draw.model_dump(mode="json")))

    def draw(self, draw_id: str) -> LabelDraw:
        found = self._draws(label_draws.c.id == draw_id)
        if not found:
            raise NotFoundError(sentence("labels.no-draw-id", draw=draw_id))
        return found[0]

    def draws(self, assessment_id: str) -> list[LabelDraw]:
        return self._draws(label_draws.c.assessment_id == assessment_id)

    def reserve(self, queue: str, places: Sequence[str], rater: str, *, ttl_s: float) -> str | None:
        table = reserved_places
        with self._database.begin() as connection:
            # Two raters who each give up the place that the other one asks for would wait for each other.
            self._database.one_at_a_time(connection, queue)
            now = self._database.seconds(connection)
            earlier = and_(table.c.queue == queue, table.c.rater == rater)
            connection.execute(delete(table).where(or_(table.c.until < now, earlier)))
            for place in places:
                row = {"queue": queue, "place": place, "rater": rater, "until": now + ttl_s}
                # PostgreSQL's driver counts no rows of such an insertion: what it returns says whether there was one.
                new = (
                    self._database.insert(table)
                    .values(**row)
                    .on_conflict_do_nothing(index_elements=[table.c.queue, table.c.place])
                    .returning(table.c.place)
                )
                if connection.execute(new).scalar_one_or_none() is not None:
                    return place
        return None

    def reserved(self, queue: str) -> dict[str, str]:
        table = reserved_places
        with self._database.connect() as connection:
            now = self._database.seconds(connection)
            query = select(table).where(table.c.queue == queue, table.c.until >= now)
            return {row.place: row.rater for row in connection.execute(query)}

    def free(self, queue: str, place: str, rater: str) -> None:
        table = reserved_places
        mine = table.c.queue == queue, table.c.place == place, table.c.rater == rater
        self._database.change(delete(table).where(*mine))

    def _draws(self, wanted: ColumnElement[bool]) -> list[LabelDraw]:
        query = select(label_draws.c.draw).where(wanted).order_by(label_draws.c.created_at.desc(), label_draws.c.id)
        return [LabelDraw.model_validate(row) for row in self._database.values(query)]


def judgement_row(fact: JudgementFact) -> dict[str, Any]:
    """Return the columns of a judgement."""
    return fact.judgement.model_dump(mode="json")


def mark_row(fact: MarkFact) -> dict[str, Any]:
    """Return the columns of a mark."""
    return fact.mark.model_dump(mode="json")
