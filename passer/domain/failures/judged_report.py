"""Reasons for low scores by a judge: counts of labels over all questions, after RAGalyst (its Table IV)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Self

from pydantic import Field

from passer.domain.analysis.study_table import StudyTable
from passer.domain.base import Frozen
from passer.domain.failures.judged_labels import INCOMPLETE, LLM_LABELS, RAG_LABELS, AskedLabel, CodeLabel
from passer.domain.failures.locator import FailureLabel
from passer.domain.judging.judgement import calibration
from passer.domain.wording.sentence import LocalizedText, sentence

WhyLabel = AskedLabel | CodeLabel
"""Every label of the report."""
RAG: tuple[WhyLabel, ...] = ("missing_content", "missed_top_ranked", *RAG_LABELS, INCOMPLETE)
"""Labels of what went wrong between collection and answer."""
WHY: tuple[WhyLabel, ...] = (*RAG, *LLM_LABELS, "other", "unjudged", "no_failure")
"""Labels in the order of the report: RAG, LLM, then what is neither."""
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Bounds of the quarters of correctness; 1 itself is in none of them."""


class JudgedAnswerLabels(Frozen):
    """Labels and correctness of one answer."""

    correctness: float | None
    """Correctness, 0 to 1; None if it was not judged."""
    labels: frozenset[AskedLabel] | None
    """Labels that apply; None if they were not judged."""
    reason: str | None = None
    """Reason why something was not judged."""
    absent: bool = False
    """True if the collection has no gold passage; False where missing content is not looked for."""
    missed: bool = False
    """True if no gold passage was kept."""
    located: FailureLabel
    """Stage at which the question failed, found by code."""
    group: str = ""
    """Group of the question; empty without one."""

    def why(self, below: float) -> tuple[WhyLabel, ...]:
        """Return the labels of an answer that is low below this correctness; at least one."""
        if self.correctness is not None and self.correctness >= below:
            return ("no_failure",)
        if self.correctness is None or self.labels is None:
            return ("unjudged",)
        by_code = {"missing_content": self.absent, "missed_top_ranked": self.missed and not self.absent}
        found = [label for label in WHY if by_code.get(label) or label in self.labels]
        return tuple(found) or ("other",)


class LabelCount(Frozen):
    """A label over the questions of a run, of a group or of a quarter."""

    n: int
    """Questions with the label."""
    share: float
    """n divided by all of these questions, in [0, 1]."""


Counts = dict[WhyLabel, LabelCount]
"""Counts by label, those that occur, in the order of the report."""


class Quarter(Frozen):
    """The questions whose correctness is in [low, high)."""

    low: float
    """Smallest correctness of the quarter."""
    high: float
    """End of the quarter, which is not part of it."""
    n: int
    """Number of questions."""
    counts: Counts
    """Their labels; shares are of this quarter."""


class RunWhy(Frozen):
    """Reasons for low scores of one run."""

    run_id: str
    """Id of the run."""
    name: LocalizedText
    """Name of the configuration."""
    n: int
    """Questions, with those that have no answer or no judgement."""
    counts: Counts
    """Shares are of all questions. A question can have several labels, so they do not sum to 1."""
    unjudged: dict[str, int] = Field(default_factory=dict)
    """Questions without a judgement, by reason."""
    by_group: dict[str, Counts] = Field(default_factory=dict)
    """Shares are of the questions of the group."""
    quarters: tuple[Quarter, ...] = ()
    """Quarters by correctness; questions with correctness 1 are in none."""
    crossed: dict[FailureLabel, dict[WhyLabel, int]] = Field(default_factory=dict)
    """Questions by where they failed, by code, and why, by the judge."""

    @classmethod
    def of(cls, run_id: str, name: str, answers: Sequence[JudgedAnswerLabels], *, below: float) -> Self:
        """Count the labels of the answers of a run."""
        groups: dict[str, list[JudgedAnswerLabels]] = defaultdict(list)
        crossed: dict[FailureLabel, Counter[WhyLabel]] = defaultdict(Counter)
        for answer in answers:
            if answer.group:
                groups[answer.group].append(answer)
            crossed[answer.located].update(answer.why(below))
        missing = [answer.reason or "none" for answer in answers if answer.why(below) == ("unjudged",)]
        return cls(
            run_id=run_id,
            name=name,
            n=len(answers),
            counts=_counts(answers, below),
            unjudged=dict(sorted(Counter(missing).items())),
            by_group={group: _counts(own, below) for group, own in sorted(groups.items())},
            quarters=tuple(_quarters(answers, below)),
            crossed={place: {label: found[label] for label in WHY if found[label]} for place, found in crossed.items()},
        )


class WhyReport(Frozen):
    """Reasons for low correctness, by the judge of one assessment."""

    assessment: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""
    rated: int
    """Answers that it judged and people have rated, in the label with the most; 0 is uncalibrated."""
    below: float
    """Answers of lower correctness are low."""
    runs: tuple[RunWhy, ...]
    """Runs of the assessment."""
    warnings: tuple[LocalizedText, ...] = ()
    """Remarks about the judge and the labels."""


def shares(counts: Mapping[WhyLabel, int], n: int) -> Counts:
    """Return counts of labels with their share of n questions, in the order of the report."""
    return {label: LabelCount(n=counts[label], share=counts[label] / n) for label in WHY if counts.get(label)}


def _counts(answers: Sequence[JudgedAnswerLabels], below: float) -> Counts:
    return shares(Counter(label for answer in answers for label in answer.why(below)), len(answers))


def _quarters(answers: Sequence[JudgedAnswerLabels], below: float) -> Iterator[Quarter]:
    for low, high in pairwise(QUARTERS):
        own = [each for each in answers if each.correctness is not None and low <= each.correctness < high]
        if own:
            yield Quarter(low=low, high=high, n=len(own), counts=_counts(own, below))


def why_table(reports: Iterable[WhyReport]) -> StudyTable:
    """Return a row for each label of each run, of all its questions and of each group; the group is None for all."""
    rows = [
        (report.judge, run.name, group, sentence(f"why.{label}"), count.n, count.share, calibration(report.rated))
        for report in reports
        for run in report.runs
        for group, counts in ((None, run.counts), *run.by_group.items())
        for label, count in counts.items()
    ]
    return StudyTable(columns=("judge", "name", "group", "why", "n", "share", "calibration"), rows=tuple(rows))
