"""What runs leave behind: rankings, prompts, answers, scored pairs, evaluations; committed together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, delete, func, select, update

from passer.adapters.store.database import Database, insert_for
from passer.adapters.store.run_outcomes import outcomes_of
from passer.adapters.store.run_scores import scores_of
from passer.adapters.store.schema import answers, evaluations, pairs, passages, prompts, rankings, runs
from passer.domain.answer import Answer, Message, ModelTimings, Prompt
from passer.domain.retrieval import Ranking, RetrievedPassage
from passer.domain.run import Evaluation, Model, RunState
from passer.domain.score import Score
from passer.ports import (
    AnswerFact,
    BareRanking,
    Effort,
    EvaluationFact,
    Fact,
    Outcome,
    PairFact,
    PromptFact,
    RankingFact,
    RunScores,
)

LOOKUP = 500
"""Keys per query: below every database's limit on bound parameters."""
NEWEST_RUNS, NEWEST_ANSWERS = 20, 500
"""How far back the speed of a model is looked up."""
_PROMPTED = evaluations.c.prompt_digest.is_not(None) & evaluations.c.state.in_(["answered", "scored"])


class DatabaseEvaluations:
    """ports.EvaluationStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, facts: Sequence[Fact]) -> None:
        """Commit facts together, in order; each is idempotent."""
        with self._database.begin() as connection:
            for table, rows, replaces in _rows(facts):
                connection.execute(_insert(self._database.dialect, table, replaces=replaces), rows)

    def evaluations(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int | None = None,
        with_scores: bool = True,
        failed_only: bool = False,
    ) -> list[Evaluation]:
        """In dataset order, after that number; `failed_only` leaves out all that have an answer."""
        query = select(evaluations)
        if with_scores:
            query = select(evaluations, pairs.c.scores).outerjoin(pairs, pairs.c.key == evaluations.c.pair_key)
        query = query.where(evaluations.c.run_id == run_id, evaluations.c.number > after)
        if failed_only:
            query = query.where(evaluations.c.state == "failed")
        with self._database.connect() as connection:
            rows = connection.execute(query.order_by(evaluations.c.number).limit(limit)).mappings()
            return [_evaluation(row) for row in rows]

    def run_scores(self, run_id: str) -> RunScores:
        """All of a run's scores at once, as arrays: for comparing many questions."""
        with self._database.connect() as connection:
            return scores_of(connection, run_id, self._database.scores)

    def outcomes(self, run_id: str) -> list[Outcome]:
        """What became of each question of a run, in dataset order, without texts."""
        with self._database.connect() as connection:
            return outcomes_of(connection, run_id)

    def rankings(self, sweep_id: str, collection: str, *, question_id: str | None = None) -> dict[str, Ranking]:
        """Stored rankings by question id; of one question alone where it is named."""
        query = select(rankings).where(rankings.c.sweep_id == sweep_id, rankings.c.collection == collection)
        if question_id is not None:
            query = query.where(rankings.c.question_id == question_id)
        with self._database.connect() as connection:
            rows = connection.execute(query).all()
            wanted = {passage_id for row in rows for passage_id, _ in row.passages}
            found = _by_key(connection, passages, "id", sorted(wanted))
        return {row.question_id: _ranking(row, found) for row in rows}

    def bare_rankings(
        self, sweep_id: str, collection: str, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        """Those of these questions that exist, or all, without the passages' texts."""
        mine = select(rankings).where(rankings.c.sweep_id == sweep_id, rankings.c.collection == collection)
        queries = [mine]
        if question_ids is not None:
            parts = (question_ids[start : start + LOOKUP] for start in range(0, len(question_ids), LOOKUP))
            queries = [mine.where(rankings.c.question_id.in_(part)) for part in parts]
        with self._database.connect() as connection:
            return {row.question_id: _bare_ranking(row) for query in queries for row in connection.execute(query)}

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        """Those that exist."""
        with self._database.connect() as connection:
            found = _by_key(connection, answers, "key", keys)
        return {
            key: Answer(**{**row, "timings": ModelTimings.model_validate(row["timings"])}) for key, row in found.items()
        }

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        """Scores of those pairs that exist."""
        with self._database.connect() as connection:
            found = _by_key(connection, pairs, "key", keys)
        return {key: _scores(row["scores"]) for key, row in found.items()}

    def scoring_times(self, keys: Sequence[str]) -> dict[str, float]:
        """Seconds that scoring those pairs that exist took, each its share of a batch."""
        with self._database.connect() as connection:
            found = _by_key(connection, pairs, "key", keys)
        return {key: float(row["scoring_s"]) for key, row in found.items()}

    def prompt(self, digest: str) -> Prompt | None:
        """A prompt as it was sent."""
        with self._database.connect() as connection:
            row = connection.execute(select(prompts).where(prompts.c.digest == digest)).one_or_none()
        if row is None:
            return None
        messages = tuple(Message.model_validate(message) for message in row.messages)
        return Prompt(template=row.template, template_digest=row.template_digest, messages=messages)

    def reopen(self, run_ids: Sequence[str]) -> int:
        """Forget failed evaluations of these runs and queue the runs again, together; how many there were."""
        failed = evaluations.c.run_id.in_(run_ids) & (evaluations.c.state == "failed")
        queued = {"state": RunState.QUEUED.value, "reason": None, "held": False, "finished_at": None}
        with self._database.begin() as connection:
            connection.execute(update(runs).where(runs.c.id.in_(run_ids)).values(queued))
            return connection.execute(delete(evaluations).where(failed)).rowcount

    def generation_times(self, model: Model) -> list[float]:
        """Seconds of up to 500 answers that this model was asked for, from its newest 20 runs; in no order."""
        recorded = [runs.c.config[("model", name)].as_string() for name in ("provider", "name", "base_url")]
        given = (model.provider, model.name, model.base_url)
        same = [column.is_not_distinct_from(value) for column, value in zip(recorded, given, strict=True)]
        begun = select(runs.c.id).where(*same, runs.c.started_at.is_not(None))
        newest = begun.order_by(runs.c.started_at.desc(), runs.c.id).limit(NEWEST_RUNS)
        asked = evaluations.c.run_id.in_(newest) & _PROMPTED & evaluations.c.reused.is_(False)
        joined = evaluations.join(answers, answers.c.key == evaluations.c.answer_key)
        query = select(answers.c.generation_s).select_from(joined).where(asked).limit(NEWEST_ANSWERS)
        with self._database.connect() as connection:
            return list(connection.execute(query).scalars())

    def effort(self, sweep_id: str) -> Effort:
        """What a sweep has taken so far."""
        mine = evaluations.c.run_id.in_(select(runs.c.id).where(runs.c.sweep_id == sweep_id))
        counts = select(
            func.count().filter(_PROMPTED).label("prompted"),
            func.count().filter(_PROMPTED & evaluations.c.reused.is_(False)).label("generated"),
            func.count().filter(evaluations.c.state == "scored").label("scored"),
            func.count(evaluations.c.pair_key.distinct()).label("pairs"),
        ).where(mine)
        looked_up = select(func.count()).select_from(rankings).where(rankings.c.sweep_id == sweep_id)
        with self._database.connect() as connection:
            found = connection.execute(counts).mappings().one()
            return Effort(rankings=connection.execute(looked_up).scalar_one(), **found)


@cache
def _insert(dialect: str, table: Table, *, replaces: bool) -> Any:
    """What puts rows in; making it takes longer than using it."""
    insert: Any = insert_for(dialect, table)
    keys = [column.name for column in table.primary_key]
    if not replaces:
        return insert.on_conflict_do_nothing(index_elements=keys)
    changed = {column.name: insert.excluded[column.name] for column in table.c if column.name not in keys}
    # A scored evaluation is final: a process that was held up and has lost its lease must not take it back.
    return insert.on_conflict_do_update(index_elements=keys, set_=changed, where=table.c.state != "scored")


def _rows(facts: Sequence[Fact]) -> list[tuple[Table, list[dict[str, Any]], bool]]:
    """Rows by table, in an order in which nothing points at what is not there yet."""
    grouped: dict[str, list[dict[str, Any]]] = {}

    def put(table: Table, row: dict[str, Any]) -> None:
        grouped.setdefault(table.name, []).append(row)

    for fact in facts:
        match fact:
            case RankingFact():
                for passage in fact.ranking.passages:
                    put(passages, passage.model_dump(exclude={"rank", "similarity"}))
                put(rankings, _ranking_row(fact))
            case PromptFact(prompt=prompt):
                put(prompts, {**prompt.model_dump(mode="json"), "digest": prompt.digest})
            case AnswerFact(answer=answer):
                put(answers, answer.model_dump(mode="json"))
            case PairFact():
                scores = {name: _stored(score) for name, score in fact.scores.items()}
                put(pairs, {"key": fact.key, "scores": scores, "scoring_s": fact.scoring_s})
            case EvaluationFact(evaluation=evaluation):
                put(evaluations, _evaluation_row(evaluation))
    order = (passages, rankings, prompts, answers, pairs, evaluations)
    return [(table, grouped[table.name], table is evaluations) for table in order if table.name in grouped]


def _ranking_row(fact: RankingFact) -> dict[str, Any]:
    return {
        "sweep_id": fact.sweep_id,
        "collection": fact.collection,
        "question_id": fact.question_id,
        "passages": [[passage.id, passage.similarity] for passage in fact.ranking.passages],
        "gold_ids": None if fact.ranking.gold_ids is None else list(fact.ranking.gold_ids),
        "embedding_s": fact.ranking.embedding_s,
        "retrieval_s": fact.ranking.retrieval_s,
    }


def _evaluation_row(evaluation: Evaluation) -> dict[str, Any]:
    row = evaluation.model_dump(mode="json", exclude={"kept", "scores"})
    return {**row, "kept_first": evaluation.kept[0], "kept_last": evaluation.kept[1]}


def _evaluation(row: Any) -> Evaluation:
    plain = dict(row)
    scores = plain.pop("scores", None)
    kept = (plain.pop("kept_first"), plain.pop("kept_last"))
    return Evaluation(**plain, kept=kept, scores=_scores(scores) if scores else None)


def _stored(score: Score) -> float | str | list[float | str] | None:
    """A score as its number, as its reason, or as its number with a note: a third of the room of the whole model."""
    if score.note is not None and score.value is not None:
        return [score.value, score.note]
    return score.reason if score.value is None else score.value


def _scores(stored: dict[str, Any]) -> dict[str, Score]:
    return {name: _score(value) for name, value in stored.items()}


def _score(stored: Any) -> Score:
    if isinstance(stored, list):
        return Score(value=stored[0], note=stored[1])
    return Score(value=None, reason=stored) if isinstance(stored, str) else Score(value=stored)


def _bare_ranking(row: Any) -> BareRanking:
    passages = tuple((key, similarity) for key, similarity in row.passages)
    return BareRanking(passages, _gold(row), row.embedding_s, row.retrieval_s)


def _gold(row: Any) -> tuple[str, ...] | None:
    return None if row.gold_ids is None else tuple(row.gold_ids)


def _ranking(row: Any, found: dict[str, dict[str, Any]]) -> Ranking:
    listed = enumerate(row.passages, start=1)
    kept = tuple(RetrievedPassage(**found[key], rank=rank, similarity=near) for rank, (key, near) in listed)
    return Ranking(passages=kept, gold_ids=_gold(row), embedding_s=row.embedding_s, retrieval_s=row.retrieval_s)


def _by_key(connection: Connection, table: Table, key: str, wanted: Sequence[str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(wanted), LOOKUP):
        query = select(table).where(table.c[key].in_(wanted[start : start + LOOKUP]))
        found.update((row[key], dict(row)) for row in connection.execute(query).mappings())
    return found
