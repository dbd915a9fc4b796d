"""The table of work put together: the queue and handlers of a project, and the worker of a server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Thread

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.arena import Arena
from passer.bootstrap.drafting import Drafting
from passer.bootstrap.judging import Judging
from passer.bootstrap.library import Library, Sheets
from passer.bootstrap.provenance import Provenance
from passer.bootstrap.sweeps import Sweeps
from passer.bootstrap.systems import KnownAnswers
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError, NotFoundError, PasserError
from passer.ports import Work, WorkKind, WorkQuery
from passer.services.library.answers_import import AnswersImport
from passer.services.library.ragelo_import import RageloImport
from passer.services.provenance.outbox_poster import PostingLane
from passer.services.sweeps.lane import SweepLane, SweepRoom
from passer.services.work.handlers import Handlers
from passer.services.work.kinds import AnswersSpec, AssessSpec, RageloSpec, spec_of
from passer.services.work.queue import WorkQueue
from passer.services.work.sources import Uploads
from passer.services.work.worker import QueueLane, Worker

log = logging.getLogger(__name__)

MATERIAL: frozenset[WorkKind] = frozenset({"ingest", "dataset", "import", "example"})
"""They share the encoder and the vector store, which lock for themselves."""
MATERIAL_AT_ONCE = 3
"""Imports of different collections, datasets or studies side by side: one that is slow blocks no other."""
PULLS: frozenset[WorkKind] = frozenset({"pull"})
PULLS_AT_ONCE = 2
"""Downloads of models side by side; a further one waits."""
EXPERIMENTS: frozenset[WorkKind] = frozenset({"ragelo", "answers"})
EXPERIMENTS_AT_ONCE = 1
"""One at a time: the systems of two may have the same names, and the answers of a system are found by its name."""
ASSESSMENTS: frozenset[WorkKind] = frozenset({"assess", "draft", "tune"})
ASSESSMENTS_AT_ONCE = 1
"""One judge at a time: a server with room for one model would load now this, now that judge."""


@dataclass(frozen=True)
class WorkRoom:
    """Queues work and does it."""

    adapters: Adapters
    library: Library
    sheets: Sheets
    sweeps: Sweeps
    judging: Judging
    arena: Arena
    drafting: Drafting
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
            ragelo_import=lambda: self.ragelo_import,
            answers_import=lambda: self.answers_import,
            assessments=lambda: self.arena.runner,
            drafting=lambda: self.drafting.runner,
            tuner=lambda: self.judging.tuner,
        )
        return WorkQueue(
            store=self.adapters.work,
            uploads=Uploads(self.adapters.settings.project_home / "uploads"),
            handlers=handlers.by_kind,
            clock=self.adapters.clock,
            cancelled=self._cancel_its_sweep,
            is_shared=self.adapters.settings.database_url is not None,
        )

    @cached_property
    def ragelo_import(self) -> RageloImport:
        return RageloImport(
            reader=self.library.ragelo_reader,
            datasets=self.adapters.datasets,
            sweeps=KnownAnswers(self.adapters, self.sweeps),
        )

    @cached_property
    def answers_import(self) -> AnswersImport:
        return AnswersImport(
            answer_files=self.library.answer_files,
            datasets=self.adapters.datasets,
            sweeps=KnownAnswers(self.adapters, self.sweeps),
        )

    @cached_property
    def sweep_room(self) -> SweepRoom:
        return SweepRoom(
            self.sweeps.runner,
            self.adapters.runs,
            self.sweeps.pipeline.answerer.located,
            lacking=self.sweeps.function_answers.lacking,
            finished=self._queue_judge,
        )

    def recorded_assessment(self, sweep_id: str) -> AssessSpec | None:
        """Return the assessment that a finished sweep waits for, as work to be queued; None if it waits for none."""
        assessment = self.judging.recorded_judge.assessment_of(sweep_id)
        if assessment is None:
            return None
        try:
            self.adapters.work.find(assessment.id)
        except NotFoundError:
            return AssessSpec(assessment=assessment.id, sweep=sweep_id)
        return None

    def resume_judge(self, sweep_id: str) -> str | None:
        """Queue the recorded judge of a finished sweep again if it paused or failed; returns the assessment's id.

        It gets what the sweep leaves of its limits as they are now. None where nothing is to be resumed.
        """
        judged = self.adapters.work.list_work(WorkQuery(subject=sweep_id, kinds=("assess",), limit=500))
        stopped = {work.id for work in judged if work.state in (RunState.PAUSED, RunState.FAILED)}
        found = self.judging.recorded_judge.prepare_resume(sweep_id, stopped)
        return None if found is None else self.queue.resume(found.id).id

    def judge_finished_sweeps(self) -> None:
        """Queue the recorded judges that the end of their sweeps did not queue.

        The server was killed between the two, or the judge's server did not answer then. Only the newest sweeps are
        looked at: what is older has been looked at by earlier starts.
        """
        for work in self.adapters.work.list_work(WorkQuery(kinds=("sweep",))):
            if work.state is RunState.FINISHED:
                self._queue_judge(work.id)

    def _cancel_its_sweep(self, work: Work) -> None:
        """Cancel the sweep of an import of answers: the process that ran it may have been killed."""
        spec = spec_of(work)
        sweep_id = self.adapters.runs.sweep_of_key(spec.key) if isinstance(spec, AnswersSpec | RageloSpec) else None
        if sweep_id is not None:
            # A sweep that has ended cannot be cancelled, and need not be.
            with suppress(ConflictError):
                self.sweeps.control.cancel(sweep_id)

    def _queue_judge(self, sweep_id: str) -> None:
        try:
            spec = self.recorded_assessment(sweep_id)
            if spec is not None:
                self.queue.submit(spec)
        except PasserError as exc:
            # The sweep is finished even if its judge fails; its verdict states that it waits for the judge.
            log.warning("the judge of sweep %s cannot be asked: %s", sweep_id, exc.message)

    def tidy(self) -> None:
        """Delete what killed processes left."""
        from passer.adapters.archive.partial import remove_forgotten

        self.queue.delete_forgotten_uploads()
        # A killed restore leaves its folder next to the home, a killed backup into the home leaves its folder inside.
        for folder in (self.adapters.settings.project_home, self.adapters.settings.project_home.parent):
            remove_forgotten(folder)


@dataclass(frozen=True)
class ServerWorker:
    """Does the work of all projects in a server; their slots are shared, and the projects take turns."""

    names: Callable[[], Sequence[str]]
    """Returns the names of all projects."""
    room_of: Callable[[str], WorkRoom]
    """Returns the room of a project."""
    sweeps_at_once: int
    """Sweeps side by side, of all projects together."""

    @cached_property
    def sweep_lane(self) -> SweepLane:
        return SweepLane(lambda project: self.room_of(project).sweep_room, slots=self.sweeps_at_once)

    def waiting(self) -> list[Work]:
        """Return what waits in all projects; a project that cannot be read keeps no other from its turns."""
        found: list[Work] = []
        for name in self.names():
            try:
                found += self.room_of(name).adapters.work.waiting()
            except PasserError as exc:
                log.warning("the work of project %s cannot be read: %s", name, exc.message)
        return found

    def worker(self) -> Worker:
        """Return a worker for a server: sweeps, imports, downloads and posting side by side."""
        names = self.names()
        for name in names:
            try:
                self.room_of(name).tidy()
            except PasserError as exc:
                if name == DEFAULT_PROJECT:
                    raise
                log.warning("project %s cannot be opened: %s", name, exc.message)

        # In the background, because a judge's server that is down would delay the start until its timeout.
        Thread(target=self._judge_finished_sweeps, args=(names,), name="recorded judges", daemon=True).start()

        def queue_of(project: str) -> WorkQueue:
            return self.room_of(project).queue

        return Worker(
            self,
            (
                self.sweep_lane,
                QueueLane(queue_of, MATERIAL, slots=MATERIAL_AT_ONCE),
                QueueLane(queue_of, PULLS, slots=PULLS_AT_ONCE),
                QueueLane(queue_of, EXPERIMENTS, slots=EXPERIMENTS_AT_ONCE),
                QueueLane(queue_of, ASSESSMENTS, slots=ASSESSMENTS_AT_ONCE),
                PostingLane(lambda project: self.room_of(project).provenance.outbox_poster),
            ),
        )

    def _judge_finished_sweeps(self, projects: Sequence[str]) -> None:
        for name in projects:
            try:
                self.room_of(name).judge_finished_sweeps()
            except PasserError as exc:
                log.warning("the finished sweeps of project %s cannot be looked at: %s", name, exc.message)
