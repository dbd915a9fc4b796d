"""Experiments of configs on a small collection: fixed and adaptive cuts, verified twice; ablations."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from tests import ollama_replies as replies
from tests.browser_verifier import by_the_browser, needs_node
from tests.cli.conftest import Ended
from tests.conftest import ROOT
from tests.ollama_server import OllamaServer, ScriptedModel

NAMES = {
    "Top-k 5", "Top-k 3", "Top-k 10", "Similarity ≥ 0.40", "Similarity ≥ 0.50",
    "Relative ≥ 0.75", "Relative ≥ 0.85", "Relative ≥ 0.95", "Largest gap of 20",
}  # fmt: skip


def records_of(bundle: bytes) -> tuple[str, list[dict[str, Any]]]:
    """Return the name of a run with its records."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        name = json.loads(archive.read("manifest.json"))["run"]["name"]
        return name, [json.loads(line) for line in archive.read("questions.jsonl").splitlines()]


def kept_by_hand(name: str, similarities: np.ndarray) -> int:
    """What a cut keeps of a whole ranking, by its definition in docs/method.md."""
    kind, number = name.rsplit(" ", 1)
    if kind == "Top-k":
        return min(int(number), len(similarities))
    if kind == "Similarity ≥":
        return int((similarities >= float(number)).sum())
    if kind == "Relative ≥":
        return int((similarities >= float(number) * similarities[0]).sum())
    return int(np.argmax(similarities[:-1] - similarities[1:])) + 1


@needs_node
def test_fixed_and_adaptive_cuts_are_compared_and_verified(farm: Callable[..., Ended], tmp_path: Path) -> None:
    written = yaml.safe_load((ROOT / "configs" / "adaptive-cuts.yaml").read_text(encoding="utf-8"))
    experiment = tmp_path / "cuts.yaml"
    experiment.write_text(yaml.safe_dump({**written, "dataset": "farm", "collection": "farm"}), encoding="utf-8")
    done = farm("sweep", experiment, "--json")
    assert done.status == 0, done.err
    study = tmp_path / "study.zip"
    published = farm("publish", done.json["id"], "-o", study)
    assert published.status == 0, published.err
    assert farm("verify", study).status == 0
    with zipfile.ZipFile(study) as archive:
        records = dict(records_of(archive.read(each)) for each in archive.namelist() if each.startswith("runs/"))
    assert set(records) == NAMES
    # Top-k 10 keeps the whole ranking: the collection has fewer passages.
    whole = [np.array([each["similarity"] for each in record["passages"]]) for record in records["Top-k 10"]]
    assert all(2 < len(similarities) < 10 for similarities in whole)
    kept = {name: [len(record["passages"]) for record in of_run] for name, of_run in records.items()}
    assert kept == {name: [kept_by_hand(name, similarities) for similarities in whole] for name in NAMES}
    # An adaptive cut is no fixed one: it keeps another number for another question.
    assert len(set(kept["Relative ≥ 0.75"])) > 1
    (found,) = by_the_browser([study.read_bytes()], tmp_path)
    assert found
    assert found["verdict"] == "verified"


Swept = Callable[..., dict[str, Any]]


@pytest.fixture
def swept(farm: Callable[..., Ended], tmp_path: Path) -> Swept:
    """Runs an experiment of configs, with some of its keys changed."""

    def run(name: str, **changes: object) -> dict[str, Any]:
        written = yaml.safe_load((ROOT / "configs" / name).read_text(encoding="utf-8"))
        experiment = tmp_path / name
        experiment.write_text(yaml.safe_dump({**written, **changes}), encoding="utf-8")
        done = farm("sweep", experiment, "--json")
        assert done.status == 0, done.err
        found: dict[str, Any] = done.json
        return found

    return run


@pytest.mark.soak
def test_ablations_of_splitting_and_hardware_run_as_their_files_say(
    farm: Callable[..., Ended], swept: Swept, home: Path
) -> None:
    own = {"dataset": "farm", "collection": "farm", "model": "extractive"}
    sizes = {256: 0, 512: 50, 1024: 50, 2048: 100}
    for size, overlap in sizes.items():
        farm("ingest", f"farm-{size}-{overlap}", home / "documents", "--chunk-size", size, "--chunk-overlap", overlap)
    split = swept("ablation-chunking.yaml", **own)
    collections = [run["config"]["collection"] for run in farm("show", split["id"], "--json").json["runs"]]
    assert {name: collections.count(name) for name in collections} == {
        f"farm-{size}-{overlap}": 4 for size, overlap in sizes.items()
    }
    timed = swept("ablation-hardware.yaml", **own, timing={"warm_up": 1}, questions=3)
    times = farm("timings", timed["id"], "--json")
    assert times.status == 0, times.err
    assert len(timed["runs"]) == 3


def written(prompt: str, asks: str = "What is known about") -> str:
    """Ask about the first sentence of a passage or text, and answer with it; judges are told that sentence too."""
    passages = re.findall(r"(?:passage|text):\n<<<(\w+)\n(.*?)\n\1>>>", prompt, re.DOTALL)
    if not passages:
        return replies.first_sentence(prompt)
    sentence = re.split(r"(?<=[.!?])\s", " ".join(passages[-1][1].split()), maxsplit=1)[0]
    if prompt.startswith(("You are an expert", "Break the answer")):
        return sentence
    words = sorted(set(re.findall(r"\b[a-z]{5,}\b", sentence)), key=sentence.find)
    return f"{asks} {', '.join(words[:3])} and {words[-1]}?"


@pytest.mark.soak
def test_ablations_of_embedding_writers_and_domain_run_as_their_files_say(
    farm: Callable[..., Ended], swept: Swept, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = partial(written, asks="Which rules follow from")
    models = ("mistral:7b", ScriptedModel("llama3.1:8b", reply=other), "nomic-embed-text", "bge-m3")
    corpus, size = ROOT / "datasets" / "organic-farming" / "corpus", ("--chunk-size", 1024, "--chunk-overlap", 50)
    with OllamaServer(models=models, reply=written) as server:
        monkeypatch.setenv("PASSER_OLLAMA_URL", server.url)
        for embedding in ("embedded", "ollama/nomic-embed-text", "ollama/bge-m3"):
            monkeypatch.setenv("PASSER_EMBEDDING", embedding)
            done = farm("ingest", f"handbook-{embedding.replace('/', '-')}", home / "documents", *size)
            assert done.status == 0, done.err
        embedded = swept("ablation-embedding.yaml", dataset="farm")
        used = {run["config"]["collection"] for run in farm("show", embedded["id"], "--json").json["runs"]}
        assert used == {"handbook-embedded", "handbook-ollama-nomic-embed-text", "handbook-ollama-bge-m3"}
        assert {run["state"] for run in embedded["runs"]} == {"finished"}

        monkeypatch.setenv("PASSER_EMBEDDING", "embedded")
        assert farm("ingest", "handbook", corpus / "seeds.md", corpus / "apiculture.md").status == 0
        # The scripted judge says the first grade of each scale, which is 0 for answerability.
        writers = ("--model", "ollama/mistral:7b", "--model", "ollama/llama3.1:8b", "--limit", "answerability=off")
        draft = farm("draft", "start", "handbook", *writers, "--target", 8, "--json")
        assert draft.status == 0, draft.err
        assert farm("draft", "finish", draft.json["assessment"]["id"], "--as", "handbook-drafted").status == 0
        asked = swept("ablation-question-writers.yaml")
    runs = [run["id"] for run in asked["runs"]]
    assert len(runs) == 2
    origins = farm("origins", *runs, "--metric", "F1 Score", "--json")
    assert origins.status == 0, origins.err
    # Each model answered the questions of both.
    said = json.dumps(origins.json)
    assert all(said.count(f'"{name}"') > 1 for name in ("mistral:7b", "llama3.1:8b")), said

    domains = ("organic-farming", "biodiversity-policy")
    for name in domains:
        lines = (ROOT / "datasets" / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()[:8]
        questions = tmp_path / "questions.jsonl"
        questions.write_text("\n".join(lines), encoding="utf-8")
        assert farm("ingest", name, *sorted((ROOT / "datasets" / name / "corpus").glob("*.md"))[:2]).status == 0
        assert farm("import", "dataset", questions, "--name", name).status == 0
    parts = [swept(f"ablation-domain-{number}.yaml")["id"] for number in (1, 2)]
    compared = farm("domains", *parts)
    assert compared.status == 0, compared.err
    assert "RQ3: differences in gain between domains" in compared.out
