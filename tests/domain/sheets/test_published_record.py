"""The arithmetic against the public record: two models of Phase III, recomputed independently by both procedures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passer.domain.composite import (
    PanelScores,
    balance,
    coefficient_of_variation,
    contributions,
    improvement_pct,
    pool_constants,
    tcps,
)
from passer.domain.panel import PANELS
from passer.domain.statistics import paired_t_test, stars
from tests.phase3_sheets import PUBLISHED_LABELS, TRUE_LABELS, Key, Sheet, expected, read_sheets


@pytest.fixture(scope="module")
def sheets(test_data: Path) -> dict[Key, Sheet]:
    return read_sheets(test_data)


def composite(sheets: dict[Key, Sheet], labels: dict[str, str]) -> dict[Key, np.ndarray]:
    """CPS of every row, normalised over the pool of all rows."""
    panel = PANELS["phase3"]
    names = [labels.get(column, column) for column in panel.columns]
    values = np.array([[float(row[name]) for name in names] for _, rows in sheets.values() for row in rows])
    scores = PanelScores(values=values, missing=np.zeros(values.shape, dtype=np.uint8))
    constants = pool_constants(scores, panel, np.ones(len(values), dtype=bool))
    cps = contributions(scores, panel, constants).sum(axis=1)
    cuts = np.cumsum([len(rows) for _, rows in sheets.values()])[:-1]
    return dict(zip(sheets, np.split(cps, cuts), strict=True))


def averaged(keys: list[str], cps: np.ndarray) -> dict[str, float]:
    """CPS of each question, its rows averaged."""
    rows: dict[str, list[float]] = {}
    for key, value in zip(keys, cps, strict=True):
        rows.setdefault(key, []).append(float(value))
    return {key: sum(values) / len(values) for key, values in rows.items()}


def assert_equal(row: dict[str, Any], got: dict[str, Any]) -> None:
    for name, value in got.items():
        wanted = pytest.approx(row[name], rel=1e-9) if isinstance(row[name], float) else row[name]
        assert value == wanted, (row["model"], row["threshold"], name)


def summary(values: np.ndarray) -> dict[str, Any]:
    mean, cv = float(values.mean()), coefficient_of_variation(values)
    return {"mean_cps": mean, "cv": cv, "tcps": tcps(mean=mean, cv=cv)}


def test_the_corrected_procedure(sheets: dict[Key, Sheet], test_data: Path) -> None:
    by_question = {key: averaged(sheets[key][0], cps) for key, cps in composite(sheets, TRUE_LABELS).items()}
    for row in expected(test_data, "corrected"):
        here, baseline = by_question[row["model"], row["threshold"]], by_question[row["model"], None]
        if row["threshold"] is None:
            assert_equal(row, {"n": len(here)} | summary(np.array(list(here.values()))))
            continue
        shared = [question for question in here if question in baseline]
        values, of_baseline = (np.array([side[question] for question in shared]) for side in (here, baseline))
        test, ours, theirs = paired_t_test(values, of_baseline), summary(values), summary(of_baseline)
        gain = improvement_pct(value=ours["tcps"], baseline=theirs["tcps"])
        assert_equal(
            row,
            ours
            | {
                "n": len(here),
                "n_pairs": test.n_pairs,
                "cps_improvement_pct": improvement_pct(value=ours["mean_cps"], baseline=theirs["mean_cps"]),
                "tcps_improvement_pct": gain,
                "t_statistic": test.t,
                "p_value": test.p,
                "cohens_d": test.cohens_d,
                "balance_score": balance(tcps_improvement_pct=gain, cv=ours["cv"]),
                "significance": stars(test.p),
            },
        )


def test_the_published_procedure(sheets: dict[Key, Sheet], test_data: Path) -> None:
    rounded = {key: np.round(cps, 4) for key, cps in composite(sheets, PUBLISHED_LABELS).items()}
    for row in expected(test_data, "published"):
        here, baseline = rounded[row["model"], row["threshold"]], rounded[row["model"], None]
        whole, of_baseline = summary(here), summary(baseline)
        assert_equal(row, {"n": len(here), "cv": whole["cv"], "tcps": whole["tcps"]})
        assert_equal(row, {"mean_cps_all_rows": whole["mean_cps"]})
        if row["threshold"] is None:
            continue
        n = min(len(here), len(baseline))
        test = paired_t_test(here[:n], baseline[:n])
        gain = improvement_pct(value=whole["tcps"], baseline=of_baseline["tcps"])
        assert gain is not None
        assert_equal(
            row,
            {
                "n_pairs": n,
                "mean_cps": float(here[:n].mean()),
                "cps_improvement_pct": improvement_pct(
                    value=float(here[:n].mean()), baseline=float(baseline[:n].mean())
                ),
                "tcps_improvement_pct": gain,
                "t_statistic": test.t,
                "p_value": test.p,
                "cohens_d": test.cohens_d,
                "balance_score": balance(tcps_improvement_pct=round(gain, 2), cv=round(whole["cv"], 3)),
                "significance": stars(test.p),
            },
        )
