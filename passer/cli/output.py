"""Output of commands: tables on a terminal, plain lines elsewhere, one JSON object with --json."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from passer.domain.texts.visible import visible
from passer.domain.wording.counted import THIN

if TYPE_CHECKING:
    from rich.table import Table

    from passer.domain.analysis.study_table import StudyTable
    from passer.domain.statistics import Interval

LINE_EVERY_S = 5.0
"""Seconds between two lines of progress where the output is no terminal."""
FILE_WIDTH = 200
"""Characters of a line of a table where the output is no terminal."""
WHOLE_CELL = 22
"""Characters of a cell that a narrow terminal shows on one line; longer cells are wrapped."""
COLUMN_GAP = 2

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
EngineOption = Annotated[
    Literal["local", "ray"] | None,
    typer.Option("--engine", help="Where evaluations run: local or ray; default: PASSER_ENGINE."),
]
"""`local` or `ray`; None means PASSER_ENGINE."""
SweepId = Annotated[str, typer.Argument(help="Id of the sweep, as `passer runs` lists it.")]


def print_json(value: Any) -> None:
    """Print one JSON object; pydantic values in JSON mode."""
    json.dump(_plain(value), sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str | None = None, empty: str | None = None
) -> None:
    """Print a table; columns after the first are right-aligned if all their cells are numbers or dashes.

    A table that is wider than the terminal is printed in parts, each with the first column: narrower columns would
    have one or two letters in a line. `empty` is the sentence for a table without rows.
    """
    from rich.console import Console

    listed = [[visible(cell) for cell in row] for row in rows]
    if empty and not listed:
        note(empty)
        return
    width = None if sys.stdout.isatty() else FILE_WIDTH
    console = Console(soft_wrap=False, width=width, highlight=False, markup=False)
    for part, numbers in enumerate(_parts(columns, listed, console.width)):
        console.print(*([""] if part else []), _table(columns, listed, numbers, None if part else title), sep="\n")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int], title: str | None) -> Table:
    """Return the columns of these numbers as a table."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for number in numbers:
        numeric = number > 0 and all(_is_numeric(row[number]) for row in rows)
        table.add_column(columns[number], justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(row[number] for number in numbers))
    return table


def _parts(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Return the numbers of the columns of each part: all, or the first one and as many others with values as fit."""
    least = [_least_width([name, *(row[number] for row in rows)]) for number, name in enumerate(columns)]
    if sum(least) + COLUMN_GAP * (len(least) - 1) <= width:
        return [list(range(len(columns)))]
    parts: list[list[int]] = [[0]]
    room = width - least[0]
    for number in range(1, len(columns)):
        if rows and not any(row[number] for row in rows):
            continue
        if least[number] + COLUMN_GAP > room and len(parts[-1]) > 1:
            parts.append([0])
            room = width - least[0]
        parts[-1].append(number)
        room -= least[number] + COLUMN_GAP
    return parts


def _least_width(texts: Iterable[str]) -> int:
    """Return the characters that a column needs, so that only its long cells are wrapped."""
    from rich.cells import cell_len

    return min(WHOLE_CELL, max(cell_len(line) for text in texts for line in text.splitlines() or [""]))


def print_study_table(name: str, table: StudyTable) -> None:
    """Print a table of an analysis under its title and its name for `passer export --table`."""
    from passer.domain.analysis.result_tables import table_title
    from passer.domain.texts.cell_text import cell_text, heading

    rows = [list(map(cell_text, table.columns, row)) for row in table.rows]
    print_table([heading(column) for column in table.columns], rows, title=f"{table_title(name)} ({name})")


def number(value: float | None, digits: int = 4, *, sign: bool = False) -> str:
    """Format a number for a table; a dash for None."""
    if value is None:
        return "-"
    return f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"


def percent(value: float, digits: int = 0) -> str:
    """Format a share as a percentage, with the thin space of all messages: 26\N{NARROW NO-BREAK SPACE}%."""
    return f"{100 * value:.{digits}f}\N{NARROW NO-BREAK SPACE}%"


def beginning(text: str, most: int = 80) -> str:
    """Return the beginning of a text as one line of at most this many characters."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 4].rstrip()} ..."


def share(value: float | None, interval: Interval | None, digits: int = 3) -> str:
    """Format a share with its interval for a table; a dash for None."""
    ends = "" if interval is None else f" [{number(interval.low, digits)}, {number(interval.high, digits)}]"
    return f"{number(value, digits)}{ends}"


def span(low: float | None, high: float | None, digits: int = 3) -> str:
    """Format an interval for a table; a dash if an end is missing."""
    return "-" if low is None or high is None else f"{low:.{digits}f} to {high:.{digits}f}"


def difference(primary: str, value: float | None) -> str:
    """Format a difference of CPS in points, of another metric in its own unit; a dash for None."""
    from passer.domain.composite import CPS
    from passer.domain.verdict.amounts import POINTS

    if value is None or primary != CPS:
        return number(value, sign=True)
    return number(value * POINTS, 2, sign=True)


def difference_interval(primary: str, low: float | None, high: float | None) -> str:
    """Format an interval of differences as `difference` does; a dash for None."""
    return "-" if low is None or high is None else f"{difference(primary, low)} to {difference(primary, high)}"


def unit_of(primary: str) -> str:
    """Return the suffix for the name of a column of differences: ` (points)` for CPS, empty for another metric."""
    from passer.domain.composite import CPS

    return " (points)" if primary == CPS else ""


def p_value(value: float | None) -> str:
    """Format a p value as papers print it: .012, < .001."""
    if value is None:
        return "-"
    return "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def note(text: str) -> None:
    """Print a line for the user to stderr, so that stdout contains only data."""
    print(visible(text), file=sys.stderr)


class ProgressLine:
    """A progress bar on a terminal; elsewhere a line every few seconds while something changes. Both on stderr."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("{task.fields[tail]}"), console=self._console, transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=None, tail="")
        self._said_at = float("-inf")
        self._said = ""

    def __enter__(self) -> ProgressLine:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    def __call__(self, message: str, done: int, total: int, tail: str = "") -> None:
        """Update the progress."""
        if self._console.is_terminal:
            self._bar.update(self._task, description=message, completed=done, total=total or None, tail=tail)
            return
        line = f"{message}: {done}/{total}" if total else message
        if line != self._said and time.monotonic() - self._said_at >= LINE_EVERY_S:
            self._said, self._said_at = line, time.monotonic()
            note(line)


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _is_numeric(text: str) -> bool:
    return text in ("-", "") or text.lstrip("+-<. ").replace(".", "").replace(THIN, "").rstrip("*% ").isdigit()
