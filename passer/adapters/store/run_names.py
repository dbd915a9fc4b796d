"""Names of stored runs, with the parts that their configurations give them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from passer.adapters.store.schema import runs, sweeps
from passer.domain.lru_cache import LruCache
from passer.domain.models.model import ModelInfo
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.run_names import known_name
from passer.domain.sweeps.sweep import Sweep

TEMPLATES = "templates"
"""Key, beside those of the sweep, under which its specification keeps the prompt templates."""
# A name takes up to a millisecond, sweeps have a thousand runs, and nearly every request about a sweep reads them.
_KNOWN: LruCache[tuple[str, str, datetime], str] = LruCache(50_000)


def names_of(connection: Connection, rows: Sequence[Row[Any]]) -> dict[str, str]:
    """Return the names of rows of runs by id."""
    known = {row.id: _KNOWN.get((row.id, row.name, row.created_at)) for row in rows}
    new = [row for row in rows if known[row.id] is None]
    query = select(sweeps.c.id, sweeps.c.spec).where(sweeps.c.id.in_({row.sweep_id for row in new}))
    planned = {row.id: sweep_of(row.spec) for row in connection.execute(query)} if new else {}
    made = {row.id: _KNOWN.put((row.id, row.name, row.created_at), _name(row, planned[row.sweep_id])) for row in new}
    return {run_id: name or made[run_id] for run_id, name in known.items()}


def names_of_runs(connection: Connection, run_ids: Collection[str]) -> dict[str, str]:
    """Return the names of runs by id; unknown ids have none."""
    return names_of(connection, connection.execute(select(runs).where(runs.c.id.in_(run_ids))).all())


def sweep_of(spec: Mapping[str, Any]) -> Sweep:
    """Return the sweep of a stored specification."""
    return Sweep.model_validate({name: value for name, value in spec.items() if name != TEMPLATES})


def _name(row: Row[Any], sweep: Sweep) -> str:
    config = RunConfig.model_validate(row.config)
    return known_name(row.name, sweep, config, ModelInfo.model_validate(row.model_info) if row.model_info else None)
