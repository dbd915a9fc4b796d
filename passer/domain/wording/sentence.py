"""A sentence that knows what it was made of, so that a page can say it in another language."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from string import Formatter
from typing import Annotated, Any

from pydantic import BaseModel, Field, WrapValidator, computed_field, model_validator

from passer.domain.base import Frozen
from passer.domain.wording.templates import STORED, TEMPLATES

LONGEST = 1_000
"""Characters of a sentence that is read back: what is longer holds somebody else's words."""
Value = str | int | float | tuple[str, ...]
"""What stands in a sentence: a name, a number, another sentence, or several names or sentences."""


class Wording(Frozen):
    """What a sentence was made of."""

    code: str = Field(json_schema_extra={"enum": [*sorted(TEMPLATES)], "x-templates": {**TEMPLATES}})
    """Of its template; the code stays when its English is improved."""
    values: dict[str, str | int | float | Wording | tuple[str | Wording, ...]]
    """What stands in it, by the template's placeholders; a sentence within it by what that was made of."""


class Sentence(str):
    """Text like any other, with its wording beside; None where all that is known of it is the text."""

    wording: Wording | None

    def __new__(cls, text: str, wording: Wording | None = None) -> Sentence:
        """The text, and what it was made of."""
        made = super().__new__(cls, text)
        made.wording = wording
        return made


def _kept(given: object, read: Callable[[object], str]) -> str:
    return given if isinstance(given, Sentence) else Sentence(read(given))


Said = Annotated[str, WrapValidator(_kept)]
"""A string inside and out; one that knows its wording keeps it."""


def sentence(code: str, **values: Value) -> Sentence:
    """The English of a template filled in, with its wording; KeyError for an unknown code or a value that lacks."""
    text = _FORMATTER.vformat(TEMPLATES[code], (), values)
    return Sentence(text, Wording(code=code, values={name: _told(value) for name, value in values.items()}))


def _told(value: Value) -> Any:
    if isinstance(value, tuple):
        return tuple(_told(item) for item in value)
    if isinstance(value, Sentence):
        return value.wording or str(value)
    return value


class _Templates(Formatter):
    """Python's format, in which `{n:row|rows}` chooses the first word for 1, and several names stand with commas."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return one if value == 1 else many
        if isinstance(value, tuple):
            return ", ".join(value)
        return str(super().format_field(value, format_spec))


_FORMATTER = _Templates()


class Worded(Frozen):
    """A value with sentences in it, which tells of each what it was made of."""

    @model_validator(mode="before")
    @classmethod
    def _made_anew(cls, given: Any) -> Any:
        """Its own JSON is read again: wordings follow from the sentences."""
        if isinstance(given, dict) and "wordings" in given:
            return {name: value for name, value in given.items() if name != "wordings"}
        return given

    @computed_field  # type: ignore[prop-decorator]
    @property
    def wordings(self) -> dict[str, Wording]:
        """What its sentences were made of, by their English; a sentence that is not here is known in English only."""
        found = {str(said): said.wording or read_back(said) for said in _sentences(self.telling())}
        return {text: wording for text, wording in found.items() if wording is not None}

    def telling(self) -> object:
        """Where its sentences are: in all of it, unless it is large and knows better."""
        return tuple(item for _, item in self)


def _sentences(value: object) -> Iterator[Sentence]:
    """All sentences in a value, however deep."""
    if isinstance(value, Sentence):
        yield value
    elif isinstance(value, BaseModel):
        for _, item in value:
            yield from _sentences(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _sentences(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _sentences(item)


_LOOKS: dict[str, str] = {"d": r"\d+", ",": r"\d{1,3}(?:,\d{3})*", "g": r"-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?"}
"""How a number stands in a stored sentence, by its format."""
_MAY_BE_SENTENCES = frozenset({"source", "which", "why"})
"""Placeholders in which another sentence can stand; in all others a text is somebody's own, whatever it looks like."""
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
"""How a name stands that is shown in quotation marks."""


@cache
def _stored() -> list[tuple[str, re.Pattern[str], dict[str, str]]]:
    """Codes of what is kept as text, with what reads them back and the formats of their placeholders."""
    return [(code, *_reader(template)) for code, template in STORED.items()]


def _reader(template: str) -> tuple[re.Pattern[str], dict[str, str]]:
    parts: list[str] = []
    formats: dict[str, str] = {}
    for literal, name, form, conversion in _FORMATTER.parse(template):
        parts.append(re.escape(literal))
        if name is None:
            continue
        if form and "|" in form:
            parts.append(f"(?:{'|'.join(map(re.escape, form.split('|')))})")
        elif name in formats:
            parts.append(f"(?P={name})")
        else:
            formats[name] = conversion or form or ""
            parts.append(f"(?P<{name}>{_QUOTED if conversion else _LOOKS.get(form or '', '.+?')})")
    return re.compile("".join(parts), re.DOTALL), formats


def read_back(text: str) -> Wording | None:
    """What a sentence that was kept as text was made of; None where no template of those that are kept makes it."""
    if len(text) > LONGEST:
        return None
    for code, pattern, formats in _stored():
        if found := pattern.fullmatch(text):
            with suppress(ValueError):  # No number after all, of thousands of digits say.
                values = {name: _read(name, value, formats[name]) for name, value in found.groupdict().items()}
                return Wording(code=code, values=values)
    return None


def _read(name: str, text: str, form: str) -> Any:
    if form == "r":
        return _unquoted(text)
    if form == "g":
        return float(text)
    if form in _LOOKS:
        return int(text.replace(",", ""))
    return (read_back(text) if name in _MAY_BE_SENTENCES else None) or text


def _unquoted(text: str) -> str:
    try:
        return str(literal_eval(text))
    except (ValueError, SyntaxError):  # Not written by Python after all.
        return text
