"""Kinship of judge and answers: its own, those of a related model, or those whose prompt has its criteria."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.models.model import ModelInfo
from passer.domain.retrieval.retriever import Retriever, passage_judges
from passer.domain.texts.sentence_ends import split_at_other_stops
from passer.domain.texts.words import word_count
from passer.domain.wording.sentence import Sentence, sentence

Kinship = Literal["same-model", "may-be-related"]
SHORTEST_SENTENCE = 6
"""Words of the shortest sentence that two prompts do not share by chance."""
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+|\n+")


def kinship(judge: str, judge_digest: str, answerer: str, answerer_digest: str) -> Kinship | None:
    """Return how a judge is related to a model whose answers it judges; None if unrelated.

    Names are related if they are equal before the first digit or colon. `ModelInfo.family` is not used: it is an
    architecture, which unrelated models share.
    """
    if judge == answerer or (judge_digest == answerer_digest != "unknown"):
        return "same-model"
    return "may-be-related" if _stem(judge) and _stem(judge) == _stem(answerer) else None


def judge_warnings(name: str, info: ModelInfo, answerers: Mapping[str, ModelInfo | None]) -> tuple[Sentence, ...]:
    """Return warnings about a judge: that it is for trials only, and its kinship with each answerer, by name."""
    found = [sentence("judging.trial-judge", judge=name)] if info.for_trials else []
    for answerer, other in answerers.items():
        kin = kinship(name, info.digest, answerer, other.digest if other else "unknown")
        if kin is not None:
            found.append(sentence(f"judging.{kin}", judge=name, answerer=answerer))
    return tuple(found)


def assessment_warnings(spec: AssessmentSpec, answerers: Mapping[str, ModelInfo | None]) -> tuple[Sentence, ...]:
    """Return warnings about the judge of an assessment, including that it reranked the passages it grades."""
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
    """Return whether a judge also reranks for a retriever, so that its grades favour it."""
    return any(
        kinship(judge, digest, by.judge.name, by.pins.get("model", "unknown")) == "same-model"
        for by in passage_judges(retriever)
    )


def template_warnings(templates: Iterable[tuple[str, str]], instructions: Sequence[str]) -> tuple[Sentence, ...]:
    """Return warnings about prompt templates, by name and text, that contain instructions of the judge."""
    return tuple(
        sentence("judging.template-tells", template=name, sentence=shared[0])
        for name, text in templates
        if (shared := shared_sentences(text, instructions))
    )


def shared_sentences(template: str, instructions: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences of a judge's instructions that a prompt template contains, in order, each once.

    Answers to a prompt that contains the judge's criteria are graded for following it. Case and white space are
    ignored, and so are sentences below six words, which are common.
    """
    prompt = _plain(template)
    sentences = (
        part for text in instructions for found in _SENTENCE_END.split(text) for part in split_at_other_stops(found)
    )
    found = (each for each in map(_plain, sentences) if word_count(each) >= SHORTEST_SENTENCE and each in prompt)
    return tuple(dict.fromkeys(found))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?:;")


def _stem(name: str) -> str:
    plain = name.rsplit("/", 1)[-1].lower()
    return next((plain[:n] for n, c in enumerate(plain) if c.isdigit() or c == ":"), plain).rstrip("-_. ")
