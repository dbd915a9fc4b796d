"""RAGElo's files: a dataset of queries, a ranking of documents, relevance grades, and a configuration per agent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from passer.domain.base import storable
from passer.domain.dataset import LARGEST_GRADE, LONGEST_NAME, LONGEST_TEXT, MOST_METADATA, Dataset
from passer.domain.texts.written_numbers import number_text, parsed_number
from passer.domain.wording.sentence import sentence
from passer.errors import MOST_PROBLEMS, DatasetError, Problem
from passer.ports import TableContent
from passer.services.library.answer_files import AnswerFiles, ReadAnswers
from passer.services.library.column_mapping import ColumnMapping
from passer.services.library.column_names import plain_name
from passer.services.library.dataset_import import DatasetImport

QUERY_IDS = ("qid", "query_id")
COLUMNS: dict[str, tuple[str, ...]] = {
    "qid": QUERY_IDS,
    "query": ("query", "question"),
    "did": ("did", "doc_id", "document_id", "corpus_id", "docno", "docid"),
    "agent": ("agent",),
    "answer": ("answer",),
    "grade": ("answer", "relevance", "grade", "score", "label"),
    "rank": ("rank",),
    "score": ("score",),
}
"""Columns of all versions of RAGElo's files, the present name first, and of tables of BEIR, MTEB and PyTerrier."""
WORDS = (("very relevant", 2), ("somewhat relevant", 1), ("not relevant", 0))
"""First words of a judgement by RAGElo's reasoner, with the grade that RAGElo's papers give them."""
File = tuple[str, TableContent]
"""Name and content of a file."""
RageloPart = Literal["queries", "documents", "answers", "judgements"]
"""Content of a file."""
Row = tuple[int, Mapping[str, Any]]
"""Number in the file, from 1 without the header, and values by the columns' present names."""


@dataclass(frozen=True)
class RageloFiles:
    """The given files of one experiment."""

    queries: File
    documents: File | None = None
    answers: File | None = None
    judgements: File | None = None


@dataclass(frozen=True)
class ReadRagelo:
    """Content of the files of an experiment."""

    dataset: Dataset
    """The queries; those of RAGElo have no reference answers."""
    documents: dict[str, tuple[str, ...]]
    """Names of the documents of each question, in the order of the file; empty without the file."""
    grades: dict[str, dict[str, int]]
    """Grade of each document by question; empty without the file."""
    answers: dict[str, ReadAnswers]
    """Answers by agent, in the order of the file; empty without the file."""
    metadata: tuple[str, ...]
    """Other columns of the queries, kept with the questions for prompt templates."""


@dataclass(frozen=True)
class RageloReader:
    """Reads RAGElo's files with the readers of datasets and of answers."""

    datasets: DatasetImport
    answer_files: AnswerFiles

    def read(self, files: RageloFiles, name: str) -> ReadRagelo:
        """Return what the files hold; DatasetError names each file, row and column that is wrong."""
        dataset, metadata = self._dataset(files.queries, name)
        known = {each.id for each in dataset.questions}
        problems: list[Problem] = []
        documents: dict[str, tuple[str, ...]] = {}
        grades: dict[str, dict[str, int]] = {}
        answers: dict[str, ReadAnswers] = {}
        if files.documents is not None:
            table = self._table(files.documents, ("qid", "did"), optional=("rank", "score"))
            documents = _documents(table, files.documents[0], known, problems)
        if files.judgements is not None:
            table = self._table(files.judgements, ("qid", "did", "grade"))
            grades = _grades(table, files.judgements[0], known, problems)
        if files.answers is not None:
            table = self._table(files.answers, ("qid", "agent", "answer"))
            answers = self._answers(table, files.answers[0], dataset, problems)
        _refuse(problems)
        return ReadRagelo(dataset, documents, grades, answers, metadata)

    def documents(self, file: File) -> dict[str, tuple[str, ...]]:
        """Return the documents of each question, without the queries; DatasetError names what is wrong."""
        problems: list[Problem] = []
        table = self._table(file, ("qid", "did"), optional=("rank", "score"))
        found = _documents(table, file[0], None, problems)
        _refuse(problems)
        if not found:
            raise DatasetError(sentence("rankings.no-rows", file=file[0]))
        return found

    def grades(self, file: File) -> dict[str, dict[str, int]]:
        """Return the grade of each document by question, without the queries; DatasetError names what is wrong."""
        problems: list[Problem] = []
        found = _grades(self._table(file, ("qid", "did", "grade")), file[0], None, problems)
        _refuse(problems)
        if not found:
            raise DatasetError(sentence("rankings.no-grades", file=file[0]))
        return found

    def _dataset(self, file: File, name: str) -> tuple[Dataset, tuple[str, ...]]:
        """Return the queries as a dataset, and its columns of metadata."""
        filename, content = file
        rows = [row for row in self.answer_files.rows(content, filename) if row]
        found = list(dict.fromkeys(column for row in rows for column in row))
        columns = {"id": _column(found, "qid", filename), "question": _column(found, "query", filename)}
        others = tuple(each for each in found if each not in columns.values())
        # A query file has no references, whatever its id column is named.
        mapping = ColumnMapping(columns=columns, ignored=others)
        dataset = self.datasets.load(content, filename, name=name, mapping=mapping)
        _check_metadata(rows, others, filename)
        said = {_text(row.get(columns["id"])): {name: _text(row.get(name)) for name in others} for row in rows}
        return _with_metadata(dataset, said), others

    def _table(self, file: File, needed: Sequence[str], *, optional: Sequence[str] = ()) -> list[Row]:
        filename, content = file
        rows = [(number, row) for number, row in enumerate(self.answer_files.rows(content, filename), start=1) if row]
        found = list(dict.fromkeys(column for _, row in rows for column in row))
        names = {name: _column(found, name, filename) for name in needed}
        names |= {name: column for name in optional if (column := _present(found, name)) is not None}
        return [(number, {name: row.get(column) for name, column in names.items()}) for number, row in rows]

    def _answers(
        self, table: Sequence[Row], file: str, dataset: Dataset, problems: list[Problem]
    ) -> dict[str, ReadAnswers]:
        found = {}
        for agent, rows in _by_agent(table, file, problems).items():
            read, wrong = self.answer_files.matched(rows, dataset, dataset.questions)
            found[agent] = read
            problems += [
                Problem(sentence("ragelo.of-agent", file=file, agent=agent, problem=each.message), each.row, each.field)
                for each in wrong
            ]
            # Otherwise a file with 10,000 agents of one answer each would have 10,000 problems for every question.
            if len(problems) > MOST_PROBLEMS:
                break
        return found


def _check_metadata(rows: Sequence[Mapping[str, Any]], names: Sequence[str], file: str) -> None:
    """Refuse columns that cannot be kept with the questions; DatasetError names them."""
    long = [name for name in names if len(name) > LONGEST_NAME]
    if long or len(names) > MOST_METADATA:
        said = sentence("ragelo.columns", file=file, most=MOST_METADATA, longest=LONGEST_NAME)
        raise DatasetError(said, field=(long or names)[0][:LONGEST_NAME])
    _refuse(
        [
            _problem(file, number, name, sentence("ragelo.long-cell", most=LONGEST_TEXT))
            for number, row in enumerate(rows, start=1)
            for name in names
            if len(_text(row.get(name))) > LONGEST_TEXT
        ]
    )


def _with_metadata(dataset: Dataset, said: Mapping[str, Mapping[str, str]]) -> Dataset:
    """Return the dataset with the further columns of each question as metadata; empty cells are left out."""
    questions = [
        each.model_copy(
            update={"metadata": {name: text for name, text in said.get(each.id, {}).items() if text} or None}
        )
        for each in dataset.questions
    ]
    # Built anew, so that the digest is that of the whole and too long a text is refused.
    return Dataset.model_validate({**dict(dataset), "questions": [each.model_dump() for each in questions]})


def _documents(
    table: Sequence[Row], file: str, known: set[str] | None, problems: list[Problem]
) -> dict[str, tuple[str, ...]]:
    """Return the documents of each question by the column `rank`, or in the order of the file without it."""
    found: dict[str, dict[str, float]] = {}
    for number, question, name, row in _keyed(table, file, known, problems):
        own = found.setdefault(question, {})
        rank = parsed_number(_text(row["rank"])) if "rank" in row else float(len(own))
        if name in own:
            said = sentence("rankings.twice", name=name, question=question)
            problems.append(_problem(file, number, "did", said))
        elif rank is None:
            said = sentence("rankings.not-a-number", what="rank", text=_text(row["rank"])[:60])
            problems.append(_problem(file, number, "rank", said))
        else:
            own[name] = rank
    problems += _unsorted(table, file)
    return {question: tuple(sorted(names, key=names.__getitem__)) for question, names in found.items()}


def _unsorted(table: Sequence[Row], file: str) -> Iterator[Problem]:
    """Yield a problem for each row with a higher score than the one above: its order is not that of a ranking."""
    above: dict[str, float] = {}
    for number, row in table:
        question, score = _text(row["qid"]), parsed_number(_text(row.get("score")))
        if "rank" in row or score is None:
            continue
        if score > above.get(question, score):
            yield _problem(file, number, "score", sentence("rankings.unsorted"))
        above[question] = score


def _grades(
    table: Sequence[Row], file: str, known: set[str] | None, problems: list[Problem]
) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for number, question, name, row in _keyed(table, file, known, problems):
        grade = _grade(_text(row["grade"]))
        if grade is None:
            said = sentence("ragelo.grade", text=_text(row["grade"])[:60])
            problems.append(_problem(file, number, "answer", said))
        elif name in found.setdefault(question, {}):
            said = sentence("rankings.twice", name=name, question=question)
            problems.append(_problem(file, number, "did", said))
        else:
            found[question][name] = grade
    return found


def _keyed(
    table: Sequence[Row], file: str, known: set[str] | None, problems: list[Problem]
) -> Iterator[tuple[int, str, str, Mapping[str, Any]]]:
    """Yield the rows with question and document; the others become problems. With None any question is known."""
    for number, row in table:
        question, name = _text(row["qid"]), _text(row["did"])
        if known is not None and question not in known:
            problems.append(_problem(file, number, "qid", sentence("ragelo.unknown-query", question=question[:60])))
        elif not question or not name:
            problems.append(_problem(file, number, "did", sentence("rankings.qid-or-did")))
        else:
            yield number, question, name, row


def _grade(text: str) -> int | None:
    """Return the grade of a judgement: a whole number, or the words with which RAGElo's reasoner begins."""
    if re.fullmatch(r"\d+(\.0+)?", text):
        value = float(text)
        return int(value) if value <= LARGEST_GRADE else None
    return next((grade for words, grade in WORDS if text.casefold().startswith(words)), None)


def _column(found: Sequence[str], name: str, file: str) -> str:
    """Return the column of the file that holds this; DatasetError names it if there is none."""
    if (column := _present(found, name)) is not None:
        return column
    listed = ", ".join(found)[:200] or "-"
    raise DatasetError(sentence("ragelo.no-column", file=file, column=COLUMNS[name][0], found=listed), field=name)


def _present(found: Sequence[str], name: str) -> str | None:
    return next((column for alias in COLUMNS[name] for column in found if plain_name(column) == alias), None)


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        n = min(len(problems), MOST_PROBLEMS)
        key = "ragelo.refused" if n == len(problems) else "ragelo.refused-more"
        said = sentence(key, n=n, first=_shown(problems[0]))
        raise DatasetError(said, field=problems[0].field, problems=tuple(problems[:n]))


def _by_agent(table: Sequence[Row], file: str, problems: list[Problem]) -> dict[str, list[Row]]:
    by_agent: dict[str, list[Row]] = defaultdict(list)
    for number, row in table:
        agent = _text(row["agent"])
        if 0 < len(agent) <= 100:
            answer = "" if row["answer"] is None else row["answer"]
            by_agent[agent].append((number, {"qid": _text(row["qid"]), "answer": answer}))
        else:
            problems.append(_problem(file, number, "agent", sentence("ragelo.agent")))
    return by_agent


def _text(value: Any) -> str:
    if isinstance(value, float) and isfinite(value):
        return number_text(value)  # a data frame stores 7 as 7.0
    return "" if value is None else storable(str(value)).strip()


def _problem(file: str, row: int, field: str, said: str) -> Problem:
    return Problem(sentence("ragelo.of-file", file=file, problem=said), row=row, field=field)


def _shown(problem: Problem) -> str:
    return str(problem.message) if problem.row is None else f"{problem.message} (row {problem.row}, {problem.field})"
