"""Collections: documents in, passages out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import Field

from passer.api.deps import Page, ServicesDep
from passer.api.routers.jobs import Accepted, SubmitDep
from passer.domain.base import Frozen
from passer.domain.retrieval.passages import EMBEDDED, Chunking, Collection, Ranking
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import DocumentSummary
from passer.services.library.document_ingest import check_collection_name
from passer.services.work.kinds import IngestSpec
from passer.services.work.sources import Address, OwnPassages, PastedText, UploadedFiles

router = APIRouter(prefix="/api/v1", tags=["collections"])


EmbeddingName = Annotated[str, Field(pattern=rf"^({EMBEDDED}|ollama/[A-Za-z0-9][A-Za-z0-9._:/-]*)$")]
"""The built-in one, or a model of the Ollama server; files of this machine are named in the settings only."""


class CollectionDetail(Frozen):
    """A collection with its documents."""

    collection: Collection
    """The collection and its embedding model."""
    documents: tuple[DocumentSummary, ...]
    """Ingested documents."""
    passages: int
    """Total number of passages."""


class NewText(Frozen):
    """Pasted text."""

    title: str = Field(min_length=1, max_length=200)
    """Name of the document."""
    text: str = Field(min_length=1)
    """Its text."""
    chunking: Chunking | None = None
    """Passage size and overlap. None: 1024 characters with an overlap of 50 for a new collection, else the collection's
    own."""
    embedding: EmbeddingName | None = None
    """The embedding model; None is the one of the settings in a new collection, and an existing one's own."""


class NewAddress(Frozen):
    """A web address."""

    url: str = Field(min_length=1, max_length=2000)
    """http or https."""
    chunking: Chunking | None = None
    """Passage size and overlap. None: 1024 characters with an overlap of 50 for a new collection, else the collection's
    own."""
    embedding: EmbeddingName | None = None
    """The embedding model; None is the one of the settings in a new collection, and an existing one's own."""


class Reindex(Frozen):
    """Embedding model with which a collection is reindexed."""

    embedding: EmbeddingName | None = None
    """The embedding model; None is the collection's own, of which there is a new version."""


@router.get("/collections", operation_id="list_collections")
def list_collections(services: ServicesDep) -> Page[CollectionDetail]:
    """List all collections, sorted by name."""
    found = services.adapters.collections.list()
    return Page(
        items=tuple(
            CollectionDetail(
                collection=collection, documents=tuple(documents), passages=sum(d.passages for d in documents)
            )
            for collection, documents in found
        )
    )


@router.post("/collections/{name}/documents", operation_id="ingest_documents", status_code=202)
def ingest_documents(
    name: str,
    submit: SubmitDep,
    files: Annotated[list[UploadFile], File()],
    chunk_size: Annotated[int | None, Form()] = None,
    chunk_overlap: Annotated[int | None, Form()] = None,
    embedding: Annotated[EmbeddingName | None, Form()] = None,
) -> Accepted:
    """Ingest uploaded documents (txt, Markdown, PDF, DOCX, HTML); an existing collection keeps its chunking."""
    check_collection_name(name)
    chunking = _chunking(chunk_size, chunk_overlap)
    source = UploadedFiles(names=tuple(file.filename or "document.txt" for file in files))
    spec = IngestSpec(collection=name, source=source, embedding=embedding, chunking=chunking)
    return submit(spec, [file.file for file in files])


@router.post("/collections/{name}/texts", operation_id="ingest_text", status_code=202)
def ingest_text(name: str, body: NewText, submit: SubmitDep) -> Accepted:
    """Ingest pasted text."""
    check_collection_name(name)
    source = PastedText(title=body.title)
    spec = IngestSpec(collection=name, source=source, embedding=body.embedding, chunking=body.chunking)
    return submit(spec, [body.text.encode("utf-8", "replace")])


@router.post("/collections/{name}/addresses", operation_id="ingest_address", status_code=202)
def ingest_address(name: str, body: NewAddress, submit: SubmitDep) -> Accepted:
    """Download a web page and ingest its text."""
    check_collection_name(name)
    source = Address(url=body.url)
    return submit(IngestSpec(collection=name, source=source, embedding=body.embedding, chunking=body.chunking), ())


@router.post("/collections/{name}/reindex", operation_id="reindex_collection", status_code=202)
def reindex_collection(name: str, body: Reindex, submit: SubmitDep) -> Accepted:
    """Embed the passages of a collection again, by another embedding model or a new version of its own."""
    return submit(IngestSpec(collection=name, source=OwnPassages(), embedding=body.embedding), ())


@router.get("/collections/{name}/passages", operation_id="search_collection")
def search_collection(
    name: str,
    services: ServicesDep,
    text: Annotated[str, Query(min_length=1, max_length=10_000)],
    top_k: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Ranking:
    """Return the passages that are most similar to a text."""
    return services.adapters.collections.open(name).search([text], top_k)[0]


@router.delete("/collections/{name}", operation_id="delete_collection", status_code=204)
def delete_collection(name: str, services: ServicesDep, confirm: str) -> None:
    """Delete a collection; `confirm` must be its name."""
    if confirm != name:
        raise ConflictError(sentence("problem.name-needed", name=name))
    services.judging.passage_ratings.keep_graded(name)
    services.adapters.collections.delete(name)


def _chunking(chunk_size: int | None, chunk_overlap: int | None) -> Chunking | None:
    if chunk_size is None and chunk_overlap is None:
        return None
    chunk_size = Chunking().chunk_size if chunk_size is None else chunk_size
    chunk_overlap = min(Chunking().chunk_overlap, chunk_size // 2) if chunk_overlap is None else chunk_overlap
    if not 16 <= chunk_size <= 100_000:
        raise InputError(sentence("document.chunk-size"), field="chunk_size")
    if not 0 <= chunk_overlap < chunk_size:
        raise InputError(sentence("document.chunk-overlap"), field="chunk_overlap")
    return Chunking(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
