"""Studies of imported sheets: both verifiers compute the table again, and find what somebody would change in one."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from passer.cli.reproducing import result_lines
from passer.domain.bundle.verification import STUDY_STEPS, Verification
from passer.domain.sheets.procedures import analyse_sheets
from passer.errors import ConflictError
from passer.services.provenance.published_study import StudyPublisher
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of
from tests.services.provenance.test_study_forgeries import in_file, in_study, in_verdict, kept_receipt, without_last_row
from tests.sheet_studies import IMPORT, LABELS, composer, published_sheets, sheets
from tests.studies import Json, StubRecorder, resealed, told, value_of, verify_study, with_verdict_changed

Forge = Callable[[bytes], bytes]


@pytest.fixture(scope="module")
def study() -> bytes:
    return published_sheets()


@pytest.fixture(scope="module")
def forgeries(study: bytes) -> dict[str, tuple[bytes, Verification]]:
    """Each forged file, and what `passer verify` finds: once, for both tests."""
    made = {name: forge(study) for name, (_, forge) in OF_SHEETS.items()}
    assert study not in made.values()
    return {name: (content, verify_study(content)) for name, content in made.items()}


def in_rows(change: Callable[[list[Json]], object], of_study: Callable[[Json], object] = lambda _: None) -> Forge:
    """Rows changed, and study.json made to fit."""

    def forge(study: bytes) -> bytes:
        members = members_of(study)
        rows = [json.loads(line) for line in members["rows.jsonl"].splitlines()]
        change(rows)
        lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for row in rows]
        return resealed(members | {"rows.jsonl": "".join(f"{line}\n" for line in lines).encode()}, of_study)

    return forge


def values_of(rows: list[Json], sheet: int, number: int) -> Json:
    found: Json = [row for row in rows if row["sheet"] == sheet][number]["values"]
    return found


def raised(rows: list[Json]) -> None:
    values = values_of(rows, 1, 5)
    values["F1 Score"] = min(1.0, values["F1 Score"] + 0.2)


def labels_swapped(rows: list[Json]) -> None:
    """Precision and recall of ROUGE-2 under each other's label, in one sheet with the right labels: none is wrong."""
    for row in rows:
        if row["sheet"] == 1:
            values = row["values"]
            values["Rouge-1.p"], values["Rouge-1.f"] = values["Rouge-1.f"], values["Rouge-1.p"]


def another_question(rows: list[Json]) -> None:
    """A good row given to the question of a bad one."""
    rows[6]["id"] = rows[5]["id"]


def without_sheet(value: Json) -> None:
    value["sheets"].pop()


def scores_invented(_: bytes) -> bytes:
    """Sheets whose scores somebody raised before they were imported, with all that follows."""
    raised_sheets = []
    for sheet in sheets():
        values = sheet.values.copy()
        if not sheet.is_baseline:
            values[:, sheet.columns.index("F1 Score")] = 0.99
        raised_sheets.append(replace(sheet, values=values))
    composed = composer(tuple(raised_sheets)).compose(IMPORT, labels=LABELS)
    with StudyPublisher(StubRecorder()).study(composed) as stream:
        return stream.read()


OF_SHEETS: dict[str, tuple[str | None, Forge]] = {
    "a score of an imported row raised": ("verdict", in_rows(raised)),
    "an imported row left out": ("runs", in_rows(lambda rows: rows.pop())),
    "an imported row left out, and not counted": (
        "verdict",
        in_rows(lambda rows: rows.pop(5), lambda v: v["sheets"][0].update(rows=v["sheets"][0]["rows"] - 1)),
    ),
    "two imported rows in another order": ("runs", in_rows(lambda rows: rows.insert(0, rows.pop(1)))),
    "an imported row given to another question": ("runs", in_rows(another_question)),
    "a column of an imported row left out": ("runs", in_rows(lambda rows: values_of(rows, 0, 0).pop("METEOR"))),
    "the columns of an imported sheet swapped": ("design", in_rows(labels_swapped)),
    "shifted labels called right": ("design", in_study(lambda v: v["sheets"][3].update(labels="right"))),
    "another imported sheet called the baseline": (
        "design",
        in_study(lambda v: (v["sheets"][0].update(is_baseline=False), v["sheets"][1].update(is_baseline=True))),
    ),
    "an imported sheet with another threshold": (
        "design",
        in_study(lambda v: v["sheets"][1].update(name="threshold 0.9")),
    ),
    "an imported sheet given to another model": ("design", in_study(lambda v: v["sheets"][2].update(model="mistral"))),
    "an imported sheet left out": ("runs", in_study(without_sheet)),
    "an imported sheet left out, and its rows": (
        "verdict",
        in_rows(lambda rows: [rows.remove(row) for row in list(rows) if row["sheet"] == 5], without_sheet),
    ),
    "another number of imported questions": ("design", in_study(lambda v: v["dataset"].update(questions=25))),
    "weights of imported questions": ("study", in_study(lambda v: v["dataset"].update(weights=[1.0] * 24))),
    "a plan of imported sheets": (
        "study",
        in_study(lambda v: v.update(registration=dict.fromkeys(("known", "earlier", "configurations"), 0))),
    ),
    "a gain of imported sheets raised": ("verdict", in_verdict(lambda v: v["gains"][0].update(gain=0.5))),
    "another panel for imported sheets": ("verdict", in_study(lambda v: v["design"].update(panel="text-1"))),
    "a cell of the table of imported sheets changed": ("table", in_file("table.csv", ",25,25,0,", ",26,26,0,")),
    "a row of the table of imported sheets left out": ("table", without_last_row),
    "a number in the methods of imported sheets changed": ("methods", in_file("methods.md", "[24]", "[240]")),
    "imported sheets changed, with the entry of the first": ("study_entry", kept_receipt),
    "scores raised before the import": (None, scores_invented),
    "another answer in an imported row": (None, in_rows(lambda rows: rows[0].update(answer="Another."))),
    "another digest of an imported file": (None, in_study(lambda v: v["sheets"][0].update(digest="0" * 64))),
    "another name of an imported model": (None, lambda _: published_sheets(labels={"mistral": "A larger one"})),
    "findings about imported sheets left out": (
        None,
        lambda study: resealed(members_of(study) | {"audit.json": b"{}"}),
    ),
}
"""Forgery: the step that names it, or None where a study of imported sheets alone cannot show it."""


def with_methods(text: str, of_study: Callable[[Json], object] = lambda _: None) -> Forge:
    return lambda study: resealed(members_of(study) | {"methods.md": text.encode()}, of_study)


def without_panel(study: bytes) -> bytes:
    """A panel that every object of JavaScript has, without a metric: nothing would have to be computed again."""
    of_nothing = with_verdict_changed(study, lambda v: v["composite"].update(panel="constructor", metrics=[]))
    return in_study(lambda v: v["design"].update(panel="constructor"))(of_nothing)


def with_settings(study: bytes) -> bytes:
    """Columns of retrieval, which sheets cannot fill, and links of the methods that lead to the right cells."""
    members = members_of(study)
    names, *rows = csv.reader(io.StringIO(members["table.csv"].decode(), newline=""))
    assert names[:2] == ["configuration", "model"]
    table = io.StringIO(newline="")
    csv.writer(table).writerows(
        [*row[:2], *added, *row[2:]]
        for row, added in ((names, ("retriever", "retrieval")), *((row, ("", "")) for row in rows))
    )
    link = re.compile(r"(?<=cell=)(\d+),(\d+)")
    methods = link.sub(lambda found: f"{found[1]},{int(found[2]) + 2}", members["methods.md"].decode())
    changed = {"table.csv": table.getvalue().encode(), "methods.md": methods.encode()}
    return resealed(members | changed, lambda value: value.update(format="passer-study-3"))


STRANGE: dict[str, tuple[str | None, Forge]] = {
    "a panel that there is not": ("verdict", in_study(lambda v: v["design"].update(panel="none"))),
    "a panel by the name of a function": ("verdict", without_panel),
    "a number for a list": ("methods", with_methods("[24](study.json#/sheets)")),
    "a number for an object": ("methods", with_methods("[24](study.json#/dataset)")),
    "a number for the length of a list": ("methods", with_methods("[6](study.json#/sheets/length)")),
    "a place in a list with a zero before it": ("methods", with_methods("[25](study.json#/sheets/01/rows)")),
    "a place in a list of 5000 digits": ("methods", with_methods(f"[25](study.json#/sheets/{'1' * 5000}/rows)")),
    "a number in hex": (
        "methods",
        with_methods("[16](study.json#/published_by)", lambda v: v.update(published_by="0x10")),
    ),
    "a number that Python alone reads": (
        "methods",
        with_methods("[1000](study.json#/published_by)", lambda v: v.update(published_by="1_000")),
    ),
    # Python reads it as a whole number, which canonical JSON cannot write.
    "a design with the number 1e16": (None, in_study(lambda v: v["design"].update(wide=1e16))),
    "columns of retrieval": ("study", with_settings),
    "a configuration without values": ("verdict", in_verdict(lambda v: v["configurations"][1].update(values=[]))),
    "a baseline that there is not": ("verdict", in_verdict(lambda v: v["configurations"][1].update(baseline=999))),
    "a gain of no configuration": ("verdict", in_verdict(lambda v: v["gains"][0].update(configuration=999))),
    # A search that tries a dot at each place would take minutes here, and lock the process meanwhile.
    "a path of 200,000 digits": (
        "design",
        in_study(lambda v: v["sheets"][1].update(path=f"orca2/{'1' * 200_000}x.xlsx")),
    ),
}
"""What a stranger's file can hold to break a verifier, or to have the two of them disagree; the step that names it, or
None for a whole study."""


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_study_of_imported_sheets_gets_a_verdict(study: bytes, name: str):
    step, forge = STRANGE[name]
    assert [failed.name for failed in verify_study(forge(study)).failed][:1] == ([] if step is None else [step])


@pytest.mark.parametrize("name", OF_SHEETS)
def test_each_forgery_of_imported_sheets_is_found_by_its_check_or_listed(
    forgeries: dict[str, tuple[bytes, Verification]], name: str
):
    (step, _), (_, found) = OF_SHEETS[name], forgeries[name]
    assert [failed.name for failed in found.failed][:1] == ([] if step is None else [step])


@needs_node
def test_the_browser_says_the_same_of_imported_sheets_and_of_every_forgery(
    study: bytes, forgeries: dict[str, tuple[bytes, Verification]], tmp_path: Path
):
    strange = {name: forge(study) for name, (_, forge) in STRANGE.items()}
    found_strange = {name: (content, verify_study(content)) for name, content in strange.items()}
    of_all = {"whole": (study, verify_study(study)), **forgeries, **found_strange}
    by_page = by_the_browser([content for content, _ in of_all.values()], tmp_path)
    for (name, (_, found)), page in zip(of_all.items(), by_page, strict=True):
        assert page == told(found), name


def test_the_study_has_the_gains_that_the_page_shows(study: bytes):
    found = verify_study(study)
    assert found.verdict == "verified"
    assert [step.name for step in found.steps] == list(STUDY_STEPS)
    assert found.study is not None
    assert (found.study.of, found.study.in_table, found.questions) == ("import", 6, 6 * 25)
    members = members_of(study)
    verdict = value_of(members, "verdict.json")
    shown = analyse_sheets(sheets(), "corrected", labels=LABELS)
    gains = {place: item.judged for place, item in enumerate(shown.configurations) if item.judged}
    stated = {gain["configuration"]: gain for gain in verdict["gains"]}
    assert len(stated) == len(gains) == 4
    for place, gain in gains.items():
        for name, value in gain.model_dump(include={"gain", "low", "high", "p", "outcome", "pairs"}).items():
            assert stated[place][name] == pytest.approx(value, abs=1e-12) if name != "outcome" else value
    assert shown.constants is not None
    bounds = {item["metric"]: (item["minimum"], item["maximum"]) for item in verdict["composite"]["metrics"]}
    assert bounds == {item.metric: (item.minimum, item.maximum) for item in shown.constants.metrics}
    rows = [line.split(",") for line in members["table.csv"].decode().splitlines()]
    columns = [rows[0].index(name) for name in ("value", "cv", "t_cps")]
    for row, item in zip(rows[1:], shown.configurations, strict=True):
        assert [float(row[place]) for place in columns] == pytest.approx([item.mean_cps, item.cv, item.tcps])


def test_publishing_again_gives_the_same_bytes(study: bytes):
    assert published_sheets() == study


def test_sheets_whose_true_columns_are_unknown_are_not_published():
    first, *others = sheets()
    unclear = replace(first, values=first.values * 0 + 0.3)
    with pytest.raises(ConflictError, match=r"labels of mistral/threshold_0\.01\.xlsx are shifted"):
        composer((unclear, *others)).compose(IMPORT)
    few = replace(first, columns=first.columns[:16], values=first.values[:, :16], present=first.present[:, :16])
    with pytest.raises(ConflictError, match=r"has no column Bert-Score\.f1, which the panel phase3 needs"):
        composer((few, *others)).compose(IMPORT)


def test_the_time_of_an_import_is_that_of_no_plan(study: bytes):
    found = verify_study(study).study
    assert found is not None
    assert found.result is not None
    at = value_of(members_of(study), "study.json")["sweep"]["created_at"]
    assert list(result_lines(found.result, of=found.of))[-1] == f"dates          imported {at}, as the publisher states"
