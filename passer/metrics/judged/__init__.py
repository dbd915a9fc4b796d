"""Judged metrics: recipes that ask a judge, one family per file of this folder. Importing a family registers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

from passer.domain.judging.criteria import CRITERIA, is_criteria
from passer.domain.judging.item import Item
from passer.domain.judging.measured_task import MeasuredTask
from passer.domain.judging.tuned_task import TunedTask
from passer.domain.retrieval.passages import Passage
from passer.domain.score import MetricInfo
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.registry import RecipeFamily, infos, recipe_families

FAMILIES = tuple(import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__))
"""The modules of this folder, by name: a new file registers its columns without being listed."""


def families_of(
    columns: Sequence[str], *, field: str = "columns", tuned: TunedTask | None = None
) -> tuple[RecipeFamily, ...]:
    """Return the families that make these columns, in order of registration; InputError names an unknown column.

    A tuned task takes the place of the task of its column; InputError if none of the columns can use it.
    """
    for column in columns:
        info_of(column, field=field)
    wanted = set(columns)
    found = [family for family in recipe_families() if wanted & set(family.columns)]
    # Each list of criteria is a separate column; all are of one family.
    for column in (each for each in columns if is_criteria(each) and each != CRITERIA):
        family = next(family for family in recipe_families() if CRITERIA in family.columns)
        found.append(replace(family, infos=(info_of(column),)))
    return tuple(found) if tuned is None else _tuned(found, tuned)


def _tuned(families: Sequence[RecipeFamily], tuned: TunedTask) -> tuple[RecipeFamily, ...]:
    if not any(tuned.column in family.columns for family in families):
        raise InputError(sentence("tuning.other-column", column=tuned.column), field="tuned")
    return tuple(
        replace(family, tasks=tuple(tuned.applied(task) for task in family.tasks))
        if tuned.column in family.columns else family
        for family in families
    )  # fmt: skip


def info_of(column: str, *, field: str = "columns") -> MetricInfo:
    """Return the description of a judged column; InputError for an unknown one."""
    name = CRITERIA if is_criteria(column) else column
    info = next((info for info in infos("judged") if info.name == name), None)
    if info is None:
        raise InputError(sentence("judging.no-column", column=column), field=field)
    return info.model_copy(update={"name": column})


def only_measures(families: Sequence[RecipeFamily]) -> bool:
    """Return whether the columns only use log probabilities of a model, without any judgement of it."""
    return all(isinstance(task, MeasuredTask) for family in families for task in family.tasks)


def reads_answers(column: str) -> bool:
    """Return whether a column is about the answer: those about questions and passages judge an empty one as well."""
    (family,) = families_of((column,))
    passage = Passage(id="p", document="", number=0, text="Text.", start=0, end=5)
    item = Item(question_id="q", question="Why?", reference="So.", answer="", passages=(passage,), cites=True)
    recipe = family.make(item)
    try:
        next(recipe)
    except StopIteration as ended:
        return any(finding.reason == "empty_answer" for finding in ended.value)
    recipe.close()
    return False


def decides(column: str) -> bool:
    """Return whether a judged column can be the primary metric.

    Those that explain are better when they are lower, the share of vital nuggets is that of the questions, and who
    always attempts an answer is not better for it.
    """
    from passer.metrics.judged.grades import ATTEMPTED
    from passer.metrics.judged.nuggets import VITAL_SHARE

    return column not in (CRITERIA, VITAL_SHARE, ATTEMPTED) and info_of(column).higher_is_better


def check_decides(column: str, *, field: str) -> None:
    """Raise InputError, naming the field, for a column that is unknown, or that explains: lower is better there."""
    families_of((column,), field=field)
    if not decides(column):
        raise InputError(sentence("judging.explains", column=column), field=field)
