"""What is kept of one question of a run, in the form that is hashed, and the seconds that were measured beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from pydantic import model_validator

from passer.domain.answer import ModelTimings
from passer.domain.base import Count, Frozen
from passer.domain.canonical import count_token, number_token, text_token
from passer.domain.ledger.entry import Digest
from passer.domain.merkle import Hash, leaf_hash
from passer.domain.score import VECTOR_ORDER, MissingReason, Scores

COLUMNS = frozenset(VECTOR_ORDER)
LARGEST_COUNT = 2**53 - 1
"""A larger integer is no number of JSON; a server that reports one reports nonsense."""

MODEL_TIMES = (
    "eval_duration_ns",
    "eval_count",
    "load_duration_ns",
    "prompt_eval_count",
    "prompt_eval_duration_ns",
    "total_duration_ns",
)
"""In the order of the contract's `addtimetest`."""
LOCAL_TIMES = ("embedding_s", "retrieval_s", "scoring_s")
"""What follows them there."""
TIMES = (*MODEL_TIMES, *LOCAL_TIMES)
"""The nine times of a question."""


_TIMING_NAMES = tuple(ModelTimings.model_fields)
_BY_NAME = tuple((f'"{name}":', VECTOR_ORDER.index(name)) for name in sorted(VECTOR_ORDER))
_TIMINGS_BY_NAME = tuple((f'"{name}":', _TIMING_NAMES.index(name)) for name in sorted(_TIMING_NAMES))
"""Members in canonical order, with the place of each in its own."""


class RecordedPassage(Frozen):
    """A passage that the model was shown."""

    id: str
    """Content-addressed."""
    rank: Count
    """From 1."""
    similarity: float
    """In [-1, 1]."""

    @property
    def json_text(self) -> str:
        """Its canonical JSON."""
        return (
            f'{{"id":{text_token(self.id)},"rank":{count_token(self.rank)},'
            f'"similarity":{number_token(self.similarity)}}}'
        )


class QuestionRecord(Frozen):
    """One question of a run: one line of questions.jsonl, one leaf of the tree."""

    number: Count
    """Place in the run, from 0."""
    id: str
    """Of the question, unique in its dataset."""
    question: str
    """As it was asked."""
    reference: str
    """The reference answer."""
    state: Literal["answered", "scored", "failed"]
    """How far it came."""
    reason: str | None
    """Why it failed."""
    passages: tuple[RecordedPassage, ...]
    """What the model was shown, in order."""
    prompt_digest: Digest | None
    """Of the messages as sent; None when nothing was asked."""
    answer: str | None
    """What is scored; None where it failed."""
    timings: ModelTimings
    """As the model server reports them."""
    scores: dict[str, float | None] | None
    """The 24 columns; None where it was not scored."""
    missing: dict[str, MissingReason]
    """Why a score has no value, by column."""
    notes: dict[str, Literal["answer_cut_off"]]
    """What to know of a value, by column."""

    @model_validator(mode="after")
    def _is_consistent(self) -> QuestionRecord:
        failed, scored = self.state == "failed", self.state == "scored"
        if (self.reason is not None) != failed or (self.answer is None) != failed:
            raise ValueError("a record has a reason and no answer just where its question failed")
        if (self.scores is not None) != scored:
            raise ValueError("a record has scores just where its question was scored")
        if self.scores is not None and self.scores.keys() != COLUMNS:
            raise ValueError("a record has a value or null for each of the 24 columns")
        values = self.scores or {}
        if self.missing.keys() != {column for column, value in values.items() if value is None}:
            raise ValueError("a record has a reason for each score without a value, and for no other")
        if any(values.get(column) is None for column in self.notes):
            raise ValueError("a note belongs to a value")
        return self

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Its scores in vector order as RFC 8785 writes them; empty for None."""
        return tuple("" if value is None else number_token(value) for value in self.vector)

    @cached_property
    def line(self) -> bytes:
        """Its canonical JSON, without a line break: ten thousand of them in less than a second."""
        scores = "null" if self.scores is None else _object(_BY_NAME, [token or "null" for token in self.tokens])
        passages = ",".join(passage.json_text for passage in self.passages)
        timings = _object(_TIMINGS_BY_NAME, [count_token(value) for _, value in self.timings])
        return (
            f'{{"answer":{text_token(self.answer)},"id":{text_token(self.id)},"missing":{_of_texts(self.missing)},'
            f'"notes":{_of_texts(self.notes)},"number":{count_token(self.number)},"passages":[{passages}],'
            f'"prompt_digest":{text_token(self.prompt_digest)},"question":{text_token(self.question)},'
            f'"reason":{text_token(self.reason)},"reference":{text_token(self.reference)},"scores":{scores},'
            f'"state":"{self.state}","timings":{timings}}}'
        ).encode()

    @cached_property
    def leaf(self) -> Hash:
        """SHA-256(0x00 || line)."""
        return leaf_hash(self.line)

    @property
    def vector(self) -> tuple[float | None, ...]:
        """Its scores in vector order; all None where it was not scored."""
        return vector(self.scores)


class TimingRecord(Frozen):
    """Seconds that were measured here for one question; one line of timings.jsonl."""

    number: Count
    """Place in the run, from 0."""
    id: str
    """Of the question."""
    embedding_s: float | None
    """Its share of embedding a batch of questions."""
    retrieval_s: float | None
    """Its share of searching for a batch of questions."""
    generation_s: float | None
    """From sending the prompt to the last byte of the answer, when that was made."""
    scoring_s: float | None
    """Its share of scoring a batch of answers, when that was done."""
    reused: bool
    """Whether the answer had been generated for another evaluation."""

    @cached_property
    def line(self) -> bytes:
        """Its canonical JSON, without a line break."""
        embedding, generation, retrieval, scoring = (
            "null" if value is None else number_token(value)
            for value in (self.embedding_s, self.generation_s, self.retrieval_s, self.scoring_s)
        )
        return (
            f'{{"embedding_s":{embedding},"generation_s":{generation},"id":{text_token(self.id)},'
            f'"number":{count_token(self.number)},"retrieval_s":{retrieval},'
            f'"reused":{"true" if self.reused else "false"},"scoring_s":{scoring}}}'
        ).encode()


def vector(scores: dict[str, float | None] | None) -> tuple[float | None, ...]:
    """Scores in vector order; all None where there are none."""
    return tuple(scores[column] for column in VECTOR_ORDER) if scores else (None,) * len(VECTOR_ORDER)


def times(model: ModelTimings, local: TimingRecord) -> tuple[float | None, ...]:
    """The nine times of a question in the order of the contract's `addtimetest`."""
    return (*(getattr(model, name) for name in MODEL_TIMES), *(getattr(local, name) for name in LOCAL_TIMES))


def recorded_scores(
    scores: Scores,
) -> tuple[dict[str, float | None], dict[str, MissingReason], dict[str, Literal["answer_cut_off"]]]:
    """Values, reasons and notes by column; a column that is not there was not requested. No value is -0."""
    values: dict[str, float | None] = {}
    missing: dict[str, MissingReason] = {}
    notes: dict[str, Literal["answer_cut_off"]] = {}
    for column in VECTOR_ORDER:
        score = scores.get(column)
        value = score.value if score else None
        values[column] = None if value is None else value + 0.0
        if value is None:
            missing[column] = (score.reason if score else None) or "not_requested"
        elif score and score.note:
            notes[column] = score.note
    return values, missing, notes


def recorded_timings(timings: ModelTimings) -> ModelTimings:
    """Model-reported timings without numbers that JSON cannot hold."""
    kept = {name: value for name, value in timings if value is not None and abs(value) <= LARGEST_COUNT}
    return ModelTimings(**kept)


def _object(names: Sequence[tuple[str, int]], tokens: Sequence[str]) -> str:
    """An object with these members in their order; a member's token stands at its place."""
    return "{" + ",".join([name + tokens[place] for name, place in names]) + "}"


def _of_texts(texts: Mapping[str, str]) -> str:
    """An object of names and words that need no escape."""
    return "{" + ",".join([f'"{name}":"{texts[name]}"' for name in sorted(texts)]) + "}"


def csv_cell(text: str) -> str:
    """A text as a cell of scores.csv: no formula, quoted where it has to be."""
    safe = f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
    if any(mark in safe for mark in '",\n\r'):
        return '"' + safe.replace('"', '""') + '"'
    return safe
