"""Tuned tasks: another instruction and worked examples for a judge, chosen by the labels of people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from pydantic import Field, JsonValue

from passer.domain.base import Frozen, digest_of
from passer.domain.judging.ask import Ask
from passer.domain.judging.task import JudgeTask, Shot, TaskText
from passer.domain.statistics import Interval
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

LONGEST = 4000
"""Longest instruction, in characters."""
MOST_SHOTS = 16
"""Most worked examples of a tuned task."""
_BY_A_PERSON = "A person gave this grade."


class TuningSettings(Frozen):
    """How labels are split, and how many candidates are tried."""

    train: float = Field(default=0.5, ge=0.2, le=0.8)
    """Share of the labelled questions that choose; the others test the choice once."""
    few_shots: int = Field(default=8, ge=0, le=MOST_SHOTS)
    """Worked examples: labelled answers to as many questions of the first split."""
    instructions: int = Field(default=10, ge=0, le=30)
    """Rewrites of the instruction that the judge is asked for."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of split and examples."""


class Tuning(TuningSettings):
    """What an assessment tunes: the task of its one column, by the labels of another assessment's answers."""

    assessment: str
    """Id of the assessment whose answers people rated."""


class TuningEvidence(Frozen):
    """How a tuned task was chosen, and what it achieved on questions that did not choose it."""

    judge: str
    """Name of the judge's model."""
    judge_digest: str
    """Digest of its weights; `unknown` if its server reports none."""
    seed: int
    """Seed of split and examples."""
    selection: int
    """Answers that chose among the candidates."""
    candidates: int
    """Candidates, with the task as it was."""
    test: int
    """Answers of the disjoint split on which the choice was tried once."""
    rho_before: float | None
    """Spearman's rho of people and judge on the test split with the task as it was; None if one side is constant."""
    rho_after: float | None
    """The same with the tuned task."""
    error_before: float | None
    """Mean absolute difference of people and judge on the test split with the task as it was; None without values."""
    error_after: float | None
    """The same with the tuned task."""
    error_change: Interval | None
    """95 % interval of `error_after` - `error_before` by a bootstrap of whole questions; None below three questions."""


class TunedTask(Frozen):
    """A task of a judge with another instruction or worked examples: the content of a task file."""

    column: str = Field(min_length=1, max_length=100)
    """Name of the judged metric that the task belongs to."""
    task: TaskText
    """Instruction, schema, worked examples and their digest."""
    trained_on: tuple[str, ...] = Field(max_length=20_000)
    """Keys of the answers whose labels chose the task; their questions never calibrate a judge that uses it."""
    evidence: TuningEvidence
    """How it was chosen, and what it achieved."""

    def applied(self, base: JudgeTask) -> JudgeTask:
        """Return the task with this instruction and these examples.

        InputError if the file is of another task or reply form, was changed, or is too long.
        """
        if self.task.name != base.name or self.task.reply_schema != base.schema:
            raise InputError(sentence("tuning.other-task", column=self.column), field="tuned")
        if len(self.task.instruction) > LONGEST or len(self.task.examples) > MOST_SHOTS:
            raise InputError(sentence("tuning.too-long", longest=LONGEST, most=MOST_SHOTS), field="tuned")
        found = replace(base, instruction=self.task.instruction, examples=self.task.examples)
        if found.digest != self.task.digest:
            raise InputError(sentence("tuning.changed"), field="tuned")
        return found


@dataclass(frozen=True)
class GradeForm:
    """The reply of a task that gives one grade."""

    reason: str
    """Name of the member with the judge's reason."""
    grade: str
    """Name of the member with the grade."""
    highest: int
    """Highest grade; the lowest is 0."""

    def reply(self, value: float) -> dict[str, JsonValue]:
        """Return the reply that gives a value in [0, 1]."""
        return {self.reason: _BY_A_PERSON, self.grade: round(value * self.highest)}


GRADE_FORMS: Mapping[str, GradeForm] = MappingProxyType(
    {
        "Answer correctness": GradeForm("a_reason", "b_grade", 10),
        "Answerability": GradeForm("a_reason", "b_decision", 1),
        "Stand-alone question": GradeForm("a_reason", "b_grade", 10),
        "Passage relevance": GradeForm("a_reason", "b_grade", 2),
        "Passage relevance (UMBRELA)": GradeForm("a_reason", "b_grade", 3),
        "Passage relevance (expert)": GradeForm("a_reason", "b_grade", 2),
    }
)
"""Metrics with one grade in a reply. Those of passages ask once for each, so that only ratings of a single passage are
grades of theirs; others compute their value from what was replied, and a person's rating is no grade of theirs."""


@dataclass(frozen=True)
class LabelledAsk:
    """An answer that people rated, with what the judge is asked about it."""

    item_key: str
    """Content address of the answer."""
    question: str
    """Text of its question."""
    ask: Ask
    """The judge's ask."""
    human: float
    """Mean of the raters' first labels, in [0, 1]."""


@dataclass(frozen=True)
class Split:
    """Labelled answers by what they are used for; no question is in two parts."""

    shots: tuple[LabelledAsk, ...]
    """Worked examples, one question each."""
    selection: tuple[LabelledAsk, ...]
    """Answers that choose among candidates."""
    test: tuple[LabelledAsk, ...]
    """Answers on which the choice is tried once."""

    @property
    def trained_on(self) -> tuple[str, ...]:
        """Return the keys of the answers that choose the task, as examples too."""
        return tuple(sorted({each.item_key for each in (*self.shots, *self.selection)}))


def split_of(labelled: Sequence[LabelledAsk], *, train: float, shots: int, seed: int) -> Split:
    """Split labelled answers by the digests of their questions, so that the same seed gives the same split.

    The first `train` of the questions choose the task; one answer to each of the first `shots` of these is an example.
    """
    questions = sorted({each.question for each in labelled}, key=lambda text: digest_of([seed, text]))
    chosen = questions[: round(train * len(questions))]
    examples = chosen[:shots]
    return Split(
        shots=tuple(_first(labelled, question) for question in examples),
        selection=_of(labelled, chosen[shots:]),
        test=_of(labelled, questions[len(chosen) :]),
    )


def with_shots(task: JudgeTask, form: GradeForm, shots: Sequence[LabelledAsk]) -> JudgeTask:
    """Return a task whose worked examples are answers with the grades that people gave."""
    return replace(task, examples=tuple(Shot(given=each.ask.given, reply=form.reply(each.human)) for each in shots))


def _first(labelled: Sequence[LabelledAsk], question: str) -> LabelledAsk:
    return min(_of(labelled, (question,)), key=lambda each: each.item_key)


def _of(labelled: Sequence[LabelledAsk], questions: Collection[str]) -> tuple[LabelledAsk, ...]:
    wanted = set(questions)
    return tuple(each for each in labelled if each.question in wanted)
