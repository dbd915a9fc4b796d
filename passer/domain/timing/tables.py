"""Times and tokens of an analysed sweep as tables: each configuration on each machine, and machines side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from passer.domain.analysis.study_table import Cell, Source, StudyTable, tabulate, with_rows, yes_or_no
from passer.domain.bundle.manifest import DescribedMachine
from passer.domain.timing.comparison import ComparedFigure, ComparedScore, TimingComparison, compare_timings
from passer.domain.timing.times import TimingReport

TIMINGS, MACHINES = "timings", "timings_between_machines"
ANSWERS, SCORES = "answers_between_machines", "scores_between_machines"
"""Names of the tables."""

_SPREAD = ("generation_s", "prompt_tokens", "answer_tokens", "tokens_per_s")
"""Figures that are shown with their quartiles."""
_MEDIAN = ("total_s", "load_s", "prompt_eval_s", "eval_s", "embedding_s", "retrieval_s", "scoring_s")
_TIMINGS = (
    "model", "name", "machine", "one_at_a_time", "measured", "warm_up", "reused", "without_a_time",
    *(f"{figure}_{part}" for figure in _SPREAD for part in ("median", "q1", "q3")),
    *(f"{figure}_median" for figure in _MEDIAN), "passer_memory_mb", "model_memory_mb", "model_gpu_memory_mb",
)  # fmt: skip
_MACHINES = (
    "model", "name", "machine", "other_machine", "figure", "n_pairs", "median_here", "median_there", "ratio", "ci_low",
    "ci_high", "p_equivalence", "margin", "equivalent", "answers", "identical",
)  # fmt: skip
_SCORES = (
    "model", "name", "metric", "n_pairs", "mean_difference", "ci_low", "ci_high", "p_equivalence", "margin",
    "equivalent",
)  # fmt: skip

_FIGURES: dict[str, Source] = {
    "passer_memory_mb": lambda item: _mb(item.memory and item.memory.passer_bytes),
    "model_memory_mb": lambda item: _mb(item.memory and item.memory.model and item.memory.model.total_bytes),
    "model_gpu_memory_mb": lambda item: _mb(item.memory and item.memory.model and item.memory.model.gpu_bytes),
    "without_a_time": "failed",
    **{f"{figure}_{part}": f"figures.{figure}.{part}" for figure in _SPREAD for part in ("median", "q1", "q3")},
    **{f"{figure}_median": f"figures.{figure}.median" for figure in _MEDIAN},
}
_COMPARED: dict[str, Source] = {
    "median_here": "here", "median_there": "there", "ci_low": "ci.low", "ci_high": "ci.high",
    "p_equivalence": "equivalence.p", "margin": "equivalence.margin", "equivalent": lambda item: _equivalent(item),
}  # fmt: skip


def timing_tables(reports: Sequence[TimingReport]) -> dict[str, StudyTable]:
    """Return the tables of a sweep's reports, one report per machine, by name; tables without rows are omitted."""
    made = {
        TIMINGS: _with_values(StudyTable(columns=_TIMINGS, rows=tuple(_timings(reports)))),
        MACHINES: _with_values(StudyTable(columns=_MACHINES, rows=tuple(_machines(reports)))),
    }
    return with_rows(made)


def comparison_tables(here: TimingReport, there: TimingReport, compared: TimingComparison) -> dict[str, StudyTable]:
    """Return the tables that compare two timing runs, by name: times, answers and scores by configuration."""
    figures = StudyTable(columns=_MACHINES, rows=tuple(_compared(here, there, compared)))
    return with_rows(
        {
            MACHINES: _with_values(figures),
            ANSWERS: tabulate(("model", "name", "answers", "identical", "identical_share"), compared.configurations),
            SCORES: StudyTable(columns=_SCORES, rows=tuple(_scores(compared))),
        }
    )


def _scores(compared: TimingComparison) -> Iterator[tuple[Cell, ...]]:
    for each in compared.configurations:
        own = _given({"model": each.model, "name": each.name})
        yield from tabulate(_SCORES, each.scores, _COMPARED | {"n_pairs": "equivalence.n_pairs"} | own).rows


def _with_values(table: StudyTable) -> StudyTable:
    """Drop the columns without any value: not every source reports tokens."""
    kept = [place for place, _ in enumerate(table.columns) if any(row[place] is not None for row in table.rows)]
    return StudyTable(
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def machine_name(machine: DescribedMachine) -> str:
    """Return the description of a machine: processor, cores, memory, system."""
    memory = "" if machine.memory_bytes is None else f", {machine.memory_bytes / 2**30:.0f} GiB"
    count = "" if machine.cpu_count is None else f", {machine.cpu_count} CPUs"
    return f"{machine.processor or machine.architecture}{count}{memory}, {machine.system}"


def _timings(reports: Sequence[TimingReport]) -> Iterator[tuple[Cell, ...]]:
    for report in reports:
        around = {"machine": machine_name(report.machine), "one_at_a_time": yes_or_no(report.is_timing_run)}
        rows = tabulate(_TIMINGS, (each for each in report.configurations if each.figures), _FIGURES | _given(around))
        yield from rows.rows


def _machines(reports: Sequence[TimingReport]) -> Iterator[tuple[Cell, ...]]:
    """Return every two machines that ran the same configuration."""
    for here, there in combinations(reports, 2):
        yield from _compared(here, there, compare_timings(here, there))


def _compared(here: TimingReport, there: TimingReport, compared: TimingComparison) -> Iterator[tuple[Cell, ...]]:
    machines = {"machine": machine_name(here.machine), "other_machine": machine_name(there.machine)}
    for each in compared.configurations:
        # Repetitions on different machines have no answer that should be the same.
        answers = {"answers": each.answers or None, "identical": each.identical if each.answers else None}
        own = {"model": each.model, "name": each.name, **machines, **answers}
        yield from tabulate(_MACHINES, each.figures, _COMPARED | _given(own)).rows


def _given(cells: Mapping[str, Cell]) -> dict[str, Source]:
    """Columns that are the same in all rows."""
    return {name: _always(cell) for name, cell in cells.items()}


def _always(cell: Cell) -> Source:
    return lambda _: cell


def _mb(memory: int | None) -> float | None:
    return None if memory is None else memory / 1e6


def _equivalent(item: ComparedFigure | ComparedScore) -> str | None:
    same = item.equivalence.equivalent
    return None if same is None else "yes" if same else "not shown"
