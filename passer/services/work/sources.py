"""Sources of the documents of an ingest."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen


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
