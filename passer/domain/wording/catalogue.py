"""Messages by language: one catalogue per language, English first, in the package.

A language may translate only some of them; `sentence.text_of` returns the others in English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal, get_args

Language = Literal["en", "bg"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Return the messages of a language by code, in ICU's syntax."""
    return _texts(f"{language}.json")


@cache
def descriptions(language: Language) -> Mapping[str, str]:
    """Return translations of descriptions that are written in the code, by the English text."""
    return {} if language == "en" else _texts(f"metrics_{language}.json")


@cache
def verifications(language: Language) -> Mapping[str, str]:
    """Return translations of the messages of verifiers, by the English text; variable parts are named in braces."""
    return {} if language == "en" else _texts(f"verification_{language}.json")


def _texts(name: str) -> Mapping[str, str]:
    file = resources.files(__package__).joinpath(name)
    found: Mapping[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found
