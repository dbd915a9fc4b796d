"""Sweeps: how axes combine, how collections are named, what is warned of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from passer.domain.axes import Axes, threshold_range
from passer.domain.cautions import cautions, language_cautions, mismatch
from passer.domain.decoding import GenerationOptions
from passer.domain.model import Model, model_of
from passer.domain.planned_collection import PlannedCollection
from passer.domain.preview import Quantiles, prompt_tokens, proposed_range, quantiles
from passer.domain.retrieval import (
    Chunking,
    Collection,
    EmbeddingModel,
    NoRetrievalPolicy,
    NormalPolicy,
    ScorePolicy,
)
from passer.domain.run import RunConfig
from passer.domain.sweep import Sweep

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
    with pytest.raises(ValidationError, match="'F1' is not a metric: choose CPS or one of METEOR"):
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
    with pytest.raises(ValidationError, match="at most 10,000 configurations"):
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
    ],
)
def test_a_model_by_its_name(text, expected):
    assert model_of(text) == expected


def test_a_range_holds_both_its_ends():
    assert threshold_range(start=0.5, stop=0.95, step=0.05) == (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
    assert threshold_range(start=0.5, stop=0.4, step=0.05) == ()
    assert threshold_range(start=0.5, stop=0.6, step=0) == ()


def bound(name: str = "books", embedding: str = "ollama/mistral:latest", **chunking: int) -> Collection:
    model = EmbeddingModel(name=embedding, digest="d", dimension=4)
    return Collection(name=name, embedding=model, chunking=Chunking(**chunking))


def test_a_collection_that_is_bound_otherwise_is_named():
    wanted = PlannedCollection(name="books", embedding="ollama/mistral", chunking=Chunking(chunk_size=512))
    assert mismatch(wanted, None) is None
    assert mismatch(wanted, bound(chunk_size=512)) is None
    assert "has passages of 1\u202f024 characters" in str(mismatch(wanted, bound()))
    other = bound(embedding="embedded/all-MiniLM-L6-v2", chunk_size=512)
    assert "uses the embedding model embedded/all-MiniLM-L6-v2" in str(mismatch(wanted, other))
    assert mismatch(PlannedCollection(name="books", embedding="embedded"), other) is None


def warned(built: Sweep, *collections: Collection) -> str:
    return "\n".join(cautions(built, bound={collection.name: collection for collection in collections}))


def test_passages_that_cannot_fit_the_window_are_warned_of_with_their_real_size():
    """100 x 1,024 characters / 4 = 25,600 tokens; 100 x 100 / 4 = 2,500, and with 512 for the answer below 4,096."""
    built = sweep(NormalPolicy(k=100), config={"model": MISTRAL})
    assert (
        "100 passages of 1\u202f024 characters are about 25\u202f600 tokens and do not fit num_ctx 4\u202f096"
        in warned(built)
    )
    assert "do not fit" not in warned(built, bound(chunk_size=100))
    roomy = {"model": MISTRAL, "options": GenerationOptions(num_ctx=26_112)}
    assert "do not fit" not in warned(sweep(NormalPolicy(k=100), config=roomy))
    assert "do not fit" not in warned(sweep(NormalPolicy(k=100)))


def test_an_embedding_model_that_is_also_evaluated_is_warned_of():
    built = sweep(NormalPolicy(k=1), model=(MISTRAL, LLAMA), embedding=("ollama/mistral",))
    assert "mistral:7b is compared on passages retrieved with its own embeddings (mistral)" in warned(built)
    assert "llama3.1:8b is evaluated" not in warned(built)
    plain = sweep(NormalPolicy(k=1), model=(MISTRAL, LLAMA))
    assert "its own embeddings" not in warned(plain)
    assert "its own embeddings" in warned(plain, bound()), "what the collection is bound to counts"


def test_axes_that_change_nothing_and_a_missing_baseline_are_warned_of():
    assert "ignores these settings: temperature and repeat" in warned(
        sweep(NormalPolicy(), temperature=(0, 1), repeat=2)
    )
    assert "All 3 repetitions use seed" in warned(sweep(NormalPolicy(), model=(MISTRAL, LLAMA), repeat=3))
    assert "There is no baseline" in warned(sweep(min_similarity=(0.5, 0.6)))
    assert warned(sweep(NormalPolicy(k=2), min_similarity=(0.5, 0.6))) == ""


def test_scores_made_for_english_are_warned_of_in_another_language():
    built = sweep(NormalPolicy(k=2), min_similarity=(0.5, 0.6))
    (caution,) = cautions(built, bound={}, language="bg")
    assert "in language “bg”" in caution
    assert "METEOR matches equal words only" in caution
    for language in ("en", "en-GB", "EN_us"):
        assert cautions(built, bound={}, language=language, references=("Soil “holds” water.",)) == ()


def test_the_texts_raise_the_caution_whatever_the_tag_says():
    references = ("Почвата пази водата.", "土壤保持水分", "Soil holds water.")
    letters, spaces, encoder = language_cautions(references, language="en")
    assert letters.startswith("2 of 3 references contain letters beyond ASCII (Cyrillic, Han).")
    assert spaces.startswith("1 of 3 references are in a script without spaces")
    assert "columns of a multilingual encoder instead" in spaces
    assert "The built-in encoder was trained on English." in encoder
    assert [line.message.code for line in language_cautions(references[:1], language="bg")] == [
        "caution.other-letters",
        "caution.not-english",
    ]


def test_quantiles_by_hand():
    """Of 0, .25, .5, .75, 1: linear between neighbours, so that 5 % lies a fifth of the way to the second."""
    assert quantiles([1, 0.5, 0, 0.75, 0.25]) == Quantiles(p05=0.05, p25=0.25, p50=0.5, p75=0.75, p95=0.95)
    assert quantiles([]) is None


def spread(median: float) -> Quantiles:
    return Quantiles(p05=median, p25=median, p50=median, p75=median, p95=median)


@pytest.mark.parametrize(
    ("far", "near", "expected"),
    [
        (0.31, 0.58, (0.3, 0.6, 0.05)),  # 16 values at .02 are too many, 7 at .05 are not
        (0.50, 0.61, (0.5, 0.61, 0.01)),  # both on the grid: 12 values
        (0.50, 0.62, (0.5, 0.62, 0.02)),  # 13 at .01
        (-0.2, 0.95, (-0.2, 1.0, 0.2)),  # 13 at .1
        (0.5, 0.5, (0.5, 0.5, 0.01)),
    ],
)
def test_the_proposed_range_lies_between_the_medians_on_a_round_grid(far, near, expected):
    found = proposed_range(nearest=spread(near), tenth=spread(far))
    assert found is not None
    assert (found.start, found.stop, found.step) == expected
    values = threshold_range(start=found.start, stop=found.stop, step=found.step)
    assert 1 <= len(values) <= 12


def test_no_range_is_proposed_from_nothing():
    assert proposed_range(nearest=None, tenth=None) is None


def test_prompts_over_the_room_are_counted():
    found = prompt_tokens([10, 20, 60], room=20)
    assert found is not None
    assert (found.mean, found.most, found.overflowing) == (30.0, 60, 1)
    assert prompt_tokens([], room=20) is None


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
