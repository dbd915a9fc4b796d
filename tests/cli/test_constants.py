"""Analyses pinned from the command line: by another's id, by the file that it printed, in reports and in tables."""

from __future__ import annotations

import csv
import json

import pytest

from tests.result_sheets import row_of, write_sheet

STUDIES = {"wide": [[0.0, 0.5], [0.5, 1.0]], "narrow": [[0.2, 0.3], [0.4, 0.6]]}


@pytest.fixture
def studies(passer, tmp_path):
    found = {}
    for name, (base, other) in STUDIES.items():
        for sheet, heights in (("baseline", base), ("threshold_0.5", other)):
            rows = [row_of(f"{name} {n}?", height) for n, height in enumerate(heights)]
            write_sheet(tmp_path / name / "m" / f"{sheet}.xlsx", rows)
        found[name] = passer("import", "sheets", tmp_path / name, "--json").json["id"]
    return found


def test_sheets_are_pinned_by_id_and_by_file(passer, studies, tmp_path):
    corrected = ("--procedure", "corrected", "--json")
    wide = passer("analyse", studies["wide"], *corrected)
    (tmp_path / "wide.json").write_text(wide.out)
    pinned = passer("analyse", studies["narrow"], *corrected, "--constants", studies["wide"])
    assert pinned.status == 0, pinned.err
    assert passer("analyse", studies["narrow"], *corrected, "--constants", tmp_path / "wide.json").json == pinned.json
    # METEOR alone varies, from 0 to 1 in the wide pool, with the weight .15.
    assert [item["mean_cps"] for item in pinned.json["configurations"]] == pytest.approx([0.4625, 0.5])
    assert (wide.json["scope"], pinned.json["scope"]) == ("all", "given")
    assert pinned.json["constants"] == wide.json["constants"]
    back = passer("analyse", studies["wide"], *corrected, "--constants", tmp_path / "wide.json").json
    assert back["configurations"] == wide.json["configurations"]
    assert back["tables"] == wide.json["tables"]


def test_reports_and_tables_say_to_what_they_are_pinned(passer, studies, tmp_path):
    options = ("--procedure", "corrected", "--constants", studies["wide"])
    done = passer("analyse", studies["narrow"], *options, "--report", tmp_path / "report.html")
    source = f"import wide ({studies['wide']})"
    assert f"minimum and maximum of each metric are those of {source}" in done.err
    page = (tmp_path / "report.html").read_text()
    assert f"<dt>CPS relative to</dt><dd>constants of {source}, 4 rows</dd>" in page
    assert f"All tables use the constants of {source}, 4 rows." in page
    passer("export", studies["narrow"], *options, "--table", "all", "-o", tmp_path / "tables")
    for file in (tmp_path / "tables").glob("*.csv"):
        with file.open(encoding="utf-8-sig", newline="") as stream:
            assert {row["constants"] for row in csv.DictReader(stream)} == {source}, file.name


def test_a_sweep_is_pinned_to_its_own_and_not_to_sheets(farm, studies, tmp_path):
    swept = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.6", "--json").json["id"]
    own = farm("analyse", swept, "--json")
    (tmp_path / "own.json").write_text(own.out)
    pool = f"constants of sweep farm, thresholds 0.3,0.6 ({swept}), 9 rows, winsorised (1st to 99th percentile)"
    pinned = farm("analyse", swept, "--tests", "--json", "--constants", tmp_path / "own.json")
    assert pinned.json["configurations"] == own.json["configurations"]
    assert pinned.json["scope"] == "given"
    assert pinned.json["pools"][0]["name"] == pool
    done = farm("export", swept, "--table", "composites", "-o", tmp_path / "out.csv", "--constants", swept)
    assert done.status == 0, done.err
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {(row["scope"], row["pool"]) for row in rows} == {("given", pool)}
    refused = farm("analyse", swept, "--constants", studies["wide"])
    assert refused.status == 2
    assert "Scores cannot be compared" in refused.err


def test_what_is_no_constants_is_one_sentence(passer, studies, tmp_path):
    good = passer("analyse", studies["wide"], "--procedure", "corrected", "--json").json["constants"]
    wrong = good | {"metrics": [item | {"minimum": 2.0} for item in good["metrics"]]}
    for content, problem in (("none", "the file is not JSON"), (json.dumps(wrong), "minimum must not exceed maximum")):
        (tmp_path / "file.json").write_text(content)
        done = passer(
            "analyse", studies["narrow"], "--procedure", "corrected", "--constants", tmp_path / "file.json", "--json"
        )
        assert (done.status, done.out) == (2, "")
        assert problem in done.err
    done = passer("export", studies["narrow"], "--table", "sheets", "-o", tmp_path / "x.zip", "--constants", "some")
    assert done.status == 2
    assert "--constants applies to composite scores" in done.err
