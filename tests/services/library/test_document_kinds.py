"""Files that are no documents are refused by their names, each kind with what to do."""

from __future__ import annotations

import pytest

from passer.adapters.documents import document_readers
from passer.services.library.document_ingest import DocumentIngest
from tests.fake_files import FakeFetcher, FakeSplitter
from tests.fakes import FakeCollections, FakeEncoder


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("docs.zip", "is an archive. Unpack it"),
        ("corpus.jsonl", "write one text file ID.txt for each"),
        ("slides.PPTX", "Save it as .docx or PDF in the program that wrote it"),
        ("page.mhtml", "Save it as HTML or PDF"),
        ("data.bin", "PaSSER cannot read files like data.bin. Use one of .docx"),
    ],
)
def test_files_of_other_kinds_are_refused_with_what_to_do(name: str, said: str) -> None:
    ingest = DocumentIngest(
        readers=document_readers(),
        fetcher=FakeFetcher({}),
        splitter=FakeSplitter(),
        collections=FakeCollections(),
        embedder_for=lambda name: FakeEncoder(),
    )
    [refused] = ingest.ingest_sources("farm", [(name, b"content")]).documents
    assert said in (refused.problem or "")
