"""Versions of verdict.json: which one is written now, and which ones were before."""

from __future__ import annotations

from typing import Literal

from passer.domain.verdict.verdict import Cost

Format = Literal[
    "passer-verdict-1",
    "passer-verdict-2",
    "passer-verdict-3",
    "passer-verdict-4",
    "passer-verdict-5",
    "passer-verdict-6",
    "passer-verdict-7",
    "passer-verdict-8",
]
CURRENT: Format = "passer-verdict-4"
"""Version of a verdict whose cost is tokens of prompts. Earlier versions can always be verified: 3 had `judged`, 2 had
`weights` and no judge, 1 had neither."""

CHOSEN_COST: Format = "passer-verdict-5"
"""Written where the sweep chose what its cost is measured by: verifiers of version 4 expect tokens of prompts."""

WITH_REPLIES: Format = "passer-verdict-6"
"""Written where a judged column is the primary metric, with digests of prompts and replies and all marks. Before, such
documents had the version of their cost."""

WITH_RATINGS: Format = "passer-verdict-7"
"""Written where ratings of people correct the gains of a judged column. Before, such verdicts were not stated."""

WITH_ONE_AMOUNT: Format = "passer-verdict-8"
"""Written where a gain has the reason `one_amount`. Before, such a gain belonged to the family, whose intervals could
then be unbounded. Other documents keep their version: both rules give the same result, and older verifiers can read
them."""

OLD_RANK: frozenset[Format] = frozenset({"passer-verdict-1", "passer-verdict-2", "passer-verdict-3"})
"""Versions whose upper ends have the rank of earlier programs."""


def format_of(cost: Cost, *, is_judged: bool = False, is_rated: bool = False, has_one_amount: bool = False) -> Format:
    """Return the version that is written now: by what cost is, whether a judge decides, and whether people rated.

    `has_one_amount` is whether a gain has the reason `one_amount`.
    """
    if has_one_amount:
        return WITH_ONE_AMOUNT
    if is_judged:
        return WITH_RATINGS if is_rated else WITH_REPLIES
    return CURRENT if cost == "prompt_tokens" else CHOSEN_COST


def old_format(*, is_judged: bool, is_weighted: bool) -> Format:
    """Return the version before 4 of a verdict."""
    if is_judged:
        return "passer-verdict-3"
    return "passer-verdict-2" if is_weighted else "passer-verdict-1"
