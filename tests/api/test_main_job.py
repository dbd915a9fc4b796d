"""The whole path over HTTP: documents, questions, a sweep, its analysis, one question, the export."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import openpyxl
import pytest

from passer.domain.score import VECTOR_ORDER
from passer.services.sweeps.requirements import Requirements

SWEEP = {
    "name": "Thresholds",
    "config": {"dataset": "farm", "collection": "farm"},
    "axes": {"minSimilarityScore": [0.3, 0.5, 0.99]},
    "baseline": {"mode": "normal", "k": 2},
}


@pytest.fixture(scope="module")
def sweep(loaded):
    created = loaded.client.post("/api/v1/sweeps", json=SWEEP)
    assert created.status_code == 201, created.text
    assert created.headers["location"] == f"/api/v1/sweeps/{created.json()['id']}"
    return loaded.finished(created.json()["id"])


def test_a_collection_says_what_it_holds_and_what_it_is_bound_to(loaded):
    items = loaded.client.get("/api/v1/collections").json()["items"]
    [item] = [item for item in items if item["collection"]["name"] == "farm"]
    assert item["collection"]["embedding"]["name"] == "embedded/all-MiniLM-L6-v2"
    assert item["collection"]["chunking"] == {"chunk_size": 128, "chunk_overlap": 50, "unit": "characters"}
    assert sorted(document["name"] for document in item["documents"]) == ["bees.md", "soil.txt"]
    assert item["passages"] == sum(document["passages"] for document in item["documents"]) > 2


def test_the_same_file_again_adds_nothing(loaded):
    job = loaded.ingest()
    assert [d["passages_added"] for d in job["result"]["documents"]] == [0, 0]
    assert all(d["passages_present"] > 0 for d in job["result"]["documents"])


def test_pasted_text_becomes_a_document_that_is_found(api):
    body = {"title": "notes", "text": "Hens go outside for a third of their life."}
    assert api.job(api.client.post("/api/v1/collections/notes/texts", json=body))["state"] == "finished"
    again = api.job(api.client.post("/api/v1/collections/notes/reindex", json={}))
    assert (again["state"], again["result"]["documents"][0]["passages_added"]) == ("finished", 0)
    ranking = api.client.get("/api/v1/collections/notes/passages", params={"text": "When do hens go outside?"}).json()
    assert ranking["passages"][0]["text"] == body["text"]
    assert 0.5 < ranking["passages"][0]["similarity"] <= 1
    assert api.client.delete("/api/v1/collections/notes", params={"confirm": "notes"}).status_code == 204
    assert api.client.get("/api/v1/collections/notes/passages", params={"text": "x"}).status_code == 404


def test_a_private_web_address_is_refused_unless_the_settings_allow_it(api):
    response = api.client.post("/api/v1/collections/web/addresses", json={"url": "http://127.0.0.1:9/page.html"})
    job = api.job(response)
    assert job["state"] == "failed"
    assert "private" in job["message"] or "PASSER_ALLOW_PRIVATE_ADDRESSES" in job["message"]


def test_a_preview_shows_how_columns_are_read_and_keeps_nothing(api):
    content = b"input;ground_truth\nWhat is soil?;Earth\n"
    response = api.client.post("/api/v1/datasets/previews", files={"file": ("mine.csv", content)})
    preview = response.json()
    assert preview["mapping"]["columns"] == {"question": "input", "reference": "ground_truth"}
    assert preview["counts"]["questions"] == 1
    assert "mine" not in [item["name"] for item in api.client.get("/api/v1/datasets").json()["items"]]


def test_columns_are_read_as_the_caller_says_in_the_preview_and_in_the_import(api):
    file = {"file": ("own.csv", b"question,contexts,answer,remarks\nWhat is soil?,Soil is earth.,Earth,checked\n")}
    mapping = {"mapping": '{"columns": {"reference": "answer"}, "ignored": ["remarks"]}'}
    unmapped = api.client.post("/api/v1/datasets/previews", files=file).json()
    assert unmapped["columns"] == ["question", "contexts", "answer", "remarks"]
    assert {problem["field"] for problem in unmapped["problems"]} == {"reference", "remarks"}
    preview = api.client.post("/api/v1/datasets/previews", files=file, data=mapping).json()
    assert [each["reference"] for each in preview["questions"]] == ["Earth"]
    made = api.client.post("/api/v1/datasets", files=file, data={"name": "own", **mapping})
    assert (made.status_code, made.json()["questions"]) == (201, 1)
    broken = api.client.post("/api/v1/datasets/previews", files=file, data={"mapping": "{columns"})
    assert broken.status_code == 422


def test_a_plan_counts_before_anything_runs(loaded):
    plan = loaded.client.post("/api/v1/sweeps/plans", json=SWEEP).json()
    assert (plan["questions"], plan["configurations"], plan["evaluations"]) == (3, 4, 12)
    plan = loaded.client.post("/api/v1/sweeps/plans", json=SWEEP, params={"questions": 369}).json()
    assert plan["evaluations"] == 4 * 369


def test_a_sweep_runs_to_its_end(sweep):
    assert sweep["state"] == "finished"
    assert [run["name"] for run in sweep["runs"]] == [
        "Top-k 2",
        "Similarity ≥ 0.30",
        "Similarity ≥ 0.50",
        "Similarity ≥ 0.99",
    ]
    for run in sweep["runs"]:
        assert run["counts"]["scored"] == 3
    assert sweep["runs"][3]["counts"]["uncovered"] == 3
    assert sweep["runs"][3]["counts"]["abstained"] == 3
    assert sweep["progress"]["done"] == 12


def test_the_same_idempotency_key_makes_one_sweep(loaded):
    before = len(loaded.client.get("/api/v1/sweeps").json()["items"])
    headers = {"idempotency-key": "one"}
    first = loaded.client.post("/api/v1/sweeps", json=SWEEP, headers=headers).json()
    again = loaded.client.post("/api/v1/sweeps", json=SWEEP, headers=headers).json()
    assert first["id"] == again["id"]
    assert len(loaded.client.get("/api/v1/sweeps").json()["items"]) == before + 1
    assert loaded.finished(first["id"])["state"] == "finished"


def test_an_analysis_states_its_pool_and_recommends_in_words(loaded, sweep):
    analysis = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/analysis").json()
    assert analysis["panel"] in ("phase3", "phase3-no-meteor")
    assert [item["rows"] for item in analysis["pools"]] == [12]
    base, *others = analysis["configurations"]
    assert base["is_baseline"]
    assert base["comparison"] is None
    for item in others:
        assert item["comparison"]["n_pairs"] == 3
        # Two of the three keep the same passages for every question, so they are one comparison.
        assert item["comparison"]["family_size"] == 2
    assert base["retrieval"]["n_gold"] == 1
    assert base["retrieval"]["hit_rate"] == 1.0
    assert others[-1]["retrieval"]["coverage"] == 0.0
    assert analysis["verdict"]["conclusions"][0]["reason"].endswith(".")


def test_one_question_shows_everything_behind_its_scores(loaded, sweep):
    run = sweep["runs"][0]["id"]
    detail = loaded.client.get(f"/api/v1/runs/{run}/evaluations/0").json()
    assert detail["question"]["text"] == "What fixes nitrogen?"
    assert detail["evaluation"]["kept"] == [0, 2]
    assert detail["passages"][0]["rank"] == 1
    similarities = [passage["similarity"] for passage in detail["passages"]]
    assert similarities == sorted(similarities, reverse=True)
    assert set(detail["gold_ids"]) <= {passage["id"] for passage in detail["passages"]}
    assert "nitrogen" in detail["answer"]["text"]
    assert "What fixes nitrogen?" in detail["prompt"]["messages"][-1]["content"]
    scores = detail["evaluation"]["scores"]
    assert list(scores) == list(VECTOR_ORDER)
    assert all((score["value"] is None) != (score["reason"] is None) for score in scores.values())
    assert loaded.client.get(f"/api/v1/runs/{run}/evaluations/3").status_code == 404


def test_questions_are_paged_in_dataset_order(loaded, sweep):
    run = sweep["runs"][1]["id"]
    first = loaded.client.get(f"/api/v1/runs/{run}/evaluations", params={"limit": 2}).json()
    assert [item["question"]["id"] for item in first["items"]] == ["q1", "q2"]
    rest = loaded.client.get(f"/api/v1/runs/{run}/evaluations", params={"after": first["next"]}).json()
    assert [item["question"]["id"] for item in rest["items"]] == ["q3"]
    assert rest["next"] is None


def test_exports_hold_the_recorded_numbers(loaded, sweep):
    address = f"/api/v1/sweeps/{sweep['id']}/export"
    lines = loaded.client.get(address, params={"format": "jsonl"}).text.splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 12
    detail = loaded.client.get(f"/api/v1/runs/{sweep['runs'][0]['id']}/evaluations/0").json()
    assert rows[0]["Rouge-l.f"] == detail["evaluation"]["scores"]["Rouge-l.f"]["value"]
    table = list(csv.DictReader(io.StringIO(loaded.client.get(address).content.decode("utf-8-sig"))))
    assert float(table[0]["Rouge-l.f"]) == rows[0]["Rouge-l.f"]
    sheet = openpyxl.load_workbook(io.BytesIO(loaded.client.get(address, params={"format": "xlsx"}).content)).active
    header = [cell.value for cell in sheet[1]]
    # A spreadsheet keeps 15 to 16 digits; CSV and JSON Lines keep them all.
    assert sheet.cell(2, header.index("Rouge-l.f") + 1).value == pytest.approx(rows[0]["Rouge-l.f"], rel=1e-15)
    composites = loaded.client.get(address, params={"table": "composites", "format": "jsonl"}).text.splitlines()
    assert [json.loads(line)["name"] for line in composites] == [run["name"] for run in sweep["runs"]]
    trec = loaded.client.get(address, params={"table": "trec"})
    with zipfile.ZipFile(io.BytesIO(trec.content)) as archive:
        assert archive.namelist() == ["dense.run", "relevant.qrels"]
        first = next(line.split() for line in archive.read("dense.run").decode().splitlines())
    assert (first[0], first[2], first[3]) == (rows[0]["question_id"], rows[0]["passage_ids"][0], "1")


def test_a_reproducible_export_has_the_same_bytes_each_time(loaded, sweep):
    again = loaded.finished(loaded.client.post("/api/v1/sweeps", json=SWEEP).json()["id"])
    assert again["id"] != sweep["id"]
    for kind in ("csv", "jsonl", "xlsx"):
        params = {"format": kind, "reproducible": True}
        first, second = (
            loaded.client.get(f"/api/v1/sweeps/{one['id']}/export", params=params).content for one in (sweep, again)
        )
        assert first == loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/export", params=params).content
        if kind != "xlsx":
            assert first.replace(sweep["id"].encode(), again["id"].encode()) == second, "only the ids differ"


def test_a_single_run_is_a_sweep_of_one(loaded):
    body = {"config": {**SWEEP["config"], "retrieval": {"mode": "score", "minSimilarityScore": 0.4, "maxK": 5}}}
    created = loaded.client.post("/api/v1/runs", json=body)
    assert created.status_code == 201
    run = created.json()
    assert loaded.finished(run["sweep_id"])["state"] == "finished"
    assert loaded.client.get(f"/api/v1/runs/{run['id']}").json()["counts"]["scored"] == 3


def test_a_model_of_a_server_answers_and_its_timings_are_kept(loaded, ollama):
    servers = loaded.client.get("/api/v1/models").json()["items"]
    name = next(each for each in servers if each["provider"] == "ollama")["models"][0]["name"]
    config = {**SWEEP["config"], "model": {"provider": "ollama", "name": name}}
    created = loaded.client.post("/api/v1/sweeps", json={**SWEEP, "config": config}).json()
    sweep = loaded.finished(created["id"])
    assert [run["counts"]["scored"] for run in sweep["runs"]] == [3] * 4
    detail = loaded.client.get(f"/api/v1/runs/{sweep['runs'][0]['id']}/evaluations/0").json()
    assert detail["answer"]["timings"]["eval_count"] > 0
    assert detail["answer"]["timings"]["total_duration_ns"] > 0
    assert sweep["runs"][0]["model_info"]["digest"] != "unknown"


def test_models_that_changed_are_named_in_the_reply_to_resume_and_retry(loaded, sweep, monkeypatch):
    # What a server reports is at most a minute old, so that the change itself is tested without one.
    monkeypatch.setattr(Requirements, "changed", lambda _, stored: (f"A model of {stored.name} has changed.",))
    address = f"/api/v1/sweeps/{sweep['id']}"
    for act in ("resume", "retry"):
        assert loaded.client.post(f"{address}/{act}").json()["warnings"] == ["A model of Thresholds has changed."]
    assert loaded.client.get(address).json()["warnings"] == []


def test_scores_are_streamed_pair_by_pair(api):
    pairs = [
        {"reference": "clover fixes nitrogen", "answer": "clover fixes nitrogen"},
        {"reference": "a", "answer": ""},
    ]
    lines = api.client.post("/api/v1/scores", json={"pairs": pairs}).text.splitlines()
    first, second = (json.loads(line) for line in lines)
    assert first["scores"]["Rouge-1.f"]["value"] == 1.0
    assert {score["reason"] for score in second["scores"].values()} == {"empty_answer"}


def test_every_metric_describes_itself(api):
    items = api.client.get("/api/v1/metrics").json()["items"]
    assert [item["name"] for item in items[:24]] == list(VECTOR_ORDER)
    assert all(item["summary"] and item["formula"] and item["citation"]["text"] for item in items)


def test_the_system_says_which_parts_are_there(api):
    parts = {part["name"]: part for part in api.client.get("/api/v1/system").json()["parts"]}
    assert parts["encoder"]["ok"]
    assert parts["ollama"]["ok"]
    assert not parts["chain"]["ok"]
    assert all(part["ok"] or part["command"] for part in parts.values())
    assert api.client.get("/ready").status_code == 200


def test_examples_are_one_call_away(api):
    names = [item["name"] for item in api.client.get("/api/v1/examples").json()["items"]]
    assert names == ["biodiversity-policy", "organic-farming"]
    assert api.client.post("/api/v1/examples/none").status_code == 404
