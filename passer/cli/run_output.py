"""Output of the results of a sweep."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from passer.bootstrap import Services
from passer.cli.output import difference, difference_interval, note, number, p_value, print_table, share, unit_of
from passer.domain.wording.counted import counted
from passer.errors import InputError

if TYPE_CHECKING:
    from passer.domain.analysis.analysis import SweepAnalysis
    from passer.domain.analysis.levels import Levels
    from passer.domain.evidence.results import Evidence
    from passer.domain.verdict.conclusion import Conclusion, NextStep
    from passer.domain.verdict.lines import Line
    from passer.domain.verdict.two_looks import Looks
    from passer.ports import StoredSweep

_AGAIN = "passer sweep ..."
"""Beginning of a command that runs a sweep again with other options."""


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
    print_analysis(analysis, stored)


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


def print_analysis(analysis: SweepAnalysis, stored: StoredSweep) -> None:
    """Print the composite table, its pool and the recommendation, with the commands of the next steps."""
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
    _print_verdict(analysis, stored)
    printed = explored(analysis.verdict.exploratory)
    statements = (statement for statement in analysis.statements if statement not in printed)
    for line in (f"Metric definitions: {analysis.profile_label}.", *statements, *analysis.warnings):
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


def _print_conclusion(item: Conclusion, stored: StoredSweep, *, names_model: bool) -> None:
    for part, line in item.lines:
        if part == "verdict":
            print(f"{item.model}: {line.text}" if names_model else line.text)
        else:
            print(f"  {line.text}")
    commands = [command_of(step, stored) for step in item.next_steps]
    for step, command in zip(item.next_steps, commands, strict=True):
        print(f"  -> {step.text}", *([f"     {command}"] if command else []), sep="\n")
    if any(command.startswith(_AGAIN) for command in commands):
        note("  ... stands for the other options of this sweep. With an experiment file, change the values there.")


def command_of(step: NextStep, stored: StoredSweep) -> str:
    """Return the command for a next step; empty for the settings of the encoder, which no command changes."""
    at, more = step.thresholds, step.questions
    looks = _looks_option(step.looks) if step.looks is not None else ""
    return {
        "retry_failed": f"passer retry {stored.id}",
        "resume": f"passer resume {stored.id}",
        "shorter_prompts": f"{_AGAIN} --num-ctx TOKENS",
        "more_questions": f"{_AGAIN} --questions {more}{looks}",
        "add_questions": f"passer import dataset FILE --name {shlex.quote(stored.sweep.config.dataset)} --add",
        "other_encoder": "",
        "finer_range": f"{_AGAIN} --thresholds {':'.join(f'{each:g}' for each in (*at[:1], *at[-1:], *_steps(at)))}",
        "matched_k": f"{_AGAIN} --thresholds {','.join(f'{each:g}' for each in at)} --k {','.join(map(str, step.k))}",
        "gold_lost": f"passer failures {stored.id}",
    }[step.code]


def _looks_option(looks: Looks) -> str:
    return f" --looks {looks.first}:{looks.second}{'' if looks.is_planned else ':unplanned'}"


def _steps(thresholds: Sequence[float]) -> list[float]:
    """Return the step of evenly spaced thresholds, as a list of one; empty for fewer than two."""
    return [round(thresholds[1] - thresholds[0], 6)] if len(thresholds) > 1 else []


def _print_verdict(analysis: SweepAnalysis, stored: StoredSweep) -> None:
    """Print the verdict of each model, as in pages and reports, then the next steps."""
    from passer.domain.verdict.lines import explored

    found = analysis.verdict
    for item in found.conclusions:
        _print_conclusion(item, stored, names_model=len(found.conclusions) > 1)
    if analysis.standing is not None:
        print(analysis.standing.line)
    for sentence in explored(found.exploratory):
        print(sentence)
    beside = (*(arm.line for arm in found.arms), *(each.line for each in found.identical))
    for line in beside:
        print(line.text)
    _note_tables([*(line for item in found.conclusions for _, line in item.lines), *beside])
    note(f"  Digest of the verdict: {found.digest}")


def _level(levels: Levels) -> str:
    from passer.domain.analysis.levels import level_text, threshold_of

    threshold = threshold_of(levels)
    return level_text(levels) if threshold is None else f"{threshold:.2f}"


def print_evidence(evidence: Evidence) -> None:
    """Print all tests of all gains; the JSON contains further results."""
    rows = [
        (
            item.model,
            _level(item.levels),
            str(item.n_pairs),
            number(_points(item.gain), 2, sign=True),
            number(_points(item.ci.low if item.ci else None), 2, sign=True),
            number(_points(item.ci.high if item.ci else None), 2, sign=True),
            number(_points(item.detectable), 2),
            str(item.questions_for_a_point or "-"),
            number(item.cohens_d, 3, sign=True),
            p_value(item.p_t),
            p_value(item.p_wilcoxon),
            p_value(item.p_permutation),
            p_value(item.p_max_t),
            p_value(item.p_holm),
        )
        for item in evidence.comparisons
    ]
    columns = [
        "model", "threshold", "pairs", "gain (points)", "from", "to", "detectable", "n for 1 point", "d", "p (t)",
        "p (Wilcoxon)", "p (flips)", "p (max-T)", "p (Holm)",
    ]  # fmt: skip
    print_table(columns, rows, title=f"All tests; adjusted for {counted(evidence.family_size, 'comparison')}")


def _points(value: float | None) -> float | None:
    return None if value is None else value * 100
