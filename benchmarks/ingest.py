"""Ingest of a real PDF: passages per second, and the share of the time that is spent in the encoder.

    python -m benchmarks.ingest [--quick] [--file DOCUMENT]

The document is the regulation of the test data (PASSER_TEST_DATA, default ../shared/data) unless one is named.
`--quick` takes its first passages only. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.report import Figure, report
from passer.adapters.chroma.collections import ChromaCollections
from passer.adapters.documents import document_readers
from passer.adapters.encoders.encoder import embedded_encoder
from passer.adapters.splitter import RecursiveSplitter
from passer.adapters.web import WebFetcher
from passer.domain.retrieval.passages import Chunking, Document, Passage
from passer.ports import Embedder, Vectors
from passer.services.library.document_ingest import DocumentIngest

ROOT = Path(__file__).resolve().parents[1]
QUICK_PASSAGES = 80
QUESTIONS = (
    "How long does the conversion period of perennial crops last?",
    "May organic and non-organic animals be kept on the same holding?",
    "Which information must the certificate of an operator contain?",
    "What are the principles of organic production?",
)


class Timed:
    """An embedder that counts the seconds spent in it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model = embedder.model
        self.spent_s = 0.0

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        began = perf_counter()
        try:
            return self._embedder.sentence_vectors(texts)
        finally:
            self.spent_s += perf_counter() - began


class FirstPassages:
    """The splitter of `--quick`: everything is split, the first passages are kept."""

    def __init__(self, splitter: RecursiveSplitter, most: int | None) -> None:
        self._splitter, self._most = splitter, most

    def split(self, document: Document, chunking: Chunking) -> list[Passage]:
        return self._splitter.split(document, chunking)[: self._most]


def measure(file: Path, *, quick: bool) -> dict[str, Figure]:
    """Figures by name."""
    embedder = Timed(embedded_encoder())
    embedder.sentence_vectors(["warm"])
    splitter = FirstPassages(RecursiveSplitter(), QUICK_PASSAGES if quick else None)
    with tempfile.TemporaryDirectory() as home:
        collections = ChromaCollections(path=Path(home), embedder_for=lambda _: embedder)
        document_ingest = DocumentIngest(
            readers=document_readers(),
            fetcher=WebFetcher(),
            splitter=splitter,
            collections=collections,
            embedder_for=lambda _: embedder,
        )
        document_ingest.ingest_text("warm-up", title="warm", text="So that imports are not counted.")
        embedder.spent_s = 0.0
        began = perf_counter()
        report_of = document_ingest.ingest_files("corpus", [file])
        total_s = perf_counter() - began
        encoder_s = embedder.spent_s
        began = perf_counter()
        document_ingest.ingest_files("corpus", [file])
        again_s = perf_counter() - began
        index = collections.open("corpus")
        index.search(QUESTIONS[:1], 100)
        rankings = index.search(QUESTIONS, 100)
        retrieval_s = sum(ranking.retrieval_s for ranking in rankings) / len(rankings)
        collections.close()
    if report_of.problems:
        sys.exit(str(report_of.problems[0].problem))
    return {
        "passages": Figure(report_of.passages_added, "higher", "passages"),
        "passages_per_s": Figure(report_of.passages_added / total_s, "higher", "passages/s"),
        # The quick form may miss it: it reads and splits the whole document for a fifth of its passages.
        "encoder_share": Figure(encoder_s / total_s, "higher", "ratio", 0.9),
        "total": Figure(total_s, "lower", "s"),
        "same_again": Figure(again_s, "lower", "s"),
        "retrieval_per_question": Figure(retrieval_s, "lower", "s"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Ingest of a real PDF.")
    parser.add_argument("--quick", action="store_true", help="the first passages only, in under a minute")
    parser.add_argument("--file", type=Path, help="another document")
    given = parser.parse_args()
    data = Path(os.environ.get("PASSER_TEST_DATA", ROOT / ".." / "shared" / "data"))
    file = given.file or data / "corpus" / "eur178468consolidation.pdf"
    if not file.is_file():
        sys.exit(f"{file.name} is absent: set PASSER_TEST_DATA, or name a document with --file.")
    report("ingest", measure(file, quick=given.quick))


if __name__ == "__main__":
    main()
