"""Reports, tables and sheets over HTTP."""

from __future__ import annotations

import io
import json
import re
import zipfile
from urllib.parse import quote

from passer.services.exports.report_builder import ReportBuilder
from tests.result_sheets import row_of, write_sheet


def test_a_report_over_http_may_run_nothing(loaded, tmp_path):
    write_sheet(tmp_path / "m-0.01.xlsx", [row_of("one?", 0.0), row_of("two?", 0.5), row_of("three?", 0.5)])
    write_sheet(tmp_path / "m-0.5.xlsx", [row_of("one?", 0.5), row_of("two?", 0.8), row_of("three?", 0.6)])
    files = [("files", (path.name, path.read_bytes())) for path in sorted(tmp_path.glob("*.xlsx"))]
    taken = loaded.job(loaded.client.post("/api/v1/imports", files=files))["result"]
    address = f"/api/v1/imports/{taken['id']}"
    page = loaded.client.get(f"{address}/report", params={"procedure": "published"})
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "sandbox" in page.headers["content-security-policy"]
    assert "Uncorrected" not in page.text
    assert "as in the published study" in page.text
    in_bulgarian = loaded.client.get(f"{address}/report", params={"procedure": "published", "language": "bg"}).text
    assert "Одитът" in in_bulgarian
    assert "процедура „Публикувана“" in in_bulgarian
    tables = loaded.client.get(f"{address}/tables").json()["items"]
    assert {"configurations", "tests"} <= {table["name"] for table in tables}
    for form, begin in (("csv", b"\xef\xbb\xbf"), ("xlsx", b"PK"), ("latex", b"% needs"), ("jsonl", b"{")):
        exported = loaded.client.get(f"{address}/export", params={"table": "tests", "format": form})
        assert exported.content.startswith(begin)
        assert re.search(r'filename="sheets-\w+-corrected-tests\.', exported.headers["content-disposition"])
    assert loaded.client.get(f"{address}/export", params={"table": "none"}).status_code == 404


def test_sheets_and_tables_of_a_sweep_over_http(loaded, monkeypatch):
    sweep = {
        "name": "Exported",
        "config": {"dataset": "farm", "collection": "farm"},
        "axes": {"minSimilarityScore": [0.5]},
        "baseline": {"mode": "normal", "k": 2},
    }
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()
    loaded.finished(created["id"])
    address = f"/api/v1/sweeps/{created['id']}"
    archive = zipfile.ZipFile(io.BytesIO(loaded.client.get(f"{address}/sheets").content))
    assert [name.rpartition("/")[2] for name in archive.namelist()] == ["threshold_0.01.xlsx", "threshold_0.50.xlsx"]
    assert "configurations" in [item["name"] for item in loaded.client.get(f"{address}/tables").json()["items"]]
    latex = loaded.client.get(f"{address}/export", params={"table": "configurations", "format": "latex"}).text
    assert r"\toprule" in latex
    assert loaded.client.get(f"{address}/report").text.startswith("<!doctype html>")
    before = [loaded.client.get(f"{address}/{name}").content for name in ("report", "tables", "figures")]
    for made in ("report_of_sweep", "_tables_of_sweep", "_figures_of_sweep"):
        monkeypatch.setattr(ReportBuilder, made, None)
    again = [loaded.client.get(f"{address}/{name}").content for name in ("report", "tables", "figures")]
    assert again == before, "what a finished sweep shows is made once and kept"
    monkeypatch.undo()
    timings = loaded.client.get(f"{address}/export", params={"table": "timings", "format": "jsonl"}).text.splitlines()
    assert [json.loads(line)["name"] for line in timings] == ["Top-k 2", "Similarity ≥ 0.50"]

    loaded.client.patch(address, json={"name": "Second look"})
    report = loaded.client.get(f"{address}/report").text
    assert "<title>Second look" in report
    assert re.search(r"Name in bundles and digests.*?Exported", report, re.DOTALL)
    rows = loaded.client.get(f"{address}/export", params={"format": "jsonl"}).text.splitlines()
    assert {json.loads(row)["sweep"] for row in rows} == {"Second look"}
    listed = loaded.client.get("/api/v1/runs", params={"find": "second look"}).json()["items"]
    assert [item["sweep_name"] for item in listed] == ["Second look"] * 2
    assert all(json.loads(line)["generation_s_median"] > 0 for line in timings)


def test_every_route_of_an_analysis_is_pinned_alike(loaded, tmp_path):
    taken = {}
    for name, (base, other) in {"wide": ([0.0, 0.5], [0.5, 1.0]), "narrow": ([0.2, 0.3], [0.4, 0.6])}.items():
        files = []
        for path, heights in (("m-0.01.xlsx", base), ("m-0.5.xlsx", other)):
            write_sheet(tmp_path / path, [row_of(f"{name} {n}?", height) for n, height in enumerate(heights)])
            files.append(("files", (path, (tmp_path / path).read_bytes())))
        job = loaded.job(loaded.client.post("/api/v1/imports", files=files, data={"name": name}))
        taken[name] = job["result"]["id"]
    address = f"/api/v1/imports/{taken['narrow']}"
    wide = loaded.client.get(f"/api/v1/imports/{taken['wide']}/analysis").json()
    pinned = loaded.client.get(f"{address}/analysis", params={"constants": taken["wide"]}).json()
    # METEOR alone varies, from 0 to 1 in the wide pool, with the weight .15.
    assert [round(item["mean_cps"], 9) for item in pinned["configurations"]] == [0.4625, 0.5]
    by_json = {"constants": json.dumps(wide["constants"])}
    assert loaded.client.get(f"{address}/analysis", params=by_json).json() == pinned
    source = f"import wide ({taken['wide']})"
    figures = loaded.client.get(f"{address}/figures", params=by_json).json()["items"]
    assert all(source in " ".join(figure["notes"]) for figure in figures if figure["id"].startswith("cps"))
    assert source in loaded.client.get(f"{address}/report", params=by_json).text
    tables = {
        item["name"]: item["table"] for item in loaded.client.get(f"{address}/tables", params=by_json).json()["items"]
    }
    assert {row[0] for row in tables["effective_weights"]["rows"]} == {f"constants of {source}, 4 rows"}
    exported = loaded.client.get(f"{address}/export", params={**by_json, "table": "top_cps"})
    assert all(line.endswith(source) for line in exported.text.strip().splitlines()[1:])


def test_constants_that_do_not_fit_are_refused_whole_with_their_field(loaded):
    sweep = {
        "name": "Pinned",
        "config": {"dataset": "farm", "collection": "farm"},
        "axes": {"minSimilarityScore": [0.5]},
    }
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()["id"]
    loaded.finished(created)
    address = f"/api/v1/sweeps/{created}"
    own = loaded.client.get(f"{address}/analysis").json()
    good = own["constants"]
    again = loaded.client.get(f"{address}/analysis", params={"constants": json.dumps(good)})
    assert again.json()["configurations"] == own["configurations"]
    wrong = {
        "minimum must not exceed maximum": {**good, "metrics": [good["metrics"][0] | {"minimum": 1e9}]},
        "finite number": {**good, "metrics": [good["metrics"][0] | {"maximum": float("inf")}]},
        "have no METEOR": {**good, "metrics": good["metrics"][1:]},
        "Scores cannot be compared: profile": {**good, "identity": good["identity"] | {"profile": "published"}},
        "Scores cannot be compared: encoder_digest": {
            **good,
            "identity": good["identity"] | {"encoder_digest": "0" * 64},
        },
        "the file is not JSON": "{",
    }
    for route in ("analysis", "evidence", "figures", "tables", "report", "export?table=composites"):
        for problem, given in wrong.items():
            text = given if isinstance(given, str) else json.dumps(given)
            mark = "&" if "?" in route else "?"
            refused = loaded.client.get(f"{address}/{route}{mark}constants={quote(text)}")
            assert refused.status_code == 422, (route, problem)
            [error] = refused.json()["errors"]
            assert problem in error["message"]
            assert error["field"] == "constants"
    assert loaded.client.get(f"{address}/analysis", params={"constants": "no-such-sweep"}).status_code == 404
    assert loaded.client.get(f"{address}/analysis", params={"constants": "x" * 20_000}).status_code == 422


def test_scope_and_truncation_are_chosen_on_every_route_of_a_sweep(loaded):
    sweep = {
        "name": "Scoped",
        "config": {"dataset": "farm", "collection": "farm"},
        "axes": {"minSimilarityScore": [0.5]},
        "baseline": {"mode": "normal", "k": 2},
    }
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()["id"]
    loaded.finished(created)
    address = f"/api/v1/sweeps/{created}"
    own = loaded.client.get(f"{address}/analysis", params={"scope": "run", "truncated": "exclude"}).json()
    assert (own["scope"], own["truncated"], len(own["pools"]), own["constants"]) == ("run", "exclude", 2, None)
    for route in ("figures", "tables", "report", "export?table=composites"):
        mark = "&" if "?" in route else "?"
        answer = loaded.client.get(f"{address}/{route}{mark}scope=run")
        assert answer.status_code == 200, route
    names = [item["name"] for item in loaded.client.get(f"{address}/tables?scope=run").json()["items"]]
    assert "configurations" in names
    assert "tests" not in names
    assert "scope" in loaded.client.get(f"{address}/export?table=composites&scope=run").text.splitlines()[0]
    for route, query in (
        ("evidence", "scope=run"),
        ("analysis", "scope=given"),
        ("analysis", "scope=everything"),
        ("analysis", f"scope=model&constants={created}"),
        ("report", f"scope=run&constants={created}"),
    ):
        refused = loaded.client.get(f"{address}/{route}?{query}")
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "scope"), query
    refused = loaded.client.get(f"{address}/analysis?truncated=maybe")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "truncated")
