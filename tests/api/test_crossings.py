"""k or threshold, and two domains, over HTTP and on the command line."""

from __future__ import annotations

import json
import sys

import pytest

from passer.cli import main
from tests.api.conftest import QUESTIONS, Api

SWEEP = {
    "name": "Thresholds",
    "config": {"dataset": "farm", "collection": "farm"},
    "axes": {"minSimilarityScore": [0.3, 0.5]},
    "baseline": {"mode": "normal", "k": 4},
}


def ran(api: Api, **changes) -> dict:
    created = api.client.post("/api/v1/sweeps", json={**SWEEP, **changes})
    assert created.status_code == 201, created.text
    return api.finished(created.json()["id"])


@pytest.fixture(scope="module")
def finished(loaded: Api) -> dict:
    return ran(loaded)


@pytest.fixture(scope="module")
def other(loaded: Api) -> dict:
    """Other questions on the same documents, under the same ids."""
    questions = [{**item, "question": f"Tell me: {item['question']}"} for item in QUESTIONS]
    assert loaded.upload("other", json.dumps(questions).encode()).status_code == 201
    return ran(loaded, name="Others", config={"dataset": "other", "collection": "farm"})


def kept(api: Api, run_id: str) -> list[int]:
    page = api.client.get(f"/api/v1/runs/{run_id}/evaluations").json()
    return [item["evaluation"]["kept"][1] - item["evaluation"]["kept"][0] for item in page["items"]]


def test_a_normal_arm_keeps_as_many_passages_and_is_the_baseline(loaded, finished):
    run = finished["runs"][1]
    passages = kept(loaded, run["id"])
    created = loaded.client.post(f"/api/v1/runs/{run['id']}/k-or-threshold")
    assert created.status_code == 201, created.text
    matched = loaded.finished(created.json()["id"])
    base, threshold = matched["runs"]
    assert (base["is_baseline"], base["config"]["retrieval"]) == (
        True, {"mode": "normal", "k": max(1, round(sum(passages) / len(passages)))},
    )  # fmt: skip
    assert threshold["config"] == run["config"]
    # The threshold's answers are taken over: asked is at most what the Normal arm needs.
    assert matched["savings"]["generations"]["made"] <= len(passages)
    analysis = loaded.client.get(f"/api/v1/sweeps/{matched['id']}/analysis").json()
    comparison = analysis["configurations"][1]["comparison"]
    assert (comparison["baseline"], comparison["n_pairs"]) == (base["name"], 3)
    assert analysis["control"] == "controlled: only the retrieval setting differs"


def test_what_has_no_threshold_is_refused(loaded, finished):
    refused = loaded.client.post(f"/api/v1/runs/{finished['runs'][0]['id']}/k-or-threshold")
    assert refused.status_code == 422
    assert "has no similarity threshold" in refused.json()["detail"]
    assert loaded.client.post("/api/v1/runs/none-000/k-or-threshold").status_code == 404


def test_two_domains_over_http(loaded, finished, other):
    given = {"first": finished["id"], "second": other["id"]}
    crossed = loaded.client.get("/api/v1/cross-domain", params=given)
    assert crossed.status_code == 200, crossed.text
    body = crossed.json()
    assert (body["first"], body["second"], body["is_comparable"]) == ("Thresholds", "Others", True)
    assert body["pools"][0]["rows"] == 2 * 3 * 3
    [model] = body["models"]
    assert model["first"]["n_questions"] == model["second"]["n_questions"] == 3
    assert [item["threshold"] for item in body["differences"]] == [0.3, 0.5]
    assert body["control"] == "controlled: only the dataset, the dataset version differ"
    tables = loaded.client.get("/api/v1/cross-domain/tables", params=given).json()["items"]
    assert [table["name"] for table in tables][:2] == ["domains", "differences_between_domains"]
    figures = loaded.client.get("/api/v1/cross-domain/figures", params=given).json()["items"]
    assert [row["x"] for row in figures[0]["series"][0]["rows"]] == ["Thresholds", "Others"]
    exported = loaded.client.get("/api/v1/cross-domain/export", params={**given, "format": "latex"})
    assert r"\toprule" in exported.text
    own = loaded.client.get("/api/v1/cross-domain", params={**given, "constants": "own"}).json()
    assert (own["is_comparable"], own["differences"]) == (False, [])
    assert loaded.client.get("/api/v1/cross-domain", params={**given, "second": "none"}).status_code == 404


def test_planned_and_actual_counts(loaded, finished):
    tables = loaded.client.get(f"/api/v1/sweeps/{finished['id']}/tables").json()["items"]
    [counts] = [item["table"] for item in tables if item["name"] == "counts"]
    total = dict(zip(counts["columns"], counts["rows"][-1], strict=True))
    assert (total["name"], total["runs"], total["planned"], total["actual"], total["n_failed"]) == ("all", 3, 9, 9, 0)


def test_the_command_line_asks_the_same(loaded, finished, other, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PASSER_HOME", str(loaded.home))
    ran_with = ["passer", "domains", finished["id"], other["id"], "--tables", str(tmp_path), "--format", "xlsx"]
    monkeypatch.setattr(sys, "argv", ran_with)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    printed = capsys.readouterr()
    assert "Best thresholds in both domains" in printed.out
    assert "(RQ3" in printed.err
    assert (tmp_path / "domains.xlsx").read_bytes()[:2] == b"PK"
    monkeypatch.setattr(sys, "argv", ["passer", "match-k", finished["runs"][0]["id"]])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "has no similarity threshold" in capsys.readouterr().err
