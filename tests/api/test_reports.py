"""Reports, tables and sheets over HTTP."""

from __future__ import annotations

import io
import re
import zipfile

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
    assert "as the study made them" in page.text
    tables = loaded.client.get(f"{address}/tables").json()["items"]
    assert {"configurations", "tests"} <= {table["name"] for table in tables}
    for form, begin in (("csv", b"\xef\xbb\xbf"), ("xlsx", b"PK"), ("latex", b"% needs"), ("jsonl", b"{")):
        exported = loaded.client.get(f"{address}/export", params={"table": "tests", "format": form})
        assert exported.content.startswith(begin)
        assert re.search(r'filename="sheets-\w+-corrected-tests\.', exported.headers["content-disposition"])
    assert loaded.client.get(f"{address}/export", params={"table": "none"}).status_code == 404


def test_sheets_and_tables_of_a_sweep_over_http(loaded):
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
