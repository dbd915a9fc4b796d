"""Beside each sentence the API says what it was made of, so that a page can say it in another language."""

from __future__ import annotations

from typing import Any

from passer.domain.wording.templates import TEMPLATES

SWEEP = {
    "name": "Told",
    "config": {"dataset": "farm", "collection": "farm", "model": {"provider": "extractive", "name": "extractive"}},
    "axes": {"minSimilarityScore": [0.3, 0.99], "temperature": [0, 0.5]},
}


def said_in(value: Any, names: tuple[str, ...]) -> list[str]:
    """The texts under these names, however deep."""
    if isinstance(value, list):
        return [text for item in value for text in said_in(item, names)]
    if not isinstance(value, dict):
        return []
    own = [item for name in names for item in [value.get(name)] if item]
    found = [text for item in own for text in (item if isinstance(item, list) else [item])]
    return found + [text for name, item in value.items() if name != "wordings" for text in said_in(item, names)]


def test_every_sentence_of_plan_and_analysis_has_its_wording(loaded):
    plan = loaded.client.post("/api/v1/sweeps/plans", json=SWEEP).json()
    codes = {plan["wordings"][text]["code"] for text in plan["warnings"]}
    assert codes == {"caution.idle-axes", "caution.no-baseline"}

    sweep = {**SWEEP, "axes": {"minSimilarityScore": [0.3, 0.99]}, "baseline": {"mode": "normal", "k": 2}}
    created = loaded.client.post("/api/v1/sweeps", json=sweep).json()
    loaded.finished(created["id"])
    analysis = loaded.client.get(f"/api/v1/sweeps/{created['id']}/analysis").json()
    texts = said_in(analysis, ("statements", "warnings", "control", "reason", "decision"))
    sentences = [text for text in texts if " " in text]
    assert len(sentences) >= 3
    assert [text for text in sentences if text not in analysis["wordings"]] == []
    assert {wording["code"] for wording in analysis["wordings"].values()} <= set(TEMPLATES)
    assert analysis["wordings"]["controlled: only retrieval differs"] == {
        "code": "control.studied",
        "values": {"fields": ["retrieval"], "n": 1},
    }
    assert analysis["wordings"][analysis["pools"][0]["name"]] == {"code": "pool.all", "values": {}}


def test_what_is_refused_has_its_wording_where_it_is_one_of_ours(loaded):
    problem = loaded.client.get("/api/v1/runs/absent").json()
    assert problem["detail"] == "There is no run 'absent': `passer runs` lists those that there are."
    assert problem["wordings"] == {problem["detail"]: {"code": "problem.no-run", "values": {"run": "absent"}}}

    study = loaded.client.get("/api/v1/imports/absent").json()
    assert study["wordings"] == {study["detail"]: {"code": "problem.no-import", "values": {"id": "absent"}}}

    sweep = {
        **SWEEP,
        "config": {"dataset": "farm", "collection": "farm", "model": {"provider": "ollama", "name": "not-there:7b"}},
    }
    refused = loaded.client.post("/api/v1/sweeps", json={**sweep, "axes": {}}).json()
    wording = refused["wordings"][refused["detail"]]
    assert (wording["code"], wording["values"]["model"]) == ("server.no-model", "not-there:7b")

    unknown = loaded.client.post("/api/v1/sweeps", json={"name": "No configuration"}).json()
    assert (unknown["status"], unknown["wordings"]) == (422, {})
