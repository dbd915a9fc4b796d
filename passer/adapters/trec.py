"""Rankings and relevance in the line formats of TREC: `qid Q0 docid rank score tag` and `qid 0 docid grade`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from urllib.parse import quote, unquote

from passer.errors import InputError

RUN_FIELDS, QREL_FIELDS = 6, 4


def run_lines(ranked: Mapping[str, Sequence[str]], *, tag: str) -> Iterable[str]:
    """Yield one line for each name, with 1 / rank as the score.

    trec_eval orders by score and ignores the rank, and breaks ties by name; a score that always falls keeps the order.
    """
    for question, names in ranked.items():
        for rank, name in enumerate(names, start=1):
            yield f"{_word(question)} Q0 {_word(name)} {rank} {1 / rank:.9f} {_word(tag)}\n"


def qrel_lines(grades: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    """Yield one line for each grade."""
    for question, found in grades.items():
        for name, grade in found.items():
            yield f"{_word(question)} 0 {_word(name)} {grade}\n"


def read_run(path: Path) -> tuple[str, dict[str, list[str]]]:
    """Return the tag and the names of each question, by falling score; InputError names the line."""
    scored: dict[str, dict[str, tuple[float, int]]] = {}
    tag = ""
    for number, (question, _, name, rank, score, tag) in _rows(path, RUN_FIELDS):  # noqa: B007
        found = scored.setdefault(question, {})
        if name in found:
            raise _wrong(path, number, f"{name} is listed twice for question {question}")
        found[name] = (-_number(path, number, score, "score"), int(_number(path, number, rank, "rank")))
    if not scored:
        raise InputError(
            f"{path.name} has no lines. Choose a run file with `qid Q0 docid rank score tag` in each line."
        )
    return tag, {question: sorted(names, key=names.__getitem__) for question, names in scored.items()}


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Return the grade of each name by question; InputError names the line."""
    grades: dict[str, dict[str, int]] = {}
    for number, (question, _, name, grade) in _rows(path, QREL_FIELDS):
        value = _number(path, number, grade, "grade")
        if value != int(value):
            raise _wrong(path, number, f"the grade {grade} is not a whole number")
        # Some collections use negative grades for documents that nobody should want; they count as not relevant.
        grades.setdefault(question, {})[name] = max(0, int(value))
    if not grades:
        raise InputError(f"{path.name} has no lines. Choose a qrels file with `qid 0 docid grade` in each line.")
    return grades


def _rows(path: Path, fields: int) -> Iterable[tuple[int, list[str]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"{path.name} cannot be read as text ({exc}). Check the path and the encoding.") from exc
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            parts = line.split()
            if len(parts) != fields:
                raise _wrong(path, number, f"{len(parts)} fields instead of {fields}")
            yield number, [unquote(part) for part in parts]


def _number(path: Path, line: int, text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise _wrong(path, line, f"the {what} {text!r} is not a number")
    return value


def _wrong(path: Path, line: int, problem: str) -> InputError:
    return InputError(f"{path.name}, line {line}: {problem}. Correct the line, then try again.", field=f"line {line}")


def _word(text: str) -> str:
    """Escape white space, which separates the fields, as addresses do."""
    return re.sub(r"[\s%]", lambda match: quote(match[0]), text)
