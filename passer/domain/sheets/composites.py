"""CPS of every row of imported sheets, with the pools behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.constants import Constants, constants_of
from passer.domain.analysis.pool import Pool, pool_metrics
from passer.domain.composite import (
    PRESENT,
    MetricConstants,
    Panel,
    PanelScores,
    contributions,
    effective_weights,
    pool_constants,
)
from passer.domain.sheets.labels import LabelOrder, check_labels, true_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError


@dataclass(frozen=True, eq=False)
class SheetComposites:
    """Rows that entered the composite, sheet by sheet."""

    keys: tuple[tuple[str, ...], ...]
    """Question keys of each sheet's rows."""
    cps: tuple[Floats, ...]
    """CPS of the same rows."""
    scores: tuple[Floats, ...]
    """The panel's metrics of the same rows, shape (rows, metrics)."""
    pools: tuple[Pool, ...]
    constants: Constants | None
    """Of the one pool, or those that were given; None where there are several pools."""
    statements: tuple[str, ...]
    """What was left out, and what the pool is."""


def compose(
    sheets: Sequence[Sheet],
    panel: Panel,
    *,
    true_columns: bool,
    by_sheet: bool = False,
    first_rows: int | None = None,
    together: bool = False,
    constants: Constants | None = None,
    source: str = "these sheets",
) -> SheetComposites:
    """Normalise and weigh.

    `true_columns` reads past shifted labels; `by_sheet` makes each sheet its own pool; `first_rows` cuts each sheet;
    `together` takes a question with a missing score out of every sheet instead of out of its own alone; `constants`
    stand in for those of the pool, and CPS is not clipped by them; `source` says whose the own ones are.
    InputError where a sheet lacks a column or the constants are not comparable, ConflictError where its labels cannot
    be told.
    """
    identity = {"kind": "result sheets", "columns": "true ones" if true_columns else "as labelled"}
    if constants is not None:
        _check_constants(constants, identity, by_sheet=by_sheet)
    values, complete = _panel_values(sheets, panel, true_columns=true_columns)
    sizes = [min(len(sheet), first_rows or len(sheet)) for sheet in sheets]
    keys = [np.array(sheet.keys[:size], dtype=object) for sheet, size in zip(sheets, sizes, strict=True)]
    usable, lost = _usable(keys, [part[:size] for part, size in zip(complete, sizes, strict=True)], together=together)
    values = [part[:size][mask] for part, size, mask in zip(values, sizes, usable, strict=True)]
    groups = [[place] for place in range(len(sheets))] if by_sheet else [list(range(len(sheets)))]
    cps: list[Floats] = [np.empty(0)] * len(sheets)
    pools = []
    for group in groups:
        pool, weighted = _pool(sheets, values, group, panel, constants)
        pools.append(pool)
        cuts = np.cumsum([len(values[place]) for place in group])[:-1]
        for place, part in zip(group, np.split(weighted.sum(axis=1), cuts), strict=True):
            cps[place] = part
    return SheetComposites(
        keys=tuple(tuple(part[mask]) for part, mask in zip(keys, usable, strict=True)),
        cps=tuple(cps),
        scores=tuple(values),
        pools=tuple(pools),
        constants=constants or _own_constants(pools, panel, source, identity),
        statements=tuple(_statements(pools, panel, constants, lost=lost, left=sum(map(len, values)), of=sum(sizes))),
    )


def _check_constants(constants: Constants, identity: Mapping[str, str], *, by_sheet: bool) -> None:
    if by_sheet:
        raise InputError(
            "This procedure normalises each sheet by itself: leave the constants out, or take another procedure.",
            field="constants",
        )
    constants.check_comparable(identity)


def _own_constants(pools: Sequence[Pool], panel: Panel, source: str, identity: Mapping[str, str]) -> Constants | None:
    bounds = [[item.bounds for item in pool.metrics] for pool in pools]
    return constants_of(bounds, source=source, rows=pools[0].rows, panel=panel.name, identity=identity)


def _usable(
    keys: Sequence[NDArray[np.object_]], complete: Sequence[NDArray[np.bool_]], *, together: bool
) -> tuple[list[NDArray[np.bool_]], int]:
    """Rows that enter, sheet by sheet, and how many rows lack a score themselves."""
    lost = sum(int((~mask).sum()) for mask in complete)
    if not lost or not together:
        return list(complete), lost
    out = {key for part, mask in zip(keys, complete, strict=True) for key in part[~mask]}
    return [np.array([key not in out for key in part], dtype=bool) for part in keys], lost


def _panel_values(
    sheets: Sequence[Sheet], panel: Panel, *, true_columns: bool
) -> tuple[list[Floats], list[NDArray[np.bool_]]]:
    """The panel's columns of each sheet, and the rows that have them all."""
    values: list[Floats] = []
    complete: list[NDArray[np.bool_]] = []
    for sheet in sheets:
        order: LabelOrder = check_labels(sheet).order if true_columns else "right"
        if order == "unclear":
            raise ConflictError(
                f"Whether the labels of {sheet.path} are shifted cannot be told, so its true columns are unknown: "
                "correct the rows that the audit names, or analyse with `published`."
            )
        labels = [true_label(column, order) for column in panel.columns]
        for label in labels:
            if label not in sheet.columns:
                raise InputError(
                    f"{sheet.path} has no column {label!r}, which the panel {panel.name} needs: choose the procedure "
                    "that these sheets were made for (sheets of 16 metrics: published-phase2).",
                    field="procedure",
                )
        places = [sheet.columns.index(label) for label in labels]
        values.append(sheet.values[:, places])
        complete.append(np.asarray(sheet.present[:, places].all(axis=1)))
    return values, complete


def _pool(
    sheets: Sequence[Sheet],
    values: Sequence[Floats],
    group: Sequence[int],
    panel: Panel,
    given: Constants | None,
) -> tuple[Pool, Floats]:
    rows = np.concatenate([values[place] for place in group])
    scores = PanelScores(values=rows, missing=np.full(rows.shape, PRESENT, dtype=np.uint8))
    constants = given.of_panel(panel) if given else pool_constants(scores, panel, np.ones(len(rows), dtype=bool))
    weighted = contributions(scores, panel, constants)
    alone = sentence("pool.run", run=sheets[group[0]].path)
    own = alone if len(group) == 1 else sentence("pool.sheets", n=len(group))
    pool = Pool(
        name=given.words if given else own,
        run_ids=tuple(sheets[place].path for place in group),
        rows=len(rows),
        metrics=pool_metrics(panel, constants, effective_weights(weighted), n_outside=_outside(rows, constants)),
    )
    return pool, weighted


def _outside(rows: Floats, constants: Sequence[MetricConstants]) -> list[int]:
    """Rows with a value beyond minimum or maximum, by metric."""
    return [
        int(((column < bounds.minimum) | (column > bounds.maximum)).sum())
        for column, bounds in zip(rows.T, constants, strict=True)
    ]


def _statements(
    pools: Sequence[Pool], panel: Panel, given: Constants | None, *, lost: int, left: int, of: int
) -> list[str]:
    where = pools[0].name if len(pools) == 1 else sentence("pool.each-sheet", n=len(pools))
    said = [sentence("sheets.cps-pinned" if given else "sheets.cps", panel=panel.name, pool=where, rows=left)]
    said += [given.statement] if given else []
    if lost:
        said.append(sentence("sheets.lost", lost=lost, out=of - left, of=of))
    for pool in pools:
        said += [
            sentence("warning.constant", metric=item.metric, pool=pool.name)
            for item in pool.metrics
            if item.is_constant
        ]
        said += [
            sentence("sheets.outside", metric=item.metric, n=item.n_outside) for item in pool.metrics if item.n_outside
        ]
    return [*said]
