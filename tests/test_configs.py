"""Every experiment that is shipped is valid, and has the counts that it states."""

from __future__ import annotations

import json
import re
import sys

import pytest
import yaml
from jsonschema import Draft202012Validator

from passer.adapters.experiments.reader import load_experiment
from passer.adapters.experiments.schema import experiment_schema
from passer.cli import main
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Chunking
from tests.conftest import ROOT

CONFIGS = ROOT / "configs"
FILES = sorted(path.name for path in CONFIGS.glob("*.yaml"))
SCHEMA = json.loads((CONFIGS / "experiment.schema.json").read_text(encoding="utf-8"))
SMALL = ["mistral:7b", "llama2:7b", "orca2:7b"]
LARGE = ["mistral:latest", "granite3.2:8b", "deepseek-r1:8b", "llama3.1:8b"]
LOW = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]
ALL = [*LOW, 0.85, 0.9, 0.95]
PUBLISHED = [
    ("published-phase-1.yaml", 446, 1_338, SMALL, [], None),
    ("published-phase-2.yaml", 101, 2_121, SMALL, LOW, None),
    ("published-phase-3.yaml", 369, 16_236, LARGE, ALL, NormalPolicy(k=100)),
    ("published-phase-3.yaml", 371, 16_324, LARGE, ALL, NormalPolicy(k=100)),
    ("published-phase-4.yaml", 426, 18_744, LARGE, ALL, NormalPolicy(k=100)),
]

ABLATIONS = {
    "ablation-embedding.yaml": (3 * 3, 3),  # k 5, 3 and 10 for each embedding; collections
    "ablation-chunking.yaml": (4 * 4, 4),
    "ablation-question-writers.yaml": (2, 1),
    "ablation-hardware.yaml": (3, 1),  # repeats
    "ablation-domain-1.yaml": (5, 1),
    "ablation-domain-2.yaml": (5, 1),
}


def test_the_schema_is_the_one_that_the_models_make():
    assert experiment_schema() == SCHEMA, (
        "run: python -m passer.adapters.experiments.schema > configs/experiment.schema.json"
    )
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", FILES)
def test_every_experiment_is_valid_and_names_its_schema(name):
    text = (CONFIGS / name).read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=experiment.schema.json\n")
    load_experiment(CONFIGS / name, {})
    Draft202012Validator(SCHEMA).validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    "wrong",
    [
        {"temprature": 1},
        {"temperature": [0.2, 9]},
        {"temperature": []},
        {"retrieval": {"mode": "best"}},
        {"retrieval": {"k": 5}},
        {"retrieval": {"mode": "score", "min_similarity": {"start": 0.5, "stop": 0.6}}},
        {"chunking": [{"chunk_size": 1}]},
        {"model": {"provider": "nobody"}},
        {"num_ctx": [1000, 2000]},
    ],
)
def test_an_editor_sees_what_is_wrong(wrong):
    validator, head = Draft202012Validator(SCHEMA), {"name": "S", "dataset": "d", "collection": "c"}
    assert validator.is_valid(head)
    assert not validator.is_valid({**head, **wrong})


@pytest.mark.parametrize(
    "right",
    [
        {"retrieval": {"mode": "score", "minSimilarityScore": [0.5, 0.6], "maxK": 10, "kIncrement": 2}},
        {
            "retrieval": [
                {"mode": "none"},
                {"mode": "published-score", "min_distance": {"start": 0, "stop": 1, "step": 1}},
            ]
        },
        {"model": ["ollama/a", {"provider": "openai", "name": "b"}], "embedding": ["embedded"], "repeat": 3},
    ],
)
def test_an_editor_takes_what_is_right(right):
    Draft202012Validator(SCHEMA).validate({"name": "S", "dataset": "d", "collection": "c", **right})


@pytest.mark.parametrize(("name", "questions", "evaluations", "models", "thresholds", "baseline"), PUBLISHED)
def test_the_published_phases_are_those_of_the_publication(name, questions, evaluations, models, thresholds, baseline):
    sweep = load_experiment(CONFIGS / name, {})
    assert sweep.size * questions == evaluations
    assert [model.name for model in sweep.axes.model] == models
    assert {model.provider for model in sweep.axes.model} == {"ollama"}
    assert list(sweep.axes.min_similarity) == thresholds
    assert sweep.baseline == baseline
    assert sweep.config.options.temperature == 0.2
    assert (sweep.axes.embedding, sweep.axes.chunking) == (("ollama/mistral",), (Chunking(),))
    assert {policy.depth for policy, _ in sweep.policies()} == {100}
    if "phase-4" in name:
        assert sweep.config.options.num_ctx == 16_000


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_ablation_varies_what_it_names(name):
    sweep = load_experiment(CONFIGS / name, {})
    assert (sweep.size, len(sweep.collections())) == ABLATIONS[name]


@pytest.mark.parametrize("name", ABLATIONS)
def test_an_ablation_is_planned_before_its_collections_exist(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PASSER_HOME", str(tmp_path))
    arguments = ["sweep", str(CONFIGS / name), "--plan", "--questions", "10"]
    monkeypatch.setattr(sys, "argv", ["passer", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    printed = capsys.readouterr().out
    assert f"x 10 questions = {10 * ABLATIONS[name][0]} evaluations" in printed
    for collection in load_experiment(CONFIGS / name, {}).collections():
        assert f"The collection {collection.name} does not exist. Create it with" in printed


def test_every_ablation_is_held():
    assert {name for name in FILES if name.startswith("ablation")} == set(ABLATIONS)


@pytest.mark.parametrize(("name", "questions", "evaluations"), [row[:3] for row in PUBLISHED])
def test_the_command_line_prints_the_counts_without_a_dataset(
    name, questions, evaluations, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("PASSER_HOME", str(tmp_path))
    arguments = ["sweep", str(CONFIGS / name), "--plan", "--questions", str(questions)]
    monkeypatch.setattr(sys, "argv", ["passer", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    printed = capsys.readouterr().out
    assert f"x {questions} questions = {evaluations:,} evaluations".replace(",", "\u202f") in printed
    collection = name.removesuffix(".yaml")
    command = (
        f"PASSER_EMBEDDING=ollama/mistral passer ingest {collection} DOCUMENTS --chunk-size 1024 --chunk-overlap 50"
    )
    assert f"The collection {collection} does not exist. Create it with `{command}`" in printed


@pytest.mark.parametrize("name", FILES)
def test_the_commands_in_a_file_name_it_and_what_it_needs(name):
    text = (CONFIGS / name).read_text(encoding="utf-8")
    sweep = load_experiment(CONFIGS / name, {})
    assert set(re.findall(r"configs/(\S+\.yaml)", text)) == {name}
    for planned in sweep.collections():
        if planned.embedding:
            assert planned.command in text
    for model in sweep.axes.model:
        assert model.name in " ".join(line for line in text.splitlines() if "ollama pull" in line)
    stated = re.search(r"= ([\d,]+) answers", text)
    if stated:
        counts = {f"{row[2]:,}" for row in PUBLISHED if row[0] == name}
        assert set(re.findall(r"(?:=|gives) ([\d,]+\d)", text)) == counts
