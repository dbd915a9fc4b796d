"""The language of a question file: chosen, stated by its rows, that of the dataset it adds to, or recognised."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from babel import Locale
from babel.core import get_global
from babel.localedata import locale_identifiers

from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import Problem

Recognise = Callable[[Sequence[str]], str | None]
"""Returns the code of the language that texts are written in; None if it is not clear."""
_MOST_ROWS, _FEW_OTHERS = 60, 0.1
"""Rows whose languages are recognised, and the share of others among them that is mentioned."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class FoundLanguage:
    """The language of a file, and what a person should know about it."""

    tag: str
    """BCP 47 tag."""
    notes: tuple[str, ...] = ()
    """How it was found, unless it was chosen or stated; one sentence each."""
    problems: tuple[Problem, ...] = ()
    """Reasons not to import the file."""


def language_of_rows(
    stated: Collection[str], *, given: str | None, base: str | None, recognise: Callable[[], str | None]
) -> FoundLanguage:
    """Return the language of a file whose rows state the tags `stated`; "" is of a row that states none.

    Names of languages and codes of three letters count as tags: *German*, *Deutsch* and *deu* are de. `given` was
    chosen, `base` is that of the dataset that the rows are added to. `recognise` is called only if there is
    none of these, because it loads a model; "en" if it returns None (docs/decisions/023-language-of-a-dataset.md).
    Problems are two stated tags, a tag that is none, and another language than that of `base`.
    """
    tags = sorted({tag_of(each) for each in stated if each})
    given = given and tag_of(given)
    problems: list[Problem] = []
    if given is None and len(tags) > 1:
        problems.append(Problem(sentence("dataset.languages", languages=", ".join(tags)), field="language"))
    tag, notes = given or (tags[0] if tags else base), []
    if tag is None:
        tag = recognise()
        notes = [sentence("dataset.language-recognised", language=tag) if tag else sentence("dataset.language-default")]
        tag = tag or "en"
    elif given is not None and tags not in ([], [given]):
        notes = [sentence("dataset.language-chosen", language=given, stated=tuple(tags))]
    if not _LANGUAGE.fullmatch(tag):
        problems.append(Problem(sentence("dataset.language-tag", tag=tag[:40]), field="language"))
        return FoundLanguage("en", problems=tuple(problems))
    if base is not None and tag != base:
        said = sentence("dataset.other-language", language=tag, own=base)
        problems.append(Problem(said, field="language"))
    return FoundLanguage(tag, tuple(notes), tuple(problems))


def other_languages(rows: Sequence[str], tag: str, recognise: Recognise) -> list[Sentence]:
    """Return a note if many rows of a file, whose language was recognised, are not in it; an empty list otherwise.

    English rows are told apart from all others, because METEOR has stems and synonyms for English alone. The other
    languages are not told apart from each other: a single sentence may be Croatian, Bosnian or Serbian.
    """
    sample = rows[:: max(1, ceil(len(rows) / _MOST_ROWS))]
    found = [recognise([row]) for row in sample]
    others = [each for each in found if each is not None and (each == "en") != (tag == "en")]
    if len(others) < max(2, _FEW_OTHERS * len(sample)):
        return []
    languages = tuple(sorted(set(others)))
    return [sentence("dataset.language-mixed", language=tag, n=len(others), of=len(sample), languages=languages)]


def tag_of(stated: str) -> str:
    """Return the BCP 47 tag of a language stated as a name or code; what is neither is returned as it is."""
    primary, dash, rest = stated.partition("-")
    if len(primary) == 3:
        return str(get_global("language_aliases").get(primary.casefold(), primary)) + dash + rest
    return stated if len(primary) < 3 else _codes().get(stated.casefold(), stated)


@cache
def _codes() -> dict[str, str]:
    """Codes by case-folded names of the languages, in English and in the language itself."""
    english = Locale("en").languages
    own = {code: Locale(code).language_name for code in locale_identifiers() if code in english}
    return {name.casefold(): code for names in (own, english) for code, name in names.items() if name}
