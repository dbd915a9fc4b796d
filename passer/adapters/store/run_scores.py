"""All scores of a run at once, as arrays, read without a model around each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from operator import itemgetter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json
from sqlalchemy import Connection, Text, select
from sqlalchemy import cast as cast_to

from passer.adapters.store.schema import evaluations, pairs, runs
from passer.domain.score import VECTOR_ORDER, MissingReason, Notes, Reasons, ScoreNote, ScoreTable
from passer.domain.sweeps.run import RunState
from passer.ports import RunScores

_AT_ONCE = 2000
"""Rows read as one JSON text: each for itself takes three times as long."""
_IN_ORDER = itemgetter(*VECTOR_ORDER)

_NONE_MISSING: Reasons = (None,) * len(VECTOR_ORDER)
_FAILED: MissingReason = "generation_failed"
_ALL_FAILED: Reasons = (_FAILED,) * len(VECTOR_ORDER)


def finished_at(connection: Connection, run_id: str) -> datetime | None:
    """Return when a run finished; None for one that is not finished."""
    query = select(runs.c.finished_at).where(runs.c.id == run_id, runs.c.state == RunState.FINISHED.value)
    return connection.execute(query).scalar_one_or_none()


def read_scores(connection: Connection, run_id: str) -> RunScores:
    """Return scored and failed questions of a run, in dataset order."""
    query = (
        select(evaluations.c.number, evaluations.c.question_id, cast_to(pairs.c.scores, Text))
        .outerjoin(pairs, pairs.c.key == evaluations.c.pair_key)
        .where(evaluations.c.run_id == run_id, evaluations.c.state.in_(["scored", "failed"]))
        .order_by(evaluations.c.number)
    )
    rows = connection.execute(query).all()
    numbers, ids, texts = zip(*rows, strict=True) if rows else ((), (), ())
    values, reasons, notes = _parsed(texts)
    # Later callers get the same arrays.
    values.flags.writeable = False
    return RunScores(numbers=numbers, table=ScoreTable(ids, VECTOR_ORDER, values, tuple(reasons), notes))


def _parsed(texts: Sequence[str | None]) -> tuple[NDArray[np.float64], list[Reasons], dict[int, Notes]]:
    """Return the values, shape (n, 24), 0 where one is missing, the reasons of missing values, and the notes by row."""
    values = np.zeros((len(texts), len(VECTOR_ORDER)))
    reasons = [_ALL_FAILED if text is None else _NONE_MISSING for text in texts]
    notes: dict[int, Notes] = {}
    alike: dict[Notes, Notes] = {}
    scored = (place for place, text in enumerate(texts) if text is not None)
    while places := list(islice(scored, _AT_ONCE)):
        batch = from_json(f"[{','.join(texts[place] or '' for place in places)}]")
        try:
            values[places] = np.array([_IN_ORDER(row) for row in batch], dtype=float)
        except (KeyError, TypeError, ValueError):
            # Some score among them is a reason, or a number with a note.
            for place, row in zip(places, batch, strict=True):
                values[place], reasons[place], noted = _row(row)
                if any(noted):
                    # Most rows of a run have the same notes, and share one tuple.
                    notes[place] = alike.setdefault(noted, noted)
    # Minus zero becomes zero, as it does wherever single scores are laid side by side.
    return values + 0.0, reasons, notes


def _row(row: dict[str, Any]) -> tuple[list[float], Reasons, Notes]:
    stored = [row.get(column, "not_requested") for column in VECTOR_ORDER]
    plain = [value[0] if isinstance(value, list) else value for value in stored]
    return (
        [0.0 if isinstance(value, str) else value for value in plain],
        tuple(cast("MissingReason", value) if isinstance(value, str) else None for value in plain),
        tuple(cast("ScoreNote", value[1]) if isinstance(value, list) else None for value in stored),
    )
