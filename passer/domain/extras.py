"""Packages that are installed only where they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import Extra, PasserError, UnavailableError, install_command


@contextmanager
def requires_extra(extra: Extra, what: str, error: type[PasserError] = UnavailableError) -> Iterator[None]:
    """Raise `error` with the command that installs the extra if an import in the body fails.

    `what` is the subject of the message, in the singular: "Drawing figures", "The embedded encoder".
    """
    try:
        yield
    except ImportError as exc:
        raise error(missing_extra(extra, what)) from exc


def missing_extra(extra: Extra, what: str) -> Sentence:
    """Return the message with the command that installs missing packages."""
    return sentence("extra.missing", what=what, command=install_command(extra))
