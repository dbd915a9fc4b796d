"""No verdict yet: why, which configuration is named, and what to do."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from passer.cli.run_output import print_analysis
from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.result_tables import tables_of_sweep
from passer.domain.dataset import Question
from passer.domain.figures.builder import figures_of
from passer.domain.figures.points import study_of_sweep
from passer.domain.reports.first_page import compared_configurations
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import reading, shown
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.verdict.bundle_content import VerdictSource
from tests.analysis_rows import RunRows, by_name, conclusion, noisy, question, run, scores, sweep


def test_failed_and_open_questions_are_offered_to_be_retried_and_resumed():
    failed = [question(n, None, state="failed") for n in range(11)]
    answered = [question(n, height) for n, height in enumerate(noisy(0.6, seed=2))]
    base = run("base", [question(n, height) for n, height in enumerate(noisy(0.4))][:50], baseline=True, planned=60)
    other = run("other", [*failed, *answered[11:]], retrieval=ScorePolicy(min_similarity=0.5), planned=60)
    found = conclusion([base, other])
    assert (found.number, found.gain, found.tied) == (0, None, None)
    assert [(step.code, step.run_ids) for step in found.next_steps] == [
        ("retry_failed", ("other",)),
        ("resume", ("base",)),
    ]
    assert [step.text for step in found.next_steps] == ["Retry 11 failed questions", "Resume 10 unfinished questions"]


def test_prompts_that_are_too_long_are_not_retried_but_need_other_settings():
    base, other = sweep(base=noisy(0.4), other=noisy(0.6, seed=2))
    long = [question(n, None, state="failed", is_too_long=True) for n in range(11)]
    asked = other.model_copy(update={"questions": (*long, *other.questions[11:])})
    (step,) = conclusion([base, asked]).next_steps
    assert (step.code, step.run_ids) == ("shorter_prompts", ())
    assert step.text == "Copy with a larger context window or fewer passages: 11 prompts are too long"
    # A failure of another kind beside them may be answered by a retry, which asks all failed questions of the run.
    mixed = asked.model_copy(update={"questions": (replace(long[0], is_too_long=False), *asked.questions[1:])})
    found = conclusion([base, mixed]).next_steps
    assert [(each.code, each.run_ids) for each in found] == [("retry_failed", ("other",)), ("shorter_prompts", ())]
    assert found[0].text == "Retry 11 failed questions"


@pytest.mark.parametrize(("state", "said"), [("failed", "60 of 60 questions failed"), (None, "60 of 60 questions are")])
def test_a_configuration_without_any_answer_allows_no_verdict_of_the_others(state: str | None, said: str):
    rows = sweep(base=noisy(0.4), other=noisy(0.6, seed=2))
    dead = [question(n, None, state=state) for n in range(60)] if state else []
    (without,) = analyse(rows).verdict.conclusions
    assert (without.number, without.name) == (1, "other")
    found = conclusion([*rows, run("dead", dead, retrieval=ScorePolicy(min_similarity=0.9), planned=60)])
    assert (found.number, found.name) == (0, None)
    assert said in found.reason
    assert [step.code for step in found.next_steps] == ["retry_failed" if state else "resume"]


def test_one_open_question_of_a_few_is_singular():
    base, other = sweep(base=noisy(0.4, 5), other=noisy(0.6, 5, seed=2))
    waiting = replace(other.questions[0], state="pending", scores=None)
    found = conclusion([base, other.model_copy(update={"questions": (waiting, *other.questions[1:])})])
    assert (
        found.reason
        == "1 of 5 questions is unfinished with other. A verdict needs 20 questions, and only 5 are planned."
    )
    with reading("bg"):
        assert shown(found.reason).startswith("1 от 5 въпроса не е приключен при other.")


def test_a_missing_verdict_names_the_configuration_that_lacks_most():
    base, other = sweep(base=noisy(0.4), other=noisy(0.5, seed=3))
    failed = [replace(item, state="failed", scores=None) for item in base.questions[:24]]
    found = conclusion([base.model_copy(update={"questions": (*failed, *base.questions[24:])}), other])
    assert found.reason == "24 of 60 questions failed with base."
    few = conclusion(sweep(base=noisy(0.4, 12), other=noisy(0.5, 12, seed=3)))
    assert few.reason == "Only 12 questions can be compared, and a verdict needs 20."
    # Where no heading stands above it, as in a terminal, the sentence names what it is the reason of.
    assert few.headed == dict(few.lines)["verdict"].text == f"No verdict yet. {few.reason}"


def test_a_small_sweep_that_was_stopped_lacks_questions_and_is_not_said_to_compare_none():
    base, other = sweep(base=noisy(0.4, 12), other=noisy(0.5, 12, seed=3))
    begun = other.model_copy(update={"questions": other.questions[:5], "planned": 12})
    found = conclusion([base, begun, run("new", [], retrieval=ScorePolicy(min_similarity=0.9), planned=12)])
    assert found.reason == (
        "12 of 12 questions are unfinished with new. A verdict needs 20 questions, and only 12 are planned."
    )
    assert {number.name: number.value for number in found.numbers}["planned"] == 12


def without_vectors(rows: list[RunRows], n: int) -> list[RunRows]:
    """The same, but the encoder does not know the script of the first `n` questions."""
    unknown = scores(0.5, **{"Bert-Score.f1": "unknown_script"})
    lost = [question(number, None, scored=unknown) for number in range(n)]
    return [each.model_copy(update={"questions": (*lost, *each.questions[n:])}) for each in rows]


def test_more_questions_are_no_way_out_where_the_encoder_does_not_know_their_script():
    found = conclusion(without_vectors(sweep(base=noisy(0.4), other=noisy(0.5, seed=3)), 45))
    assert found.reason == "Only 15 questions can be compared, and a verdict needs 20."
    (step,) = found.next_steps
    assert (step.code, step.run_ids) == ("other_encoder", ())
    assert step.text == "Use a multilingual encoder (PASSER_ENCODER) for 45 questions in other scripts"


def test_more_questions_allow_for_the_share_that_cannot_be_compared():
    rows = sweep(base=noisy(0.4, 12), other=noisy(0.5, 12, seed=3))
    (step,) = conclusion(rows).next_steps
    assert (step.code, step.questions) == ("more_questions", 20)
    # Of 12 questions 3 have no value, so of 27 there will be about 20 that have one.
    lost = [question(n, None, scored=scores(0.5, METEOR="too_long")) for n in range(3)]
    fewer = [each.model_copy(update={"questions": (*lost, *each.questions[3:])}) for each in rows]
    (step,) = conclusion(fewer).next_steps
    assert (step.code, step.questions, step.text) == ("more_questions", 27, "Run 27 questions")


OUTCOMES = re.compile(r"\b(better|worse|as good|as_good|broad|narrow)\b|\*")


def clear_gain(n: int) -> list[RunRows]:
    """CPS rises by .2 with a standard deviation of .07: t is near 10 with 12 questions."""
    return sweep(base=noisy(0.4, n), other=noisy(0.6, n, seed=2))


@pytest.mark.parametrize("lacks", ["questions", "answers"])
def test_nothing_that_a_reader_sees_names_an_outcome_where_nothing_is_decided(lacks: str, capsys):
    rows = clear_gain(12 if lacks == "questions" else 60)
    if lacks == "answers":
        base, other = rows
        failed = [replace(item, state="failed", scores=None) for item in other.questions[:7]]
        rows = [base, other.model_copy(update={"questions": (*failed, *other.questions[7:])})]
    found = analyse(rows)
    assert found.verdict.conclusions[0].number == 0
    test = by_name(found)["other"].comparison
    # The figures stay: what they decide is left to the verdict.
    assert test.judged.low > 0
    assert test.judged.p < 0.01
    assert (test.judged.outcome, test.stars) == ("undecided", "")
    assert test.judged.reason == ("too_few" if lacks == "questions" else None)
    tables = {**tables_of_sweep(found, None, questions=60), "first page": compared_configurations(found)}
    cells = [str(cell) for table in tables.values() for row in table.rows for cell in row]
    assert "undecided" in cells
    assert [cell for cell in cells if OUTCOMES.search(cell)] == []
    drawn = [row for figure in figures_of(study_of_sweep(found)) for series in figure.series for row in series.rows]
    assert drawn
    assert not any(row.mark for row in drawn)
    stored = SimpleNamespace(id="s1", sweep=SimpleNamespace(config=SimpleNamespace(dataset="farm")))
    print_analysis(found, stored)
    assert OUTCOMES.search(capsys.readouterr().out) is None


def test_a_bundle_records_the_outcomes_that_follow_from_its_values():
    content = VerdictSource("s", "0" * 64, clear_gain(12), (), VerdictRule()).content(lambda _: None)
    assert [(each.outcome, each.reason) for each in content.gains] == [("better", None)]
    assert content.conclusions[0].kind == "no_verdict"


def test_groups_are_named_with_a_verdict_only():
    questions = [Question(id=f"q{n}", text="?", reference="!", group="even" if n % 2 else "odd") for n in range(60)]
    rows = clear_gain(60)
    (whole,) = analyse(rows, questions=questions).verdict.conclusions
    assert {each.gain.outcome for each in whole.slices if each.grouping == "group"} == {"better"}
    lost = [replace(item, state="failed", scores=None) for item in rows[1].questions[:7]]
    rows = [rows[0], rows[1].model_copy(update={"questions": (*lost, *rows[1].questions[7:])})]
    (found,) = analyse(rows, questions=questions).verdict.conclusions
    assert {each.gain.outcome for each in found.slices if each.grouping == "group"} == {"undecided"}


def test_more_questions_are_not_offered_where_none_of_enough_has_a_value():
    lacking = [question(place, None, scored=scores(0.5, BLEU="not_requested")) for place in range(60)]
    base, other = sweep(base=noisy(0.5), other=noisy(0.6, seed=2))
    runs = [base, other.model_copy(update={"questions": tuple(lacking)})]
    (found,) = analyse(runs, SweepChoices(panel="text-1", missing="drop")).verdict.conclusions
    assert (found.number, found.verdict.missing) == (0, ("too_few_pairs",))
    assert found.next_steps == ()
    # "A change from 0 to 1 in less than one of 0 questions" says nothing.
    assert found.margin is not None
    assert found.margin.line.text == "The margin is 2 points."
