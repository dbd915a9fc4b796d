"""Judged metrics: recipes that ask a judge, one family per file. Importing a family registers it."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged import (
    aspects,
    citations,
    context,
    diagnosis,
    facts,
    failure_labels,
    faithful_facts,
    faithfulness,
    grades,
    nuggets,
    relevance,
    relevancy,
)
from passer.metrics.registry import RecipeFamily, infos, recipe_families

FAMILIES = (
    grades, faithfulness, relevancy, context, aspects, nuggets, faithful_facts, facts, relevance, diagnosis, citations,
    failure_labels,
)  # fmt: skip
"""Importing a family registers it."""


def families_of(columns: Sequence[str], *, field: str = "columns") -> tuple[RecipeFamily, ...]:
    """Return the families that make these columns, in order of registration; InputError names an unknown column."""
    known = {info.name for info in infos("judged")}
    for column in columns:
        if column not in known:
            raise InputError(sentence("judging.no-column", column=column), field=field)
    wanted = set(columns)
    return tuple(family for family in recipe_families("judged") if wanted & set(family.columns))


def decides(column: str) -> bool:
    """Return whether a judged column can be the primary metric: those that explain are better when they are lower."""
    return next(info.higher_is_better for info in infos("judged") if info.name == column)


def check_decides(column: str, *, field: str) -> None:
    """Raise InputError, naming the field, for a column that is unknown, or that explains: lower is better there."""
    families_of((column,), field=field)
    if not decides(column):
        raise InputError(sentence("judging.explains", column=column), field=field)
