"""The command `reproduce`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.files import read_file
from passer.cli.output import EngineOption, JsonOption, difference, note, number, print_json, print_table, unit_of
from passer.cli.runs import run_or_follow
from passer.cli.study_output import result_lines

if TYPE_CHECKING:
    from passer.domain.study.reproduction import Reproduction


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
    if as_json:
        print_json(found)
    else:
        print_reproduction(found)
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
