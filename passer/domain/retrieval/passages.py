"""Documents and the passages into which they are split, collections, and rankings of passages."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from functools import cached_property
from typing import Literal

from pydantic import Field, model_validator

from passer.domain.base import Frozen, added_field, digest_of
from passer.domain.defaults import CHUNK_OVERLAP, CHUNK_SIZE
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.texts.search_words import TextRules
from passer.domain.texts.sentence_ends import is_of_other_scripts
from passer.domain.wording.sentence import LocalizedText, sentence

EMBEDDED = "embedded/all-MiniLM-L6-v2"
"""Name of the built-in embedding model."""

DocumentSplitter = Literal["scripts-1"]
"""Way in which a document is split, if not at white space and then anywhere: `scripts-1` also splits at the full stops
and commas of other scripts, and never within a grapheme cluster."""


class Document(Frozen):
    """The text of one source, whole."""

    name: str = Field(min_length=1, max_length=500)
    """File name, address, or the name given to pasted text."""
    digest: str
    """SHA-256, hex, of the source's bytes."""
    text: str
    """All pages, joined."""
    page_starts: tuple[int, ...] = ()
    """Character at which each page begins, first page first; empty where the source has no pages."""
    reader: str | None = None
    """Version of the reader that extracted the text from another form, such as a PDF; None where the bytes are the
    text. Another version may read another text of the same bytes."""
    warnings: tuple[LocalizedText, ...] = ()
    """What the source contains and the text does not, one sentence each."""

    @property
    def pages_without_text(self) -> int:
        """Return the number of pages that hold at most white space; 0 where the source has no pages."""
        ends = (*self.page_starts[1:], len(self.text))
        return sum(not self.text[start:end].strip() for start, end in zip(self.page_starts, ends, strict=False))

    @cached_property
    def splitter(self) -> DocumentSplitter | None:
        """Return how the document is split into passages now; None for white space and then anywhere, as ever.

        It is chosen by the text and stated for each document, so that the passages, ids and digests of documents
        without such letters and marks, and of those that were ingested before, stay as they are.
        """
        return "scripts-1" if is_of_other_scripts(self.text) else None

    @cached_property
    def text_digest(self) -> str | None:
        """Return the SHA-256, hex, of an extracted text; None where the bytes are the text.

        A passage that another version read of the same bytes may have another text, and needs another id.
        """
        return hashlib.sha256(self.text.encode()).hexdigest() if self.reader is not None else None

    def page_at(self, position: int) -> int | None:
        """Return the page number (from 1) of a character; None without pages."""
        if not self.page_starts:
            return None
        return max(1, bisect_right(self.page_starts, position))


class Chunking(Frozen):
    """Sizes by which documents are split into passages."""

    chunk_size: int = Field(default=CHUNK_SIZE, ge=16, le=100_000)
    """Largest passage, in units."""
    chunk_overlap: int = Field(default=CHUNK_OVERLAP, ge=0)
    """Units shared by neighbours."""
    unit: Literal["characters", "tokens"] = "characters"
    """Tokens are those of the embedded encoder, without special ones."""

    @model_validator(mode="after")
    def _overlap_fits(self) -> Chunking:
        if self.chunk_overlap >= self.chunk_size:
            raise ValueError(sentence("rule.overlap"))
        return self


class EmbeddingModel(Frozen):
    """The embedding model of a collection."""

    name: str
    """`embedded/all-MiniLM-L6-v2`, `ollama/<tag>`, or a path."""
    digest: str
    """SHA-256 of the weights, or the server's digest; `unknown` where it gives none."""
    dimension: int = Field(ge=1)
    """Length of a vector."""


class Collection(Frozen):
    """A searchable corpus with one embedding model; the space is always cosine."""

    name: str = Field(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$")
    """3 to 63 letters from a to z in either case, digits, dots, dashes or underscores."""
    embedding: EmbeddingModel
    """Queries are embedded with this model and no other."""
    chunking: Chunking = Chunking()
    """Chunking of its documents."""
    text_rules: TextRules = added_field(1)
    """Rules by which its texts are cut into terms and sentences; 1 before they were stated."""


class Passage(Frozen):
    """A piece of a document that can be retrieved."""

    id: str
    """Content-addressed: the same document cut the same way has the same ids."""
    document: str
    """Name of its document."""
    number: int = Field(ge=0)
    """Place among the document's passages, from 0."""
    text: str
    """Part of a ranking that a model gets."""
    start: int = Field(ge=0)
    """First character in the document."""
    end: int = Field(ge=0)
    """One past the last character in the document."""
    page: int | None = None
    """Page it begins on, from 1."""


class RetrievedPassage(Passage):
    """A passage with its place in the answer to a question."""

    rank: int = Field(ge=1)
    """Rank, from 1 for the best."""
    similarity: float = Field(ge=-1, le=1)
    """1 - cosine distance to the question as it was asked, whatever ordered the ranking."""
    score: float | None = added_field(None)
    """Score by which the retriever ordered, if that is not the similarity; its scale is the retriever's own."""


NoRewriting = Literal["no-reply", "unusable", "cut-off", "too-long", "nothing-new", "no-term"]
"""Reason why only the question itself was searched for."""


class Rewriting(Frozen):
    """The texts that a question was searched by, where a retriever rewrites questions."""

    asked: tuple[str, ...]
    """Texts that were searched for; the question comes first if it was one of them."""
    dropped: int = 0
    """Variations that were left out because they repeat the question, one another, or the prompt."""
    reason: NoRewriting | None = None
    """Reason why only the question was searched for; None if it was rewritten."""

    @property
    def is_final(self) -> bool:
        """Return whether a repetition gives the same; False without a reply, so that no other sweep uses it."""
        return self.reason != "no-reply"


class Ranking(Frozen):
    """The first passages of a retriever for one question, best first: every configuration is a cut of it."""

    passages: tuple[RetrievedPassage, ...]
    """Passages in descending order of score, or of similarity where there is no score; equal ones by passage id. Where
    a reranker scored the first passages, those without a score follow as they were ranked before."""
    gold_ids: tuple[str, ...] | None = None
    """Ids of all passages of the collection that contain the answer, retrieved or not; None where that is not known."""
    embedding_s: float = 0.0
    """Seconds to embed the question (its share of a batch)."""
    retrieval_s: float = 0.0
    """Seconds to search (its share of a batch)."""
    rewriting: Rewriting | None = added_field(None)
    """Query; None if the question was searched for as it was asked."""
    is_complete: bool = added_field(True)
    """True if every model that took part replied; if not, no other sweep uses the ranking. It is not stored."""

    @property
    def is_final(self) -> bool:
        """Return whether ranking again gives the same."""
        return self.is_complete and (self.rewriting is None or self.rewriting.is_final)

    def cut(self, policy: RetrievalPolicy) -> range:
        """Return the places (from 0) that a policy keeps."""
        return policy.keep([passage.similarity for passage in self.passages])


def passage_id(
    *,
    document_digest: str,
    chunking: Chunking,
    number: int,
    splitter: DocumentSplitter | None = None,
    text: str | None = None,
) -> str:
    """Return the content address of a passage: digests of the document and of an extracted text, chunking, splitter
    and number.
    """
    content = {"document": document_digest, "chunking": chunking.model_dump()}
    stated = {"splitter": splitter, "text": text}
    content |= {name: value for name, value in stated.items() if value is not None}
    return f"{digest_of(content)[:24]}-{number:05d}"
