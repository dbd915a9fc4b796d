"""Names of configurations in the reader's language.

Runs are named in English when a sweep is created (`sweeps.run_names`), and the names never change, because manifests
contain them. They consist of parts between commas: `mistral:7b, Similarity ≥ 0.50, Dense`. Where a name is shown, the
parts that are words of the catalogue become those of the reader; names of models and prompts stay.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from passer.domain.wording.catalogue import Language, catalogue
from passer.domain.wording.icu import formatted, localised

CUTS = (
    "name.score",
    "name.relative",
    "name.published-score",
    "name.gap",
    "name.normal",
    "name.none",
    "name.end-temperature",
)
"""Parts by which a name is recognised: every run has one, except those of systems outside.

The last one ends the label of a model that has several settings: `m (default, temperature 0.2)`.
"""
_OTHERS = ("name.temperature", "name.mid-temperature", "retriever.dense")
_LONGEST = 300
_BETWEEN = ", "
_COMMA = re.compile(r"(?<=\d),(?=\d)")


@lru_cache(maxsize=4096)
def named(text: str, language: Language) -> str:
    """Return the name of a configuration in a language; any other text as it is."""
    parts = text.split(_BETWEEN)
    if language == "en" or len(text) > _LONGEST or not any(_said(part, CUTS, language) for part in parts):
        return text
    return _BETWEEN.join(_said(part, (*CUTS, *_OTHERS), language) or part for part in parts)


def as_named(text: str, language: Language) -> str:
    """Return a text that a reader searches for as names are stored: `сходство ≥ 0,5` as `similarity ≥ 0.5`."""
    if language == "en":
        return text
    for code in (*CUTS, *_OTHERS):
        said, stored = (catalogue(each)[code].partition("{")[0].strip().lower() for each in (language, "en"))
        text = text.replace(said, stored)
    return _COMMA.sub(".", text)


def _said(part: str, codes: tuple[str, ...], language: Language) -> str | None:
    for code in codes:
        if found := _pattern(code).fullmatch(part):
            values = {name: localised(value, language) for name, value in found.groupdict().items()}
            return formatted(catalogue(language)[code], values, language)
    return None


@cache
def _pattern(code: str) -> re.Pattern[str]:
    start, _, rest = catalogue("en")[code].partition("{at}")
    number = r"(?P<at>-?[\d.]+)" if "{at}" in catalogue("en")[code] else ""
    return re.compile(re.escape(start) + number + re.escape(rest))
