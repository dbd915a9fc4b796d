"""Lines of a verdict, whose numbers name the table in which they are computed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from passer.domain.base import Frozen, added_field
from passer.domain.verdict.verdict import Cost
from passer.domain.wording.sentence import LocalizedText, Sentence, pieces, sentence


class SourcedNumber(Frozen):
    """A number of a line, and where it is computed."""

    name: str
    """Name of the value in the line."""
    value: float
    """Value as computed, unrounded."""
    table: str
    """Name of the table of the analysis that contains it."""


class LinePart(Frozen):
    """A piece of a line's text."""

    text: str
    """Text in the reader's language."""
    table: str | None = None
    """Name of the table in which it is computed; None for a piece that is no such number."""


class Line(Frozen):
    """A line of the verdict."""

    text: LocalizedText
    """Text in the reader's language."""
    numbers: tuple[SourcedNumber, ...] = ()
    """The numbers in it."""
    parts: tuple[LinePart, ...] = added_field(())
    """The text with each of these numbers apart, for a page that links them; only in `linked` verdicts."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables with its numbers, each once."""
        return tuple(dict.fromkeys(number.table for number in self.numbers))


class CostLine(Frozen):
    """Cost per question of the recommended configuration and of the baseline."""

    measure: Cost
    """Unit of the cost."""
    name: LocalizedText
    """Configuration: the recommended one, or the baseline."""
    value: float
    """Mean of a question."""
    baseline: float | None = None
    """Mean of a question with the baseline."""
    saved: float | None = None
    """Share of the baseline's cost that is saved; negative where it costs more."""
    line: Line
    """The cost in words."""


def explored(changed: Sequence[str]) -> tuple[Sentence, ...]:
    """Return the sentence that names what of the rule was changed after the sweep was planned; none if nothing was."""
    named = tuple(sentence(f"rule.{name}") for name in changed)
    return (sentence("verdict.exploratory", fields=named),) if named else ()


UNITS = (1, 100, 1000)
"""Factor and unit of a value in a text: points and percent, or the cost of a thousand questions."""


def parts_of(text: str, numbers: Sequence[SourcedNumber]) -> tuple[LinePart, ...]:
    """Return a text in the reader's language in pieces, each number of it with its table; empty without any.

    A number of the text that is none of `numbers`, such as a level that was chosen, is part of what is around it.
    """
    found: list[LinePart] = []
    for piece in pieces(text):
        # Two equal numbers are distinguished by the names beside them, where the text has these too.
        same = [each for each in numbers if piece.value is not None and _is_same(piece.value, each.value)]
        table = next((each.table for each in sorted(same, key=lambda each: each.name != piece.name)), None)
        if table is None and found and found[-1].table is None:
            found[-1] = LinePart(text=found[-1].text + piece.text)
        else:
            found.append(LinePart(text=piece.text, table=table))
    return tuple(found) if any(part.table for part in found) else ()


def _is_same(shown: float, value: float) -> bool:
    """Return whether a number of a text is this value, in another unit or rounded for the text."""
    scaled = [unit * value for unit in UNITS]
    rounded = [form for each in scaled for form in (each, round(each, 1), round(each, 4), float(f"{each:.3g}"))]
    return any(math.isclose(shown, each, rel_tol=1e-12) for each in rounded)
