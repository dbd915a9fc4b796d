"""Effort of sweeps and models: numbers of requests, and their seconds."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from passer.adapters.store.schema import answers, evaluations, runs, sweep_rankings
from passer.domain.models.answer import ModelTimings
from passer.domain.models.model import Model
from passer.ports import Effort

NEWEST_RUNS, NEWEST_ANSWERS = 20, 500
"""Runs, and answers of them, that give a model's speed."""
MODEL_IDENTITY = ("provider", "name", "base_url", "connection")
_PROMPTED = evaluations.c.prompt_digest.is_not(None) & evaluations.c.state.in_(["answered", "scored"])


def generation_times(connection: Connection, model: Model) -> list[tuple[float, ModelTimings]]:
    """Return the seconds of up to 500 answers that this model was asked for, from its newest 20 runs; in no order."""
    recorded = [runs.c.config[("model", name)].as_string() for name in MODEL_IDENTITY]
    given = [getattr(model, name) for name in MODEL_IDENTITY]
    # Not `=`: most models have no address or connection, and NULL equals nothing.
    same = [column.is_not_distinct_from(value) for column, value in zip(recorded, given, strict=True)]
    begun = select(runs.c.id).where(*same, runs.c.started_at.is_not(None))
    newest = begun.order_by(runs.c.started_at.desc(), runs.c.id).limit(NEWEST_RUNS)
    asked = evaluations.c.run_id.in_(newest) & _PROMPTED & evaluations.c.reused.is_(False)
    joined = evaluations.join(answers, answers.c.key == evaluations.c.answer_key)
    query = select(answers.c.generation_s, answers.c.timings).select_from(joined).where(asked).limit(NEWEST_ANSWERS)
    rows = connection.execute(query).all()
    return [(seconds, ModelTimings.model_validate(timings)) for seconds, timings in rows]


def effort_of(connection: Connection, sweep_id: str) -> Effort:
    """Return what a sweep has retrieved, asked for and scored so far."""
    mine = evaluations.c.run_id.in_(select(runs.c.id).where(runs.c.sweep_id == sweep_id))
    counts = select(
        func.count().filter(_PROMPTED).label("prompted"),
        func.count().filter(_PROMPTED & evaluations.c.reused.is_(False)).label("generated"),
        func.count().filter(evaluations.c.state == "scored").label("scored"),
        func.count(evaluations.c.pair_key.distinct()).label("pairs"),
    ).where(mine)
    own = (sweep_rankings.c.sweep_id == sweep_id) & sweep_rankings.c.reused.is_(False)
    looked_up = select(func.count()).select_from(sweep_rankings).where(own)
    found = connection.execute(counts).mappings().one()
    return Effort(rankings=connection.execute(looked_up).scalar_one(), **found)
