"""A sweep: one configuration and axes, expanded to the configurations that are compared."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from shlex import quote
from typing import Annotated

from pydantic import AliasChoices, Field, model_validator

from passer.domain.base import Frozen, digest_of
from passer.domain.retrieval import Chunking, NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.run import Model, RunConfig
from passer.domain.timing.times import TimingPlan
from passer.domain.wording.sentence import Said, Worded

Threshold = Annotated[float, Field(ge=-1, le=1)]
MOST_CONFIGURATIONS = 10_000
LONGEST_COLLECTION_NAME = 63


class Axes(Frozen):
    """Values to vary; every combination becomes a configuration. An empty axis is not varied."""

    min_similarity: tuple[Threshold, ...] = Field(
        default=(), validation_alias=AliasChoices("min_similarity", "minSimilarityScore", "thresholds")
    )
    """Thresholds of Score mode."""
    k: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = ()
    """Values of k of Normal mode; beside thresholds they are further arms, not combinations."""
    retrieval: tuple[RetrievalPolicy, ...] = ()
    """Whole policies as further arms: the closed book, say, or the published score."""
    model: tuple[Model, ...] = ()
    """Models."""
    temperature: tuple[Annotated[float, Field(ge=0, le=2)], ...] = ()
    """Temperatures."""
    prompt: tuple[str, ...] = ()
    """Names of prompt templates."""
    embedding: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Embedding models; of several, each has a collection of its own; one alone is what the collection must have."""
    chunking: tuple[Chunking, ...] = ()
    """Ways to cut documents; of several, each has a collection of its own, and one alone is how it must be cut."""
    repeat: int = Field(default=1, ge=1, le=100)
    """How many times each configuration runs."""


class PlannedCollection(Frozen):
    """A collection that a sweep needs, and what it must be bound to."""

    name: str
    """Its name."""
    embedding: str | None = None
    """Embedding model; None where any will do."""
    chunking: Chunking | None = None
    """How its documents are cut; None where any way will do."""
    label: str = ""
    """What sets it apart from the sweep's other collections; empty where it is the only one."""

    @property
    def command(self) -> str:
        """What makes it, but for the documents."""
        before = f"PASSER_EMBEDDING={quote(self.embedding)} " if self.embedding else ""
        cut = self.chunking
        how = f" --chunk-size {cut.chunk_size} --chunk-overlap {cut.chunk_overlap}" if cut else ""
        unit = f" --unit {cut.unit}" if cut and cut.unit != "characters" else ""
        return f"{before}passer ingest {self.name} DOCUMENTS{how}{unit}"


class Sweep(Frozen):
    """What is compared with what."""

    name: str = Field(min_length=1, max_length=200)
    """Shown in tables."""
    config: RunConfig
    """What all have in common."""
    axes: Axes = Axes()
    """What is varied."""
    baseline: RetrievalPolicy | None = None
    """Policy of the baseline; None where there is none."""
    max_k: int = Field(default=100, ge=1, le=1000, validation_alias=AliasChoices("max_k", "maxK"))
    """maxK of the Score configurations."""
    k_increment: int = Field(default=2, ge=1, le=1000, validation_alias=AliasChoices("k_increment", "kIncrement"))
    """kIncrement of the Score configurations; the result does not depend on it."""
    timing: TimingPlan | None = None
    """Makes it a timing run: one question at a time, all asked anew; None asks as many together as the servers take."""

    @model_validator(mode="after")
    def _size_is_sane(self) -> Sweep:
        if self.size > MOST_CONFIGURATIONS:
            raise ValueError("a sweep has at most 10,000 configurations: leave some values out")
        return self

    @model_validator(mode="after")
    def _collections_differ(self) -> Sweep:
        names = [planned.name for planned in self.collections()]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two combinations of embedding and chunking make a collection {name}: leave one out")
        return self

    @property
    def size(self) -> int:
        """How many configurations there are."""
        axes = self.axes
        varied = (axes.model, axes.prompt, axes.temperature, axes.embedding, axes.chunking)
        return prod(max(1, len(values)) for values in varied) * axes.repeat * len(self.policies())

    def policies(self) -> list[tuple[RetrievalPolicy, bool]]:
        """Retrieval policies, the baseline (marked True) first."""
        axes = self.axes
        varied: list[RetrievalPolicy] = [NormalPolicy(k=k) for k in axes.k]
        varied += [
            ScorePolicy(min_similarity=value, max_k=self.max_k, k_increment=self.k_increment)
            for value in axes.min_similarity
        ]
        varied += axes.retrieval
        first: list[tuple[RetrievalPolicy, bool]] = [(self.baseline, True)] if self.baseline else []
        others = [policy for policy in varied if policy != self.baseline]
        if not first and not others:
            others = [self.config.retrieval]
        return first + [(policy, False) for policy in others]

    def collections(self) -> tuple[PlannedCollection, ...]:
        """The collections that it needs: one for each combination of embedding model and chunking.

        The name is `config.collection`, and after it what is varied: `books`, `books-512-50`,
        `books-ollama-mistral-512-50`; a longer one than Chroma takes ends in eight digits of its digest.
        """
        found = []
        for embedding, chunking in product(self.axes.embedding or (None,), self.axes.chunking or (None,)):
            varied = [_embedding_part(embedding)] if embedding and len(self.axes.embedding) > 1 else []
            shown = [embedding] if embedding and varied else []
            if chunking and len(self.axes.chunking) > 1:
                varied.append(_chunking_part(chunking))
                shown.append(_chunking_label(chunking))
            name = "-".join([self.config.collection, *varied])
            planned = PlannedCollection(
                name=_fitted(name) if varied else name, embedding=embedding, chunking=chunking, label=" ".join(shown)
            )
            found.append(planned)
        return tuple(found)

    def configurations(self) -> list[tuple[RunConfig, bool]]:
        """Every configuration with whether it is a baseline: model by model, each one's baseline first."""
        base, axes = self.config, self.axes
        combinations = product(
            axes.model or (base.model,),
            [planned.name for planned in self.collections()],
            axes.prompt or (base.prompt,),
            axes.temperature or (base.options.temperature,),
            range(1, axes.repeat + 1),
            self.policies(),
        )
        return [
            (
                base.model_copy(
                    update={
                        "model": model,
                        "collection": collection,
                        "prompt": prompt,
                        "options": base.options.model_copy(update={"temperature": temperature}),
                        "repeat": repeat,
                        "retrieval": policy,
                    }
                ),
                is_baseline,
            )
            for model, collection, prompt, temperature, repeat, (policy, is_baseline) in combinations
        ]


class FrozenTemplate(Frozen):
    """A prompt template as it was when a sweep was created: a file that is edited later changes no prompt of it."""

    name: str
    """How configurations name it."""
    digest: str
    """SHA-256, hex, of its text."""
    text: str
    """All of it."""


class Missing(Frozen):
    """Something that a sweep names and that is not there."""

    name: str
    """What it is, e.g. `collection books`."""
    command: str
    """What makes or brings it; words in capitals stand for what only its user knows."""


class ModelPlan(Frozen):
    """What a sweep will take of one model."""

    model: Model
    """Which."""
    evaluations: int
    """Evaluations under it."""
    generations: int | None = None
    """Distinct (options, prompt, repetition) to ask; None before a preview."""
    cached: int | None = None
    """Of these, already answered; None before a preview, or where the server does not say which model it has."""
    median_s: float | None = None
    """Median seconds of its newest stored answers; None where none was ever measured."""
    expected_s: float | None = None
    """Seconds for what is to be asked (before a preview: if all were); None where it has not been measured."""


class SweepPlan(Worded):
    """What a sweep will take, before it starts."""

    questions: int
    """Questions asked of each configuration."""
    configurations: int
    """Runs."""
    evaluations: int
    """questions x configurations."""
    distinct_prompts: int | None = None
    """Generations needed, once the preview has retrieved; None without it."""
    cached: int | None = None
    """Of these, already answered by an earlier run."""
    fixed: int | None = None
    """Evaluations whose answer is the fixed abstention, so that nothing is asked; None without a preview."""
    expected_s: float | None = None
    """From the measured speed of the model; None where it has not been measured. Without a preview: at most."""
    models: tuple[ModelPlan, ...] = ()
    """The same for each model."""
    missing: tuple[Missing, ...] = ()
    """What it names and is not there yet."""
    warnings: tuple[Said, ...] = ()
    """What a researcher should know first."""


class Saved(Frozen):
    """One kind of work: how often it would have been done, and how often it was."""

    naive: int = Field(ge=0)
    """Once for every evaluation that needed it."""
    made: int = Field(ge=0)
    """At most so often in fact."""


class Savings(Frozen):
    """What a sweep did not have to do twice."""

    retrievals: Saved
    """Questions embedded and looked up: once for all configurations of a collection."""
    generations: Saved
    """Prompts asked: once for each distinct one, and none that an earlier run had asked."""
    scorings: Saved
    """Pairs of reference and answer scored: once for each distinct one; pairs of earlier sweeps count as made."""


def threshold_range(*, start: float, stop: float, step: float) -> tuple[float, ...]:
    """Thresholds from start to stop, both included, rounded to 6 decimals; [] if step is not positive."""
    if step <= 0 or stop < start:
        return ()
    count = int((stop - start) / step + 1e-9) + 1
    return tuple(round(start + i * step, 6) for i in range(count))


def default_baseline(max_k: int) -> NormalPolicy:
    """A sweep's Normal baseline takes k = maxK unless set."""
    return NormalPolicy(k=max_k)


def _embedding_part(embedding: str) -> str:
    return re.sub(r"[^a-zA-Z0-9]+", "-", embedding).strip("-").lower()


def _chunking_part(chunking: Chunking) -> str:
    return f"{chunking.chunk_size}-{chunking.chunk_overlap}{'t' if chunking.unit == 'tokens' else ''}"


def _chunking_label(chunking: Chunking) -> str:
    return f"{chunking.chunk_size}/{chunking.chunk_overlap}{' tokens' if chunking.unit == 'tokens' else ''}"


def _fitted(name: str) -> str:
    if len(name) <= LONGEST_COLLECTION_NAME:
        return name
    return f"{name[: LONGEST_COLLECTION_NAME - 9].rstrip('.-_')}-{digest_of(name)[:8]}"


def model_of(text: str) -> Model:
    """`extractive`, `ollama/TAG` or `openai/NAME`; anything else is taken as a tag of Ollama."""
    if text == "extractive":
        return Model()
    provider, _, name = text.partition("/")
    if provider in ("ollama", "openai") and name:
        return Model.model_validate({"provider": provider, "name": name})
    return Model(provider="ollama", name=text)
