"""Files of answers from other tools: one row per question, matched with a dataset or refused whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from passer.domain.base import Frozen, digest_of
from passer.domain.dataset import Dataset, Question
from passer.domain.models.outside import ANSWERS, ONLY_ANSWERS, PASSAGES, OutsideReply, reply_of
from passer.domain.texts.damage import read_twice, visible
from passer.domain.texts.words import composed, unicode_words
from passer.domain.texts.written_numbers import number_text
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import MOST_PROBLEMS, DatasetError, Problem
from passer.ports import TableContent, TableReader, reader_of, rows_of
from passer.services.library.answer_notes import answer_notes, passage_notes
from passer.services.library.column_mapping import header_below
from passer.services.library.column_names import by_plain_name, plain_name
from passer.services.library.listed_texts import NO_VALUES, has_objects, listed_texts, read_list
from passer.services.library.nested_rows import examples, with_chosen, without_verdicts
from passer.services.library.trace_answers import OF_LANGSMITH, Numbered, answers_of_traces, unquoted

IDS = ("id", "question_id", "qid", "topic_id")
SHARED_WORDS = 0.5
"""Smallest share of words in common, of the shorter text, at which two texts may be the same question."""
QUESTIONS = ("question", "user_input", "input", "query", "topic", "title")
ASKED = QUESTIONS[:2]
"""Columns that contain the question and nothing else; `title` may be that of a page, and `input` a whole prompt."""
FEWEST_DAMAGED = 3
_WHOLE = re.compile(r"\d+\.0", re.ASCII)
_NAMES = (*IDS, *QUESTIONS, *ANSWERS, *PASSAGES)
_MEANINGS = {"id": IDS, "question": QUESTIONS, "answer": ANSWERS, "passages": PASSAGES}
JOINED = ("retrieval_context", "context")
"""Columns whose passages DeepEval joins by `|` in a CSV."""


class ReadAnswers(Frozen):
    """The answers of one file, in the order of the dataset."""

    digest: str
    """SHA-256 of the replies with their questions; the same answers have the same digest in any file format."""
    replies: dict[str, OutsideReply]
    """Replies by the text of the question."""
    notes: tuple[LocalizedText, ...] = ()
    """What to know of them, one sentence each."""


@dataclass(frozen=True)
class AnswerFiles:
    """Reads answers with the given table readers."""

    readers: Sequence[TableReader]

    def read(
        self,
        content: TableContent,
        filename: str,
        dataset: Dataset,
        *,
        questions: int | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> ReadAnswers:
        """Return one reply for each question of the dataset, or of its first `questions`.

        `columns` maps `id`, `question`, `answer` or `passages` to columns of the file; others are found by their names.

        A row belongs to the question with its id, else to the question with its text. DatasetError names each row
        that belongs to none, repeats one, or cannot be read, and each question without a row.
        """
        given = self.rows(content, filename)
        remarks = reader_of(self.readers, filename).remarks(content)
        filled = [(number, row) for number, row in enumerate(given, start=1) if row]
        if examples(filled) is not None and "answer" not in (columns or {}):
            raise DatasetError(sentence("answers.examples", name=filename), field="answer")
        chosen = with_chosen(filled, columns or {}, _MEANINGS)
        named = unquoted([(n, by_plain_name(row, _NAMES)) for n, row in chosen])
        rows = without_verdicts(_of_one_column(answers_of_traces(named)))
        _check_columns(rows, chosen, filename, remarks)
        found, problems = self.matched(rows, dataset, dataset.questions[:questions])
        if problems:
            if {column for row in given for column in row} >= OF_LANGSMITH:
                problems.insert(0, Problem(sentence("dataset.langsmith")))
            raise DatasetError(
                sentence("answers.refused", name=filename, n=len(problems)),
                problems=tuple(problems[:MOST_PROBLEMS]),
            )
        _check_encoding([reply.answer for reply in found.replies.values()], filename)
        own = {plain_name(column): column for row in given for column in row} | dict(columns or {})
        return found.model_copy(update={"notes": (*remarks, *passage_notes(rows, own), *found.notes)})

    def rows(self, content: TableContent, filename: str) -> list[dict[str, Any]]:
        """Return the rows of a table, an empty one for each blank line; DatasetError names the file."""
        return rows_of(self.readers, content, filename)

    def matched(
        self, rows: Sequence[tuple[int, Mapping[str, Any]]], dataset: Dataset, asked: Sequence[Question]
    ) -> tuple[ReadAnswers, list[Problem]]:
        """Return the replies to the questions of a dataset, and what is wrong with the rows."""
        by_id, by_text = _by_id(dataset.questions), _by_text(dataset.questions)
        found: dict[str, OutsideReply] = {}
        problems: list[Problem] = []
        known: dict[str, int] = {}
        for number, row in rows:
            question, field = _question_of(row, by_id, by_text)
            other = None if question is None else _contradiction(row, field, question, by_text)
            if question is None:
                problems.append(Problem(_no_question(row, field), row=number, field=field))
            elif other is not None:
                # The ids of many tools are row numbers, so that each answer would be scored as another question's.
                problems.append(Problem(other, row=number, field=field))
            elif question.id in known:
                said = sentence("answers.repeated", id=question.id, row=known[question.id])
                problems.append(Problem(said, row=number, field=field))
            else:
                known[question.id] = number
                problem = _read_reply(number, row, question, found, field=field)
                problems += [] if problem is None else [problem]
        lacking = [each for each in asked if each.id not in known]
        problems += [Problem(sentence("answers.missing", id=each.id, question=each.text[:80])) for each in lacking]
        replies = {each.text: found[each.text] for each in asked if each.text in found}
        content_digest = digest_of({text: reply.model_dump(mode="json") for text, reply in replies.items()})
        own = [each for each in asked if each.id in known and each.text in found]  # several may have one text
        read = sorted((known[each.id], found[each.text].answer, each.references) for each in own)
        return ReadAnswers(digest=content_digest, replies=replies, notes=tuple(answer_notes(read))), problems


def _by_id(questions: Sequence[Question]) -> dict[str, Question]:
    """Return questions by their ids, and by other spellings of an id that only one of them can have."""
    times = Counter(_plain_id(each.id) for each in questions)
    plain = {key: each for each in questions if times[key := _plain_id(each.id)] == 1}
    return plain | {each.id: each for each in questions}


def _plain_id(value: Any) -> str:
    """Return an id as text; 7.0 becomes 7, because a data frame stores it so in a column with empty cells.

    Marks that nobody sees, and accents that are written as marks of their own, make no other id.
    """
    text = number_text(value) if isinstance(value, float) and isfinite(value) else composed(visible(str(value))).strip()
    return text.removesuffix(".0") if _WHOLE.fullmatch(text) else text


def _check_columns(rows: Sequence[Numbered], chosen: Sequence[Numbered], filename: str, remarks: Sequence[str]) -> None:
    """Raise DatasetError for a file without a column of questions or of answers, before each row is called wrong.

    It has the remarks on the file: its header may be below a title, or on another worksheet.
    """
    columns = {column for _, row in rows for column in row}
    found = ", ".join(dict.fromkeys(str(column) for _, row in chosen for column in row if column))[:200]
    if columns >= OF_LANGSMITH or not columns:
        return
    lacks = {"question": (*IDS, *QUESTIONS), "answer": ANSWERS}
    lacking = next((name for name, names in lacks.items() if columns.isdisjoint(names)), None)
    if lacking is None:
        return
    below = header_below(chosen)
    named = (
        [] if below is None else [Problem(sentence("dataset.header-below", names=", ".join(below[1])), row=below[0])]
    )
    said = sentence(f"answers.no-{lacking}-column", name=filename, found=found)
    raise DatasetError(said, field=lacking, problems=(*named, *map(Problem, remarks)))


def _check_encoding(answers: Sequence[str], filename: str) -> None:
    """Raise DatasetError if most answers beyond ASCII were read in another encoding; one may be about such texts."""
    others = [text for text in answers if not text.isascii()]
    meant = [text for text in map(read_twice, others) if text is not None]
    if len(meant) >= FEWEST_DAMAGED and 2 * len(meant) >= len(others):
        said = sentence("answers.read-twice", name=filename, n=len(meant), meant=meant[0][:40])
        raise DatasetError(said, field="answer")


def _by_text(questions: Sequence[Question]) -> dict[str, Question | None]:
    """Return questions by their words; None where several have the same, which only an id tells apart."""
    found: dict[str, Question | None] = {}
    for each in questions:
        words = _words(each.text)
        found[words] = None if words in found else each
    return found


def _words(text: str) -> str:
    return " ".join(composed(visible(text)).split())


def _text_in(value: Any) -> str | None:
    """Return the text of a question or an answer, which may be a number; None for any other value."""
    # JSON has whole numbers of any length, which `isfinite` cannot read.
    if type(value) is int or (isinstance(value, float) and isfinite(value)):
        return number_text(value)
    return value if isinstance(value, str) else None


def _no_question(row: Mapping[str, Any], field: str) -> str:
    """Return why the member of a row that should name its question does not."""
    if isinstance(row.get(field), list | dict):
        return sentence("answers.question-kind", field=field)
    return sentence("answers.no-question", field=field, value=str(row.get(field) or "")[:80])


def _of_one_column(rows: Sequence[tuple[int, Mapping[str, Any]]]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the rows without those of `ONLY_ANSWERS` that are empty in the whole file, where another has answers.

    DatasetError if two of them have answers: one of them often holds the reference answers.
    """
    found = [name for name in ONLY_ANSWERS if any(row.get(name) not in (None, "") for _, row in rows)]
    if len(found) > 1:
        raise DatasetError(sentence("answers.two-columns", columns=", ".join(found)), field=found[1])
    if not found:
        return list(rows)  # the empty ones are refused or, as "" in JSON, read
    others = set(ONLY_ANSWERS) - set(found)
    return [(n, {name: row[name] for name in row if name not in others} if found[0] in row else row) for n, row in rows]


def _question_of(
    row: Mapping[str, Any], by_id: Mapping[str, Question], by_text: Mapping[str, Question | None]
) -> tuple[Question | None, str]:
    """Return the question of a row, and the member that names it."""
    for name in IDS:
        if row.get(name) not in (None, ""):
            key = next((each for each in (str(row[name]), _plain_id(row[name])) if each in by_id), None)
            if key is not None:
                return by_id[key], name
    for name in QUESTIONS:
        if (text := _text_in(row.get(name))) is not None:
            return by_text.get(_words(text)), name
    return None, next((each for each in (*IDS, *QUESTIONS) if each in row), QUESTIONS[0])


def _contradiction(
    row: Mapping[str, Any], field: str, question: Question, by_text: Mapping[str, Question | None]
) -> str | None:
    """Return the problem of a row with the id of one question and the text of another; None without one."""
    name = next((each for each in QUESTIONS if isinstance(row.get(each), str)), None)
    if field not in IDS or name is None:
        return None
    other = by_text.get(_words(row[name]))
    if other is not None and _words(other.text) != _words(question.text):
        return sentence("answers.two-questions", field=field, id=question.id, name=name, other=other.id)
    if other is None and name in ASKED and not _is_alike(row[name], question.text):
        return sentence("answers.other-text", field=field, id=question.id, name=name)
    return None


def _read_reply(
    number: int, row: Mapping[str, Any], question: Question, found: dict[str, OutsideReply], *, field: str
) -> Problem | None:
    """Add a row's reply to those found, by the question's text; return the problem if it cannot be read or differs."""
    try:
        reply = reply_of(_decoded(row))
    except ValueError as exc:
        return _unreadable(number, row, exc)
    if found.setdefault(question.text, reply) == reply:
        return None
    # A system is asked by text alone, so equal questions have one answer.
    return Problem(sentence("answers.differ", id=question.id), row=number, field=field)


def _unreadable(number: int, row: Mapping[str, Any], exc: ValueError) -> Problem:
    """Return why a row has no reply. A table cannot distinguish an empty answer from an unknown one."""
    first = str(exc).partition(" ")[0]
    if first in ANSWERS and first in row and row[first] is None:
        return Problem(sentence("answers.empty", field=first), row=number, field=first)
    # Keep the raised message, not its `str`: with its code it can be shown in the reader's language.
    said = next((text for text in exc.args if isinstance(text, str)), str(exc))
    return Problem(said, row=number, field=first if first.partition(".")[0] in row else None)


def _is_alike(one: str, other: str) -> bool:
    """Return whether a text may be another wording of a question, or a prompt around it."""
    words, others = set(unicode_words(one)), set(unicode_words(other))
    return len(words & others) >= SHARED_WORDS * min(len(words), len(others))


def _decoded(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with numbers as the texts of answers, and with lists of passages that a table holds as text read.

    These are JSON, or lists of texts as Python prints them.
    """
    found = dict(row)
    for name in ANSWERS:
        if (text := _text_in(found.get(name))) is not None:
            found[name] = text
        if isinstance(found.get(name), str) and found[name].strip().lower() in NO_VALUES:
            raise ValueError(sentence("answers.no-value", field=name, value=found[name].strip()))
    for name in PASSAGES:
        value = found.get(name)
        if not isinstance(value, str):
            continue
        # Text that only looks like a list is one passage.
        read = read_list(value) if value.lstrip().startswith("[") else None
        if read is None and has_objects(value):
            raise ValueError(sentence("answers.objects", field=name))
        found[name] = listed_texts(value, joined=name in JOINED and "actual_output" in row) if read is None else read
    return found
