"""Checks the judged column of a verdict: marks follow from the judge's replies, and values from the marks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from passer.domain.base import digest_of
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.judged_document import JudgedRecord, JudgementRecord, MarkRecord
from passer.domain.bundle.judged_texts import AnsweredTexts, RunTexts, given_digests
from passer.domain.bundle.ratings import wrong_ratings
from passer.domain.bundle.verdict_document import VerdictDocument
from passer.domain.judging.formulas import FORMULAS, followed
from passer.domain.judging.task import FORM
from passer.domain.score import CAUSED_BY_SYSTEM

TOLERANCE = 1e-8
"""Tolerance of all values of a verdict; means of repeats may be summed in another order."""
_FAILED, _EMPTY, _UNJUDGED = "generation_failed", "empty_answer", "judge_failed"


@dataclass(frozen=True)
class JudgedCheck:
    """Compares the marks of a judge with its replies, with the texts of some runs and with the verdict's values."""

    read: VerdictDocument
    judged: JudgedRecord
    texts: Mapping[str, RunTexts]
    """Texts of the runs whose records are at hand, by id of the run."""

    def problem(self) -> Violation | None:
        """Return the first inconsistent mark or value; None if the values follow from the replies."""
        if self.judged.column != self.read.rule.primary:
            return Violation("It is not the primary metric.", field="judged.column")
        checks = (
            self._form_problem,
            self._stated,
            self._replies,
            self._of_texts,
            self._left_out,
            self._unmarked,
            lambda: wrong_ratings(self.judged, self._questions),
        )
        return next((wrong for check in checks if (wrong := check()) is not None), None)

    @property
    def detail(self) -> str:
        """Return the number of recomputed values, as a part of a sentence."""
        count = sum(len(run.marks) for run in self.judged.runs)
        if self.is_recomputed:
            rated = self.judged.ratings and sum(len(run.ratings) for run in self.judged.ratings.runs)
            corrected = f", and {rated} ratings of people correct the gains" if rated else ""
            return f"{count} marks follow from the judge's replies{corrected}"
        return f"values follow from {count} marks, which also need texts or vectors and are stated, not recomputed"

    @property
    def is_recomputed(self) -> bool:
        """Return whether the marks follow from the replies alone; other columns also need texts or vectors."""
        return self.judged.column in FORMULAS

    @cached_property
    def _questions(self) -> Sequence[str]:
        return self.judged.questions or self.read.questions

    def _form_problem(self) -> Violation | None:
        """Return the first inconsistency: other runs, a list of another length, or an invalid index."""
        judged, asked = self.judged, self._questions
        if [run.id for run in judged.runs] != [run.id for each in self.read.configurations for run in each.runs]:
            return Violation("Its runs are not those of the configurations.", field="judged.runs")
        # Marks are found by question: of two with one name, the first would never be compared.
        if len(set(asked)) != len(asked):
            return Violation("A question occurs twice.", field="judged.questions")
        for run_id, texts in self.texts.items():
            if judged.is_whole and list(texts) != list(asked):
                return Violation(f"They are not the questions of run {run_id}.", field="judged.questions")
        for place, run in enumerate(judged.runs):
            if len(run.marks) != len(asked):
                path = f"judged.runs[{place}].marks"
                return Violation(f"It has {len(run.marks)} values for {len(asked)} questions.", field=path)
        return self._without_judgement()

    def _without_judgement(self) -> Violation | None:
        """Return the first mark that names a judgement which is not in the list."""
        for path, _, mark in self._marks():
            if any(position >= len(self.judged.judgements) for position in mark.judgements):
                return Violation("There is no such judgement.", field=f"{path}.judgements")
        return None

    def _stated(self) -> Violation | None:
        """Return what the judgements state otherwise than their tasks, or than one another."""
        judged, stated = self.judged, {task.name: task.digest for task in self.judged.tasks}
        if not judged.is_whole:
            return None
        used = dict.fromkeys(position for _, _, mark in self._marks() for position in mark.judgements)
        # Also refuses judgements that no mark uses: they could pad the file with replies that say something else.
        if list(used) != list(range(len(judged.judgements))):
            return Violation("They are not in the order in which the marks use them.", field="judged.judgements")
        for place, task in enumerate(judged.tasks):
            parts = {"instruction": task.instruction, "schema": task.reply_schema}
            examples = [shot.model_dump(mode="json") for shot in task.examples]
            if _digest({"form": FORM, **parts, "examples": examples}) != task.digest:
                return Violation("It is not the digest of the task.", field=f"judged.tasks[{place}].digest")
        known: set[str] = set()
        for place, each in enumerate(judged.judgements):
            path = f"judged.judgements[{place}]"
            if stated.get(each.task) != each.task_digest:
                return Violation("There is no such task.", field=f"{path}.task_digest")
            # A judge that changed its weights in mid-run would be two judges, and their values could not be compared.
            if each.model_digest != judged.judgements[0].model_digest:
                return Violation("It is of another model.", field=f"{path}.model_digest")
            if each.key in known:
                return Violation("The judgement occurs twice.", field=f"{path}.key")
            known.add(each.key)
        return None

    def _replies(self) -> Violation | None:
        """Return the first mark that does not follow from its replies."""
        if not self.is_recomputed:
            return None
        for path, _, mark in self._marks():
            if not self._follows(mark):
                return Violation("It does not follow from the judge's replies.", field=f"{path}.value")
        return None

    def _follows(self, mark: MarkRecord) -> bool:
        if not mark.judgements:
            return mark.value is None
        if mark.reason == _UNJUDGED and not self.judged.is_whole:
            # Earlier versions stated the replies that there were beside one that the server failed to give.
            return True
        try:
            value, reason = followed(self.judged.column, self._replies_of(mark))
        except ValueError:
            return mark.reason == _UNJUDGED
        return reason == mark.reason and _is_close(value, mark.value)

    def _of_texts(self) -> Violation | None:
        """Return the first mark or judgement that is not of the texts of its run."""
        for path, texts, mark in self._marks():
            if texts is None:
                continue
            is_answered = texts.answer is not None
            if not is_answered and mark.value is not None:
                return Violation("The question has no answer that could be judged.", field=f"{path}.value")
            is_other = self.judged.is_whole and is_answered == (mark.reason == _FAILED)
            if is_other or (mark.reason == _EMPTY and (texts.answer or "").strip()):
                return Violation("The answer in the records is not missing for this reason.", field=f"{path}.reason")
            if (wrong := self._other_texts(mark, texts)) is not None:
                return wrong
        return None

    def _other_texts(self, mark: MarkRecord, texts: AnsweredTexts) -> Violation | None:
        """Return the first judgement of other texts; those that read passages cannot be compared."""
        if not self.is_recomputed or texts.answer is None:
            return None
        try:
            given = given_digests(self._replies_of(mark), texts)
        except ValueError:
            return None
        for position, expected in zip(mark.judgements, given, strict=True):
            if expected not in (None, self.judged.judgements[position].given_digest):
                path = f"judged.judgements[{position}].given_digest"
                return Violation("The judge was given texts that differ from those of the records.", field=path)
        return None

    def _left_out(self) -> Violation | None:
        """Return whether the verdict lacks a question that has a value, or has them in another order."""
        if not self.judged.is_whole:
            return None
        known = (
            question
            for run in self.judged.runs
            for question, mark in zip(self._questions, run.marks, strict=True)
            if _worth(mark) is not None
        )
        if list(dict.fromkeys(known)) == list(self.read.questions):
            return None
        return Violation("They are not the questions that the judge's marks have.", field="questions")

    def _unmarked(self) -> Violation | None:
        """Return the first value that is not the mean of the marks of the configuration's runs."""
        of_run = {run.id: dict(zip(self._questions, run.marks, strict=True)) for run in self.judged.runs}
        for place, each in enumerate(self.read.configurations):
            for number, (question, value) in enumerate(zip(self.read.questions, each.values, strict=True)):
                known = [found for run in each.runs if (found := _worth(of_run[run.id][question])) is not None]
                if not _is_close(value, sum(known) / len(known) if known else None):
                    path = f"configurations[{place}].values[{number}]"
                    return Violation("The value does not follow from the judge's marks.", field=path)
        return None

    def _replies_of(self, mark: MarkRecord) -> list[JudgementRecord]:
        return [self.judged.judgements[position] for position in mark.judgements]

    def _marks(self) -> Iterator[tuple[str, AnsweredTexts | None, MarkRecord]]:
        """Yield the path of each mark, the texts of its question where they are at hand, and the mark."""
        for place, run in enumerate(self.judged.runs):
            texts = self.texts.get(run.id)
            for number, mark in enumerate(run.marks):
                own = None if texts is None else texts.get(self._questions[number], AnsweredTexts("", ("",), None))
                yield f"judged.runs[{place}].marks[{number}]", own, mark


def _worth(mark: MarkRecord) -> float | None:
    """Return the value of a mark: 0 where the system lost it, None where measuring did."""
    if mark.value is None and mark.reason in CAUSED_BY_SYSTEM:
        return 0.0
    return mark.value


def _is_close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, abs_tol=TOLERANCE)


def _digest(parts: dict[str, Any]) -> str | None:
    """Return the digest of a task; None where canonical JSON cannot write one of its numbers, such as 1e16."""
    try:
        return digest_of(parts)
    except ValueError:
        return None
