"""Tournaments over HTTP: planned, judged by the worker, rated, read game by game, imported, by rule, deleted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.settings import Settings
from tests.api.projects import PASSWORD, token_of
from tests.ollama_server import OllamaServer
from tests.services.arena.made import Played

WITHIN_S = 120.0
BODY = {"runs": ["sweep"], "judge": {"provider": "ollama", "name": "mistral:latest"}}
ARENA = "/api/v1/tournaments"
SHEET = "/api/v1/rating-sheet"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    home: Path = tmp_path_factory.mktemp("home")
    made = Played(f"sqlite:///{home / 'passer.sqlite3'}")
    made.fill()
    made.fill_later()
    made.close()
    with OllamaServer(reply=lambda _: "Because.") as judge:
        services = build_services(Settings(home=home, encoder="none", PASSER_OLLAMA_URL=judge.url))
        with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as opened:
            yield opened


def ended(client: TestClient, tournament_id: str) -> dict[str, Any]:
    until = time.monotonic() + WITHIN_S
    while True:
        found = client.get(f"{ARENA}/{tournament_id}").json()
        states = {job["state"] for job in (found["job"], *found["added"])}
        if states == {"finished"}:
            break
        assert states <= {"queued", "running", "finished"}, found
        assert time.monotonic() < until, found
        time.sleep(0.02)
    shown: dict[str, Any] = found
    return shown


def test_a_tournament_from_its_plan_to_the_verbatim_reply(client: TestClient) -> None:
    plan = client.post(f"{ARENA}/plan", json=BODY).json()
    assert (plan["games"], plan["same_answer"], plan["asks"], plan["unanswered"]) == (2, 1, 2, 1)
    accepted = client.post(ARENA, json=BODY)
    assert accepted.status_code == 202
    some_id = accepted.json()["tournament"]["id"]
    ended(client, some_id)
    rated = client.get(f"{ARENA}/{some_id}/ratings", params={"tournaments": 10, "seed": 2}).json()
    assert rated["games"] == {"inconsistent": 1, "same_answer": 1}
    assert rated["swap"]["letters"] == {"first": 2}
    assert rated["assessment"]["spec"]["judge"]["model"]["name"] == "mistral:latest"
    assert {row["kinship"] for row in rated["rows"]} == {"may-be-related"}
    bulgarian = client.get(f"{ARENA}/{some_id}/ratings", headers={"accept-language": "bg"}).json()
    assert "може да е сроден с mistral:7b" in bulgarian["warnings"][0]
    # One pair is too few to say that the verdicts carry no information.
    assert not any("не носят информация" in warning for warning in bulgarian["warnings"])
    [game] = client.get(f"{ARENA}/{some_id}/games", params={"how": "inconsistent"}).json()["items"]
    where = {"question": game["question_id"], "a": game["a"], "b": game["b"]}
    read = client.get(f"{ARENA}/{some_id}/game", params=where).json()
    assert read["question"] == "When is maize sown?"
    assert [each["judgement"]["value"]["d_verdict"] for each in read["judgements"]] == ["A", "A"]
    # Arenas are no assessments that make marks.
    assert client.get("/api/v1/assessments").json()["items"] == []
    assert client.get(f"/api/v1/assessments/{some_id}").status_code == 409
    export = client.get(f"{ARENA}/{some_id}/export", params={"table": "games"})
    assert export.text.lstrip("\ufeff").startswith("qid,a,b,winner")
    against = client.get(f"{ARENA}/{some_id}/comparison", params={"other": some_id}).json()
    assert (against["games"], against["same"]) == (2, 2)
    query = {"other": some_id, "same_answer": "drop"}
    assert client.get(f"{ARENA}/{some_id}/comparison", params=query).json()["games"] == 1
    alone = client.get(f"{ARENA}/{some_id}/ratings", params={"without": [game["a"], game["b"]]}).json()
    assert (alone["rows"], alone["reason"]) == ([], "no_games")
    dropped = client.get(f"{ARENA}/{some_id}/export", params={"inconsistent": "drop", "same_answer": "drop"}).text
    assert dropped.splitlines()[1].split(",")[2] == "", "no game is left to rate"
    planned = client.post(f"{ARENA}/by-rule/plan", json={"runs": ["sweep"], "rule": {"column": "BLEU"}}).json()
    assert (planned["games"], planned["unanswered"]) == (2, 1)
    assert some_id in [
        each["tournament"]["id"] for each in client.get(ARENA, params={"sweep": "sweep"}).json()["items"]
    ]
    assert client.delete(f"{ARENA}/{some_id}").status_code == 204
    assert client.get(f"{ARENA}/{some_id}").status_code == 404


def test_a_run_of_a_later_sweep_is_added_with_few_games(client: TestClient) -> None:
    some_id = client.post(ARENA, json=BODY).json()["tournament"]["id"]
    ended(client, some_id)
    before = client.get(f"{ARENA}/{some_id}/ratings").json()
    accepted = client.post(f"{ARENA}/{some_id}/systems", json={"run": "later-000", "most": 3})
    assert accepted.status_code == 202
    assert len(accepted.json()["added"]) == 1
    ended(client, some_id)
    after = client.get(f"{ARENA}/{some_id}/ratings").json()
    [few] = after["added"]
    assert (few["entrant"]["id"], few["games"], few["wins"]) == ("later-000", 3, 0)
    assert (after["rows"], after["games"]) == (before["rows"], before["games"])
    assert client.post(f"{ARENA}/{some_id}/systems", json={"run": "later-000"}).status_code == 409
    assert client.post(f"{ARENA}/{some_id}/systems", json={"run": "nothing-000"}).status_code == 404
    [listed] = client.get(ARENA, params={"sweep": "later"}).json()["items"]
    assert listed["tournament"]["id"] == some_id
    assert client.delete(f"{ARENA}/{some_id}").status_code == 204


def test_games_are_imported_whole_or_not_at_all(client: TestClient) -> None:
    rows = "qid,a,b,winner\n" + "".join(f"{n},x,y,{'AAB'[n % 3]}\n" for n in range(9))
    made = client.post(f"{ARENA}/import", files={"file": ("cup.csv", rows)})
    assert made.status_code == 201
    assert (made.json()["tournament"]["name"], made.json()["job"]) == ("cup", None)
    some_id = made.json()["tournament"]["id"]
    rated = client.get(f"{ARENA}/{some_id}/ratings").json()
    assert [row["entrant"]["id"] for row in rated["rows"]] == ["x", "y"]
    assert rated["swap"] is None
    where = {"question": "0", "a": "x", "b": "y"}
    assert client.get(f"{ARENA}/{some_id}/game", params=where).json()["answers"] is None
    refused = client.post(f"{ARENA}/import", files={"file": ("cup.csv", rows + "9,x,y,Z\n")})
    assert refused.status_code == 422
    assert "Row 11" in refused.text


def test_what_cannot_be_played_is_refused(client: TestClient) -> None:
    wrong: list[tuple[str, dict[str, Any], int]] = [
        ("", {**BODY, "judge": {"provider": "extractive", "name": "extractive"}}, 422),
        ("", {**BODY, "runs": ["sweep-000"]}, 422),
        ("", {**BODY, "runs": ["none"]}, 404),
        ("", {**BODY, "options": {"documents": "all"}}, 422),
        ("/by-rule", {"runs": ["sweep"], "rule": {"column": "Kindness"}}, 422),
        ("/by-rule/plan", {"runs": ["sweep"], "rule": {"column": "Kindness"}}, 422),
        ("/by-rule", {"runs": ["sweep"], "rule": {"column": "BLEU", "epsilon": -1}}, 422),
    ]
    for path, body, status in wrong:
        assert client.post(ARENA + path, json=body).status_code == status, body
    for path in ("", "/ratings", "/games", "/export", "/game?question=q&a=x&b=y"):
        assert client.get(f"{ARENA}/nothing{path}").status_code == 404


def test_people_rate_by_links_that_open_nothing_else(client: TestClient) -> None:
    made = client.post(ARENA, json=BODY).json()["tournament"]["id"]
    ended(client, made)
    started = client.post(f"{ARENA}/{made}/people", json={"games": 5, "raters": ["ana", "ben"]})
    assert started.status_code == 201
    people, links = started.json()["tournament"]["id"], started.json()["links"]
    ana, ben = ({"X-Rating-Link": link["path"].partition("#")[2]} for link in links)
    listed = client.get(f"{ARENA}/{made}/people").json()["items"]
    assert [each["id"] for each in listed] == [people]
    of_runs = client.post(f"{ARENA}/people", json={"runs": ["sweep"], "raters": ["eva"], "aspects": ["Accuracy"]})
    assert of_runs.status_code == 201, of_runs.text
    eva = {"X-Rating-Link": of_runs.json()["links"][0]["path"].partition("#")[2]}
    [own] = client.get(SHEET, headers=eva).json()["places"]
    body = {"choice": "tie", "grades": {"first": {"Accuracy": 2}, "second": {"Accuracy": 0}}}
    assert client.post(f"{SHEET}/pairs/{own['id']}", headers=eva, json=body).json()["grades"] == body["grades"]
    assert (
        client.post(
            f"{SHEET}/pairs/{own['id']}", headers=eva, json={"choice": "tie", "grades": {"first": {"Accuracy": 3}}}
        ).status_code
        == 422
    )
    # From here on accounts are needed; raters have none.
    client.app.state.services.accounts.add("root", role="admin", password=PASSWORD)
    assert client.get(f"{ARENA}/{people}/raters").status_code == 401
    seen = []
    for rater, choice in ((ana, "first"), (ben, "second")):
        sheet = client.get(SHEET, headers=rater)
        [place] = sheet.json()["places"]
        pair = client.get(f"{SHEET}/pairs/{place['id']}", headers=rater)
        rated = client.post(f"{SHEET}/pairs/{place['id']}", headers=rater, json={"choice": choice})
        assert (pair.json()["choice"], rated.json()["choice"]) == (None, choice)
        assert sheet.headers["referrer-policy"] == "no-referrer"
        seen += [each.text + str(each.headers) for each in (sheet, pair, rated)]
        assert client.post(f"{SHEET}/pairs/{place['id']}", headers=rater, json={"choice": "both"}).status_code == 422
    for sign in (made, people, "sweep", "mistral", "run 0", "ana", "ben", "similarity", 'rating"'):
        assert not [text for text in seen if sign in text], sign
    refused = [
        client.get(prefix + SHEET, headers={"X-Rating-Link": secret})
        for prefix, secret in (("", "guess"), ("", people), ("/projects/nowhere", ana["X-Rating-Link"]))
    ]
    assert {(each.status_code, each.text.replace("/projects/nowhere", "")) for each in refused} == {
        (404, refused[0].text)
    }, "an unknown link, and a project that does not exist, are told alike"
    assert client.get(SHEET).status_code == 422
    client.headers["authorization"] = f"Bearer {token_of(client, 'root')}"
    found = client.get(f"{ARENA}/{people}/raters").json()
    assert (found["figures"]["decided"], found["figures"]["pairs"][0]["same"]) == (1, 1)
    games = client.get(f"{ARENA}/{people}/export", params={"table": "games"}).text
    assert '"ana, ben"' in games
    assert client.delete(f"{ARENA}/{people}/raters/ana").status_code == 204
    assert client.get(SHEET, headers=ana).status_code == 404
    assert client.get(SHEET, headers=ben).status_code == 200
    assert client.post(f"{ARENA}/{people}/raters", json={"rater": "ana"}).status_code == 201
    log = client.get("/api/v1/activity").text
    for secret in (ana, ben):
        assert secret["X-Rating-Link"] not in log
