"""Experiment files: what they become, and the sentence for everything that is wrong with one."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from passer.adapters.experiments.reader import load_experiment
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy, PublishedScorePolicy, ScorePolicy
from passer.domain.retrieval.passages import Chunking
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConfigError

HEAD = "name: S\ndataset: farm\ncollection: books\n"
MISTRAL = Model(provider="ollama", name="mistral:7b")


@pytest.fixture
def load(tmp_path: Path):
    def loaded(text: str, head: str = HEAD, **environment: str) -> Sweep:
        path = tmp_path / "study.yaml"
        path.write_text(head + text, encoding="utf-8")
        return load_experiment(path, environment)

    return loaded


def expected(axes: Axes | None = None, **given: object) -> Sweep:
    config = RunConfig(dataset="farm", collection="books", **given.pop("config", {}))
    return Sweep(name="S", config=config, axes=axes or Axes(), **given)


def test_a_file_without_axes_is_one_run(load):
    assert load("") == expected()
    assert load(
        "model: ollama/mistral:7b\ntemperature: 0\nnum_ctx: 8192\nquestions: 60\nno_passages: ask\n"
        "passage_order: document\n"
    ) == expected(
        config={
            "model": MISTRAL,
            "options": GenerationOptions(temperature=0, num_ctx=8192),
            "questions": 60,
            "no_passages": "ask",
            "passage_order": "document",
        }
    )


def test_lists_are_axes(load):
    found = load(
        "model: [ollama/mistral:7b, {provider: openai, name: m, base_url: 'http://127.0.0.1:1/v1'}]\n"
        "temperature: [0, 0.5]\nprompt: [default, cited]\nrepeat: 3\n"
    )
    other = Model(provider="openai", name="m", base_url="http://127.0.0.1:1/v1")
    axes = Axes(model=(MISTRAL, other), temperature=(0, 0.5), prompt=("default", "cited"), repeat=3)
    assert found == expected(axes, config={"model": MISTRAL, "options": GenerationOptions(temperature=0)})
    assert found.size == 2 * 2 * 2 * 3


def test_embedding_models_and_chunkings_are_axes_of_collections(load):
    found = load(
        "embedding: [embedded, ollama/mistral]\n"
        "chunking: [{chunk_size: 512, chunk_overlap: 50}, {chunk_size: 128, chunk_overlap: 16, unit: tokens}]\n"
    )
    small = Chunking(chunk_size=128, chunk_overlap=16, unit="tokens")
    assert found.axes.embedding == ("embedded", "ollama/mistral")
    assert found.axes.chunking == (Chunking(chunk_size=512), small)
    assert len({config.collection for config, _ in found.configurations()}) == 4
    assert load("embedding: embedded\nchunking: {chunk_size: 512}\n").collections()[0].name == "books"


@pytest.mark.parametrize(
    "text",
    [
        "retrieval: {mode: score, min_similarity: {start: 0.5, stop: 0.6, step: 0.05}, max_k: 50, k_increment: 4}\n",
        "retrieval: {mode: score, minSimilarityScore: [0.5, 0.55, 0.6], maxK: 50, kIncrement: 4}\n",
        "retrieval:\n- {mode: score, min_similarity: [0.5, 0.55], max_k: 50, k_increment: 4}\n"
        "- {mode: score, min_similarity: 0.6, max_k: 50, k_increment: 4}\n",
    ],
)
def test_thresholds_as_a_range_a_list_and_under_the_published_names(load, text):
    found = load(text + "baseline: {mode: normal, k: 100}\n")
    assert found == expected(
        Axes(min_similarity=(0.5, 0.55, 0.6)), baseline=NormalPolicy(k=100), max_k=50, k_increment=4
    )
    assert found.policies()[1] == (ScorePolicy(min_similarity=0.5, max_k=50, k_increment=4), False)


def test_numbers_of_passages_are_an_axis_too(load):
    assert load("retrieval: {mode: normal, k: [5, 10]}\n") == expected(Axes(k=(5, 10)))
    assert load("retrieval: {mode: normal, k: 7}\n") == expected(config={"retrieval": NormalPolicy(k=7)})


def test_one_policy_beside_a_baseline_is_an_arm_and_not_lost(load):
    found = load("retrieval: {mode: score, min_similarity: 0.5}\nbaseline: {mode: none}\n")
    assert found.policies() == [(NoRetrievalPolicy(), True), (ScorePolicy(min_similarity=0.5), False)]


def test_policies_of_different_kinds_stand_side_by_side(load):
    found = load(
        "retrieval:\n- {mode: none}\n"
        "- {mode: published-score, minSimilarityScore: {start: 0.5, stop: 0.6, step: 0.1}}\n"
        "- {mode: score, min_similarity: 0.5, max_k: [10, 20]}\n"
    )
    assert [policy for policy, _ in found.policies()] == [
        NoRetrievalPolicy(),
        PublishedScorePolicy(min_distance=0.5),
        PublishedScorePolicy(min_distance=0.6),
        ScorePolicy(min_similarity=0.5, max_k=10),
        ScorePolicy(min_similarity=0.5, max_k=20),
    ]


def test_a_sweep_as_http_takes_it_is_read_as_well(load):
    text = (
        "name: S\nconfig: {dataset: farm, collection: books}\nbaseline: {mode: normal, k: 2}\nmaxK: 50\n"
        "axes:\n  thresholds: {start: 0.3, stop: 0.4, step: 0.1}\n"
    )
    assert load(text, head="") == expected(Axes(min_similarity=(0.3, 0.4)), baseline=NormalPolicy(k=2), max_k=50)


def test_variables_come_from_the_environment(load):
    text = "model: {provider: openai, name: m, base_url: 'http://${HOST}:${PORT}/v1'}\n"
    found = load(text, HOST="127.0.0.1", PORT="8080")
    assert found.config.model.base_url == "http://127.0.0.1:8080/v1"
    with pytest.raises(
        ConfigError, match=r"study\.yaml: model\.base_url needs the environment variable HOST, which is not set\."
    ):
        load(text, PORT="8080")


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefghi")
)
WRONG = {
    "an unknown key": ("temprature: 0.2\n", "unknown key temprature. Did you mean temperature?", "temprature"),
    "an unknown key of a model": (
        "model: {provider: ollama, nam: x}\n",
        "unknown key model.nam. Did you mean name?",
        "model.nam",
    ),
    "an unknown key of a policy": (
        "retrieval: {mode: score, min_similarty: 0.5}\n",
        "unknown key retrieval.min_similarty. Did you mean min_similarity?",
        "retrieval.min_similarty",
    ),
    "a superfluous key of a policy": (
        "retrieval: {mode: normal, k: 5, maxk: 9}\n",
        "unknown key retrieval.maxk. Did you mean max_k?",
        "retrieval.maxk",
    ),
    "a key of another policy, in a list": (
        "retrieval: [{mode: none}, {mode: normal, min_similarity: 0.5}]\n",
        "unknown key retrieval.1.min_similarity",
        "retrieval.1.min_similarity",
    ),
    "a policy without a mode": ("retrieval: {k: 5}\n", "retrieval.mode must be one of normal, score", "retrieval.mode"),
    "an unknown mode": ("baseline: {mode: best}\n", "baseline.mode must be one of normal, score", "baseline.mode"),
    "a value out of range": (
        "temperature: [0.2, 9]\n",
        "temperature.1: The value must be at most 2.",
        "temperature.1",
    ),
    "a threshold out of range": (
        "retrieval: {mode: score, min_similarity: [0.5, 1.5]}\n",
        "retrieval.min_similarity: The value must be at most 1.",
        "retrieval.min_similarity",
    ),
    "a word for a number": ("num_ctx: many\n", "num_ctx: The value must be a whole number", "num_ctx"),
    "a list where there is one": ("num_ctx: [1000, 2000]\n", "num_ctx accepts one value. Only model", "num_ctx"),
    "an empty list": ("model: []\n", "model is empty", "model"),
    "a range that goes down": (
        "retrieval: {mode: score, min_similarity: {start: 0.9, stop: 0.5, step: 0.1}}\n",
        "retrieval.min_similarity needs start, stop and step: numbers in ascending order",
        "retrieval.min_similarity",
    ),
    "a range with a key too many": (
        "retrieval: {mode: score, min_similarity: {start: 0.5, stop: 0.6, stepp: 0.1}}\n",
        "needs start, stop and step",
        "retrieval.min_similarity",
    ),
    "an overlap that does not fit": (
        "chunking: {chunk_size: 64, chunk_overlap: 64}\n",
        "chunking.0: chunk_overlap must be smaller than chunk_size.",
        "chunking.0",
    ),
    "a policy that is none": (
        "retrieval: normal\n",
        "retrieval must be a retrieval setting, e.g. {mode: normal, k: 10}",
        "retrieval",
    ),
    "a key twice": ("temperature: 0\nseed: 1\ntemperature: 1\n", "temperature occurs twice", "temperature"),
    "a NUL": ('prompt: "a\\0b"\n', "prompt: The text contains the character NUL (U+0000)", "prompt"),
    "too many": (
        "repeat: 100\ntemperature: {start: 0, stop: 2, step: 0.01}\n",
        "a sweep can have at most 10\u202f000 configurations",
        None,
    ),
    "no YAML": ("model: [\n", "The file is not valid YAML (line 5, column 1: ", None),
    "anchors that repeat without end": (BOMB, "it contains more than 10\u202f000 values", None),
    "a value within itself": ("retrieval: &a [*a]\n", "it contains more than 10\u202f000 values", None),
    "a tiny step": (
        "retrieval: {mode: score, min_similarity: {start: 0, stop: 1, step: 1e-9}}\n",
        "numbers in ascending order, at most 1\u202f000 values",
        "retrieval.min_similarity",
    ),
    "an endless range": (
        "retrieval: {mode: score, min_similarity: {start: 0, stop: .inf, step: 0.1}}\n",
        "numbers in ascending order",
        "retrieval.min_similarity",
    ),
    "a date that is none": ("seed: 2001-99-99\n", "is not valid YAML", None),
    "a key that is a list": ("? [a, b]\n: 1\n", "is not valid YAML", None),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_sentence_with_file_and_key(load, name):
    text, message, field = WRONG[name]
    with pytest.raises(ConfigError) as caught:
        load(text)
    assert "study.yaml: " in caught.value.message
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.field == field


def test_what_is_no_sweep_at_all(load, tmp_path):
    with pytest.raises(ConfigError, match="does not describe a sweep"):
        load("- a\n- b\n", head="")
    with pytest.raises(ConfigError, match="dataset: This field is required"):
        load("name: S\ncollection: books\n", head="")
    with pytest.raises(ConfigError, match=r"absent\.yaml: The file cannot be read \(No such file"):
        load_experiment(tmp_path / "absent.yaml", {})
    with pytest.raises(ConfigError, match=r"config\.temprature\. Did you mean temperature\?"):
        load("name: S\nconfig: {dataset: farm, collection: books, temprature: 1}\n", head="")
    with pytest.raises(ConfigError, match=r"config\.options\.temperature: The value must be at most"):
        load("name: S\nconfig: {dataset: farm, collection: books, options: {temperature: 9}}\n", head="")
