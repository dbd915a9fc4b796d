"""JSON (a list of objects, {"questions": [...]}, or the columns of a data frame) and JSON Lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import TYPE_CHECKING, Any, BinaryIO

from passer.adapters.tables.cells import NothingHidden, encodable, plain_value
from passer.adapters.tables.decoding import bytes_of, decode
from passer.domain.base import storable
from passer.domain.canonical import is_too_deep
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, Problem

if TYPE_CHECKING:
    from passer.ports import TableContent

_DEEPEST, _SHOWN = 3, 5
LIST_KEY = "questions"
"""Key of the rows in a file that is one object."""
_OF_TOOLS = ("examples", "rows", "testCases", "results")
"""Such keys of LlamaIndex, Azure and Hugging Face, DeepEval, and Promptfoo."""
_OF_PAIRS = {"queries", "corpus", "relevant_docs"}
"""Members of pairs of questions and passages by LlamaIndex."""
_SPLIT = ({"columns", "data"}, {"columns", "data", "index"})
"""Members of a data frame that pandas writes with the orientation `split`."""
_OF_ONE_ROW = frozenset(("id", "question", "answer", "reference"))
"""Members of an object that is one row; they are nobody's ids."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object contains the name “{twice}” twice")
    # Values of rows are checked where their rows can be named; a name becomes a column in messages and answers.
    if (broken := next((key for key in row if storable(key) != key), None)) is not None:
        raise ValueError(f"the name “{storable(broken)}” contains a NUL or half a surrogate pair")
    return row


def _row(line: str, number: int) -> dict[str, Any] | Problem:
    """Return the object in a line, or what is wrong with it."""
    try:
        value = _parse(line)
    except ValueError as exc:
        return Problem(sentence("file.line-json", why=str(_explain(exc))), row=number)
    if isinstance(value, dict):
        return value
    return Problem(sentence("file.line-kind", kind=_kind(value)), row=number)


def _parse(text: str) -> Any:
    """Parse JSON; NaN and Infinity stay floats so that the row check can name their rows. ValueError if malformed."""
    with suppress(RecursionError):
        value = json.loads(text, object_pairs_hook=_unique_keys)
        # What json reads may be too deep for pickle, which takes it to the server.
        if not is_too_deep(text.encode(), value):
            return value
    raise ValueError("it is nested too deeply")


def _explain(exc: ValueError) -> str:
    if isinstance(exc, json.JSONDecodeError):
        return f"line {exc.lineno}, column {exc.colno}: {exc.msg}"
    return "a number has too many digits" if "int_max_str_digits" in str(exc) else str(exc)


class JsonReader(NothingHidden):
    """Reads a JSON file of objects."""

    suffixes: tuple[str, ...] = (".json",)

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows in order; a `language` beside the list applies to each row without its own."""
        text = decode(bytes_of(content))
        try:
            value = _parse(text)
        except ValueError as exc:
            code = "file.not-json-lines" if "Extra data" in str(exc) else "file.not-json"
            raise DatasetError(sentence(code, why=_explain(exc))) from exc
        defaults: dict[str, Any] = {}
        if isinstance(value, dict):
            value, defaults = _rows(value)
        if not isinstance(value, list):
            raise _no_list(value)
        return _objects(value, defaults)


def _rows(value: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the rows of an object, and what applies to each without its own; DatasetError if it has no rows."""
    if (rows := _columns(value)) is not None:
        return rows, {}
    if rows := list(_squad(value)) or list(_pairs(value)) or list(_predictions(value)):
        return rows, {}
    inner = value.get("results")  # Promptfoo has the rows one level deeper.
    for around, key in product((value, inner if isinstance(inner, dict) else {}), (LIST_KEY, *_OF_TOOLS)):
        rows = around.get(key)
        # Tools may write an empty list beside the one that has the rows.
        if isinstance(rows, list) and (rows or key == LIST_KEY):
            return rows, {name: around[name] for name in ("language",) if name in around}
    raise _no_list(value)


def _columns(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a data frame: objects by row number in columns, columns in rows, or a list for each column.

    pandas and MLflow also write the names of the columns, and a list for each row (`split`).
    """
    if value.keys() in _SPLIT:
        names, rows = value["columns"], value["data"]
        return [dict(zip(names, row, strict=True)) for row in rows] if _is_table(names, rows) else None
    inner = list(value.values())
    if len(inner) > 1 and all(isinstance(each, list) and len(each) == len(inner[0]) for each in inner):
        # A list of objects is a list of rows; other lists of the object have another meaning.
        has_objects = any(isinstance(cell, dict) for column in inner for cell in column)
        return None if has_objects else [dict(zip(value, row, strict=True)) for row in zip(*inner, strict=True)]
    if not inner or not all(isinstance(each, dict) and list(each) == list(inner[0]) for each in inner):
        return None
    if all(map(_is_number, value)):
        return inner
    rows = list(inner[0])
    if not all(map(_is_number, rows)):
        return None
    return [{name: column[row] for name, column in value.items()} for row in rows]


def _is_table(names: Any, rows: Any) -> bool:
    """Return whether these are different names, and lists with a cell for each."""
    if not isinstance(names, list) or not isinstance(rows, list) or not all(isinstance(name, str) for name in names):
        return False
    return len(set(names)) == len(names) and all(isinstance(row, list) and len(row) == len(names) for row in rows)


def _squad(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the questions of SQuAD's form, in which articles hold paragraphs, and paragraphs their questions."""
    articles = value.get("data")
    for article in articles if isinstance(articles, list) else ():
        paragraphs = article.get("paragraphs") if isinstance(article, dict) else None
        for paragraph in paragraphs if isinstance(paragraphs, list) else ():
            questions = paragraph.get("qas") if isinstance(paragraph, dict) else None
            for each in questions if isinstance(questions, list) else ():
                if isinstance(each, dict):
                    kept = {name: each[name] for name in ("id", "question", "answers") if name in each}
                    yield kept | {"context": paragraph.get("context")}


def _pairs(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the questions of LlamaIndex's pairs, with the texts of their passages."""
    if not value.keys() >= _OF_PAIRS or not all(isinstance(value[name], dict) for name in _OF_PAIRS):
        return
    for key, query in value["queries"].items():
        found = value["relevant_docs"].get(key)
        names = found if isinstance(found, list) else []
        yield {"query_id": key, "query": query, "contexts": [value["corpus"].get(str(name)) for name in names]}


def _predictions(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the answers of an object that has them by the ids of their questions, as programs for SQuAD write it.

    Those for HotpotQA write them beside the facts that support them, in `sp`.
    """
    answers = value["answer"] if value.keys() == {"answer", "sp"} else value
    if (
        isinstance(answers, dict)
        and not _OF_ONE_ROW & answers.keys()
        and len(answers) > 1
        and all(isinstance(each, str) for each in answers.values())
    ):
        yield from ({"id": key, "answer": answer} for key, answer in answers.items())


def _is_number(key: str) -> bool:
    return key.isdecimal()


def _lists(value: Mapping[str, Any], around: str = "") -> Iterator[str]:
    """Yield the places of lists of objects in an object."""
    for name, each in value.items():
        if isinstance(each, list) and each and isinstance(each[0], dict):
            yield around + name
        elif isinstance(each, dict) and around.count(".") < _DEEPEST:
            yield from _lists(each, f"{around}{name}.")


def _no_list(value: Any) -> DatasetError:
    """Return why a file has no rows, with the lists that may be meant."""
    places = list(islice(_lists(value), _SHOWN)) if isinstance(value, dict) else []
    if places:
        return DatasetError(sentence("file.json-lists", lists=", ".join(places), list=LIST_KEY))
    return DatasetError(sentence("file.json-list", list=LIST_KEY))


def _objects(values: Sequence[Any], defaults: Mapping[str, Any]) -> list[dict[str, Any]]:
    problems = tuple(
        Problem(sentence("file.row-kind", kind=_kind(value)), row=row)
        for row, value in enumerate(values, start=1)
        if not isinstance(value, dict)
    )
    if problems:
        raise DatasetError(sentence("file.json-rows"), problems=problems)
    return [{**defaults, **value} for value in values]


def _kind(value: Any) -> str:
    names = {str: "text", int: "number", float: "number", bool: "boolean", list: "list", type(None): "null"}
    return sentence(f"file.kind-{names.get(type(value), 'other')}")


class JsonLinesReader(NothingHidden):
    """Reads one JSON object per line."""

    suffixes: tuple[str, ...] = (".jsonl", ".ndjson")

    def read(self, content: TableContent) -> list[dict[str, Any]]:
        """Return the rows in order, an empty one per blank line; DatasetError names lines that are not objects."""
        rows: list[dict[str, Any]] = []
        problems: list[Problem] = []
        # Not splitlines(): a JSON string may contain U+2028 and other line separators.
        text = decode(bytes_of(content)).rstrip()
        if text.lstrip()[:1] == "[" or text.lstrip().partition("\n")[0].strip() == "{":
            raise DatasetError(sentence("file.json-over-lines"))
        for number, line in enumerate(text.split("\n"), start=1):
            row = _row(line, number) if line.strip() else {}
            if isinstance(row, Problem):
                problems.append(row)
            else:
                rows.append(row)
        if problems:
            raise DatasetError(sentence("file.json-lines"), problems=tuple(problems))
        return rows


class JsonLinesWriter:
    """Writes one JSON object per line, with all columns in each."""

    suffix = ".jsonl"

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """Write all rows; None as null."""
        for row in rows:
            values = {column: plain_value(row.get(column), column=column) for column in columns}
            stream.write(encodable(json.dumps(values, ensure_ascii=False, allow_nan=False)).encode() + b"\n")
