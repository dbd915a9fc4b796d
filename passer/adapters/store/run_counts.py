"""Progress of runs, counted from their evaluations; a finished run is counted only once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from passer.adapters.store.schema import answers, evaluations
from passer.domain.lru_cache import LruCache
from passer.domain.sweeps.run import RunState

Counts = dict[str, int]
Cache = LruCache[tuple[str, datetime], Counts]
"""Counts by run id and time of finishing."""


def counts_of(connection: Connection, rows: Sequence[Row[Any]], finished: Cache) -> dict[str, Counts]:
    """Return counts by run id for rows of the runs' table; runs without evaluations are absent.

    Nothing is added to a finished run until it is opened again, and then it finishes at another time.
    """
    keys = {row.id: (row.id, row.finished_at) for row in rows if row.state == RunState.FINISHED.value}
    known = {run_id: counts for run_id, key in keys.items() if (counts := finished.get(key)) is not None}
    counted = _counted(connection, [row.id for row in rows if row.id not in known])
    for run_id in counted.keys() & keys.keys():
        finished.put(keys[run_id], counted[run_id])
    return {**known, **counted}


def _counted(connection: Connection, run_ids: Sequence[str]) -> dict[str, Counts]:
    def count(condition: Any) -> Any:
        return func.count().filter(condition)

    if not run_ids:
        return {}
    state, joined = evaluations.c.state, evaluations.outerjoin(answers, answers.c.key == evaluations.c.answer_key)
    query = (
        select(
            evaluations.c.run_id,
            count(state.in_(["answered", "scored"])).label("answered"),
            count(state == "scored").label("scored"),
            count(state == "failed").label("failed"),
            count(evaluations.c.kept_first == evaluations.c.kept_last).label("uncovered"),
            count(answers.c.abstained).label("abstained"),
            count(answers.c.truncated.is_not(None)).label("truncated"),
            count(evaluations.c.reused).label("reused"),
        )
        .select_from(joined)
        .where(evaluations.c.run_id.in_(run_ids))
        .group_by(evaluations.c.run_id)
    )
    found = {}
    for row in connection.execute(query).mappings():
        found[str(row["run_id"])] = {name: int(value) for name, value in row.items() if name != "run_id"}
    return found
