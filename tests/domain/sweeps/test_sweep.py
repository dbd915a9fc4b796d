"""Sweeps: how axes combine, how collections are named, which seeds repeats have."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model, Provider, model_of
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy, ScorePolicy
from passer.domain.retrieval.passages import Chunking, Collection, EmbeddingModel
from passer.domain.retrieval.planned_collection import PlannedCollection
from passer.domain.sweeps.axes import Axes, threshold_range
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConfigError

MISTRAL = Model(provider="ollama", name="mistral:7b")
LLAMA = Model(provider="ollama", name="llama3.1:8b")


def sweep(baseline: object = None, max_k: int = 100, config: dict | None = None, **axes: object) -> Sweep:
    given = {"dataset": "farm", "collection": "books", **(config or {})}
    return Sweep(name="S", config=RunConfig(**given), axes=Axes(**axes), baseline=baseline, max_k=max_k)


def test_thresholds_combine_with_models_each_with_its_own_baseline_first():
    found = sweep(NormalPolicy(k=3), model=(MISTRAL, LLAMA), min_similarity=(0.5, 0.6)).configurations()
    assert [(config.model.name, config.retrieval.label, baseline) for config, baseline in found] == [
        ("mistral:7b", "Top-k 3", True),
        ("mistral:7b", "Similarity ≥ 0.50", False),
        ("mistral:7b", "Similarity ≥ 0.60", False),
        ("llama3.1:8b", "Top-k 3", True),
        ("llama3.1:8b", "Similarity ≥ 0.50", False),
        ("llama3.1:8b", "Similarity ≥ 0.60", False),
    ]


def test_k_thresholds_and_whole_policies_are_arms_side_by_side_and_the_baseline_is_not_repeated():
    found = sweep(
        NormalPolicy(k=5), max_k=50, k=(5, 10), min_similarity=(0.5,), retrieval=(NoRetrievalPolicy(),)
    ).policies()
    assert found == [
        (NormalPolicy(k=5), True),
        (NormalPolicy(k=10), False),
        (ScorePolicy(min_similarity=0.5, max_k=50), False),
        (NoRetrievalPolicy(), False),
    ]


def test_a_sweep_without_axes_is_one_run():
    assert sweep().configurations() == [(RunConfig(dataset="farm", collection="books"), False)]


@given(
    models=st.integers(0, 3), temperatures=st.integers(0, 3), prompts=st.integers(0, 2), ks=st.integers(0, 3),
    chunkings=st.integers(0, 3), embeddings=st.integers(0, 2), repeat=st.integers(1, 3), baseline=st.booleans(),
)  # fmt: skip
def test_the_size_is_the_number_of_configurations_and_they_all_differ(
    models, temperatures, prompts, ks, chunkings, embeddings, repeat, baseline
):
    built = sweep(
        NormalPolicy(k=999) if baseline else None,
        model=tuple(Model(provider="ollama", name=f"m{n}") for n in range(models)),
        temperature=tuple(n / 2 for n in range(temperatures)),
        prompt=tuple(f"p{n}" for n in range(prompts)),
        k=tuple(range(1, ks + 1)),
        chunking=tuple(Chunking(chunk_size=100 + n) for n in range(chunkings)),
        embedding=tuple(f"ollama/e{n}" for n in range(embeddings)),
        repeat=repeat,
    )
    found = [config.digest for config, _ in built.configurations()]
    assert len(set(found)) == len(found) == built.size
    assert {config.collection for config, _ in built.configurations()} == {each.name for each in built.collections()}


def test_the_rule_of_the_verdict_is_recorded_only_where_it_is_given():
    plain = sweep(NormalPolicy(), k=(1,))
    assert not {"primary", "margin", "alpha"} & set(plain.model_dump(mode="json"))
    ruled = Sweep(**{**plain.model_dump(), "primary": "F1 Score", "margin": 0.05, "alpha": 0.1})
    assert (ruled.primary, ruled.margin, ruled.alpha) == ("F1 Score", 0.05, 0.1)
    with pytest.raises(ValidationError, match="“F1” is not a metric: choose CPS or one of METEOR"):
        Sweep(**{**plain.model_dump(), "primary": "F1"})
    with pytest.raises(ValidationError, match="number of the first or the second look"):
        Sweep(**{**plain.model_dump(), "looks": {"first": 60, "second": 140}})


def test_a_model_may_have_a_context_window_of_its_own():
    config = RunConfig(dataset="farm", collection="books")
    base = {"name": "S", "config": config, "axes": {"model": (MISTRAL, LLAMA)}}
    own = Sweep.model_validate({**base, "windows": [{"model": LLAMA, "num_ctx": 32_768}]})
    windows = {found.model: found.options.num_ctx for found, _ in own.configurations()}
    assert windows == {MISTRAL: config.options.num_ctx, LLAMA: 32_768}
    assert "windows" not in Sweep.model_validate(base).model_dump(), "older sweeps keep their digests"
    other = {"provider": "ollama", "name": "other"}
    with pytest.raises(ValidationError, match="does not compare the model other"):
        Sweep.model_validate({**base, "windows": [{"model": other, "num_ctx": 512}]})
    with pytest.raises(ValidationError, match="has two context windows"):
        Sweep.model_validate({**base, "windows": [{"model": LLAMA, "num_ctx": size} for size in (512, 1024)]})


def test_a_sweep_that_is_too_large_is_refused_before_it_is_expanded():
    with pytest.raises(ValidationError, match="at most 10\u202f000 configurations"):
        sweep(k=tuple(range(1, 1001)), temperature=tuple(n / 100 for n in range(200)), repeat=100)


def test_one_value_keeps_the_collections_name_and_says_what_it_must_be_bound_to():
    [planned] = sweep(embedding=("ollama/mistral",), chunking=(Chunking(),)).collections()
    assert planned == PlannedCollection(name="books", embedding="ollama/mistral", chunking=Chunking())
    assert planned.command == (
        "PASSER_EMBEDDING=ollama/mistral passer ingest books DOCUMENTS --chunk-size 1024 --chunk-overlap 50"
    )
    [plain] = sweep().collections()
    assert plain.command == "passer ingest books DOCUMENTS"


def test_several_values_make_a_collection_each_named_after_what_is_varied():
    tokens = Chunking(chunk_size=128, chunk_overlap=16, unit="tokens")
    built = sweep(embedding=("embedded", "ollama/nomic-embed-text:v1.5"), chunking=(Chunking(), tokens))
    assert [planned.name for planned in built.collections()] == [
        "books-embedded-1024-50",
        "books-embedded-128-16t",
        "books-ollama-nomic-embed-text-v1-5-1024-50",
        "books-ollama-nomic-embed-text-v1-5-128-16t",
    ]
    assert [planned.label for planned in built.collections()][1] == "embedded 128/16 tokens"
    assert built.collections()[1].command.endswith("--chunk-size 128 --chunk-overlap 16 --unit tokens")


def test_a_name_that_is_too_long_is_cut_and_stays_distinct_and_fit_for_chroma():
    folders = tuple(f"/models/{'long' * 12}/version-{n}" for n in range(3))
    names = [planned.name for planned in sweep(embedding=folders).collections()]
    assert len(set(names)) == 3
    for name in names:
        Collection(name=name, embedding=EmbeddingModel(name="e", digest="d", dimension=1))
    assert names == [planned.name for planned in sweep(embedding=folders).collections()]


def test_two_combinations_of_one_name_are_refused():
    with pytest.raises(ValidationError, match="two combinations of embedding and chunking"):
        sweep(embedding=("ollama/a:b", "ollama/a-b"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extractive", Model()),
        ("ollama/mistral:7b", MISTRAL),
        ("openai/gpt", Model(provider="openai", name="gpt")),
        ("mistral:7b", MISTRAL),
        ("library/some:1b", Model(provider="ollama", name="library/some:1b")),
        # As the page names it.
        ("extractive/extractive", Model()),
        ("ollama/embedded/extractive", Model(provider="ollama", name="embedded/extractive")),
    ],
)
def test_a_model_by_its_name(text, expected):
    assert model_of(text) == expected


@pytest.mark.parametrize("provider", [each for each in get_args(Provider) if each != "extractive"])
def test_every_provider_names_its_models(provider: str) -> None:
    assert model_of(f"{provider}/m").provider == model_of(f"{provider}@lab/m").provider == provider


@pytest.mark.parametrize(
    "text", ["embedded/extractive", "embedded/all-MiniLM-L6-v2", "extractive/other", "extractive@lab/m"]
)
def test_the_name_of_an_encoder_is_no_tag_of_ollama(text):
    with pytest.raises(ConfigError, match=f"{text} is not the name of a model that answers") as found:
        model_of(text)
    assert found.value.field == "model"


def test_a_range_holds_both_its_ends():
    assert threshold_range(start=0.5, stop=0.95, step=0.05) == (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
    assert threshold_range(start=0.5, stop=0.4, step=0.05) == ()
    assert threshold_range(start=0.5, stop=0.6, step=0) == ()


def seeds_of(seed: int, *, repeat: int, repeat_seeds: bool) -> list[int]:
    config = RunConfig(dataset="d", collection="c", options=GenerationOptions(seed=seed))
    sweep = Sweep(name="s", config=config, axes=Axes(repeat=repeat), repeat_seeds=repeat_seeds)
    return [config.options.seed for config, _ in sweep.configurations()]


def test_each_repeat_of_a_new_sweep_has_a_seed_of_its_own_modulo_31_bits():
    assert seeds_of(42, repeat=3, repeat_seeds=True) == [42, 43, 44]
    assert seeds_of(2**31 - 2, repeat=4, repeat_seeds=True) == [2147483646, 2147483647, 0, 1]
    assert seeds_of(42, repeat=3, repeat_seeds=False) == [42, 42, 42], "sweeps from before keep theirs"


def test_repeats_with_seeds_of_their_own_have_their_first_repeat_in_common():
    config = RunConfig(dataset="d", collection="c", options=GenerationOptions(seed=2**31 - 1))
    sweep = Sweep(name="s", config=config, axes=Axes(repeat=3), repeat_seeds=True)
    configs = [config for config, _ in sweep.configurations()]
    assert {each.first_repeat.digest for each in configs} == {configs[0].digest}
    alone = sweep.model_copy(update={"axes": Axes()})
    assert alone.configurations()[0][0].digest == config.digest, "one repeat is as before"


def test_a_judge_needs_a_judged_column_and_no_looks() -> None:
    given = {"name": "S", "config": {"dataset": "farm", "collection": "books"}, "judge": LLAMA}
    assert Sweep(**given, primary="Faithfulness").models == (Model(), LLAMA)
    for more in ({}, {"primary": "CPS"}, {"primary": "METEOR"}):
        with pytest.raises(ValidationError, match="a judge needs a judged column as primary metric"):
            Sweep(**given, **more)
    with pytest.raises(ValidationError, match="a judged column needs a judge"):
        Sweep(**{**given, "judge": None}, primary="Faithfulness")
    looked = {"config": {**given["config"], "questions": 20}, "looks": {"first": 20, "second": 40}}
    with pytest.raises(ValidationError, match="leave the looks or the judge out"):
        Sweep(**{**given, **looked}, primary="Faithfulness")
