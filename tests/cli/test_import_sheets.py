"""Old result sheets from the command line, against the record of two published models."""

from __future__ import annotations

import json

import pytest

from tests.domain.sheets.test_procedures import differences
from tests.result_sheets import row_of, write_sheet


def test_the_published_study_end_to_end(passer, test_data):
    done = passer("import", "sheets", test_data / "phase3-sheets", "--json")
    assert done.status == 0, done.err
    imported = done.json
    assert (imported["sheets"], imported["rows"]) == (22, 8158)
    assert "shifted_labels" in [finding["kind"] for finding in imported["audit"]["findings"]]
    record = json.loads((test_data / "expected-two-models.json").read_text(encoding="utf-8"))
    labels = ("--label", "mistral=Mistral 7B v0.3", "--label", "deepseek=DeepSeek R1 8B")
    for procedure in ("published", "corrected"):
        found = passer("analyse", imported["id"], "--procedure", procedure, *labels, "--json").json
        assert found["procedure"] == procedure
        for part in ("configurations", "tables"):
            assert differences(found[part], record[procedure][part]) == []
    shown = passer("analyse", imported["id"], "--procedure", "corrected")
    assert shown.status == 0
    assert shown.out.index("Audit of 22 sheets") < shown.out.index("top_cps")


@pytest.fixture
def imported(passer, tmp_path):
    write_sheet(tmp_path / "study" / "m" / "baseline.xlsx", [row_of("one?", 0.0), row_of("two?", 0.5)])
    write_sheet(tmp_path / "study" / "m" / "threshold_0.5.xlsx", [row_of("one?", 0.5), row_of("two?", 0.8)])
    (tmp_path / "farm.json").write_text(json.dumps([{"question": "one?", "answer": "yes"}]))
    done = passer("import", "sheets", tmp_path / "study", "--dataset", tmp_path / "farm.json", "--json")
    assert done.status == 0, done.err
    return done.json


def test_references_of_a_question_file_are_compared(imported):
    findings = {finding["kind"]: finding for finding in imported["audit"]["findings"]}
    assert imported["dataset"] == "farm"
    assert findings["unknown_questions"]["listed"] == ["two?"]
    if "suspected_references" not in findings:
        pytest.skip(imported["audit"]["not_checked"][0])
    # `said` scores 0 against `yes`: in the baseline's METEOR too, in the other sheet in neither score.
    assert findings["suspected_references"]["sheets"] == ["m/threshold_0.5.xlsx"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([], "--procedure published, corrected"),
        (["--procedure", "guess"], "--procedure published, corrected"),
        (["--procedure", "corrected", "--label", "m"], "is not MODEL=LABEL"),
        (["--procedure", "corrected", "--label", "x=y"], "No sheet is of a model 'x'"),
        (["--procedure", "corrected", "--missing", "drop"], "are for sweeps"),
        (["--procedure", "corrected", "--bands", "phase5"], "--bands is phase3 or phase4"),
    ],
)
def test_wrong_use_is_one_sentence(passer, imported, options, problem):
    done = passer("analyse", imported["id"], *options)
    assert (done.status, done.out) == (2, "")
    assert problem in done.err


def test_a_procedure_is_not_for_a_sweep(passer):
    done = passer("analyse", "0123456789ab", "--procedure", "corrected")
    assert done.status == 2
    assert "for imported sheets" in done.err
    assert "no sweep" in passer("analyse", "0123456789ab").err
    assert "no import" in passer("analyse", "sheets-0123456789ab", "--procedure", "corrected").err


def test_every_test_of_a_sweep_from_the_command_line(farm):
    ran = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.6", "--json")
    assert ran.status == 0, ran.err
    found = farm("analyse", ran.json["id"], "--tests", "--json")
    assert found.status == 0, found.err
    assert {"configurations", "pools", "evidence"} <= set(found.json)
    evidence = found.json["evidence"]
    assert [item["threshold"] for item in evidence["comparisons"]] == [0.3, 0.6]
    assert evidence["family_size"] == 2
    shown = farm("analyse", ran.json["id"], "--tests")
    assert "p (max-T)" in shown.out
    assert "evidence" not in farm("analyse", ran.json["id"], "--json").json
