"""Rankings: searches that sweeps share, and which of them each sweep uses.

A search is stored once under its source, the digest of the question's text, and its depth, and never changes; a deeper
search is another row. A sweep refers to the searches it uses, with the number of passages it may see and with the gold
passages of its own dataset. No column names a project: each has a database of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, Row, Select, Text, cast, select

from passer.adapters.store.database import LOOKUP, by_key
from passer.adapters.store.schema import passages, rankings, sweep_rankings
from passer.domain.retrieval.passages import Ranking, RetrievedPassage, Rewriting
from passer.domain.retrieval.retriever import RankedBy
from passer.ports import BareRanking, RankingFact, SearchAddress, SharedRanking

_ADDRESS = ("source", "question", "depth")
BARE = (cast(rankings.c.passages, Text).label("listed"), *rankings.c["embedding_s", "retrieval_s", "rewriting"])
"""Passages as text, which pydantic reads several times as fast as the database's driver: a sweep has thousands."""


def used_rankings(
    sweep_id: str,
    ranked_by: RankedBy,
    question_ids: Sequence[str] | None = None,
    *,
    columns: Sequence[Any] = (rankings,),
) -> list[Select[Any]]:
    """Return queries of the searches that a sweep uses, one for each question; BARE are the columns of a bare one."""
    own = sweep_rankings.c
    same = [own[name] == rankings.c[name] for name in _ADDRESS]
    mine = (
        select(*columns, own.question_id, own.shown, own.gold_ids)
        .select_from(sweep_rankings.join(rankings, same[0] & same[1] & same[2]))
        .where(own.sweep_id == sweep_id, own.collection == ranked_by.collection, own.retriever == ranked_by.retriever)
    )
    if question_ids is None:
        return [mine]
    parts = (question_ids[start : start + LOOKUP] for start in range(0, len(question_ids), LOOKUP))
    return [mine.where(own.question_id.in_(part)) for part in parts]


def found_in(connection: Connection, source: str, questions: Sequence[str], depth: int) -> dict[str, SharedRanking]:
    """Return for each question the shallowest search of a source that is deep enough, cut to `depth`."""
    deep_enough = select(rankings).where(rankings.c.source == source, rankings.c.depth >= depth)
    rows: dict[str, Row[Any]] = {}
    for start in range(0, len(questions), LOOKUP):
        part = deep_enough.where(rankings.c.question.in_(questions[start : start + LOOKUP]))
        # The deepest first: the shallowest one that is deep enough is read last and stays.
        for row in connection.execute(part.order_by(rankings.c.depth.desc())):
            rows[row.question] = row
    found = with_texts(connection, list(rows.values()), depth=depth)
    return {
        question: SharedRanking(SearchAddress(source, question, row.depth), ranking)
        for (question, row), ranking in zip(rows.items(), found, strict=True)
    }


def with_texts(connection: Connection, rows: Sequence[Row[Any]], *, depth: int | None = None) -> list[Ranking]:
    """Return rankings with the texts of their passages, in the rows' order; `depth` cuts rows without a depth."""
    listed = [_shown(row) if depth is None else row.passages[:depth] for row in rows]
    texts = by_key(connection, passages, "id", sorted({key for each in listed for key, *_ in each}))
    return [
        Ranking(
            passages=tuple(
                RetrievedPassage(**texts[key], rank=rank, similarity=near, score=score[0] if score else None)
                for rank, (key, near, *score) in enumerate(each, start=1)
            ),
            gold_ids=_gold(row) if depth is None else None,
            embedding_s=row.embedding_s,
            retrieval_s=row.retrieval_s,
            rewriting=_rewriting(row),
        )
        for row, each in zip(rows, listed, strict=True)
    ]


def bare_ranking(row: Row[Any]) -> BareRanking:
    """Return a ranking without the texts of its passages."""
    near = tuple([(key, similarity) for key, similarity, *_ in from_json(row.listed)[: row.shown]])
    return BareRanking(near, _gold(row), row.embedding_s, row.retrieval_s, _rewriting(row))


def ranking_row(fact: RankingFact) -> dict[str, Any]:
    """Return the row of a search."""
    ranking = fact.ranking
    return {
        **_address(fact)._asdict(),
        "passages": [_place(passage) for passage in ranking.passages],
        "embedding_s": ranking.embedding_s,
        "retrieval_s": ranking.retrieval_s,
        "rewriting": None if ranking.rewriting is None else ranking.rewriting.model_dump(mode="json"),
    }


def sweep_ranking_row(fact: RankingFact) -> dict[str, Any]:
    """Return the row that says that a sweep uses a search."""
    return {
        "sweep_id": fact.sweep_id,
        **fact.ranked_by._asdict(),
        "question_id": fact.question_id,
        **_address(fact)._asdict(),
        # A deeper search of another sweep shows no more here than a search of this sweep's own would.
        "shown": len(fact.ranking.passages) if fact.reused else None,
        "gold_ids": None if fact.ranking.gold_ids is None else list(fact.ranking.gold_ids),
        "reused": fact.reused,
    }


def _address(fact: RankingFact) -> SearchAddress:
    """Return the address of a search; one that is not shared has an address that only this sweep can compute."""
    # Migration 0005 gives the same address to searches from before sweeps shared them.
    own = f"{fact.sweep_id}/{fact.ranked_by.collection}/{fact.ranked_by.retriever}"
    return fact.at or SearchAddress(own, fact.question_id, 0)


def _place(passage: RetrievedPassage) -> list[str | float]:
    """Return a passage's id and similarity, and its score if the order is not that of the similarity."""
    place: list[str | float] = [passage.id, passage.similarity]
    return place if passage.score is None else [*place, passage.score]


def _shown(row: Row[Any]) -> list[list[Any]]:
    found: list[list[Any]] = row.passages[: row.shown]
    return found


def _rewriting(row: Row[Any]) -> Rewriting | None:
    return None if row.rewriting is None else Rewriting.model_validate(row.rewriting)


def _gold(row: Row[Any]) -> tuple[str, ...] | None:
    return None if row.gold_ids is None else tuple(row.gold_ids)
