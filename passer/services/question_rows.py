"""Rows of a question file to Questions, every problem kept with its row."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from passer.domain.dataset import GoldPassage, Question
from passer.errors import Problem

NO_COLUMN = ""
"""Under this key a reader keeps what stands in no named column."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_GOLD = TypeAdapter(tuple[GoldPassage, ...])


def _is_storable(text: str) -> bool:
    """Whether a text has a UTF-8 form that every database takes: no lone surrogate, no NUL."""
    return "\0" not in text and (text.isascii() or text.encode("utf-8", "ignore").decode() == text)


class QuestionRows:
    """Reads rows one by one; keeps the good ones, and what is wrong with the others."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = columns
        self.questions: list[Question] = []
        self.problems: list[Problem] = []
        self._first_row: dict[str, int] = {}
        self._languages: Counter[str] = Counter()
        self._trimmed: Counter[str] = Counter()

    def add(self, number: int, row: Mapping[str, Any]) -> None:
        """One row; every problem of it is kept."""
        known = len(self.problems)
        if NO_COLUMN in row:
            self._problem(
                number, None, "It holds more cells than the header names: quote text that holds the separator."
            )
        text, reference, tag = (self._text(number, row, name) for name in ("question", "reference", "language"))
        identity = self._text(number, row, "id") or ("" if "id" in self._columns else f"q-{number:04d}")
        gold = self._gold(number, row)
        if len(self.problems) == known:
            self._check(number, identity=identity, text=text)
        if len(self.problems) == known:
            self._languages[tag] += 1
            self.questions.append(Question(id=identity, text=text, reference=reference, gold_passages=gold))

    def _problem(self, number: int, name: str | None, message: str) -> None:
        self.problems.append(Problem(message, row=number, field=self._columns.get(name) if name else None))

    def _text(self, number: int, row: Mapping[str, Any], name: str) -> str:
        """A trimmed text, or ""; numbers are taken as they are written."""
        value = row.get(self._columns.get(name, NO_COLUMN)) if name in self._columns else None
        if value is None:
            return ""
        if isinstance(value, float) and not math.isfinite(value):
            self._problem(number, name, f"The {name} is {value}, which is not a value: write it or leave it empty.")
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self._problem(number, name, f"The {name} must be text, not {type(value).__name__}.")
            return ""
        text = str(value)
        trimmed = text.strip()
        if not _is_storable(trimmed):
            self._problem(number, name, f"The {name} holds a character that is no text: delete it.")
            return ""
        if trimmed.lower() == "nan":
            self._problem(number, name, f"The {name} is {trimmed}, which is not a value: write it or leave it empty.")
        self._trimmed[name] += trimmed != text
        return trimmed

    def _gold(self, number: int, row: Mapping[str, Any]) -> tuple[GoldPassage, ...]:
        """A list, or its JSON in a cell."""
        value = row.get(self._columns["gold_passages"]) if "gold_passages" in self._columns else None
        if value is None or (isinstance(value, str) and not value.strip()):
            return ()
        try:
            gold = _GOLD.validate_python(json.loads(value) if isinstance(value, str) else value)
        except (ValidationError, ValueError, RecursionError):
            self._problem(
                number, "gold_passages", 'The gold passages must be a list like [{"document": "...", "quote": "..."}].'
            )
            return ()
        if not all(_is_storable(item.document + item.quote) for item in gold):
            self._problem(number, "gold_passages", "The gold passages hold a character that is no text: delete it.")
        return gold

    def _check(self, number: int, *, identity: str, text: str) -> None:
        """What can be said of a row whose cells are readable."""
        if not text:
            self._problem(number, "question", "The question is blank: write it or delete the row.")
        if not identity:
            self._problem(number, "id", "The id is blank: write it, or ignore the column to have ids made.")
        elif len(identity) > 200:
            self._problem(number, "id", "The id is longer than 200 characters: shorten it.")
        elif self._first_row.setdefault(identity, number) != number:
            first = self._first_row[identity]
            self._problem(number, "id", f"The id {identity!r} stands in row {first} already: ids must be unique.")

    def language(self, given: str | None) -> tuple[str, list[str]]:
        """The dataset's one language, and what to tell about it; a problem where there are two."""
        tags = sorted(tag for tag in self._languages if tag)
        if given is None and len(tags) > 1:
            self.problems.append(
                Problem(f"The file mixes the languages {', '.join(tags)}: make one dataset of each.", field="language")
            )
        tag = given or (tags[0] if tags else "en")
        if not _LANGUAGE.fullmatch(tag):
            self.problems.append(Problem(f"{tag!r} is no language: give a tag such as en or bg.", field="language"))
            return "en", []
        if given is not None and tags not in ([], [given]):
            return tag, [f"The language is taken as {given}, as asked; the file says {', '.join(tags)}."]
        return tag, [] if given or tags else ["The language is taken as en, because nothing says otherwise."]

    def notes(self) -> list[str]:
        """What was done to the rows, in words."""
        notes = [
            f"White space around the text was removed in {count} rows of {self._columns[name]!r}."
            for name, count in self._trimmed.items()
            if count
        ]
        if "id" not in self._columns:
            notes.append("Ids were made from the row numbers (q-0001, ...), because no column holds them.")
        without = sum(1 for question in self.questions if not question.reference)
        if without:
            notes.append(f"{without} questions have no reference: they are asked, but get no scores.")
        repeated = sum(n - 1 for n in Counter(question.text for question in self.questions).values())
        if repeated:
            notes.append(f"{repeated} questions repeat the text of an earlier one.")
        return notes
