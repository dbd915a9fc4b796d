"""Sources of the documents of an ingest, and uploaded files, which are kept until their work has ended."""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, StoreUnavailable

FORGOTTEN_AFTER_S = 24 * 3600.0
"""Age of a folder that belongs to no row: a process was killed between writing files and adding the row."""
PARTIAL = ".partial"


@dataclass(frozen=True)
class Uploads:
    """Uploaded files, in a separate folder for each piece of work."""

    folder: Path
    """Below the home folder."""

    def save(self, work_id: str, files: Sequence[bytes | BinaryIO]) -> None:
        """Write the files of a piece of work, all or none. Raises StoreUnavailable if the disk refuses."""
        partial = self.folder / f"{work_id}{PARTIAL}"
        try:
            partial.mkdir(parents=True)
            for place, content in enumerate(files):
                with (partial / str(place)).open("wb") as out:
                    if isinstance(content, bytes):
                        out.write(content)
                    else:
                        shutil.copyfileobj(content, out)
            # The final name appears with the last byte: a process that is killed leaves a folder that no row refers to.
            partial.rename(self.folder / work_id)
        except OSError as exc:
            shutil.rmtree(partial, ignore_errors=True)
            raise StoreUnavailable(sentence("upload.full", folder=str(self.folder), why=str(exc.strerror))) from exc

    def paths(self, work_id: str, count: int) -> list[Path]:
        """Return the files of a piece of work, in order; InputError where they are gone."""
        found = [self.folder / work_id / str(place) for place in range(count)]
        if not all(path.is_file() for path in found):
            raise InputError(sentence("upload.gone", folder=str(self.folder)))
        return found

    def has(self, work_id: str) -> bool:
        """Return whether the files of a piece of work are on this machine."""
        return (self.folder / work_id).is_dir()

    def delete(self, work_id: str) -> None:
        """Delete the files of a piece of work, if there are any."""
        shutil.rmtree(self.folder / work_id, ignore_errors=True)

    def delete_forgotten(self, known: Collection[str]) -> None:
        """Delete old folders that belong to none of the known pieces of work."""
        if not self.folder.is_dir():
            return
        for path in self.folder.iterdir():
            with suppress(OSError):
                if path.name not in known and time.time() - path.stat().st_mtime > FORGOTTEN_AFTER_S:
                    shutil.rmtree(path, ignore_errors=True)


class Paths(Frozen):
    """Files and folders of this machine; the command line alone names any."""

    form: Literal["paths"] = "paths"
    """Discriminates the kinds of sources."""
    paths: tuple[str, ...]
    """Absolute."""


class UploadedFiles(Frozen):
    """Files that were uploaded."""

    form: Literal["files"] = "files"
    """Discriminates the kinds of sources."""
    names: tuple[str, ...]
    """Names as they were uploaded, in order."""


class PastedText(Frozen):
    """Text that was pasted; kept as the one uploaded file."""

    form: Literal["text"] = "text"
    """Discriminates the kinds of sources."""
    title: str
    """Name of the document."""


class Address(Frozen):
    """A web address."""

    form: Literal["address"] = "address"
    """Discriminates the kinds of sources."""
    url: str
    """http or https."""


class OwnPassages(Frozen):
    """The passages that the collection has: they are embedded again."""

    form: Literal["own-passages"] = "own-passages"
    """Discriminates the kinds of sources."""


Source = Annotated[Paths | UploadedFiles | PastedText | Address | OwnPassages, Field(discriminator="form")]
"""Any of them, by its form."""
