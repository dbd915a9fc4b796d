"""Usual abstentions in the languages of prompts, read from `abstentions.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from passer.domain.base import Frozen

_PART = re.compile(r"\{([a-z]+)\}")
"""Name of a part; repetitions such as `{0,8}` are none."""


class Phrases(Frozen):
    """Patterns of one language, for casefolded text (`ß` is `ss`) with single spaces."""

    apology: str
    """Apology that may come first; a "but" after it is no contrast."""
    according: str
    """Reference to the passages that may come next: "based on the context"."""
    forms: tuple[str, ...]
    """Beginnings of abstentions."""
    contrast: str
    """Words after which a reply continues with an answer."""
    then: str = ""
    """Words that lead from an abstention to a remark: "therefore"."""
    about: str = ""
    """Beginnings of words with which a sentence is about passages and answers, not about what was asked. Empty where
    they are not known: whatever follows an abstention is then a part of it."""
    remarks: tuple[str, ...] = ()
    """Beginnings of other sentences that answer nothing: what *they* are about, what is missing, advice."""


@cache
def phrases() -> Mapping[str, Phrases]:
    """Return the phrases by language, in the order in which they are tried."""
    languages = tomllib.loads(resources.files(__package__).joinpath("abstentions.toml").read_text(encoding="utf-8"))
    common = languages.pop("parts")
    return {language: _phrases_of(given, common | given.pop("parts")) for language, given in languages.items()}


def _phrases_of(given: Mapping[str, Any], parts: Mapping[str, str]) -> Phrases:
    according = _filled(given["according"], parts)
    return Phrases.model_validate(_filled(given, {**parts, "according": according}))


def _filled(given: Any, parts: Mapping[str, str]) -> Any:
    """Return patterns with the parts that they name."""
    if isinstance(given, dict):
        return {name: _filled(value, parts) for name, value in given.items()}
    if isinstance(given, list):
        return tuple(_filled(value, parts) for value in given)
    return _PART.sub(lambda found: parts[found[1]], given)
