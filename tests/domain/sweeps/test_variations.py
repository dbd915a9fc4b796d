"""Variations of a question: which of the model's lines are searched for, and what happens without any."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import ValidationError

from passer.domain.judging.ask import Ask
from passer.domain.judging.fences import mark_for
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.reply import NoJudgement
from passer.domain.models.model import Model
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.refinements import PassageJudge, Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Rewritten, models_of, with_helpers
from passer.domain.retrieval.retriever_names import retriever_of
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.sweeps.variations import KEYWORDS, VARIATIONS, variations
from passer.domain.timing.times import TimingPlan
from passer.errors import ConfigError

MODEL = Model(provider="local", name="smollm2-135m")
FOUR = Variations(judge=MODEL)
QUESTION = "When does rice flower?"


def said(value: str | None, reason: NoJudgement | None = None) -> Judgement:
    digests = dict.fromkeys(("task_digest", "given_digest", "prompt_digest"), "d")
    return Judgement(key="k", task="variations", answer_keys=(), attempts=1, value=value, reason=reason, **digests)


def rewritten(by: Variations, replies: Sequence[Judgement]) -> Rewriting:
    recipe = variations(QUESTION, by)
    asks = next(recipe)
    assert asks == tuple(Ask(task="variations", given={"question": QUESTION}, sample=n) for n in range(by.n))
    with pytest.raises(StopIteration) as ended:
        recipe.send(tuple(replies))
    return ended.value.value


def test_the_question_comes_first_and_repetitions_are_dropped() -> None:
    mark = mark_for(VARIATIONS.digest, ["question", QUESTION])
    replies = [
        said(text) for text in ("flowering of rice", "WHEN does rice flower", f"<<<{mark}", "Flowering of rice!")
    ]
    assert rewritten(FOUR, replies) == Rewriting(asked=(QUESTION, "flowering of rice"), dropped=3)


def test_the_question_may_be_left_out() -> None:
    by = Variations(judge=MODEL, n=1, with_original=False)
    assert rewritten(by, [said("rice in bloom")]) == Rewriting(asked=("rice in bloom",))
    assert rewritten(by, [said(QUESTION)]) == Rewriting(asked=(QUESTION,), dropped=1, reason="nothing-new")


def test_without_a_usable_line_only_the_question_is_searched_for_with_the_reason() -> None:
    two = Variations(judge=MODEL, n=2)
    assert rewritten(two, [said(None, "cut_off"), said(None, "empty")]).reason == "cut-off"
    failed = rewritten(two, [said(None, "generation_failed"), said(QUESTION)])
    assert (failed.asked, failed.reason, failed.is_final) == ((QUESTION,), "no-reply", False)
    # One line is enough; what the other ask lacks is no reason any more.
    assert rewritten(two, [said(None, "empty"), said("rice in bloom")]).reason is None


def test_names_models_and_searches() -> None:
    found = retriever_of("fusion:hybrid@local/smollm2-135m")
    assert found == Rewritten(of=Fused(of=(Dense(), Lexical())), by=FOUR)
    assert (found.label, found.searches, list(models_of(found))) == ("RAG-Fusion x4 (RRF (Dense, BM25))", 10, [MODEL])
    assert retriever_of("fusion:bm25@ollama@lab/a:7b").by.judge == Model(
        provider="ollama", connection="lab", name="a:7b"
    )
    for wrong in ("fusion:bm25", "fusion:tfidf@local/x"):
        with pytest.raises(ConfigError, match="does not name a retriever and the model"):
            retriever_of(wrong)
    with pytest.raises(ValidationError, match="cannot write"):
        Variations(judge=Model())
    with pytest.raises(ValidationError, match="at most 16 rankings"):
        Rewritten(of=Fused(of=(Dense(), Lexical())), by=Variations(judge=MODEL, n=8))


def test_everything_that_changes_the_ranking_changes_the_digest() -> None:
    bm25 = Rewritten(of=Lexical(), by=FOUR)
    pinned = with_helpers(
        Fused(of=(bm25, Dense())), rewriter=lambda by: Variations(judge=by.judge, pins={"model": "a"})
    )
    others = [
        Rewritten(of=Dense(), by=FOUR),
        Rewritten(of=Lexical(), by=FOUR, k=10),
        Rewritten(of=Lexical(), by=FOUR, depth=10),
        Rewritten(of=Lexical(), by=Variations(judge=MODEL, n=3)),
        Rewritten(of=Lexical(), by=Variations(judge=MODEL, prompt="keywords")),
        Rewritten(of=Lexical(), by=Variations(judge=MODEL, pins={"model": "a"})),
        pinned,
        Fused(of=(bm25, Dense())),
    ]
    assert len({each.digest for each in (bm25, *others)}) == 9


def test_the_model_writes_keywords_where_the_retriever_says_so() -> None:
    by = Variations(judge=MODEL, n=1, prompt="keywords")
    assert Rewritten(of=Lexical(), by=by).label == "RAG-Fusion x1, keywords (BM25)"
    recipe = variations(QUESTION, by)
    assert [ask.task for ask in next(recipe)] == ["keywords"]
    mark = mark_for(KEYWORDS.digest, ["question", QUESTION])
    with pytest.raises(StopIteration) as ended:
        recipe.send((said("rice heading anthesis"), said(f"<<<{mark}")))
    assert ended.value.value == Rewriting(asked=(QUESTION, "rice heading anthesis"), dropped=1)
    # Retrievers of earlier versions have their digests: the default is not part of them.
    assert "prompt" not in FOUR.model_dump()
    assert "task" not in PassageJudge(judge=MODEL).model_dump()


def test_time_of_a_model_whose_replies_are_kept_is_not_measured() -> None:
    config = RunConfig(dataset="d", collection="c", retriever=Rewritten(of=Lexical(), by=FOUR))
    assert Sweep(name="s", config=config).models == (Model(), MODEL)
    with pytest.raises(ValidationError, match="its time cannot be measured"):
        Sweep(name="s", config=config, timing=TimingPlan())
