"""Rankings, prompts, answers, scored pairs and evaluations, committed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import delete, func, select, update

from passer.adapters.store.database import Database
from passer.adapters.store.fact_rows import insert_of, rows_of
from passer.adapters.store.judging_tables import assessments
from passer.adapters.store.rankings import BARE, bare_ranking, found_in, used_rankings, with_texts
from passer.adapters.store.run_scores import finished_at
from passer.adapters.store.run_tables import keep_run_table, outcomes_of, scores_of
from passer.adapters.store.schema import answers, evaluations, pairs, prompts, runs, sweep_rankings
from passer.adapters.store.table_parts import LOOKUP, by_key
from passer.domain.answer import Answer, ModelTimings, Prompt
from passer.domain.chat import Message
from passer.domain.model import Model
from passer.domain.outside import OutsidePassage
from passer.domain.retrieval import Ranking
from passer.domain.retriever import RankedBy
from passer.domain.run import Evaluation, RunState
from passer.domain.score import Score
from passer.domain.wording.sentence import restored
from passer.ports import BareRanking, Effort, Fact, FoundRanking, Outcome, RunScores, SpentFact

NEWEST_RUNS, NEWEST_ANSWERS = 20, 500
"""Runs, and answers of them, that give a model's speed."""
_SCORES = TypeAdapter(dict[str, Score])
MODEL_IDENTITY = ("provider", "name", "base_url", "connection")
_PROMPTED = evaluations.c.prompt_digest.is_not(None) & evaluations.c.state.in_(["answered", "scored"])


class DatabaseEvaluations:
    """ports.EvaluationStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, facts: Sequence[Fact]) -> None:
        # One transaction for all of them: an answer is never stored without the evaluations that waited for it.
        with self._database.begin() as connection:
            for table, rows, replaces in rows_of(facts):
                connection.execute(insert_of(self._database.dialect, table, replaces=replaces), rows)
            for fact in facts:
                if isinstance(fact, SpentFact):
                    spent = fact.spent.model_dump(mode="json")
                    mine = assessments.c.id == fact.assessment_id
                    connection.execute(update(assessments).where(mine).values(spent=spent))

    def evaluations(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int | None = None,
        with_scores: bool = True,
        failed_only: bool = False,
    ) -> list[Evaluation]:
        query = select(evaluations)
        if with_scores:
            query = select(evaluations, pairs.c.scores).outerjoin(pairs, pairs.c.key == evaluations.c.pair_key)
        query = query.where(evaluations.c.run_id == run_id, evaluations.c.number > after)
        if failed_only:
            query = query.where(evaluations.c.state == "failed")
        with self._database.connect() as connection:
            rows = connection.execute(query.order_by(evaluations.c.number).limit(limit)).mappings()
            return [_evaluation(row) for row in rows]

    def evaluations_of_question(self, run_ids: Sequence[str], number: int) -> list[Evaluation]:
        of_question = (evaluations.c.run_id.in_(run_ids), evaluations.c.number == number)
        with self._database.connect() as connection:
            return [_evaluation(row) for row in connection.execute(select(evaluations).where(*of_question)).mappings()]

    def run_scores(self, run_id: str) -> RunScores:
        with self._database.connect() as connection:
            at = finished_at(connection, run_id)
        known = None if at is None else self._database.scores.get((run_id, at))
        if known is not None:
            return known
        # Runs of earlier versions have no table before they are read for the first time.
        keep_run_table(self._database, run_id)
        with self._database.connect() as connection:
            return scores_of(connection, run_id, self._database)

    def outcomes(self, run_id: str) -> list[Outcome]:
        keep_run_table(self._database, run_id)
        with self._database.connect() as connection:
            return outcomes_of(connection, run_id)

    def rankings(self, sweep_id: str, ranked_by: RankedBy, *, question_id: str | None = None) -> dict[str, Ranking]:
        query = used_rankings(sweep_id, ranked_by)
        if question_id is not None:
            query = query.where(sweep_rankings.c.question_id == question_id)
        with self._database.connect() as connection:
            rows = connection.execute(query).all()
            found = with_texts(connection, rows)
        return {row.question_id: ranking for row, ranking in zip(rows, found, strict=True)}

    def bare_rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        mine = used_rankings(sweep_id, ranked_by, columns=BARE)
        queries = [mine]
        if question_ids is not None:
            parts = (question_ids[start : start + LOOKUP] for start in range(0, len(question_ids), LOOKUP))
            queries = [mine.where(sweep_rankings.c.question_id.in_(part)) for part in parts]
        with self._database.connect() as connection:
            return {row.question_id: bare_ranking(row) for query in queries for row in connection.execute(query)}

    def found_rankings(self, source: str, questions: Sequence[str], *, depth: int) -> dict[str, FoundRanking]:
        with self._database.connect() as connection:
            return found_in(connection, source, questions, depth)

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        with self._database.connect() as connection:
            found = by_key(connection, answers, "key", keys)
        return {key: _answer(row) for key, row in found.items()}

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        with self._database.connect() as connection:
            found = by_key(connection, pairs, "key", keys)
        return {key: _scores(row["scores"]) for key, row in found.items()}

    def scoring_times(self, keys: Sequence[str]) -> dict[str, float]:
        with self._database.connect() as connection:
            found = by_key(connection, pairs, "key", keys)
        return {key: float(row["scoring_s"]) for key, row in found.items()}

    def prompt(self, digest: str) -> Prompt | None:
        with self._database.connect() as connection:
            row = connection.execute(select(prompts).where(prompts.c.digest == digest)).one_or_none()
        if row is None:
            return None
        messages = tuple(Message.model_validate(message) for message in row.messages)
        return Prompt(template=row.template, template_digest=row.template_digest, messages=messages)

    def reopen(self, run_ids: Sequence[str]) -> int:
        """Forget failed evaluations of these runs and queue the runs again, together; how many there were."""
        # Together: a queued run that still has its failed evaluations would have nothing left to do.
        failed = evaluations.c.run_id.in_(run_ids) & (evaluations.c.state == "failed")
        queued = {"state": RunState.QUEUED.value, "reason": None, "held": False, "finished_at": None}
        with self._database.begin() as connection:
            connection.execute(update(runs).where(runs.c.id.in_(run_ids)).values(queued))
            return connection.execute(delete(evaluations).where(failed)).rowcount

    def generation_times(self, model: Model) -> list[tuple[float, ModelTimings]]:
        """Seconds of up to 500 answers that this model was asked for, from its newest 20 runs; in no order."""
        recorded = [runs.c.config[("model", name)].as_string() for name in MODEL_IDENTITY]
        given = [getattr(model, name) for name in MODEL_IDENTITY]
        # Not `=`: most models have no address or connection, and NULL equals nothing.
        same = [column.is_not_distinct_from(value) for column, value in zip(recorded, given, strict=True)]
        begun = select(runs.c.id).where(*same, runs.c.started_at.is_not(None))
        newest = begun.order_by(runs.c.started_at.desc(), runs.c.id).limit(NEWEST_RUNS)
        asked = evaluations.c.run_id.in_(newest) & _PROMPTED & evaluations.c.reused.is_(False)
        joined = evaluations.join(answers, answers.c.key == evaluations.c.answer_key)
        query = select(answers.c.generation_s, answers.c.timings).select_from(joined).where(asked).limit(NEWEST_ANSWERS)
        with self._database.connect() as connection:
            rows = connection.execute(query).all()
        return [(seconds, ModelTimings.model_validate(timings)) for seconds, timings in rows]

    def effort(self, sweep_id: str) -> Effort:
        mine = evaluations.c.run_id.in_(select(runs.c.id).where(runs.c.sweep_id == sweep_id))
        counts = select(
            func.count().filter(_PROMPTED).label("prompted"),
            func.count().filter(_PROMPTED & evaluations.c.reused.is_(False)).label("generated"),
            func.count().filter(evaluations.c.state == "scored").label("scored"),
            func.count(evaluations.c.pair_key.distinct()).label("pairs"),
        ).where(mine)
        own = (sweep_rankings.c.sweep_id == sweep_id) & sweep_rankings.c.reused.is_(False)
        looked_up = select(func.count()).select_from(sweep_rankings).where(own)
        with self._database.connect() as connection:
            found = connection.execute(counts).mappings().one()
            return Effort(rankings=connection.execute(looked_up).scalar_one(), **found)


def _evaluation(row: Any) -> Evaluation:
    plain = dict(row)
    scores = plain.pop("scores", None)
    kept = (plain.pop("kept_first"), plain.pop("kept_last"))
    reason = plain.pop("reason", None)
    plain["reason"] = None if reason is None else restored(reason)
    return Evaluation(**plain, kept=kept, scores=_scores(scores) if scores else None)


def _answer(row: Mapping[str, Any]) -> Answer:
    passages = tuple(OutsidePassage.model_validate(each) for each in row["passages"] or ())
    return Answer(**{**row, "timings": ModelTimings.model_validate(row["timings"]), "passages": passages})


def _scores(stored: dict[str, Any]) -> dict[str, Score]:
    # In one call: a page of a run has more than a thousand scores.
    return _SCORES.validate_python({name: _fields(value) for name, value in stored.items()})


def _fields(stored: Any) -> dict[str, Any]:
    if isinstance(stored, list):
        return {"value": stored[0], "note": stored[1]}
    return {"value": None, "reason": stored} if isinstance(stored, str) else {"value": stored}
