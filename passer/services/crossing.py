"""Two domains side by side: two sweeps, or two imports, on constants that hold for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.analysis.analysis import EvaluatedQuestion, RunRows, Scope
from passer.domain.analysis.confounds import control_statement, differing_fields
from passer.domain.analysis.constants import Constants, constants_of
from passer.domain.analysis.pool import Pool
from passer.domain.composite import PANELS, Panel
from passer.domain.crossing.crossed import CrossDomain, SharedConstants
from passer.domain.crossing.making import StudiedDomain, Where, cross
from passer.domain.evidence.arms import Arm, by_model
from passer.domain.evidence.permutation import DRAWS
from passer.domain.evidence.weighing import SEED
from passer.domain.sheets.composites import SheetComposites, compose
from passer.domain.sheets.evidence import arms_of_sheets, correlations_of_sheets
from passer.domain.sheets.sheet import Sheet, SheetImport
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.services.analysing import chosen_panel, pool_of
from passer.services.comparability import Group, check_comparable, check_scored_alike, described, grouped, study_of
from passer.services.comparing import Comparing
from passer.services.evidencing import arms_of_runs, correlations_of_pool, labels_of
from passer.services.importing import ID_PREFIX, Importing
from passer.services.pooling import Pooled, lay_out, pooled

STUDIED = ("dataset", "dataset_digest", "collection", "retrieval", "questions")
"""What domains differ in on purpose."""


@dataclass(frozen=True)
class Crossing:
    """Compares studies of different questions and documents."""

    comparing: Comparing
    importing: Importing

    def compare(
        self,
        first: str,
        second: str,
        *,
        constants: SharedConstants = "joint",
        labels: Mapping[str, str] | None = None,
        seed: int = SEED,
        draws: int = DRAWS,
    ) -> CrossDomain:
        """Two sweeps or two imports, by their ids; `labels` names models of imports, so that both call them alike.

        ConflictError where their scores are defined differently, InputError for a sweep beside an import.
        """
        kinds = {some_id.startswith(ID_PREFIX) for some_id in (first, second)}
        if len(kinds) > 1:
            raise InputError("Two sweeps or two imports can be compared, not one of each: name two of a kind.")
        if first == second:
            raise InputError(sentence("problem.same-study"))
        if kinds.pop():
            sides, pools = self._imports(first, second, constants, labels or {})
            return cross(*sides, pools, constants=constants, seed=seed, draws=draws)
        runs = self.comparing.rows(first), self.comparing.rows(second)
        sides, pools = self._sweeps((first, second), runs, constants)
        crossed = cross(*sides, pools, constants=constants, seed=seed, draws=draws)
        return crossed.model_copy(update=_control(*runs))

    def _imports(
        self, first: str, second: str, constants: SharedConstants, labels: Mapping[str, str]
    ) -> tuple[tuple[StudiedDomain, StudiedDomain], tuple[Pool, ...]]:
        imports = [self.importing.imports.load_import(each, with_answers=False) for each in (first, second)]
        composites = _of_imports(imports, constants)
        domains, start = [], 0
        arms = [
            arm
            for sheets, made in composites
            for arm in arms_of_sheets(sheets, [labels.get(sheet.model, sheet.model) for sheet in sheets], made)
        ]
        for imported, name in zip(imports, _names([each.name for each in imports]), strict=True):
            own = arms[start : start + len(imported.sheets)]
            start += len(own)
            table = correlations_of_sheets(imported.sheets, [arm.model for arm in own])[0][1]
            domains.append(StudiedDomain(name=name, models=tuple(by_model(own)), correlations=table))
        pools = tuple(pool for _, made in composites for pool in made.pools)
        return (domains[0], domains[1]), pools

    def _sweeps(
        self, ids: tuple[str, str], runs: tuple[list[RunRows], list[RunRows]], constants: SharedConstants
    ) -> tuple[tuple[StudiedDomain, StudiedDomain], tuple[Pool, ...]]:
        check_scored_alike([*runs[0], *runs[1]])
        for own in runs:
            check_comparable(own)
        sides = [_Side.of(number, own) for number, own in enumerate(runs)]
        names = _names([self.comparing.runs.load_sweep(each).sweep.name for each in ids])
        panel = chosen_panel(lay_out([group for side in sides for group in side.groups]), None)
        parts = _pooled(sides, panel, constants, source=study_of(runs[0]))
        domains = []
        for name, sweep_id, side, (pool, groups, labels, offset) in zip(names, ids, sides, parts, strict=True):
            arms = arms_of_runs(groups, pool, labels)[offset : offset + len(side.groups)]
            domains.append(self._domain(name, sweep_id, side, arms, pool, offset))
        pools = {id(pool): (pool, groups) for pool, groups, _, _ in parts}
        shown = tuple(
            pool_of(pool, place, groups) for pool, groups in pools.values() for place in range(len(pool.pools))
        )
        return (domains[0], domains[1]), shown

    def _domain(
        self, name: str, sweep_id: str, side: _Side, arms: Sequence[Arm | None], pool: Pooled, offset: int
    ) -> StudiedDomain:
        places = range(offset, offset + len(side.groups))
        labels = [name if place in places else "" for place in range(len(pool.rows.names))]
        tables = dict(correlations_of_pool(pool, labels))
        similarities = self.comparing.similarities(sweep_id)
        passages: dict[Where, float] = {}
        percentiles: dict[Where, float] = {}
        for group, arm in zip(side.groups, arms, strict=True):
            if arm is None or arm.threshold is None:
                continue
            kept = [item.retrieval.kept for run in group.runs for item in run.questions if item.state != "pending"]
            found = similarities.get(group.first.config.collection)
            passages[arm.model, arm.threshold] = float(np.mean(kept)) if kept else 0.0
            if found is not None and found.size:
                percentiles[arm.model, arm.threshold] = float((found < arm.threshold).mean())
        return StudiedDomain(
            name=name,
            models=tuple(by_model([arm for arm in arms if arm is not None])),
            correlations=tables.get(name),
            mean_passages=passages,
            similarity_percentile=percentiles,
        )


@dataclass(frozen=True)
class _Side:
    """One sweep, its questions told apart from the other's."""

    groups: tuple[Group, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, number: int, runs: Sequence[RunRows]) -> _Side:
        told_apart = [
            run.model_copy(update={"questions": tuple(_told_apart(item, number) for item in run.questions)})
            for run in runs
        ]
        groups = grouped(told_apart)
        return cls(groups=groups, labels=tuple(labels_of(groups)))


def _told_apart(item: EvaluatedQuestion, number: int) -> EvaluatedQuestion:
    return item.model_copy(update={"question_id": f"{number}:{item.question_id}"})


_Part = tuple[Pooled, Sequence[Group], Sequence[str], int]
"""A pool with its groups and their labels, and where the side's own begin in it."""


def _pooled(sides: Sequence[_Side], panel: Panel, constants: SharedConstants, *, source: str) -> list[_Part]:
    """For each side the pool that it is in."""
    if constants == "own":
        return [(_pool(side.groups, panel), side.groups, side.labels, 0) for side in sides]
    groups = [group for side in sides for group in side.groups]
    labels = [label for side in sides for label in side.labels]
    given = None
    if constants == "first":
        [pool] = _pool(sides[0].groups, panel).pools
        given = constants_of([pool.constants], source=source, rows=int(pool.rows.sum()), panel=panel.name, identity={})
    both = _pool(groups, panel, given)
    return [(both, groups, labels, 0), (both, groups, labels, len(sides[0].groups))]


def _pool(groups: Sequence[Group], panel: Panel, given: Constants | None = None) -> Pooled:
    rows = lay_out(groups)
    scope: Scope = "given" if given else "all"
    return pooled(rows, panel=panel, scope=scope, constants=given, missing="worst", truncated="keep")


def _of_imports(
    imports: Sequence[SheetImport], constants: SharedConstants
) -> list[tuple[Sequence[Sheet], SheetComposites]]:
    """Sheets with their composites: both imports together, or each by itself."""
    panel = PANELS["phase3"]
    if constants == "own":
        return [(each.sheets, compose(each.sheets, panel, true_columns=True, together=True)) for each in imports]
    given = None
    if constants == "first":
        source = f"import {imports[0].name} ({imports[0].id})"
        given = compose(imports[0].sheets, panel, true_columns=True, together=True, source=source).constants
    sheets = [sheet for each in imports for sheet in each.sheets]
    return [(sheets, compose(sheets, panel, true_columns=True, together=True, constants=given))]


def _names(given: Sequence[str]) -> list[str]:
    """Names of the studies, numbered where they are the same."""
    if len(set(given)) == len(given):
        return list(given)
    return [f"{name} ({number})" for number, name in enumerate(given, start=1)]


def _control(first: Sequence[RunRows], second: Sequence[RunRows]) -> dict[str, object]:
    """What else differs between the sweeps: of each model the two baselines, or what stands first, are compared."""
    ours, theirs = _by_model(first), _by_model(second)
    fields = [
        item.field
        for model in ours
        if model in theirs
        for item in differing_fields([described(ours[model]), described(theirs[model])])
    ]
    beside = [field for field in dict.fromkeys(fields) if field.partition(".")[0] not in STUDIED]
    return {"differing": tuple(beside), "control": control_statement(fields, studied=STUDIED)}


def _by_model(runs: Sequence[RunRows]) -> dict[str, RunRows]:
    found: dict[str, RunRows] = {}
    for run in sorted(runs, key=lambda run: not run.is_baseline):
        found.setdefault(run.config.model.label, run)
    return found
