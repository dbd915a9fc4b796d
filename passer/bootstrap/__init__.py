"""The only room that names concrete adapters: settings in, services out. Nothing heavy is loaded before it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from threading import Thread

from passer.bootstrap.provenance import Provenance
from passer.domain.run import addresses
from passer.domain.score import MetricInfo, Profile, ScoreTable
from passer.domain.sweep import Sweep
from passer.errors import PasserError
from passer.ports import Part
from passer.services.asking_once import AskingOnce
from passer.services.comparing import Comparing
from passer.services.comparing_runs import ComparingRuns
from passer.services.crossing import Crossing
from passer.services.diagnosing import Diagnosing
from passer.services.evaluating import LOOK_AHEAD
from passer.services.exporting import Exporting
from passer.services.inspecting import Inspecting
from passer.services.listing import Listing
from passer.services.matching import Matching
from passer.services.pinning import Pinning
from passer.services.planning import Planning
from passer.services.pulling import Pulling
from passer.services.reporting import Reporting
from passer.services.running import Running
from passer.services.scoring import Scoring
from passer.services.scoring_files import ScoringFiles
from passer.services.steering import Steering
from passer.services.summarising import Summarising
from passer.services.sweeping import Sweeping
from passer.services.timing import Timing
from passer.settings import NO_ENCODER, EngineName, Settings

CLIENT = Path(__file__).parents[1] / "static"
"""The built browser application."""


@dataclass(frozen=True)
class Services(Provenance):
    """Everything that a command or a route may call; each part is built when it is first asked for."""

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
            located=self.answering.located,
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
        most_addresses = max(len(addresses(url)) for url in (self.settings.ollama_url, self.settings.openai_url))
        return Running(
            runs=self.runs,
            leases=self.leases,
            evaluations=self.evaluations,
            datasets=self.datasets,
            collections=self.collections,
            answering=self.answering,
            scorer=self.scoring,
            engine=self._engine,
            recording=self.recording,
            clock=self.clock,
            look_ahead=max(LOOK_AHEAD, 2 * self.settings.concurrency * most_addresses),
        )

    @cached_property
    def timing(self) -> Timing:
        """What timing runs measured."""
        from passer.adapters.surroundings import surroundings

        return Timing(
            runs=self.runs,
            outbox=self.outbox,
            describing=self.describing,
            exporting=self.exporting,
            surroundings=surroundings,
            parts=self.settings.parts,
        )

    @cached_property
    def inspecting(self) -> Inspecting:
        """What runs left, looked at."""
        return Inspecting(runs=self.runs, evaluations=self.evaluations, datasets=self.datasets)

    @cached_property
    def exporting(self) -> Exporting:
        """Tables out."""
        from passer.adapters.tables import result_writers

        return Exporting(writers=result_writers())

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
    def reporting(self) -> Reporting:
        """Analyses shown: figures and reports."""
        from passer import __version__
        from passer.adapters.drawing import MatplotlibDrawer
        from passer.adapters.reports import HtmlReports

        return Reporting(
            comparing=self.comparing,
            importing=self.importing,
            exporting=self.exporting,
            timing=self.timing,
            drawer=MatplotlibDrawer(),
            renderer=HtmlReports(),
            made_by=f"PaSSER {__version__}",
        )

    @cached_property
    def pinning(self) -> Pinning:
        """Analyses pinned to constants of others."""
        return Pinning(comparing=self.comparing, importing=self.importing)

    @cached_property
    def crossing(self) -> Crossing:
        """Two domains side by side."""
        return Crossing(comparing=self.comparing, importing=self.importing)

    @cached_property
    def matching(self) -> Matching:
        """k or threshold."""
        return Matching(
            inspecting=self.inspecting, evaluations=self.evaluations, datasets=self.datasets, sweeping=self.sweeping
        )

    @cached_property
    def comparing_runs(self) -> ComparingRuns:
        """Runs of any sweeps side by side."""
        return ComparingRuns(
            inspecting=self.inspecting, runs=self.runs, evaluations=self.evaluations, collections=self.collections
        )

    @cached_property
    def listing(self) -> Listing:
        """Runs of all sweeps in one list."""
        return Listing(runs=self.runs, evaluations=self.evaluations)

    @cached_property
    def summarising(self) -> Summarising:
        """What the scores of a run look like."""
        return Summarising(runs=self.runs, evaluations=self.evaluations)

    @cached_property
    def pulling(self) -> Pulling:
        """Models brought to the model server."""
        return Pulling(puller=lambda: self.puller, generator=self.generator)

    @cached_property
    def asking_once(self) -> AskingOnce:
        """One question outside of every run."""
        return AskingOnce(answering=self.answering, collections=self.collections, scorer=self.scoring)

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
                *(parts.ollama_check(url) for url in addresses(values.ollama_url)),
                parts.chain_check(values.chain_urls[0] if values.chain_urls else None),
                parts.client_check(CLIENT),
            )
        )

    def metrics(self, profile: Profile) -> tuple[MetricInfo, ...]:
        """What each metric says of itself, in vector order."""
        return metric_infos(profile)

    def warm(self) -> None:
        """Load in the background what the first request would wait for."""
        Thread(target=self._warm, name="warming", daemon=True).start()

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
def services(*, engine: EngineName | None = None) -> Iterator[Services]:
    """Services over the environment's settings, closed at the end; `engine` goes before the environment's."""
    settings = Settings.of_environment()
    built = build_services(settings.model_copy(update={"engine": engine}) if engine else settings)
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
