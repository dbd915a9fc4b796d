"""What a finished run was: its configuration, what it ran on, and the digests that everything else hangs from."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from pydantic import Field, JsonValue

from passer.domain.base import Count, Frozen, canonical_json, digest_of, shown_address
from passer.domain.ledger.entry import Digest
from passer.domain.question_record import COLUMNS, vector
from passer.domain.retrieval import Chunking, EmbeddingModel
from passer.domain.run import ModelInfo, RunConfig
from passer.domain.score import VECTOR_ORDER

FORMAT: Literal["passer-manifest-1"] = "passer-manifest-1"
MAY_DIFFER = ("model", "software", "code_commit", "machine", "timings_digest", "unknown")
"""Members that may differ between machines that run the same thing; nothing of them enters `questions_root`."""


class DescribedRun(Frozen):
    """Which run."""

    id: str = Field(pattern=r"^[\x21-\x7e]{1,100}$")
    """Unique within its installation; printable ASCII."""
    sweep_id: str
    """The sweep it belongs to."""
    name: str
    """Shown in tables."""


class DescribedTemplate(Frozen):
    """A prompt template."""

    name: str
    """As the configuration names it."""
    digest: str | None
    """SHA-256 of its text."""


class DescribedDataset(Frozen):
    """A dataset."""

    name: str
    """Within its installation."""
    digest: Digest
    """Of language and all questions."""
    language: str | None
    """BCP 47 tag; None where the dataset is no longer there."""
    questions: Count
    """How many of them the run takes."""


class DescribedDocument(Frozen):
    """A document of a collection."""

    name: str
    """As it was ingested."""
    digest: str
    """SHA-256 of its source."""
    passages: Count
    """How many."""


class DescribedCollection(Frozen):
    """A collection: documents, chunking, embedding model."""

    name: str
    """Within its installation."""
    digest: Digest
    """Of chunking, documents and embedding."""
    documents: tuple[DescribedDocument, ...]
    """By name and digest."""
    chunking: Chunking
    """How they were cut."""
    embedding: EmbeddingModel
    """What they were embedded with."""

    @classmethod
    def of(
        cls, name: str, *, documents: Iterable[DescribedDocument], chunking: Chunking, embedding: EmbeddingModel
    ) -> DescribedCollection:
        """With its documents in order, and its digest."""
        listed = tuple(sorted(documents, key=lambda document: (document.name, document.digest)))
        digest = collection_digest(listed, chunking=chunking, embedding=embedding)
        return cls(name=name, digest=digest, documents=listed, chunking=chunking, embedding=embedding)


class DescribedMachine(Frozen):
    """Where it was described; no names of hosts or people."""

    system: str
    """Operating system and release."""
    architecture: str
    """Such as x86_64."""
    processor: str | None
    """As the system names it."""
    cpu_count: Count | None
    """Processors that the system sees."""
    core_count: Count | None = None
    """Cores of these; fewer where a core counts as two processors."""
    memory_bytes: Count | None = None
    """Main memory."""


class Surroundings(Frozen):
    """What a run was made with and where."""

    software: dict[str, str]
    """Versions by package, and `python`."""
    code_commit: str | None
    """Commit of the checkout, with `+changes` where it was not clean; None where it is none."""
    machine: DescribedMachine
    """Where."""


class Counts(Frozen):
    """How many questions came how far."""

    asked: Count
    """All."""
    answered: Count
    """With an answer."""
    scored: Count
    """With scores."""
    failed: Count
    """Without an answer."""
    reasons: dict[str, int]
    """Of these, by reason."""


class Mean(Frozen):
    """One column over a run."""

    mean: float | None
    """Over the records that have a value; None where none has."""
    n: Count
    """How many have one."""


class Manifest(Frozen):
    """The canonical description of a finished run."""

    format: Literal["passer-manifest-1"]
    """Which description of this form it follows: docs/bundle.md."""
    run: DescribedRun
    """Which run."""
    config: dict[str, JsonValue]
    """Everything that decided what it did: a RunConfig as JSON, without passwords."""
    config_digest: Digest
    """Of `config` alone."""
    model: ModelInfo | None
    """What the model server said of the model."""
    prompt_template: DescribedTemplate
    """What turned questions and passages into prompts."""
    encoder_digest: str | None
    """Of the scoring encoder's weights."""
    scored_by: dict[str, str]
    """What scores depend on beside the texts."""
    dataset: DescribedDataset
    """What was asked."""
    collection: DescribedCollection | None
    """What was searched."""
    software: dict[str, str]
    """Versions."""
    code_commit: str | None
    """Of PaSSER."""
    machine: DescribedMachine
    """Where."""
    counts: Counts
    """How far the questions came."""
    means: dict[str, Mean]
    """Of the 24 columns."""
    questions_root: Digest
    """Root of the tree over the question records."""
    timings_digest: Digest
    """Of timings.jsonl."""
    unknown: tuple[str, ...]
    """What is not known, sorted."""

    @cached_property
    def canonical(self) -> bytes:
        """Its canonical JSON: what is hashed and kept."""
        return canonical_json(self.model_dump(mode="json"))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of that: the run digest."""
        return hashlib.sha256(self.canonical).hexdigest()


class Tally:
    """Counts and means, record by record."""

    def __init__(self) -> None:
        self._states: dict[str, int] = {}
        self._reasons: dict[str, int] = {}
        self._means = RunningMeans(len(VECTOR_ORDER))

    def add(self, *, state: str, reason: str | None, scores: dict[str, float | None] | None) -> None:
        """One more."""
        self._states[state] = self._states.get(state, 0) + 1
        if reason is not None:
            self._reasons[reason] = self._reasons.get(reason, 0) + 1
        if scores is not None:
            self._means.add(vector(scores))

    @property
    def counts(self) -> Counts:
        """So far."""
        scored = self._states.get("scored", 0)
        return Counts(
            asked=sum(self._states.values()),
            answered=self._states.get("answered", 0) + scored,
            scored=scored,
            failed=self._states.get("failed", 0),
            reasons=dict(self._reasons),
        )

    @property
    def means(self) -> dict[str, Mean]:
        """So far, by column."""
        pairs = zip(VECTOR_ORDER, self._means.means, self._means.counts, strict=True)
        return {column: Mean(mean=mean, n=n) for column, mean, n in pairs}


class RunningMeans:
    """Means of several places: plain sums in order, so that any program finds the same double."""

    def __init__(self, places: int) -> None:
        self._sums = [0.0] * places
        self.counts = [0] * places

    def add(self, values: Sequence[float | None]) -> None:
        """One more row; None does not count."""
        sums, counts = self._sums, self.counts
        for place, value in enumerate(values):
            if value is not None:
                sums[place] += value
                counts[place] += 1

    @property
    def means(self) -> tuple[float | None, ...]:
        """None where there is no value, or the sum is beyond what a double holds."""
        return tuple(_mean(total, n) for total, n in zip(self._sums, self.counts, strict=True))


def collection_digest(
    documents: Sequence[DescribedDocument], *, chunking: Chunking, embedding: EmbeddingModel
) -> Digest:
    """SHA-256 over what a collection is: documents in order, chunking, embedding model."""
    listed = [document.model_dump(mode="json") for document in documents]
    return digest_of(
        {
            "documents": listed,
            "chunking": chunking.model_dump(mode="json"),
            "embedding": embedding.model_dump(mode="json"),
        }
    )


def described_config(config: RunConfig) -> RunConfig:
    """The configuration as it may be shown: without a password in the model server's address."""
    url = config.model.base_url
    if url is None or shown_address(url) == url:
        return config
    return config.model_copy(update={"model": config.model.model_copy(update={"base_url": shown_address(url)})})


def mean_scores(means: Mapping[str, Mean]) -> tuple[float | None, ...]:
    """In vector order."""
    return tuple(means[column].mean if column in COLUMNS and column in means else None for column in VECTOR_ORDER)


def _mean(total: float, n: int) -> float | None:
    mean = total / n if n else math.nan
    return mean if math.isfinite(mean) else None
