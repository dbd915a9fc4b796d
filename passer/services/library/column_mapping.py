"""Maps the columns of a question file: canonical names, aliases, and the two meanings of `answer`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.models.outside import ONLY_ANSWERS, RETRIEVED
from passer.domain.texts.written_numbers import parsed_number
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import Problem
from passer.services.library.column_names import plain_name

ALIASES: dict[str, tuple[str, ...]] = {
    "id": ("id", "qid", "query_id", "question_id", "_id"),
    "question": ("question", "user_input", "input", "query"),
    "reference": (
        *("reference", "ground_truth", "expected_output", "target", "gt_answer"),
        *("reference_answer", "expected_answer", "expected_response", "correct_answer", "gold_answer"),
        *("expected", "ideal", "true_answer", "ground_truth_answer"),
    ),
    "other_references": ("other_references", "alt_ans", "answer_aliases"),
    "references": ("references", "answers", "possible_answers", "ground_truths", "generation_gt", "golden_answers"),
    "first_reference": ("first_reference",),
    "gold_passages": ("gold_passages",),
    "contexts": (
        "contexts",
        "context",
        "reference_contexts",
        "reference_context",
        "expected_chunks",
        "positive_passages",
    ),
    "cluster": ("cluster",),
    "group": ("group",),
    "category": ("category",),
    "relevant": ("relevant", "relevant_documents"),
    "weight": ("weight",),
    "language": ("language",),
}
"""Canonical columns with their aliases, in lower case. `references` are several right answers, all compared, and
`first_reference` is the first of such a list; `other_references` are those beside a `reference`."""
OF_REFERENCES = ("reference", "references", "first_reference")
"""Columns of which one has the reference."""
LISTED = ("references", "other_references", "first_reference")
"""Columns of right answers, of which a row may have several."""
AMBIGUOUS = "answer"
"""Column that contains the reference in PaSSER files and the produced answer in old ragas files."""
PRODUCED_BESIDE = ("contexts", "retrieved_contexts")
"""Columns that occur with a produced answer, never with a reference alone."""
GENERATED = (AMBIGUOUS, "response")
"""Columns of answers that a system gave."""
BESIDE_RETRIEVED = frozenset(("response", "predicted_answer"))
"""Columns of generated answers in files whose `context` is what a system retrieved, such as those of Azure and
Haystack."""
OF_OTHER_TOOLS = (
    *("synthesizer_name", "persona_name", "query_style", "query_length"),
    *("evolution_type", "episode_done", "metadata", "conversation_history"),
    *("source_file", "tools_called", "expected_tools", "token_cost", "input_token_count", "output_token_count"),
    *("additional_metadata", "custom_column_key_values", "expectations"),
    *("query_by", "reference_answer_by", "row_idx", "truncated_cells", "created_at", "updated_at"),
    *("dataset_id", "dataset_name", "source_trace_id", "source_observation_id"),
)
"""Columns that say how a question was made or answered: of ragas, of its version 0.1, BEIR's queries, Giskard,
DeepEval, LlamaIndex, Hugging Face, LangSmith and Langfuse."""
OF_ROWS = frozenset(("no.", "no", "nr", "nr.", "n°", "№", "#", "s.no", "s.no.", "lfd._nr.", "номер", "№_по_ред"))
"""Columns in which people number rows."""
UNKNOWN_COLUMN = ("dataset.column-nearly", "dataset.column-strange")
"""Codes of the problems that ignoring a column solves."""
MISSING_COLUMN = ("dataset.column-missing", "dataset.answer-alone")
"""Codes of the problems that mapping a column solves."""
OF_DEEPEVAL = frozenset({"input", "actual_output", "expected_output", "context"})
"""Columns of DeepEval's CSV, in which a cell holds the passages joined by `|`."""
BESIDE_DEEPEVAL = ("name", "comments")
"""Columns of DeepEval whose names others may use for what a dataset has."""
_KNOWN = frozenset((AMBIGUOUS, *(alias for aliases in ALIASES.values() for alias in aliases)))
MOST_TITLES = 20
"""Rows among which the header is looked for."""
REQUIRED = ("question", "reference")
WITHOUT_REFERENCES = ("qid", "query_id", "_id")
"""Names of the id column in files of queries, such as RAGElo's and BEIR's, which contain no references."""


class ColumnMapping(Frozen):
    """Mapping of the columns of a file. Sent back unchanged, it confirms the proposal of a preview."""

    columns: dict[str, str] = Field(default_factory=dict)
    """Canonical name -> column of the file."""
    ignored: tuple[str, ...] = ()
    """Columns of the file to ignore."""
    notes: tuple[LocalizedText, ...] = ()
    """Decisions that the reader should see, one sentence each."""


def proposed_mapping(
    found: Sequence[str],
    *,
    given: ColumnMapping | None = None,
    ignored: Sequence[str] = (),
    has_references: bool = True,
) -> tuple[ColumnMapping, list[Problem]]:
    """Return how a file with these columns is read, and its problems; `given` wins where it decides.

    Without `has_references` the file is of a kind that has none, so their column is not missed.
    """
    given = given or ColumnMapping()
    proposal = _Proposal(found, given, ignored)
    proposal.set_aside_what_tools_add()
    proposal.match_aliases()
    proposal.decide_answer()
    columns, notes, problems = proposal.columns, proposal.notes, proposal.problems
    has_references = has_references and plain_name(columns.get("id", "")) not in WITHOUT_REFERENCES
    if not {*OF_REFERENCES} & set(columns) and not has_references:
        notes.append(sentence("dataset.no-references"))
    mapping = ColumnMapping(columns=columns, ignored=tuple(proposal.left_out), notes=tuple(notes))
    named_already = {problem.field for problem in problems}
    further = _mapping_problems(mapping, found, has_references)
    return mapping, [*problems, *(problem for problem in further if problem.field not in named_already)]


class _Proposal:
    """A mapping while it is decided, column by column."""

    def __init__(self, found: Sequence[str], given: ColumnMapping, ignored: Sequence[str]) -> None:
        self._found, self._given = found, given
        self.columns = dict(given.columns)
        mapped = set(self.columns.values())
        self.left_out = [column for column in found if column in {*given.ignored, *ignored} - mapped]
        self._free = [column for column in found if column not in {*self.left_out, *mapped}]
        """Columns that nothing has decided yet."""
        self.notes: list[LocalizedText] = []
        self.problems: list[Problem] = []

    def set_aside_what_tools_add(self) -> None:
        """Leave out retrieved passages of a system, and columns on how a question was made."""
        for code, names in (("dataset.contexts-retrieved", RETRIEVED), ("dataset.column-numbers", OF_ROWS)):
            for column in [column for column in self._free if plain_name(column) in names]:
                self._set_aside(column, code)
        known = OF_OTHER_TOOLS + (BESIDE_DEEPEVAL if set(self._found) >= OF_DEEPEVAL else ())
        of_tools = [column for column in self._free if plain_name(column) in known]
        if of_tools:
            self._free = [column for column in self._free if column not in of_tools]
            self.left_out += of_tools
            self.notes.append(sentence("dataset.columns-other-tool", columns=tuple(of_tools), n=len(of_tools)))

    def match_aliases(self) -> None:
        """Map each canonical name to the column that has it or one of its aliases; two such columns are a problem."""
        for canonical, aliases in ALIASES.items():
            matches = [column for column in self._free if plain_name(column) in aliases]
            if len(matches) > 1 or (matches and canonical in self._given.columns):
                rivals = [*filter(None, [self._given.columns.get(canonical)]), *matches]
                self.problems.append(_ambiguous_column(canonical, rivals))
            if matches:
                self.columns.setdefault(canonical, matches[0])
        rivals = [self.columns[name] for name in OF_REFERENCES if name in self.columns]
        if len(rivals) > 1 and not {*OF_REFERENCES} & set(self._given.columns):
            self.problems.append(_ambiguous_column("reference", rivals))
        if self.columns.get("id") == "_id" and "text" in self._free and "title" not in self._found:
            self.columns.setdefault("question", "text")  # BEIR's queries.jsonl; its corpus has titles
        self.notes += [
            sentence("dataset.column-used", column=column, name=name)
            for name, column in self.columns.items()
            if column != name and name != "contexts"
        ]

    def decide_answer(self) -> None:
        """Decide whether `answer` is the reference or what a system generated, and so what its contexts are."""
        free = [column for column in self._free if column not in self.columns.values()]
        generated = [column for column in free if plain_name(column) in ONLY_ANSWERS[1:]]
        reference = _reference_in(self.columns)
        if reference:
            self.left_out += generated
            self.notes += [sentence("dataset.answer-ignored", column=each, other=reference) for each in generated]
        is_retrieved = bool(reference) and not BESIDE_RETRIEVED.isdisjoint(map(plain_name, generated))
        answer = next((column for column in self._free if plain_name(column) == AMBIGUOUS), None)
        if answer is not None:
            self.notes.append(_decide_answer(answer, self._found, self.columns, self.left_out))
            is_retrieved = is_retrieved or answer in self.left_out
        is_open = "contexts" not in self._given.columns and _is_ambiguous(self.columns.get("contexts", ""))
        if is_retrieved and is_open:
            self._set_aside(self.columns.pop("contexts"), "dataset.contexts-retrieved")
        if "contexts" in self.columns:
            self.notes.append(sentence("dataset.contexts-used", column=self.columns["contexts"]))

    def _set_aside(self, column: str, code: str) -> None:
        self._free.remove(column)
        self.left_out.append(column)
        self.notes.append(sentence(code, column=column))


def header_below(rows: Sequence[tuple[int, Mapping[str, Any]]]) -> tuple[int, list[str]] | None:
    """Return the first row, and its cells, that names columns of questions: titles are above the header."""
    for number, row in rows[:MOST_TITLES]:
        cells = [cell for value in row.values() for cell in (value if isinstance(value, list) else [value])]
        names = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
        plain = set(map(plain_name, names))
        if plain & {*ALIASES["question"]} and len(plain & _KNOWN) > 1:
            return number, names
    return None


def data_in_header(found: Sequence[str]) -> str | None:
    """Return a name of a column that is a number or question, where no other is known; data frames count from 0."""
    if not _KNOWN.isdisjoint(map(plain_name, found)):
        return None
    if list(found) == [str(place) for place in range(len(found))]:
        return None
    is_asked = (name for name in found if " " in name.strip() and name.rstrip().endswith(("?", "\uff1f")))
    return next((name for name in found if parsed_number(name.strip()) is not None), next(is_asked, None))


def other_file(found: Sequence[str], stem: str) -> str | None:
    """Return the code of what a file is that contains no questions: documents or relevance grades of BEIR."""
    names = {*map(plain_name, found)}
    if names & {*ALIASES["question"]}:
        return None
    if {"_id", "text"} <= names and (stem.lower().startswith("corpus") or "title" in names):
        return "dataset.corpus"
    return "dataset.qrels" if {"query_id", "corpus_id"} <= names else None


def _mapping_problems(mapping: ColumnMapping, found: Sequence[str], has_references: bool) -> list[Problem]:
    """Return what prevents a mapping from being used with these columns."""
    problems = [
        Problem(sentence("dataset.column-unknown", name=name, known=", ".join(ALIASES)), field=name)
        for name in mapping.columns
        if name not in ALIASES
    ]
    problems += [
        Problem(sentence("dataset.column-absent", column=column, name=name), field=column)
        for name, column in mapping.columns.items()
        if column not in found
    ]
    unknown = [c for c in found if c not in mapping.columns.values() and c not in mapping.ignored]
    required = REQUIRED if has_references else REQUIRED[:1]
    known = {*mapping.columns, *(["reference"] if _reference_in(mapping.columns) else [])}
    missing = [name for name in required if name not in known]
    problems += [_unknown(column) for column in unknown]
    answer = next(
        (each for each in found if plain_name(each) in GENERATED and each not in mapping.columns.values()), None
    )
    problems += [_missing(name, found, answer) for name in missing]
    return problems


def _ambiguous_column(canonical: str, matches: Sequence[str]) -> Problem:
    return Problem(sentence("dataset.columns-rival", columns=", ".join(matches), name=canonical), field=matches[1])


def _decide_answer(column: str, found: Sequence[str], columns: dict[str, str], left_out: list[str]) -> str:
    """Map `answer` to the reference, or ignore it if it seems to contain generated answers."""
    if known := _reference_in(columns):
        left_out.append(column)
        return sentence("dataset.answer-ignored", column=column, other=known)
    beside = next((name for name in found if plain_name(name) in PRODUCED_BESIDE), None)
    if beside is not None:
        left_out.append(column)
        return sentence("dataset.answer-generated", column=column, other=beside)
    columns["reference"] = column
    return sentence("dataset.answer-used", column=column)


def _reference_in(columns: Mapping[str, str]) -> str | None:
    """Return the column of the file that has the reference, if any."""
    return next((columns[name] for name in OF_REFERENCES if name in columns), None)


def _is_ambiguous(column: str) -> bool:
    """Return whether a column next to generated answers can contain retrieved passages instead of gold passages."""
    return plain_name(column) in ("contexts", "context")


def _unknown(column: str) -> Problem:
    nearest = _nearest(column)
    if nearest is None:
        return Problem(sentence("dataset.column-strange", column=column), field=column)
    return Problem(sentence("dataset.column-nearly", column=column, nearest=nearest), field=column)


def _missing(name: str, found: Sequence[str], answer: str | None) -> Problem:
    if name == "reference" and answer is not None:
        return Problem(sentence("dataset.answer-alone", column=answer), field=name)
    return Problem(
        sentence("dataset.column-missing", name=name, known=" or ".join(ALIASES[name][:4]), found=", ".join(found)),
        field=name,
    )


def _nearest(column: str) -> str | None:
    from rapidfuzz import fuzz, process

    names = [alias for aliases in ALIASES.values() for alias in aliases]
    best = process.extractOne(plain_name(column), names, scorer=fuzz.ratio, score_cutoff=70)
    return str(best[0]) if best else None
