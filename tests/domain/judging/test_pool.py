"""The union of several rankings."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.judging.judgement import Judge
from passer.domain.judging.kinship import assessment_warnings
from passer.domain.judging.pool import Pool, united
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.refinements import PassageJudge
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked

JUDGE = Model(provider="ollama", name="mistral:7b")


def test_the_first_k_of_all_rankings_are_united_rank_by_rank() -> None:
    # Both begin with a; then b and d at rank 2; c and e stand third, beyond the cut.
    assert united([["a", "b", "c"], ["a", "d", "e"], []], 2) == ("a", "b", "d")
    assert united([["a"], ["b", "a"]], 9) == ("a", "b")
    assert united([], 5) == ()


def spec(*retrievers: Dense | Reranked | Fused, datasets: int = 1) -> AssessmentSpec:
    labels = tuple(each.label for each in retrievers)
    pool = Pool(collection="farm", k=2, retrievers=retrievers, labels=labels, passages={"q1": ("a",)})
    return AssessmentSpec.model_validate(
        {
            "datasets": [{"name": f"farm{n}", "digest": "d"} for n in range(datasets)],
            "pool": pool,
            "columns": ["Passage relevance"],
            "judge": Judge(model=JUDGE),
            "judge_info": ModelInfo(name=JUDGE.name, digest="abc"),
        }
    )


def test_a_judge_that_reranked_what_it_grades_is_named() -> None:
    other = PassageJudge(judge=Model(provider="ollama", name="qwen3:8b"))
    same_weights = PassageJudge(judge=Model(provider="ollama", name="alias"), pins={"model": "abc"})
    nested = Fused(of=(Lexical(), Reranked(of=Dense(), by=same_weights)))
    found = assessment_warnings(spec(Dense(), Reranked(of=Dense(), by=other), nested), {})
    assert len(found) == 1
    assert found[0].startswith("RRF (BM25, Dense reranked by alias): mistral:7b reranks it")
    named = assessment_warnings(spec(Reranked(of=Dense(), by=PassageJudge(judge=JUDGE))), {})
    assert len(named) == 1


def test_a_pool_is_that_of_one_dataset() -> None:
    with pytest.raises(ValidationError, match="one dataset"):
        spec(Dense(), datasets=2)
