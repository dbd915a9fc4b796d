"""The command line over real parts: exit statuses, one JSON object, one sentence for what is wrong."""

from __future__ import annotations

import json
import re

import pytest
import typer

from passer.cli import app
from passer.domain.score import VECTOR_ORDER
from tests.api.conftest import QUESTIONS
from tests.ollama_server import OllamaServer


def test_a_sweep_whose_scores_allow_no_panel_has_run_all_the_same(farm, home, monkeypatch):
    monkeypatch.setenv("PASSER_ENCODER", "none")
    (home / "text-only.yaml").write_text("name: Text only\nconfig: {dataset: farm, collection: farm}\n")
    done = farm("sweep", home / "text-only.yaml")
    assert done.status == 0, done.err
    assert "No answer has a value of" in done.err
    assert "passer analyse" in done.err


def test_a_sweep_from_the_command_line(farm, home):
    plan = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3:0.5:0.1", "--plan", "--json")
    assert plan.json["evaluations"] == 4 * 3
    assert (plan.json["decision"]["comparisons"], plan.json["decision"]["margin"]) == (3, 0.02)
    done = farm("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3:0.5:0.1", "--json")
    assert done.status == 0, done.err
    sweep = done.json
    assert [run["state"] for run in sweep["runs"]] == ["finished"] * 4
    assert [run["counts"]["scored"] for run in sweep["runs"]] == [3] * 4

    listed = farm("runs", "--json").json["sweeps"]
    assert sweep["id"] in [item["id"] for item in listed]
    assert farm("show", sweep["id"], "--json").json["id"] == sweep["id"]
    analysis = farm("analyse", sweep["id"], "--json").json
    assert len(analysis["configurations"]) == 4
    printed = farm("analyse", sweep["id"])
    assert "Top-k 5" in printed.out
    dated = farm("datasets", "farm", "--over-time", "METEOR")
    [line] = [
        each for each in dated.out.splitlines() if each.startswith("Top-k 5 ") and sweep["created_at"][:10] in each
    ]
    assert line.split()[-1] == "3"
    assert farm("datasets", "--over-time", "METEOR").status == 2
    assert "CPS" in printed.out

    baseline = sweep["runs"][0]["id"]
    again = farm("ask-again", baseline, 1, "--k", 1, "--json")
    assert again.status == 0, again.err
    assert (again.json["asked"]["question"], again.json["kept"]) == (QUESTIONS[0]["question"], [0, 1])
    printed = farm("ask-again", baseline, 1, "--min-similarity", 1)
    assert "The run answered: " in printed.err, "without a passage, the fixed answer is another one"
    assert "not saved" in printed.err
    unclear = farm("ask-again", baseline, 1)
    assert (unclear.status, "--k or --min-similarity" in unclear.err) == (2, True)

    written = farm("annotate", sweep["id"], "--name", "First look", "--tag", "law", "--tag", "old", "--archive")
    assert written.status == 0, written.err
    assert written.out.splitlines()[0] == f"First look ({sweep['id']})"
    assert farm("annotate", sweep["id"], "--untag", "old", "--json").json["tags"] == ["law"]
    assert sweep["id"] not in [item["id"] for item in farm("runs", "--json").json["sweeps"]]
    assert "First look" in farm("runs", "--archived", "--tag", "law").out
    assert "Tags: law." in farm("show", sweep["id"]).err
    refused = farm("annotate", sweep["id"], "--tag", "x" * 41)
    assert (refused.status, "tags" in refused.err) == (2, True)

    again = farm("resume", sweep["id"])
    assert again.status == 0
    cancelled = farm("cancel", sweep["id"])
    assert cancelled.status == 2
    assert "finished" in cancelled.err

    target = home / "out.csv"
    assert farm("export", sweep["id"], "-o", target).status == 0
    assert len(target.read_text(encoding="utf-8-sig").splitlines()) >= 13
    assert not list(home.glob(".out.csv*"))


def test_an_experiment_file_and_what_is_wrong_with_one(farm, home):
    path = home / "experiment.yaml"
    path.write_text(
        "name: From a file\nconfig: {dataset: farm, collection: farm}\nbaseline: {mode: normal, k: 2}\n"
        "axes:\n  thresholds: {start: 0.3, stop: 0.4, step: 0.1}\n"
    )
    assert farm("sweep", path, "--plan", "--json").json["configurations"] == 3
    path.write_text("name: Wrong\nconfig: {dataset: farm, collection: farm, temprature: 1}\n")
    wrong = farm("sweep", path, "--plan")
    assert wrong.status == 2
    assert "Did you mean temperature?" in wrong.err


def test_one_question_is_answered_with_its_passages(farm):
    asked = farm("ask", "What fixes nitrogen?", "--collection", "farm", "--k", 2, "--json").json
    assert "nitrogen" in asked["answer"]["text"]
    assert [passage["rank"] for passage in asked["passages"]] == [1, 2]


def test_a_sweep_without_axes_has_the_range_that_retrieval_proposes_and_one_axis_comes_alone(farm):
    asked = ("sweep", "--dataset", "farm", "--collection", "farm")
    alone = farm(*asked, "--k", 3, "--plan", "--json")
    # Top-k 3 and the baseline, top-k 5.
    assert alone.json["configurations"] == 2, alone.err
    assert "suggested by the retrieval" not in alone.err
    # Written as in `passer retrieve`: with the baseline top-k 1, 2, 3, 5 and 7.
    assert farm(*asked, "--k", "1..3", "--k", "3,7", "--plan", "--json").json["configurations"] == 5
    assert "--k “1-3” is not a list of numbers" in farm(*asked, "--k", "1-3", "--plan").err
    both = farm(*asked, "--k", 3, "--thresholds", "0.2,0.3", "--plan", "--json")
    assert both.json["configurations"] == 4
    temperatures = farm(*asked, "--temperature", 0, "--temperature", 0.5, "--plan", "--json")
    assert temperatures.json["configurations"] == 2, temperatures.err
    assert farm(*asked, "--temperature", 0.5, "--plan", "--json").json["configurations"] > 2
    assert "suggested by the retrieval" in farm(*asked, "--plan").err


def test_answers_of_a_file_are_scored(passer, home):
    path = home / "answers.jsonl"
    path.write_text('{"reference": "clover fixes nitrogen", "answer": "clover fixes nitrogen"}\n')
    done = passer("score", path, "--json", "-o", home / "scores.csv")
    assert done.status == 0, done.err
    assert done.json["rows"][0]["Rouge-1.f"]["value"] == 1.0
    assert "missing_scores" in (home / "scores.csv").read_text(encoding="utf-8-sig")
    path.write_text('{"reference": "clover"}\n')
    assert "Rename one to answer" in passer("score", path).err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "nothing"], "There is no sweep"),
        (["sweep", "--dataset", "farm"], "--dataset or --collection is missing"),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "1.5"], "from -1 to 1"),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "x"], "0.50:0.95:0.05"),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--num-ctx-of", "8192"], "ollama/mistral:7b=8192"),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--num-ctx-of", "a=9"], "--num-ctx-of: "),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--k", "0"], "passer: --k: The value must be at least"),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--chunking", "9/1"], "passer: --chunking: "),
        (["sweep", "--dataset", "farm", "--collection", "farm", "--cut", "relative:9"], "passer: --cut: "),
        (["run", "--dataset", "farm", "--collection", "farm", "--k", "-1"], "passer: --k: "),
        (["run", "--dataset", "farm", "--collection", "farm", "--temperature", "9"], "passer: --temperature: "),
        (["run", "--dataset", "farm", "--collection", "farm", "--model", "mistral:7b"], "127.0.0.1:9"),
        (
            ["run", "--dataset", "none", "--collection", "farm"],
            "dataset none does not exist. Import it with `passer import",
        ),
        (["ingest", "farm"], "There is nothing to add"),
        (["import", "dataset", "/nowhere.json"], "cannot be read"),
        (["serve", "--host", "0.0.0.0"], "--insecure-listen"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_status_2(farm, arguments, sentence):
    done = farm(*arguments)
    assert done.status == 2
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_models_of_all_servers_are_listed_and_one_that_is_away_is_named(farm):
    done = farm("models")
    assert done.status == 0
    assert "extractive" in done.out
    assert "127.0.0.1:9" in done.err
    only = farm("models", "--provider", "ollama", "--json")
    assert only.status == 1, "no model can be chosen there"
    [server] = json.loads(only.out)["servers"]
    assert "127.0.0.1:9" in server["problem"]


def test_models_are_listed_with_their_size_and_what_no_memory_holds(passer, monkeypatch):
    with OllamaServer() as server:
        monkeypatch.setenv("PASSER_OLLAMA_URL", server.url)
        fits = passer("models", "--provider", "ollama")
        assert "4.1 GB" in fits.out
        assert "Larger than" not in fits.err
        monkeypatch.setattr("passer.adapters.surroundings.total_memory", lambda: 4 * 10**9)
        large = passer("models", "--provider", "ollama")
        assert "Larger than the 4 GB of memory of this machine: ollama/" in large.err


def test_a_model_is_pulled_from_the_command_line(passer, monkeypatch):
    with OllamaServer() as server:
        monkeypatch.setenv("PASSER_OLLAMA_URL", server.url)
        done = passer("models", "pull", "mistral")
        assert done.status == 0, done.err
        assert "--model ollama/mistral" in done.err
        missing = passer("models", "pull", "no-such-model")
        assert missing.status == 2
        assert "no-such-model" in missing.err


def test_a_bad_row_is_named_with_its_number(farm, home):
    path = home / "bad.json"
    path.write_text(json.dumps([*QUESTIONS, {"question": " ", "reference": "x"}]))
    done = farm("import", "dataset", path)
    assert done.status == 2
    assert "row 4" in done.err
    assert "bad" not in [item["name"] for item in farm("datasets", "--json").json["datasets"]]


def test_a_column_of_a_question_file_is_read_as_the_option_says(passer, tmp_path):
    file = tmp_path / "ragas.csv"
    file.write_text("question,contexts,answer,remarks\nHow far do bees fly?,Bees fly three km.,Three km.,checked\n")
    refused = passer("import", "dataset", file)
    assert refused.status == 2
    assert "No column contains the reference" in refused.err
    assert refused.err.endswith("To map columns, add: --column reference=COLUMN\n")
    unknown = passer("import", "dataset", file, "--column", "reference=answer")
    assert unknown.err.endswith("To ignore them, add: --ignore remarks\n")
    chosen = ("import", "dataset", file, "--column", "reference=answer", "--ignore", "remarks")
    [question] = passer(*chosen, "--preview").json["questions"]
    assert (question["reference"], question["gold_passages"][0]["quote"]) == ("Three km.", "Bees fly three km.")
    done = passer(*chosen)
    assert done.status == 0, done.err
    assert passer("datasets", "ragas", "--json").json["versions"][0]["version"]["questions"] == 1
    for wrong in ("reference", "=answer"):
        assert "NAME=COLUMN" in passer("import", "dataset", file, "--column", wrong).err
    absent = passer("import", "dataset", file, "--column", "reference=answers")
    assert "no column “answers”" in absent.err


def test_versions_of_a_dataset_and_what_changed_in_each(passer, tmp_path):
    file = tmp_path / "asked.csv"
    for rows in ("a,What?,That.\nb,Who?,They.\n", "a,What?,This.\nc,When?,Now.\n"):
        file.write_text(f"id,question,reference\n{rows}")
        assert passer("import", "dataset", file).status == 0
    newest, oldest = passer("datasets", "asked", "--json").json["versions"]
    assert oldest["changes"] is None
    changes = newest["changes"]
    assert (changes["added"], changes["removed"]) == (["c"], ["b"])
    assert changes["changed"] == [{"id": "a", "fields": ["reference"]}]
    listed = passer("datasets", "asked").out.splitlines()
    [row] = [line for line in listed if newest["version"]["digest"][:12] in line]
    assert row.split()[-5:] == ["2", "1", "1", "1", "0"]
    assert passer("datasets", "nothing").status == 2


def test_the_doctor_names_what_is_missing_and_the_command_that_adds_it(passer):
    done = passer("doctor", "--json")
    parts = {part["name"]: part for part in done.json["parts"]}
    assert done.status == 0
    assert parts["encoder"]["ok"]
    assert parts["database"]["ok"]
    assert not parts["ollama"]["ok"]
    assert parts["ollama"]["command"].startswith("ollama serve")


def test_metrics_are_listed_with_their_meaning(passer):
    names = [item["name"] for item in passer("metrics", "--json").json["metrics"]]
    assert names[0] == "METEOR"
    assert names[:24] == list(VECTOR_ORDER)


def test_thresholds_that_nobody_gives_are_those_that_the_retrieval_suggests(farm):
    shown = farm("sweep", "--dataset", "farm", "--collection", "farm", "--preview", "--json").json
    proposed = shown["collections"][0]["proposed"]
    kept = [each["policy"] for each in shown["policies"]]
    assert kept[0] == {"mode": "normal", "k": 5}
    thresholds = [each["min_similarity"] for each in kept[1:]]
    assert (thresholds[0], thresholds[-1]) == (proposed["start"], pytest.approx(proposed["stop"], abs=proposed["step"]))
    plan = farm("sweep", "--dataset", "farm", "--collection", "farm", "--plan", "--json")
    assert plan.json["configurations"] == len(kept)
    assert "suggested by the retrieval of these questions" in plan.err


def test_the_list_of_commands_cuts_no_sentence(farm):
    """Click cuts a description that is longer than a line, with three dots."""
    for group in ((), ("import",), ("judge",)):
        done = farm(*group, "--help")
        assert done.status == 0
        commands = done.out.partition("Commands:" if group else "Start:")[2]
        assert commands.strip()
        assert "..." not in commands


def test_help_lists_each_command_once_under_a_heading(farm):
    listed = re.findall(r"(?m)^  ([a-z][a-z-]*)  ", farm("--help").out)
    assert sorted(listed) == sorted(typer.main.get_command(app).commands)


def test_the_options_of_a_sweep_stand_under_headings(farm):
    headings = re.findall(r"(?m)^(\w[\w ]+):$", farm("sweep", "--help").out)
    wanted = ["Arguments", "Questions and documents", "Models and prompts", "Retrieval", "Verdict", "Limits and cost"]
    assert headings == [*wanted, "Options"]


def test_a_plan_counts_the_requests_of_the_judge(farm) -> None:
    asked = ("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.2,0.4", "--plan")
    judged = ("--primary", "Answer correctness", "--judge", "openai/none", "--judge-price", "0,1000000 USD")
    done = farm(*asked, *judged, "--budget", "1-asks")
    assert done.status == 0, done.err
    assert "Afterwards none judges at most" in done.out
    # A million a million tokens: the cost in USD is the number of tokens of the replies.
    plan = farm(*asked, *judged, "--json").json["judging"]
    assert (plan["cost"], plan["asks"]) == (plan["output_tokens"], plan["answers"])
    assert plan["asks"] > 0
    assert farm(*asked, "--json").json.get("judging") is None
