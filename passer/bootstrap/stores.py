"""The database of a project and the stores over it."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from passer.adapters.clock import SystemClock
from passer.errors import InputError
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.adapters.store.accounts import DatabaseAccounts
    from passer.adapters.store.activity import DatabaseActivity
    from passer.adapters.store.arena import DatabaseTournaments
    from passer.adapters.store.connections import DatabaseConnections
    from passer.adapters.store.database import Database
    from passer.adapters.store.datasets import DatabaseDatasets
    from passer.adapters.store.drafting import DatabaseDrafts
    from passer.adapters.store.evaluations import DatabaseEvaluations
    from passer.adapters.store.imports import DatabaseImports
    from passer.adapters.store.judging import DatabaseJudgements, DatabaseLabels
    from passer.adapters.store.outbox import DatabaseOutbox
    from passer.adapters.store.retrieval_inputs import DatabaseRetrievalInputs
    from passer.adapters.store.runs import DatabaseRuns
    from passer.adapters.store.work import DatabaseWork


@dataclass(frozen=True)
class Stores:
    """Every store of a project, built on first use and closed together."""

    settings: Settings

    @cached_property
    def resources(self) -> ExitStack:
        return ExitStack()

    def close(self) -> None:
        self.resources.close()

    @cached_property
    def clock(self) -> SystemClock:
        return SystemClock()

    @cached_property
    def database(self) -> Database:
        """The database, migrated to the current schema."""
        from passer.adapters.store.database import Database

        url = self.settings.resolved_database_url
        if url != self.settings.database_url:
            made(self.settings.project_home)
        return self.resources.enter_context(closing(Database(url, schema=self.settings.server_place)))

    @cached_property
    def datasets(self) -> DatabaseDatasets:
        """Store of datasets."""
        from passer.adapters.store.datasets import DatabaseDatasets

        return DatabaseDatasets(self.database, self.clock)

    @cached_property
    def runs(self) -> DatabaseRuns:
        """Store of sweeps, runs and their states."""
        from passer.adapters.store.runs import DatabaseRuns

        return DatabaseRuns(self.database, self.clock)

    @cached_property
    def work(self) -> DatabaseWork:
        """The table of work."""
        from passer.adapters.store.work import DatabaseWork

        return DatabaseWork(self.database, self.clock, project=self.settings.project)

    @cached_property
    def outbox(self) -> DatabaseOutbox:
        """Store of run records and waiting entries."""
        from passer.adapters.store.outbox import DatabaseOutbox

        return DatabaseOutbox(self.database, self.clock)

    @cached_property
    def evaluations(self) -> DatabaseEvaluations:
        """Store of rankings, prompts, answers and scores."""
        from passer.adapters.store.evaluations import DatabaseEvaluations

        return DatabaseEvaluations(self.database)

    @cached_property
    def judgements(self) -> DatabaseJudgements:
        """Store of judgements, assessments and marks."""
        from passer.adapters.store.judging import DatabaseJudgements

        return DatabaseJudgements(self.database)

    @cached_property
    def labels(self) -> DatabaseLabels:
        """Store of labels."""
        from passer.adapters.store.judging import DatabaseLabels

        return DatabaseLabels(self.database)

    @cached_property
    def tournaments(self) -> DatabaseTournaments:
        """Store of tournaments and their games."""
        from passer.adapters.store.arena import DatabaseTournaments

        return DatabaseTournaments(self.database)

    @cached_property
    def drafts(self) -> DatabaseDrafts:
        """Store of drafted questions."""
        from passer.adapters.store.drafting import DatabaseDrafts

        return DatabaseDrafts(self.database, self.judgements)

    @cached_property
    def imports(self) -> DatabaseImports:
        """Store of imported result sheets."""
        from passer.adapters.store.imports import DatabaseImports

        return DatabaseImports(self.database)

    @cached_property
    def connections(self) -> DatabaseConnections:
        """Store of connected model servers."""
        from passer.adapters.store.connections import DatabaseConnections

        return DatabaseConnections(self.database)

    @cached_property
    def retrieval_inputs(self) -> DatabaseRetrievalInputs:
        """Store of imported rankings, grades and maps of terms."""
        from passer.adapters.store.retrieval_inputs import DatabaseRetrievalInputs

        return DatabaseRetrievalInputs(self.database)

    @cached_property
    def accounts(self) -> DatabaseAccounts:
        """Store of accounts, sessions and tokens."""
        from passer.adapters.store.accounts import DatabaseAccounts

        return DatabaseAccounts(self.database)

    @cached_property
    def activity(self) -> DatabaseActivity:
        """Store of the activity log."""
        from passer.adapters.store.activity import DatabaseActivity

        return DatabaseActivity(self.database)


def made(folder: Path) -> None:
    """Create a folder, and those above it; InputError where that is impossible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise InputError(
            f"{folder} cannot be created ({exc.strerror}). Set PASSER_HOME to a folder that you can write to."
        ) from exc
