"""Scores without a home's services: `passer.score`, and scoring recorded texts again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from passer.bootstrap import build_services
from passer.domain.score import ScoreTable, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.metrics import MetricScorer
from passer.settings import Settings


def score(
    *,
    references: Sequence[str],
    answers: Sequence[str],
    ids: Sequence[str] | None = None,
    profile: VectorProfile = "standard",
    columns: Sequence[str] | None = None,
    language: str = ENGLISH,
) -> ScoreTable:
    """Scores of answers against their references, row by row; InputError if the lengths differ.

    Columns are the 24 in vector order unless some are named; a place without a value has its reason in the table.
    `language` is a BCP 47 tag: METEOR uses stems and synonyms only for English.
    """
    return own_scorer().score_table(
        references=references, answers=answers, ids=ids, profile=profile, columns=columns, language=language
    )


@cache
def own_scorer() -> MetricScorer:
    """Return a scorer whose encoder all calls of `passer.score` in a process share."""
    return build_services(Settings.of_environment()).pipeline.scorer
