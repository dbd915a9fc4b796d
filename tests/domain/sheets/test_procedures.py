"""Imported sheets by the named procedures, against the record of two published models and against hand-made sheets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passer.adapters.sheets import XlsxSheetReader
from passer.domain.analysis.study_tables import interpretation
from passer.domain.sheets.procedures import Procedure, analyse_sheets, possible_procedures
from passer.domain.sheets.sheet import Sheet, place_of
from passer.domain.verdict.family import FamilyRule, family_gains
from passer.domain.wording.sentence import reading
from passer.errors import ConfigError, ConflictError, InputError, PasserError
from tests.domain.sheets.test_published_record import averaged, composite
from tests.phase3_sheets import MODELS, TRUE_LABELS, read_sheets
from tests.result_sheets import PANEL_COLUMNS, sheet

ABSOLUTE = 1e-9


def read_folder(folder: Path) -> list[Sheet]:
    reader = XlsxSheetReader()
    sheets = []
    for path in sorted(folder.rglob("*.xlsx")):
        relative = path.relative_to(folder).as_posix()
        place = place_of(relative)
        assert place is not None, relative
        sheets.append(reader.read(path.read_bytes(), path=relative, place=place))
    return sorted(sheets, key=lambda found: (found.model, found.threshold is not None, found.threshold or 0.0))


@pytest.fixture(scope="module")
def phase3(test_data: Path) -> list[Sheet]:
    return read_folder(test_data / "phase3-sheets")


def differences(got: Any, wanted: Any, where: str = "") -> list[str]:
    """Every place where two JSON values differ by more than 1e-9, or in kind."""
    if isinstance(wanted, dict):
        if list(got) != list(wanted):
            return [f"{where}: keys {list(got)} instead of {list(wanted)}"]
        return [text for key in wanted for text in differences(got[key], wanted[key], f"{where}.{key}")]
    if isinstance(wanted, list):
        if len(got) != len(wanted):
            return [f"{where}: {len(got)} instead of {len(wanted)}"]
        pairs = enumerate(zip(got, wanted, strict=True))
        return [text for place, (a, b) in pairs for text in differences(a, b, f"{where}[{place}]")]
    if isinstance(wanted, float):
        near = isinstance(got, float | int) and abs(got - wanted) <= ABSOLUTE
        return [] if near else [f"{where}: {got} instead of {wanted}"]
    return [] if got == wanted and type(got) is type(wanted) else [f"{where}: {got!r} instead of {wanted!r}"]


def test_differences_are_found() -> None:
    assert differences({"a": [1.0, None]}, {"a": [1.0 + 2e-9, None]}) == [".a[0]: 1.0 instead of 1.000000002"]
    assert differences([1], [1.0]) == []
    assert differences(["ns"], ["*"]) == ["[0]: 'ns' instead of '*'"]


def record_of(test_data: Path, procedure: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((test_data / "expected-two-models.json").read_text(encoding="utf-8"))[procedure]
    return found


def as_json(sheets: list[Sheet], procedure: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(analyse_sheets(sheets, procedure, labels=MODELS).model_dump_json())
    return found


def test_every_value_of_the_published_record_comes_out_again(phase3: list[Sheet], test_data: Path) -> None:
    record, analysis = record_of(test_data, "published"), as_json(phase3, "published")
    for part in ("configurations", "tables"):
        assert differences(analysis[part], record[part]) == []


def without_rule(configuration: dict[str, Any]) -> dict[str, Any]:
    """A configuration without what the rule of the verdict adds; the record has the uncorrected stars."""
    return {name: value for name, value in configuration.items() if name not in ("judged", "is_ranked", "significance")}


@pytest.fixture(scope="module")
def corrected(phase3: list[Sheet]) -> dict[str, Any]:
    return as_json(phase3, "corrected")


def test_every_figure_of_the_corrected_record_comes_out_again(corrected: dict[str, Any], test_data: Path) -> None:
    record = record_of(test_data, "corrected")
    both = [[without_rule(item) for item in found["configurations"]] for found in (corrected, record)]
    assert differences(*both) == []
    assert differences(corrected["tables"]["spearman"], record["tables"]["spearman"]) == []


def stars_by_hand(p: float) -> str:
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else "ns"


def test_corrected_stars_are_those_of_the_verdict(corrected: dict[str, Any], test_data: Path) -> None:
    """One family of all 20 comparisons, from differences by question that other code made of the same files."""
    sheets = read_sheets(test_data)
    by_question = {key: averaged(sheets[key][0], cps) for key, cps in composite(sheets, TRUE_LABELS).items()}
    questions = list(dict.fromkeys(question for keys, _ in sheets.values() for question in keys))
    compared = [item for item in corrected["configurations"] if item["threshold"] is not None]
    columns = []
    for item in compared:
        here, base = by_question[item["model"], item["threshold"]], by_question[item["model"], None]
        columns.append([here.get(key, np.nan) - base.get(key, np.nan) for key in questions])
    for item, gain in zip(compared, family_gains(np.array(columns).T, FamilyRule()), strict=True):
        assert gain.p is not None
        assert item["judged"]["p"] == pytest.approx(gain.p, abs=2e-4)
        assert item["significance"] == stars_by_hand(item["judged"]["p"])
    # Uncorrected, the record has 14 gains; eight of DeepSeek's and Mistral's do not survive twenty comparisons alike.
    assert sum(item["significance"] != "ns" for item in compared) < 14


def test_corrected_ranks_gains_of_what_has_its_questions(corrected: dict[str, Any], test_data: Path) -> None:
    """The rankings made plainly from the record's figures: 185 of 369 questions do not compete."""
    record = record_of(test_data, "corrected")["configurations"]
    [unranked] = [item for item in corrected["configurations"] if not item.get("is_ranked", True)]
    assert (unranked["model"], unranked["threshold"], unranked["n_pairs"]) == ("Mistral 7B v0.3", 0.95, 185)
    for model in MODELS.values():
        own = [item for item in record if item["model"] == model and item["threshold"] is not None]
        own = [item for item in own if (model, item["threshold"]) != ("Mistral 7B v0.3", 0.95)]
        for table, criterion in (("top_cps", "cps_improvement_pct"), ("top_tcps", "tcps_improvement_pct")):
            best = sorted(own, key=lambda item: -item[criterion])[:3]
            shown = [row for row in corrected["tables"][table]["rows"] if row[0] == model]
            assert [row[2] for row in shown] == [item["threshold"] for item in best]
    agreement = {row[0]: row[1:] for row in corrected["tables"]["agreement"]["rows"]}
    assert agreement["Mistral 7B v0.3"] == [0.9, 0.9, 0.9, "Perfect"]
    said = " ".join(corrected["statements"])
    assert "threshold 0.95 has 185 of the 369 questions of its baseline, less than 90 %" in said
    assert "Averaging lowers CV" in said
    assert "mistral/threshold_0.95.xlsx" in said


def test_the_pilot_peaks_where_it_was_published(test_data: Path) -> None:
    analysis = analyse_sheets(read_folder(test_data / "phase2-sheets"), "published-phase2")
    assert len(analysis.configurations) == 14
    assert {item.n for item in analysis.configurations} == {100}
    best = {row[0]: row[1:] for row in analysis.tables["agreement"].rows}
    assert best == {"mistral": (0.55, 0.55, None, "Perfect"), "orca": (0.65, 0.65, None, "Perfect")}
    compared = ("n_pairs", "cps_improvement_pct", "t_statistic", "p_value", "balance_score", "significance")
    assert {getattr(item, name) for item in analysis.configurations for name in compared} == {None}
    assert analysis.tables["balance_ranking"].rows == analysis.tables["significance_counts"].rows == ()
    with reading("bg"):
        statements = " ".join(analysis.model_dump(mode="json", include={"statements"})["statements"])
    assert "панела phase2 (необърнати перплексии) спрямо" in statements


def study() -> list[Sheet]:
    """Two questions, METEOR alone varies: CPS is .5 x .85 for the constant metrics and .15 x the normalised METEOR."""
    return [sheet("m", None, {"one": 0.0, "two": 0.5}), sheet("m", 0.5, {"one": 0.5, "two": 1.0})]


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_a_study_small_enough_for_paper(procedure: Any) -> None:
    baseline, here = analyse_sheets(study(), procedure).configurations
    assert baseline.mean_cps == pytest.approx(0.425 + 0.15 * 0.25)
    assert here.mean_cps == pytest.approx(0.425 + 0.15 * 0.75)
    assert here.cps_improvement_pct == pytest.approx((0.5375 - 0.4625) / 0.4625 * 100)
    assert here.n_pairs == 2
    assert (here.t_statistic, here.p_value, here.significance) == (None, None, None), "both gain exactly the same"


def test_corrected_pairs_by_question_and_published_by_position() -> None:
    reversed_order = [study()[0], sheet("m", 0.5, {"two": 0.5, "one": 0.0})]
    corrected = analyse_sheets(reversed_order, "corrected").configurations[1]
    published = analyse_sheets(reversed_order, "published").configurations[1]
    assert corrected.cohens_d is corrected.t_statistic is None, "every question is as it was"
    assert published.t_statistic == 0.0


def test_a_repeated_question_counts_once_in_corrected_and_twice_in_published() -> None:
    doubled = [study()[0], sheet("m", 0.5, {"one": 0.5, "two": 1.0}, repeat={"one": 0.7})]
    corrected = analyse_sheets(doubled, "corrected").configurations[1]
    published = analyse_sheets(doubled, "published").configurations[1]
    assert (corrected.n, corrected.n_pairs) == (2, 2)
    assert corrected.mean_cps == pytest.approx(0.425 + 0.15 * (0.6 + 1.0) / 2)
    assert (published.n, published.n_pairs) == (3, 2)


def test_averaged_repeats_are_named_because_they_lower_cv_and_so_raise_t_cps() -> None:
    averaged = [study()[0], sheet("m", 0.5, {"one": 0.5, "two": 1.0}, repeat={"one": 0.7, "two": 0.8})]
    [said] = [text for text in analyse_sheets(averaged, "corrected").statements if "averages" in text]
    assert "CV" in said
    assert "T-CPS" in said
    half = [study()[0], sheet("m", 0.5, {"one": 0.5, "two": 1.0}, repeat={"one": 0.7})]
    assert not [text for text in analyse_sheets(half, "corrected").statements if "averages" in text], "not most of them"


def test_a_missing_score_takes_its_question_out_everywhere_in_corrected_and_its_row_in_published() -> None:
    sheets = [sheet("m", None, {"one": 0.0, "two": 0.5, "three": 0.2}), sheet("m", 0.5, {"one": 0.5, "two": 1.0})]
    sheets[0].present[1, 0] = False
    corrected, published = analyse_sheets(sheets, "corrected"), analyse_sheets(sheets, "published")
    assert [item.n for item in corrected.configurations] == [2, 1]
    assert [item.n for item in published.configurations] == [2, 2]
    assert any("1 row has a missing score" in text and "2 of 5" in text for text in corrected.statements)


def test_an_impossible_value_takes_its_question_out_in_corrected_and_is_the_maximum_in_published() -> None:
    sheets = study()
    sheets[0].values[1, 0] = 17
    corrected, published = analyse_sheets(sheets, "corrected"), analyse_sheets(sheets, "published")
    assert [item.n for item in corrected.configurations] == [1, 1], "question two is left out on both sides"
    [meteor] = [item for item in corrected.pools[0].metrics if item.metric == "METEOR"]
    assert (meteor.minimum, meteor.maximum) == (0.0, 0.5)
    [meteor] = [item for item in published.pools[0].metrics if item.metric == "METEOR"]
    assert meteor.maximum == 17


def test_true_columns_are_read_past_shifted_labels() -> None:
    shifted = sheet("m", 0.5, {"one": 0.5, "two": 1.0}, shifted=True)
    right = sheet("m", 0.5, {"one": 0.5, "two": 1.0})
    both = [analyse_sheets([study()[0], item], "corrected").configurations for item in (shifted, right)]
    assert both[0] == both[1]


def test_labels_that_cannot_be_told_stop_corrected_and_not_published() -> None:
    broken = sheet("m", 0.5, {"one": 0.5, "two": 1.0})
    broken.values[0, broken.columns.index("Rouge-1.f")] += 0.1
    with pytest.raises(ConflictError, match="cannot tell whether"):
        analyse_sheets([study()[0], broken], "corrected")
    assert len(analyse_sheets([study()[0], broken], "published").configurations) == 2


def test_models_come_in_the_order_of_their_labels() -> None:
    sheets = [*study(), sheet("a", None, {"one": 0.1})]
    named = analyse_sheets(sheets, "corrected", labels={"a": "Second", "m": "First"})
    assert [item.model for item in named.configurations] == ["Second", "First", "First"]
    with pytest.raises(ConfigError, match="No sheet belongs to a model “x”"):
        analyse_sheets(sheets, "corrected", labels={"x": "X"})
    with pytest.raises(ConfigError, match="have the label “m”"):
        analyse_sheets(sheets, "corrected", labels={"a": "m"})


@pytest.mark.parametrize("seed", range(40))
def test_any_sheets_give_figures_or_one_sentence(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sheets = []
    for model in "ab"[: rng.integers(1, 3)]:
        for threshold in (None, 0.5, 0.6)[rng.integers(0, 2) :]:
            chosen = rng.permutation(8)[: rng.integers(1, 7)]
            meteor = {f"question {place}": float(rng.choice([0.0, 0.2, rng.random()])) for place in chosen}
            repeat = {f"question {chosen[0]}": 0.3} if rng.random() < 0.3 else None
            sheets.append(sheet(model, threshold, meteor, repeat=repeat, shifted=bool(rng.random() < 0.5)))
    sheets[0].present[0, rng.choice([0, 15])] = False
    refused = []
    for procedure in ("published", "corrected", "published-phase2"):
        try:
            analysis = analyse_sheets(sheets, procedure)
        except PasserError as exc:
            refused.append(exc.message)
            continue
        # NaN and infinity are no JSON: this would raise.
        json.dumps(analysis.model_dump(mode="json"), allow_nan=False)
        assert len(analysis.configurations) == len(sheets)
    assert all(message.endswith(".") for message in refused)


def test_sheets_of_the_pilot_have_one_procedure_that_the_refusal_of_others_names(test_data: Path) -> None:
    pilot = read_folder(test_data / "phase2-sheets")
    assert possible_procedures(pilot) == ("published-phase2",)
    assert possible_procedures(study()) == ("published", "corrected", "published-phase2")
    others: tuple[Procedure, ...] = ("published", "corrected")
    for procedure in others:
        with pytest.raises(InputError, match="16 metrics of the pilot: choose the procedure published-phase2"):
            analyse_sheets(pilot, procedure)
    few = [replace(each, columns=each.columns[:3]) for each in study()]
    assert possible_procedures(few) == ()
    with pytest.raises(InputError, match="Import sheets that have it"):
        analyse_sheets(few, "published-phase2")


def test_effective_weights_and_constants_are_with_the_pool(phase3: list[Sheet]) -> None:
    [pool] = analyse_sheets(phase3, "corrected", labels=MODELS).pools
    assert pool.rows == 8158
    assert sum(item.effective_weight or 0.0 for item in pool.metrics) == pytest.approx(1.0)
    assert [item.metric for item in pool.metrics] == list(PANEL_COLUMNS)
    assert all(np.isfinite([item.minimum, item.maximum]).all() for item in pool.metrics)


def test_labels_of_improvements() -> None:
    assert [interpretation(gain) for gain in (3.0, 1.5, 0.5, 0.49, -9.0, None)] == [
        "Large improvement", "Moderate improvement", "Small improvement", "Minimal change", "Minimal change", None,
    ]  # fmt: skip
    assert interpretation(7.25, "phase4") == "Moderate improvement"
    assert interpretation(8.75, "phase4") == "Large improvement"
