"""A queue of work for tests: a table in memory, a real folder, one handler for everything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

from passer.domain.base import Frozen
from passer.domain.sweeps.run import RunState
from passer.ports import Progress, Work
from passer.services.work.kinds import IngestSpec
from passer.services.work.queue import Handler, WorkQueue
from passer.services.work.sources import UploadedFiles, Uploads
from tests.fake_work import MemoryWork
from tests.fakes import FakeClock


class Done(Frozen):
    """What the handler of these tests returns."""

    texts: tuple[str, ...]


def texts(spec: Any, files: Sequence[Path], progress: Progress) -> Done:
    for number, _ in enumerate(files):
        progress("files", number, len(files))
    progress("Saving", len(files), len(files))
    return Done(texts=tuple(path.read_text() for path in files))


class Desk:
    """A queue over a table in memory and a real folder, with one handler for everything."""

    def __init__(self, folder: Path, handler: Handler = texts, *, is_shared: bool = False) -> None:
        clock = FakeClock()
        self.store = MemoryWork(clock, lambda _: RunState.QUEUED)
        self.uploads = Uploads(folder / "uploads")
        handlers: dict[Any, Handler] = dict.fromkeys(("ingest", "dataset", "import", "example", "pull"), handler)
        self.queue = WorkQueue(self.store, self.uploads, handlers, clock, is_shared=is_shared)

    def on_disk(self) -> list[str]:
        return sorted(path.name for path in self.uploads.folder.glob("*")) if self.uploads.folder.is_dir() else []

    def run(self, work: Work, stop: Event | None = None) -> Work:
        self.queue.run(work, stop or Event())
        return self.store.find(work.id)


def uploaded(*names: str) -> IngestSpec:
    return IngestSpec(collection="farm", source=UploadedFiles(names=names))
