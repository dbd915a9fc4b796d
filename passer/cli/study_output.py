"""Output of what a verified study concludes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from passer.cli.output import difference, difference_interval, unit_of
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.domain.bundle.verification import StudyResult


def result_lines(result: StudyResult, *, of: Literal["sweep", "import"] = "sweep") -> Iterator[str]:
    """Yield the conclusions of a study with their gains, its design and its dates.

    Names come from the author of the file: each ends its line, so that a name cannot pass for another fact.
    """
    several, primary = len(result.conclusions) > 1, result.primary
    for each in result.conclusions:
        if several:
            yield printable(f"model          {each.model}")
        yield printable(f"conclusion     {each.line}")
        if each.setting is not None:
            yield printable(f"               its runs retrieve by {each.setting}")
        if each.gain is not None:
            ends = difference_interval(primary, each.low, each.high)
            yield f"               gain{unit_of(primary)} {difference(primary, each.gain)}, {ends}"
    for configuration in result.settings:
        yield printable(f"configuration  {configuration.model}: {configuration.name}")
        yield printable(f"               its runs retrieve by {configuration.setting}")
    size = f"{counted(result.configurations, 'configuration')}, {counted(result.questions, 'question')}"
    rule = f"primary metric {primary}, margin {result.margin:g}, alpha {result.alpha:g}"
    yield printable(f"design         {size}; {rule}")
    yield printable(f"dataset        {result.dataset}")
    times = {"planned": result.planned_at, "finished": result.finished_at}
    if of == "import":
        times = {"imported": result.planned_at}
    stated = ", ".join(f"{name} {at or 'at no valid time'}" for name, at in times.items())
    yield f"dates          {stated}, as the publisher states"


def printable(text: str) -> str:
    """Escape control characters, because ids and names in a bundle come from others."""
    return "".join(mark if mark.isprintable() else f"\\x{ord(mark):02x}" for mark in text)
