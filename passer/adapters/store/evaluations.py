"""Rankings, prompts, answers, scored pairs and evaluations, committed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Table, delete, select, update

from passer.adapters.store.arena import game_row
from passer.adapters.store.database import Database, by_key, insert_for
from passer.adapters.store.drafting import draft_row
from passer.adapters.store.efforts import effort_of, generation_times
from passer.adapters.store.judging import judgement_row, mark_row
from passer.adapters.store.judging_tables import assessments, drafts, games, judgements, marks
from passer.adapters.store.rankings import (
    BARE,
    bare_ranking,
    found_in,
    ranking_row,
    sweep_ranking_row,
    used_rankings,
    with_texts,
)
from passer.adapters.store.run_scores import finished_at
from passer.adapters.store.run_tables import keep_run_table, outcomes_of, scores_of
from passer.adapters.store.schema import answers, evaluations, pairs, passages, prompts, rankings, runs, sweep_rankings
from passer.domain.models.answer import Answer, ModelTimings, Prompt
from passer.domain.models.chat import Message
from passer.domain.models.model import Model
from passer.domain.models.outside import OutsidePassage
from passer.domain.retrieval.passages import Ranking
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import Score
from passer.domain.sweeps.run import Evaluation, RunState
from passer.domain.wording.sentence import restored, stored
from passer.ports import (
    AnswerFact,
    BareRanking,
    DraftFact,
    Effort,
    EvaluationFact,
    Fact,
    GameFact,
    JudgementFact,
    MarkFact,
    Outcome,
    PairFact,
    PromptFact,
    RankingFact,
    RunScores,
    SharedRanking,
    SpentFact,
)

_SCORES = TypeAdapter(dict[str, Score])


class DatabaseEvaluations:
    """ports.EvaluationStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, facts: Sequence[Fact]) -> None:
        # One transaction for all of them: an answer is never stored without the evaluations that waited for it.
        with self._database.begin() as connection:
            for table, rows, replaces in _rows_of(facts):
                connection.execute(_insert_of(self._database.dialect, table, replaces=replaces), rows)
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

    def rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, Ranking]:
        with self._database.connect() as connection:
            queries = used_rankings(sweep_id, ranked_by, question_ids)
            rows = [row for query in queries for row in connection.execute(query)]
            found = with_texts(connection, rows)
        return {row.question_id: ranking for row, ranking in zip(rows, found, strict=True)}

    def bare_rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        queries = used_rankings(sweep_id, ranked_by, question_ids, columns=BARE)
        with self._database.connect() as connection:
            return {row.question_id: bare_ranking(row) for query in queries for row in connection.execute(query)}

    def ranked_questions(self, sweep_id: str, ranked_by: RankedBy) -> set[str]:
        [query] = used_rankings(sweep_id, ranked_by)
        with self._database.connect() as connection:
            return set(connection.execute(query.with_only_columns(sweep_rankings.c.question_id)).scalars())

    def found_rankings(self, source: str, questions: Sequence[str], *, depth: int) -> dict[str, SharedRanking]:
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
            # Without the scores: reading their JSON takes longer than all else.
            found = by_key(connection, pairs, "key", keys, ("key", "scoring_s"))
        return {key: float(row["scoring_s"]) for key, row in found.items()}

    def prompt(self, digest: str) -> Prompt | None:
        with self._database.connect() as connection:
            row = connection.execute(select(prompts).where(prompts.c.digest == digest)).one_or_none()
        if row is None:
            return None
        messages = tuple(Message.model_validate(message) for message in row.messages)
        return Prompt(template=row.template, template_digest=row.template_digest, messages=messages)

    def reopen(self, run_ids: Sequence[str]) -> int:
        """Delete the failed evaluations of these runs and queue the runs again, in one commit.

        Return the number of deleted evaluations.
        """
        # Together: a queued run that still has its failed evaluations would have nothing left to do.
        failed = evaluations.c.run_id.in_(run_ids) & (evaluations.c.state == "failed")
        queued = {"state": RunState.QUEUED.value, "reason": None, "held": False, "finished_at": None}
        with self._database.begin() as connection:
            connection.execute(update(runs).where(runs.c.id.in_(run_ids)).values(queued))
            return connection.execute(delete(evaluations).where(failed)).rowcount

    def generation_times(self, model: Model) -> list[tuple[float, ModelTimings]]:
        with self._database.connect() as connection:
            return generation_times(connection, model)

    def effort(self, sweep_id: str) -> Effort:
        with self._database.connect() as connection:
            return effort_of(connection, sweep_id)


@cache
def _insert_of(dialect: str, table: Table, *, replaces: bool) -> Any:
    """Return the insert statement; building one takes longer than executing it."""
    insert: Any = insert_for(dialect, table)
    keys = [column.name for column in table.primary_key]
    # Keys are digests of contents: a row that is there says the same, and the first one stays.
    if not replaces:
        return insert.on_conflict_do_nothing(index_elements=keys)
    changed = {column.name: insert.excluded[column.name] for column in table.c if column.name not in keys}
    # A scored evaluation is final: a process that lost its lease while suspended must not overwrite it.
    return insert.on_conflict_do_update(index_elements=keys, set_=changed, where=table.c.state != "scored")


def _rows_of(facts: Sequence[Fact]) -> list[tuple[Table, list[dict[str, Any]], bool]]:
    """Return rows by table in an order that satisfies the foreign keys."""
    grouped: dict[str, list[dict[str, Any]]] = {}

    def put(table: Table, row: dict[str, Any]) -> None:
        grouped.setdefault(table.name, []).append(row)

    for fact in facts:
        match fact:
            case RankingFact():
                put(sweep_rankings, sweep_ranking_row(fact))
                if not fact.reused:
                    for passage in fact.ranking.passages:
                        put(passages, passage.model_dump(exclude={"rank", "similarity", "score"}))
                    put(rankings, ranking_row(fact))
            case PromptFact(prompt=prompt):
                put(prompts, {**prompt.model_dump(mode="json"), "digest": prompt.digest})
            case AnswerFact(answer=answer):
                row = answer.model_dump(mode="json")
                # Rows of one statement need the same columns, and an added field at its default is left out of a dump.
                put(answers, {**row, "passages": row.get("passages")})
            case PairFact():
                scores = {name: _stored(score) for name, score in fact.scores.items()}
                put(pairs, {"key": fact.key, "scores": scores, "scoring_s": fact.scoring_s})
            case EvaluationFact(evaluation=evaluation):
                put(evaluations, _evaluation_row(evaluation))
            case JudgementFact():
                put(judgements, judgement_row(fact))
            case MarkFact():
                put(marks, mark_row(fact))
            case GameFact():
                put(games, game_row(fact))
            case DraftFact():
                put(drafts, draft_row(fact))
    order = (passages, rankings, sweep_rankings, prompts, answers, pairs, evaluations, judgements, marks, games, drafts)
    return [(table, grouped[table.name], table is evaluations) for table in order if table.name in grouped]


def _evaluation_row(evaluation: Evaluation) -> dict[str, Any]:
    row = evaluation.model_dump(mode="json", exclude={"kept", "scores", "reason"})
    reason = None if evaluation.reason is None else stored(evaluation.reason)
    return {**row, "reason": reason, "kept_first": evaluation.kept[0], "kept_last": evaluation.kept[1]}


def _stored(score: Score) -> float | str | list[float | str] | None:
    """Return a score as its number, its reason, or its number with a note: a third of the size of the whole model."""
    if score.note is not None and score.value is not None:
        return [score.value, score.note]
    return score.reason if score.value is None else score.value


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


def _scores(kept: dict[str, Any]) -> dict[str, Score]:
    # In one call: a page of a run has more than a thousand scores.
    return _SCORES.validate_python({name: _fields(value) for name, value in kept.items()})


def _fields(kept: Any) -> dict[str, Any]:
    if isinstance(kept, list):
        return {"value": kept[0], "note": kept[1]}
    return {"value": None, "reason": kept} if isinstance(kept, str) else {"value": kept}
