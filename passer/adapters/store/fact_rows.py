"""Rows of facts: what `EvaluationStore.record` inserts, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Table

from passer.adapters.store.arena import game_row
from passer.adapters.store.database import insert_for
from passer.adapters.store.drafting import draft_row
from passer.adapters.store.judging import judgement_row, mark_row
from passer.adapters.store.judging_tables import drafts, games, judgements, marks
from passer.adapters.store.rankings import ranking_row, sweep_ranking_row
from passer.adapters.store.schema import answers, evaluations, pairs, passages, prompts, rankings, sweep_rankings
from passer.domain.run import Evaluation
from passer.domain.score import Score
from passer.domain.wording.sentence import stored
from passer.ports import (
    AnswerFact,
    DraftFact,
    EvaluationFact,
    Fact,
    GameFact,
    JudgementFact,
    MarkFact,
    PairFact,
    PromptFact,
    RankingFact,
)


@cache
def insert_of(dialect: str, table: Table, *, replaces: bool) -> Any:
    """Return the insert statement; building one takes longer than executing it."""
    insert: Any = insert_for(dialect, table)
    keys = [column.name for column in table.primary_key]
    # Keys are digests of contents: a row that is there says the same, and the first one stays.
    if not replaces:
        return insert.on_conflict_do_nothing(index_elements=keys)
    changed = {column.name: insert.excluded[column.name] for column in table.c if column.name not in keys}
    # A scored evaluation is final: a process that lost its lease while suspended must not overwrite it.
    return insert.on_conflict_do_update(index_elements=keys, set_=changed, where=table.c.state != "scored")


def rows_of(facts: Sequence[Fact]) -> list[tuple[Table, list[dict[str, Any]], bool]]:
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
                # Rows of one statement need the same columns, and a younger field at its default is left out of a dump.
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
