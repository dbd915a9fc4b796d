"""What a study is made of, taken in: documents, questions, result sheets, and how answers are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from passer.bootstrap.outside import Outside
from passer.domain.score import Scores
from passer.services.examples import Examples
from passer.services.importing import Importing
from passer.services.ingesting import Ingesting
from passer.services.inspecting_sheets import InspectingSheets
from passer.services.loading import Loading
from passer.services.scoring import Scoring
from passer.settings import NO_ENCODER


@dataclass(frozen=True)
class Material(Outside):
    """The services that take in, over the outside world."""

    @cached_property
    def scoring(self) -> Scoring:
        """The 24 metrics."""
        from passer.adapters.wordnet import find_wordnet

        encoder = None if self.settings.encoder == NO_ENCODER else self.encoder
        return Scoring(encoder=encoder, wordnet=find_wordnet(self.settings.wordnet))

    @cached_property
    def ingesting(self) -> Ingesting:
        """Documents in."""
        from passer.adapters.documents import document_readers
        from passer.adapters.encoder_files import embedded_folder
        from passer.adapters.splitter import RecursiveSplitter
        from passer.adapters.tokens import token_counter
        from passer.adapters.web import WebFetcher

        limits = self.settings
        return Ingesting(
            readers=document_readers(),
            fetcher=WebFetcher(max_bytes=limits.max_upload_bytes, allow_private=limits.allow_private_addresses),
            splitter=RecursiveSplitter(token_count=token_counter(embedded_folder)),
            collections=self.collections,
            embedder_for=self.embedder_for,
            default_embedding=limits.embedding,
            max_bytes=limits.max_upload_bytes,
        )

    @cached_property
    def loading(self) -> Loading:
        """Question files in."""
        from passer.adapters.tables import table_readers

        return Loading(readers=table_readers(), max_bytes=self.settings.max_upload_bytes)

    @cached_property
    def importing(self) -> Importing:
        """Result sheets in."""
        from passer.adapters.sheets import XlsxSheetReader

        return Importing(
            imports=self.imports,
            reader=XlsxSheetReader(),
            datasets=self.datasets,
            clock=self.clock,
            recompute=self._published_scores,
            max_bytes=self.settings.max_upload_bytes,
        )

    @cached_property
    def inspecting_sheets(self) -> InspectingSheets:
        """Imported sheets, question by question."""
        return InspectingSheets(imports=self.imports, datasets=self.datasets, scorer=self.scoring)

    @cached_property
    def examples(self) -> Examples:
        """What comes with PaSSER."""
        return Examples(ingesting=self.ingesting, loading=self.loading, datasets=self.datasets)

    def _published_scores(self, pairs: Sequence[tuple[str, str]], column: str) -> list[Scores]:
        from passer.metrics.reference_share import COLUMN, reference_share

        if column == COLUMN:
            return [{COLUMN: reference_share(reference=reference, answer=answer)} for reference, answer in pairs]
        return list(self.scoring.stream(pairs, profile="published", columns=(column,)))
