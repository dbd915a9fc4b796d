"""Translates the messages of verifiers.

Verifiers return English text, which people compare between programs and machines. The translation is looked up by that
text: the templates of a catalogue name the variable parts, `{n} files.` for "3 files."
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated

from pydantic import PlainSerializer

from passer.domain.wording.catalogue import Language, verifications
from passer.domain.wording.icu import formatted
from passer.domain.wording.sentence import reader

_PLACE = re.compile(r"\{(\w+)\}")
_COUNTS = frozenset({"n", "more"})
"""Parts that are whole numbers."""


def translated(text: str, language: Language) -> str:
    """Return the message of a verifier in a language; a text or a part without a translation stays English."""
    if language == "en":
        return text
    known = verifications(language)
    if text in known:
        return known[text]
    for pattern, template in _patterns(language):
        if found := pattern.fullmatch(text):
            values = {name: translated(value, language) for name, value in found.groupdict().items()}
            return formatted(template, values, language)
    return text


@cache
def _patterns(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the templates with variable parts, those with most text first, because they are the most specific."""
    templates = [each for each in verifications(language).items() if _PLACE.search(each[0])]
    templates.sort(key=lambda each: len(_PLACE.sub("", each[0])), reverse=True)
    return tuple((re.compile(_expression(english), re.DOTALL), other) for english, other in templates)


def _expression(english: str) -> str:
    parts = _PLACE.split(english)
    kinds = {name: "[0-9,]+" if name in _COUNTS else ".+?" for name in parts[1::2]}
    return "".join(f"(?P<{part}>{kinds[part]})" if place % 2 else re.escape(part) for place, part in enumerate(parts))


VerifierText = Annotated[
    str, PlainSerializer(lambda text: translated(text, reader()), return_type=str, when_used="json")
]
"""A sentence of a verifier: English inside, in the reader's language in JSON."""
