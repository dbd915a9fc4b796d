"""Output of the results of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from passer.bootstrap import Services
from passer.cli.output import difference, difference_interval, note, number, p_value, print_table, share, unit_of
from passer.domain.wording.counted import counted
from passer.errors import InputError

if TYPE_CHECKING:
    from passer.domain.analysis.analysis import SweepAnalysis
    from passer.domain.verdict.conclusion import Conclusion
    from passer.domain.verdict.lines import Line
    from passer.ports import StoredSweep


def print_outcome(services: Services, sweep_id: str) -> None:
    """Print failures and the analysis of a finished sweep, or how to choose a panel that its scores allow.

    Of a sweep that paused only the counts are printed.
    """
    from passer.domain.wording.sentence import sentence

    stored = services.adapters.runs.load_sweep(sweep_id)
    _note_failures(stored)
    if not stored.state.is_final:
        note(sentence("verdict.withheld"))
        return
    try:
        analysis = services.analysis.sweep_results.analyse(sweep_id)
    except InputError as exc:
        note(f"Sweep {sweep_id} is finished, but cannot be analysed with this panel. {exc}")
        note(f"Use another panel: passer analyse {sweep_id} --panel NAME")
        return
    print_analysis(analysis)


def _note_failures(stored: StoredSweep) -> None:
    """Print why the sweep is paused, and the latest failures."""
    for reason in dict.fromkeys(run.reason for run in stored.runs if run.state.value == "paused" and run.reason):
        note(reason)
    failed = sum(run.counts.failed for run in stored.runs)
    if failed:
        note(f"{counted(failed, 'evaluation')} failed; `passer retry {stored.id}` asks again. The latest reasons:")
        latest = stored.progress.failures if stored.progress else ()
        for reason in dict.fromkeys(str(each.reason) for each in latest):
            note(f"  {reason}")


def print_analysis(analysis: SweepAnalysis) -> None:
    """Print the composite table, its pool and the recommendation."""
    from passer.domain.verdict.amounts import level
    from passer.domain.verdict.lines import explored

    primary = analysis.rule.primary
    unit = unit_of(primary)
    rows = []
    for c in analysis.configurations:
        test = c.comparison
        rows.append(
            (
                c.name + (" (baseline)" if c.is_baseline else ""),
                str(c.n),
                number(c.mean_cps),
                number(c.cv, 3),
                number(c.tcps),
                difference(primary, test.judged.gain if test else None),
                number(test.improvement_pct if test else None, 2, sign=True),
                difference_interval(primary, test.judged.low, test.judged.high) if test else "-",
                p_value(test.judged.p if test else None),
                test.judged.outcome.replace("_", " ") if test else "-",
                number(test.balance if test else None, 3),
                share(c.retrieval.coverage, c.retrieval.coverage_ci, 2),
                number(c.retrieval.mean_passages, 1),
                number(c.retrieval.recall, 3),
            )
        )
    columns = [
        "configuration", "n", "CPS", "CV", "T-CPS", f"gain{unit}" if unit else f"{primary} gain", "gain % of CPS",
        f"{level(analysis.rule.alpha):g} % interval{unit}", "p", "outcome", "Balance",
        "with passages (95 %)", "passages", "recall",
    ]  # fmt: skip
    print_table(columns, rows)
    _print_consistency(analysis)
    _print_verdict(analysis)
    printed = explored(analysis.verdict.exploratory)
    statements = (statement for statement in analysis.statements if statement not in printed)
    for line in (f"Profile: {analysis.profile_label}.", *statements, *analysis.warnings):
        note(f"  {line}")


def _print_consistency(analysis: SweepAnalysis) -> None:
    """Print the agreement of repeats, where questions were asked more than once."""
    rows = [
        (
            each.name, str(found.repeats), number(found.agreement, 3),
            share(found.flipped.value, found.flipped.interval),
            share(found.always_right.value, found.always_right.interval),
        )
        for each in analysis.configurations
        if (found := each.consistency) is not None
    ]  # fmt: skip
    if not rows:
        return
    one = next(each.consistency for each in analysis.configurations if each.consistency is not None)
    print_table(
        ["configuration", "repeats", "agreement", "inconsistent", "correct in all"],
        rows,
        title=f"Agreement of repeats; correct: {one.metric} from {one.right_from:g} (95 % Wilson intervals)",
    )


def _note_tables(lines: Sequence[Line]) -> None:
    """Name the tables that contain the numbers of these lines."""
    tables = tuple(dict.fromkeys(name for line in lines for name in line.tables))
    if tables:
        note(f"  Tables with these numbers: {', '.join(tables)}. Save one: passer export ID --table NAME -o FILE.csv")


def _print_conclusion(item: Conclusion, *, names_model: bool) -> None:
    for part, line in item.lines:
        if part == "verdict":
            print(f"{item.model}: {line.text}" if names_model else line.text)
        else:
            print(f"  {line.text}")
    for step in item.next_steps:
        print(f"  -> {step.text}")


def _print_verdict(analysis: SweepAnalysis) -> None:
    """Print the verdict of each model, as in pages and reports, then the next steps."""
    from passer.domain.verdict.lines import explored

    found = analysis.verdict
    for item in found.conclusions:
        _print_conclusion(item, names_model=len(found.conclusions) > 1)
    if analysis.standing is not None:
        print(analysis.standing.line)
    for sentence in explored(found.exploratory):
        print(sentence)
    beside = (*(arm.line for arm in found.arms), *(each.line for each in found.identical))
    for line in beside:
        print(line.text)
    _note_tables([*(line for item in found.conclusions for _, line in item.lines), *beside])
    note(f"  Digest of the verdict: {found.digest}")
