"""Result sheets over HTTP: uploaded as files or as an archive, audited, analysed, deleted."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.bundles import members_of
from tests.result_sheets import row_of, write_sheet

ROWS = {
    "m/threshold_0.01.xlsx": [row_of("one?", 0.0), row_of("two?", 0.5), row_of("three?", 0.1)],
    "m/threshold_0.5.xlsx": [row_of("one?", 0.5), row_of("two?", 0.8), row_of("three?", 0.3)],
}


@pytest.fixture
def sheets(tmp_path: Path) -> dict[str, bytes]:
    for path, rows in ROWS.items():
        write_sheet(tmp_path / path, rows)
    return {path: (tmp_path / path).read_bytes() for path in ROWS}


def packed(contents: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, content in contents.items():
            archive.writestr(path, content)
    return stream.getvalue()


def take(api: Api, files: dict[str, bytes], **data: str) -> dict[str, Any]:
    given = [("files", (path, content)) for path, content in files.items()]
    return api.job(api.client.post("/api/v1/imports", files=given, data=data))


@pytest.fixture
def taken(api: Api, sheets: dict[str, bytes]) -> Iterator[dict[str, Any]]:
    around = {f"study/{path}": content for path, content in sheets.items()}
    job = take(api, {"study.zip": packed({**around, "__MACOSX/._m.xlsx": b"", "study/notes.txt": b"x"})})
    assert job["state"] == "finished", job
    yield job["result"]
    address = f"/api/v1/imports/{job['result']['id']}"
    api.client.delete(address, params={"confirm": api.client.get(address).json().get("name", "")})


def test_an_archive_becomes_an_import_that_is_listed_shown_and_deleted(api, taken):
    assert (taken["name"], taken["models"], taken["sheets"], taken["rows"]) == ("study", ["m"], 2, 6)
    assert [sheet["path"] for sheet in taken["audit"]["sheets"]] == list(ROWS)
    address = f"/api/v1/imports/{taken['id']}"
    assert api.client.get(address).json() == taken
    [listed] = api.client.get("/api/v1/imports").json()["items"]
    assert (listed["id"], listed["sheets"], listed["defects"]) == (taken["id"], 2, 0)

    refused = api.client.delete(address, params={"confirm": "another"})
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "Deletion needs confirmation. Confirm with the name “study”.",
    )
    assert api.client.delete(address, params={"confirm": "study"}).status_code == 204
    assert api.client.get(address).status_code == 404
    assert api.client.get("/api/v1/imports").json()["items"] == []


def test_loose_sheets_with_paths_are_the_same_import_under_the_last_name_that_was_given(api, taken, sheets):
    loose = {f"folder/{path}": content for path, content in sheets.items()}
    blank = api.client.post("/api/v1/imports", files=[("files", ("a.xlsx", b""))], data={"name": " \t"})
    assert blank.status_code == 422, "nobody could type it to delete the import"
    for given in ({"name": " Loose"}, {}):
        result = take(api, loose, **given)["result"]
        assert (result["id"], result["name"]) == (taken["id"], "Loose")
    shown = api.client.get(f"/api/v1/imports/{taken['id']}/analysis").json()
    assert shown["constants"]["source"] == f"import Loose ({taken['id']})"


def test_the_procedures_over_http(api, taken):
    address = f"/api/v1/imports/{taken['id']}/analysis"
    corrected = api.client.get(address, params={"label": "m=Model"}).json()
    assert corrected["procedure"] == "corrected"
    assert [(item["model"], item["threshold"]) for item in corrected["configurations"]] == [
        ("Model", None), ("Model", 0.5),
    ]  # fmt: skip
    # Only METEOR varies, from 0 to .8, with the weight .15; it rises by .5, .3 and .2.
    assert corrected["evidence"]["comparisons"][0]["gain"] == pytest.approx(0.15 * (0.5 + 0.3 + 0.2) / 0.8 / 3)
    published = api.client.get(address, params={"procedure": "published"}).json()
    assert (published["procedure"], published["evidence"]) == ("published", None)
    assert set(published["tables"]) == set(corrected["tables"])
    assert api.client.get(address, params={"procedure": "guess"}).status_code == 422
    unknown = api.client.get(address, params={"label": "x=y"})
    assert (unknown.status_code, "No sheet belongs to a model “x”" in unknown.json()["detail"]) == (422, True)


def test_published_and_corrected_figures_side_by_side(api, taken):
    address = f"/api/v1/imports/{taken['id']}/defect-effects"
    found = api.client.get(address, params={"label": "m=Model"}).json()
    assert found["models"][0]["published"].startswith("Model: threshold 0.5 has the largest CPS gain")
    assert {item["kind"] for item in found["conclusions"]} >= {"best_cps", "best_tcps", "significant_gains"}
    assert len(found["figures"]) == 4
    assert found["reason"] is None


def test_an_import_is_published_and_its_study_is_verified(api, taken):
    address = f"/api/v1/imports/{taken['id']}/study"
    published = api.client.put(address, json={"licence": "CC-BY-4.0"}, params={"label": "m=Model"})
    assert published.status_code == 200, published.text
    study = api.client.get(address, params={"licence": "CC-BY-4.0", "label": "m=Model"}).content
    found = api.client.post("/api/v1/verifications", files={"file": ("study.zip", study)}).json()
    assert (found["verdict"], found["study"]["of"], found["study"]["runs"]) == ("verified", "import", 2)
    assert published.json()["digest"] == found["study"]["digest"]
    assert {step["name"]: step["outcome"] for step in found["steps"]}["study_entry"] == "pass"
    shown = api.client.get(address.replace("study", "analysis"), params={"label": "m=Model"}).json()
    stated = json.loads(members_of(study)["verdict.json"])["gains"]
    assert [gain["gain"] for gain in stated] == [shown["configurations"][1]["judged"]["gain"]]
    again = api.client.put(address, json={"licence": "CC-BY-4.0"}, params={"label": "m=Model"})
    assert again.json() == published.json()
    rows = api.client.get("/api/v1/ledger/entries", params={"limit": 1000}).json()["items"]
    assert [row["description"] for row in rows].count(f"study of import {taken['id']}") == 1
    assert api.client.get("/api/v1/imports/sheets-000000000000/study").status_code == 404


def test_the_references_of_a_dataset_are_compared(loaded, sheets):
    job = take(loaded, sheets, dataset="farm")
    assert (job["result"]["dataset"], job["result"]["name"]) == ("farm", "m")
    kinds = [finding["kind"] for finding in job["result"]["audit"]["findings"]]
    read = {"headers": {"accept-language": "bg"}}
    shown = loaded.client.get(f"/api/v1/imports/{job['result']['id']}", **read).json()
    assert loaded.client.get(f"/api/v1/jobs/{job['id']}", **read).json()["result"] == shown != job["result"]
    assert "unknown_questions" in kinds
    assert take(loaded, sheets, dataset="nowhere")["problem"]["status"] == 404


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.zip": b"no archive"}, "a.zip is not a zip archive"),
        ({"a.zip": packed({"a/readme.txt": b"x"})}, "There is no result sheet"),
        ({"m-0.5.xlsx": b"no workbook"}, "Nothing was imported because of 1 of 1 sheet"),
        ({"m-0.5.xlsx": b"x", "a.zip": packed({"m-0.5.xlsx": b"x"})}, "m-0.5.xlsx was uploaded twice"),
    ],
)
def test_what_cannot_be_taken_is_one_sentence(api, files, problem):
    job = take(api, files)
    assert (job["state"], job["problem"]["status"]) == ("failed", 422)
    assert problem in job["problem"]["detail"]


def test_an_archive_that_unpacks_without_end_is_refused_unread(api):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(25):
            archive.writestr(f"m/threshold_0.{number + 10}.xlsx", bytes(900_000))
    job = take(api, {"bomb.zip": stream.getvalue()})
    assert (job["problem"]["status"], "unpacks to more than" in job["problem"]["detail"]) == (413, True)


def test_every_test_of_a_sweep_over_http(loaded):
    sweep = {
        "name": "Weighed",
        "config": {"dataset": "farm", "collection": "farm"},
        "axes": {"minSimilarityScore": [0.3, 0.5]},
        "baseline": {"mode": "normal", "k": 2},
    }
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()
    loaded.finished(created["id"])
    evidence = loaded.client.get(f"/api/v1/sweeps/{created['id']}/evidence").json()
    assert [item["levels"] for item in evidence["comparisons"]] == [
        {"min_similarity": 0.3},
        {"min_similarity": 0.5},
    ]
    assert evidence["family_size"] == 2
    assert loaded.client.get("/api/v1/sweeps/none/evidence").status_code == 404


def test_the_figures_of_an_import_and_of_a_sweep_are_alike(loaded, taken):
    figures = loaded.client.get(f"/api/v1/imports/{taken['id']}/figures", params={"label": "m=Model"}).json()["items"]
    assert {"cps", "cps-gain", "correlations-all-models"} <= {figure["id"] for figure in figures}
    assert [series["name"] for series in figures[0]["series"]] == ["Model"]
    [sweep] = [
        item for item in loaded.client.get("/api/v1/sweeps").json()["items"] if item["sweep"]["name"] == "Weighed"
    ]
    drawn = {item["id"]: item for item in loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/figures").json()["items"]}
    assert {"cps", "cps-gain", "without-passages", "latency", "correlations-all-models"} <= set(drawn)
    assert [row["x"] for row in drawn["cps"]["series"][0]["rows"]] == [0.3, 0.5]
    assert set(drawn["cps"]) == set(figures[0])


def test_the_questions_behind_a_configuration(loaded, sheets):
    job = take(loaded, {f"study/{path}": content for path, content in sheets.items()}, dataset="farm")
    address, sheet = f"/api/v1/imports/{job['result']['id']}/questions", {"sheet": "m/threshold_0.5.xlsx"}
    page = loaded.client.get(address, params={**sheet, "order": "METEOR", "is_descending": True, "limit": 2}).json()
    assert ([item["row"] for item in page["items"]], page["next"], page["total"]) == ([3, 2], 1, 3)
    assert [item["scores"]["METEOR"] for item in page["items"]] == [0.8, 0.5]
    rest = loaded.client.get(address, params={**sheet, "order": "METEOR", "is_descending": True, "after": 1}).json()
    assert ([item["question"] for item in rest["items"]], rest["next"]) == (["three?"], None)

    one = loaded.client.get(f"{address}/1", params={**sheet, "order": "METEOR"}).json()
    assert (one["item"]["question"], one["previous"], one["next"]) == ("two?", 0, None)
    assert (len(one["scores"]), one["sheet"]["labels"]) == (24, "right")
    again = loaded.client.get(f"{address}/1/recomputed", params=sheet).json()
    assert (again["scores"], again["reason"]) == ({}, "no_reference")

    unknown = loaded.client.get(address, params={"sheet": "m/none.xlsx"})
    assert (unknown.status_code, "has no sheet “m/none.xlsx”" in unknown.json()["detail"]) == (404, True)
    assert loaded.client.get(f"{address}/3", params=sheet).status_code == 404
    assert loaded.client.get(address, params={**sheet, "order": "CPS"}).status_code == 422
    assert loaded.client.get(address).status_code == 422


def test_scores_are_made_again_with_the_references_of_a_dataset(loaded, tmp_path):
    asked = [row_of("What fixes nitrogen?", 0.3, answer="Clover fixes nitrogen from the air.")]
    write_sheet(tmp_path / "m" / "threshold_0.01.xlsx", asked)
    content = (tmp_path / "m" / "threshold_0.01.xlsx").read_bytes()
    job = take(loaded, {"m/threshold_0.01.xlsx": content}, dataset="farm")
    address = f"/api/v1/imports/{job['result']['id']}/questions/0/recomputed"
    scores = loaded.client.get(address, params={"sheet": "m/threshold_0.01.xlsx"}).json()["scores"]
    # The answer is the reference word for word.
    assert (scores["F1 Score"]["value"], scores["Rouge-1.r"]["value"]) == (1.0, 1.0)
    assert len(scores) >= 24
