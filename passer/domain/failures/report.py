"""Report of failure stages: counts for each run that sum to its questions, and settings that would keep the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from pydantic import Field

from passer.domain.analysis.study_table import StudyTable, tabulate
from passer.domain.base import Frozen
from passer.domain.failures.locator import LABELS, FailureLabel, QuestionEvidence
from passer.domain.judging.judgement import NamedJudge, calibration
from passer.domain.statistics import Interval, wilson_interval
from passer.domain.wording.sentence import LocalizedText, sentence


class LowLimit(Frozen):
    """Definition of low scores."""

    column: str
    """Column that decides; higher values are better."""
    below: float
    """Smaller values are low."""
    line: LocalizedText
    """The limit in words."""


class LocatedQuestion(Frozen):
    """Failure stage of one question."""

    number: int
    """Place in the dataset, from 0."""
    question_id: str
    """Id of the question."""
    question: str
    """Its text."""
    label: FailureLabel
    """Stage at which the question failed; `fine` if its score is not low."""
    rank: int | None = None
    """Rank of the deciding gold passage in the whole ranking; None if unknown or not retrieved."""
    similarity: float | None = None
    """Similarity of that passage."""
    depth: int = 0
    """Passages that were retrieved."""
    used: float | None = None
    """Share of the keywords of reference and gold passages that a low answer has; None where it was not needed."""
    score: float | None = None
    """Value of the column that decides."""


class Share(Frozen):
    """A count of questions with its share."""

    n: int
    """Number of questions with the property."""
    of: int
    """Number of questions."""
    interval: Interval | None = None
    """95 % Wilson interval of n / of; None of no questions."""

    @classmethod
    def count(cls, found: Sequence[bool]) -> Share:
        """Return the share of true values."""
        return cls(n=sum(found), of=len(found), interval=wilson_interval(sum(found), len(found)))


class Decisions(Frozen):
    """Abstaining as a decision: four counts over the questions with an answer and known gold passages.

    Without a gold passage, a question counts where a judge decided whether its passages contain the answer.
    """

    answered_with_gold: Share
    """Answered, and the kept passages contain the answer."""
    right: Share
    """Share of all these questions that were answered with gold passages and whose score is not low."""
    right_abstention: Share
    """Abstained, and the kept passages do not contain the answer."""
    over_refusal: Share
    """Abstained although the kept passages contain the answer."""
    unsupported_answer: Share
    """Answered although the kept passages do not contain the answer."""
    abstained_answerable: Share
    """Abstentions among questions that the documents answer."""
    abstained_unanswerable: Share
    """Abstentions among questions that the dataset declares unanswerable."""


class DecidedBy(Frozen):
    """Source of the decisions on abstentions and on passages that contain the answer."""

    judge: str | None = None
    """Model that judged whether answers are attempts; None if a list of phrases decided on all."""
    judged: int = 0
    """Answers that it judged; the list of phrases decided on the others."""
    rated: int = 0
    """Answers whose attempt people have rated too; 0 is uncalibrated."""
    passages_judge: str | None = None
    """Model that judged the passages of questions without gold passages; None if there are none."""
    passages_judged: int = 0
    """Questions whose passages it judged."""
    passages_rated: int = 0
    """Questions whose passages people have rated too; 0 is uncalibrated."""
    line: LocalizedText
    """The source in words."""

    @property
    def calibration(self) -> str | None:
        """Return whether people have rated what the judge of attempts decides on; None without a judge."""
        return None if self.judge is None else calibration(self.rated)

    @classmethod
    def of(
        cls, items: Sequence[QuestionEvidence], judge: NamedJudge | None, passages_judge: NamedJudge | None
    ) -> DecidedBy:
        """Count the questions of `decisions` on which judges decided."""
        known = _known(items)
        judged = sum(item.attempted is not None for item in known)
        passages = sum(item.gold is None and not item.unanswerable for item in known)
        found, line = cls(judged=judged, passages_judged=passages, line=""), sentence("failures.by-phrases")
        if judged and judge is not None:
            line = sentence("failures.by-judge", judge=judge.label, n=judged, of=len(known), others=len(known) - judged)
            found = found.model_copy(update={"judge": judge.name, "rated": judge.rated})
        if passages and passages_judge is not None:
            line = sentence("failures.by-both", first=line, judge=passages_judge.label, n=passages)
            update = {"passages_judge": passages_judge.name, "passages_rated": passages_judge.rated}
            found = found.model_copy(update=update)
        return found.model_copy(update={"line": line})


class NeededCut(Frozen):
    """A cut that would have kept the gold passages of half of the questions that lost them to the cut."""

    k: int
    """Number of passages."""
    kept_at_k: int
    """Questions whose gold passages this k keeps."""
    min_similarity: float | None
    """Similarity threshold; None for a retriever that does not order by similarity, whose rankings it cannot cut."""
    kept_at_similarity: int | None
    """Questions whose gold passages this threshold keeps, among those retrieved; None without a threshold."""
    of: int
    """Questions whose gold passages the collection contains."""
    line: LocalizedText
    """The cut in words."""


class RunFailures(Frozen):
    """Failure stages of the questions of one run."""

    run_id: str
    """Id of the run."""
    name: LocalizedText
    """Name of the configuration."""
    n: int
    """Questions that are answered and scored, or failed."""
    counts: dict[FailureLabel, int]
    """Questions of each label, in the order in which labels are tried; they sum to n; 0 is left out."""
    needed: NeededCut | None = None
    """None where no question lost its gold passages to the cut."""
    decisions: Decisions | None = None
    """None without retrieval, or where it is not known for any question whether its passages contain the answer."""
    decided_by: DecidedBy | None = None
    """None without decisions."""
    by_group: dict[str, dict[FailureLabel, int]] = Field(default_factory=dict)
    """The counts by group of questions, where the dataset has groups."""
    questions: tuple[LocatedQuestion, ...] = ()
    """Question by question; empty in the report of a sweep."""


class FailureReport(Frozen):
    """Failure stages of the questions of several runs."""

    low: LowLimit | None
    """Scores that are low; None where nothing is scored."""
    best: bool
    """True if the best gold passage of a question decides instead of the worst."""
    runs: tuple[RunFailures, ...]
    """Runs in the order of the sweep."""
    deciders: tuple[LocalizedText, ...] = ()
    """Sources of the decisions in words; each names its runs where they differ."""


def deciders(runs: Sequence[RunFailures]) -> tuple[str, ...]:
    """Return the sources of the decisions of several runs, one sentence each."""
    names: dict[str, list[str]] = {}
    for run in runs:
        if run.decided_by is not None:
            names.setdefault(run.decided_by.line, []).append(run.name)
    if len(names) < 2:
        return tuple(names)
    return tuple(sentence("failures.decided-for", names=tuple(own), line=line) for line, own in names.items())


def counted(labels: Sequence[FailureLabel]) -> dict[FailureLabel, int]:
    """Count labels, in their order."""
    found = Counter(labels)
    return {label: found[label] for label in LABELS if found[label]}


def decisions(items: Sequence[QuestionEvidence], *, best: bool) -> Decisions | None:
    """Return what was decided, answer or abstention, and whether the passages allowed an answer; None without gold."""
    known = _known(items)
    if not known:
        return None
    pairs = [(item.declined, bool(item.may_answer(best=best))) for item in known]
    right = [
        held and not abstained and item.is_low is False for item, (abstained, held) in zip(known, pairs, strict=True)
    ]
    return Decisions(
        answered_with_gold=Share.count([held and not abstained for abstained, held in pairs]),
        right=Share.count(right),
        right_abstention=Share.count([abstained and not held for abstained, held in pairs]),
        over_refusal=Share.count([abstained and held for abstained, held in pairs]),
        unsupported_answer=Share.count([not abstained and not held for abstained, held in pairs]),
        abstained_answerable=Share.count(
            [item.declined for item in known if item.gold is not None and not item.unanswerable]
        ),
        abstained_unanswerable=Share.count([item.declined for item in known if item.unanswerable]),
    )


def _known(items: Sequence[QuestionEvidence]) -> list[QuestionEvidence]:
    """Return the questions with an answer of which it is known whether their passages contain one."""
    return [each for each in items if each.answered and each.retrieves and each.may_answer(best=True) is not None]


def needed_cut(
    items: Sequence[QuestionEvidence], labels: Sequence[FailureLabel], *, best: bool, is_by_similarity: bool = True
) -> NeededCut | None:
    """Return the smallest k, and the largest threshold, that keep the gold passages of half of what the cut lost.

    Rankings by anything but similarity cannot be cut by a threshold.
    """
    lost = [
        place for item, label in zip(items, labels, strict=True) if label == "cut" if (place := item.place(best=best))
    ]
    if not lost:
        return None
    # The lower median: the first place in order at which half of the lost questions, or one more, are kept.
    half = (len(lost) - 1) // 2
    k = sorted(place.rank for place in lost)[half]
    in_collection = [item for item in items if item.gold]
    places = [place for item in in_collection if (place := item.place(best=best))]
    of, kept = len(in_collection), sum(place.rank <= k for place in places)
    threshold, similar, said = None, None, sentence("failures.needed-k", k=k, kept=kept, of=of)
    if is_by_similarity:
        threshold = sorted((place.similarity for place in lost), reverse=True)[half]
        similar = sum(place.similarity >= threshold for place in places)
        said = sentence("failures.needed", k=k, kept=kept, threshold=threshold, similar=similar, of=of)
    return NeededCut(k=k, kept_at_k=kept, min_similarity=threshold, kept_at_similarity=similar, of=of, line=said)


def failure_tables(report: FailureReport) -> dict[str, StudyTable]:
    """Return the counts of each run, and what it decided, as tables."""
    used = [label for label in LABELS if any(label in run.counts for run in report.runs)]
    counts = tabulate(
        ("name", "n", *(f"located_{label}" for label in used), "needed_k", "kept_at_k"),
        report.runs,
        {
            "needed_k": "needed.k",
            "kept_at_k": "needed.kept_at_k",
            **{f"located_{label}": _count_of(label) for label in used},
        },
    )
    decided = [
        (
            run.name, sentence(f"decision.{name}"), share.n, share.of, *_bounds(share.interval), by.judge, by.judged,
            by.calibration,
        )
        for run in report.runs
        if (by := run.decided_by) is not None
        for name, share in run.decisions or ()
    ]  # fmt: skip
    columns = ("name", "decision", "n", "of", "ci_low", "ci_high", "judge", "judged", "calibration")
    return {"failures": counts, "abstention": StudyTable(columns=columns, rows=tuple(decided))}


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _count_of(label: FailureLabel) -> Callable[[RunFailures], int]:
    return lambda run: run.counts.get(label, 0)


def grouped(groups: Mapping[str, Sequence[FailureLabel]]) -> dict[str, dict[FailureLabel, int]]:
    """Count the labels of each group."""
    return {name: counted(labels) for name, labels in sorted(groups.items())}
