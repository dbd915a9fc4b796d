"""Old result sheets from the command line, against the record of two published models."""

from __future__ import annotations

import json

import pytest

from tests.bundles import members_of
from tests.domain.sheets.test_procedures import differences, without_rule
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
        assert (
            differences(
                [without_rule(item) for item in found["configurations"]],
                [without_rule(item) for item in record[procedure]["configurations"]],
            )
            == []
        )
    shown = passer("analyse", imported["id"], "--procedure", "corrected")
    assert shown.status == 0
    places = [shown.out.index(text) for text in ("Audit of 22 sheets", "As published:", "Corrected:", "top_cps")]
    assert places == sorted(places)
    assert "mistral, largest CPS gain: threshold 0.95 as published, threshold 0.9 corrected." in shown.out
    assert len(found["defect_effects"]["figures"]) == 80


def test_a_folder_that_was_not_read_whole_ends_with_status_1_unless_that_is_wanted(passer, tmp_path):
    study = tmp_path / "study"
    write_sheet(study / "m" / "baseline.xlsx", [row_of("one?", 0.0)])
    assert passer("import", "sheets", study).status == 0
    write_sheet(study / "m" / "second_try.xlsx", [row_of("one?", 0.5)])
    done = passer("import", "sheets", study)
    assert done.status == 1
    assert "1 workbook was not read because its name does not state model" in done.out
    assert "--partial" in done.err
    assert passer("import", "sheets", study, "--json").status == 1
    assert passer("import", "sheets", study, "--partial").status == 0


@pytest.fixture
def imported(passer, tmp_path):
    write_sheet(tmp_path / "study" / "m" / "baseline.xlsx", [row_of("one?", 0.0), row_of("two?", 0.5)])
    write_sheet(tmp_path / "study" / "m" / "threshold_0.5.xlsx", [row_of("one?", 0.5), row_of("two?", 0.8)])
    (tmp_path / "farm.json").write_text(json.dumps([{"question": "one?", "answer": "yes"}]))
    done = passer("import", "sheets", tmp_path / "study", "--dataset", tmp_path / "farm.json", "--json")
    assert done.status == 0, done.err
    return done.json


def test_imported_sheets_are_listed(passer, imported):
    listed = passer("import", "list", "--json").json["items"]
    assert [(each["id"], each["models"], each["sheets"], each["rows"]) for each in listed] == [
        (imported["id"], ["m"], 2, 4)
    ]
    assert imported["id"] in passer("import", "list").out
    assert "`passer import list` lists them" in passer("analyse", "sheets-none", "--procedure", "corrected").err


def test_without_imported_sheets_the_list_says_how_to_import_them(passer):
    done = passer("import", "list")
    assert (done.status, done.out) == (0, "")
    assert "Import them with `passer import sheets DIR`" in done.err


def test_references_of_a_question_file_are_compared(imported):
    findings = {finding["kind"]: finding for finding in imported["audit"]["findings"]}
    assert imported["dataset"] == "farm"
    assert findings["unknown_questions"]["listed"] == ["two?"]
    if "suspected_references" not in findings:
        pytest.skip(imported["audit"]["not_checked"][0])
    # `said` scores 0 against `yes`: in the baseline's METEOR too, in the other sheet in neither score.
    assert findings["suspected_references"]["sheets"] == ["m/threshold_0.5.xlsx"]


def test_imported_sheets_are_published_with_the_gains_that_are_shown(passer, imported, tmp_path):
    study, labels = tmp_path / "study.zip", ("--label", "m=Model")
    done = passer("publish", imported["id"], "-o", study, *labels)
    assert done.status == 0, done.err
    found = passer("verify", study)
    assert found.status == 0, found.err
    assert f"verified: study of import {imported['id']}, 2 of 2 sheets, 4 records" in found.out
    shown = passer("analyse", imported["id"], "--procedure", "corrected", *labels, "--json").json["configurations"][1]
    [gain] = json.loads(members_of(study.read_bytes())["verdict.json"])["gains"]
    assert (gain["gain"], gain["low"], gain["p"]) == tuple(shown["judged"][name] for name in ("gain", "low", "p"))
    proof = passer("ledger", "prove", imported["id"])
    assert proof.status == 0, proof.err
    again = passer("reproduce", study)
    assert (again.status, "imported" in again.err) == (2, True), again.err
    wrong = passer("publish", "0123456789ab", "-o", study, *labels)
    assert (wrong.status, "--label applies to imported sheets only" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([], "--procedure must be one of published, corrected"),
        (["--procedure", "guess"], "--procedure must be one of published, corrected"),
        (["--procedure", "corrected", "--label", "m"], "is not MODEL=LABEL"),
        (["--procedure", "corrected", "--label", "x=y"], "No sheet belongs to a model “x”"),
        (["--procedure", "corrected", "--missing", "drop"], "apply to sweeps only"),
        (["--procedure", "corrected", "--bands", "phase5"], "--bands must be phase3 or phase4"),
    ],
)
def test_wrong_use_is_one_sentence(passer, imported, options, problem):
    done = passer("analyse", imported["id"], *options)
    assert (done.status, done.out) == (2, "")
    assert problem in done.err


def test_a_procedure_is_not_for_a_sweep(passer):
    done = passer("analyse", "0123456789ab", "--procedure", "corrected")
    assert done.status == 2
    assert "apply to imported sheets only" in done.err
    assert "no sweep" in passer("analyse", "0123456789ab").err
    assert "no import" in passer("analyse", "sheets-0123456789ab", "--procedure", "corrected").err


def test_every_test_of_a_sweep_from_the_command_line(farm):
    ran = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.6", "--json")
    assert ran.status == 0, ran.err
    found = farm("analyse", ran.json["id"], "--tests", "--json")
    assert found.status == 0, found.err
    assert {"configurations", "pools", "evidence"} <= set(found.json)
    evidence = found.json["evidence"]
    assert [item["levels"] for item in evidence["comparisons"]] == [{"min_similarity": 0.3}, {"min_similarity": 0.6}]
    assert evidence["family_size"] == 2
    shown = farm("analyse", ran.json["id"], "--tests")
    assert "p (max-T)" in shown.out
    assert "evidence" not in farm("analyse", ran.json["id"], "--json").json
