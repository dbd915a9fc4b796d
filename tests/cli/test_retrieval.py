"""Retrievers compared on the command line, with a real collection and files of other systems."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest


def test_retrievers_are_compared_by_passage_and_by_document(farm) -> None:
    asked = ("retrieve", "farm", "--dataset", "farm", "--retriever", "dense", "--retriever", "bm25", "--retriever")
    done = farm(*asked, "hybrid", "--k", "1,2", "--json")
    assert done.status == 0, done.err
    report = done.json
    assert (report["n_questions"], report["n_judged"]) == (3, 1)
    assert [each["label"] for each in report["rankings"]] == ["Dense", "BM25", "RRF (Dense, BM25)"]
    # Two of the three questions have no gold passages; the clover passages are the nearest to the third.
    figures = {each["name"]: each["mean"] for each in report["rankings"][1]["figures"]}
    assert figures["P@1"] == figures["hit@1"] == figures["MRR@2"] == 1
    by_document = farm(*asked, "hybrid", "--k", "1,2", "--by", "document", "--json").json
    names = {each["question_id"]: each["names"] for each in by_document["rankings"][1]["questions"]}
    assert names == {"q1": ["soil.txt", "bees.md"], "q2": ["bees.md", "soil.txt"], "q3": ["soil.txt", "bees.md"]}
    printed = farm(*asked, "hybrid", "--k", "1,2")
    assert "R@2" in printed.out
    assert "Distance (1 - similarity) of the first 2, by band" in printed.out
    assert "1 question of 3 with relevant passages" in printed.err


def texts_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_the_retrievers_of_a_sweep_are_compared_on_its_questions(farm, tmp_path: Path) -> None:
    swept = farm(
        "sweep", "--dataset", "farm", "--collection", "farm", "--model", "extractive", "--retriever", "bm25",
        "--retriever", "hybrid", "--k", 1, "--baseline-k", 2, "--questions", 2, "--json",
    )  # fmt: skip
    assert swept.status == 0, swept.err
    own = farm("retrieve", swept.json["id"], "--k", "1,2", "--json")
    assert own.status == 0, own.err
    named = farm(
        "retrieve", "farm", "--dataset", "farm", "--retriever", "bm25", "--retriever", "hybrid", "--questions", 2,
        "--k", "1,2", "--json",
    )  # fmt: skip
    assert own.json == named.json
    assert own.json["n_questions"] == 2
    [other] = farm("retrieve", swept.json["id"], "--retriever", "dense", "--json").json["rankings"]
    assert other["label"] == "Dense"
    # What the sweep stored is what a search finds again, two passages deep as its baseline.
    exported = farm("export", swept.json["id"], "--trec", "-o", tmp_path / "stored")
    assert exported.status == 0, exported.err
    farm("retrieve", swept.json["id"], "--k", "2", "--trec", tmp_path / "found")
    stored = texts_of(tmp_path / "stored")
    assert stored == texts_of(tmp_path / "found")
    assert sorted(stored) == ["bm25.run", "relevant.qrels", "rrf-dense-bm25.run"]
    assert [len(text.splitlines()) for text in (stored["bm25.run"], stored["rrf-dense-bm25.run"])] == [4, 4]
    unclear = farm("retrieve", "farm")
    assert (unclear.status, "--dataset" in unclear.err) == (2, True), unclear.err


def test_contexts_of_a_ragas_test_set_are_gold(farm, tmp_path: Path) -> None:
    copper = "Copper is limited to 28\nkilograms in seven years."
    rows = [
        {"user_input": "How much copper is allowed?", "reference": "28 kilograms.", "reference_contexts": [copper]},
        {"user_input": "Who are you?", "reference": "Nobody.", "reference_contexts": ["Not in any document."]},
    ]
    (tmp_path / "ragas.json").write_text(json.dumps(rows))
    done = farm("import", "dataset", tmp_path / "ragas.json")
    assert done.status == 0, done.err
    assert "every document of a collection is searched" in done.out + done.err
    asked = ("retrieve", "farm", "--dataset", "ragas", "--retriever", "bm25", "--k", "1,6", "--json")
    report = farm(*asked).json
    figures = {each["name"]: each["mean"] for each in report["rankings"][0]["figures"]}
    # The quote is found up to white space, in soil.txt; the other text is in no document and counts for nothing.
    assert (report["n_questions"], report["n_judged"], figures["hit@1"], figures["R@6"]) == (2, 1, 1.0, 1.0)
    # No document is known, so nothing is relevant by document.
    assert farm(*asked, "--by", "document").json["n_judged"] == 0


def test_each_figure_stands_under_its_name_and_every_cut_is_in_the_file(farm, tmp_path: Path) -> None:
    asked = ("retrieve", "farm", "--dataset", "farm", "--retriever", "bm25", "--k", "1..6")
    printed = farm(*asked, "--table", tmp_path / "figures.csv").out
    # One gold passage, found first: of the first six passages a sixth is relevant, and all relevant ones are found.
    lines = printed.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("retriever "))
    header, row = lines[first].split(), lines[first + 1].split()
    found = dict(zip(header, row, strict=True))
    assert (found["R@6"], found["P@6"], found["MRR@6"]) == ("1.000", "0.167", "1.000")
    # The collection has four passages; nothing is known of the three that are not gold.
    assert found["unjudged@6"] == "0.750"
    assert "P@K" in printed
    assert "K = 6" in printed
    written = list(csv.DictReader((tmp_path / "figures.csv").read_text("utf-8-sig").splitlines()))
    assert {(each["figure"], each["k"]): each["mean_over_questions"] for each in written}["P", "4"] == "0.25"
    assert {each["k"]: each["mean_over_questions"] for each in written if each["figure"] == "unjudged"}["2"] == "0.5"
    assert {each["figure"] for each in written} >= {"R (characters)", "F1 (of means)", "nDCG"}
    assert "not a list of numbers" in farm(*asked[:-1], "1..x").err


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_ranked(farm, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    # The dataset does not exist either, which is found first where the file is looked at last.
    asked = ("retrieve", "farm", "--dataset", "unknown", "--retriever", "bm25")
    for option, path, said in (
        ("--table", tmp_path / "figures.txt", ".txt is not a table format. Use one of .csv"),
        ("--table", tmp_path / "file" / "figures.csv", "cannot be written (Not a directory). Choose another file."),
        ("--trec", tmp_path / "file", "cannot be written (Not a directory). Choose another file."),
    ):
        refused = farm(*asked, option, path)
        assert (refused.status, said in refused.err) == (2, True), refused.err
    (tmp_path / "folder.csv").mkdir()
    assert "(Is a directory)" in farm(*asked, "--table", tmp_path / "folder.csv").err
    assert "unknown" in farm(*asked, "--table", tmp_path / "new" / "figures.csv").err
    assert not (tmp_path / "new").exists()


def test_runs_of_other_systems_are_compared_and_ours_are_written(farm, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 soil.txt 1\nq2 0 bees.md 2\nq3 0 soil.txt 1\n")
    (tmp_path / "other.run").write_text("q1 Q0 bees.md 1 2.5 other\nq2 Q0 bees.md 1 2.5 other\n")
    done = farm(
        "retrieve", "farm", "--dataset", "farm", "--retriever", "bm25", "--by", "document", "--k", "1", "--qrels",
        tmp_path / "qrels.txt", "--run", tmp_path / "other.run", "--trec", tmp_path / "ours", "--json",
    )  # fmt: skip
    assert done.status == 0, done.err
    ours, other = done.json["rankings"]
    assert done.json["n_judged"] == 3
    assert {each["name"]: each["mean"] for each in ours["figures"]}["hit@1"] == 1
    assert {each["name"]: each["mean"] for each in other["figures"]}["hit@1"] == 1 / 3
    assert other["label"] == "other"
    [written] = (tmp_path / "ours").glob("*.run")
    # Imported once, they are compared by name, with the same figures.
    assert farm("import", "run", tmp_path / "other.run").status == 0
    assert farm("import", "qrels", tmp_path / "qrels.txt", "--name", "judged").status == 0
    # The same as a data frame of BEIR's grades.
    (tmp_path / "beir.csv").write_text("query-id,corpus-id,score\nq1,soil.txt,1\nq2,bees.md,2\nq3,soil.txt,1\n")
    assert farm("import", "qrels", tmp_path / "beir.csv", "--name", "judged").status == 0
    listed = [(each["kind"], each["name"], each["entries"]) for each in farm("rankings", "--json").json["items"]]
    assert listed == [("qrels", "judged", 3), ("run", "other", 2)]
    named = farm(
        "retrieve", "farm", "--dataset", "farm", "--retriever", "bm25", "--by", "document", "--k", "1", "--qrels",
        "judged", "--run", "other", "--json",
    )  # fmt: skip
    assert {**named.json, "inputs": []} == {**done.json, "inputs": []}
    # The report says what it was computed from: the same content has the same digest, given as a file or by its name.
    summaries = [(each["kind"], each["name"], each["digest"]) for each in named.json["inputs"]]
    assert summaries == [
        (each["kind"], each["name"], each["digest"]) for each in reversed(farm("rankings", "--json").json["items"])
    ]
    assert {each["digest"] for each in done.json["inputs"]} == {digest for _, _, digest in summaries}
    (tmp_path / "wrong.run").write_text("q1 Q0 bees.md first 2.5 other\n")
    refused = farm("import", "run", tmp_path / "wrong.run")
    assert (refused.status, "wrong.run, line 1: the rank “first” is not a number" in refused.err) == (2, True)
    # The qrels are those that were given, read and written again.
    assert (tmp_path / "ours" / "relevant.qrels").read_text() == (tmp_path / "qrels.txt").read_text()
    assert written.read_text().splitlines()[0] == "q1 Q0 soil.txt 1 1.000000000 BM25"


def test_the_parts_of_a_merged_ranking_stand_side_by_side(farm) -> None:
    asked = ("retrieve", "farm", "--dataset", "farm", "--retriever", "hybrid", "--retriever", "dense", "--k", "4")
    done = farm(*asked, "--question", "q2", "--json")
    assert done.status == 0, done.err
    merged, dense = done.json["items"]
    assert (merged["parts"], dense["parts"]) == (["Dense", "BM25"], [])
    first = merged["passages"][0]
    ranks = {each["passage"]["id"]: each["passage"]["rank"] for each in dense["passages"]}
    for each in merged["passages"]:
        shares = [place["share"] for place in each["places"] if place]
        assert sum(shares) == pytest.approx(each["passage"]["score"])
        assert all(place["share"] == 1 / (60 + place["rank"]) for place in each["places"] if place)
        if each["passage"]["id"] in ranks:
            assert each["places"][0]["rank"] == ranks[each["passage"]["id"]]
    assert [place["rank"] for place in first["places"]] == [1, 1]
    assert "1 (+0.0164)" in farm(*asked, "--question", "q2").out
    assert "no question “q9”" in farm(*asked, "--question", "q9").err


def test_what_is_wrong_is_said(farm, tmp_path: Path) -> None:
    assert (
        "no imported ranking or file “lost.run”"
        in farm("retrieve", "farm", "--dataset", "farm", "--run", "lost.run").err
    )
    assert "no retriever “tfidf”" in farm("retrieve", "farm", "--dataset", "farm", "--retriever", "tfidf").err
    assert "ascending order" in farm("retrieve", "farm", "--dataset", "farm", "--k", "5,1").err
    assert "not a list of numbers" in farm("retrieve", "farm", "--dataset", "farm", "--k", "many").err
    (tmp_path / "q.txt").write_text("other 0 a 1\n")
    assert (
        "The dataset contains no question id of the file"
        in farm("retrieve", "farm", "--dataset", "farm", "--qrels", tmp_path / "q.txt").err
    )


def test_questions_without_a_word_of_the_collection_are_counted(farm, home) -> None:
    asked = [
        {"id": "q1", "question": "Какво носят пчелите?", "reference": "-"},
        {"id": "q2", "question": "What do bees need?", "reference": "-"},
    ]
    (home / "foreign.json").write_text(json.dumps(asked), encoding="utf-8")
    assert farm("import", "dataset", home / "foreign.json").status == 0
    done = farm("retrieve", "farm", "--dataset", "foreign", "--retriever", "bm25", "--retriever", "dense", "--k", "1")
    assert "BM25: 1 question contains no word of the collection, so its passages are ranked by id only." in done.err


def test_a_question_is_expanded_by_a_file_of_terms(farm, tmp_path: Path) -> None:
    (tmp_path / "bulgarian.csv").write_text("пчели,bees,pollen\n", encoding="utf-8")
    done = farm("expand", "Какво носят пчели?", "--terms", tmp_path / "bulgarian.csv")
    assert (done.status, done.out) == (0, "Какво носят пчели? bees pollen\n")
    done = farm(
        "retrieve", "farm", "--dataset", "farm", "--retriever", f"terms:bm25@{tmp_path / 'bulgarian.csv'}", "--k", "1",
        "--json",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert done.json["rankings"][0]["label"] == "Terms bulgarian (BM25)"
    assert "3 questions of 3 searched for only as asked (the question contains no term of the map)" in str(
        done.json["warnings"]
    )
    wrong = farm("retrieve", "farm", "--dataset", "farm", "--retriever", "terms:bm25@none.csv")
    assert (wrong.status, "no term map or file “none.csv”" in wrong.err) == (2, True)
    assert farm("import", "terms", tmp_path / "bulgarian.csv", "--name", "bees").status == 0
    assert farm("expand", "Какво носят пчели?", "--terms", "bees").out == "Какво носят пчели? bees pollen\n"
    named = farm("retrieve", "farm", "--dataset", "farm", "--retriever", "terms:bm25@bees", "--k", "1", "--json")
    assert named.json["rankings"][0]["label"] == "Terms bees (BM25)"


def test_a_collection_that_has_the_model_already_is_not_embedded_again(farm) -> None:
    done = farm("reindex", "farm")
    assert (done.status, done.out.startswith("farm: 0 passages embedded by embedded/all-MiniLM-L6-v2 (digest ")) == (
        0,
        True,
    )
    assert "had this embedding model already" in done.err
    assert "no collection" in farm("reindex", "nowhere").err
