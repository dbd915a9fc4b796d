"""`passer judge`: plan, run, list, show, resume."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from passer.bootstrap import services
from passer.cli.judge_tuning import write_task
from passer.domain.judging.tuned_task import TunedTask, TuningEvidence
from passer.metrics.judged.grades import CORRECTNESS
from tests.cli.conftest import Ended
from tests.ollama_server import OllamaServer
from tests.services.judging.made import Judged
from tests.services.judging.rated import COLUMN, fill_rated


@pytest.fixture
def judging(with_answers: Callable[..., Ended]) -> Callable[..., Ended]:
    return lambda *arguments: with_answers("judge", *arguments)


RUN = ("run", "sweep", "--judge", "ollama/mistral:latest", "--columns", "Answer correctness")


def test_a_plan_then_a_budget_then_the_rest(judging: Callable[..., Ended], judge: OllamaServer) -> None:
    planned = judging(*RUN, "--plan", "--price", "1,2", "--json")
    assert planned.status == 0, planned.err
    assert (planned.json["asks"], planned.json["known"]) == (4, 0)
    assert judge.generations == []
    assert "unknown: give --price" in judging(*RUN, "--plan").out
    paused = judging(*RUN, "--budget", "2-asks")
    assert paused.status == 1
    assert "The budget is used up after 2 requests. Raise it to continue." in paused.err
    assert "uncalibrated" in paused.out
    [listed] = judging("list", "--json").json["assessments"]
    assert listed["state"] == "paused"
    done = judging("resume", listed["id"], "--json")
    assert done.status == 0, done.err
    assert [cell["judged"] for cell in done.json["cells"]] == [3, 2]
    assert len(judge.generations) == 4
    shown = judging("show", listed["id"])
    assert "generation_failed 1" in shown.out
    assert "may be related to mistral:7b" in shown.err
    assert "finished" in judging("list").out
    read = judging("answer", "sweep-000", "1", "--verbatim")
    assert "Answer correctness" in read.out
    assert 'correctness: {"a_reason": "Because.", "b_grade": 0}' in read.out
    assert "[reply]\n" + '{"a_reason": "Because.", "b_grade": 0}' in read.out
    assert len(judging("answer", "sweep-000", "1", "--json").json["judgements"]) == 1


def test_people_rate_a_sample_and_the_judge_is_compared(judging: Callable[..., Ended], passer, tmp_path) -> None:
    judging(*RUN)
    assessment = judging("list", "--json").json["assessments"][0]["id"]
    assert "uncalibrated" in passer("calibrate", assessment).err
    file = tmp_path / "rate.csv"
    drawn = passer("label", "draw", assessment, "--column", "Answer correctness", "--out", str(file), "--json")
    assert drawn.status == 0, drawn.err
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"))))
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows({**row, "value": "0.5"} for row in rows)
    imported = passer("label", "import", drawn.json["id"], str(file), "--rater", "ana")
    assert f"Imported {len(rows)} ratings" in imported.err
    assert imported.err.strip().endswith(f"passer calibrate {assessment}")
    assert f"ana {len(rows)}" in passer("label", "list", assessment).out
    shown = passer("calibrate", assessment)
    assert "bias (judge - people)" in shown.out
    assert "-0.5000" in shown.out
    exported = tmp_path / "labels.csv"
    assert passer("label", "export", drawn.json["id"], "--out", str(exported)).status == 0
    assert exported.read_text(encoding="utf-8-sig").count("ana") == len(rows)
    file.write_text("item,value\nx,1\n")
    refused = passer("label", "import", drawn.json["id"], str(file), "--rater", "ana")
    assert refused.status == 2
    assert "row 1: This answer does not belong to the draw" in refused.err


def test_criteria_are_given_on_the_command_line(judging: Callable[..., Ended]) -> None:
    asked = ("run", "sweep", "--judge", "ollama/mistral:latest", "--criterion", "2: Names a month", "--plan")
    planned = judging(*asked, "--json")
    assert planned.status == 0, planned.err
    [column] = planned.json["columns"]
    assert column.startswith("Criteria ")
    # Two runs with three and two answers, each from other passages.
    assert planned.json["asks"] == 5
    both = judging(*asked, "--metric", "faithfulness", "--json").json["columns"]
    assert both[-1] == column
    assert "Faithfulness" in both
    refused = judging("run", "sweep", "--judge", "ollama/mistral:latest", "--metric", "criteria", "--plan")
    assert refused.status == 2
    assert "and 1 to 8 criteria" in refused.err


def test_questions_of_datasets_are_judged_side_by_side(judging: Callable[..., Ended], passer, tmp_path) -> None:
    gold = [{"document": "d.txt", "quote": "Rice flowers in August."}]
    rows = [{"id": "q", "question": "When does rice flower?", "reference": "In August.", "gold_passages": gold}]
    file = tmp_path / "own.json"
    file.write_text(json.dumps(rows))
    assert passer("import", "dataset", file).status == 0
    command = ("run", "--judge", "ollama/mistral:latest", "--dataset", "own", "--dataset", "farm")
    done = judging(*command, "--metric", "answerability", "--json")
    assert done.status == 0, done.err
    cells = done.json["cells"]
    assert [(each["run_id"], each["column"], each["mean"]) for each in cells] == [
        ("own", "Answerability", 0.0),
        ("farm", "Answerability", None),
    ]
    listed = judging("list", "--json").json["assessments"][0]
    shown = judging("show", listed["id"], "--by-question")
    assert "no_passages" in shown.out
    assert "own, farm" in judging("list").out
    refused = judging(*command, "--metric", "Answer correctness")
    assert (refused.status, "a dataset has references only" in refused.err) == (2, True)


def test_answers_without_references_are_judged(judging: Callable[..., Ended], passer, tmp_path) -> None:
    rows = [{"user_input": "When does rice flower?", "retrieved_contexts": ["In August."], "response": "In August."}]
    file = tmp_path / "ragas.json"
    file.write_text(json.dumps(rows))
    refused = passer("import", "dataset", file)
    assert refused.status == 2
    assert "map “response” to reference" in refused.err
    mapped = ("--column", "reference=response", "--column", "contexts=retrieved_contexts")
    assert passer("import", "dataset", file, *mapped).status == 0
    metrics = ("Faithfulness", "Answer relevancy", "Response relevancy (context)", "Passage relevance", "Relevance")
    done = judging(
        "run", "--judge", "ollama/mistral:latest", "--dataset", "ragas", "--columns", ",".join(metrics), "--json"
    )
    assert done.status == 0, done.err
    cells = {each["column"]: (each["judged"], each["reasons"]) for each in done.json["cells"]}
    # The scripted judge fills the schema that it is sent, which says that there are three questions.
    assert {name: cells[name] for name in metrics} == dict.fromkeys(metrics, (1, {}))


def test_wrong_options_are_named(judging: Callable[..., Ended]) -> None:
    for options, said in (
        (("run", "sweep", "--judge", "extractive"), "cannot judge"),
        ((*RUN[:4], "--columns", "Kindness"), "There is no judged metric Kindness"),
        ((*RUN, "--price", "cheap"), "A price must be two numbers"),
        (("show", "nothing"), "There is no assessment or drafting job nothing"),
        (("answer", "sweep-000", "4"), "has only 3 questions"),
    ):
        refused = judging(*options)
        assert refused.status == 2
        assert said in refused.err


def test_a_judge_says_why_answers_were_low(judging: Callable[..., Ended], passer, judge: OllamaServer) -> None:
    found = passer("failures", "sweep-000", "--judge", "ollama/mistral:latest", "--json")
    assert found.status == 0, found.err
    [run] = found.json["runs"]
    # The server gives the first value of every list of values: grade 0, and no label applies. One passage is kept,
    # which is the gold passage of the first question: the other two missed theirs, by code.
    assert {label: count["n"] for label, count in run["counts"].items()} == {"missed_top_ranked": 2, "other": 1}
    again = passer("failures", "sweep-000", "--assessment", found.json["assessment"], "--below", "0")
    assert "not low" in again.out
    assert "uncalibrated" in again.err
    # The same counts in the table of reports and exports, as shares of 3 questions.
    with services() as built:
        table = built.analysis.judged_failures.tables("sweep")["why_low"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert {(each["why"], each["group"], each["n"], each["share"]) for each in rows} == {
        ("missed the gold passages (computed)", None, 2, 2 / 3), ("low, no reason found", None, 1, 1 / 3),
    }  # fmt: skip
    correctness = judging(*RUN, "--json").json["assessment"]["id"]
    refused = passer("failures", "sweep-000", "--assessment", correctness)
    assert (refused.status, "has no failure labels" in refused.err) == (2, True)
    # Of questions from elsewhere one more thing is asked: the three replies to it are the only new ones.
    assert "Missing content and incomplete answers are not judged" in again.err
    asked = len(judge.generations)
    foreign = passer("failures", "sweep-000", "--judge", "ollama/mistral:latest", "--foreign")
    assert (foreign.status, "are not judged" in foreign.err) == (0, False)
    assert len(judge.generations) == asked + 3


def test_a_sweep_is_judged_by_the_judge_that_it_recorded(farm, judge: OllamaServer) -> None:
    wanted = ("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3")
    unknown = farm(*wanted, "--primary", "Kindness", "--judge", "ollama/mistral:latest")
    assert (unknown.status, "Kindness" in unknown.err) == (2, True)
    alone = farm(*wanted, "--judge", "ollama/mistral:latest")
    assert (alone.status, "needs a judged column" in alone.err) == (2, True)
    asked = len(judge.generations)
    done = farm(*wanted, "--primary", "Answer correctness", "--judge", "ollama/mistral:latest", "--json")
    assert done.status == 0, done.err
    assert "The recorded judge assesses the answers" in done.err
    assert len(judge.generations) > asked
    analysis = farm("analyse", done.json["id"], "--json").json
    assert (analysis["rule"]["primary"], analysis["rule"]["judged_by"]["status"]) == ("Answer correctness", "unchecked")
    assert analysis["verdict"]["exploratory"] == []
    asked = len(judge.generations)
    assert farm("resume", done.json["id"]).status == 0
    assert len(judge.generations) == asked
    assert len(farm("judge", "list", "--sweep", done.json["id"], "--json").json["assessments"]) == 1


def test_a_task_is_tuned_and_a_task_file_judges(passer, home, judge, tmp_path) -> None:
    made = Judged(f"sqlite:///{home / 'passer.sqlite3'}")
    fill_rated(made)
    made.close()
    run = ("judge", "run", "sweep-000", "--judge", "ollama/mistral:latest", "--columns", COLUMN)
    assert passer(*run).status == 0
    assessment = passer("judge", "list", "--json").json["assessments"][0]["id"]
    few = passer("judge", "tune", assessment, "--few-shots", "16")
    assert few.status == 2
    assert "4 rated answers of Answer correctness would be used for selection and 20 for the test" in few.err
    planned = passer("judge", "tune", assessment, "--few-shots", "8", "--instructions", "2", "--plan")
    assert "rated answers that choose  12" in " ".join(planned.out.split("\n")), planned.out
    # A judge that always says 0 agrees no better with examples: there is nothing to save.
    file = tmp_path / "task.json"
    tuned = passer("judge", "tune", assessment, "--few-shots", "8", "--instructions", "1", "--out", str(file))
    assert tuned.status == 0, tuned.err
    assert "No candidate agrees better with people" in tuned.err
    assert not file.exists()
    evidence = TuningEvidence(
        judge="mistral:latest", judge_digest="d", seed=1, selection=12, candidates=2, test=20, rho_before=0.1,
        rho_after=0.2, error_before=0.4, error_after=0.3, error_change=None,
    )  # fmt: skip
    other = replace(CORRECTNESS, instruction="Grade by the month alone.")
    write_task(file, TunedTask(column=COLUMN, task=other.text, trained_on=(), evidence=evidence))
    asked = len(judge.generations)
    by_file = passer(*run, "--tuned", str(file), "--json")
    assert by_file.status == 0, by_file.err
    assert by_file.json["assessment"]["spec"]["tuned"]["task"]["digest"] == other.digest
    assert len(judge.generations) == asked + 40
    assert "Grade by the month alone." in str(judge.generations[-1])
    file.write_text("[]")
    assert "This is not a task file" in passer(*run, "--tuned", str(file)).err
