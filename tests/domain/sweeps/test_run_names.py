"""Names of runs, and the names that earlier versions gave."""

from __future__ import annotations

import pytest

from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.refinements import Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Rewritten
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.run_names import current_name, model_label, run_name
from passer.domain.sweeps.sweep import Sweep


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
