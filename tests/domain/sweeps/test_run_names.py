"""Names of runs, and the names that earlier versions gave."""

from __future__ import annotations

import pytest

from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import (
    GapPolicy,
    NoRetrievalPolicy,
    NormalPolicy,
    PublishedScorePolicy,
    RelativePolicy,
    RetrievalPolicy,
    ScorePolicy,
)
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.refinements import CrossEncoder, PassageJudge, Terms, Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked, Retriever, Rewritten
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.run_names import current_name, known_name, model_label, run_name
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import reading, shown

JUDGE = Model(provider="ollama", name="one:7b")


def in_bulgarian(name: str) -> str:
    with reading("bg"):
        return shown(name)


@pytest.mark.parametrize(
    ("cut", "stored", "said"),
    [
        (NormalPolicy(k=5), "Top-k 5", "Top-k 5"),
        (ScorePolicy(min_similarity=0.5), "Similarity ≥ 0.50", "Сходство ≥ 0,50"),
        (ScorePolicy(min_similarity=-0.5), "Similarity ≥ -0.50", "Сходство ≥ -0,50"),
        (NoRetrievalPolicy(), "No retrieval", "Без извличане"),
        (PublishedScorePolicy(min_distance=0.5), "Published score 0.50", "Публикуван праг 0,50"),
        (RelativePolicy(), "Relative ≥ 0.85", "Относително ≥ 0,85"),
        (GapPolicy(), "Largest gap of 20", "Най-голям спад сред 20"),
    ],
)
def test_a_cut_has_the_stored_english_name_and_one_in_the_readers_language(
    cut: RetrievalPolicy, stored: str, said: str
) -> None:
    config = RunConfig(dataset="farm", collection="books", retrieval=cut)
    name = run_name(Sweep(name="s", config=config), config, ModelInfo(name="m"))
    assert (name, shown(name), in_bulgarian(name)) == (stored, stored, said)


@pytest.mark.parametrize(
    ("retriever", "stored", "said"),
    [
        (Lexical(), "BM25", "BM25"),
        (Lexical(k1=1.5, analyser="english"), "BM25 (k1 1.5, English)", "BM25 (k1 1,5, английски)"),
        (Fused(of=(Dense(), Lexical())), "RRF (Dense, BM25)", "RRF (Векторно, BM25)"),
        (
            Rewritten(of=Dense(), by=Variations(judge=JUDGE, with_original=False)),
            "RAG-Fusion x4 without the question (Dense)",
            "RAG-Fusion x4 без въпроса (Векторно)",
        ),
        (Rewritten(of=Lexical(), by=Terms(name="law", terms={"a": ("b",)})), "Terms law (BM25)", "Термини law (BM25)"),
        (
            Reranked(of=Dense(), by=CrossEncoder(name="ms")),
            "Dense reranked by ms",
            "Векторно, пренаредено от ms",
        ),
        (
            Reranked(of=Lexical(), by=PassageJudge(judge=JUDGE)),
            "BM25 reranked by one:7b",
            "BM25, пренаредено от one:7b",
        ),
    ],
)
def test_a_retriever_in_a_name_is_said_in_the_readers_language(retriever: Retriever, stored: str, said: str) -> None:
    config = RunConfig(dataset="farm", collection="books", retriever=retriever)
    name = run_name(Sweep(name="s", config=config), config, ModelInfo(name="m"))
    assert (name, in_bulgarian(name)) == (f"Top-k 10, {stored}", f"Top-k 10, {said}")


def test_names_that_people_chose_stay_in_every_language() -> None:
    models = (Model(provider="ollama", name="No retrieval"), Model(provider="ollama", name="Dense"))
    config = RunConfig(
        dataset="farm", collection="books", model=models[0], retrieval=ScorePolicy(min_similarity=0.5), repeat=2
    )
    axes = Axes(
        model=models,
        prompt=("Top-k 0.5", "default"),
        temperature=(0, 0.2),
        chunking=(Chunking(chunk_size=512), Chunking(chunk_size=256)),
        repeat=2,
    )
    sweep = Sweep(name="s", config=config, axes=axes)
    chosen = config.model_copy(
        update={
            "collection": sweep.collections()[0].name,
            "prompt": "Top-k 0.5",
            "options": config.options.model_copy(update={"temperature": 0.2}),
        }
    )
    name = run_name(sweep, chosen, ModelInfo(name="No retrieval"))
    cut = f"512/{Chunking(chunk_size=512).chunk_overlap}"
    assert name == f"No retrieval, Similarity ≥ 0.50, {cut}, Top-k 0.5, T=0.2, #2"
    assert in_bulgarian(name) == f"No retrieval, Сходство ≥ 0,50, {cut}, Top-k 0.5, T=0,2, #2"


def test_a_stored_size_in_tokens_is_shown_in_the_language_of_the_reader() -> None:
    cuts = (Chunking(chunk_size=512, unit="tokens"), Chunking(chunk_size=256))
    config = RunConfig(dataset="farm", collection="books")
    sweep = Sweep(name="s", config=config, axes=Axes(chunking=cuts, embedding=("embedded/a", "ollama/b")))
    of_first = config.model_copy(update={"collection": sweep.collections()[0].name})
    stored = "Top-k 10, embedded/a 512/50 tokens"
    assert in_bulgarian(known_name(stored, sweep, of_first, None)) == "Top-k 10, embedded/a 512/50 токена"


def test_a_stored_name_has_parts_if_its_configuration_gives_it() -> None:
    config = RunConfig(dataset="farm", collection="books", retrieval=ScorePolicy(min_similarity=0.5))
    sweep = Sweep(name="s", config=config)
    for stored in ("Similarity ≥ 0.50", "Score >= 0.50"):
        name = known_name(stored, sweep, config, None)
        assert (name, in_bulgarian(name)) == ("Similarity ≥ 0.50", "Сходство ≥ 0,50")
    # The name of another configuration, or one that another program gave.
    for other in ("Similarity ≥ 0.60", "Ours, Similarity ≥ 0.50"):
        assert in_bulgarian(known_name(other, sweep, config, None)) == other


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Similarity >= 0.50", "Similarity ≥ 0.50"),
        ("Score >= 0.50", "Similarity ≥ 0.50"),
        ("Normal k=10", "Top-k 10"),
        ("Normal k=10, llama, Score >= 0.50", "Top-k 10, llama, Similarity ≥ 0.50"),
        ("Normal kernels", "Normal kernels"),
    ],
)
def test_a_configuration_is_found_by_the_name_that_earlier_versions_gave_it(typed: str, name: str) -> None:
    assert current_name(typed) == name == current_name(name)


def test_models_of_one_name_are_told_apart_by_their_server() -> None:
    def alike(connection: str) -> Model:
        return Model(provider="openai", name="One (8B)", connection=connection)

    other = Model(provider="ollama", name="Two")
    config = RunConfig(dataset="farm", collection="books")
    sweep = Sweep(name="s", config=config, axes=Axes(model=(alike("A"), other, alike("B"), alike("A")), repeat=2))

    def name(model: Model) -> str:
        return run_name(sweep, config.model_copy(update={"model": model}), ModelInfo(name=model.name))

    first, second = name(alike("A")), name(alike("B"))
    assert (first, second) == ("One (8B) (server 1), Top-k 10, #1", "One (8B) (server 2), Top-k 10, #1")
    assert in_bulgarian(second) == "One (8B) (сървър 2), Top-k 10, #1"
    assert name(other) == "Two, Top-k 10, #1"

    def label(run: str, model: str) -> str:
        return model_label(run, model, [each.name for each in sweep.axes.model])

    # The name is stored; earlier names say nothing, and a model may be called as if it were on a second server.
    assert label(second, "One (8B)") == "One (8B) (server 2)"
    assert label("One (8B), Top-k 10, #1", "One (8B)") == "One (8B)"
    assert label(name(other), "Two") == "Two"
    assert model_label("One (server 2), Top-k 10", "One (server 2)", ["One", "One (server 2)"]) == "One (server 2)"
    assert model_label("One (server 2)", "One", ["One", "One"]) == "One (server 2)"
    assert model_label("One (server 2), Top-k 10", "One", ["One"]) == "One"


def test_retrievers_of_one_label_are_told_apart_by_what_differs() -> None:
    def fusion(name: str) -> Rewritten:
        return Rewritten(of=Lexical(), by=Variations(judge=Model(provider="ollama", name=name)))

    fused = [Fused(of=(Dense(), Lexical()), k=k) for k in (60, 10)]
    nested = [Fused(of=(each, Lexical(b=0.1))) for each in fused]
    retrievers = (fusion("one:7b"), fusion("two:7b"), *fused, *nested, Lexical())
    config = RunConfig(dataset="farm", collection="books")
    sweep = Sweep(name="s", config=config, axes=Axes(retriever=retrievers))
    info = ModelInfo(name="m")
    names = [run_name(sweep, config.model_copy(update={"retriever": each}), info) for each in retrievers]
    both = "RRF (RRF (Dense, BM25), BM25 (b 0.1))"
    assert [name.removeprefix("Top-k 10, ") for name in names] == [
        *("RAG-Fusion x4 (BM25), one:7b", "RAG-Fusion x4 (BM25), two:7b"),
        *("RRF (Dense, BM25), k 60", "RRF (Dense, BM25), k 10", f"{both}, #1", f"{both}, #2", "BM25"),
    ]
    depths = [Reranked(of=Dense(), by=CrossEncoder(name="ms"), depth=depth) for depth in (10, 20)]
    axes = Axes(retriever=tuple(depths))
    name = run_name(Sweep(name="s", config=config, axes=axes), config.model_copy(update={"retriever": depths[1]}), info)
    assert name == "Top-k 10, Dense reranked by ms, depth 20"
    assert in_bulgarian(name) == "Top-k 10, Векторно, пренаредено от ms, дълбочина 20"
