"""Runs of all sweeps in one list, found, sorted and paged by the database."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Float, Select, case, cast, func, or_, select

from passer.adapters.store.annotations import annotated
from passer.adapters.store.schema import runs, sweeps, work
from passer.domain.sweeps.run import RunState
from passer.domain.sweeps.run_names import RENAMED
from passer.domain.wording.catalogue import Language, catalogue
from passer.domain.wording.icu import parsed
from passer.domain.wording.sentence import reader
from passer.ports import FoundRuns, ListedRun, RunQuery, SweepProgress

_MODEL = runs.c.config[("model", "name")].as_string()
_POLICY = runs.c.config["retrieval"]
_JOINED = runs.join(sweeps, sweeps.c.id == runs.c.sweep_id).outerjoin(annotated, annotated.c.sweep_id == sweeps.c.id)
_SWEEP_NAME = func.coalesce(annotated.c.title, sweeps.c.spec["name"].as_string())
_ESCAPE = "\\"
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_NAMES = (
    "name.",
    *(f"retriever.{part}" for part in ("dense", "depth", "english", "keywords", "reranked", "terms", "variations")),
)
"""How the codes of the parts of names begin."""


def find_runs(connection: Connection, query: RunQuery, run_of: Any) -> FoundRuns:
    """Return one page; `run_of` turns rows of the runs' table, with their questions, into runs."""
    wanted = _wanted(query)
    total = connection.execute(select(func.count()).select_from(_JOINED).where(*wanted)).scalar_one()
    page: Select[Any] = (
        select(runs, sweeps.c.question_count, work.c.progress, _SWEEP_NAME.label("sweep_name"))
        .select_from(_JOINED.join(work, work.c.id == runs.c.sweep_id))
        .where(*wanted)
        .order_by(*_order(query))
        .offset(query.after)
        .limit(query.limit)
    )
    rows = connection.execute(page).all()
    found = run_of(connection, rows)
    return FoundRuns(
        items=tuple(
            ListedRun(run=run, sweep_name=row.sweep_name, eta_s=_eta(row)) for row, run in zip(rows, found, strict=True)
        ),
        total=total,
        models=_names(connection, _MODEL),
        datasets=_names(connection, sweeps.c.dataset),
    )


def _is_named(wanted: str) -> ColumnElement[bool]:
    """Return whether the name of the run or of its sweep contains a text in lower case.

    Runs are also found by their names in the reader's language, where people write numbers with a decimal comma.
    """
    name, words = _renamed(runs.c.name), _words_of_names(reader())
    found = [_contains(each, wanted) for each in (name, _renamed(_SWEEP_NAME))]
    if words:
        for stored, said in words.items():
            name = func.replace(name, stored, said)
        found.append(_contains(name, _DECIMAL_COMMA.sub(".", wanted)))
    return or_(*found)


@cache
def _words_of_names(language: Language) -> dict[str, str]:
    """Return the words in names of configurations that another language writes in another way, in lower case."""
    english, translated = catalogue("en"), catalogue(language)
    pairs = (
        (part.lower(), other.lower())
        for code in english
        if code.startswith(_NAMES)
        for part, other in zip(parsed(english[code]), parsed(translated[code]), strict=True)
        if isinstance(part, str) and isinstance(other, str)
    )
    return {stored: said for stored, said in pairs if stored != said}


def _contains(name: ColumnElement[str], wanted: str) -> ColumnElement[bool]:
    # The escape itself first: it would otherwise escape those that were put before the others.
    for character in (_ESCAPE, "%", "_"):
        wanted = wanted.replace(character, _ESCAPE + character)
    # Names are stored as they were given. A search has to find them by the words that the page shows today.
    for before, now in RENAMED.items():
        wanted = wanted.replace(before.lower(), now.lower())
    return name.like(f"%{wanted}%", escape=_ESCAPE)


def _wanted(query: RunQuery) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.find.strip():
        conditions.append(_is_named(query.find.strip().lower()))
    if query.states:
        conditions.append(runs.c.state.in_([state.value for state in query.states]))
    if query.models:
        conditions.append(_MODEL.in_(query.models))
    if query.datasets:
        conditions.append(sweeps.c.dataset.in_(query.datasets))
    return conditions


def _renamed(name: ColumnElement[str]) -> ColumnElement[str]:
    """Return a name in lower case and in today's words, as `current_name` gives them."""
    name = func.lower(name)
    for before, now in RENAMED.items():
        name = func.replace(name, before.lower(), now.lower())
    return name


def _order(query: RunQuery) -> list[ColumnElement[Any]]:
    """Order by the requested column, then by the newest sweep and its own order, so that no row is on two pages."""
    liveliest = {RunState.RUNNING: 0, RunState.PAUSED: 1, RunState.QUEUED: 2, RunState.FAILED: 3}
    by: dict[str, tuple[ColumnElement[Any], ...]] = {
        "started": (),
        "name": (func.lower(runs.c.name),),
        "sweep": (func.lower(_SWEEP_NAME),),
        "state": (case({state.value: place for state, place in liveliest.items()}, value=runs.c.state, else_=4),),
        "model": (_MODEL,),
        "policy": (
            _POLICY["mode"].as_string(),
            func.coalesce(_number("min_similarity"), _number("min_distance"), _number("k")),
        ),
        "dataset": (sweeps.c.dataset,),
        "questions": (sweeps.c.question_count,),
    }
    chosen = [column.desc() if query.is_descending else column.asc() for column in by[query.order]]
    is_oldest_first = query.order == "started" and not query.is_descending
    newest = sweeps.c.number.asc() if is_oldest_first else sweeps.c.number.desc()
    return [*chosen, newest, runs.c.position]


def _number(name: str) -> ColumnElement[Any]:
    return cast(_POLICY[name].as_string(), Float)


def _names(connection: Connection, column: ColumnElement[Any]) -> tuple[str, ...]:
    return tuple(sorted(connection.execute(select(column).select_from(_JOINED).distinct()).scalars()))


def _eta(row: Any) -> float | None:
    if not row.progress or row.state != RunState.RUNNING.value:
        return None
    return SweepProgress.model_validate(row.progress).eta_s
