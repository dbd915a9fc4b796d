"""Output of what a verified study concludes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passer.cli.output import difference, difference_interval, unit_of
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.domain.bundle.verification import StudyResult


def result_lines(result: StudyResult) -> Iterator[str]:
    """Yield the conclusions of a study with their gains, its design and its dates."""
    several, primary = len(result.conclusions) > 1, result.primary
    for each in result.conclusions:
        yield "conclusion     " + printable(f"{each.model}: {each.line}" if several else each.line)
        if each.gain is not None:
            ends = difference_interval(primary, each.low, each.high)
            yield f"               gain{unit_of(primary)} {difference(primary, each.gain)}, {ends}"
    size = f"{counted(result.configurations, 'configuration')}, {counted(result.questions, 'question')}"
    rule = f"primary metric {primary}, margin {result.margin:g}, alpha {result.alpha:g}"
    yield printable(f"design         {size} of {result.dataset}; {rule}")
    yield printable(
        f"dates          planned {result.planned_at}, finished {result.finished_at}, as the publisher states"
    )


def printable(text: str) -> str:
    """Escape control characters, because ids and names in a bundle come from others."""
    return "".join(mark if mark.isprintable() else f"\\x{ord(mark):02x}" for mark in text)
