"""Output of the commands on drafted questions: plans, progress and drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.cli.judge_options import note_spent, print_requests
from passer.cli.output import note, number, percent, print_json
from passer.cli.output import print_table as print_rows
from passer.domain.texts.visible import visible
from passer.domain.wording.counted import counted, grouped

if TYPE_CHECKING:
    from passer.domain.questions.drafting import Check
    from passer.services.drafting.drafts import DraftPlan
    from passer.services.drafting.review import DraftTable, ShownDraft


def print_plan(plan: DraftPlan, *, as_json: bool) -> None:
    """Print the windows, requests and cost of a plan, then its warnings."""
    if as_json:
        print_json(plan)
        return
    rows = [
        ("passages", grouped(plan.passages)),
        ("windows", grouped(plan.windows)),
        ("language", plan.language),
        ("questions wanted", grouped(plan.target)),
        ("requests for each question, at least", str(plan.asks_each)),
    ]
    print_requests(plan, rows, more=" or more")


def print_table(table: DraftTable, *, as_json: bool) -> None:
    """Print how many drafts were refused where, what each question cost, and how the drafting ended."""
    if as_json:
        print_json(table)
        return
    rows = [(f"refused: {stage}", str(count)) for stage, count in table.refused.items()]
    rows += [(state, str(count)) for state, count in table.states.items() if state != "refused"]
    print_rows(["", "drafts"], [("texts read", str(table.windows)), *rows])
    note_spent(table.assessment.spent)
    if table.asks_each is not None and table.tokens_each is not None:
        cost = "" if table.cost_each is None else f", cost {table.cost_each:.4f},"
        note(f"{table.asks_each:.1f} requests and {grouped(table.tokens_each)} tokens{cost} for each question.")
    if table.passed_share is not None:
        rate = "" if table.drafts_per_minute is None else f", {table.drafts_per_minute:.1f} drafts per minute"
        note(f"{percent(table.passed_share, 1)} of the drafts passed all checks{rate}.")
    if len(table.assessment.spec.drafting.writers if table.assessment.spec.drafting else ()) > 1:
        written = ", ".join(f"{model} {count}" for model, count in table.by_model.items())
        note(f"Questions by writer: {written or 'none'}.")
    if table.judge is not None:
        note(f"Checked by {table.judge}.")
    quality, drafting_id = table.quality, table.assessment.id
    if quality.interval is not None:
        low, high = quality.interval.low, quality.interval.high
        note(f"{quality.good} of {quality.decided} drawn drafts are good (95 % CI {low:.2f} to {high:.2f}).")
    elif quality.drawn:
        note(f"Review the {counted(quality.drawn, 'draft')} that the seed drew: passer draft review {drafting_id}")
    if table.outcome:
        note(table.outcome)
    if table.by_model:
        note(f"Next: passer draft finish {drafting_id} --as NAME")
    elif table.drafts:
        note(f"Why drafts were refused: passer draft review {drafting_id} --state refused")


def print_draft(shown: ShownDraft) -> None:
    """Print a draft with its quotes and checks."""
    draft = shown.draft
    print(f"\n{draft.key}  {shown.state}{f' ({shown.refused_at})' if shown.refused_at else ''}  {draft.model}")
    print(f"  question  {visible(shown.question)}")
    print(f"  answer    {visible(shown.answer)}")
    for gold in draft.gold:
        print(f"  quote     {visible(gold.quote)}  [{visible(gold.document)}]")
    print(f"  checks    {', '.join(map(_check, draft.checks))}")


def _check(check: Check) -> str:
    if check.value is not None:
        return f"{check.stage} {number(check.value)}"
    return f"{check.stage} {'passed' if check.passed else check.reason or 'refused'}"
