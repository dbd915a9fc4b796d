"""Composition root: the only package that names concrete adapters; builds services from settings.

Modules are imported on first use, so that a command loads only what it needs. This file imports nothing heavy, because
every command imports it, `passer --help` included.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from passer.bootstrap.parsing import parse_in_turn
from passer.domain.collector import exempt_loaded
from passer.errors import PasserError

if TYPE_CHECKING:
    from passer.adapters.encoders.encoder import TransformerEncoder
    from passer.bootstrap.adapters import Adapters
    from passer.bootstrap.arena import Arena
    from passer.bootstrap.diagnostics import Diagnostics
    from passer.bootstrap.drafting import Drafting
    from passer.bootstrap.judging import Judging
    from passer.bootstrap.library import Library, Sheets
    from passer.bootstrap.pipeline import Pipeline
    from passer.bootstrap.projects import Projects
    from passer.bootstrap.provenance import Provenance
    from passer.bootstrap.results import Analysis, Exports, Runs
    from passer.bootstrap.signing_in import SigningIn
    from passer.bootstrap.sweeps import Sweeps
    from passer.bootstrap.work import ServerWorker, WorkRoom
    from passer.services.accounts.accounts import Accounts
    from passer.services.accounts.activity import ActivityLog
    from passer.services.exports.table_export import TableExport
    from passer.settings import EngineName, Settings

parse_in_turn()

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
        from passer.bootstrap.projects import Projects

        return Projects(self, lambda settings: Services(settings, self))

    @cached_property
    def adapters(self) -> Adapters:
        """Everything outside: database, vector store, encoders, model servers, ledger."""
        from passer.bootstrap.adapters import Adapters, ProjectAdapters

        return ProjectAdapters(self.settings, self._default.adapters) if self._default else Adapters(self.settings)

    @cached_property
    def library(self) -> Library:
        """Documents, datasets, examples, models."""
        from passer.bootstrap.library import Library

        return Library(self.adapters)

    @cached_property
    def pipeline(self) -> Pipeline:
        """Prompt, answer and scores of one question."""
        from passer.bootstrap.pipeline import Pipeline

        return Pipeline(self.adapters, self._default.pipeline if self._default else None)

    @cached_property
    def sweeps(self) -> Sweeps:
        """Planning, running and controlling sweeps."""
        from passer.bootstrap.sweeps import Sweeps

        return Sweeps(
            self.adapters,
            self.pipeline,
            self.provenance.run_recorder,
            self.provenance.register,
            lambda sweep: self.analysis.earlier_spreads.of(sweep),
        )

    @cached_property
    def judging(self) -> Judging:
        """Answers judged by models and people."""
        from passer.bootstrap.judging import Judging

        return Judging(self.adapters, self.pipeline, self.sweeps)

    @cached_property
    def arena(self) -> Arena:
        """Tournaments of answers."""
        from passer.bootstrap.arena import Arena

        return Arena(self.adapters, self.pipeline, self.judging)

    @cached_property
    def drafting(self) -> Drafting:
        """Questions drafted from documents."""
        from passer.bootstrap.drafting import Drafting

        return Drafting(self.adapters, self.pipeline, self.judging)

    @cached_property
    def runs(self) -> Runs:
        """Runs listed, shown and compared."""
        from passer.bootstrap.results import Runs

        return Runs(self.adapters, self.pipeline)

    @cached_property
    def sheets(self) -> Sheets:
        """Imported result sheets."""
        from passer.bootstrap.library import Sheets

        return Sheets(self.adapters, self.pipeline)

    @cached_property
    def analysis(self) -> Analysis:
        """Analyses of sweeps."""
        from passer.bootstrap.results import Analysis

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
        from passer.bootstrap.results import Exports

        return Exports(self.sheets, self.analysis, table_export=self._table_export)

    @cached_property
    def provenance(self) -> Provenance:
        """Manifests, bundles, the ledger."""
        from passer.bootstrap.provenance import Provenance

        return Provenance(self.adapters, lambda: self.analysis.sweep_results)

    @cached_property
    def accounts(self) -> Accounts:
        """People who sign in, and the tokens of their programs, of all projects."""
        if self._default:
            return self._default.accounts
        from passer.adapters.passwords import Argon2Passwords
        from passer.services.accounts.accounts import Accounts

        return Accounts(store=self.adapters.accounts, hasher=Argon2Passwords(), clock=self.adapters.clock)

    @cached_property
    def signing_in(self) -> SigningIn:
        """Identity provider and wallets that people sign in with, of all projects."""
        from passer.bootstrap.signing_in import SigningIn

        return self._default.signing_in if self._default else SigningIn(self.adapters, self.accounts)

    @cached_property
    def activity(self) -> ActivityLog:
        """The activity log of the project."""
        from passer.services.accounts.activity import ActivityLog

        return ActivityLog(store=self.adapters.activity, clock=self.adapters.clock)

    @cached_property
    def work(self) -> WorkRoom:
        """The table of work: queued, done, listed, cancelled."""
        from passer.bootstrap.work import WorkRoom

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
    def server_worker(self) -> ServerWorker:
        """The worker of a server, for the work of all projects."""
        from passer.bootstrap.work import ServerWorker

        if self._default:
            return self._default.server_worker
        return ServerWorker(
            names=self.projects.names,
            room_of=lambda name: self.projects.open(name).work,
            sweeps_at_once=self.settings.sweeps_at_once,
        )

    @cached_property
    def _table_export(self) -> TableExport:
        from passer.adapters.tables import result_writers
        from passer.domain.accounts.project import shown_project
        from passer.services.exports.table_export import TableExport

        return TableExport(writers=result_writers(), project=shown_project(self.settings.project))

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """The state of each component."""
        from passer.bootstrap.diagnostics import Diagnostics

        return Diagnostics(self.adapters, CLIENT)

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
        from passer.settings import NO_ENCODER

        encoder: TransformerEncoder | None = None
        try:
            if self.settings.encoder != NO_ENCODER:
                encoder = self.adapters.encoder
                encoder.warm()
                self.adapters.collections.warm()
            self.pipeline.scorer.score([("A warm text.", "Another warm text.")], profile="standard")
        except PasserError:
            pass  # A missing part is reported where it is needed and by `passer doctor`.
        except Exception:
            # A server that stops meanwhile closes the encoder under this thread, which may then fail in any way.
            if not self._closing.is_set():
                raise
        finally:
            # After `close`, a new thread would keep the encoder's weights in memory for the life of the process.
            if encoder and self._closing.is_set():
                encoder.close()
            exempt_loaded()


def build_services(settings: Settings) -> Services:
    """Return services of the project that the settings name; NotFoundError if there is none."""
    from passer.domain.accounts.project import DEFAULT_PROJECT

    default = Services(settings.of_project(DEFAULT_PROJECT))
    return default.projects.open(settings.project)


@contextmanager
def services(*, engine: EngineName | None = None) -> Iterator[Services]:
    """Services over the environment's settings, closed at the end; `engine` goes before the environment's."""
    from passer.settings import Settings

    settings = Settings.of_environment()
    built = build_services(settings.model_copy(update={"engine": engine}) if engine else settings)
    try:
        yield built
    finally:
        built.close()
