"""External systems on the command line: files of answers, RAGElo's files, connections; and adaptive cuts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.conftest import QUESTIONS
from tests.test_outside import System


def test_answers_of_other_tools_become_configurations(farm, tmp_path: Path) -> None:
    rows = [{"user_input": each["question"], "response": each["reference"]} for each in QUESTIONS]
    (tmp_path / "right.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "wrong.csv").write_text("\n".join(["id,answer", *(f"{each['id']},No idea." for each in QUESTIONS)]))
    given = ("import", "answers", tmp_path / "wrong.csv", tmp_path / "right.jsonl", "--dataset", "farm")
    done = farm(*given, "--as", "before", "--as", "after", "--json")
    assert done.status == 0, done.err
    assert [run["name"] for run in done.json["runs"]] == ["before", "after"]
    assert {run["state"] for run in done.json["runs"]} == {"finished"}
    unnamed = farm(*given, "--as", "before")
    assert (unnamed.status, "Give each file a name of its own" in unnamed.err) == (2, True)
    (tmp_path / "wrong.csv").write_text("id,answer\nq9,No idea.\n")
    refused = farm(*given, "--as", "before", "--as", "after")
    assert (refused.status, "wrong.csv was not imported: 4 problems" in refused.err) == (2, True)


def _digest_of(farm, name: str) -> str:
    return next(
        each["digest"]
        for each in farm("rankings", "--json").json["items"]
        if (each["kind"], each["name"]) == ("qrels", name)
    )


def test_the_files_of_ragelo_become_dataset_ranking_grades_and_sweep(farm, tmp_path: Path) -> None:
    (tmp_path / "queries.csv").write_text("qid,query\nq1,How is soil kept alive?\nq2,What do bees need?\n")
    (tmp_path / "documents.csv").write_text("qid,did,document\nq1,soil.txt,x\nq2,bees.md,y\n")
    (tmp_path / "judged.csv").write_text("qid,did,answer\nq1,soil.txt,Very relevant: it does.\nq2,bees.md,0\n")
    (tmp_path / "answers.csv").write_text(
        "qid,agent,answer\nq1,rag,By compost.\nq1,fusion,By clover.\nq2,rag,Flowers.\nq2,fusion,Water.\n"
    )
    given = (
        "import", "ragelo", tmp_path / "queries.csv", "--documents", tmp_path / "documents.csv", "--answers",
        tmp_path / "answers.csv", "--judgements", tmp_path / "judged.csv", "--name", "lab",
    )  # fmt: skip
    done = farm(*given, "--json")
    assert done.status == 0, done.err
    found = done.json
    assert (found["questions"], found["ranked"], found["graded"], found["agents"]) == (2, 2, 2, ["rag", "fusion"])
    # All three can be used at once: the ranking is measured by the grades on the dataset.
    compared = farm(
        "retrieve", "farm", "--dataset", "lab", "--run", "lab", "--qrels", "lab", "--by", "document", "--k", "1",
        "--json",
    )  # fmt: skip
    assert compared.status == 0, compared.err
    assert (compared.json["n_judged"], compared.json["rankings"][1]["label"]) == (1, "lab")
    answers = farm("export", found["sweep"], "--table", "ragelo-answers", "-o", tmp_path / "again.csv")
    assert answers.status == 0, answers.err
    again = (tmp_path / "again.csv").read_text("utf-8-sig").splitlines()
    assert sorted(again[1:]) == sorted((tmp_path / "answers.csv").read_text().splitlines()[1:])
    # The judgements alone become the same grades.
    alone = farm("import", "qrels", tmp_path / "judged.csv", "--json")
    assert (alone.json["name"], alone.json["digest"]) == ("judged", _digest_of(farm, "lab"))
    (tmp_path / "answers.csv").write_text("qid,agent,answer\nq1,rag,By compost.\nq8,rag,Flowers.\n")
    refused = farm(*given[:-1], "other")
    assert refused.status == 2
    assert (
        "Nothing was imported: 2 problems. The first: answers.csv, agent rag: qid is “q8”, which names no"
        in refused.err
    )
    assert "(row 2, qid)" in refused.err
    assert "other" not in farm("datasets", "--json").out


def test_a_system_is_connected_by_its_address(passer) -> None:
    done = passer("models", "connect", "lab", "http://127.0.0.1:9/ask")
    assert (done.status, "lab is connected. Name it in an experiment as system: lab." in done.err) == (0, True)
    shown = passer("models", "connect", "gpu", "http://127.0.0.1:9", "--kind", "ollama", "--json").json
    assert (shown["name"], shown["kind"]) == ("gpu", "ollama")
    refused = passer("models", "connect", "lab", "ftp://127.0.0.1/ask")
    assert refused.status == 2


@pytest.mark.parametrize("ours", ["", "collection: farm\nmodel: extractive\nretrieval: {mode: normal, k: [2]}\n"])
def test_a_sweep_asks_a_system_alone_or_beside_ours(farm, tmp_path: Path, ours: str) -> None:
    server = System()
    server.says = (200, {"answer": "Clover."})
    (tmp_path / "theirs.yaml").write_text(f"name: Theirs\ndataset: farm\nsystem: lab\n{ours}")
    assert farm("models", "connect", "lab", server.url).status == 0
    done = farm("sweep", tmp_path / "theirs.yaml", "--json")
    server.shutdown()
    server.server_close()
    assert done.status == 0, done.err
    assert [run["name"] for run in done.json["runs"]][-1] == "lab"
    assert {run["state"] for run in done.json["runs"]} == {"finished"}


def test_adaptive_cuts_are_configurations_of_a_sweep(farm) -> None:
    asked = ("sweep", "--dataset", "farm", "--collection", "farm", "--k", "1", "--cut", "relative:0.85", "--cut")
    done = farm(*asked, "gap:5", "--json")
    assert done.status == 0, done.err
    policies = [run["config"]["retrieval"] for run in done.json["runs"]]
    assert [each["mode"] for each in policies].count("relative") == 1
    assert {"mode": "gap", "among": 5} in policies
    wrong = farm(*asked, "steepest")
    assert (wrong.status, "“steepest” is not relative:SHARE or gap:N" in wrong.err) == (2, True)


def test_questions_are_added_to_a_dataset_once(farm, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("question,reference\nWhat do hens eat?,Grain.\n")
    assert farm("import", "dataset", tmp_path / "more.csv", "--name", "none", "--add").status == 2
    (tmp_path / "grown.json").write_text(json.dumps(QUESTIONS))
    assert farm("import", "dataset", tmp_path / "grown.json").status == 0
    given = ("import", "dataset", tmp_path / "more.csv", "--name", "grown", "--add")
    assert farm(*given, "--preview").json["counts"]["problems"] == 0
    assert farm(*given, "--json").json["questions"] == len(QUESTIONS) + 1
    again = farm(*given)
    assert (again.status, "row 1: The dataset already has this question" in again.err) == (2, True), again.err
