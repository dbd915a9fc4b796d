"""Collections that a sweep needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from shlex import quote

from passer.domain.base import Frozen, digest_of
from passer.domain.retrieval.passages import Chunking
from passer.domain.wording.sentence import LocalizedText, sentence

# The limit of Chroma. docs/study.md states the rule for longer names, so that verifiers find those of a design.
LONGEST_COLLECTION_NAME = 63


class PlannedCollection(Frozen):
    """A collection that a sweep needs, with its required embedding model and chunking."""

    name: str
    """Its name."""
    embedding: str | None = None
    """Required embedding model; None for any."""
    chunking: Chunking | None = None
    """Required chunking; None for any."""
    label: LocalizedText = ""
    """Distinguishes it from the sweep's other collections; empty if it is the only one."""

    @property
    def command(self) -> str:
        """Command that creates it, except for the documents."""
        before = f"PASSER_EMBEDDING={quote(self.embedding)} " if self.embedding else ""
        cut = self.chunking
        how = f" --chunk-size {cut.chunk_size} --chunk-overlap {cut.chunk_overlap}" if cut else ""
        unit = f" --unit {cut.unit}" if cut and cut.unit != "characters" else ""
        return f"{before}passer ingest {self.name} DOCUMENTS{how}{unit}"


def planned_collections(
    name: str, embeddings: Sequence[str], chunkings: Sequence[Chunking]
) -> tuple[PlannedCollection, ...]:
    """Return the required collections, one for each combination of embedding model and chunking.

    Each is called `name`, followed by what is varied: `books`, `books-512-50`, `books-ollama-mistral-512-50`. A name
    longer than Chroma's limit ends in eight digits of its digest.
    """
    found = []
    for embedding, chunking in product(embeddings or (None,), chunkings or (None,)):
        varied = [_embedding_part(embedding)] if embedding and len(embeddings) > 1 else []
        label = embedding if embedding and varied else ""
        if chunking and len(chunkings) > 1:
            varied.append(_chunking_part(chunking))
            label = _chunking_label(f"{label} " if label else "", chunking)
        full = "-".join([name, *varied])
        planned = PlannedCollection(
            name=_fitted(full) if varied else full, embedding=embedding, chunking=chunking, label=label
        )
        found.append(planned)
    return tuple(found)


def _embedding_part(embedding: str) -> str:
    return re.sub(r"[^a-zA-Z0-9]+", "-", embedding).strip("-").lower()


def _chunking_part(chunking: Chunking) -> str:
    return f"{chunking.chunk_size}-{chunking.chunk_overlap}{'t' if chunking.unit == 'tokens' else ''}"


def _chunking_label(before: str, chunking: Chunking) -> str:
    size = f"{before}{chunking.chunk_size}/{chunking.chunk_overlap}"
    return sentence("name.tokens", size=size) if chunking.unit == "tokens" else size


def _fitted(name: str) -> str:
    if len(name) <= LONGEST_COLLECTION_NAME:
        return name
    return f"{name[: LONGEST_COLLECTION_NAME - 9].rstrip('.-_')}-{digest_of(name)[:8]}"
