"""The command `reproduce`, and output of what a study concludes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from passer.bootstrap import services
from passer.cli.files import read_file
from passer.cli.output import (
    EngineOption,
    JsonOption,
    difference,
    difference_interval,
    note,
    number,
    print_json,
    print_table,
    unit_of,
)
from passer.cli.runs import run_or_follow
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.domain.bundle.verification import StudyResult
    from passer.domain.study.reproduction import Reproduction


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


def reproduce(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="File written by `passer publish`.")],
    tolerance: Annotated[
        float | None,
        typer.Option(min=0, help="Largest difference of values and gains that counts as equal; default: the margin."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**31 - 1, help="Ask all questions again with this seed, instead of reusing stored answers."
        ),
    ] = None,
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a published study again in this installation, and show both tables; exit status 1 if they disagree.

    This installation needs its dataset and its collection under the same names. Stored answers are reused, unless
    --seed names another seed than the study's; in an installation that never ran the study, all answers are new.
    """
    content = read_file(study)
    with services(engine=engine) as built:
        published = built.provenance.reproducer(built.sweeps.planner).read(content)
        stored = built.provenance.reproducer(built.sweeps.planner).start(published, seed=seed)
        note(f"Sweep {stored.id} started. Press Ctrl-C to save and stop.")
        run_or_follow(built, stored.id)
        found = built.provenance.reproducer(built.sweeps.planner).compare(published, stored.id, tolerance)
    print_json(found) if as_json else print_reproduction(found)
    if not found.holds:
        raise typer.Exit(1)


AGAIN = "reproduced"


def print_reproduction(found: Reproduction) -> None:
    """Print both tables side by side, and how many configurations agree."""
    from passer.domain.composite import CPS
    from passer.domain.verdict.amounts import POINTS

    rows = []
    forms: dict[str, Callable[[float | None], str]] = {"value": number, "gain": partial(difference, found.primary)}
    for row in found.rows:
        cells = {cell.column: cell for cell in row.cells}
        shown = [
            text
            for name, form in forms.items()
            for text in ((form(cells[name].published), form(cells[name].here)) if name in cells else ("-", "-"))
        ]
        outcomes = (row.published_outcome.replace("_", " ") or "-", row.outcome.replace("_", " ") or "-")
        rows.append((row.configuration, row.model, *shown, *outcomes, "yes" if row.agrees else "NO"))
    unit = unit_of(found.primary)
    columns = ["configuration", "model", "value", AGAIN, f"gain{unit}", AGAIN, "outcome", AGAIN, "agrees"]
    print_table(columns, rows)
    for title, result in (("The study", found.published), ("Reproduced", found.here)):
        print(f"{title}:")
        for text in result_lines(result):
            print(f"  {text}")
    for name in found.differing:
        note(f"This installation differs: {name}.")
    agreeing = sum(row.agrees for row in found.rows)
    within = f"{found.tolerance:g}"
    if found.primary == CPS:
        within += f" ({found.tolerance * POINTS:g} points)"
    print(f"{agreeing} of {len(found.rows)} configurations agree within {within}, with the same outcome.")
