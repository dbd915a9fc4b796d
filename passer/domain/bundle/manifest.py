"""The manifest of a finished run: its configuration, inputs, versions and digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, Field, JsonValue, field_validator

from passer.domain.accounts.project import PROJECT_NAME
from passer.domain.base import Count, Frozen, added_field, canonical_json, digest_of, shown_address
from passer.domain.canonical import json_value
from passer.domain.ledger.entry import Digest
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.passages import Chunking, Collection, DocumentSplitter, EmbeddingModel
from passer.domain.retrieval.retriever import with_helpers
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.run_tally import Counts, Mean
from passer.domain.texts.search_words import TextRules

FORMAT: Literal["passer-manifest-1"] = "passer-manifest-1"


class DescribedRun(Frozen):
    """The run that the manifest describes."""

    id: str = Field(pattern=r"^[\x21-\x7e]{1,100}$")
    """Unique within its installation; printable ASCII."""
    sweep_id: str
    """The sweep it belongs to."""
    name: str
    """Name in tables."""
    project: str | None = added_field(None, pattern=PROJECT_NAME)
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
    splitter: DocumentSplitter | None = added_field(None)
    """How it was split into passages; None: at white space, then anywhere."""
    text: Digest | None = added_field(None)
    """SHA-256, hex, of the text that was extracted from it; None where its bytes are its text or it is not known."""


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
    text_rules: TextRules = added_field(1)
    """Rules by which its texts are cut into terms and sentences; not part of `digest`."""

    @classmethod
    def of(cls, collection: Collection, documents: Iterable[DescribedDocument]) -> DescribedCollection:
        """Build the collection with its documents in order, and its digest."""
        listed = tuple(sorted(documents, key=lambda document: (document.name, document.digest)))
        return cls(
            name=collection.name,
            digest=collection_digest(listed, chunking=collection.chunking, embedding=collection.embedding),
            documents=listed,
            chunking=collection.chunking,
            embedding=collection.embedding,
            text_rules=collection.text_rules,
        )


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
    """Conditions of the scores besides the texts."""
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
