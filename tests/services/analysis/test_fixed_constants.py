"""Analyses pinned to constants of others: equal where they are their own, worked by hand where they are wider."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from passer.adapters.sheets import XlsxSheetReader
from passer.domain.analysis.choices import SheetChoices, SweepChoices
from passer.domain.analysis.constants import Constants, read_constants
from passer.domain.composite import MetricConstants
from passer.domain.panel import panel_named
from passer.domain.wording.sentence import reading, shown
from passer.errors import InputError, NotFoundError
from passer.services.analysis.fixed_constants import FixedConstants
from passer.services.analysis.run_evidence import evidence_of_runs
from passer.services.analysis.sweep_analysis import analyse
from passer.services.sheets.sheet_library import SheetLibrary
from tests.analysis_rows import by_name, noisy, sweep
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.result_sheets import row_of, write_sheet

PHASE3 = panel_named("phase3")
OF_RUNS = {"kind": "sweep", "profile": "standard", "strip_thinking": "True"}
CORRECTED = SheetChoices(procedure="corrected")


def constants(low: float = 0.0, high: float = 1.0, **changes: Any) -> Constants:
    metrics = tuple(MetricConstants(metric=column, minimum=low, maximum=high) for column in PHASE3.columns)
    given = {"source": "an earlier study", "rows": 7, "panel": "phase3", "identity": OF_RUNS, "metrics": metrics}
    return Constants.model_validate(given | changes)


def without(analysis: Any) -> dict[str, Any]:
    """All numbers of an analysis; words and the pool's name aside."""
    found = analysis.model_dump(mode="json", exclude={"scope", "statements", "constants", "wordings"})
    for pool in found["pools"]:
        del pool["name"]
    for conclusion in found["verdict"]["conclusions"] if "verdict" in found else ():
        del conclusion["basis"]["pool"], conclusion["basis"]["line"]["text"]
    return found


def test_constants_of_the_own_pool_given_back_change_no_number() -> None:
    runs = sweep(base=noisy(0.4), good=noisy(0.5, seed=3), worse=noisy(0.3, seed=4))
    own = analyse(runs)
    assert own.constants is not None
    written = read_constants(own.model_dump_json())  # as `passer analyse ID --json` prints it
    assert written == own.constants
    pinned = analyse(runs, SweepChoices(constants=written))
    assert without(pinned) == without(own)
    assert (own.scope, pinned.scope) == ("all", "given")
    assert evidence_of_runs(runs, SweepChoices(constants=written), draws=100) == evidence_of_runs(runs, draws=100)


def test_a_wider_pool_gives_cps_by_hand() -> None:
    # Every metric between -1 and 3 (perplexities are 1 - height): (height + 1) / 4, or (3 - (1 - height)) / 4.
    runs = sweep(base=[0.2, 0.4], other=[0.4, 0.8])
    pinned = analyse(runs, SweepChoices(constants=constants(-1.0, 3.0)))
    weight = {item.higher_is_better: 0.0 for item in PHASE3.metrics}
    for item in PHASE3.metrics:
        weight[item.higher_is_better] += item.weight
    assert weight == pytest.approx({True: 0.8, False: 0.2})
    by_hand = [0.8 * (height + 1) / 4 + 0.2 * (2 + height) / 4 for height in (0.3, 0.6)]
    assert [item.mean_cps for item in pinned.configurations] == pytest.approx(by_hand)
    assert by_name(pinned)["other"].comparison.gain == pytest.approx(0.3 / 4)
    [pool] = pinned.pools
    assert pool.name == "constants of an earlier study, 7 rows"
    assert "relative to constants of an earlier study, 7 rows: 4 rows" in pinned.statements[0]
    assert pinned.statements[1].startswith(
        "Fixed constants: the minimum and maximum of each metric are those of an earlier"
    )


def test_what_lies_outside_is_counted_and_not_clipped() -> None:
    outside = analyse(sweep(base=[0.2, 0.4], other=[0.4, 0.6]), SweepChoices(constants=constants(0.0, 0.5)))
    assert any(
        warning == "METEOR is outside the constants in 1 row; the values are not clipped."
        for warning in outside.warnings
    )


def test_an_analysis_that_is_pinned_hands_on_what_it_is_pinned_to() -> None:
    first = constants(-1.0, 3.0)
    assert analyse(sweep(base=[0.2, 0.4], other=[0.4, 0.8]), SweepChoices(constants=first)).constants == first
    by_model = analyse(sweep(base=[0.2, 0.4], other=[0.4, 0.8]), SweepChoices(scope="run"))
    assert by_model.constants is None


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"metrics": constants().metrics[1:]}, "have no METEOR, which the panel phase3 needs"),
        (
            {"identity": OF_RUNS | {"profile": "published"}},
            "Scores cannot be compared: profile is standard in this analysis, but published",
        ),
        (
            {"identity": OF_RUNS | {"encoder_digest": "abc"}},
            "Scores cannot be compared: encoder_digest is none in this analysis, but abc",
        ),
    ],
)
def test_constants_of_other_scores_are_refused(changes: dict[str, Any], problem: str) -> None:
    runs = sweep(base=[0.2, 0.4], other=[0.4, 0.8])
    for refuse in (analyse, evidence_of_runs):
        with pytest.raises(InputError, match=problem) as refused:
            refuse(runs, SweepChoices(constants=constants(**changes)))
        assert refused.value.field == "constants"


@pytest.mark.parametrize("scope", ["model", "run"])
def test_pools_of_their_own_are_not_pinned(scope: Any, tmp_path: Path) -> None:
    runs, given = sweep(base=[0.2, 0.4], other=[0.4, 0.8]), constants()
    pins, _ = fixed_constants(tmp_path)
    refusals = (
        lambda: analyse(runs, SweepChoices(scope=scope, constants=given)),
        lambda: evidence_of_runs(runs, SweepChoices(scope=scope, constants=given)),
        lambda: pins.sweep(SweepChoices(scope=scope), given),
        lambda: pins.sweep(SweepChoices(scope=scope), "a-sweep"),
    )
    for refuse in refusals:
        with pytest.raises(InputError, match=f"the scope {scope} gives each {scope} its own. Remove") as refused:
            refuse()
        assert refused.value.field == "scope"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"minimum": 2}, "METEOR: minimum must not exceed maximum"),
        ({"maximum": float("nan")}, "METEOR.maximum: The value must be a finite number"),
        ({"maximum": float("inf")}, "METEOR.maximum: The value must be a finite number"),
        ({"metric": "Rouge-2.f"}, "metrics: Rouge-2.f occurs more than once"),
        ({"more": 1}, "METEOR.more: There is no such field"),
    ],
)
def test_a_file_is_taken_whole_or_not_at_all(change: dict[str, Any], problem: str) -> None:
    found = json.loads(constants().model_dump_json())
    found["metrics"][0] |= change
    for text in (json.dumps(found), json.dumps({"constants": found, "configurations": []})):
        with pytest.raises(InputError, match=f"cannot be used: {problem}") as refused:
            read_constants(text)
        assert refused.value.field == "constants"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"metric": "Rouge-2.f"}, "metrics: Rouge-2.f се среща повече от веднъж"),
        ({"minimum": 2}, "METEOR: минимумът не може да надвишава максимума"),
        ({"minimum": None}, "METEOR.minimum: полето липсва"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_the_readers_language(change: dict[str, Any], problem: str) -> None:
    found = json.loads(constants().model_dump_json())
    first = found["metrics"][0] | change
    found["metrics"][0] = {name: value for name, value in first.items() if value is not None}
    with pytest.raises(InputError) as refused:
        read_constants(json.dumps(found))
    with reading("bg"):
        assert shown(refused.value.message).startswith(f"Константите не могат да се използват: {problem}. Използвайте")


@pytest.mark.parametrize(("text", "problem"), [("{", "not JSON"), ("{}", "no constants"), ("[]", "must be an object")])
def test_what_is_no_analysis_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_constants(text)


def fixed_constants(tmp_path: Path, **studies: dict[str, list[float]]) -> tuple[FixedConstants, dict[str, str]]:
    store = MemoryStore(FakeClock())
    sheet_library = SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock())
    ids = {}
    for name, sheets in studies.items():
        for sheet, heights in sheets.items():
            rows = [row_of(f"q{n}?", height) for n, height in enumerate(heights)]
            write_sheet(tmp_path / name / "m" / f"{sheet}.xlsx", rows)
        ids[name] = sheet_library.import_folder(tmp_path / name).id
    runs = sweep(base=[0.2, 0.4], other=[0.4, 0.8])
    sweep_results: Any = SimpleNamespace(analyse=lambda _, choices: analyse(runs, choices))
    return FixedConstants(sweep_results=sweep_results, sheet_library=sheet_library), ids


def test_sheets_are_pinned_to_another_import(tmp_path: Path) -> None:
    pins, ids = fixed_constants(
        tmp_path,
        wide={"baseline": [0.0, 0.5], "threshold_0.5": [0.5, 1.0]},
        narrow={"baseline": [0.2, 0.3], "threshold_0.5": [0.4, 0.6]},
    )
    own = pins.sheet_library.analyse(ids["narrow"], CORRECTED)
    pinned = pins.sheet_library.analyse(ids["narrow"], pins.sheets(CORRECTED, ids["wide"]))
    # METEOR alone varies, with the weight .15; the other metrics are the same everywhere: half of .85.
    assert [item.mean_cps for item in own.configurations] == pytest.approx(
        [0.425 + 0.15 * 0.05 / 0.4, 0.425 + 0.15 * 0.3 / 0.4]
    )
    assert [item.mean_cps for item in pinned.configurations] == pytest.approx([0.425 + 0.15 * 0.25, 0.425 + 0.15 * 0.5])
    assert (own.scope, pinned.scope) == ("all", "given")
    assert pinned.pools[0].name == f"constants of import wide ({ids['wide']}), 4 rows"
    back = pins.sheet_library.analyse(ids["narrow"], pins.sheets(CORRECTED, own.constants))
    assert (back.configurations, back.tables, back.evidence) == (own.configurations, own.tables, own.evidence)


def test_constants_of_another_kind_or_reading_are_refused(tmp_path: Path) -> None:
    pins, ids = fixed_constants(tmp_path, one={"baseline": [0.0, 0.5], "threshold_0.5": [0.5, 1.0]})
    published = pins.sheet_library.analyse(ids["one"], SheetChoices(procedure="published")).constants
    for given, problem in (
        ("a-sweep", "Scores cannot be compared: kind is result sheets in this analysis, but sweep in"),
        (published, "Scores cannot be compared: columns is true ones in this analysis, but as labelled in"),
    ):
        with pytest.raises(InputError, match=problem):
            pins.sheet_library.analyse(ids["one"], pins.sheets(CORRECTED, given))
    with pytest.raises(InputError, match="Scores cannot be compared"):
        pins.sweep_results.analyse("a-sweep", pins.sweep(SweepChoices(), ids["one"]))
    pilot = SheetChoices(procedure="published-phase2", constants=published)
    with pytest.raises(InputError, match="Remove the constants"):
        pins.sheet_library.analyse(ids["one"], pilot)
    with pytest.raises(InputError, match="has several pools"):
        pins.sheets(SheetChoices(procedure="published-phase2"), ids["one"])
    with pytest.raises(NotFoundError):
        pins.sheets(CORRECTED, "sheets-none")
