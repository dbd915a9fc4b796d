"""`passer judge pool` and `passer label passage`: grades of passages measure retrievers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ollama_server import OllamaServer

MODEL = "ollama/mistral:latest"
THREE = ("--retriever", "dense", "--retriever", "bm25", "--retriever", f"rerank:bm25@{MODEL}")
POOL = ("judge", "pool", "farm", "--dataset", "farm", "--judge", MODEL, "--retriever", "dense", "--retriever", "bm25")


@pytest.fixture
def server(monkeypatch) -> Iterator[OllamaServer]:
    """A judge that finds passages about clover relevant."""

    def reply(prompt: str) -> str:
        return "2" if "Clover" in prompt.rpartition("passage:")[2] else "0"

    with OllamaServer(reply=reply) as running:
        monkeypatch.setenv("PASSER_OLLAMA_URL", running.url)
        yield running


def test_pooled_passages_are_graded_once_and_leave_nothing_unjudged(farm, server: OllamaServer) -> None:
    planned = farm(*POOL, "--k", "2", "--plan", "--json")
    assert planned.status == 0, planned.err
    pooled = planned.json["asks"]
    ranked = farm("retrieve", "farm", "--dataset", "farm", *THREE[:4], "--k", "2", "--json").json["rankings"]
    pairs = {
        (each["question_id"], name) for ranking in ranked for each in ranking["questions"] for name in each["names"]
    }
    # The union of both: each question and passage once, although both retrievers find some passages.
    assert pooled == planned.json["items"] == len(pairs) < 2 * 3 * 2
    assert server.generations == []
    paused = farm(*POOL, "--k", "2", "--budget", "2 requests")
    assert paused.status == 1
    assert len(server.generations) == 2
    [listed] = farm("judge", "list", "--json").json["assessments"]
    assert farm("judge", "resume", listed["id"]).status == 0
    assert len(server.generations) == pooled
    done = farm(*POOL, "--k", "2", "--json")
    assert done.status == 0, done.err
    assert "Saved grades of 3 questions as “farm by mistral-latest”." in done.err
    assert len(server.generations) == pooled, "judgements are kept by content"
    # The reranker grades by the same instruction; its two passages of each question are in the pool.
    report = farm("retrieve", "farm", "--dataset", "farm", *THREE, "--k", "1,2", "--qrels", "farm by mistral-latest")
    assert report.status == 0, report.err
    assert "mistral:latest reranks it and also made the relevance grades" in " ".join(report.err.split())
    shown = farm(
        "retrieve", "farm", "--dataset", "farm", *THREE, "--k", "2", "--qrels", "farm by mistral-latest", "--json"
    ).json
    assert [each["unjudged"]["2"] for each in shown["rankings"]][:2] == [0, 0]
    assert [each["is_by_grader"] for each in shown["rankings"]] == [False, False, True]
    assert shown["inputs"][0]["graded_by"]["name"] == "mistral:latest"
    assert shown["inputs"][0]["rated"] == 0
    assert "the grades are uncalibrated" in " ".join(report.err.split())
    assert "mistral:latest (uncalibrated)" in " ".join(farm("rankings").out.split())
    assert {grade for found in shown["grades"].values() for grade in found.values()} == {0, 2}


def test_a_pool_needs_a_metric_of_passages(farm, server: OllamaServer) -> None:
    refused = farm(*POOL, "--column", "Answer correctness")
    assert refused.status == 2
    assert "Choose from Passage relevance" in refused.err


def test_people_grade_single_passages(farm) -> None:
    ranked = farm("retrieve", "farm", "--dataset", "farm", "--retriever", "bm25", "--k", "2", "--json").json
    first, second = ranked["rankings"][0]["questions"][0]["names"]
    question = ranked["rankings"][0]["questions"][0]["question_id"]

    def rate(passage: str, grade: int, rater: str):
        given = ("--question", question, "--passage", passage, "--grade", grade, "--rater", rater)
        return farm("label", "passage", "farm", "--dataset", "farm", *given)

    assert "“farm by people” has grades of 1 question" in rate(first, 3, "Ana").err
    # The lower median of 3 and 1 is 1; Ana then corrects herself to 2, and the lower median of 2 and 1 is 1.
    assert rate(first, 1, "Boris").status == 0
    assert rate(first, 2, "Ana").status == 0
    assert rate(second, 0, "Ana").status == 0
    asked = ("retrieve", "farm", "--dataset", "farm", *THREE[:4], "--k", "2", "--qrels", "farm by people", "--json")
    report = farm(*asked).json
    assert report["grades"] == {question: {first: 1, second: 0}}
    assert (report["n_judged"], report["inputs"][0]["graded_by"]) == (1, None)
    shown = farm(*asked[:-3], "--question", question, "--qrels", "farm by people", "--json").json["items"]
    graded = {each["passage"]["id"]: each["grade"] for each in shown[1]["passages"]}
    assert graded == {first: 1, second: 0}
    assert "no passage nowhere" in rate("nowhere", 1, "Ana").err
    unknown = farm(
        "label", "passage", "farm", "--dataset", "farm", "--question", "q99", "--passage", first, "--grade", 1,
        "--rater", "Ana",
    )  # fmt: skip
    assert unknown.status != 0
    assert "q99" in unknown.err


def test_a_judge_of_pooled_passages_is_compared_with_people(farm, server: OllamaServer) -> None:
    column = "Passage relevance (UMBRELA)"
    done = farm(*POOL, "--k", "2", "--column", column, "--json")
    assert done.status == 0, done.err
    assessment = next(
        each["id"]
        for each in farm("judge", "list", "--json").json["assessments"]
        if each["spec"]["columns"] == [column]
    )
    before = farm("calibrate", assessment, "--json").json["columns"][0]
    if not before["raters"]:
        assert before["agreement"] is None
    ranked = farm("retrieve", "farm", "--dataset", "farm", "--retriever", "bm25", "--k", "2", "--json").json
    found = [
        (question["question_id"], name) for question in ranked["rankings"][0]["questions"] for name in question["names"]
    ]
    for question, passage in found:
        given = ("--question", question, "--passage", passage, "--grade", 1, "--rater", "Clara")
        assert farm("label", "passage", "farm", "--dataset", "farm", *given).status == 0
    after = farm("calibrate", assessment, "--json").json["columns"][0]
    assert "Clara" in after["raters"]
    assert after["agreement"]["n"] >= len(set(found))
    # The judge gives 0 or 2 of 3, people mostly 1 of 3: bias is the mean of the differences.
    pairs = [(each["human"], each["judge"]) for each in after["answers"]]
    assert {judge for _, judge in pairs} <= {0, 2 / 3}
    mean = sum(judge - human for human, judge in pairs) / len(pairs)
    assert after["agreement"]["limits"]["bias"] == pytest.approx(mean)
    assert (after["runs"], after["draw"]) == ([], None)
    shown = farm("calibrate", assessment)
    assert "labelled, judged" in shown.out
    assert "corrected gain" not in shown.out
