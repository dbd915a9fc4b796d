"""What to know of answers that are read as they are: texts that may mean no answer, and spellings of other scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from passer.domain.models.outside import PASSAGES
from passer.domain.texts.damage import BesideOthers, spelling_differences
from passer.domain.wording.sentence import Sentence, sentence
from passer.services.library.listed_texts import MAYBE_NO_VALUES


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
    """Return a note if several columns have passages: those of the first are read.

    `own` has the names of columns in the file by the names under which they are read.
    """
    named = {name for _, row in rows for name in PASSAGES if row.get(name) not in (None, "", [])}
    # In a test case of DeepEval, `context` is gold.
    is_gold = any("actual_output" in row for _, row in rows)
    found = [name for name in PASSAGES if name in named and not (is_gold and name == "context")]
    used, *others = [own.get(name, name) for name in found] or [""]
    return [sentence("answers.passages-unused", used=used, n=len(others), others=tuple(others))] if others else []


def _plain(text: str) -> str:
    return text.strip().lower()
