"""Names of retrievers: short names for the command line and experiment files, and labels that differ in a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError

from passer.domain.models.model import model_of
from passer.domain.retrieval.refinements import CrossEncoder, PassageJudge, Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked, Retriever, Rewritten, models_of
from passer.domain.wording.sentence import sentence
from passer.domain.wording.validation_message import validation_message
from passer.errors import ConfigError

SHORTHANDS: Mapping[str, Retriever] = {
    "dense": Dense(),
    "bm25": Lexical(),
    "bm25-english": Lexical(analyser="english"),
    "hybrid": Fused(of=(Dense(), Lexical())),
    "hybrid-english": Fused(of=(Dense(), Lexical(analyser="english"))),
}
"""Retrievers that need no further setting."""
GRADED = 10
"""Passages that a model of a short name grades for each question; each one is a request."""
FUSION, RERANK, TERMS = "fusion:", "rerank:", "terms:"
"""Beginnings of short names: `fusion:RETRIEVER@MODEL` is RAG-Fusion, `rerank:RETRIEVER@NAME` has a cross-encoder, or a
model if NAME has a slash, and the command line reads the map of `terms:RETRIEVER@FILE`."""


def retriever_of(text: str) -> Retriever:
    """Return the retriever of a short name; ConfigError with the names for any other, or with what it cannot have."""
    try:
        return _named(text)
    except ValidationError as exc:
        said = sentence("problem.field", field=text, problem=validation_message(exc.errors()[0]))
        raise ConfigError(said, field="retriever") from exc


def labels_by_digest(retrievers: Iterable[Retriever]) -> dict[str, str]:
    """Return distinct labels of retrievers, by the digest of the retriever."""
    different = {each.digest: each for each in retrievers}
    return dict(zip(different, distinct_labels(list(different.values())), strict=True))


def distinct_labels(retrievers: Sequence[Retriever]) -> list[str]:
    """Return the label of each retriever, with what distinguishes it where another has the same label.

    Labels leave out the model that writes variations, k and depth; what differs inside a nested one is numbered.
    """
    labels = [_detailed(each, [other for other in retrievers if other.label == each.label]) for each in retrievers]
    return [
        label if labels.count(label) == 1 else _named_by(label, [f"#{labels[: place + 1].count(label)}"])
        for place, label in enumerate(labels)
    ]


def _detailed(retriever: Retriever, alike: Sequence[Retriever]) -> str:
    own = [each for each in _details(retriever) if not all(each in _details(other) for other in alike)]
    return _named_by(retriever.label, own) if own else retriever.label


def _named_by(label: str, details: Sequence[str]) -> str:
    return sentence("retriever.detailed", label=label, details=tuple(details))


def _details(retriever: Retriever) -> tuple[str, ...]:
    found = [model.label for model in models_of(retriever)]
    if isinstance(retriever, Fused | Rewritten):
        found.append(sentence("retriever.setting", name="k", at=str(retriever.k)))
    if isinstance(retriever, Fused | Rewritten | Reranked):
        found.append(sentence("retriever.depth", depth=retriever.depth))
    return tuple(found)


def _named(text: str) -> Retriever:
    if text in SHORTHANDS:
        return SHORTHANDS[text]
    if text.startswith(FUSION):
        return _fusion(text.removeprefix(FUSION), text)
    if text.startswith(RERANK):
        return _reranked(text.removeprefix(RERANK), text)
    raise ConfigError(sentence("retriever.unknown", name=text, names=", ".join(SHORTHANDS)), field="retriever")


def _fusion(rest: str, text: str) -> Retriever:
    name, _, model = rest.partition("@")
    if name not in SHORTHANDS or not model:
        raise ConfigError(sentence("retriever.no-writer", name=text), field="retriever")
    return Rewritten(of=SHORTHANDS[name], by=Variations(judge=model_of(model)))


def _reranked(rest: str, text: str) -> Retriever:
    name, _, model = rest.partition("@")
    if name in SHORTHANDS and "/" in model:
        return Reranked(of=SHORTHANDS[name], by=PassageJudge(judge=model_of(model)), depth=GRADED)
    name, _, encoder = rest.rpartition("@")
    # What is reranked may itself have a model: rerank:fusion:bm25@local/smollm2-135m@NAME.
    if not name or not encoder:
        raise ConfigError(sentence("retriever.no-reranker", name=text), field="retriever")
    return Reranked(of=_named(name), by=CrossEncoder(name=encoder))
