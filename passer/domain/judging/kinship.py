"""Whether a judge judges its own answers, or those of a relative."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.model import ModelInfo
from passer.domain.retriever import Retriever, passage_judges
from passer.domain.wording.sentence import Sentence, sentence

Kinship = Literal["same-model", "may-be-related"]


def kinship(judge: str, judge_digest: str, answerer: str, answerer_digest: str) -> Kinship | None:
    """Return how a judge is related to a model whose answers it judges; None for strangers.

    Names are related if they are equal before the first digit or colon. `ModelInfo.family` is an architecture, which
    strangers share, so it is not looked at.
    """
    if judge == answerer or (judge_digest == answerer_digest != "unknown"):
        return "same-model"
    return "may-be-related" if _stem(judge) and _stem(judge) == _stem(answerer) else None


def judge_warnings(name: str, info: ModelInfo, answerers: Mapping[str, ModelInfo | None]) -> tuple[Sentence, ...]:
    """Return what to know of a judge: whether it is for trials only, and its kinship with each answerer, by name."""
    found = [sentence("judging.trial-judge", judge=name)] if info.for_trials else []
    for answerer, other in answerers.items():
        kin = kinship(name, info.digest, answerer, other.digest if other else "unknown")
        if kin is not None:
            found.append(sentence(f"judging.{kin}", judge=name, answerer=answerer))
    return tuple(found)


def assessment_warnings(spec: AssessmentSpec, answerers: Mapping[str, ModelInfo | None]) -> tuple[Sentence, ...]:
    """Return what to know of the judge of an assessment, also where it reranked what it grades."""
    name, info = spec.judge.model.name, spec.judge_info
    retrievers = spec.pool.retrievers if spec.pool else ()
    return (
        *judge_warnings(name, info, answerers),
        *(
            sentence("retrieval.by-grader", retriever=each.label, judge=name)
            for each in retrievers
            if reranks(each, name, info.digest)
        ),
    )


def reranks(retriever: Retriever, judge: str, digest: str) -> bool:
    """Whether a judge also reranks for a retriever, so that its grades favour it."""
    return any(
        kinship(judge, digest, by.judge.name, by.pins.get("model", "unknown")) == "same-model"
        for by in passage_judges(retriever)
    )


def _stem(name: str) -> str:
    plain = name.rsplit("/", 1)[-1].lower()
    return next((plain[:n] for n, c in enumerate(plain) if c.isdigit() or c == ":"), plain).rstrip("-_. ")
