"""Make home.zip and bundle.zip, the files that the tests of this folder restore and verify.

Both were made once, by commit ebc3fdf, and stay as they are: they show that a later program reads what an earlier one
wrote. The script is kept so that it can be told how they were made. It uses the command line and the scripted model
server only, so that it does not depend on how the program is built inside:

    git worktree add BASE ebc3fdf
    cd BASE && PYTHONPATH=BASE python PATH/TO/make_home.py OUTPUT_FOLDER
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from tests.ollama_server import OllamaServer, Step
from tests.waiting import wait_until

PORT = 41434
ENVIRONMENT = {
    "PASSER_ENCODER": "none",
    "PASSER_EMBEDDING": "ollama/nomic-embed-text:latest",
    "PASSER_OLLAMA_URL": f"http://127.0.0.1:{PORT}",
}
CROPS = ("clover", "copper", "bees", "hens", "compost", "rotation", "vines", "seed")
FINISHED = """\
name: Finished
dataset: farm
collection: farm
model: ollama/mistral:latest
retrieval: [{mode: score, min_similarity: 0.4}, {mode: score, min_similarity: 0.95}, {mode: none}]
baseline: {mode: normal, k: 3}
"""
INTERRUPTED = """\
name: Interrupted
dataset: farm
collection: farm
model: ollama/llama3.1:8b
temperature: 0.5
num_predict: 256
retrieval: [{mode: score, min_similarity: 0.3}, {mode: published-score, min_distance: 0.2}]
baseline: {mode: normal, k: 2}
"""
REFUSED = "Question: What is the rule for vines?"
ANSWERED_BEFORE = 9
WITHIN_S = 60.0


def passer(home: Path, *arguments: object) -> str:
    """Run a command to its end; what it printed."""
    done = subprocess.run(
        command(*arguments), env=environment(home), capture_output=True, text=True, check=False, cwd=home.parent
    )
    if done.returncode != 0:
        raise SystemExit(f"passer {arguments[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def command(*arguments: object) -> list[str]:
    """The command line of a process of its own."""
    return [sys.executable, "-m", "passer", *map(str, arguments)]


def environment(home: Path) -> dict[str, str]:
    """Settings of every command."""
    return {**os.environ, **ENVIRONMENT, "PASSER_HOME": str(home)}


def bring(home: Path, folder: Path) -> None:
    """Ingest eight documents of one passage each or more, and import a question about each."""
    documents = folder / "documents"
    documents.mkdir()
    for number, crop in enumerate(CROPS):
        text = f"{crop.title()} on an organic farm. The rule for {crop} is {number}. " * (1 + number % 3)
        (documents / f"{crop}.txt").write_text(text.strip(), encoding="utf-8")
    passer(home, "ingest", "farm", documents, "--chunk-size", 64, "--chunk-overlap", 8)
    questions = [
        {
            "id": f"q{number}",
            "question": f"What is the rule for {crop}?",
            "reference": f"The rule for {crop} is {number}.",
            "gold_passages": [{"document": f"{crop}.txt", "quote": f"The rule for {crop} is {number}."}],
        }
        for number, crop in enumerate(CROPS)
    ]
    (folder / "farm.json").write_text(json.dumps(questions), encoding="utf-8")
    passer(home, "import", "dataset", folder / "farm.json", "--name", "farm")


def sweep(home: Path, folder: Path, experiment: str) -> str:
    """Run an experiment to its end; the sweep's id."""
    file = folder / "experiment.yaml"
    file.write_text(experiment, encoding="utf-8")
    return str(json.loads(passer(home, "sweep", file, "--json"))["id"])


def interrupt(home: Path, folder: Path, experiment: str, model: OllamaServer) -> None:
    """Start an experiment and press Ctrl-C when some of its prompts were answered."""
    file = folder / "experiment.yaml"
    file.write_text(experiment, encoding="utf-8")
    model.latency_s = 0.2
    before = len(model.generations)
    process = subprocess.Popen(command("sweep", file, "--json"), env=environment(home), cwd=home.parent)
    wait_until(lambda: len(model.generations) >= before + ANSWERED_BEFORE, "the sweep does not move")
    process.send_signal(signal.SIGINT)
    process.wait(WITHIN_S)
    model.latency_s = 0.0


def keys(home: Path, sweep_id: str) -> list[list[object]]:
    """Every evaluation of a sweep with its content addresses, as the database holds it."""
    query = (
        "SELECT run_id, number, question_id, state, kept_first, kept_last, prompt_digest, answer_key, pair_key "
        "FROM evaluations WHERE run_id LIKE ? ORDER BY run_id, number"
    )
    with closing(sqlite3.connect(home / "passer.sqlite3")) as database:
        return [list(row) for row in database.execute(query, (f"{sweep_id}-%",))]


def report(*texts: str) -> None:
    """Print what the tests expect."""
    sys.stdout.write(" ".join(texts) + "\n")


def make(output: Path, folder: Path) -> None:
    """Write both files, and print what an unbroken run of the interrupted sweep comes to."""
    home, other = folder / "home", folder / "other"
    model = OllamaServer(port=PORT, slots=2)
    model.when(REFUSED, Step(status=400, error="this question is refused"), times=None)
    with model:
        bring(home, folder)
        finished = sweep(home, folder, FINISHED)
        model.forget()
        passer(home, "backup", folder / "before.zip")
        interrupt(home, folder, INTERRUPTED, model)
        passer(home, "backup", output / "home.zip")
        passer(home, "bundle", f"{finished}-001", "-o", output / "bundle.zip")
        report(passer(home, "ledger", "head"), passer(home, "runs"))
        passer(other, "restore", folder / "before.zip")
        unbroken = sweep(other, folder, INTERRUPTED)
        for sweep_id in (finished, unbroken):
            export = folder / f"{sweep_id}.jsonl"
            passer(other, "export", sweep_id, "-o", export, "--reproducible")
            report(passer(other, "show", sweep_id), "export", sha256(export.read_bytes()).hexdigest())
            report("keys", sha256(json.dumps(keys(other, sweep_id)).encode()).hexdigest())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_in:
        make(Path(sys.argv[1]), Path(made_in))
