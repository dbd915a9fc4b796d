"""Losses that a sample of questions may not contain, because they are rare.

If 3 % of the questions lose .8, a sample of 30 contains none of them in two cases of five. Its interval is then short,
and no interval that is computed from the sample can know better. docs/decisions/018 has the figures.
"""

from __future__ import annotations

import math

LEVEL = 0.05
"""Error of the bound on the share of questions of which a sample contains none."""


def unobserved_share(n: int) -> float:
    """Return the largest share of all questions of which a sample of n contains none with probability LEVEL.

    1 - LEVEL^(1/n), at .05 about 3/n (Clopper and Pearson 1934; Hanley and Lippman-Hand 1983, "If nothing goes wrong,
    is everything all right?").
    """
    return float(1 - LEVEL ** (1 / n))


def questions_to_exclude(loss: float, *, score: float = 1.0, alpha: float = LEVEL) -> int:
    """Return the number of questions that exclude a larger mean loss by unseen questions that lose `score` each."""
    if loss >= score:
        return 1
    # log1p, because 1 minus a tiny loss rounds to 1.
    return max(1, math.ceil(math.log(alpha) / math.log1p(-loss / score)))
