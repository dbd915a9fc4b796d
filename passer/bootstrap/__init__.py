"""The only room that names concrete adapters: settings in, services out. Nothing heavy is loaded before it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from threading import Event, Thread

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.arena import Arena
from passer.bootstrap.drafting import Drafting
from passer.bootstrap.judging import Judging
from passer.bootstrap.library import Library, Sheets
from passer.bootstrap.pipeline import Pipeline
from passer.bootstrap.project_adapters import ProjectAdapters
from passer.bootstrap.projects import Projects
from passer.bootstrap.provenance import Provenance
from passer.bootstrap.results import Analysis, Exports, Runs
from passer.bootstrap.sweeps import Sweeps
from passer.bootstrap.work import WorkRoom, Workshop
from passer.domain.model import addresses
from passer.domain.project import DEFAULT_PROJECT, shown_project
from passer.domain.score import ScoreTable, VectorProfile
from passer.domain.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.domain.words import ENGLISH
from passer.errors import ConfigError, PasserError, TooLargeError
from passer.ports import Part
from passer.services.accounts.accounts import Accounts
from passer.services.accounts.activity import ActivityLog
from passer.services.exports.table_export import TableExport
from passer.services.pipeline.scorer import MetricScorer
from passer.services.system.diagnostics import Diagnostics
from passer.settings import NO_ENCODER, EngineName, Settings

CLIENT = Path(__file__).parents[1] / "static"
"""The built browser application."""


@dataclass(frozen=True)
class Services:
    """The services of one project, in rooms; each is built on first use."""

    settings: Settings
    _default: Services | None = field(default=None, repr=False)
    """Services of the default project, which the other projects share some of; None for itself."""
    _closing: Event = field(default_factory=Event, init=False, repr=False, compare=False)

    @property
    def default(self) -> Services:
        """The services of the default project."""
        return self._default or self

    @cached_property
    def projects(self) -> Projects:
        """All projects of the installation."""
        if self._default:
            return self._default.projects
        return Projects(self, lambda settings: Services(settings, self))

    @cached_property
    def adapters(self) -> Adapters:
        """Everything outside: database, vector store, encoders, model servers, ledger."""
        return ProjectAdapters(self.settings, self._default.adapters) if self._default else Adapters(self.settings)

    @cached_property
    def library(self) -> Library:
        """Documents, datasets, examples, models."""
        return Library(self.adapters)

    @cached_property
    def pipeline(self) -> Pipeline:
        """Prompt, answer and scores of one question."""
        return Pipeline(self.adapters, self._default.pipeline if self._default else None)

    @cached_property
    def sweeps(self) -> Sweeps:
        """Planning, running and controlling sweeps."""
        return Sweeps(self.adapters, self.pipeline, self.provenance.run_recorder, self.provenance.register)

    @cached_property
    def judging(self) -> Judging:
        """Answers judged by models and people."""
        return Judging(self.adapters, self.pipeline, self.sweeps)

    @cached_property
    def arena(self) -> Arena:
        """Tournaments of answers."""
        return Arena(self.adapters, self.pipeline, self.sweeps, self.judging)

    @cached_property
    def drafting(self) -> Drafting:
        """Questions drafted from documents."""
        return Drafting(self.adapters, self.pipeline, self.sweeps)

    @cached_property
    def runs(self) -> Runs:
        """Runs listed, shown and compared."""
        return Runs(self.adapters, self.pipeline)

    @cached_property
    def sheets(self) -> Sheets:
        """Imported result sheets."""
        return Sheets(self.adapters, self.pipeline)

    @cached_property
    def analysis(self) -> Analysis:
        """What sweeps show."""
        return Analysis(
            self.adapters,
            self.runs,
            self.sheets,
            self.sweeps,
            self.provenance,
            self.judging,
            table_export=self._table_export,
        )

    @cached_property
    def exports(self) -> Exports:
        """Tables, figures, reports."""
        return Exports(self.sheets, self.analysis, table_export=self._table_export)

    @cached_property
    def provenance(self) -> Provenance:
        """Manifests, bundles, the ledger."""
        return Provenance(self.adapters, lambda: self.analysis.sweep_results)

    @cached_property
    def accounts(self) -> Accounts:
        """People who sign in, and the tokens of their programs, of all projects."""
        if self._default:
            return self._default.accounts
        from passer.adapters.passwords import Argon2Passwords

        return Accounts(store=self.adapters.accounts, hasher=Argon2Passwords(), clock=self.adapters.clock)

    @cached_property
    def activity(self) -> ActivityLog:
        """Who did what in the project."""
        return ActivityLog(store=self.adapters.activity, clock=self.adapters.clock)

    @cached_property
    def work(self) -> WorkRoom:
        """The table of work: queued, done, listed, cancelled."""
        return WorkRoom(
            self.adapters,
            self.library,
            self.sheets,
            self.sweeps,
            self.judging,
            self.arena,
            self.drafting,
            self.provenance,
        )

    @cached_property
    def workshop(self) -> Workshop:
        """What does the work of all projects in a server."""
        if self._default:
            return self._default.workshop
        return Workshop(
            names=self.projects.names,
            room_of=lambda name: self.projects.open(name).work,
            sweeps_at_once=self.settings.sweeps_at_once,
        )

    @cached_property
    def _table_export(self) -> TableExport:
        from passer.adapters.tables import result_writers

        return TableExport(writers=result_writers(), project=shown_project(self.settings.project))

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """The state of each component."""
        from passer.adapters import parts
        from passer.adapters.wordnet import find_wordnet

        values = self.settings
        return Diagnostics(
            checks=(
                parts.encoder_check(lambda: self.adapters.encoder),
                parts.wordnet_check(lambda: find_wordnet(values.wordnet)),
                parts.database_check(
                    lambda: self.adapters.database, url=values.resolved_database_url, file=values.database_file
                ),
                parts.chroma_check(
                    lambda: self.adapters.collections,
                    address=values.chroma_url or str(values.chroma_path),
                    folder=None if values.chroma_url else values.chroma_path,
                ),
                parts.local_models_check(lambda: self.adapters.local_models),
                *(parts.ollama_check(url) for url in addresses(values.ollama_url)),
                parts.chain_check(values.chain_urls[0] if values.chain_urls else None),
                parts.client_check(CLIENT),
            )
        )

    def warm(self) -> None:
        """Load in the background what the first request would wait for."""
        Thread(target=self._warm, name="warming", daemon=True).start()

    def close(self) -> None:
        """Close every adapter that was opened, of all projects, the last one first."""
        if self._default:
            self._default.close()
            return
        self._closing.set()
        self.projects.close()
        self.adapters.close()

    def _warm(self) -> None:
        try:
            if self.settings.encoder != NO_ENCODER:
                self.adapters.encoder.warm()
            self.pipeline.scorer.score([("A warm text.", "Another warm text.")], profile="standard")
        except PasserError:
            pass  # A missing part is reported where it is needed and by `passer doctor`.
        except Exception:
            # A server that stops meanwhile closes the encoder under this thread, which may then fail in any way.
            if not self._closing.is_set():
                raise


def build_services(settings: Settings) -> Services:
    """Return services of the project that the settings name; NotFoundError if there is none."""
    default = Services(settings.of_project(DEFAULT_PROJECT))
    return default.projects.open(settings.project)


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
    profile: VectorProfile = "standard",
    columns: Sequence[str] | None = None,
    language: str = ENGLISH,
) -> ScoreTable:
    """Scores of answers against their references, row by row; InputError if the lengths differ.

    Columns are the 24 in vector order unless some are named; a place without a value has its reason in the table.
    `language` is a BCP 47 tag: METEOR uses stems and synonyms only for English.
    """
    return own_scorer().score_table(
        references=references, answers=answers, ids=ids, profile=profile, columns=columns, language=language
    )


@cache
def own_scorer() -> MetricScorer:
    """Return a scorer whose encoder all calls of `passer.score` in a process share."""
    return build_services(Settings.of_environment()).pipeline.scorer


def experiment(path: Path) -> Sweep:
    """The sweep that an experiment file describes; ConfigError names the key that is wrong."""
    from passer.adapters.experiments import load_experiment
    from passer.adapters.reading import ReaderLimits, ReaderPool

    # A file of somebody else: merged anchors alone can take all memory before anything can be counted.
    with closing(ReaderPool(ReaderLimits(memory_mb=300, cpu_s=5, wall_s=60.0))) as pool:
        try:
            return pool.call(load_experiment, path, dict(os.environ), name=str(path))
        except TooLargeError as exc:
            raise ConfigError(sentence("reader.experiment", path=str(path))) from exc


def diagnose(settings: Settings) -> tuple[Part, ...]:
    """Which parts are there."""
    built = build_services(settings)
    try:
        return built.diagnostics.parts()
    finally:
        built.close()
