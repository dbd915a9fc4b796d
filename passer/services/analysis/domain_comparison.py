"""Two domains side by side: two sweeps, or two imports, on constants that hold for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from passer.domain.analysis.composites import Rules, composed
from passer.domain.analysis.confounds import control_statement, differing_fields
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.crossing.crossed import CrossDomain, SharedConstants
from passer.domain.crossing.domain_comparison import StudiedDomain, Where, cross
from passer.domain.evidence.builder import SEED
from passer.domain.evidence.correlation import ALL_MODELS, correlations_of
from passer.domain.evidence.families import families
from passer.domain.evidence.permutation import DRAWS
from passer.domain.panel import PANELS
from passer.domain.sheets.rows import rows_of_sheets
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.services.analysis.comparability import (
    arm_labels,
    check_comparable,
    check_same_scoring,
    described,
    grouped,
    study_of,
)
from passer.services.analysis.pooling import panel_with_values, recorded_pool
from passer.services.analysis.score_rows import rows_of_runs
from passer.services.analysis.sweep_results import SweepResults
from passer.services.sheets.sheet_library import ID_PREFIX, SheetLibrary

STUDIED = ("dataset", "dataset_digest", "collection", "retrieval", "questions")
"""Fields of a configuration in which domains differ by design."""


@dataclass(frozen=True)
class DomainComparison:
    """Compares studies of different questions and documents."""

    sweep_results: SweepResults
    sheet_library: SheetLibrary

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
        """Compare two sweeps or two imports by id; `labels` gives models of imports a common name.

        ConflictError where their scores are defined differently, InputError for a sweep beside an import.
        """
        kinds = {some_id.startswith(ID_PREFIX) for some_id in (first, second)}
        if len(kinds) > 1:
            raise InputError(sentence("analysis.sweep-and-import"))
        if first == second:
            raise InputError(sentence("problem.same-study"))
        if kinds.pop():
            sides = [self._of_import(each, labels or {}) for each in (first, second)]
            return _crossed(sides, Rules(PANELS["phase3"]), constants, seed=seed, draws=draws)
        runs = self.sweep_results.rows(first), self.sweep_results.rows(second)
        check_same_scoring([*runs[0], *runs[1]])
        sides = [self._of_sweep(each, own) for each, own in zip((first, second), runs, strict=True)]
        panel, normalisation = recorded_pool([*runs[0], *runs[1]])
        rules = Rules(panel_with_values(sides[0].rows.beside(sides[1].rows), panel), normalisation=normalisation)
        crossed = _crossed(sides, rules, constants, seed=seed, draws=draws)
        is_weighted = any(self.sweep_results.weights(each) for each in (first, second))
        notes = (sentence("crossing.unweighted"),) if is_weighted else ()
        return crossed.model_copy(update={**_control(*runs), "statements": (*crossed.statements, *notes)})

    def _of_import(self, import_id: str, labels: Mapping[str, str]) -> _Side:
        imported = self.sheet_library.imports.load_import(import_id, with_answers=False)
        names = [labels.get(sheet.model, sheet.model) for sheet in imported.sheets]
        rows = rows_of_sheets(imported.sheets, names, PANELS["phase3"])
        return _Side(imported.name, f"import {imported.name} ({imported.id})", rows)

    def _of_sweep(self, sweep_id: str, runs: list[RunRows]) -> _Side:
        check_comparable(runs)
        groups = grouped(runs)
        rows = rows_of_runs(groups, arm_labels(groups))
        similarities = self.sweep_results.similarities(sweep_id)
        passages: dict[Where, float] = {}
        percentiles: dict[Where, float] = {}
        for group, item in zip(groups, rows.configurations, strict=True):
            if item.baseline is None or item.threshold is None:
                continue
            kept = [each.retrieval.kept for run in group.runs for each in run.questions if each.state != "pending"]
            found = similarities.get(group.first.config.collection)
            passages[item.label, item.threshold] = float(np.mean(kept)) if kept else 0.0
            if found is not None and found.size:
                percentiles[item.label, item.threshold] = float((found < item.threshold).mean())
        name = self.sweep_results.runs.load_sweep(sweep_id).name
        return _Side(name, study_of(runs), rows, passages, percentiles)


@dataclass(frozen=True)
class _Side:
    """One study."""

    name: str
    source: str
    """Source of its constants, in words."""
    rows: ScoreRows
    mean_passages: Mapping[Where, float] = field(default_factory=dict)
    similarity_percentile: Mapping[Where, float] = field(default_factory=dict)

    def studied(self, name: str, table: QuestionTable, places: range) -> StudiedDomain:
        """Return the domain with CPS for the configurations at these places of a table."""
        return StudiedDomain(
            name=name,
            table=table,
            models=tuple(families(table, within=places)),
            correlations=dict(correlations_of(self.rows)).get(ALL_MODELS),
            mean_passages=self.mean_passages,
            similarity_percentile=self.similarity_percentile,
        )


def _crossed(sides: Sequence[_Side], rules: Rules, constants: SharedConstants, *, seed: int, draws: int) -> CrossDomain:
    """Return both studies on one scale, that of both together or of the first, or each on its own."""
    sizes = [len(side.rows.configurations) for side in sides]
    if constants == "own":
        made = [composed(side.rows, rules) for side in sides]
        places = [range(size) for size in sizes]
    else:
        given = None
        if constants == "first":
            given = composed(sides[0].rows, rules).own_constants(source=sides[0].source, identity={})
        rules = replace(rules, scope="given" if given else "all", constants=given)
        made = [composed(sides[0].rows.beside(sides[1].rows), rules)] * 2
        places = [range(sizes[0]), range(sizes[0], sum(sizes))]
    names = _names([side.name for side in sides])
    first, second = (
        side.studied(name, found.questions, own)
        for side, name, found, own in zip(sides, names, made, places, strict=True)
    )
    pools = [pool for found in dict.fromkeys(made) for pool in found.shown_pools()]
    return cross(first, second, pools, constants=constants, seed=seed, draws=draws)


def _names(given: Sequence[str]) -> list[str]:
    """Names of the studies, numbered where they are the same."""
    if len(set(given)) == len(given):
        return list(given)
    return [f"{name} ({number})" for number, name in enumerate(given, start=1)]


def _control(first: Sequence[RunRows], second: Sequence[RunRows]) -> dict[str, object]:
    """Compare the other settings of the sweeps: of each model its two baselines, or else its first configurations."""
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
