"""The values that people choose from."""

from __future__ import annotations

from typing import Any

import pytest

from passer.domain.judging.marks import SCALES, scale_of
from passer.domain.judging.tuned_task import grade_form
from passer.domain.wording.catalogue import catalogue
from passer.metrics.judged import infos
from passer.metrics.registry import RecipeFamily, recipe_families


def grades_of(family: RecipeFamily) -> list[int]:
    """Return the grades of the one ask whose grade is the value of a column; none for other families."""
    schema = family.tasks[0].schema if len(family.tasks) == 1 else None
    members: Any = schema["properties"] if schema else {}
    return next((members[name]["enum"] for name in ("b_grade", "b_decision") if name in members), [])


def test_people_say_yes_or_no_exactly_where_a_judge_does() -> None:
    decided = {info.name for info in infos("judged") if info.formula.startswith("1 if ")}
    assert {"Answerability", "Answer attempted", "Failure: over-specific", "Failure: incomplete"} < decided
    assert decided == {info.name for info in infos("judged") if [value for value, _ in scale_of(info.name)] == [0, 1]}


def test_every_level_that_people_choose_from_has_a_text() -> None:
    levels = {code for info in infos("judged") for _, code in scale_of(info.name)}
    assert {f"rating.{code}" for code in levels} - set(catalogue("en")) == set()


# Passages are graded one by one, and their columns are means of grades.
GRADED = [each for each in recipe_families() if grades_of(each) and not each.columns[0].startswith("Passage relevance")]


@pytest.mark.parametrize("family", GRADED, ids=lambda family: family.columns[0])
def test_a_grade_of_the_judge_can_be_tuned_and_given_by_people(family: RecipeFamily) -> None:
    assert len(GRADED) >= 4
    [column] = family.columns
    lowest, *_, highest = grades_of(family)
    assert column in SCALES, "add the levels that people choose from to SCALES in passer/domain/judging/marks.py"
    assert all((value * (highest - lowest)).is_integer() for value, _ in scale_of(column)), "a level is no grade"
    form = grade_form(column)
    # A task is tuned by grades that are shares of the highest one.
    assert (form is not None) == (lowest == 0), "see GRADE_FORMS in passer/domain/judging/tuned_task.py"
    assert form is None or form.highest == highest
