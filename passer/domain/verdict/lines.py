"""Lines of a verdict, whose numbers name the table in which they are computed."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.base import Frozen
from passer.domain.wording.sentence import Said, Sentence, sentence


class SourcedNumber(Frozen):
    """A number of a line, and where it is computed."""

    name: str
    """Name of the value in the line."""
    value: float
    """As computed, unrounded."""
    table: str
    """Name of the table of the analysis that contains it."""


class Line(Frozen):
    """A line of the verdict."""

    text: Said
    """In the reader's language."""
    numbers: tuple[SourcedNumber, ...] = ()
    """The numbers in it."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables with its numbers, each once."""
        return tuple(dict.fromkeys(number.table for number in self.numbers))


def explored(changed: Sequence[str]) -> tuple[Sentence, ...]:
    """Return the sentence that names what of the rule was changed after the sweep was planned; none if nothing was."""
    named = tuple(sentence(f"rule.{name}") for name in changed)
    return (sentence("verdict.exploratory", fields=named),) if named else ()
