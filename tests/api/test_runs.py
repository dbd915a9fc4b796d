"""Runs in one list, side by side, question by question."""

from __future__ import annotations

import pytest

SWEEP = {
    "name": "Listed thresholds",
    "config": {"dataset": "farm", "collection": "farm"},
    "axes": {"minSimilarityScore": [0.3, 0.99]},
    "baseline": {"mode": "normal", "k": 2},
}


@pytest.fixture(scope="module")
def sweep(loaded):
    created = loaded.client.post("/api/v1/sweeps", json=SWEEP)
    assert created.status_code == 201, created.text
    return loaded.finished(created.json()["id"])


def listed(api, **query):
    return api.client.get("/api/v1/runs", params=query).json()


def test_runs_of_all_sweeps_stand_in_one_list(loaded, sweep):
    page = listed(loaded, find="listed THRESH")
    assert [item["run"]["name"] for item in page["items"]] == ["Top-k 2", "Similarity ≥ 0.30", "Similarity ≥ 0.99"]
    assert (page["total"], page["datasets"], page["models"]) == (3, ["farm"], ["extractive"])
    assert {item["sweep_name"] for item in page["items"]} == {"Listed thresholds"}
    assert page["items"][0]["run"]["counts"]["scored"] == 3


def test_the_list_is_sorted_and_paged_without_losing_a_row(loaded, sweep):
    names = [
        item["run"]["name"]
        for after in range(3)
        for item in listed(loaded, find="listed", order="name", is_descending=True, after=after, limit=1)["items"]
    ]
    assert names == ["Top-k 2", "Similarity ≥ 0.99", "Similarity ≥ 0.30"]
    by_policy = listed(loaded, find="listed", order="policy", is_descending=False)["items"]
    assert [item["run"]["name"] for item in by_policy] == ["Top-k 2", "Similarity ≥ 0.30", "Similarity ≥ 0.99"]


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ({"states": "finished"}, 3),
        ({"states": "paused"}, 0),
        ({"models": "extractive", "datasets": "farm"}, 3),
        ({"models": "mistral"}, 0),
    ],
)
def test_the_list_is_filtered(loaded, sweep, query, total):
    assert listed(loaded, **{"find": "listed", **query})["total"] == total


def test_signs_of_a_pattern_are_sought_as_they_are(loaded, sweep):
    assert listed(loaded, find="%")["total"] == 0
    assert listed(loaded, find="k_2")["total"] == 0
    assert listed(loaded, find="k 2")["total"] >= 1
    assert listed(loaded, find="similarity >= 0.3")["total"] == listed(loaded, find="SIMILARITY ≥ 0.3")["total"] == 1


def test_an_unknown_order_is_refused_under_its_name(loaded):
    refused = loaded.client.get("/api/v1/runs", params={"order": "beauty"})
    assert refused.status_code == 422
    assert "order" in refused.json()["errors"][0]["field"]


def test_cps_in_the_list_is_that_of_the_sweeps_own_analysis(loaded, sweep):
    found = loaded.client.get(f"/api/v1/runs/composites/{sweep['id']}").json()
    analysis = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/analysis").json()
    expected = {run: item["mean_cps"] for item in analysis["configurations"] for run in item["run_ids"]}
    assert {item["run_id"]: item["mean_cps"] for item in found["items"]} == pytest.approx(expected)
    assert found["panel"] == analysis["panel"]


def test_means_and_distributions_of_a_run_are_those_of_its_sweeps_analysis(loaded, sweep):
    analysis = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/analysis").json()
    own = sweep["runs"][1]["id"]
    found = loaded.client.get(f"/api/v1/runs/{own}/metrics").json()
    (expected,) = [item for item in analysis["configurations"] if own in item["run_ids"]]
    assert [(item["metric"], item["n"]) for item in found["metrics"]] == [
        (item["metric"], item["n"]) for item in expected["metrics"]
    ]
    means = {item["metric"]: item["mean"] for item in found["metrics"]}
    assert means == pytest.approx({item["metric"]: item["mean"] for item in expected["metrics"]}, abs=1e-9)
    assert all(sum(item["bins"]) == item["n"] for item in found["metrics"])
    assert found["baseline_id"] == sweep["runs"][0]["id"]
    assert loaded.client.get("/api/v1/runs/000000000000-000/metrics").status_code == 404


def test_runs_are_compared_and_lead_to_their_questions(loaded, sweep):
    ids = [run["id"] for run in sweep["runs"]]
    found = loaded.client.get("/api/v1/comparisons", params={"run": ids[:2]}).json()
    assert [item["factor"] for item in found["factors"]] == ["retrieval"]
    assert found["baseline"] == ids[0]
    assert len(found["metrics"]) == 25
    query = {"run": ids[:2], "of": ids[1], "baseline": ids[0], "metric": "F1 Score"}
    page = loaded.client.get("/api/v1/comparisons/questions", params=query).json()
    assert page["total"] == 3
    assert {item["question"] for item in page["items"]} >= {"What fixes nitrogen?"}


def test_a_comparison_has_figures_and_its_tables_are_saved(loaded, sweep):
    ids = [run["id"] for run in sweep["runs"]]
    figures = loaded.client.get("/api/v1/comparisons/figures", params={"run": ids}).json()["items"]
    assert figures[0]["kind"] == "bar"
    tables = loaded.client.get("/api/v1/comparisons/tables", params={"run": ids}).json()["items"]
    assert [table["name"] for table in tables] == ["compared_metrics", "factors"]
    assert len(tables[0]["table"]["rows"]) == 3 * 25
    for form, part in (("csv", b"metric,run,"), ("xlsx", b"PK"), ("latex", b"begin{tabular}")):
        saved = loaded.client.get("/api/v1/comparisons/export", params={"run": ids, "format": form})
        assert part in saved.content[:200], form
    query = {"run": ids[:2], "of": ids[1], "baseline": ids[0], "metric": "F1 Score"}
    changed = loaded.client.get("/api/v1/comparisons/questions/export", params=query)
    assert len(changed.text.strip().splitlines()) == 4
    absent = loaded.client.get("/api/v1/comparisons/export", params={"run": ids, "table": "nothing"})
    assert absent.status_code == 404


def test_the_questions_of_a_run_are_found_and_sorted(loaded, sweep):
    path = f"/api/v1/runs/{sweep['runs'][0]['id']}/evaluations"
    page = loaded.client.get(path, params={"order": "F1 Score", "is_descending": True}).json()
    values = [item["evaluation"]["scores"]["F1 Score"]["value"] for item in page["items"]]
    assert (page["total"], values) == (3, sorted(values, reverse=True))
    assert loaded.client.get(path, params={"find": "nitrogen fixes"}).json()["total"] == 1
    refused = loaded.client.get(path, params={"order": "beauty"})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "order"


def test_one_run_alone_is_no_comparison(loaded, sweep):
    refused = loaded.client.get("/api/v1/comparisons", params={"run": sweep["runs"][0]["id"]})
    assert refused.status_code == 422


def test_questions_of_a_sweep_stand_beside_all_its_configurations(loaded, sweep):
    address = f"/api/v1/sweeps/{sweep['id']}/questions"
    page = loaded.client.get(address, params={"order": "number"}).json()
    assert [column["name"] for column in page["columns"]] == ["Top-k 2", "Similarity ≥ 0.30", "Similarity ≥ 0.99"]
    assert (page["total"], [item["number"] for item in page["items"]]) == (3, [0, 1, 2])
    # Nothing is as similar as .99: the reader has no passages and abstains.
    assert {item["cells"][2]["state"] for item in page["items"]} == {"abstained"}
    assert {item["cells"][0]["kept"] for item in page["items"]} == {2}
    run = page["columns"][2]["run_id"]
    filtered = loaded.client.get(address, params={"only": "abstained", "of": run, "order": "fall", "limit": 1}).json()
    assert (filtered["total"], len(filtered["items"])) == (3, 1)
    refused = loaded.client.get(address, params={"order": "fall"})
    assert refused.status_code == 422


def test_one_question_is_read_under_every_configuration(loaded, sweep):
    across = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/questions/1").json()
    assert [item["column"]["name"] for item in across["items"]] == ["Top-k 2", "Similarity ≥ 0.30", "Similarity ≥ 0.99"]
    for item in across["items"]:
        one = loaded.client.get(f"/api/v1/runs/{item['column']['run_id']}/evaluations/1").json()
        assert (across["question"], item["answer"]) == (one["question"]["text"], one["answer"]["text"])
        assert item["cell"]["kept"] == one["evaluation"]["kept"][1]
    assert loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/questions/3").status_code == 404


def test_a_list_of_sweeps_is_told_what_each_concludes(loaded, sweep):
    [model] = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/summary").json()["models"]
    analysis = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/analysis").json()
    means = [item["mean_cps"] for item in analysis["configurations"]]
    assert model["means"] == means
    # Three questions decide nothing; the best is then the one with the highest mean.
    assert (model["verdict"]["kind"], model["verdict"]["recommended"]) == ("no_verdict", None)
    assert model["best"] == analysis["configurations"][means.index(max(means))]["name"]


def test_a_sweep_is_renamed_tagged_and_archived_and_its_results_stay(loaded, sweep):
    path = f"/api/v1/sweeps/{sweep['id']}"
    before = loaded.client.get(f"{path}/analysis").json()["verdict"]
    changed = loaded.client.patch(path, json={"name": "  Thresholds  ", "tags": ["law", "law"]}).json()
    assert (changed["name"], changed["sweep"]["name"]) == ("Thresholds", "Listed thresholds")
    assert changed["annotation"]["tags"] == ["law"]
    archived = loaded.client.patch(path, json={"archived": True}).json()
    # What is left out stays.
    assert (archived["name"], archived["annotation"]["tags"]) == ("Thresholds", ["law"])

    def ids(**query):
        return [item["id"] for item in loaded.client.get("/api/v1/sweeps", params=query).json()["items"]]

    assert sweep["id"] not in ids()
    assert ids(archived=True, tag="law") == [sweep["id"]]
    assert ids(archived=True, tag="la") == []
    assert loaded.client.get(f"{path}/analysis").json()["verdict"] == before
    refused = loaded.client.patch(path, json={"tags": ["x" * 41]})
    assert refused.status_code == 422
    assert loaded.client.patch("/api/v1/sweeps/none", json={"note": "?"}).status_code == 404
    loaded.client.patch(path, json={"name": None, "tags": [], "archived": False})


def test_where_the_questions_of_a_run_and_of_its_sweep_failed(loaded, sweep):
    run = listed(loaded, find="listed")["items"][0]["run"]
    found = loaded.client.get(f"/api/v1/runs/{run['id']}/failures", params={"below": 2.0})
    assert found.status_code == 200, found.text
    [failures] = found.json()["runs"]
    assert sum(failures["counts"].values()) == failures["n"] == len(failures["questions"]) == 3
    assert found.json()["low"]["line"] == "A score is low if F1 Score is below 2.0000."
    refused = loaded.client.get(f"/api/v1/runs/{run['id']}/failures", params={"column": "Laplace Perplexity"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "column")

    whole = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/failures").json()
    assert [sum(each["counts"].values()) for each in whole["runs"]] == [3, 3, 3]
    tables = loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/tables").json()["items"]
    assert len(next(each for each in tables if each["name"] == "failures")["table"]["rows"]) == 3


def test_citations_and_grounding_of_a_run_of_its_sweep_and_of_an_answer(loaded, sweep):
    run = listed(loaded, find="listed")["items"][0]["run"]
    found = loaded.client.get(f"/api/v1/runs/{run['id']}/grounding", params={"grounding": 0.5}).json()
    assert found["limits"]["grounding"] == 0.5
    by_name = {column["name"]: column for column in found["runs"][0]["columns"]}
    # The extractive reader copies sentences of the passages.
    assert by_name["Grounded share"]["mean"] == 1.0
    assert by_name["Citation rate"]["missing"] == {"not_requested": 3}
    answer = loaded.client.get(f"/api/v1/runs/{run['id']}/evaluations/0/grounding").json()
    assert answer["checked"]["sentences"][0]["is_grounded"] is True
    assert len(loaded.client.get(f"/api/v1/sweeps/{sweep['id']}/grounding").json()["runs"]) == 3
    assert loaded.client.get(f"/api/v1/runs/{run['id']}/grounding", params={"citation": 2}).status_code == 422


def test_thumbs_are_counted_for_the_answer_and_change_nothing_else(loaded, sweep):
    run = sweep["runs"][0]["id"]
    path = f"/api/v1/runs/{run}/evaluations/0"
    before = loaded.client.get(path).json()
    assert loaded.client.get(f"{path}/thumbs").json() == {"up": 0, "down": 0}
    for is_up in (True, False, True):
        given = loaded.client.post(f"{path}/thumbs", json={"is_up": is_up})
    assert given.json() == loaded.client.get(f"{path}/thumbs").json() == {"up": 2, "down": 1}
    assert loaded.client.get(path).json() == before
    assert loaded.client.get(f"/api/v1/runs/{run}/evaluations/99/thumbs").status_code == 404


def test_thumbs_of_an_answer_that_is_not_saved_are_shared_with_equal_answers_of_runs(loaded, sweep):
    run = sweep["runs"][0]["id"]
    path = f"/api/v1/runs/{run}/evaluations/0"
    detail = loaded.client.get(path).json()
    again = loaded.client.post(f"{path}/answers", json={"retrieval": detail["run"]["config"]["retrieval"]}).json()
    thumbs = f"/api/v1/answers/{again['key']}/thumbs"
    before = loaded.client.get(f"{path}/thumbs").json()
    given = loaded.client.post(thumbs, json={"is_up": False}).json()
    assert given == {"up": before["up"], "down": before["down"] + 1}
    assert given == loaded.client.get(thumbs).json() == loaded.client.get(f"{path}/thumbs").json()
    spot = {"question": "What fixes nitrogen?", "collection": "farm", "retrieval": {"mode": "normal", "k": 1}}

    def key(question: str) -> str:
        return loaded.client.post("/api/v1/answers", json={**spot, "question": question}).json()["key"]

    # Another question with the same passages is another answer.
    other = key("What fixes nitrogen")
    assert other != key(spot["question"]) == key(spot["question"])
    assert loaded.client.get(f"/api/v1/answers/{other}/thumbs").json() == {"up": 0, "down": 0}
    for wrong in ("x", "A" * 64, f"{other}0"):
        assert loaded.client.post(f"/api/v1/answers/{wrong}/thumbs", json={"is_up": True}).status_code == 422


@pytest.mark.parametrize("name", ["after", "cursor"])
def test_the_next_page_of_sweeps_begins_behind_the_last_of_this_one(loaded, sweep, name):
    """`cursor` is what `after` was called before."""
    loaded.finished(loaded.client.post("/api/v1/sweeps", json={**SWEEP, "name": "Paged"}).json()["id"])
    first = loaded.client.get("/api/v1/sweeps", params={"limit": 1}).json()
    rest = loaded.client.get("/api/v1/sweeps", params={name: first["next"]}).json()
    whole = loaded.client.get("/api/v1/sweeps").json()
    assert len(whole["items"]) > 1
    assert [*first["items"], *rest["items"]] == whole["items"]
