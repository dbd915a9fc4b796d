"""Two domains side by side: constants that hold for both, RQ3, and what is not compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from passer.adapters.sheets import XlsxSheetReader
from passer.domain.crossing.crossed import NOT_COMPARABLE, crossing_tables
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.errors import ConflictError, InputError
from passer.services.analysis.domain_comparison import DomainComparison
from passer.services.sheets.sheet_library import SheetLibrary
from tests.analysis_rows import question, run
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.result_sheets import row_of, write_sheet

THRESHOLDS = (0.5, 0.7)


def study(dataset: str, gains: dict[float, float], *, n: int = 40, low: float = 0.0, model: str = "m", **more: Any):
    """A baseline around .5 + low, and thresholds that lie `gain` above it, question by question, but for noise."""
    rng = np.random.default_rng(len(dataset) + n)
    base = 0.4 + low + 0.2 * rng.random(n)
    runs = [arm(dataset, None, base, model, **more)]
    return runs + [arm(dataset, t, base + gain + rng.normal(0, 0.01, n), model, **more) for t, gain in gains.items()]


def arm(dataset: str, threshold: float | None, heights: Any, model: str, **more: Any):
    kept = 4 if threshold is None else 2
    items = [question(n, float(h), retrieval=QuestionRetrieval(kept=kept)) for n, h in enumerate(heights)]
    policy = NormalPolicy(k=4) if threshold is None else ScorePolicy(min_similarity=threshold)
    name = f"{dataset} {model} {threshold}"
    return run(name, items, retrieval=policy, baseline=threshold is None, model=model, dataset=dataset,
               collection=dataset, **more)  # fmt: skip


@dataclass
class Sweeps:
    """What Crossing asks of sweeps."""

    studies: dict[str, list]
    weighted: tuple[str, ...] = ()
    found: dict[str, np.ndarray] = field(default_factory=lambda: {"farm": np.linspace(0, 1, 101)})

    @property
    def runs(self):
        return SimpleNamespace(load_sweep=lambda some_id: SimpleNamespace(name=some_id))

    def weights(self, sweep_id: str):
        return {"q1": 2.0} if sweep_id in self.weighted else {}

    def rows(self, sweep_id: str):
        return self.studies[sweep_id]

    def similarities(self, sweep_id: str):
        return self.found


def crossing(**studies: list) -> DomainComparison:
    store = MemoryStore(FakeClock())
    sheet_library = SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock())
    return DomainComparison(sweep_results=Sweeps(studies), sheet_library=sheet_library)


def two(**changes: Any) -> DomainComparison:
    return crossing(
        first=study("farm", {0.5: 0.05, 0.7: 0.10}), second=study("law", {0.5: 0.05, 0.7: 0.0} | changes, n=30)
    )


def test_gains_on_joint_constants_and_where_they_differ():
    crossed = two().compare("first", "second", draws=500)
    [model] = crossed.models
    assert (crossed.is_comparable, model.first.best_threshold, model.second.best_threshold) == (True, 0.7, 0.5)
    assert model.shift == pytest.approx(-0.2)
    half, seven = crossed.differences
    # One pool: the same difference in height is the same in CPS on both sides.
    [pool] = crossed.pools
    span = pool.metrics[0].maximum - pool.metrics[0].minimum
    assert half.difference == pytest.approx(0.0, abs=0.01 / span)
    assert seven.difference == pytest.approx(0.10 / span, abs=0.01 / span)
    assert half.p_max_t > 0.05 > seven.p_max_t
    assert model.differing == (0.7,)
    assert "The gain differs between the domains at 0.7 (RQ3, max-T, 2 thresholds)" in model.statement
    assert crossed.control == "controlled: only the dataset, the collection differ"


def test_questions_of_one_id_in_two_domains_are_different_questions():
    crossed = two().compare("first", "second", draws=200)
    [model] = crossed.models
    assert (model.first.n_questions, model.second.n_questions) == (40, 30)
    assert crossed.pools[0].rows == 3 * 40 + 3 * 30


def test_weights_are_said_not_to_count():
    compared = two()
    assert not any("weights" in said for said in compared.compare("first", "second", draws=100).statements)
    compared.sweep_results.weighted = ("second",)
    assert "no common unit" in compared.compare("first", "second", draws=100).statements[-1]


def test_own_constants_are_said_not_to_compare():
    crossed = two().compare("first", "second", constants="own", draws=200)
    [model] = crossed.models
    assert (crossed.is_comparable, crossed.differences, model.change_of_gain) == (False, (), None)
    assert len(crossed.pools) == 2
    assert "cannot be compared because the constants differ" in model.statement
    table = crossing_tables(crossed)["domains"]
    assert [row[table.columns.index("change_of_gain")] for row in table.rows] == [None, NOT_COMPARABLE]
    assert "differences_between_domains" not in crossing_tables(crossed)


def test_constants_of_the_first_are_pinned_and_what_lies_outside_is_counted():
    far = crossing(first=study("farm", {0.5: 0.05}), second=study("law", {0.5: 0.05}, low=0.3))
    crossed = far.compare("first", "second", constants="first", draws=200)
    [pool] = crossed.pools
    alone = far.compare("first", "second", constants="own", draws=200).pools[0]
    assert [(m.minimum, m.maximum) for m in pool.metrics] == [(m.minimum, m.maximum) for m in alone.metrics]
    assert pool.metrics[0].n_outside > 30


def test_thresholds_are_told_as_percentile_and_as_passages():
    [model] = two().compare("first", "second", draws=200).models
    assert model.first.mean_passages == 2.0
    # Similarities 0, .01, ..., 1: 70 of 101 lie below .7.
    assert model.first.similarity_percentile == pytest.approx(70 / 101)
    assert model.second.similarity_percentile is None


def test_models_rank_within_their_domain_and_those_of_one_side_are_named():
    first = [
        *study("farm", {0.5: 0.1}),
        *study("farm", {0.5: 0.1}, low=0.2, model="z"),
        *study("farm", {0.5: 0}, model="a"),
    ]
    second = [*study("law", {0.5: 0.1}, low=0.2), *study("law", {0.5: 0.1}, model="z")]
    crossed = crossing(first=first, second=second).compare("first", "second", draws=200)
    assert [(item.model, item.first.rank, item.second.rank) for item in crossed.models] == [("m", 2, 1), ("z", 1, 2)]
    assert (crossed.only_first, crossed.only_second) == (("a",), ())
    assert any("ranking of the models differs between the domains" in line for line in crossed.statements)


def test_what_came_along_is_named():
    crossed = crossing(
        first=study("farm", {0.5: 0.1}), second=study("law", {0.5: 0.1}, conditions={"model_digest": "other"})
    ).compare("first", "second", draws=200)
    assert crossed.control == "confounded by the model weights"
    assert crossed.differing == ("conditions.model_digest",)


def test_scores_of_other_definitions_are_refused():
    with pytest.raises(ConflictError, match="differ in profile"):
        crossing(first=study("farm", {0.5: 0.1}), second=study("law", {0.5: 0.1}, profile="published")).compare(
            "first", "second"
        )
    with pytest.raises(InputError, match="two sweeps or two imports"):
        two().compare("first", "sheets-1")
    with pytest.raises(InputError, match="Both studies are the same"):
        two().compare("first", "first")


def sheets(folder: Path, gains: dict[str, float], n: int) -> Path:
    rng = np.random.default_rng(n)
    base = 0.3 + 0.3 * rng.random(n)
    for name, gain in {"baseline": 0.0, **gains}.items():
        cells = [
            row_of(f"{folder.name} {k}?", float(h + (rng.normal(gain, 0.005) if gain else 0)))
            for k, h in enumerate(base)
        ]
        write_sheet(folder / "m" / f"{name}.xlsx", cells)
    return folder


def test_two_imports_on_joint_and_on_own_constants(tmp_path):
    at = crossing()
    ids = [
        at.sheet_library.import_folder(sheets(tmp_path / name, gains, n)).id
        for name, gains, n in (
            ("farm", {"threshold_0.5": 0.05, "threshold_0.7": 0.1}, 30),
            ("law", {"threshold_0.5": 0.05, "threshold_0.7": -0.02}, 25),
        )
    ]
    crossed = at.compare(*ids, draws=500, labels={"m": "Model"})
    [model] = crossed.models
    assert (crossed.first, crossed.second, model.model) == ("farm", "law", "Model")
    [pool] = crossed.pools
    assert pool.rows == 3 * 30 + 3 * 25
    meteor = pool.metrics[0]
    # METEOR alone varies, with the weight .15.
    wanted = 0.15 * 0.12 / (meteor.maximum - meteor.minimum)
    assert crossed.differences[1].difference == pytest.approx(wanted, rel=0.1)
    assert model.differing == (0.7,)
    assert len(at.compare(*ids, constants="own", draws=200).pools) == 2
    pinned = at.compare(*ids, constants="first", draws=200).pools[0]
    assert pinned.metrics[0].minimum == at.compare(*ids, constants="own", draws=200).pools[0].metrics[0].minimum
