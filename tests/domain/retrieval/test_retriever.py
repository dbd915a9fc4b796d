"""How passages are ranked is apart from how many of them are kept."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from passer.domain.base import digest_of
from passer.domain.retrieval.cuts import NormalPolicy, PublishedScorePolicy, RetrievalPolicy, ScorePolicy
from passer.domain.retrieval.ranking_source import RankingSource, question_digest
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, RankedBy
from passer.domain.retrieval.retriever_names import SHORTHANDS, retriever_of
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConfigError


def test_the_dense_retriever_is_the_default_and_changes_no_digest() -> None:
    plain = RunConfig(dataset="d", collection="c")
    said = RunConfig(dataset="d", collection="c", retriever=Dense())
    assert plain == said
    assert "retriever" not in said.model_dump()
    assert plain.digest == said.digest
    assert RunConfig.model_validate({"dataset": "d", "collection": "c", "retriever": {"form": "dense"}}) == plain


def test_its_names() -> None:
    assert (Dense().label, Dense().key, Dense().digest) == ("Dense", "dense", digest_of({"form": "dense"}))


def test_configurations_that_cut_differently_share_a_ranking() -> None:
    cuts = [NormalPolicy(k=3), ScorePolicy(min_similarity=0.5)]
    keys = {RunConfig(dataset="d", collection="c", retrieval=cut).ranked_by for cut in cuts}
    assert keys == {RankedBy("c", "dense")}
    assert RunConfig(dataset="d", collection="other").ranked_by not in keys


def test_a_source_is_one_version_under_one_retriever() -> None:
    one = RankingSource(version="v1")
    assert one.digest == RankingSource(version="v1", retriever=Dense()).digest
    assert one.digest != RankingSource(version="v2").digest


def test_a_question_is_known_by_its_text() -> None:
    # SHA-256 of the four letters, from FIPS 180 test tools.
    assert question_digest("abcd") == "88d4266fd4e6338d13b845fcf289579d209c897823b9217da3e161936f031589"


def test_labels_say_what_differs_from_the_defaults() -> None:
    hybrid = Fused(of=(Dense(), Lexical()))
    assert [each.label for each in (Lexical(), hybrid)] == ["BM25", "RRF (Dense, BM25)"]
    assert Lexical(k1=0.9, b=0.4, analyser="english").label == "BM25 (k1 0.9, b 0.4, English)"


def test_each_retriever_has_rankings_of_its_own() -> None:
    assert len({each.key for each in SHORTHANDS.values()}) == len(SHORTHANDS)
    assert len({Lexical(k1=1.2).key, Lexical(k1=1.3).key, Lexical(b=0.7).key}) == 3
    hybrid = Fused(of=(Dense(), Lexical()))
    assert hybrid.key == Fused(of=(Lexical(), Dense())).key, "merging does not depend on the order"
    assert len({hybrid.key, Fused(of=hybrid.of, k=10).key, Fused(of=hybrid.of, depth=50).key}) == 3


def test_retrievers_are_read_by_their_form_and_nest() -> None:
    given = {"form": "fused", "of": [{"form": "dense"}, {"form": "fused", "of": [{"form": "lexical"}] * 2}]}
    config = RunConfig.model_validate({"dataset": "d", "collection": "c", "retriever": given})
    assert config.retriever == Fused(of=(Dense(), Fused(of=(Lexical(), Lexical()))))
    assert RunConfig.model_validate_json(config.model_dump_json()) == config


@pytest.mark.parametrize("policy", [ScorePolicy(min_similarity=0.5), PublishedScorePolicy(min_distance=0.5)])
def test_thresholds_cut_no_ranking_that_is_not_by_similarity(policy: RetrievalPolicy) -> None:
    with pytest.raises(ValidationError, match="choose top-k, or the dense retriever"):
        RunConfig(dataset="d", collection="c", retrieval=policy, retriever=Lexical())
    config = RunConfig(dataset="d", collection="c")
    with pytest.raises(ValidationError, match="BM25 does not rank by similarity"):
        Sweep(name="s", config=config, axes=Axes(retriever=(Dense(), Lexical()), retrieval=(policy,)))


def test_a_sweep_of_retrievers_has_a_baseline_for_each() -> None:
    axes = Axes(retriever=(Dense(), Lexical()), k=(3, 5))
    sweep = Sweep(name="s", config=RunConfig(dataset="d", collection="c"), axes=axes, baseline=NormalPolicy(k=10))
    found = [
        (config.retriever.label, config.retrieval.depth, is_baseline) for config, is_baseline in sweep.configurations()
    ]
    assert found == [(name, k, k == 10) for name in ("Dense", "BM25") for k in (10, 3, 5)]
    assert sweep.size == 6


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(ConfigError, match=r"no retriever “tfidf”\. Choose one of dense, bm25"):
        retriever_of("tfidf")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("rerank:hybrid@a b", "must match"),
        ("fusion:bm25@extractive", "extractive answers no prompts and cannot write"),
        ("rerank:fusion:bm25@extractive@ms-marco", "extractive answers no prompts and cannot write"),
    ],
)
def test_a_name_whose_parts_cannot_be_used_says_why(name: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(name)) as caught:
        retriever_of(name)
    assert problem in caught.value.message


def test_a_nesting_has_a_limited_number_of_searches() -> None:
    eight = Fused(of=(Dense(),) * 8)
    assert Fused(of=(eight, eight)).searches == 16
    with pytest.raises(ValidationError, match="at most 16 rankings in all"):
        Fused(of=(eight, eight, Dense()))
    nested: Dense | Fused = Dense()
    for _ in range(4):
        nested = Fused(of=(nested, Dense()))
    assert isinstance(nested, Fused)
    assert nested.levels == 4
    with pytest.raises(ValidationError, match="nested 4 deep"):
        Fused(of=(nested, Dense()))
