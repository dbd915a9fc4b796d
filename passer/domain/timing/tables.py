"""Times and tokens of an analysed sweep as tables: each configuration on each machine, and machines side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from passer.domain.analysis.study_tables import Cell, StudyTable
from passer.domain.manifest import DescribedMachine
from passer.domain.timing.comparison import ComparedConfiguration, ComparedFigure, TimingComparison, compare_timings
from passer.domain.timing.times import Spread, TimedConfiguration, TimingReport

TIMINGS, MACHINES = "timings", "timings_between_machines"
"""Names of the tables."""

_SPREAD = ("generation_s", "prompt_tokens", "answer_tokens", "tokens_per_s")
"""With their quartiles."""
_MEDIAN = ("total_s", "load_s", "prompt_eval_s", "eval_s", "embedding_s", "retrieval_s", "scoring_s")
_COUNTS = ("measured", "warm_up", "reused", "failed")
_TIMINGS = (
    "model", "name", "machine", "one_at_a_time", "measured", "warm_up", "reused", "without_a_time",
    *(f"{figure}_{part}" for figure in _SPREAD for part in ("median", "q1", "q3")),
    *(f"{figure}_median" for figure in _MEDIAN),
)  # fmt: skip
_MACHINES = (
    "model", "name", "machine", "other_machine", "figure", "n_pairs", "median_here", "median_there", "ratio", "ci_low",
    "ci_high", "p_equivalence", "margin", "equivalent", "answers", "identical",
)  # fmt: skip


def timing_tables(reports: Sequence[TimingReport]) -> dict[str, StudyTable]:
    """By name, of one sweep's reports, one a machine; those without a row are left out."""
    made = {
        TIMINGS: _with_values(StudyTable(columns=_TIMINGS, rows=tuple(_timings(reports)))),
        MACHINES: _with_values(StudyTable(columns=_MACHINES, rows=tuple(_machines(reports)))),
    }
    return {name: table for name, table in made.items() if table.rows}


def comparison_table(here: TimingReport, there: TimingReport, compared: TimingComparison) -> StudyTable:
    """Two timing runs side by side: a row for each configuration and figure that both have."""
    rows = (_compared(here, there, each, figure) for each in compared.configurations for figure in each.figures)
    return _with_values(StudyTable(columns=_MACHINES, rows=tuple(rows)))


def _with_values(table: StudyTable) -> StudyTable:
    """Without the columns that no row has a value in: not every source tells tokens."""
    kept = [place for place, _ in enumerate(table.columns) if any(row[place] is not None for row in table.rows)]
    return StudyTable(
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def machine_name(machine: DescribedMachine) -> str:
    """A machine in words: processor, cores, memory, system."""
    memory = "" if machine.memory_bytes is None else f", {machine.memory_bytes / 2**30:.0f} GiB"
    count = "" if machine.cpu_count is None else f", {machine.cpu_count} CPUs"
    return f"{machine.processor or machine.architecture}{count}{memory}, {machine.system}"


def _timings(reports: Sequence[TimingReport]) -> Iterator[tuple[Cell, ...]]:
    for report in reports:
        for each in report.configurations:
            if each.figures:
                yield (
                    each.model,
                    each.name,
                    machine_name(report.machine),
                    "yes" if report.is_timing_run else "no",
                    *(getattr(each, name) for name in _COUNTS),
                    *_figures(each),
                )


def _figures(configuration: TimedConfiguration) -> Iterator[Cell]:
    for figure in _SPREAD:
        spread = configuration.figures.get(figure)
        yield from _ends(spread)
    for figure in _MEDIAN:
        spread = configuration.figures.get(figure)
        yield None if spread is None else spread.median


def _ends(spread: Spread | None) -> tuple[Cell, ...]:
    return (None, None, None) if spread is None else (spread.median, spread.q1, spread.q3)


def _machines(reports: Sequence[TimingReport]) -> Iterator[tuple[Cell, ...]]:
    """Every two machines that ran the same configuration."""
    for here, there in combinations(reports, 2):
        for each in compare_timings(here, there).configurations:
            for figure in each.figures:
                yield _compared(here, there, each, figure)


def _compared(
    here: TimingReport, there: TimingReport, each: ComparedConfiguration, figure: ComparedFigure
) -> tuple[Cell, ...]:
    ends = (figure.ci.low, figure.ci.high) if figure.ci else (None, None)
    same = figure.equivalence.equivalent
    return (
        each.model,
        each.name,
        machine_name(here.machine),
        machine_name(there.machine),
        figure.figure,
        figure.n_pairs,
        figure.here,
        figure.there,
        figure.ratio,
        *ends,
        figure.equivalence.p,
        figure.equivalence.margin,
        None if same is None else "yes" if same else "not shown",
        # Repetitions on different machines have no answer that should be the same.
        each.answers or None,
        each.identical if each.answers else None,
    )
