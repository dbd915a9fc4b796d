"""`failures --judge`: reasons for low scores, by a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from passer.bootstrap import Services
from passer.cli.files import checked
from passer.cli.judge_options import judge_settings, run_and_show
from passer.cli.output import note, number, print_json, print_table
from passer.domain.failures.judged_labels import HIGHEST, INCOMPLETE_COLUMN, LLM_LABELS

if TYPE_CHECKING:
    from passer.domain.failures.judged_report import LabelCount, RunWhy, WhyLabel, WhyReport


def explain(
    built: Services,
    target: str,
    judge: str,
    *,
    is_foreign: bool,
    below: float | None,
    budget: Sequence[str] | None,
    price: str | None,
    as_json: bool,
) -> None:
    """Judge the answers of a sweep or run, and print why they were low; judgements that exist are reused."""
    from passer.services.analysis.judged_failures import COLUMNS_NEEDED
    from passer.services.judging.assessments import AssessmentRequest
    from passer.services.work.kinds import AssessSpec

    settings = judge_settings(judge, budget=budget, price=price)
    columns = (*COLUMNS_NEEDED, INCOMPLETE_COLUMN) if is_foreign else COLUMNS_NEEDED
    request = checked(AssessmentRequest, {"target": target, "columns": columns, **settings})
    assessment = built.judging.assessments.create(request)
    note(f"Assessment {assessment.id}; `passer failures {target} --assessment {assessment.id}` shows it again.")
    least = HIGHEST if below is None else below
    run_and_show(built, AssessSpec.of(assessment), lambda: show(built, assessment.id, below=least, as_json=as_json))


def show(built: Services, assessment_id: str, *, below: float, as_json: bool) -> None:
    """Print why the answers of an assessment were low."""
    report = built.analysis.judged_failures.of(assessment_id, below=below)
    print_json(report) if as_json else _print(report)


def _print(report: WhyReport) -> None:
    from passer.domain.failures.judged_report import RAG
    from passer.domain.wording.sentence import sentence

    for warning in report.warnings:
        note(warning)
    kinds: dict[WhyLabel, str] = {**dict.fromkeys(RAG, "RAG"), **dict.fromkeys(LLM_LABELS, "LLM")}
    print_table(
        ["", "why it was low", *(run.name for run in report.runs)],
        [
            *(
                [kinds.get(label, ""), sentence(f"why.{label}"), *(_cell(run.counts.get(label)) for run in report.runs)]
                for label in _used(report.runs)
            ),
            ["", sentence("located.all"), *(str(run.n) for run in report.runs)],
        ],
        title=f"Judged by {report.judge}; low: Answer correctness below {number(report.below)}. Shares of all "
        "questions; a question can have several labels",
    )
    for run in report.runs:
        if run.unjudged:
            reasons = ", ".join(f"{reason} {count}" for reason, count in run.unjudged.items())
            note(f"{run.name}: {sum(run.unjudged.values())} questions are not judged ({reasons}).")
        _print_parts(run)


def _print_parts(run: RunWhy) -> None:
    """Print the labels of each group and quarter of correctness, and labels by code against those of the judge."""
    from passer.domain.wording.sentence import sentence

    parts = dict(run.by_group)
    parts |= {f"[{number(each.low)}, {number(each.high)}) n={each.n}": each.counts for each in run.quarters}
    used = _used([run])
    if parts:
        rows = [[sentence(f"why.{label}"), *(_cell(counts.get(label)) for counts in parts.values())] for label in used]
        print_table([run.name, *parts], rows, title="By group, and by Answer correctness without 1")
    rows = [
        [sentence(f"located.{place}"), *(str(found.get(label, 0)) for label in used)]
        for place, found in run.crossed.items()
    ]
    print_table([run.name, *(sentence(f"why.{label}") for label in used)], rows, title="Where it failed, and why")


def _used(runs: Sequence[RunWhy]) -> list[WhyLabel]:
    from passer.domain.failures.judged_report import WHY

    return [label for label in WHY if any(label in run.counts for run in runs)]


def _cell(count: LabelCount | None) -> str:
    return "0" if count is None else f"{count.n} ({number(100 * count.share, 1)} %)"
