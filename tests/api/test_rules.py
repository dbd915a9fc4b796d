"""Every operation has a rule, and costly ones leave room for the others."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest

from passer.api.routers import retrievals
from passer.api.rules import _OPERATIONS, RULES, RequestLimiter
from passer.errors import QueueFull
from tests.api.conftest import QUESTIONS
from tests.api.description import OPERATIONS


def operations() -> dict[str, str]:
    """Method by operation id, of everything that the application answers."""
    return {name: method.lower() for name, method, _ in OPERATIONS}


def test_every_operation_has_a_rule_and_no_rule_is_left_over():
    assert set(operations()) == set(RULES)


def test_no_operation_has_two_rules():
    """The later rule would apply unnoticed."""
    assert sum(len(names.split()) for _, names in _OPERATIONS) == len(RULES)


def test_what_changes_something_is_not_for_viewers():
    harmless = {"compare_answer_pairs", "compare_timings", "export_timing_comparison", "verify_bundle"}
    # Whoever has the secret of a rating link, and nobody else.
    of_raters = {"reserve_pair", "rate_pair"}
    of_oneself = {
        *("sign_in", "begin_provider_sign_in", "finish_provider_sign_in", "sign_out", "delete_identity"),
        *("begin_wallet_sign_in", "finish_wallet_sign_in"),
        *("change_own_password", "recover_account", "create_token", "delete_token"),
    }
    changing = {name for name, method in operations().items() if method != "get"} - harmless - of_oneself - of_raters
    assert {RULES[name].role for name in changing} <= {"researcher", "admin"}


def test_costly_requests_wait_without_holding_up_the_others(api):
    state, usual = api.client.app.state, api.client.app.state.request_limiter
    state.request_limiter = RequestLimiter(0, 0)
    refused = api.client.get("/api/v1/system")
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "60"
    assert api.client.get("/health").status_code == 200
    assert api.client.get("/api/v1/sweeps").status_code == 200
    state.request_limiter = usual


def test_slots_are_given_back_also_after_an_error():
    async def used() -> None:
        limiter = RequestLimiter(1, 1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with limiter.slot():
                    raise ZeroDivisionError
        async with limiter.slot():
            waits = asyncio.create_task(entered(limiter))
            await asyncio.sleep(0)
            with pytest.raises(QueueFull):
                await entered(limiter)
            assert not waits.done()
        await waits

    async def entered(limiter: RequestLimiter) -> None:
        async with limiter.slot():
            pass

    asyncio.run(used())


def test_more_rankings_than_a_request_may_ask_for_are_refused_before_the_search(loaded, monkeypatch):
    body = {"dataset": "farm", "collection": "farm", "ks": [2]}
    assert loaded.client.post("/api/v1/retrievals", json=body).status_code == 200
    monkeypatch.setattr(retrievals, "MOST_RANKED", 5)
    refused = loaded.client.post("/api/v1/retrievals", json=body)
    assert refused.status_code == 413
    assert refused.json()["errors"][0]["field"] == "ks"


def test_a_comparison_is_streamed_as_well_and_names_retrievers_in_the_readers_language(loaded):
    hybrid = {"form": "fused", "of": [{"form": "dense"}, {"form": "lexical", "analyser": "english"}]}
    body = {"dataset": "farm", "collection": "farm", "retrievers": [{"form": "dense"}, hybrid], "ks": [1, 2]}
    bulgarian = {"accept-language": "bg"}
    name, report = loaded.streamed("/api/v1/retrievals", body, **bulgarian)[-1]
    assert (name, report) == (
        "answer",
        loaded.client.post("/api/v1/retrievals", json=body, headers=bulgarian).json(),
    )
    labels = ["Векторно", "RRF (Векторно, BM25 (английски))"]
    assert [each["label"] for each in report["rankings"]] == labels
    assert [series["name"] for series in report["curves"][0]["series"]] == labels
    name, problem = loaded.streamed("/api/v1/retrievals", {**body, "collection": "nowhere"})[-1]
    assert (name, problem["status"]) == ("problem", 404)


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
    judged = {"file": "reasonings.CSV", "text": "qid,did,raw_answer,answer\nq1,bees.md,x,Somewhat relevant: it is.\n"}
    assert client.put("/api/v1/rankings/qrels/judged", json=judged).json()["entries"] == 1
    with zipfile.ZipFile(io.BytesIO(client.post("/api/v1/retrievals/trec", json=body).content)) as archive:
        assert archive.read("relevant.qrels").decode() == qrels, "RAGElo's somewhat relevant is grade 1"
    of_mteb = {"file": "test.jsonl", "text": '{"query-id": "q1", "corpus-id": "bees.md", "score": 2}\n'}
    assert client.put("/api/v1/rankings/qrels/mteb", json=of_mteb).json()["entries"] == 1
    assert client.delete("/api/v1/rankings/qrels/mteb").status_code == 204
    refused = client.put("/api/v1/rankings/qrels/mteb", json={"file": "test.parquet", "text": "PAR1\0"})
    assert (refused.status_code, "not a text file" in refused.json()["detail"]) == (422, True)
    wrong = {**judged, "text": "qid,did,answer\nq1,bees.md,excellent\n"}
    refused = client.put("/api/v1/rankings/qrels/judged", json=wrong)
    assert (refused.status_code, refused.json()["errors"][0]["row"]) == (422, 1)
    refused = client.put("/api/v1/rankings/run/other", json={**run, "text": "q1 bees.md"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "line 1")
    assert [each["kind"] for each in client.get("/api/v1/rankings").json()["items"]] == ["qrels", "run"]
    assert client.delete("/api/v1/rankings/run/other").status_code == 204
    assert client.post("/api/v1/retrievals", json=body).status_code == 404
    assert client.get("/api/v1/retrievals/rerankers").json()["items"] == []


def test_a_comparison_is_opened_again_by_its_id_and_says_what_has_changed(loaded):
    def shown(comparison: str, part: str = "") -> Any:
        return loaded.client.get(f"/api/v1/retrievals/{comparison}{part}")

    loaded.upload("seas")
    hybrid = {"form": "fused", "of": [{"form": "dense"}, {"form": "lexical"}]}
    body = {"dataset": "seas", "collection": "farm", "retrievers": [{"form": "dense"}, hybrid], "ks": [1, 2]}
    made = loaded.client.post("/api/v1/retrievals", json=body).json()
    assert loaded.client.post("/api/v1/retrievals", json=body).json()["id"] == made["id"]
    assert shown(made["id"]).json() == made
    questions = shown(made["id"], "/questions").json()["items"]
    assert [each["question_id"] for each in questions] == ["q1", "q2", "q3"]
    assert list(questions[0]["rankings"]) == ["Dense", "RRF (Dense, BM25)"]
    assert questions[0]["rankings"]["Dense"] == made["rankings"][0]["questions"][0]
    # The same name, other questions: the figures are those of today, and it says so.
    loaded.upload(
        "seas", json.dumps([{"id": "q1", "question": "What fixes nitrogen?", "reference": "Clover."}]).encode()
    )
    changed = shown(made["id"]).json()
    assert changed["n_questions"] == 1
    assert "The dataset seas has changed since this comparison was made" in changed["warnings"][0]
    # Nothing to measure by: the message names what is missing, the gold passages or their collection.
    assert "no gold passages for these questions" in changed["warnings"][1]
    lost = [{**QUESTIONS[0], "gold_passages": [{"document": "sea.txt", "quote": "Kelp grows."}]}]
    loaded.upload("seas", json.dumps(lost).encode())
    assert "farm contains no gold passage" in shown(made["id"]).json()["warnings"][1]
    bomb = urlsafe_b64encode(zlib.compress(b" " * (1 << 22))).decode()
    for wrong in ("x", made["id"][:-4], "é", bomb, urlsafe_b64encode(zlib.compress(b'{"request": {}}')).decode()):
        assert shown(wrong).status_code == shown(wrong, "/questions").status_code == 404, wrong


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
