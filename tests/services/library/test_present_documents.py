"""Documents that are added again: read again only by another version, and another text is reported, not stored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.chroma.index import ChromaIndex
from passer.adapters.documents.plain import MarkdownReader, document_of_pages
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Document
from passer.domain.wording.sentence import reading, sentence
from passer.services.library.document_ingest import DocumentIngest
from passer.services.library.ingest_report import IngestedDocument, IngestReport
from passer.services.pipeline.retrieval_search import version_of
from tests.fake_files import FakeFetcher
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()
CHUNKING = Chunking(chunk_size=60, chunk_overlap=20)
PAGES = ["The field has 10 m2 of clover, which covers the soil for two winters.", "", "Bees need nectar and pollen."]
LATER = [PAGES[0].replace("m2", "m\u00b2"), *PAGES[1:]]
"""The same pages as another version reads them."""


class Reader:
    """A reader of PDFs whose version and text are set."""

    suffixes = (".pdf",)

    def __init__(self) -> None:
        self.version, self.pages = "pdf-1", PAGES
        self.count = 0
        self.warnings: tuple[str, ...] = ()

    def read(self, content: bytes, name: str) -> Document:
        self.count += 1
        return document_of_pages(self.pages, content=content, name=name, reader=self.version, warnings=self.warnings)


class Desk:
    """A collection, and the reader of what is added to it."""

    def __init__(self, collections: ChromaCollections) -> None:
        self.collections, self.reader = collections, Reader()
        self._ingest = DocumentIngest(
            readers=(self.reader,),
            fetcher=FakeFetcher({}),
            splitter=RecursiveSplitter(),
            collections=collections,
            embedder_for=lambda _: ENCODER,
        )

    def add(self, *names: str) -> IngestReport:
        sources = [(name, f"%PDF of {name}".encode()) for name in names]
        return self._ingest.ingest_sources("farm", sources, chunking=CHUNKING)

    def stored(self) -> tuple[str, list[tuple[str, str]]]:
        """Return the version of the collection, and the ids and texts of its passages."""
        passages = self.collections.open("farm").passages()
        return version_of(self.collections, "farm"), [(each.id, each.text) for each in passages]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    store = ChromaCollections(path=tmp_path / "chroma", embedder_for=lambda _: ENCODER)
    yield Desk(store)
    store.close()


def test_the_same_version_does_not_read_a_document_again_and_knows_its_pages_without_text(desk: Desk) -> None:
    [added] = desk.add("a.pdf").documents
    [again] = desk.add("a.pdf").documents
    assert desk.reader.count == 1
    assert again == IngestedDocument(name="a.pdf", passages_present=added.passages_added, pages_without_text=1)


def test_what_a_document_lost_is_said_again_from_the_collection_and_is_no_part_of_its_version(desk: Desk) -> None:
    desk.add("a.pdf")
    before = desk.stored()
    desk.reader.version = "pdf-2"
    desk.reader.warnings = (sentence("document.attached", name="a.pdf", n=1),)
    for _ in range(2):
        [document] = desk.add("a.pdf").documents
        assert str(document.warnings[0]).startswith("a.pdf has an attached file")
        with reading("bg"):
            assert "има прикачен файл" in document.model_dump_json()
    assert desk.reader.count == 2
    assert desk.stored() == before
    [added] = desk.add("b.pdf").documents
    assert added.warnings


def test_a_document_that_two_names_have_is_read_once(desk: Desk) -> None:
    content = b"%PDF"
    report = desk._ingest.ingest_sources("farm", [("a.pdf", content), ("b.pdf", content)], chunking=CHUNKING)
    assert desk.reader.count == 1
    assert report.documents[1].passages_present == report.documents[0].passages_added


def test_another_version_that_reads_the_same_text_is_noted(desk: Desk) -> None:
    desk.add("a.pdf")
    before = desk.stored()
    desk.reader.version = "pdf-2"
    report = desk.add("a.pdf")
    assert (report.remark, report.documents[0].reads_differently, desk.reader.count) == (None, False, 2)
    desk.add("a.pdf")
    assert desk.reader.count == 2, "the version was noted"
    assert desk.stored() == before, "rankings are kept by the version of the collection and the ids of passages"


def test_another_text_is_reported_and_the_passages_stay(desk: Desk) -> None:
    desk.add("a.pdf", "b.pdf")
    before = desk.stored()
    desk.reader.version, desk.reader.pages = "pdf-2", LATER
    for _ in range(2):
        report = desk.add("a.pdf", "b.pdf", "c.pdf")
        assert [each.reads_differently for each in report.documents] == [True, True, False]
        assert report.remark is not None
        assert "from 2 documents that the collection already contains: a.pdf, b.pdf." in report.remark
        assert "add the documents to a new collection" in report.remark
    with reading("bg"):
        assert "от 2 документа, които колекцията вече съдържа: a.pdf, b.pdf." in report.model_dump_json()
    after = desk.stored()
    assert set(before[1]) < set(after[1]), "the passages of the documents are those of before"
    assert {text for key, text in after[1] if (key, text) not in before[1]} == {
        each.text for each in desk.collections.open("farm").passages() if each.document == "c.pdf"
    }


def test_many_documents_are_not_all_named(desk: Desk) -> None:
    names = [f"{number:02d}.pdf" for number in range(12)]
    desk.add(*names)
    desk.reader.version, desk.reader.pages = "pdf-2", LATER
    remark = desk.add(*names).remark
    assert remark is not None
    assert "12 documents" in remark
    assert "09.pdf, \u2026." in remark


def test_markdown_without_a_version_of_its_text_is_compared_without_its_passages(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk._ingest = replace(desk._ingest, readers=(MarkdownReader(),))
    sources = [("a.md", b"# Clover\n\nIt fixes nitrogen. <!-- checked -->\n")]
    [added] = desk._ingest.ingest_sources("farm", sources, chunking=CHUNKING).documents
    for method in ("open", "note"):
        monkeypatch.setattr(desk.collections, method, None)
    [again] = desk._ingest.ingest_sources("farm", sources, chunking=CHUNKING).documents
    assert again == IngestedDocument(name="a.md", passages_present=added.passages_added)


def test_documents_of_before_their_texts_were_stated_are_compared_by_one_reading_of_the_collection(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["a.pdf", "b.pdf", "c.pdf"]
    collection = desk.add("a.pdf").collection
    desk.collections.delete("farm")
    for name in names:
        text = "\n\n".join(PAGES)
        old = Document(name=name, digest=hashlib.sha256(f"%PDF of {name}".encode()).hexdigest(), text=text)
        passages = RecursiveSplitter().split(old, CHUNKING)
        desk.collections.add(collection, old, passages, ENCODER.sentence_vectors([each.text for each in passages]))
    desk.reader.pages = LATER
    opened: list[str] = []
    open_index = desk.collections.open

    def counted(name: str) -> ChromaIndex:
        opened.append(name)
        return open_index(name)

    monkeypatch.setattr(desk.collections, "open", counted)
    report = desk.add(*names, "new.pdf")
    assert [each.reads_differently for each in report.documents] == [True, True, True, False]
    assert opened == ["farm"]


@pytest.mark.parametrize(("pages", "differs"), [(PAGES, False), (LATER, True), ([*PAGES, "More."], True)])
def test_a_document_of_before_its_text_was_stated_is_compared_by_its_passages(
    desk: Desk, pages: list[str], differs: bool
) -> None:
    collection = desk.add("a.pdf").collection
    desk.collections.delete("farm")
    text = "\n\n".join(PAGES)
    old = Document(name="a.pdf", digest=hashlib.sha256(b"%PDF of a.pdf").hexdigest(), text=text, page_starts=(0,))
    passages = RecursiveSplitter().split(old, CHUNKING)
    desk.collections.add(collection, old, passages, ENCODER.sentence_vectors([each.text for each in passages]))
    before = desk.stored()
    desk.reader.pages = pages
    assert [each.reads_differently for each in desk.add("a.pdf").documents] == [differs]
    assert desk.add("a.pdf").documents[0].pages_without_text == (0 if differs else 1)
    assert desk.reader.count == (3 if differs else 2)
    assert desk.stored() == before, "its text is not noted either: rankings are kept by the version of the collection"
