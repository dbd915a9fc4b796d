"""Judging: PaSSER's own time per ask, resuming on stored judgements, and the built-in model as a judge.

    python -m benchmarks.judging [--quick]

The first two figures are seconds of a processor with a judge that replies at once: prompt, key, reading, commit. The
others are of the built-in model, and are left out where it is not installed. It is too weak to judge; the figures show
whether every reply has the form of its task, or a reason.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import perf_counter, process_time

from benchmarks.report import Figure, report
from passer.adapters.generators.local.models import built_in_weights
from passer.bootstrap import build_services
from passer.domain.judging.ask import Ask
from passer.domain.judging.judgement import JUDGE_OPTIONS, Judge, Judgement
from passer.domain.judging.marks import Mark
from passer.domain.judging.recipe import Finding, Findings, Recipe
from passer.domain.models.model import Model, ModelInfo
from passer.metrics.judged.grades import CORRECTNESS
from passer.ports import Fact, MarkFact
from passer.services.judging.asker import JudgeContext
from passer.services.judging.assessments import AssessmentRequest
from passer.services.judging.driver import Ended, RecipeDriver, Started
from passer.services.work.kinds import AssessSpec
from passer.settings import Settings
from tests.services.judging.made import JUDGE, InstantEngine, Judged, grade

ASKS, QUICK_ASKS = 1_000, 200
REPEATS, QUICK_REPEATS = 5, 2
MODEL = Model(provider="local", name="smollm2-135m")


class Owners:
    """Owns all requests; the instant judge is never gone."""

    def is_live(self, owner: str) -> bool:
        """Return True."""
        return True

    def pause(self, owners: object, reason: str) -> None:
        """Do nothing."""

    def resume(self, owners: object) -> None:
        """Do nothing."""


def correctness(number: int) -> Recipe[Findings]:
    """Ask for one grade of one of many different answers."""
    text = f"Answer {number}: rice flowers in August, when the nights grow longer and the fields are drained. " * 4
    said: Judgement = yield Ask(
        task=CORRECTNESS.name, given={"question": f"Question {number}?", "reference": text, "answer": text}
    )
    assert isinstance(said.value, dict), said.reason
    grade = said.value["b_grade"]
    assert isinstance(grade, int | float)
    return (Finding(value=grade / 10),)


def run_seconds(judged: Judged, asks: int) -> float:
    """Return the processor seconds of an assessment with this number of asks; those that are stored are not sent."""
    assessment_id = judged.create()
    driver = RecipeDriver[int, Findings](
        judged.tools,
        InstantEngine(judged.judge),
        JudgeContext(
            Judge(model=JUDGE, options=JUDGE_OPTIONS),
            ModelInfo(name="judge", context_length=8192),
            None,
            {CORRECTNESS.name: CORRECTNESS},
        ),
        ended=lambda ended: _facts(assessment_id, ended),
        owners=Owners(),
    )
    recipes: Iterator[Started[int, Findings]] = (Started(number, correctness(number)) for number in range(asks))
    began = process_time()
    assert driver.run(recipes, Event())
    return process_time() - began


def _facts(assessment_id: str, ended: Ended[int, Findings]) -> list[Fact]:
    assert ended.result is not None
    mark = Mark(
        assessment_id=assessment_id,
        item_key=f"{ended.key:064}",
        column="Answer correctness",
        value=ended.result[0].value,
        judgement_keys=ended.judgement_keys,
    )
    return [MarkFact(mark)]


def own_figures(asks: int) -> dict[str, Figure]:
    """Return PaSSER's own time per ask, and the time to resume on stored judgements."""
    with tempfile.TemporaryDirectory() as folder:
        judged = Judged(f"sqlite:///{folder}/a.sqlite3", script=lambda _: grade())
        judged.fill()
        first, again = run_seconds(judged, asks), run_seconds(judged, asks)
        assert len(judged.judge.asked) == asks, "a stored judgement was asked for again"
        judged.close()
    return {
        "own time per ask": Figure(1000 * first / asks, "lower", "ms", 3),
        "resuming 1,000 stored asks": Figure(again * 1000 / asks, "lower", "s", 2),
    }


def model_figures(repeats: int) -> dict[str, Figure]:
    """Return the built-in model's share of replies in form at first, of marks with value or reason, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        made = Judged(f"sqlite:///{Path(folder) / 'passer.sqlite3'}")
        made.fill()
        made.close()
        built = build_services(Settings(home=Path(folder), encoder="none", concurrency=2))
        try:
            request = AssessmentRequest(
                target="sweep", judge=MODEL, columns=("Answer correctness",), num_ctx=2048, repeats=repeats
            )
            assessment = built.judging.assessments.create(request)
            began = perf_counter()
            built.work.queue.run_here(AssessSpec(assessment=assessment.id, sweep="sweep"))
            took = perf_counter() - began
            marks = built.adapters.judgements.marks(assessment.id)
            keys = sorted({key for mark in marks for key in mark.judgement_keys})
            read = list(built.adapters.judgements.judgements(keys).values())
        finally:
            built.close()
    in_form = sum(each.value is not None and each.attempts == 1 for each in read) / len(read)
    return {
        "built-in model: replies in form at first": Figure(in_form, "higher", "share", 0.95),
        "built-in model: marks with value or reason": Figure(
            sum((mark.value is None) != (mark.reason is None) for mark in marks) / len(marks), "higher", "share", 1
        ),
        "built-in model: seconds per ask": Figure(took / len(read), "lower", "s"),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    is_quick = parser.parse_args().quick
    figures = own_figures(QUICK_ASKS if is_quick else ASKS)
    if built_in_weights() is not None:
        figures |= model_figures(QUICK_REPEATS if is_quick else REPEATS)
    report("judging", figures)


if __name__ == "__main__":
    main()
