"""Output of commands: tables on a terminal, plain lines elsewhere, one JSON object with --json."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from passer.domain.texts.visible import visible

if TYPE_CHECKING:
    from passer.domain.analysis.study_table import StudyTable
    from passer.domain.statistics import Interval

LINE_EVERY_S = 5.0
"""Seconds between two lines of progress where the output is no terminal."""

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


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str | None = None) -> None:
    """Print a table; columns after the first are right-aligned if all their cells are numbers or dashes."""
    from rich.console import Console
    from rich.table import Table

    listed = [list(row) for row in rows]
    table = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        numeric = number > 0 and all(_is_numeric(row[number]) for row in listed)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in listed:
        table.add_row(*map(visible, row))
    console = Console(soft_wrap=False, width=None if sys.stdout.isatty() else 200, highlight=False, markup=False)
    console.print(table)


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
    return text in ("-", "") or text.lstrip("+-<. ").replace(".", "").replace(",", "").rstrip("*% ").isdigit()
