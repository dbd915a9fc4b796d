"""The only room that names concrete adapters: settings in, services out. Nothing heavy is loaded before it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from threading import Thread

from passer.bootstrap.outside import Outside
from passer.domain.score import MetricInfo, Profile, Scores, ScoreTable
from passer.domain.sweep import Sweep
from passer.errors import PasserError
from passer.ports import Engine, Part, Workers
from passer.services.comparing import Comparing
from passer.services.diagnosing import Diagnosing
from passer.services.examples import Examples
from passer.services.exporting import Exporting
from passer.services.importing import Importing
from passer.services.ingesting import Ingesting
from passer.services.inspecting import Inspecting
from passer.services.loading import Loading
from passer.services.planning import Planning
from passer.services.running import Running
from passer.services.scoring import Scoring
from passer.services.scoring_files import ScoringFiles
from passer.services.steering import Steering
from passer.services.sweeping import Sweeping
from passer.settings import NO_ENCODER, Settings

CLIENT = Path(__file__).parents[1] / "static"
"""The built browser application."""


@dataclass(frozen=True)
class Services(Outside):
    """Everything that a command or a route may call; each part is built when it is first asked for."""

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
    def examples(self) -> Examples:
        """What comes with PaSSER."""
        return Examples(ingesting=self.ingesting, loading=self.loading, datasets=self.datasets)

    @cached_property
    def sweeping(self) -> Sweeping:
        """Sweeps before and after they run."""
        return Sweeping(
            runs=self.runs,
            evaluations=self.evaluations,
            datasets=self.datasets,
            collections=self.collections,
            describe=self.answering.describe,
            templates=self.templates,
            scored_by=lambda: self.scoring.identity,
            clock=self.clock,
            per_endpoint=self.settings.concurrency,
        )

    @cached_property
    def planning(self) -> Planning:
        """Sweeps looked ahead at."""
        return Planning(sweeping=self.sweeping, answering=self.answering)

    @cached_property
    def steering(self) -> Steering:
        """What a person does to sweeps."""
        return Steering(runs=self.runs, evaluations=self.evaluations)

    @cached_property
    def running(self) -> Running:
        """Sweeps while they run."""
        return Running(
            runs=self.runs,
            leases=self.leases,
            evaluations=self.evaluations,
            datasets=self.datasets,
            collections=self.collections,
            answering=self.answering,
            scorer=self.scoring,
            engine=self._engine,
            clock=self.clock,
        )

    @cached_property
    def inspecting(self) -> Inspecting:
        """What runs left, looked at."""
        return Inspecting(runs=self.runs, evaluations=self.evaluations, datasets=self.datasets)

    @cached_property
    def exporting(self) -> Exporting:
        """Tables out."""
        from passer.adapters.tables import table_writers

        return Exporting(writers=table_writers())

    @cached_property
    def scoring_files(self) -> ScoringFiles:
        """Answers of other systems, scored from a file."""
        from passer.adapters.tables import table_readers, table_writers

        return ScoringFiles(readers=table_readers(), writers=table_writers(), scoring=self.scoring)

    @cached_property
    def comparing(self) -> Comparing:
        """Sweeps analysed and exported."""
        return Comparing(
            inspecting=self.inspecting,
            runs=self.runs,
            evaluations=self.evaluations,
            exporting=self.exporting,
        )

    @cached_property
    def diagnosing(self) -> Diagnosing:
        """Which parts are there."""
        from passer.adapters import parts
        from passer.adapters.wordnet import find_wordnet

        values = self.settings
        return Diagnosing(
            checks=(
                parts.encoder_check(lambda: self.encoder),
                parts.wordnet_check(lambda: find_wordnet(values.wordnet)),
                parts.database_check(lambda: self.database, url=values.resolved_database_url),
                parts.chroma_check(lambda: self.collections, place=values.chroma_url or str(values.chroma_path)),
                parts.ollama_check(values.ollama_url),
                parts.chain_check(values.chain_url),
                parts.client_check(CLIENT),
            )
        )

    def metrics(self, profile: Profile) -> tuple[MetricInfo, ...]:
        """What each metric says of itself, in vector order."""
        return metric_infos(profile)

    def warm(self) -> None:
        """Load in the background what the first request would wait for."""
        Thread(target=self._warm, name="warming", daemon=True).start()

    def _published_scores(self, pairs: Sequence[tuple[str, str]], column: str) -> list[Scores]:
        return list(self.scoring.stream(pairs, profile="published", columns=(column,)))

    def _engine(self) -> Engine:
        from passer.engines.local import LocalEngine

        return LocalEngine(
            lambda: Workers(generator=self.generator, scorer=lambda: self.scoring),
            per_endpoint=self.settings.concurrency,
        )

    def _warm(self) -> None:
        # What is missing here is said when it is needed, and by `passer doctor`; so is a server that stops meanwhile.
        with suppress(PasserError, RuntimeError):
            if self.settings.encoder != NO_ENCODER:
                self.encoder.warm()
            self.scoring.score([("A warm text.", "Another warm text.")], profile="standard")


def build_services(settings: Settings) -> Services:
    """Services over these settings."""
    return Services(settings)


@contextmanager
def services() -> Iterator[Services]:
    """Services over the environment's settings, closed at the end."""
    built = build_services(Settings.of_environment())
    try:
        yield built
    finally:
        built.close()


def score(
    *,
    references: Sequence[str],
    answers: Sequence[str],
    ids: Sequence[str] | None = None,
    profile: Profile = "standard",
    columns: Sequence[str] | None = None,
) -> ScoreTable:
    """Scores of answers against their references, row by row; InputError if the lengths differ.

    Columns are the 24 in vector order unless some are named; a place without a value has its reason in the table.
    """
    return _own_scoring().score_table(references=references, answers=answers, ids=ids, profile=profile, columns=columns)


@cache
def _own_scoring() -> Scoring:
    """One encoder for all calls of `passer.score` in a process."""
    return build_services(Settings.of_environment()).scoring


def experiment(path: Path) -> Sweep:
    """The sweep that an experiment file describes; ConfigError names the key that is wrong."""
    from passer.adapters.experiments import load_experiment

    return load_experiment(path, os.environ)


def diagnose(settings: Settings) -> tuple[Part, ...]:
    """Which parts are there."""
    built = build_services(settings)
    try:
        return built.diagnosing.parts()
    finally:
        built.close()


def metric_infos(profile: Profile) -> tuple[MetricInfo, ...]:
    """What each metric says of itself, in vector order."""
    from passer.metrics import infos

    return tuple(infos(profile))
