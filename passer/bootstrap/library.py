"""The services that bring material in: documents, questions, result sheets, models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.pipeline import Pipeline
from passer.domain.score import Scores
from passer.services.library.answer_files import AnswerFiles
from passer.services.library.dataset_import import DatasetImport
from passer.services.library.document_ingest import DocumentIngest
from passer.services.library.examples import Examples, Experiments
from passer.services.library.model_servers import ModelPull, ModelServers
from passer.services.library.ragelo_files import RageloReader
from passer.services.sheets.sheet_browser import SheetBrowser
from passer.services.sheets.sheet_library import SheetLibrary


@dataclass(frozen=True)
class Library:
    """Imports documents, question files and models."""

    adapters: Adapters

    @cached_property
    def document_ingest(self) -> DocumentIngest:
        """Adds documents to collections."""
        from passer.adapters.documents import document_readers
        from passer.adapters.encoders.files import embedded_folder
        from passer.adapters.reading.isolated import IsolatedDocuments, IsolatedSplitter
        from passer.adapters.splitter import RecursiveSplitter, TokenCounter
        from passer.adapters.web import WebFetcher

        limits, pool = self.adapters.settings, self.adapters.reader_pool
        return DocumentIngest(
            readers=[IsolatedDocuments(reader, pool) for reader in document_readers()],
            fetcher=WebFetcher(max_bytes=limits.max_upload_bytes, allow_private=limits.allow_private_addresses),
            splitter=IsolatedSplitter(RecursiveSplitter(token_count=TokenCounter(embedded_folder)), pool),
            collections=self.adapters.collections,
            embedder_for=self.adapters.embedder_for,
            default_embedding=lambda: self.adapters.project_settings.current().embedding,
            max_bytes=limits.max_upload_bytes,
        )

    @cached_property
    def dataset_import(self) -> DatasetImport:
        """Reads question files."""
        from passer.adapters.recognition import recognised_language

        return DatasetImport(
            self.adapters.table_readers, recognised_language, max_bytes=self.adapters.settings.max_upload_bytes
        )

    @cached_property
    def answer_files(self) -> AnswerFiles:
        return AnswerFiles(readers=self.adapters.table_readers)

    @cached_property
    def ragelo_reader(self) -> RageloReader:
        return RageloReader(datasets=self.dataset_import, answer_files=self.answer_files)

    def read_run(self, content: bytes, file: str) -> tuple[str, dict[str, list[str]]]:
        """Return the name of a ranking and the names of each question, best first; InputError names the line or row.

        A table (CSV, JSON, XLSX, Parquet) holds documents by rank, or best first, as those of RAGElo, and its name is
        that of the ranking; any other file is a TREC run.
        """
        from passer.adapters.trec import read_run

        if self._is_table(file):
            found = self.ragelo_reader.documents((file, content))
            return PurePath(file).stem, {question: list(names) for question, names in found.items()}
        return read_run(content, file)

    def read_qrels(self, content: bytes, file: str) -> dict[str, dict[str, int]]:
        """Return the grade of each name by question; InputError and DatasetError name the line or row.

        A table (CSV, JSON, XLSX, Parquet) holds RAGElo's judgements of documents, or qrels of BEIR or MTEB; any other
        file qrels of TREC or BEIR.
        """
        from passer.adapters.trec import is_beir, read_qrels

        is_csv = PurePath(file).suffix.lower() == ".csv"
        if self._is_table(file) and not (is_csv and is_beir(content, file)):
            return self.ragelo_reader.grades((file, content))
        return read_qrels(content, file)

    def _is_table(self, file: str) -> bool:
        """Return whether a file has named columns; those of TREC and BEIR are separated by tabs too."""
        suffix = PurePath(file).suffix.lower()
        return suffix != ".tsv" and any(suffix in reader.suffixes for reader in self.adapters.table_readers)

    @cached_property
    def examples(self) -> Examples:
        return Examples(
            document_ingest=self.document_ingest,
            dataset_import=self.dataset_import,
            datasets=self.adapters.datasets,
        )

    @cached_property
    def experiments(self) -> Experiments:
        """Reads the experiment files that come with PaSSER."""
        from passer.adapters.experiments.reader import load_experiment

        # A user who opens a file on the page must not see this machine's environment.
        return Experiments(read=lambda path: load_experiment(path, {}))

    @property
    def model_servers(self) -> ModelServers:
        return self.adapters.models.servers

    @cached_property
    def model_pull(self) -> ModelPull:
        return ModelPull(puller=lambda: self.adapters.puller, chat_model=self.adapters.models.chat_model)


@dataclass(frozen=True)
class Sheets:
    """Imports, audits and shows result sheets of earlier PaSSER versions."""

    adapters: Adapters
    pipeline: Pipeline

    @cached_property
    def sheet_library(self) -> SheetLibrary:
        """Imports and analyses result sheets."""
        from passer.adapters.reading.isolated import IsolatedSheets
        from passer.adapters.sheets import XlsxSheetReader

        return SheetLibrary(
            imports=self.adapters.imports,
            reader=IsolatedSheets(XlsxSheetReader(), self.adapters.reader_pool),
            datasets=self.adapters.datasets,
            clock=self.adapters.clock,
            recompute=self._published_scores,
            max_bytes=self.adapters.settings.max_upload_bytes,
        )

    @cached_property
    def sheet_browser(self) -> SheetBrowser:
        return SheetBrowser(imports=self.adapters.imports, datasets=self.adapters.datasets, scorer=self.pipeline.scorer)

    def _published_scores(self, pairs: Sequence[tuple[str, str]], column: str) -> list[Scores]:
        from passer.metrics.reference_share import COLUMN, reference_share

        if column == COLUMN:
            return [{COLUMN: reference_share(reference=reference, answer=answer)} for reference, answer in pairs]
        return list(self.pipeline.scorer.stream(pairs, profile="published", columns=(column,)))
