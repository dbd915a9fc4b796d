"""Tuned tasks: another instruction and worked examples for a judge, chosen by people's ratings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field, JsonValue

from passer.domain.base import Frozen, added_field, digest_of
from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import ASPECTS
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
    """Settings of tuning: the split of the rated answers, and the number of candidates."""

    train: float = Field(default=0.5, ge=0.2, le=0.8)
    """Share of the labelled questions that choose; the others test the choice once."""
    few_shots: int = Field(default=8, ge=0, le=MOST_SHOTS)
    """Worked examples: labelled answers to as many questions of the first split."""
    instructions: int = Field(default=10, ge=0, le=30)
    """Rewrites of the instruction that the judge is asked for."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of split and examples."""


class Tuning(TuningSettings):
    """Tuning of the task of one column, by the labels of another assessment's answers."""

    assessment: str
    """Id of the assessment whose answers people rated."""


class TunedColumn(Frozen):
    """One metric of a task with several, on the split that tests."""

    column: str
    """Name of the judged metric."""
    test: int
    """Rated answers to which both tasks gave a grade."""
    rho_before: float | None
    """Spearman's rho of people and judge with the task as it was; None if one side is constant."""
    rho_after: float | None
    """The same with the tuned task."""
    error_before: float | None
    """Mean absolute difference of people and judge with the task as it was; None without values."""
    error_after: float | None
    """The same with the tuned task."""


class TuningEvidence(Frozen):
    """Evidence of a tuned task: its selection, and its results on questions that did not select it."""

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
    """Spearman's rho of people and judge on the test split with the task as it was; None if one side is constant.

    Of a task with several metrics, the mean over those in which people differ; one in which the judge does not is 0.
    """
    rho_after: float | None
    """The same with the tuned task."""
    error_before: float | None
    """Mean absolute difference of people and judge on the test split with the task as it was; None without values."""
    error_after: float | None
    """The same with the tuned task."""
    error_change: Interval | None
    """95 % interval of `error_after` - `error_before` by a bootstrap of whole questions; None below three questions."""
    columns: tuple[TunedColumn, ...] = added_field(())
    """Each metric by whose ratings the task was tuned; empty if it is one."""


class TunedTask(Frozen):
    """A task of a judge with another instruction or worked examples: the content of a task file."""

    column: str = Field(min_length=1, max_length=100)
    """Name of a judged metric that the task belongs to."""
    task: TaskText
    """Instruction, schema, worked examples and their digest."""
    trained_on: tuple[str, ...] = Field(max_length=20_000)
    """Keys of the answers whose labels chose the task; their questions never calibrate a judge that uses it."""
    evidence: TuningEvidence
    """Selection of the task, and its result on the test questions."""

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
    """The reply of a task whose grades are the values of its metrics."""

    reason: str
    """Name of the member with the judge's reason."""
    grades: Mapping[str, str]
    """Names of the members with the grades, by metric."""
    highest: int
    """Highest grade; the lowest is 0."""

    def reply(self, values: Mapping[str, float]) -> dict[str, JsonValue]:
        """Return the reply that gives these values in [0, 1], one for each metric."""
        grades = {member: round(values[column] * self.highest) for column, member in self.grades.items()}
        return {self.reason: _BY_A_PERSON, **grades}

    def values(self, reply: Mapping[str, JsonValue]) -> dict[str, float]:
        """Return the value of each metric, in [0, 1]."""
        return {column: int(str(reply[member])) / self.highest for column, member in self.grades.items()}


GRADE_FORMS = (
    GradeForm("a_reason", {"Answer correctness": "b_grade"}, 10),
    GradeForm("a_reason", {"Answerability": "b_decision"}, 1),
    GradeForm("a_reason", {"Answer attempted": "b_decision"}, 1),
    GradeForm("a_reason", {"Stand-alone question": "b_grade"}, 10),
    GradeForm("a_reason", {"Passage relevance": "b_grade"}, 2),
    GradeForm("a_reason", {"Passage relevance (UMBRELA)": "b_grade"}, 3),
    GradeForm("a_reason", {"Passage relevance (expert)": "b_grade"}, 2),
    GradeForm("a_reason", ASPECTS, 2),
)
"""Tasks whose grades are values. Those of passages ask once for each, so that only ratings of a single passage are
grades of theirs; other tasks compute a value from what was replied, and a person's rating is no grade of theirs."""


def grade_form(column: str) -> GradeForm | None:
    """Return the reply form of the task of a metric; None where its value is not a grade of the reply."""
    return next((form for form in GRADE_FORMS if column in form.grades), None)


@dataclass(frozen=True)
class LabelledAsk:
    """An answer that people rated, with what the judge is asked about it."""

    item_key: str
    """Content address of the answer."""
    question: str
    """Text of its question."""
    ask: Ask
    """The judge's ask."""
    human: Mapping[str, float]
    """Means of the raters' first labels, in [0, 1], by metric; a metric in which nobody rated it is left out."""


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

    def rated(self, columns: Sequence[str], *, least: int) -> tuple[str, ...]:
        """Return the metrics with at least this many answers in the split that chooses and in the split that tests."""
        return tuple(column for column in columns if min(self.sizes(column)) >= least)

    def sizes(self, column: str) -> tuple[int, int]:
        """Return how many answers that choose, and how many that test, are rated in a metric."""
        selection, test = (sum(column in each.human for each in part) for part in (self.selection, self.test))
        return selection, test

    def of(self, columns: Collection[str]) -> Split:
        """Return the split without answers that nobody rated in one of these metrics."""
        selection, test = (
            tuple(each for each in part if not each.human.keys().isdisjoint(columns))
            for part in (self.selection, self.test)
        )
        return replace(self, selection=selection, test=test)


def split_of(
    labelled: Sequence[LabelledAsk], *, columns: Collection[str], train: float, shots: int, seed: int
) -> Split:
    """Split labelled answers by the digests of their questions, so that the same seed gives the same split.

    The first `train` of the questions choose the task; one answer to each of the first `shots` of these is an example,
    if it is rated in all `columns`, the metrics of the task.
    """
    whole = [each for each in labelled if each.human.keys() >= set(columns)]
    questions = sorted({each.question for each in labelled}, key=lambda text: digest_of([seed, text]))
    chosen = questions[: round(train * len(questions))]
    examples = [question for question in chosen if any(each.question == question for each in whole)][:shots]
    return Split(
        shots=tuple(_first(whole, question) for question in examples),
        selection=_of(labelled, set(chosen) - set(examples)),
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
