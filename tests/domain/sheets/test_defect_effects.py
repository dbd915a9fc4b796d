"""Published against corrected: by hand on small sheets, one defect each, and on the public record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passer.domain.sheets.defect_effects import DefectEffects, MovedFigure, defect_effects, effects_table
from passer.domain.sheets.sheet import Sheet
from passer.domain.wording.sentence import reading, shown
from tests.domain.sheets.test_procedures import read_folder
from tests.phase3_sheets import MODELS
from tests.result_sheets import sheet

BASELINE = {"one": 0.0, "two": 0.5, "three": 1.0}


def gain_of(effects: DefectEffects, threshold: float) -> MovedFigure:
    [found] = [item for item in effects.figures if item.threshold == threshold and item.figure == "cps_improvement_pct"]
    return found


def only(found: MovedFigure) -> set[str]:
    return {defect for defect, change in found.changes.items() if abs(change) > 1e-9}


def test_sheets_without_defects_are_not_moved() -> None:
    effects = defect_effects([sheet("m", None, BASELINE), sheet("m", 0.5, {**BASELINE, "one": 0.5})])
    found = gain_of(effects, 0.5)
    # METEOR weighs .15, its mean goes from .5 to 2/3; the constant metrics give .425. As published CPS has 4 decimals.
    assert found.published == pytest.approx(0.15 / 6 / 0.5 * 100)
    assert (found.corrected, found.decisive) == (pytest.approx(5.0), None)
    assert effects.changed == ()
    assert effects.direction is None


def test_doubled_rows_move_what_counts_them_twice() -> None:
    doubled = sheet("m", 0.5, {"one": 0.0, "two": 0.5}, repeat={"two": 1.0})
    found = gain_of(defect_effects([sheet("m", None, BASELINE), doubled]), 0.5)
    # By position the rows are 0, .5, 1 as in the baseline; merged, question two is .75 beside .5.
    assert found.published == pytest.approx(0.0)
    assert found.corrected == pytest.approx(0.15 * 0.125 / (0.425 + 0.15 * 0.25) * 100)
    assert only(found) == {"doubled_rows"}
    assert found.decisive == "doubled_rows"


def test_pairing_moves_what_stands_beside_another_question() -> None:
    later = sheet("m", 0.5, {"two": 0.5, "three": 1.0})
    effects = defect_effects([sheet("m", None, BASELINE), later])
    found = gain_of(effects, 0.5)
    # By position .5 and 1 stand beside 0 and .5: mean METEOR .75 beside .25; by question nothing changed.
    assert found.published == pytest.approx(0.15 * 0.5 / (0.425 + 0.15 * 0.25) * 100)
    assert found.corrected == pytest.approx(0.0)
    assert found.decisive == "pairing"
    # Two of three questions are less than 90 %: the only threshold is no longer the best.
    [best] = [item for item in effects.conclusions if item.kind == "best_cps"]
    assert (best.is_changed, best.corrected, best.defects) == (True, "none", ("missing_questions",))


def test_shifted_labels_move_what_reads_the_wrong_column() -> None:
    sheets = [sheet("m", None, BASELINE, shifted=True), sheet("m", 0.5, BASELINE, shifted=True)]
    # The F of ROUGE-2, of the panel, stands under Rouge-l.r; its heading holds the recall, which is not of the panel.
    sheets[1].values[:, sheets[1].columns.index("Rouge-l.r")] = [0.3, 0.3, 0.9]
    effects = defect_effects(sheets)
    found = gain_of(effects, 0.5)
    assert found.published == pytest.approx(0.0)
    assert found.corrected is not None
    assert found.corrected > 0
    assert found.decisive == "labels"
    assert effects.direction is not None


def test_a_lost_score_moves_as_a_missing_score() -> None:
    here = sheet("m", 0.5, {"one": 0.5, "two": 0.5, "three": 1.0})
    here.present[2, here.columns.index("F1 Score")] = False
    found = gain_of(defect_effects([sheet("m", None, BASELINE), here]), 0.5)
    # The pool loses the baseline's METEOR of 1 with question three, so .5 is its maximum.
    assert "missing_scores" in only(found)
    assert found.corrected == pytest.approx(0.15 * 0.5 / (0.425 + 0.15 * 0.5) * 100)


def test_what_cannot_be_compared_says_why() -> None:
    assert "no model has a baseline" in (defect_effects([sheet("m", 0.5, BASELINE)]).reason or "")
    unclear = sheet("m", None, BASELINE)
    unclear.values[0, unclear.columns.index("Rouge-1.f")] += 0.1
    assert "cannot tell whether" in (defect_effects([unclear, sheet("m", 0.5, BASELINE)]).reason or "")


@pytest.fixture(scope="module")
def phase3(test_data: Path) -> list[Sheet]:
    return read_folder(test_data / "phase3-sheets")


@pytest.fixture(scope="module")
def effects(phase3: list[Sheet]) -> DefectEffects:
    return defect_effects(phase3, MODELS)


def test_both_ends_are_the_record_and_the_changes_add_up(effects: DefectEffects, test_data: Path) -> None:
    record = json.loads((test_data / "expected-two-models.json").read_text(encoding="utf-8"))
    ends: list[dict[Any, Any]] = [
        {(item["model"], item["threshold"]): item for item in record[procedure]["configurations"]}
        for procedure in ("published", "corrected")
    ]
    assert len(effects.figures) == 20 * 4
    for item in effects.figures:
        published, corrected = (end[item.model, item.threshold][item.figure] for end in ends)
        assert (item.published, item.corrected) == (pytest.approx(published), pytest.approx(corrected))
        assert sum(item.changes.values()) == pytest.approx(corrected - published)


def test_the_headline_gain_of_the_record_and_its_defect(effects: DefectEffects) -> None:
    """One sheet holds 186 questions, 185 of them twice; the record gives 4.94 % and 3.17 %."""
    found = next(item for item in effects.figures if (item.model, item.threshold) == (MODELS["mistral"], 0.95))
    assert (round(found.published or 0, 2), round(found.corrected or 0, 2)) == (4.94, 3.17)
    assert found.is_headline
    assert found.decisive == "doubled_rows"
    mistral = effects.models[0]
    assert "threshold 0.95 has the largest CPS gain, +4.94 %" in mistral.published
    assert "threshold 0.9 has the largest CPS gain, +3.60 %" in mistral.corrected
    assert "is +3.17 % on the 185 questions" in mistral.corrected
    changed = {(item.model, item.kind): item.defects for item in effects.conclusions if item.is_changed}
    assert changed[MODELS["deepseek"], "best_balance"] == ("labels",), "the record: .65 becomes .90"
    assert changed[MODELS["mistral"], "best_cps"] == ("doubled_rows",)
    assert (MODELS["deepseek"], "best_cps") not in changed, "the record: .90 by both procedures"


def test_the_table_holds_all_figures_or_the_headlines(effects: DefectEffects) -> None:
    table, short = effects_table(effects), effects_table(effects, headlines=True)
    assert len(table.rows) == 80
    assert {row[1] for row in short.rows if row[0] == MODELS["mistral"]} == {0.9, 0.95}
    published, corrected = (np.array([row[place] for row in table.rows], dtype=float) for place in (3, 4))
    changes = np.array([row[5:11] for row in table.rows], dtype=float)
    np.testing.assert_allclose(published + changes.sum(axis=1), corrected)


def test_the_conclusions_are_said_in_bulgarian_too(effects: DefectEffects) -> None:
    with reading("bg"):
        assert "праг 0,9 след корекцията. Причина: удвоени редове." in shown(effects.changed[0])


def test_the_pilot_is_not_compared(test_data: Path) -> None:
    pilot = defect_effects(read_folder(test_data / "phase2-sheets"))
    assert "published-phase2" in (pilot.reason or "")
    assert (pilot.models, pilot.figures, pilot.changed) == ((), (), ())
