"""Converts the rows of a question file to questions; every problem names its row."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from passer.domain.dataset import HEAVIEST, MOST_REFERENCES, GoldPassage, Question, RelevantDocument
from passer.domain.texts.damage import damage_notes, has_lost_letters, rounded_notes, spelling_notes
from passer.domain.texts.words import composed
from passer.domain.texts.written_numbers import number_text, parsed_number
from passer.domain.wording.sentence import sentence
from passer.errors import Problem
from passer.services.library.column_mapping import LISTED
from passer.services.library.listed_texts import (
    MAYBE_NO_VALUES,
    NO_VALUES,
    answer_texts,
    holds_several,
    is_wrapped,
    listed_objects,
    passages_in,
    single_text,
)

NO_COLUMN = ""
"""Key under which a reader keeps cells without a column name."""


def _of_name(value: Any) -> Any:
    # A document may be given by its name alone.
    return {"document": value} if isinstance(value, str) else value


_GOLD = TypeAdapter(tuple[GoldPassage, ...])
_RELEVANT = TypeAdapter(tuple[Annotated[RelevantDocument, BeforeValidator(_of_name)], ...])
Item = TypeVar("Item", GoldPassage, RelevantDocument)
_FORMS = {
    "gold_passages": '[{"document": "...", "quote": "..."}]',
    "relevant": '[{"document": "...", "grade": 1}]',
}
_GENERATED = re.compile(r"q-(\d{4,9})", re.ASCII)
SHORT = ("cluster", "group", "category")
"""Columns whose values have at most 200 characters."""


def _plain(text: str) -> str:
    """Return a question without differences in spelling that do not make it another question."""
    return " ".join(composed(text).split()).casefold()


def _is_storable(text: str) -> bool:
    """Return whether every database can store the text: no lone surrogate, no NUL."""
    return "\0" not in text and (text.isascii() or text.encode("utf-8", "ignore").decode() == text)


class QuestionRows:
    """Reads rows one by one; collects valid questions and the problems of the others."""

    def __init__(
        self, columns: Mapping[str, str], *, joins_contexts: bool = False, known: Sequence[Question] = ()
    ) -> None:
        """Read rows that become questions of their own, or are added to the `known` ones of a dataset."""
        self._columns = columns
        self._known_ids = {each.id for each in known}
        self._known_texts = {_plain(each.text): each.id for each in known}
        # Generated ids continue after the highest one, so that they are unique in the dataset.
        self._numbered = max((int(found[1]) for each in known if (found := _GENERATED.fullmatch(each.id))), default=0)
        self._joins_contexts = joins_contexts
        self.questions: list[Question] = []
        self.problems: list[Problem] = []
        self.languages: set[str] = set()
        """Language tags that rows state; "" is of a row that states none."""
        self._first_row: dict[str, int] = {}
        self._trimmed: Counter[str] = Counter()
        self._asked: list[tuple[int, str]] = []
        self._references: list[tuple[int, str]] = []
        self._noted: dict[str, list[int]] = {}
        self._maybe_empty: dict[str, list[tuple[int, str]]] = {}

    def add(self, number: int, row: Mapping[str, Any]) -> None:
        """Read one row and record all of its problems."""
        known = len(self.problems)
        if NO_COLUMN in row:
            self._problem(number, None, sentence("question.cells"))
        if self._repeats_header(row):
            self._problem(number, None, sentence("question.header"))
            return
        text, tag = (self._text(number, row, name) for name in ("question", "language"))
        references = self._right_answers(number, row)
        short = {name: self._text(number, row, name) for name in SHORT}
        identity = self._text(number, row, "id") or ("" if "id" in self._columns else self._generated(number))
        gold = (*(self._listed(number, row, "gold_passages", _GOLD) or ()), *self._contexts(number, row))
        relevant = self._listed(number, row, "relevant", _RELEVANT)
        if not references and self._declares_no_answer(row):
            self._noted.setdefault("unanswerable", []).append(number)
            gold, relevant = (), relevant or ()
        weight = self._weight(number, row)
        if len(self.problems) == known:
            self._check(number, identity=identity, text=text, short=short)
            self._check_relevant(number, gold, relevant)
        if len(self.problems) == known:
            self.languages.add(tag.replace("_", "-"))
            self._asked.append((number, text))
            self._references += [(number, each) for each in references]
            if len(references) > 1:
                self._noted.setdefault("several-references", []).append(number)
            found = Question(
                id=identity,
                text=text,
                reference=references[0] if references else "",
                other_references=references[1:] or None,
                gold_passages=gold,
                cluster=short["cluster"] or None,
                group=short["group"] or None,
                category=short["category"] or None,
                relevant=relevant,
                weight=weight,
            )
            self.questions.append(found)

    def _generated(self, number: int) -> str:
        return f"q-{self._numbered + number:04d}"

    def _repeats_header(self, row: Mapping[str, Any]) -> bool:
        """Return whether all cells are the names of their columns: another table below the first, or a joined file."""
        columns = self._columns.values()
        return bool(columns) and all(str(row.get(name)).strip().lower() == name.strip().lower() for name in columns)

    def _problem(self, number: int, name: str | None, message: str) -> None:
        self.problems.append(Problem(message, row=number, field=self._columns.get(name) if name else None))

    def _text(self, number: int, row: Mapping[str, Any], name: str) -> str:
        """Return a trimmed text, or ""; numbers as written."""
        return self._plain(number, name, row.get(self._columns[name]) if name in self._columns else None)

    def _plain(self, number: int, name: str, value: Any) -> str:
        if value is None:
            return ""
        value = single_text(value)
        said = "reference" if name in LISTED else name
        texts = (answer_texts(value) or []) if isinstance(value, list | dict) else []
        if isinstance(value, float) and not math.isfinite(value):
            self._problem(number, name, sentence("question.no-value", column=said, value=str(value)))
            return ""
        if len(texts) > 1:
            code = "question.several-references" if said == "reference" else "question.several"
            self._problem(number, name, sentence(code, column=said, n=len(texts)))
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float) or is_wrapped(str(value), of=said):
            self._problem(number, name, sentence("question.kind", column=said))
            return ""
        text = number_text(value) if isinstance(value, float) else str(value)
        trimmed = text.strip()
        if not _is_storable(trimmed):
            self._problem(number, name, sentence("question.not-text", column=said))
            return ""
        if trimmed.lower() in NO_VALUES:
            self._problem(number, name, sentence("question.no-value", column=said, value=trimmed))
        elif has_lost_letters(trimmed):
            self._problem(number, name, sentence("question.lost", column=said))
        elif trimmed.lower() in MAYBE_NO_VALUES:
            self._maybe_empty.setdefault(name, []).append((number, trimmed))
        self._trimmed[name] += trimmed != text
        return trimmed

    def _right_answers(self, number: int, row: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the right answers of a row, the reference first."""
        found = [self._text(number, row, "reference")]
        for name in (each for each in LISTED if each in self._columns):
            texts = answer_texts(row.get(self._columns[name]))
            if texts is None:
                self._problem(number, name, sentence("question.kind", column="reference"))
            elif name == "first_reference" and len(texts) > 1:
                self._noted.setdefault("first-reference", []).append(number)
                texts = texts[:1]
            found += [self._plain(number, name, each) for each in texts or ()]
        distinct = tuple(dict.fromkeys(filter(None, found)))
        if len(distinct) > MOST_REFERENCES + 1:
            self._problem(number, "references", sentence("question.many-references", n=len(distinct)))
        return distinct

    def _declares_no_answer(self, row: Mapping[str, Any]) -> bool:
        """Return whether a file of several answers has none to a question, as SQuAD 2 and MS MARCO write it."""
        # An empty list of other references next to a reference has no meaning: the list may also be left out.
        names = (name for name in LISTED if name in self._columns and name != "other_references")
        values = (row.get(self._columns[name]) for name in names)
        return any(value not in (None, "") and answer_texts(value) == [] for value in values)

    def _weight(self, number: int, row: Mapping[str, Any]) -> float | None:
        """Return the weight of a question; None where the cell is empty."""
        text = self._text(number, row, "weight")
        if not text:
            return None
        found = parsed_number(text)
        if found is None or not 0 < found <= HEAVIEST:
            self._problem(number, "weight", sentence("question.weight", weight=text[:40]))
            return None
        return found

    def _listed(
        self, number: int, row: Mapping[str, Any], name: str, items: TypeAdapter[tuple[Item, ...]]
    ) -> tuple[Item, ...] | None:
        """Return a list, or the list in a cell's JSON; None if the cell is empty or its list is invalid."""
        value = row.get(self._columns[name]) if name in self._columns else None
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        try:
            found = items.validate_python(listed_objects(value))
        except (ValidationError, ValueError, RecursionError):
            self._problem(number, name, sentence(f"question.{name}-form", form=_FORMS[name]))
            return None
        if not all(
            _is_storable(text) for item in found for text in item.model_dump().values() if isinstance(text, str)
        ):
            self._problem(number, name, sentence("question.not-text", column=name))
        return found

    def _contexts(self, number: int, row: Mapping[str, Any]) -> tuple[GoldPassage, ...]:
        """Return texts that contain the answer as gold passages of documents that are not known."""
        value = row.get(self._columns["contexts"]) if "contexts" in self._columns else None
        quotes = passages_in(value, joined=self._joins_contexts)
        if quotes is None:
            self._problem(number, "contexts", sentence("question.contexts-form"))
        elif not all(map(_is_storable, quotes)):
            self._problem(number, "contexts", sentence("question.not-text", column="contexts"))
        return tuple(GoldPassage(quote=quote) for quote in quotes or ())

    def _check_relevant(
        self, number: int, gold: tuple[GoldPassage, ...], relevant: tuple[RelevantDocument, ...] | None
    ) -> None:
        """Check that the relevant documents are consistent, and consistent with the gold passages."""
        names = [each.document for each in relevant or ()]
        if len(set(names)) != len(names):
            self._problem(number, "relevant", sentence("question.relevant-twice"))
        if relevant == () and gold:
            self._problem(number, "relevant", sentence("question.relevant-empty"))

    def _check(self, number: int, *, identity: str, text: str, short: Mapping[str, str]) -> None:
        """Check a row whose cells are readable."""
        if not text:
            self._problem(number, "question", sentence("question.blank"))
        for name, value in short.items():
            if len(value) > 200:
                self._problem(number, name, sentence("question.too-long", column=name))
        if not identity:
            self._problem(number, "id", sentence("question.id-blank"))
        elif len(identity) > 200:
            self._problem(number, "id", sentence("question.too-long", column="id"))
        elif identity in self._known_ids:
            self._problem(number, "id", sentence("question.id-known", id=identity))
        elif text and _plain(text) in self._known_texts:
            self._problem(number, "question", sentence("question.text-known", id=self._known_texts[_plain(text)]))
        elif self._first_row.setdefault(identity, number) != number:
            first = self._first_row[identity]
            self._problem(number, "id", sentence("question.id-used", id=identity, row=first))

    def notes(self) -> list[str]:
        """Return notes on how rows were changed."""
        notes: list[str] = [
            sentence("dataset.trimmed", n=count, column=self._columns[name])
            for name, count in self._trimmed.items()
            if count
        ]
        for name, cells in self._maybe_empty.items():
            values = tuple(dict.fromkeys(text for _, text in cells))
            column = self._columns[name]
            notes.append(sentence("dataset.maybe-empty", n=len(cells), column=column, values=values, row=cells[0][0]))
        several = [number for number, text in self._references if holds_several(text)]
        noted = {"maybe-several": several if 2 * len(several) >= len(self._references) else [], **self._noted}
        notes += [sentence(f"dataset.{code}", n=len(rows), row=rows[0]) for code, rows in noted.items() if rows]
        notes += [*damage_notes([*self._asked, *self._references]), *spelling_notes(self._references)]
        generated = sentence("dataset.generated-ids", first=self._generated(1))
        notes += rounded_notes(self._first_row) if "id" in self._columns else [generated]
        without = sum(1 for question in self.questions if not question.reference)
        repeated = sum(n - 1 for n in Counter(question.text for question in self.questions).values())
        counts = {"no-reference": without, "repeated-text": repeated}
        return [*notes, *(sentence(f"dataset.{code}", n=count) for code, count in counts.items() if count)]
