"""The table of work put together: its queue, its handlers, and the worker of a server."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.arena import Arena
from passer.bootstrap.library import Library, Sheets
from passer.bootstrap.provenance import Provenance
from passer.bootstrap.sweeps import Sweeps
from passer.ports import WorkKind
from passer.services.provenance.outbox_poster import PostingLane
from passer.services.sweeps.lane import SweepLane
from passer.services.work.handlers import Handlers
from passer.services.work.queue import WorkQueue
from passer.services.work.uploads import Uploads
from passer.services.work.worker import QueueLane, Worker

MATERIAL: frozenset[WorkKind] = frozenset({"ingest", "dataset", "import", "example"})
"""They share the encoder and the vector store, which lock for themselves."""
MATERIAL_AT_ONCE = 3
"""Imports of different collections, datasets or studies side by side: one that is slow blocks no other."""
PULLS: frozenset[WorkKind] = frozenset({"pull"})
PULLS_AT_ONCE = 2
ASSESSMENTS: frozenset[WorkKind] = frozenset({"assess"})
ASSESSMENTS_AT_ONCE = 1
"""One judge at a time: a server with room for one model would load now this, now that judge."""


@dataclass(frozen=True)
class WorkRoom:
    """Queues work and does it."""

    adapters: Adapters
    library: Library
    sheets: Sheets
    sweeps: Sweeps
    arena: Arena
    provenance: Provenance

    @cached_property
    def queue(self) -> WorkQueue:
        """The queue of work."""
        handlers = Handlers(
            document_ingest=lambda: self.library.document_ingest,
            dataset_import=lambda: self.library.dataset_import,
            datasets=lambda: self.adapters.datasets,
            examples=lambda: self.library.examples,
            model_pull=lambda: self.library.model_pull,
            sheet_library=lambda: self.sheets.sheet_library,
            assessments=lambda: self.arena.runner,
        )
        return WorkQueue(
            store=self.adapters.work,
            uploads=Uploads(self.adapters.settings.home / "uploads"),
            handlers=handlers.by_kind,
            clock=self.adapters.clock,
            is_shared=self.adapters.settings.database_url is not None,
        )

    @cached_property
    def sweep_lane(self) -> SweepLane:
        """What decides which sweeps run side by side."""
        return SweepLane(
            self.sweeps.runner,
            self.adapters.runs,
            located=self.sweeps.pipeline.answerer.located,
            slots=self.adapters.settings.sweeps_at_once,
        )

    def worker(self) -> Worker:
        """Return a worker for a server: sweeps, imports, downloads and posting side by side."""
        from passer.adapters.archive.partial import remove_forgotten

        self.queue.delete_forgotten_uploads()
        # A restore that was killed left its folder beside the home; a backup into the home left its one there.
        for folder in (self.adapters.settings.home, self.adapters.settings.home.parent):
            remove_forgotten(folder)
        return Worker(
            self.adapters.work,
            (
                self.sweep_lane,
                QueueLane(self.queue, MATERIAL, slots=MATERIAL_AT_ONCE),
                QueueLane(self.queue, PULLS, slots=PULLS_AT_ONCE),
                QueueLane(self.queue, ASSESSMENTS, slots=ASSESSMENTS_AT_ONCE),
                PostingLane(self.provenance.outbox_poster),
            ),
        )
