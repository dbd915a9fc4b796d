"""Rankings and relevance in the files of others.

TREC has one line for each result, `qid Q0 docid rank score tag`, and for each grade, `qid 0 docid grade`. RAGElo has a
CSV file with the columns `qid` and `did`, best first.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from math import isfinite, nan
from pathlib import PurePath
from urllib.parse import quote, unquote

from passer.domain.retrieval_report import RetrievalReport
from passer.errors import InputError

RUN_FIELDS, QREL_FIELDS = 6, 4
QRELS = "relevant.qrels"


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


def trec_files(report: RetrievalReport) -> dict[str, str]:
    """Return a comparison as files by name: the run of each retriever, and the qrels that it was judged by."""
    files = {
        f"{ranking.retriever.key}.run": run_lines(
            {each.question_id: each.names for each in ranking.questions}, tag=ranking.label
        )
        for ranking in report.rankings
        if ranking.retriever is not None
    }
    return {name: "".join(lines) for name, lines in (*files.items(), (QRELS, qrel_lines(report.grades)))}


def read_run(content: bytes, name: str) -> tuple[str, dict[str, list[str]]]:
    """Return the tag of a run and the names of each question, best first; InputError names the line.

    A `.csv` file holds the documents of RAGElo; its tag is its name.
    """
    if PurePath(name).suffix.lower() == ".csv":
        return PurePath(name).stem, _ragelo_documents(_text(content, name), name)
    return _trec_run(content, name)


def _ragelo_documents(text: str, name: str) -> dict[str, list[str]]:
    rows = csv.DictReader(StringIO(text))
    if not {"qid", "did"} <= set(rows.fieldnames or ()):
        raise InputError(f"{name} lacks the columns qid and did. Choose RAGElo's file of documents, or a TREC run.")
    found: dict[str, list[str]] = {}
    for row in rows:
        question, document = row["qid"], row["did"]
        if not question or not document:
            raise _wrong(name, rows.line_num, "qid or did is empty")
        if document in found.setdefault(question, []):
            raise _wrong(name, rows.line_num, f"{document} is listed twice for question {question}")
        found[question].append(document)
    if not found:
        raise InputError(f"{name} has no rows. Choose RAGElo's file of documents, or a TREC run.")
    return found


def _trec_run(content: bytes, file: str) -> tuple[str, dict[str, list[str]]]:
    scored: dict[str, dict[str, tuple[float, int]]] = {}
    tag = ""
    for number, (question, _, name, rank, score, of_run) in _rows(content, file, RUN_FIELDS):
        tag = of_run
        found = scored.setdefault(question, {})
        if name in found:
            raise _wrong(file, number, f"{name} is listed twice for question {question}")
        found[name] = (-_number(file, number, score, "score"), int(_number(file, number, rank, "rank")))
    if not scored:
        raise InputError(f"{file} has no lines. Choose a run file with `qid Q0 docid rank score tag` in each line.")
    return tag, {question: sorted(names, key=names.__getitem__) for question, names in scored.items()}


def read_qrels(content: bytes, file: str) -> dict[str, dict[str, int]]:
    """Return the grade of each name by question; InputError names the line."""
    grades: dict[str, dict[str, int]] = {}
    for number, (question, _, name, grade) in _rows(content, file, QREL_FIELDS):
        value = _number(file, number, grade, "grade")
        if value != int(value):
            raise _wrong(file, number, f"the grade {grade} is not a whole number")
        # Some collections use negative grades for documents that nobody should want; they count as not relevant.
        grades.setdefault(question, {})[name] = max(0, int(value))
    if not grades:
        raise InputError(f"{file} has no lines. Choose a qrels file with `qid 0 docid grade` in each line.")
    return grades


def _text(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise InputError(f"{file} cannot be read as text ({exc}). Save it as UTF-8, then try again.") from exc


def _rows(content: bytes, file: str, fields: int) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(_text(content, file).splitlines(), start=1):
        if line.strip():
            parts = line.split()
            if len(parts) != fields:
                raise _wrong(file, number, f"{len(parts)} fields instead of {fields}")
            yield number, [unquote(part) for part in parts]


def _number(file: str, line: int, text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise _wrong(file, line, f"the {what} {text!r} is not a number")
    return value


def _wrong(file: str, line: int, problem: str) -> InputError:
    return InputError(f"{file}, line {line}: {problem}. Correct the line, then try again.", field=f"line {line}")


def _word(text: str) -> str:
    """Escape white space, which separates the fields, as addresses do."""
    return re.sub(r"[\s%]", lambda match: quote(match[0]), text)
