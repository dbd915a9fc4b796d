"""The manifest of a finished run: its configuration, inputs, versions and digests."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, Field, JsonValue, field_validator

from passer.domain.base import Count, Frozen, canonical_json, digest_of, shown_address, younger
from passer.domain.canonical import json_value
from passer.domain.ledger.entry import Digest
from passer.domain.model import Model, ModelInfo
from passer.domain.project import PROJECT_NAME
from passer.domain.question_record import COLUMNS, vector
from passer.domain.retrieval import Chunking, EmbeddingModel
from passer.domain.retriever import with_helpers
from passer.domain.run import RunConfig
from passer.domain.score import VECTOR_ORDER

FORMAT: Literal["passer-manifest-1"] = "passer-manifest-1"


class DescribedRun(Frozen):
    """The run that the manifest describes."""

    id: str = Field(pattern=r"^[\x21-\x7e]{1,100}$")
    """Unique within its installation; printable ASCII."""
    sweep_id: str
    """The sweep it belongs to."""
    name: str
    """Name in tables."""
    project: str | None = younger(None, pattern=PROJECT_NAME)
    """Project of the run; None: the default one."""


class DescribedTemplate(Frozen):
    """A prompt template."""

    name: str
    """Name in the configuration."""
    digest: str | None
    """SHA-256 of its text."""


class DescribedDataset(Frozen):
    """A dataset."""

    name: str
    """Name within its installation."""
    digest: Digest
    """Digest of language and all questions."""
    language: str | None
    """BCP 47 tag; None if the dataset was deleted."""
    questions: Count
    """Number of questions that the run uses."""


class DescribedDocument(Frozen):
    """A document of a collection."""

    name: str
    """Name it was ingested under."""
    digest: str
    """SHA-256 of its source, hex."""
    passages: Count
    """Number of passages."""


class DescribedCollection(Frozen):
    """A collection: documents, chunking, embedding model."""

    name: str
    """Name within its installation."""
    digest: Digest
    """Digest of chunking, documents and embedding model."""
    documents: tuple[DescribedDocument, ...]
    """Documents by name and digest."""
    chunking: Chunking
    """Chunking."""
    embedding: EmbeddingModel
    """Embedding model."""

    @classmethod
    def of(
        cls, name: str, *, documents: Iterable[DescribedDocument], chunking: Chunking, embedding: EmbeddingModel
    ) -> DescribedCollection:
        """Build the collection with its documents in order, and its digest."""
        listed = tuple(sorted(documents, key=lambda document: (document.name, document.digest)))
        digest = collection_digest(listed, chunking=chunking, embedding=embedding)
        return cls(name=name, digest=digest, documents=listed, chunking=chunking, embedding=embedding)


class DescribedMachine(Frozen):
    """The machine that described the run; no names of hosts or people."""

    system: str
    """Operating system and release."""
    architecture: str
    """Processor architecture, such as x86_64."""
    processor: str | None
    """Processor name from the system."""
    cpu_count: Count | None
    """Logical processors."""
    core_count: Count | None = None
    """Physical cores."""
    memory_bytes: Count | None = None
    """Memory in bytes."""


class Surroundings(Frozen):
    """Versions and machine of a run."""

    software: dict[str, str]
    """Versions by package, and `python`."""
    code_commit: str | None
    """Commit of the checkout, with `+changes` if files differ; None without a checkout."""
    machine: DescribedMachine
    """The machine."""


class Counts(Frozen):
    """Number of questions by state."""

    asked: Count
    """Total."""
    answered: Count
    """With an answer."""
    scored: Count
    """With scores."""
    failed: Count
    """Without an answer."""
    reasons: dict[str, Count]
    """Failed questions by reason."""


class Mean(Frozen):
    """Mean of one column over a run."""

    mean: float | None
    """Mean over the records with a value; None without any."""
    n: Count
    """Number of records with a value."""


class Manifest(Frozen):
    """The canonical description of a finished run."""

    format: Literal["passer-manifest-1"]
    """Version of the form, described in docs/bundle.md."""
    run: DescribedRun
    """The run."""
    config: dict[str, JsonValue]
    """The configuration: a RunConfig as JSON, without passwords."""
    config_digest: Digest
    """Digest of `config` alone."""
    model: ModelInfo | None
    """Description of the model by its server."""
    prompt_template: DescribedTemplate
    """The prompt template."""
    encoder_digest: str | None
    """Digest of the scoring encoder's weights."""
    scored_by: dict[str, str]
    """What scores depend on besides the texts."""
    dataset: DescribedDataset
    """The dataset."""
    collection: DescribedCollection | None
    """The collection."""
    software: dict[str, str]
    """Versions of packages."""
    code_commit: str | None
    """Version of PaSSER."""
    machine: DescribedMachine
    """The machine."""
    counts: Counts
    """Questions by state."""
    means: dict[str, Mean]
    """Means of the 24 columns."""
    questions_root: Digest
    """Merkle root over the question records."""
    timings_digest: Digest
    """Digest of timings.jsonl."""
    unknown: tuple[str, ...]
    """Unknown facts, sorted."""

    @field_validator("config")
    @classmethod
    def _has_doubles(cls, value: dict[str, JsonValue]) -> Any:
        """Integers that only a double holds are doubles, as in canonical JSON; pydantic reads them as int."""
        return json_value(json.dumps(value))

    @field_validator("model", "collection")
    @classmethod
    def _has_exact_integers(cls, value: BaseModel | None) -> BaseModel | None:
        canonical_json(value and value.model_dump(mode="json"))  # raises ValueError beyond 2^53 - 1
        return value

    @cached_property
    def canonical(self) -> bytes:
        """Return the canonical JSON of the manifest, the hashed and stored form."""
        return canonical_json(self.model_dump(mode="json"))

    @cached_property
    def digest(self) -> str:
        """Return the run digest: SHA-256 of the canonical form, in hex."""
        return hashlib.sha256(self.canonical).hexdigest()


class Tally:
    """Accumulates counts and means over the records."""

    def __init__(self) -> None:
        self._states: dict[str, int] = {}
        self._reasons: dict[str, int] = {}
        self._means = RunningMeans(len(VECTOR_ORDER))

    def add(self, *, state: str, reason: str | None, scores: dict[str, float | None] | None) -> None:
        """Add a record."""
        self._states[state] = self._states.get(state, 0) + 1
        if reason is not None:
            self._reasons[reason] = self._reasons.get(reason, 0) + 1
        if scores is not None:
            self._means.add(vector(scores))

    @property
    def counts(self) -> Counts:
        """Return the counts."""
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
        """Return the means by column."""
        pairs = zip(VECTOR_ORDER, self._means.means, self._means.counts, strict=True)
        return {column: Mean(mean=mean, n=n) for column, mean, n in pairs}


class RunningMeans:
    """Means of several columns as plain sums in order, so that any program gets the same double."""

    def __init__(self, places: int) -> None:
        self._sums = [0.0] * places
        self.counts = [0] * places

    def add(self, values: Sequence[float | None]) -> None:
        """Add a row; None does not count."""
        sums, counts = self._sums, self.counts
        for place, value in enumerate(values):
            if value is not None:
                sums[place] += value
                counts[place] += 1

    @property
    def means(self) -> tuple[float | None, ...]:
        """Return the mean; None without a value, or if the sum exceeds a double."""
        return tuple(_mean(total, n) for total, n in zip(self._sums, self.counts, strict=True))


def collection_digest(
    documents: Sequence[DescribedDocument], *, chunking: Chunking, embedding: EmbeddingModel
) -> Digest:
    """Return the SHA-256 over a collection: documents in order, chunking, embedding model."""
    listed = [document.model_dump(mode="json") for document in documents]
    return digest_of(
        {
            "documents": listed,
            "chunking": chunking.model_dump(mode="json"),
            "embedding": embedding.model_dump(mode="json"),
        }
    )


def described_config(config: RunConfig) -> RunConfig:
    """Return the configuration without passwords in addresses of model servers, or an installation's names for them."""
    retriever = with_helpers(
        config.retriever,
        rewriter=lambda by: by.with_models(_described_model),
        reranker=lambda by: by.with_models(_described_model),
    )
    return config.model_copy(update={"model": _described_model(config.model), "retriever": retriever})


def _described_model(model: Model) -> Model:
    url = model.base_url
    return model.model_copy(update={"base_url": url and shown_address(url), "connection": None})


def mean_scores(means: Mapping[str, Mean]) -> tuple[float | None, ...]:
    """Return means in vector order."""
    return tuple(means[column].mean if column in COLUMNS and column in means else None for column in VECTOR_ORDER)


def _mean(total: float, n: int) -> float | None:
    mean = total / n if n else math.nan
    return mean if math.isfinite(mean) else None
