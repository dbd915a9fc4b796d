"""Imports games from a table: columns qid, a, b, winner, or the file of RAGElo's program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from passer.domain.arena.game import Game, How, Shown, Verdict, decided
from passer.domain.arena.tournament import Entrant
from passer.domain.base import storable
from passer.domain.texts.damage import visible
from passer.domain.texts.words import composed
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import TableContent, TableReader, rows_of

_QUESTION, _WINNER = ("qid", "question_id", "query_id"), ("winner", "relevance", "answer")
_PLAIN, _RAGELO = ("a", "b"), ("agent_a", "agent_b")
_LETTERS: dict[str, Verdict] = {"A": "first", "B": "second", "C": "tie"}


@dataclass(frozen=True)
class Imported:
    """Games and systems of an imported file."""

    entrants: tuple[Entrant, ...]
    games: tuple[Game, ...]


@dataclass(frozen=True)
class _Row:
    number: int
    question: str
    first: str
    second: str
    verdict: Verdict


@dataclass(frozen=True)
class GameImport:
    """Reads files of games; the whole file is refused with the first row that cannot be read."""

    readers: Sequence[TableReader]

    def load(self, content: TableContent, filename: str) -> Imported:
        """Return the games of a file. InputError names the row and what is wrong with it."""
        # Below the header of a table; the objects of JSON are counted as everywhere.
        first = 1 if filename.lower().endswith((".json", ".jsonl")) else 2
        table = [(number, row) for number, row in enumerate(rows_of(self.readers, content, filename), first) if row]
        if not table:
            raise InputError(sentence("arena.empty-file"), field="file")
        columns = [name for name in table[0][1] if name]
        is_ragelo = set(_RAGELO) <= set(columns)
        a, b = _RAGELO if is_ragelo else _PLAIN
        question, winner = _column(columns, _QUESTION), _column(columns, _WINNER)
        if question is None or winner is None or a not in columns or b not in columns:
            raise InputError(sentence("arena.columns", found=", ".join(columns)), field="file")
        rows = [_row(number, row, (question, a, b, winner)) for number, row in table]
        names = sorted({name for row in rows for name in (row.first, row.second)})
        entrants = tuple(Entrant(id=name, name=name) for name in names)
        # RAGElo shows answer a first, and asks each pair in one order or both; a plain table has no order.
        return Imported(entrants, tuple(_games(rows, has_orders=is_ragelo)))


def _row(number: int, row: Mapping[str, Any], columns: tuple[str, str, str, str]) -> _Row:
    for name in columns:
        if not _is_name(row.get(name)):
            raise InputError(sentence("arena.row-no-text", row=number, column=name), field="file")
    question, first, second, winner = (_text(row.get(name)) for name in columns)
    if not (question and first and second):
        raise InputError(sentence("arena.row-incomplete", row=number), field="file")
    if first == second:
        raise InputError(sentence("arena.row-same", row=number, system=first), field="file")
    if max(len(question) // 2, len(first), len(second)) > 100:
        raise InputError(sentence("arena.row-long", row=number), field="file")
    verdict = _LETTERS.get(winner.strip("[]").upper())
    if verdict is None:
        raise InputError(sentence("arena.row-winner", row=number, winner=winner[:40]), field="file")
    return _Row(number, question, first, second, verdict)


def _is_name(value: Any) -> bool:
    """Return whether a cell may name a question, a system or a winner; no database holds NULs and half characters."""
    if isinstance(value, str):
        return storable(value) == value
    return not isinstance(value, dict | list | bool) and str(value) not in ("nan", "inf", "-inf")


def _text(value: Any) -> str:
    # Questions that are numbered from 0 have an id. What nobody sees makes no other system, as in files of answers.
    return "" if value is None else composed(visible(str(value))).strip()


def _games(rows: Sequence[_Row], *, has_orders: bool) -> list[Game]:
    grouped: dict[tuple[str, str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        one, other = sorted((row.first, row.second))
        same = grouped[row.question, one, other]
        if any(not has_orders or each.first == row.first for each in same):
            raise InputError(
                sentence("arena.row-repeated", row=row.number, question=row.question, a=one, b=other), field="file"
            )
        same.append(row)
    return [_game(key, showings, has_orders) for key, showings in grouped.items()]


def _game(key: tuple[str, str, str], showings: Sequence[_Row], has_orders: bool) -> Game:
    question, a, b = key
    verdicts = tuple(Shown(first="a" if row.first == a else "b", verdict=row.verdict) for row in showings)
    how: How
    if has_orders:
        result = decided(verdicts)
        outcome, how = result.outcome, result.how
    else:
        outcome, how = verdicts[0].outcome, "given"
    kept = verdicts if has_orders else ()
    return Game(question_id=question, a=a, b=b, outcome=outcome, how=how, source="import", verdicts=kept)


def _column(columns: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in columns), None)
