"""A preview over HTTP and on the command line, with real Chroma, encoder and database."""

from __future__ import annotations

import sys

import pytest

from passer.cli import main

SWEEP = {
    "name": "Previewed",
    "config": {"dataset": "farm", "collection": "farm"},
    "axes": {"minSimilarityScore": [0.3, 0.5, 0.99]},
    "baseline": {"mode": "normal", "k": 2},
}


def test_a_preview_counts_retrieves_and_proposes_and_what_was_saved_is_shown_at_the_end(loaded):
    before = len(loaded.client.get("/api/v1/sweeps").json()["items"])
    response = loaded.client.post("/api/v1/sweeps/previews", json=SWEEP)
    assert response.status_code == 200, response.text
    preview = response.json()
    plan = preview["plan"]
    assert (plan["questions"], plan["configurations"], plan["evaluations"]) == (3, 4, 12)
    assert plan["fixed"] >= 3, "nothing is as similar as .99"
    assert [policy["name"] for policy in preview["policies"]] == [
        "Top-k 2", "Similarity ≥ 0.30", "Similarity ≥ 0.50", "Similarity ≥ 0.99",
    ]  # fmt: skip
    normal, *_, strict = (policy["retrieval"] for policy in preview["policies"])
    assert (normal["mean_passages"], normal["coverage"], normal["n_gold"], normal["recall"] > 0) == (2, 1, 1, True)
    assert (strict["coverage"], strict["recall"]) == (0, 0)
    [found] = preview["collections"]
    assert 0 < found["nearest"]["p50"] <= found["proposed"]["stop"] <= 1
    [similarities] = preview["figures"]
    assert similarities["verticals"] == [0.3, 0.5, 0.99]
    # Three questions retrieve the whole small collection each; one of them has a gold passage.
    counts = [sum(row["n"] for row in series["rows"]) for series in similarities["series"]]
    assert (counts[0], sum(counts) % 3) == (1, 0)
    assert len(loaded.client.get("/api/v1/sweeps").json()["items"]) == before

    created = loaded.client.post("/api/v1/sweeps", json=SWEEP).json()
    assert created["savings"] is None
    done = loaded.finished(created["id"])
    assert done["savings"]["retrievals"] == {"naive": 12, "made": 3}
    asked = 12 - plan["fixed"]
    assert done["savings"]["generations"] == {"naive": asked, "made": plan["distinct_prompts"] - plan["cached"]}
    assert done["savings"]["scorings"]["naive"] == 12
    [listed] = [item for item in loaded.client.get("/api/v1/sweeps").json()["items"] if item["id"] == created["id"]]
    assert listed["savings"] is None

    again = loaded.client.post("/api/v1/sweeps/previews", json=SWEEP).json()["plan"]
    assert again["cached"] == again["distinct_prompts"] == plan["distinct_prompts"]
    assert again["models"][0]["median_s"] > 0


def test_what_a_preview_needs_is_named(loaded):
    config = {"dataset": "farm", "collection": "absent"}
    response = loaded.client.post("/api/v1/sweeps/previews", json={**SWEEP, "config": config})
    assert response.status_code == 404
    assert "Create it with `passer ingest absent DOCUMENTS`" in response.json()["detail"]
    plan = loaded.client.post("/api/v1/sweeps/plans", json={**SWEEP, "config": config}).json()
    [missing] = plan["missing"]
    assert (missing["name"], missing["command"]) == ("collection absent", "passer ingest absent DOCUMENTS")


def test_collections_that_differ_in_chunking_are_compared_over_http(loaded):
    chunkings = [{"chunk_size": 128, "chunk_overlap": 50}, {"chunk_size": 64, "chunk_overlap": 0}]
    axes = {"chunking": chunkings}
    plan = loaded.client.post("/api/v1/sweeps/plans", json={**SWEEP, "axes": axes}).json()
    assert [each["name"] for each in plan["missing"]] == ["collection farm-128-50", "collection farm-64-0"]
    refused = loaded.client.post("/api/v1/sweeps", json={**SWEEP, "axes": {"chunking": chunkings[1:]}})
    assert refused.status_code == 409
    assert "has passages of 128 characters" in refused.json()["detail"]


def test_the_command_line_prints_the_same(loaded, tmp_path, monkeypatch, capsys):
    file = tmp_path / "farm.yaml"
    file.write_text(
        "name: Farm\ndataset: farm\ncollection: farm\nbaseline: {mode: normal, k: 2}\n"
        "retrieval: {mode: score, min_similarity: [0.3, 0.99]}\n"
    )
    monkeypatch.setenv("PASSER_HOME", str(loaded.home))
    monkeypatch.setattr(sys, "argv", ["passer", "sweep", str(file), "--preview", "--questions", "2"])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr().out
    assert not ended.value.code
    assert "3 configurations x 2 questions = 6 evaluations" in printed
    assert "Similarity ≥ 0.99" in printed
    assert "suggested thresholds: " in printed
    assert "Similarity ≥ 0.99, farm: no passage is kept for any question" in printed


def test_a_published_experiment_says_what_it_lacks_and_starts_with_what_replaces_it(loaded):
    experiments = {each["name"]: each["sweep"] for each in loaded.client.get("/api/v1/experiments").json()["items"]}
    assert {f"published-phase-{number}" for number in (1, 2, 3, 4)} < set(experiments)
    sweep = experiments["published-phase-3"]
    assert sweep["config"]["options"]["num_ctx"] == 16_000
    plan = loaded.client.post("/api/v1/sweeps/plans", json=sweep).json()
    assert (plan["configurations"], plan["evaluations"]) == (44, 0)
    names = [each["name"] for each in plan["missing"]]
    # The scripted Ollama of these tests has mistral:latest, but neither granite nor deepseek.
    assert names == [
        "dataset published-phase-3",
        "collection published-phase-3",
        "model granite3.2:8b",
        "model deepseek-r1:8b",
    ]
    replaced = {each["model"]["name"]: each["replacement"] for each in plan["missing"] if each["model"]}
    assert all(each["provider"] in ("local", "extractive") for each in replaced.values())
    assert loaded.client.post("/api/v1/sweeps", json=sweep).status_code == 404

    # As the page does: another collection and dataset, and one model in the place of those that are missing.
    models = [model for model in sweep["axes"]["model"] if model["name"] not in replaced][:1]
    config = {**sweep["config"], "collection": "farm", "dataset": "farm", "model": models[0]}
    axes = {**sweep["axes"], "model": [], "embedding": [], "chunking": [], "min_similarity": [0.5]}
    fitting = {**sweep, "config": config, "axes": axes}
    assert loaded.client.post("/api/v1/sweeps/plans", json=fitting).json()["missing"] == []
    started = loaded.client.post("/api/v1/sweeps", json=fitting)
    assert started.status_code == 201
    assert loaded.finished(started.json()["id"])["state"] == "finished"


def test_a_budget_pauses_a_sweep_and_a_larger_one_resumes_it(loaded):
    plan = loaded.client.post("/api/v1/sweeps/plans?budget=12-asks,2h", json=SWEEP).json()
    enough, time = plan["budget"]
    assert enough == "The budget of 12 requests suffices: at most 12 requests are needed."
    assert time.startswith(("The budget of 2 h suffices", "It is not known yet whether the budget of 2 h suffices."))
    refused = loaded.client.post("/api/v1/sweeps?budget=5EUR", json=SWEEP)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "price")

    # Another temperature than in the other tests, whose answers would be reused.
    fresh = {**SWEEP, "name": "Budgeted", "config": {**SWEEP["config"], "options": {"temperature": 0.31}}}
    created = loaded.client.post("/api/v1/sweeps?budget=1-asks", json=fresh).json()
    assert (created["budget"]["asks"], created["budget_used"]) == (1, "Budget used: 0\u202f% of 1 request.")
    assert created["used_up"] is None
    paused = loaded.reached(created["id"], "paused")
    assert paused["budget_used"] == "Budget used: 100\u202f% of 1 request."
    assert any("the budget of 1 request is used up" in (run["reason"] or "") for run in paused["runs"])
    assert sum(run["counts"]["scored"] for run in paused["runs"]) > 0
    assert paused["used_up"] == "The budget of 1 request is used up. Give a larger budget to resume the sweep."

    # A look before the planned end is a look: whatever shows gains is refused, the counts stay.
    sweep = f"/api/v1/sweeps/{created['id']}"
    gains = ("analysis", "evidence", "figures", "tables", "report", "questions", "export?table=composites")
    looked = [loaded.client.get(f"{sweep}/{part}") for part in (*gains, f"pairs?of={paused['runs'][-1]['id']}")]
    baseline, *_, last = (run["id"] for run in paused["runs"])
    both = f"run={baseline}&run={last}"
    means = (
        f"runs/{last}/metrics", f"comparisons?{both}", f"comparisons/figures?{both}", f"comparisons/export?{both}",
        f"comparisons/questions?{both}&of={last}&baseline={baseline}", f"comparisons/origins?{both}&metric=METEOR",
    )  # fmt: skip
    looked += [loaded.client.get(f"/api/v1/{path}") for path in means]
    assert {(each.status_code, "before the planned end" in each.json()["detail"]) for each in looked} == {(409, True)}
    one = loaded.client.get(f"{sweep}/questions/0").json()
    assert {item["column"]["mean"] for item in one["items"]} == {None}
    listed = loaded.client.get(f"/api/v1/runs/composites/{created['id']}").json()
    assert (listed["items"], "before the planned end" in listed["reason"]) == ([], True)
    said = loaded.client.get(f"/api/v1/runs/composites/{created['id']}", headers={"Accept-Language": "bg"}).json()
    assert "преди планирания край" in said["reason"]
    assert loaded.client.get(f"{sweep}/export?table=evaluations").status_code == 200

    address = f"/api/v1/sweeps/{created['id']}/resume"
    refused = loaded.client.post(address, headers={"Accept-Language": "bg"})
    assert (refused.status_code, refused.json()["detail"]) == (
        409, "Бюджетът от 1 заявка е изчерпан. Задайте по-голям бюджет, за да продължите серията."
    )  # fmt: skip
    assert loaded.client.post(address, params={"budget": "100-asks"}).status_code == 200
    done = loaded.finished(created["id"])
    assert (done["state"], done["budget"]["asks"]) == ("finished", 100)
    assert loaded.client.get(f"{sweep}/analysis").status_code == 200
