"""A run over HTTP: its manifest, its bundle, and the verification of that."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from passer.domain.base import canonical_json
from passer.domain.ledger.checkpoint import included_at, inclusion_of, opened_checkpoint
from passer.domain.ledger.signed_note import key_of
from tests.api.conftest import Api
from tests.authority import serving
from tests.bundles import members_of, rebuilt


@pytest.fixture(scope="module")
def run_id(loaded: Api) -> str:
    config = {"dataset": "farm", "collection": "farm", "model": {"provider": "extractive"}}
    run = loaded.client.post("/api/v1/runs", json={"name": "To prove", "config": config}).json()
    assert loaded.finished(run["sweep_id"])["state"] == "finished"
    return str(run["id"])


def verified(api: Api, content: bytes) -> Any:
    return api.client.post("/api/v1/verifications", files={"file": ("bundle.zip", content)})


def test_a_bundle_over_http_is_verified_and_a_changed_one_not(loaded: Api, run_id: str):
    manifest = loaded.client.get(f"/api/v1/runs/{run_id}/manifest").json()
    response = loaded.client.get(f"/api/v1/runs/{run_id}/bundle")
    assert response.headers["content-disposition"] == f'attachment; filename="{run_id}.zip"'
    members = members_of(response.content)
    assert members["manifest.json"] == canonical_json(manifest)
    assert manifest["counts"]["asked"] == 3
    assert {document["name"] for document in manifest["collection"]["documents"]} == {"soil.txt", "bees.md"}
    found = verified(loaded, response.content).json()
    assert found["verdict"] == "verified", [step for step in found["steps"] if step["outcome"] == "fail"]
    assert found["run_digest"] == hashlib.sha256(members["manifest.json"]).hexdigest()
    changed = members["questions.jsonl"].replace(b"What fixes nitrogen?", b"What fixes nitrogem?")
    found = verified(loaded, rebuilt(members | {"questions.jsonl": changed})).json()
    assert found["verdict"] == "not verified"
    assert {step["question"] for step in found["steps"] if step["outcome"] == "fail"} == {"q1"}


def test_the_bundle_is_the_same_whenever_it_is_taken(loaded: Api, run_id: str):
    first, second = (members_of(loaded.client.get(f"/api/v1/runs/{run_id}/bundle").content) for _ in range(2))
    assert {**first, "entry.json": b""} == {**second, "entry.json": b""}


def test_a_bundle_carries_the_verdict_once_its_sweep_has_one(loaded: Api):
    questions = [
        {"id": f"v{place}", "question": f"What fixes nitrogen in field {place}?", "reference": f"Clover {place}."}
        for place in range(20)
    ]
    assert loaded.upload("verdict", json.dumps(questions).encode()).status_code == 201
    body = {
        "name": "With a verdict",
        "config": {"dataset": "verdict", "collection": "farm", "model": {"provider": "extractive"}},
        "axes": {"minSimilarityScore": [0.99]},
        "baseline": {"mode": "normal", "k": 2},
        "primary": "F1 Score",
        "hypothesis": "Two passages are better than none.",
    }
    key = {"Idempotency-Key": "a registered plan"}
    created = loaded.client.post("/api/v1/sweeps", json=body, headers=key)
    assert created.status_code == 201, created.text
    sweep = loaded.finished(created.json()["id"])
    assert loaded.client.post("/api/v1/sweeps", json=body, headers=key).json()["id"] == sweep["id"]
    analysis = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/analysis").json()
    plan, shown = sweep["registered"], analysis["verdict"]
    assert (plan["configurations"], plan["known"], plan["earlier"]) == (2, 0, 0)
    assert (analysis["standing"]["kind"], analysis["standing"]["digest"]) == ("confirmatory", plan["digest"])
    other = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/analysis", params={"margin": 0.5}).json()
    assert other["standing"]["kind"] == "exploratory"
    rows = loaded.client.get("/api/v1/ledger/entries", params={"limit": 1000}).json()["items"]
    assert [row["run_digest"] for row in rows if row["description"].startswith("registration")] == [plan["digest"]]
    for run in sweep["runs"]:
        bundle = loaded.client.get(f"/api/v1/runs/{run['id']}/bundle").content
        stated = json.loads(members_of(bundle)["verdict.json"])
        assert stated["conclusions"][0]["kind"] == shown["conclusions"][0]["verdict"]["kind"] != "no_verdict"
        assert [each["id"] for item in stated["configurations"] for each in item["runs"]] == [
            each["id"] for each in sweep["runs"]
        ]
        found = verified(loaded, bundle).json()
        steps = {step["name"]: step["outcome"] for step in found["steps"]}
        assert (found["verdict"], steps["verdict"]) == ("verified", "pass"), found
    study_of_it(loaded, sweep)
    head, key_text = (loaded.client.get(f"/api/v1/ledger/{name}").text for name in ("checkpoint", "key"))
    size = opened_checkpoint(head, key_of(key_text)).size
    last = loaded.client.get("/api/v1/ledger/entries", params={"after": size - 1}).json()["items"][0]
    proof = inclusion_of(loaded.client.get("/api/v1/ledger/proof", params={"row": size}).text)
    assert included_at(proof, last["digest"], key_of(key_text)) is not None
    steps = loaded.client.get("/api/v1/ledger/consistency", params={"earlier": size}).text
    assert steps == f"old {size}\n\n{head}"
    assert loaded.client.get("/api/v1/ledger/proof", params={"row": 10**6}).status_code == 422


def study_of_it(loaded: Api, sweep: Any) -> None:
    """The same sweep as one file, with the receipt of the ledger once it is published."""
    address, values = f"/api/v1/sweeps/{sweep['id']}/study", {"title": "Nitrogen", "licence": "CC-BY-4.0"}
    unpublished = loaded.client.get(address, params=values).content
    assert verified(loaded, unpublished).json()["verdict"] == "verified"
    published = loaded.client.put(address, json=values)
    assert published.status_code == 200, published.text
    study = loaded.client.get(address, params=values).content
    found = verified(loaded, study).json()
    steps = {step["name"]: step["outcome"] for step in found["steps"]}
    assert (found["verdict"], steps["study_entry"], steps["local_ledger"]) == ("verified", "pass", "pass"), found
    assert (steps["registration"], found["study"]["standing"]) == ("pass", "confirmatory")
    assert found["study"]["digest"] == published.json()["digest"]
    assert found["study"]["digest"] == hashlib.sha256(members_of(study)["study.json"]).hexdigest()
    row = loaded.client.get("/api/v1/ledger/entries", params={"limit": 1000}).json()["items"][-1]
    assert (row["run_digest"], row["description"]) == (found["study"]["digest"], f"study of sweep {sweep['id']}")
    assert loaded.client.put(address, json=values).json() == published.json(), "a study is recorded once"
    other = loaded.client.put(address, json={**values, "title": "Copper"}).json()
    listed = loaded.client.get("/api/v1/studies", params={"of": sweep["id"]}).json()["items"]
    # The ledger counts whole seconds, so that either may be the first.
    assert sorted(listed, key=lambda each: each["title"]) == [other, published.json()]
    assert (other["title"], other["testid"]) == ("Copper", row["testid"])
    kept = loaded.client.get(f"/api/v1/studies/{found['study']['digest']}")
    assert kept.content == study
    assert kept.headers["content-disposition"].endswith(f'filename="{found["study"]["digest"][:12]}-study.zip"')
    assert loaded.client.get(f"/api/v1/studies/{'0' * 64}").status_code == 404
    members = members_of(study)
    changed = members["table.csv"].replace(b",20,20,", b",21,21,", 1)
    assert changed != members["table.csv"]
    found = verified(loaded, rebuilt(members | {"table.csv": changed})).json()
    assert [step["name"] for step in found["steps"] if step["outcome"] == "fail"] == ["files", "table"]
    assert loaded.client.put(address, json={"licence": "no licence"}).status_code == 422
    assert loaded.client.get("/api/v1/sweeps/000000000000/study").status_code == 404


def test_files_carry_the_proof_of_a_checkpoint_and_time_stamps(loaded: Api, run_id: str, tmp_path: Path):
    address = f"/api/v1/runs/{run_id}/bundle"
    members = members_of(loaded.client.get(address).content)
    key = loaded.client.get("/api/v1/ledger/key").text
    assert members["ledger.key"].decode().strip() == key.strip()
    assert members["ledger.tlog-proof"].startswith(b"c2sp.org/tlog-proof@v1\n")
    refused = loaded.client.get(address, params={"stamp": True})
    assert refused.status_code == 422
    assert "No time stamp authority is known" in refused.text
    with serving(tmp_path / "authority") as authority:
        setting = "/api/v1/settings/timestamp_url"
        assert loaded.client.put(setting, json={"value": authority.url}).status_code < 300
        stamped = loaded.client.get(address, params={"stamp": True}).content
        authority.status = 500  # Nobody is asked again: the stamps are kept.
        assert loaded.client.get(address, params={"stamp": True}).content == stamped
        assert loaded.client.get(address).content == stamped
        loaded.client.delete(setting)
    names = [name for name in members_of(stamped) if name not in members]
    assert names == ["checkpoint.tsr", "stamp.tsr"]
    steps = {step["name"]: step for step in verified(loaded, stamped).json()["steps"]}
    assert (steps["checkpoint"]["outcome"], steps["stamps"]["outcome"]) == ("pass", "not_checked")
    assert "says Test authority" in steps["stamps"]["detail"]


def test_what_is_no_bundle_and_what_is_no_run_is_said(loaded: Api):
    assert verified(loaded, b"no zip").status_code == 422
    assert loaded.client.get("/api/v1/runs/000000000000-000/bundle").status_code == 404
    assert loaded.client.get("/api/v1/runs/000000000000-000/manifest").status_code == 404
