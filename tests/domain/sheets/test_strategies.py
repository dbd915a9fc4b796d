"""Sheets whose levels are strategies instead of thresholds, and those of the follow-up project."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from passer.domain.figures.points import study_of_sheets
from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.defect_effects import defect_effects
from passer.domain.sheets.labels import check_labels
from passer.domain.sheets.procedures import analyse_sheets
from passer.domain.sheets.sheet import Sheet
from tests.domain.sheets.test_procedures import read_folder
from tests.result_sheets import sheet


def strategies() -> list[Sheet]:
    """Twenty questions; METEOR alone varies, from 0 to 1."""
    rng = np.random.default_rng(7)
    base = {f"question {place}": float(value) for place, value in enumerate(rng.uniform(0.2, 0.4, 20))}

    def made(strategy: str, gain: float) -> Sheet:
        path = f"granite-{strategy}.xlsx"
        return sheet("granite", None, {key: value + gain for key, value in base.items()}, path=path)

    return [made("baseline", 0.0), made("hierarchical", 0.1), made("collaborative", 0.3), made("competitive", 0.2)]


def test_strategies_are_named_levels_beside_the_baseline() -> None:
    analysis = analyse_sheets(strategies(), "corrected")
    assert [(item.strategy, item.threshold, item.n_pairs) for item in analysis.configurations] == [
        (None, None, None), ("hierarchical", None, 20), ("collaborative", None, 20), ("competitive", None, 20),
    ]  # fmt: skip
    top = analysis.tables["top_cps"]
    assert top.columns[:3] == ("model", "rank", "level")
    assert [row[2] for row in top.rows] == ["collaborative", "competitive", "hierarchical"]
    agreement = analysis.tables["agreement"]
    assert agreement.columns[1] == "best_cps_level"
    assert agreement.rows[0][1:3] == ("collaborative", "collaborative")
    assert analysis.evidence is not None
    assert [item.levels for item in analysis.evidence.comparisons] == [
        {"strategy": name} for name in ("hierarchical", "collaborative", "competitive")
    ]
    names = {point.name: point.is_baseline for point in study_of_sheets(analysis).points}
    assert names == {"baseline": True, "hierarchical": False, "collaborative": False, "competitive": False}
    effects = defect_effects(strategies())
    assert effects.models[0].published.startswith("granite: collaborative has the largest CPS gain")


def test_fewer_than_twenty_questions_decide_nothing() -> None:
    rng = np.random.default_rng(3)
    base, gains = rng.uniform(0.2, 0.4, 12), rng.uniform(0.2, 0.4, 12)
    sheets = [
        sheet(
            "granite", None, dict(zip(map(str, range(12)), values.tolist(), strict=True)), path=f"granite-{name}.xlsx"
        )
        for name, values in (("baseline", base), ("competitive", base + gains))
    ]
    item = analyse_sheets(sheets, "corrected").configurations[1]
    assert item.judged is not None
    assert item.judged.p is not None
    assert item.judged.p < 0.01
    assert (item.judged.outcome, item.judged.reason, item.significance) == ("undecided", "too_few", None)


def test_a_sheet_of_the_follow_up_project(test_data: Path) -> None:
    """It has 50 columns, its labels in the vector's order, and no baseline beside it."""
    [found] = read_folder(test_data / "followup-sheets")
    assert (found.place.levels, len(found)) == ({"strategy": "collaborative"}, 100)
    assert check_labels(found).order == "right"
    audit = audit_sheets([found])
    assert audit.sheets[0].strategy == "collaborative"
    assert "Strategy Type" in next(item for item in audit.findings if item.kind == "ignored_columns").listed
    assert not any(item.kind == "out_of_range" for item in audit.findings)
    [configuration] = analyse_sheets([found], "corrected").configurations
    assert (configuration.strategy, configuration.n_pairs) == ("collaborative", None)
    # METEOR of row 2, read by openpyxl.
    assert found.column("METEOR")[0] == pytest.approx(0.09359429390485292)
