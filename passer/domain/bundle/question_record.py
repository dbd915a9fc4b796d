"""The record of one question in its hashed form, and its local timings, which are stored separately."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Literal, cast

from pydantic import model_validator

from passer.domain.base import Count, Frozen, added_field, canonical_json, digest_of
from passer.domain.bundle.merkle import Hash, leaf_hash
from passer.domain.dataset import MOST_REFERENCES
from passer.domain.ledger.entry import Digest
from passer.domain.models.answer import ModelTimings
from passer.domain.score import VECTOR_ORDER, ScoreNote, Scores, VectorReason

COLUMNS = frozenset(VECTOR_ORDER)
_IN_ORDER = itemgetter(*VECTOR_ORDER)
LARGEST_COUNT = 2**53 - 1
"""Largest integer that JSON represents exactly; a larger reported one is an error of the server."""

MODEL_TIMES = (
    "eval_duration_ns",
    "eval_count",
    "load_duration_ns",
    "prompt_eval_count",
    "prompt_eval_duration_ns",
    "total_duration_ns",
)
"""Times in the order of the contract's `addtimetest`."""
LOCAL_TIMES = ("embedding_s", "retrieval_s", "scoring_s")
"""Times that follow them in `addtimetest`."""
TIMES = (*MODEL_TIMES, *LOCAL_TIMES)
"""The nine times of a question."""


class RecordedPassage(Frozen):
    """A passage shown to the model."""

    id: str
    """Content-addressed."""
    rank: Count
    """Rank, from 1."""
    similarity: float
    """Similarity, -1 to 1."""


class RecordedContext(Frozen):
    """A passage that an external system reports; no collection of PaSSER contains it."""

    text: str
    """Its text."""
    document: str
    """Name of its document; empty if the system gives none."""
    score: float | None
    """Value by which the system ordered passages; null if it gives none."""


class WithheldTexts(Frozen):
    """Digests in place of the texts of a record that is published without them."""

    leaf: Digest
    """Leaf of the record with its texts."""
    asked: Digest
    """Digest of the list of id, question, reference and, if there are any, the list of other references."""


class QuestionRecord(Frozen):
    """The record of one question of a run: a line of questions.jsonl and a leaf of the Merkle tree."""

    number: Count
    """Place in the run, from 0."""
    id: str
    """Id of the question, unique in its dataset."""
    question: str
    """Text of the question."""
    reference: str
    """The reference answer."""
    state: Literal["answered", "scored", "failed"]
    """State of the evaluation."""
    reason: str | None
    """Reason of a failure; None without one."""
    passages: tuple[RecordedPassage, ...]
    """Passages shown to the model, in order."""
    prompt_digest: Digest | None
    """Digest of the messages as sent; None if nothing was asked."""
    answer: str | None
    """The scored answer; None if it failed."""
    timings: ModelTimings
    """Timings as the model server reports them."""
    scores: dict[str, float | None] | None
    """The 24 columns; None if it was not scored."""
    missing: dict[str, VectorReason]
    """Reasons of missing values by column."""
    notes: dict[str, ScoreNote]
    """Notes on values by column."""
    searched: tuple[str, ...] = added_field(())
    """Texts that were searched for in place of the question, where the retriever rewrites questions."""
    contexts: tuple[RecordedContext, ...] = added_field(())
    """Passages that an external system reports, in its order."""
    other_references: tuple[str, ...] = added_field((), max_length=MOST_REFERENCES)
    """Other right answers; each score is the best over the reference and these."""
    withheld: WithheldTexts | None = added_field(None)
    """Stands for the texts, which are then empty; left out of a record that has its texts."""

    @model_validator(mode="after")
    def _is_consistent(self) -> QuestionRecord:
        failed, scored = self.state == "failed", self.state == "scored"
        if (self.reason is not None) != failed or (self.answer is None) != failed:
            raise ValueError("a record has a reason and no answer exactly if its question failed")
        if (self.scores is not None) != scored:
            raise ValueError("a record has scores exactly if its question was scored")
        if self.scores is not None and self.scores.keys() != COLUMNS:
            raise ValueError("a record has a value or null for each of the 24 columns")
        if any(abs(value) > LARGEST_COUNT for _, value in self.timings if value is not None):
            raise ValueError("a time is an integer below 2^53")
        values = self.scores or {}
        if self.missing.keys() != {column for column, value in values.items() if value is None}:
            raise ValueError("a record has a reason for each score without a value, and for no other")
        if any(values.get(column) is None for column in self.notes):
            raise ValueError("a note requires a value")
        if self.withheld is not None and any(self._texts):
            raise ValueError("a record without texts has none")
        return self

    @property
    def _texts(self) -> tuple[str, ...]:
        of_contexts = (text for context in self.contexts for text in (context.text, context.document))
        return (*self.references, self.question, self.answer or "", *self.searched, *of_contexts)

    @property
    def references(self) -> tuple[str, ...]:
        """Return all right answers, the reference first."""
        return (self.reference, *self.other_references)

    @cached_property
    def line(self) -> bytes:
        """Return the canonical JSON, without a line break."""
        return canonical_json(self.model_dump(mode="json"))

    @cached_property
    def leaf(self) -> Hash:
        """Return the leaf of the Merkle tree: SHA-256(0x00 || line); as stated where the texts are withheld."""
        return leaf_hash(self.line) if self.withheld is None else bytes.fromhex(self.withheld.leaf)

    @cached_property
    def asked(self) -> str:
        """Return the digest of id, question and references; as stated where the texts are withheld."""
        own = (self.id, self.question, self.references)
        return question_digest(*own) if self.withheld is None else self.withheld.asked

    def without_texts(self) -> QuestionRecord:
        """Return the same record without question, references, answer, and the texts of searches and contexts."""
        held = {name: getattr(self, name) for name in QuestionRecord.model_fields}
        changes = {
            "question": "",
            "reference": "",
            "answer": None if self.answer is None else "",
            "searched": (),
            "other_references": (),
            "contexts": tuple(RecordedContext(text="", document="", score=context.score) for context in self.contexts),
            "withheld": WithheldTexts(leaf=self.leaf.hex(), asked=self.asked),
        }
        return QuestionRecord.model_validate({**held, **changes})

    @property
    def vector(self) -> tuple[float | None, ...]:
        """Return the scores in vector order; all None if it was not scored."""
        return vector(self.scores)


class TimingRecord(Frozen):
    """Local timings of one question in seconds: a line of timings.jsonl."""

    number: Count
    """Place in the run, from 0."""
    id: str
    """Id of the question."""
    embedding_s: float | None
    """Share of the time to embed a batch of questions."""
    retrieval_s: float | None
    """Share of the time to search for a batch of questions."""
    generation_s: float | None
    """Time from sending the prompt to the last byte of the answer, when it was generated."""
    scoring_s: float | None
    """Share of the time to score a batch, when it was scored."""
    reused: bool
    """True if the answer was generated for another evaluation."""

    @cached_property
    def line(self) -> bytes:
        """Return the canonical JSON, without a line break."""
        return canonical_json(self.model_dump(mode="json"))


def question_digest(question_id: str, text: str, references: Sequence[str]) -> str:
    """Return the digest of a question as it is asked, with its reference and, if it has any, its other references."""
    reference, *others = references
    return digest_of([question_id, text, reference, *([others] if others else [])])


def vector(scores: dict[str, float | None] | None) -> tuple[float | None, ...]:
    """Return the scores in vector order; all None without scores."""
    return _IN_ORDER(scores) if scores else (None,) * len(VECTOR_ORDER)


def times(model: ModelTimings, local: TimingRecord) -> tuple[float | None, ...]:
    """Return the nine times of a question in the order of the contract's `addtimetest`."""
    return (*(getattr(model, name) for name in MODEL_TIMES), *(getattr(local, name) for name in LOCAL_TIMES))


def recorded_scores(
    scores: Scores,
) -> tuple[dict[str, float | None], dict[str, VectorReason], dict[str, ScoreNote]]:
    """Return values, reasons and notes by column. An absent column was not requested. No value is -0."""
    values: dict[str, float | None] = {}
    missing: dict[str, VectorReason] = {}
    notes: dict[str, ScoreNote] = {}
    for column in VECTOR_ORDER:
        score = scores.get(column)
        value = score.value if score else None
        values[column] = None if value is None else value + 0.0
        if value is None:
            # The 24 columns have no other reasons, so that the form of a record does not grow with those of judges.
            missing[column] = cast("VectorReason", (score.reason if score else None) or "not_requested")
        elif score and score.note:
            notes[column] = score.note
    return values, missing, notes


def recorded_timings(timings: ModelTimings) -> ModelTimings:
    """Return the model's timings without numbers that JSON cannot hold."""
    kept = {name: value for name, value in timings if value is not None and abs(value) <= LARGEST_COUNT}
    return ModelTimings(**kept)


def formula_safe(text: str) -> str:
    """Return a text that no spreadsheet program runs as a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def csv_cell(text: str) -> str:
    """Return a text as a cell of scores.csv: no formula, quoted if necessary."""
    return csv_quoted(formula_safe(text))


def csv_quoted(cell: str) -> str:
    """Return a cell of a CSV (RFC 4180), quoted only if necessary."""
    if any(mark in cell for mark in '",\n\r'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
