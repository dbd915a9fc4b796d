"""What imported result sheets tell the plan of a sweep, and how far a plan waits for it."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.sheet import Sheet, SheetImport
from passer.domain.sheets.spread import sheet_spread
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import PlannedSpread
from passer.ports import ImportStore
from passer.services.analysis.earlier_spreads import EVERYTHING, EarlierSpreads
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.sweep_summaries import SweepSummaries
from passer.services.runs.run_browser import RunBrowser
from tests.fake_judged import NeverJudged
from tests.fake_material import MemoryImports
from tests.result_sheets import sheet
from tests.services.study import Study

N = 40
DIFFERENCES = np.random.default_rng(3).normal(0.0, 0.05, N)
BASE = np.random.default_rng(4).uniform(0.3, 0.6, N)


def imported_sheets(*, shifted: bool = False) -> tuple[Sheet, ...]:
    """A baseline and a threshold that differs from it by normal amounts."""
    asked = [f"What is {number}?" for number in range(N)]
    base = dict(zip(asked, BASE.tolist(), strict=True))
    other = dict(zip(asked, (BASE + DIFFERENCES).tolist(), strict=True))
    return sheet("m", None, base, shifted=shifted), sheet("m", 0.5, other, shifted=shifted)


@pytest.mark.parametrize("shifted", [False, True])
def test_sheets_measure_the_spread_of_their_true_columns(shifted: bool) -> None:
    found = sheet_spread(imported_sheets(shifted=shifted), "METEOR", panel="text-1", normalisation="winsorised")
    assert found is not None
    assert found.sd == pytest.approx(np.std(DIFFERENCES, ddof=1))
    # Student's t of one comparison with 39 degrees of freedom is 2.02.
    assert found.critical == pytest.approx(2.02, abs=0.4)
    # METEOR has the weight .15 of phase3, and the pool's range.
    pool = np.concatenate([BASE, BASE + DIFFERENCES])
    of_cps = sheet_spread(imported_sheets(shifted=shifted), "CPS", panel="phase3", normalisation="min-max")
    assert of_cps is not None
    assert of_cps.sd == pytest.approx(0.15 * np.std(DIFFERENCES, ddof=1) / np.ptp(pool))


def test_sheets_without_a_difference_or_a_baseline_measure_nothing() -> None:
    base, other = imported_sheets()
    for sheets, primary in (((base, other), "BLEU"), ((other,), "METEOR"), ((base,), "METEOR")):
        assert sheet_spread(sheets, primary, panel="text-1", normalisation="winsorised") is None


class OneImport(MemoryImports):
    """Keeps sheets that were checked against a dataset, and counts how often they are read."""

    def __init__(self, dataset: str | None) -> None:
        super().__init__()
        self.loads, sheets = 0, imported_sheets()
        self.save_import(
            SheetImport(
                id="sheets-1",
                name="s",
                created_at=datetime(2026, 1, 1, tzinfo=UTC),
                sheets=sheets,
                audit=audit_sheets(sheets),
                dataset=dataset,
            )
        )

    def load_import(self, import_id: str, *, with_answers: bool = True, path: str | None = None) -> SheetImport:
        self.loads += 1
        return super().load_import(import_id, with_answers=with_answers, path=path)


def spreads(study: Study, imports: ImportStore, *, at_once: int = 1000) -> EarlierSpreads:
    store = study.store
    browser = RunBrowser(runs=store, evaluations=store, datasets=store)
    results = SweepResults(run_browser=browser, runs=store, evaluations=store, judged_columns=NeverJudged())
    return EarlierSpreads(store, SweepSummaries(results), imports, at_once=at_once)


@pytest.fixture
def planned() -> Sweep:
    return Study().create(0.3).sweep.model_copy(update={"primary": "METEOR"})


def said(found: PlannedSpread | None) -> tuple[str, tuple[str, ...]] | None:
    return None if found is None else (found.source, found.sweeps)


def test_sheets_of_the_dataset_count_and_others_where_nothing_else_is_known(planned: Sweep) -> None:
    own = OneImport(planned.config.dataset)
    earlier = spreads(Study(), own)
    assert said(earlier.of(planned)) == ("sheets-dataset", ("sheets-1",))
    assert said(earlier.of(planned)) == ("sheets-dataset", ("sheets-1",))
    assert own.loads == 1, "an import is read once"
    others = earlier.of(planned.model_copy(update={"config": planned.config.model_copy(update={"dataset": "new"})}))
    assert said(others) == ("sheets", ("sheets-1",))
    assert others is not None
    assert others.basis("METEOR").endswith("as measured in an import of result sheets with other datasets.")
    assert said(spreads(Study(), OneImport(None)).of(planned)) == ("sheets", ("sheets-1",))


def test_a_page_does_not_wait_for_many_rows_and_a_command_does(planned: Sweep) -> None:
    earlier = spreads(Study(), OneImport(planned.config.dataset), at_once=2 * N - 1)
    assert earlier.of(planned) is None
    assert said(earlier.of(planned, at_once=EVERYTHING)) == ("sheets-dataset", ("sheets-1",))
    # What is known by now costs nothing.
    assert said(earlier.of(planned)) == ("sheets-dataset", ("sheets-1",))
