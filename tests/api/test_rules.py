"""Every operation has a rule, and costly ones leave room for the others."""

from __future__ import annotations

import asyncio
import io
import zipfile

import pytest

from passer.api.app import create_app
from passer.api.routers import retrievals
from passer.api.rules import RULES
from passer.api.turns import Turns
from passer.errors import QueueFull


def operations() -> dict[str, str]:
    """Method by operation id, of everything that the application answers."""
    paths = create_app(None).openapi()["paths"]
    return {each["operationId"]: method for path in paths.values() for method, each in path.items()}


def test_every_operation_has_a_rule_and_no_rule_is_left_over():
    assert set(operations()) == set(RULES)


def test_what_changes_something_is_not_for_viewers():
    harmless = {"compare_answer_pairs", "compare_timings", "export_timing_comparison", "verify_bundle"}
    # Whoever has the secret of a rating link, and nobody else.
    of_raters = {"rate_pair"}
    of_oneself = {"sign_in", "sign_out", "change_own_password", "recover_account", "create_token", "delete_token"}
    changing = {name for name, method in operations().items() if method != "get"} - harmless - of_oneself - of_raters
    assert {RULES[name].role for name in changing} <= {"researcher", "admin"}


def test_costly_requests_wait_without_holding_up_the_others(api):
    state, usual = api.client.app.state, api.client.app.state.turns
    state.turns = Turns(0, 0)
    refused = api.client.get("/api/v1/system")
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "60"
    assert api.client.get("/health").status_code == 200
    assert api.client.get("/api/v1/sweeps").status_code == 200
    state.turns = usual


def test_turns_are_given_back_also_after_an_error():
    async def used() -> None:
        turns = Turns(1, 1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with turns.turn():
                    raise ZeroDivisionError
        async with turns.turn():
            waits = asyncio.create_task(entered(turns))
            await asyncio.sleep(0)
            with pytest.raises(QueueFull):
                await entered(turns)
            assert not waits.done()
        await waits

    async def entered(turns: Turns) -> None:
        async with turns.turn():
            pass

    asyncio.run(used())


def test_more_rankings_than_a_request_may_ask_for_are_refused_before_the_search(loaded, monkeypatch):
    body = {"dataset": "farm", "collection": "farm", "ks": [2]}
    assert loaded.client.post("/api/v1/retrievals", json=body).status_code == 200
    monkeypatch.setattr(retrievals, "MOST_RANKED", 5)
    refused = loaded.client.post("/api/v1/retrievals", json=body)
    assert refused.status_code == 413
    assert refused.json()["errors"][0]["field"] == "ks"


def test_rankings_of_others_are_imported_compared_and_saved_as_trec_files(loaded):
    client, qrels = loaded.client, "q1 0 bees.md 1\n"
    run = {"file": "other.run", "text": "q1 Q0 bees.md 1 2.5 other\n"}
    assert client.put("/api/v1/rankings/run/other", json=run).json()["entries"] == 1
    assert client.put("/api/v1/rankings/qrels/judged", json={"file": "judged.qrels", "text": qrels}).status_code == 200
    body = {"dataset": "farm", "collection": "farm", "ks": [1], "by": "document", "runs": ["other"], "qrels": "judged"}
    report = client.post("/api/v1/retrievals", json=body).json()
    assert [each["label"] for each in report["rankings"]] == ["Dense", "other"]
    assert {each["name"]: each["mean"] for each in report["rankings"][1]["figures"]}["R@1"] == 1
    saved = client.post("/api/v1/retrievals/trec", json=body)
    with zipfile.ZipFile(io.BytesIO(saved.content)) as archive:
        assert archive.namelist() == ["dense.run", "relevant.qrels"]
        assert archive.read("relevant.qrels").decode() == qrels
    refused = client.put("/api/v1/rankings/run/other", json={**run, "text": "q1 bees.md"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "line 1")
    assert [each["kind"] for each in client.get("/api/v1/rankings").json()["items"]] == ["qrels", "run"]
    assert client.delete("/api/v1/rankings/run/other").status_code == 204
    assert client.post("/api/v1/retrievals", json=body).status_code == 404
    assert client.get("/api/v1/retrievals/rerankers").json()["items"] == []


def test_term_maps_are_saved_under_their_names(loaded):
    client, seas = loaded.client, {"terms": {"море": ["sea", "ocean"]}}
    assert client.put("/api/v1/term-maps/seas", json=seas).json()["entries"] == 1
    assert client.get("/api/v1/term-maps/seas").json() == {"form": "terms", "name": "seas", "most": 8, **seas}
    twice = {"terms": {"sea": ["ocean"], "SEA": ["lake"]}}
    refused = client.put("/api/v1/term-maps/seas", json=twice)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "terms")
    assert [each["name"] for each in client.get("/api/v1/term-maps").json()["items"]] == ["seas"]
    assert client.delete("/api/v1/term-maps/seas").status_code == 204
    assert client.get("/api/v1/term-maps/seas").status_code == 404
