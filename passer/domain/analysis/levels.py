"""Levels of the factors in which configurations differ: similarity threshold, top-k, strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.wording.sentence import LocalizedText, number_sentence, sentence

Level = float | LocalizedText
"""Value of a factor: numbers are ordered, names (of a strategy, say) are not."""
Levels = Mapping[str, Level]
"""Value of each factor, by its name."""
MIN_SIMILARITY, K, RETRIEVAL, STRATEGY = "min_similarity", "k", "retrieval", "strategy"
"""Factors: similarity threshold, top-k, any other way to retrieve, how agents work together."""


def threshold_of(levels: Levels) -> float | None:
    """Return the similarity threshold; None without one."""
    level = levels.get(MIN_SIMILARITY)
    return None if level is None or isinstance(level, str) else level


def strategy_of(levels: Levels) -> str | None:
    """Return how agents work together; None without agents."""
    level = levels.get(STRATEGY)
    return level if isinstance(level, str) else None


def level_text(levels: Levels) -> str:
    """Return the levels in words: `0.6` for a similarity threshold alone, else `k = 5, fusion`."""
    if tuple(levels) == (MIN_SIMILARITY,):
        return _value(levels[MIN_SIMILARITY])
    return sentence(
        "name.parts",
        parts=tuple(
            level if isinstance(level, str) else f"{factor} = {_value(level)}" for factor, level in levels.items()
        ),
    )


def levels_text(several: Sequence[Levels]) -> str:
    """Return several levels in words, between commas; empty without any."""
    return sentence("name.parts", parts=tuple(map(level_text, several)))


def level_name(levels: Levels) -> str:
    """Return the same after its noun: `threshold 0.6`."""
    if tuple(levels) == (MIN_SIMILARITY,):
        return sentence("figure.threshold-of", threshold=levels[MIN_SIMILARITY])
    return level_text(levels)


def at_factors(levels: Levels, factors: Sequence[str]) -> dict[str, Level]:
    """Return the levels of some factors, in their order."""
    return {factor: levels[factor] for factor in factors if factor in levels}


def level_order(levels: Levels, factors: Sequence[str]) -> tuple[tuple[bool, bool, float], ...]:
    """Return a sort key: factor by factor, numbers ascending; names follow, and keep the order that they have."""
    found = [levels.get(factor) for factor in factors]
    return tuple((level is None, isinstance(level, str), level if isinstance(level, float) else 0.0) for level in found)


def is_ordered(levels: Sequence[Levels]) -> bool:
    """Return whether all are numbers of one and the same factor, so that neighbours mean something."""
    return len({tuple(item) for item in levels}) == 1 and all(
        len(item) == 1 and not isinstance(level, str) for item in levels for level in item.values()
    )


def _value(level: Level) -> str:
    return level if isinstance(level, str) else number_sentence(level)
