"""Assessments over HTTP: planned, run by the worker, paused by a budget, resumed, read to the verbatim reply."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.settings import Settings
from tests.ollama_server import OllamaServer
from tests.services.judging.made import Judged

WITHIN_S = 120.0
BODY = {
    "target": "sweep",
    "judge": {"provider": "ollama", "name": "mistral:latest"},
    "columns": ["Answer correctness"],
    "price": {"input": 1.0, "output": 2.0},
}


@pytest.fixture
def judge() -> Iterator[OllamaServer]:
    with OllamaServer(reply=lambda _: "Because.") as server:
        yield server


@pytest.fixture
def client(tmp_path: Path, judge: OllamaServer) -> Iterator[TestClient]:
    made = Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    made.fill()
    made.close()
    services = build_services(Settings(home=tmp_path, encoder="none", PASSER_OLLAMA_URL=judge.url))
    with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as opened:
        yield opened


def ended(client: TestClient, assessment_id: str, state: str) -> dict[str, Any]:
    until = time.monotonic() + WITHIN_S
    while (found := client.get(f"/api/v1/assessments/{assessment_id}").json())["job"]["state"] != state:
        assert found["job"]["state"] in ("queued", "running"), found
        assert time.monotonic() < until, found
        time.sleep(0.02)
    shown: dict[str, Any] = found
    return shown


def test_an_assessment_from_its_plan_to_the_verbatim_reply(client: TestClient, judge: OllamaServer) -> None:
    plan = client.post("/api/v1/assessments/plan", json=BODY).json()
    assert (plan["items"], plan["asks"], plan["known"], plan["is_complete"]) == (5, 4, 0, True)
    # The judge of these answers is the model that gave them, by its name before the first colon.
    assert plan["warnings"] == ["mistral:latest may be related to mistral:7b, whose answers it would judge."]
    assert judge.generations == []
    accepted = client.post("/api/v1/assessments", json=BODY)
    assert accepted.status_code == 202
    assessment_id = accepted.json()["assessment"]["id"]
    assert accepted.headers["location"] == f"/api/v1/jobs/{assessment_id}"
    shown = ended(client, assessment_id, "finished")
    assert shown["job"]["kind"] == "assess"
    assert [(cell["mean"], cell["judged"]) for cell in shown["table"]["cells"]] == [(0.0, 3), (0.0, 2)]
    assert len(judge.generations) == 4
    judged = client.get(f"/api/v1/assessments/{assessment_id}/runs/sweep-001").json()["questions"]
    assert [each["scores"]["Answer correctness"] for each in judged] == [
        {"value": 0.0, "reason": None, "note": None},
        {"value": 0.0, "reason": None, "note": None},
        {"value": None, "reason": "generation_failed", "note": None},
    ]
    [answer] = client.get("/api/v1/runs/sweep-001/evaluations/1/judged").json()["items"]
    assert (answer["judge"], [mark["value"] for mark in answer["marks"]]) == ("mistral:latest", [0.0])
    marks = client.get(f"/api/v1/assessments/{assessment_id}/marks").json()["items"]
    assert len(marks) == 5
    read = client.get(f"/api/v1/assessments/judgements/{marks[0]['judgement_keys'][0]}").json()
    assert read["judgement"]["value"] == {"a_reason": "Because.", "b_grade": 0}
    assert read["replies"][0]["raw"] == '{"a_reason": "Because.", "b_grade": 0}'
    assert read["prompt"]["messages"][0]["role"] == "system"
    [listed] = client.get("/api/v1/assessments", params={"sweep": "sweep"}).json()["items"]
    assert (listed["assessment"]["id"], listed["job"]["state"]) == (assessment_id, "finished")


def test_a_budget_pauses_and_resuming_with_another_asks_the_rest(client: TestClient, judge: OllamaServer) -> None:
    body = {**BODY, "budget": {"asks": 1}}
    assessment_id = client.post("/api/v1/assessments", json=body).json()["assessment"]["id"]
    paused = ended(client, assessment_id, "paused")
    assert "Raise it to continue" in paused["job"]["message"]
    assert paused["table"]["assessment"]["spent"]["asks"] == 1
    bulgarian = client.get(f"/api/v1/assessments/{assessment_id}", headers={"accept-language": "bg"}).json()
    assert bulgarian["job"]["message"].startswith("Бюджетът е изчерпан след 1 заявка")
    assert client.post(f"/api/v1/assessments/{assessment_id}/resume", json={}).status_code == 202
    assert ended(client, assessment_id, "finished")["table"]["assessment"]["spent"]["asks"] == 4
    assert len(judge.generations) == 4
    refused = client.post(f"/api/v1/assessments/{assessment_id}/resume", json={})
    assert refused.status_code == 409


def test_labels_calibrate_the_judge(client: TestClient) -> None:
    assessment_id = client.post("/api/v1/assessments", json=BODY).json()["assessment"]["id"]
    ended(client, assessment_id, "finished")
    before = client.get(f"/api/v1/assessments/{assessment_id}/agreement").json()["columns"][0]
    assert (before["agreement"], before["runs"][0]["corrected"], before["figures"]) == (None, None, [])
    wanted = {"assessment": assessment_id, "column": "Answer correctness", "questions": 2}
    assert client.post("/api/v1/labels/draws", json={**wanted, "column": "Kindness"}).status_code == 422
    drawn = client.post("/api/v1/labels/draws", json=wanted)
    assert drawn.status_code == 201
    draw = f"/api/v1/labels/draws/{drawn.json()['id']}"
    sheet = client.get(f"{draw}/sheet")
    assert "attachment" in sheet.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(sheet.content.decode("utf-8-sig"))))
    assert len(rows) == 4
    rated = "item,value\n" + "".join(f"{row['item']},{n / 4}\n" for n, row in enumerate(rows))
    rater = {"rater": "ana"}
    queue = client.get(f"{draw}/queue", params={"rater": "ben"})
    assert {place["item"] for place in queue.json()["places"]} == {row["item"] for row in rows}
    item = f"{draw}/items/{rows[0]['item']}"
    blind = client.get(item, params={"rater": "ben"})
    assert blind.json()["judge"] is None
    reserved = client.post(f"{draw}/next", json={"rater": "ben"})
    assert reserved.json() == {"place": queue.json()["places"][0]["item"], "reserved": 0}
    assert client.post(f"{draw}/next", json={"rater": ""}).status_code == 422
    for reply in (queue, blind, reserved):
        assert not any(sign in reply.text for sign in ("mistral", "sweep-00", assessment_id))
    assert client.post(item, json={"rater": "ben", "value": 2}).status_code == 422
    rated_one = client.post(item, json={"rater": "ben", "value": 0}).json()
    assert (rated_one["judge"]["judge"], rated_one["judge"]["value"]) == ("mistral:latest", 0.0)
    assert client.get(f"{draw}/items/{'0' * 64}", params={"rater": "ben"}).status_code == 404
    wrong = client.post(f"{draw}/labels", files={"file": ("a.csv", rated + "x,9\n")}, data=rater)
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["row"] == 5
    assert [label["rater"] for label in client.get(f"{draw}/labels").json()["items"]] == ["ben"]
    assert client.post(f"{draw}/labels", files={"file": ("a.csv", rated)}, data=rater).json()["labels"] == 4
    [listed] = client.get("/api/v1/labels/draws", params={"assessment": assessment_id}).json()["items"]
    assert listed["rated"] == {"ana": 4, "ben": 1}
    column = client.get(f"/api/v1/assessments/{assessment_id}/agreement").json()["columns"][0]
    # The judge says 0 of every answer; the people say 0, .25, .5 and .75.
    assert column["agreement"]["limits"]["bias"] == pytest.approx(-0.375)
    assert any("no correlation" in warning for warning in column["warnings"])
    both, differences = ([(row["x"], row["y"]) for row in each["series"][0]["rows"]] for each in column["figures"])
    assert both == [(0, 0), (0.25, 0), (0.5, 0), (0.75, 0)]
    assert differences == [(0, 0), (0.125, -0.25), (0.25, -0.5), (0.375, -0.75)]
    table = client.get(f"/api/v1/assessments/{assessment_id}").json()["table"]
    assert table["columns"][0]["labels"] == 4


def test_questions_of_a_dataset_are_judged(client: TestClient) -> None:
    body = {**BODY, "target": None, "datasets": ["farm"], "columns": ["Stand-alone question"]}
    assert client.post("/api/v1/assessments", json={**body, "target": "sweep"}).status_code == 422
    assert client.post("/api/v1/assessments", json={**body, "datasets": ["none"]}).status_code == 404
    assert client.post("/api/v1/assessments/plan", json=body).json()["asks"] == 3
    assessment_id = client.post("/api/v1/assessments", json=body).json()["assessment"]["id"]
    shown = ended(client, assessment_id, "finished")
    assert shown["job"]["subject"] == "farm"
    assert [(cell["run_id"], cell["judged"]) for cell in shown["table"]["cells"]] == [("farm", 3)]
    for dataset, found in (("farm", [assessment_id]), ("other", [])):
        listed = client.get("/api/v1/assessments", params={"dataset": dataset}).json()["items"]
        assert [each["assessment"]["id"] for each in listed] == found
    assert len(client.get(f"/api/v1/assessments/{assessment_id}/runs/farm").json()["questions"]) == 3
    [column] = client.get(f"/api/v1/assessments/{assessment_id}/agreement").json()["columns"]
    assert (column["agreement"], column["runs"], column["raters"]) == (None, [], [])
    draw = {"assessment": assessment_id, "column": "Stand-alone question"}
    refused = client.post("/api/v1/labels/draws", json=draw)
    assert (refused.status_code, "need an assessment of the answers of a sweep" in refused.text) == (422, True)


def test_what_cannot_be_judged_is_refused_with_the_field(client: TestClient) -> None:
    wrong: list[tuple[dict[str, Any], int]] = [
        ({"judge": {"provider": "extractive", "name": "extractive"}}, 422),
        ({"columns": ["Kindness"]}, 422),
        ({"target": "none"}, 404),
        ({"repeats": 0}, 422),
    ]
    for changes, status in wrong:
        assert client.post("/api/v1/assessments", json={**BODY, **changes}).status_code == status
    assert client.get("/api/v1/assessments").json()["items"] == []
    for path in ("nothing", "nothing/marks", "nothing/runs/sweep-000", "judgements/nothing"):
        assert client.get(f"/api/v1/assessments/{path}").status_code == 404
    assert client.get("/api/v1/runs/sweep-000/evaluations/3/judged").status_code == 404


def test_judged_metrics_are_described(client: TestClient) -> None:
    found = client.get("/api/v1/metrics", params={"profile": "judged"}).json()["items"]
    names = [each["name"] for each in found]
    assert {"Answer correctness", "Faithfulness", "Nugget all", "Context precision"} <= set(names)
    assert all("judge" in each["needs"] for each in found)


def test_with_accounts_a_researcher_imports_the_ratings_of_another_person_and_is_recorded(client: TestClient) -> None:
    assessment_id = client.post("/api/v1/assessments", json=BODY).json()["assessment"]["id"]
    ended(client, assessment_id, "finished")
    wanted = {"assessment": assessment_id, "column": "Answer correctness", "questions": 2}
    draw = f"/api/v1/labels/draws/{client.post('/api/v1/labels/draws', json=wanted).json()['id']}"
    first, second, *_ = csv.DictReader(io.StringIO(client.get(f"{draw}/sheet").content.decode("utf-8-sig")))
    password, accounts = "correct horse battery", client.app.state.services.accounts
    for name, role in (("vera", "viewer"), ("maria", "researcher")):
        accounts.add(name, role=role, password=password)

    def imported(name: str) -> int:
        client.cookies.clear()
        signed_in = client.post("/api/v1/session", json={"name": name, "password": password}).json()
        file = {"file": ("rated.csv", f"item,value\n{first['item']},1\n")}
        headers = {"x-csrf-token": signed_in["csrf"]}
        return client.post(f"{draw}/labels", files=file, data={"rater": "ana"}, headers=headers).status_code

    assert (imported("vera"), imported("maria")) == (403, 200)
    own = {"rater": "maria", "value": 0.5}
    headers = {"x-csrf-token": client.get("/api/v1/session").json()["csrf"]}
    assert client.post(f"{draw}/items/{second['item']}", json=own, headers=headers).status_code == 200
    labels = client.get(f"{draw}/labels").json()["items"]
    found = {label["rater"]: label.get("imported_by") for label in labels}
    assert found == {"ana": "maria", "maria": None}


def test_with_accounts_answers_and_passages_are_rated_under_the_name_of_the_account(client: TestClient) -> None:
    queue, body = "/api/v1/labels/draws/d", {"rater": "vera", "value": 1}
    passage = {"dataset": "d", "question_id": "q", "collection": "c", "passage_id": "p", "grade": 3}
    assert client.get(f"{queue}/queue", params={"rater": "vera"}).status_code == 404
    client.app.state.services.accounts.add("maria", role="researcher", password="correct horse battery")
    signed_in = client.post("/api/v1/session", json={"name": "maria", "password": "correct horse battery"}).json()
    client.headers["x-csrf-token"] = signed_in["csrf"]
    asked = [
        client.get(f"{queue}/queue", params={"rater": "vera"}),
        client.post(f"{queue}/next", json={"rater": "vera"}),
        client.get(f"{queue}/items/i", params={"rater": "vera"}),
        client.post(f"{queue}/items/i", json=body),
        client.post("/api/v1/retrievals/ratings", json={**passage, "rater": "vera"}),
    ]
    assert [each.status_code for each in asked] == [422] * 5
    assert all("Use maria as the name of the rater." in each.text for each in asked)
    # There is no such draw and no such dataset: the name was right.
    assert client.get(f"{queue}/queue", params={"rater": "maria"}).status_code == 404
    assert client.post(f"{queue}/items/i", json={**body, "rater": "maria"}).status_code == 404
    assert client.post("/api/v1/retrievals/ratings", json={**passage, "rater": "maria"}).status_code == 404
