"""Column store of long finished runs for their analysis: reading them row by row takes seconds.

The rows stay what counts. A table belongs to one time of finishing, so that a run that is opened again gets another,
and everything can be computed without any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import numpy as np
from pydantic import TypeAdapter
from pydantic_core import from_json, to_json
from sqlalchemy import Column, Connection, Text, func, select
from sqlalchemy import cast as cast_to

from passer.adapters.store.database import Database
from passer.adapters.store.run_scores import finished_at, read_scores
from passer.adapters.store.schema import answers, evaluations, run_tables
from passer.domain.models.answer import ModelTimings
from passer.domain.score import VECTOR_ORDER, ScoreTable
from passer.domain.sweeps.run import PROMPT_TOO_LONG
from passer.domain.wording.sentence import code_of, restored
from passer.errors import StoreUnavailable
from passer.ports import Outcome, RunScores

_OF_ANSWER = (answers.c.abstained, answers.c.truncated, answers.c.generation_s, cast_to(answers.c.timings, Text))
_AT_ONCE = 2000
"""Timings read as one JSON text: each for itself takes three times as long."""
_TIMINGS = TypeAdapter(list[ModelTimings])


def read_outcomes(connection: Connection, run_id: str) -> list[Outcome]:
    """Return the state of each question of a run, in dataset order."""
    own = evaluations.c
    columns = own.number, own.question_id, own.state, own.kept_first, own.kept_last, own.prompt_digest, own.reason
    query = (
        select(*columns, *_OF_ANSWER)
        .outerjoin(answers, answers.c.key == own.answer_key)
        .where(own.run_id == run_id)
        .order_by(own.number)
    )
    rows = connection.execute(query).all()
    return [
        Outcome(
            number, question_id, state, (first, last), digest,
            abstained, truncated, generation_s, *tokens, _is_too_long(reason),
        )
        for (number, question_id, state, first, last, digest, reason, abstained, truncated, generation_s, _), tokens
        in zip(rows, _tokens([row[-1] for row in rows]), strict=True)
    ]  # fmt: skip


def _is_too_long(reason: str | None) -> bool:
    return reason is not None and code_of(restored(reason)) in PROMPT_TOO_LONG


def _tokens(timings: Sequence[str | None]) -> Iterator[tuple[int | None, int | None, int | None]]:
    """Return the server's counts of tokens: of the prompt, of the answer, and of the prompt as far as it was read."""
    for start in range(0, len(timings), _AT_ONCE):
        # Questions without an answer have no timings, but they need a place in the list.
        batch = ",".join(each or "{}" for each in timings[start : start + _AT_ONCE])
        for timing in _TIMINGS.validate_json(f"[{batch}]"):
            yield timing.prompt_eval_count, timing.eval_count, timing.read_count


FEWEST_STORED = 1000
"""Questions of a run that are worth a table: fewer are read in less than 50 ms."""
# Of one byte order on every machine: homes are copied, and a database may serve several machines.
_FLOAT = np.dtype("<f8")


def keep_run_table(database: Database, run_id: str) -> None:
    """Store a finished run's table unless it is short, or its table is stored; a full disk only leaves it out."""
    with suppress(StoreUnavailable):
        with database.connect() as connection:
            at = finished_at(connection, run_id)
            if at is None or _stored(connection, run_id, at, run_tables.c.run_id) or _is_short(connection, run_id):
                return
            row = {"run_id": run_id, "finished_at": at, **_packed(connection, run_id)}
        insert = database.insert(run_tables).values(row)
        # A run that was opened again has another time of finishing: its table replaces the one of before.
        changed = {name: insert.excluded[name] for name in row if name != "run_id"}
        with database.begin() as connection:
            connection.execute(insert.on_conflict_do_update(index_elements=["run_id"], set_=changed))


def outcomes_of(connection: Connection, run_id: str) -> list[Outcome]:
    """Return the state of each question of a run, in dataset order."""
    at = finished_at(connection, run_id)
    row = None if at is None else _stored(connection, run_id, at, run_tables.c.outcomes)
    return read_outcomes(connection, run_id) if row is None else _outcomes(row.outcomes)


def scores_of(connection: Connection, run_id: str, database: Database) -> RunScores:
    """Return scored and failed questions of a run, in dataset order.

    Nothing is added to a finished run until it is opened again, and then it finishes at another time.
    """
    at = finished_at(connection, run_id)
    if at is None:
        return read_scores(connection, run_id)

    def read() -> RunScores:
        row = _stored(connection, run_id, at, run_tables.c.scored, run_tables.c.scores)
        return read_scores(connection, run_id) if row is None else _scores(row.scored, row.scores)

    return database.scores.get_or_compute((run_id, at), read)


def _is_short(connection: Connection, run_id: str) -> bool:
    counted = select(func.count()).select_from(evaluations).where(evaluations.c.run_id == run_id)
    return int(connection.execute(counted).scalar_one()) < FEWEST_STORED


def _stored(connection: Connection, run_id: str, at: datetime, *columns: Column[Any]) -> Any:
    """Return these columns of the table of a run that finished at that time; None without one."""
    same = run_tables.c.run_id == run_id, run_tables.c.finished_at == at
    return connection.execute(select(*columns).where(*same)).one_or_none()


def _packed(connection: Connection, run_id: str) -> dict[str, bytes]:
    outcomes, scores = read_outcomes(connection, run_id), read_scores(connection, run_id)
    kinds, kind_of = scores.table.lacks
    noted, notes = _numbered(list(scores.table.notes.values()))
    scored = {
        "numbers": scores.numbers,
        "ids": scores.table.ids,
        "kinds": kinds,
        "kind_of": kind_of.tolist(),
        "noted": noted,
        "notes": dict(zip(scores.table.notes, notes, strict=True)),
    }
    return {
        "outcomes": to_json(list(zip(*outcomes, strict=True))),
        "scored": to_json(scored),
        "scores": scores.table.values.astype(_FLOAT).tobytes(),
    }


def _numbered(values: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Return the distinct values in order of appearance, and the place of each."""
    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return list(places), [places[value] for value in values]


def _outcomes(packed: bytes) -> list[Outcome]:
    columns = from_json(packed)
    columns[Outcome._fields.index("kept")] = map(tuple, columns[Outcome._fields.index("kept")])
    # Tables that an older version stored lack the last fields.
    return [Outcome(*row) for row in zip(*columns, strict=True)]


def _scores(scored: bytes, values: bytes) -> RunScores:
    found = from_json(scored)
    kinds, noted = (list(map(tuple, found[name])) for name in ("kinds", "noted"))
    table = ScoreTable(
        tuple(found["ids"]),
        VECTOR_ORDER,
        # Of bytes the array is read-only, as it must be: later callers get the same one.
        np.frombuffer(values, dtype=_FLOAT).reshape(-1, len(VECTOR_ORDER)),
        tuple(map(kinds.__getitem__, found["kind_of"])),
        {int(row): noted[place] for row, place in found["notes"].items()},
    )
    return RunScores(numbers=tuple(found["numbers"]), table=table)
