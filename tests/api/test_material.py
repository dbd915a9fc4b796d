"""Collections and datasets: their versions, embedding models, and means over the sweeps that asked them."""

from __future__ import annotations

import json

import pytest

from tests.api.conftest import QUESTIONS


def test_versions_of_a_dataset_are_listed_with_the_sweeps_that_ask_them(api):
    rows = [{"question": "What?", "reference": "That."}]
    api.upload("versioned", json.dumps(rows).encode())
    api.upload("versioned", json.dumps([*rows, {"question": "Who?", "reference": "They."}]).encode())
    items = api.client.get("/api/v1/datasets/versioned/versions").json()["items"]
    assert [item["questions"] for item in items] == [2, 1]
    assert [item["sweeps"] for item in items] == [0, 0]
    newest = api.client.get("/api/v1/datasets/versioned").json()
    assert len(newest["questions"]) == items[0]["questions"]
    found = api.client.get("/api/v1/datasets/versioned/difference", params={"before": items[1]["digest"]}).json()
    assert (found["added"], found["removed"], found["changed"], found["unchanged"]) == (["q-0002"], [], [], 1)
    assert (found["before"], found["after"]) == (items[1]["digest"], items[0]["digest"])
    missing = api.client.get("/api/v1/datasets/versioned/difference", params={"before": "0" * 64})
    assert missing.status_code == 404
    assert api.client.get("/api/v1/datasets/nothing/versions").status_code == 404


def test_questions_are_added_to_the_newest_version_or_refused_with_their_rows(api):
    file = b"question,answer\nWhat?,That.\n"
    form = {"name": "grown", "add": "true"}
    assert api.client.post("/api/v1/datasets", files={"file": ("q.csv", file)}, data=form).status_code == 404
    first = api.client.post("/api/v1/datasets", files={"file": ("q.csv", file)}, data={"name": "grown"})
    more = file + b"Who?,They.\n"
    looked = api.client.post("/api/v1/datasets/previews", files={"file": ("q.csv", more)}, data={"add_to": "grown"})
    assert [(each["row"], each["field"]) for each in looked.json()["problems"]] == [(1, "question")]
    assert api.client.post("/api/v1/datasets", files={"file": ("q.csv", more)}, data=form).status_code == 422
    added = api.client.post("/api/v1/datasets", files={"file": ("q.csv", more)}, data={**form, "skip_bad_rows": "true"})
    assert (added.status_code, added.json()["questions"], added.json()["versions"]) == (201, 2, 2)
    found = api.client.get("/api/v1/datasets/grown/difference", params={"before": first.json()["digest"]}).json()
    assert (len(found["added"]), found["unchanged"], found["removed"]) == (1, 1, [])


def test_documents_are_ingested_with_the_embedding_model_that_is_chosen(api):
    body = {"title": "notes", "text": "Hens go outside.", "embedding": "embedded/all-MiniLM-L6-v2"}
    assert api.job(api.client.post("/api/v1/collections/chosen/texts", json=body))["state"] == "finished"
    refused = api.client.post("/api/v1/collections/chosen/texts", json={**body, "embedding": "/etc/passwd"})
    assert refused.status_code == 422


@pytest.mark.parametrize("name", ["bees and honey", "ab", "two..dots"])
def test_a_name_that_no_collection_can_have_is_refused_before_a_job_is_made(api, name):
    address = f"/api/v1/collections/{name}"
    files = {"files": ("notes.txt", b"Hens go outside.")}
    refused = [
        api.client.post(f"{address}/documents", files=files),
        api.client.post(f"{address}/texts", json={"title": "notes", "text": "Hens go outside."}),
        api.client.post(f"{address}/addresses", json={"url": "https://example.org/"}),
    ]
    assert [(each.status_code, each.json()["errors"][0]["field"]) for each in refused] == [(422, "name")] * 3
    assert name not in {job["subject"] for job in api.client.get("/api/v1/jobs").json()["items"]}


def test_means_by_date_are_a_line_for_each_configuration_of_the_sweeps_of_a_dataset(loaded):
    weights = (3, 1, 1)
    asked = [{**row, "weight": weight} for row, weight in zip(QUESTIONS, weights, strict=True)]
    assert loaded.upload("dated", json.dumps(asked).encode()).status_code == 201
    history = lambda **query: loaded.client.get("/api/v1/datasets/dated/history", params=query)  # noqa: E731
    assert history().json()["figure"]["series"] == []
    config = {"dataset": "dated", "collection": "farm", "model": {"provider": "extractive", "name": "extractive"}}
    swept = []
    for axes in ({"k": [1]}, {"k": [1], "repeat": 2}):
        body = {"name": "Dated", "config": config, "axes": axes, "baseline": {"mode": "normal", "k": 2}}
        created = loaded.client.post("/api/v1/sweeps", json=body)
        assert created.status_code == 201, created.text
        swept.append(loaded.finished(created.json()["id"]))

    found = history(column="F1 Score").json()
    assert (found["figure"]["title"], found["columns"][-1]) == ("Over time: F1 Score", "thumb")
    lines = {series["name"]: series["rows"] for series in found["figure"]["series"]}
    assert set(lines) == {"Top-k 1", "Top-k 2"}, "repetitions are one configuration"
    [run] = [run for run in swept[0]["runs"] if run["name"] == "Top-k 1"]
    items = loaded.client.get(f"/api/v1/runs/{run['id']}/evaluations").json()["items"]
    values = [item["evaluation"]["scores"]["F1 Score"]["value"] for item in items]
    assert len(set(values)) > 1, "else weights change nothing"
    expected = sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)
    # The model that answers is deterministic, so that both sweeps and both repetitions have this mean.
    assert [row["y"] for row in lines["Top-k 1"]] == pytest.approx([expected, expected])
    assert [row["n"] for row in lines["Top-k 1"]] == [3, 3]
    assert [row["x"] for row in lines["Top-k 1"]] == [each["created_at"][:16].replace("T", " ") for each in swept]

    thumbed = history(column="thumb").json()["figure"]["series"]
    assert "Top-k 1" not in {series["name"] for series in thumbed}
    for is_up in (True, False, True):
        loaded.client.post(f"/api/v1/runs/{run['id']}/evaluations/0/thumbs", json={"is_up": is_up})
    rows = {series["name"]: series["rows"] for series in history(column="thumb").json()["figure"]["series"]}
    assert [(row["y"], row["n"]) for row in rows["Top-k 1"]] == [(pytest.approx(2 / 3), 1)] * 2, "equal answers share"

    loaded.client.patch(f"/api/v1/sweeps/{swept[0]['id']}", json={"archived": True})
    assert [len(series["rows"]) for series in history().json()["figure"]["series"]] == [1, 1]
    assert history(column="Kindness").status_code == 422
    assert loaded.client.get("/api/v1/datasets/nothing/history").status_code == 404


def test_answers_of_other_tools_become_configurations_of_a_sweep_or_are_refused(loaded):
    def send(rows: str, *names: str):
        files = [("file", (f"{name}.csv", f"id,answer\n{rows}")) for name in ("old", "new")]
        return loaded.client.post("/api/v1/datasets/farm/answers", files=files, data={"configuration": names})

    whole = "".join(f"{each['id']},No idea.\n" for each in QUESTIONS)
    done = loaded.job(send(whole, "before", "after"))
    assert done["state"] == "finished", done
    assert done["result"]["configurations"] == ["before", "after"]
    sweep = loaded.client.get(f"/api/v1/sweeps/{done['result']['sweep']}").json()
    assert (sweep["state"], [run["name"] for run in sweep["runs"]]) == ("finished", ["before", "after"])
    refused = loaded.job(send(whole + "q9,No.\n", "before", "after"))
    assert (refused["state"], refused["problem"]["errors"][0]["field"]) == ("failed", "id")
    for names in (("before",), ("same", "same"), ("before", " ")):
        assert send(whole, *names).status_code == 422
    assert (
        loaded.client.post(
            "/api/v1/datasets/none/answers", files={"file": ("a.csv", whole)}, data={"configuration": "a"}
        ).status_code
        == 404
    )


def test_an_experiment_of_ragelo_is_imported_whole_or_refused(api):
    def files(answers: str) -> dict[str, tuple[str, str]]:
        return {
            "queries": ("queries.csv", "qid,query\nq1,How is soil kept alive?\nq2,What do bees need?\n"),
            "documents": ("documents.csv", "qid,did\nq1,soil.txt\nq2,bees.md\n"),
            "judgements": ("judged.csv", "qid,did,answer\nq1,soil.txt,Very relevant: yes.\nq2,bees.md,0\n"),
            "answers": ("answers.csv", f"qid,agent,answer\nq1,rag,By compost.\nq1,fusion,By clover.\n{answers}"),
        }

    given = files("q2,rag,Flowers.\nq9,fusion,Water.\n")
    refused = api.job(api.client.post("/api/v1/datasets/ragelo", files=given, data={"name": "lab"}))
    assert refused["state"] == "failed"
    places = {(each.get("row"), each.get("field")) for each in refused["problem"]["errors"]}
    assert (4, "qid") in places, "the row that names no question"
    assert all("answers.csv, agent fusion" in each["message"] for each in refused["problem"]["errors"])
    assert api.client.get("/api/v1/datasets/lab").status_code == 404
    assert "lab" not in {each["name"] for each in api.client.get("/api/v1/rankings").json()["items"]}

    given = files("q2,rag,Flowers.\nq2,fusion,Water.\n")
    done = api.job(api.client.post("/api/v1/datasets/ragelo", files=given, data={"name": "lab"}))
    assert done["state"] == "finished", done
    found = done["result"]
    assert (found["questions"], found["ranked"], found["graded"], found["agents"]) == (2, 2, 2, ["rag", "fusion"])
    sweep = api.client.get(f"/api/v1/sweeps/{found['sweep']}").json()
    assert (sweep["state"], [run["config"]["model"]["name"] for run in sweep["runs"]]) == (
        "finished",
        ["rag", "fusion"],
    )
    # Named by the place of no address: refused before anything is queued.
    unnamed = api.client.post("/api/v1/datasets/ragelo", files={"queries": given["queries"]}, data={"name": "../x"})
    assert unnamed.status_code == 422
