"""Judged metrics: recipes that ask a judge, one family per file. Importing a family registers it."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged import (
    aspects,
    context,
    diagnosis,
    facts,
    faithful_facts,
    faithfulness,
    grades,
    nuggets,
    relevance,
    relevancy,
)
from passer.metrics.registry import RecipeFamily, infos, recipe_families

FAMILIES = (grades, faithfulness, relevancy, context, aspects, nuggets, faithful_facts, facts, relevance, diagnosis)
"""Importing a family registers it."""


def families_of(columns: Sequence[str]) -> tuple[RecipeFamily, ...]:
    """Return the families that make these columns, in order of registration; InputError names an unknown column."""
    known = {info.name for info in infos("judged")}
    for column in columns:
        if column not in known:
            raise InputError(sentence("judging.no-column", column=column), field="columns")
    wanted = set(columns)
    return tuple(family for family in recipe_families("judged") if wanted & set(family.columns))


def check_decides(column: str, *, field: str) -> None:
    """Raise InputError, naming the field, if a column explains answers and so cannot decide which ones are better."""
    if column in diagnosis.EXPLAINING:
        raise InputError(sentence("judging.explains", column=column), field=field)
