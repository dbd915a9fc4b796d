"""What to know of answers that are read as they are: texts that may mean no answer, and spellings of other scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from passer.domain.models.outside import ANSWERS, PASSAGES
from passer.domain.texts.damage import BesideOthers, spelling_differences
from passer.domain.wording.sentence import Sentence, sentence
from passer.services.library.column_mapping import ALIASES, OF_OTHER_TOOLS
from passer.services.library.column_names import plain_name
from passer.services.library.listed_texts import MAYBE_NO_VALUES

_NO_PASSAGES = frozenset(
    (*ANSWERS, *OF_OTHER_TOOLS, "tags", *(name for aliases in ALIASES.values() for name in aliases))
)
"""Columns whose lists are no passages that a system retrieved."""


def answer_notes(answers: Iterable[BesideOthers]) -> list[Sentence]:
    """Return notes on answers, given with their rows and references: each once, with the number of rows and the first.

    A text such as *None* is an answer where it is the reference too.
    """
    given = list(answers)
    maybe = [
        (row, text.strip())
        for row, text, references in given
        if _plain(text) in MAYBE_NO_VALUES and _plain(text) not in map(_plain, references)
    ]
    values = tuple(dict.fromkeys(text for _, text in maybe))
    notes = [sentence("answers.maybe-empty", n=len(maybe), values=values, row=maybe[0][0])] if maybe else []
    return [*notes, *spelling_differences(given, of="answer")]


def passage_notes(rows: Sequence[tuple[int, Mapping[str, Any]]], own: Mapping[str, str]) -> list[Sentence]:
    """Return a note if several columns have passages, of which the first is read, or if only unread ones may have some.

    `own` has the names of columns in the file by the names under which they are read.
    """
    named = {name for _, row in rows for name in PASSAGES if row.get(name) not in (None, "", [])}
    # In a test case of DeepEval, `context` is gold.
    is_gold = any("actual_output" in row for _, row in rows)
    found = [name for name in PASSAGES if name in named and not (is_gold and name == "context")]
    if not found:
        names = dict.fromkeys(name for _, row in rows for name in row)
        lists = tuple(name for name in names if plain_name(name) not in _NO_PASSAGES and _has_lists(name, rows))
        return [sentence("answers.lists-unread", n=len(lists), columns=lists)] if lists else []
    used, *others = [own.get(name, name) for name in found]
    return [sentence("answers.passages-unused", used=used, n=len(others), others=tuple(others))] if others else []


def _has_lists(column: str, rows: Sequence[tuple[int, Mapping[str, Any]]]) -> bool:
    """Return whether a column has only lists, or texts that begin as one in a cell."""
    cells = [row[column] for _, row in rows if row.get(column) not in (None, "", [])]
    return bool(cells) and all(
        cell.lstrip().startswith("[") if isinstance(cell, str) else isinstance(cell, list) for cell in cells
    )


def _plain(text: str) -> str:
    return text.strip().lower()
