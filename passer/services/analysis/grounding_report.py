"""Citations and grounding of runs, with the values expected by chance: values, means and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from passer.domain.agreement_measures import kendall_tau_b
from passer.domain.analysis.study_table import Source, StudyTable, tabulate, yes_or_no
from passer.domain.base import Frozen
from passer.domain.judging.judgement import NamedJudge
from passer.domain.judging.recipe import Finding
from passer.domain.share_intervals import column_interval, unit_mean_interval
from passer.domain.statistics import FEWEST_DRAWN, SHARE, Bounds, Floats, Interval, mean_interval
from passer.domain.texts.keywords import has_stop_words
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.metrics.grounded.checks import CheckedAnswer, GroundingLimits
from passer.metrics.registry import infos

_BOUNDS: Mapping[str, Bounds] = {info.name: info.bounds for info in infos("grounded")}
COLUMNS = tuple(_BOUNDS)
"""Columns in the order of their registration: Citations, Citation rate, Cited share, Grounded share, Mean grounding."""
RATE, GROUNDED = "Citation rate", "Grounded share"
BY_CHANCE = (RATE, GROUNDED)
"""Columns that are also computed against passages of other questions."""


AGAINST = {
    RATE: "Citation precision",
    "Cited share": "Citation recall",
    GROUNDED: "Faithfulness",
    "Mean grounding": "Faithfulness",
}
"""The judged column that measures by meaning what a column measures by words."""
JudgedValues = Mapping[str, tuple[NamedJudge, Mapping[int, float]]]
"""Judge and its values by number of the question, by judged column."""


class AgainstJudged(Frozen):
    """Another column compared with the judged one, answer by answer."""

    column: str
    """The judged column."""
    judge: str
    """Model that judged."""
    rated: int
    """Answers that it judged in this column and people have rated; 0 is uncalibrated."""
    tau: float | None
    """Kendall's tau-b; None where a column is constant."""
    n: int
    """Answers with both values."""


class GroundedQuestion(Frozen):
    """One answer."""

    number: int
    """Place in the dataset, from 0."""
    question_id: str
    """Id of the question."""
    question: str
    """Its text."""
    columns: dict[str, Finding]
    """Findings by column."""
    chance: dict[str, Finding]
    """The columns whose value by chance is computed, against as many passages of other questions as were kept."""
    verified: int
    """Number of verified citations."""
    citations: int
    """Number of citations."""
    cited: int
    """Number of sentences with a citation."""
    sentences: int
    """Number of sentences."""
    grounded: int
    """Number of grounded sentences."""
    with_keywords: int
    """Sentences with keywords, which Grounded share counts."""


class GroundedColumn(Frozen):
    """One column over the answers of a run."""

    name: str
    """Name of the column."""
    mean: float | None
    """Mean of the answers with a value, each with the same weight (macro); None without one."""
    micro: float | None
    """Sum over sum, each citation or sentence with the same weight; None where the column is no share."""
    n: int
    """Answers with a value."""
    missing: dict[str, int]
    """Answers without a value, by reason."""
    interval: Interval | None = None
    """95 % interval of the mean: by Wilson (1927) with the answers' own spread, for counts by Student's t; None below 5
    answers, and for counts that are all equal."""
    chance: float | None = None
    """Mean of the same column against passages of other questions; None where it is not computed."""
    above_chance: Interval | None = None
    """95 % interval of the mean difference to chance, question by question."""
    judged: AgainstJudged | None = None
    """Correlation with the judged column, where a judge has judged every answer of the run."""

    @property
    def is_above_chance(self) -> bool | None:
        """Return whether the mean difference to chance is surely positive; None where it is not computed."""
        return None if self.above_chance is None else self.above_chance.low > 0


class RunGrounding(Frozen):
    """Citations and grounding of one run."""

    run_id: str
    """Id of the run."""
    name: LocalizedText
    """Name of the configuration."""
    n: int
    """Questions with an answer, or that failed."""
    cites: bool
    """True if the prompt asked for citations; otherwise their columns are not requested."""
    columns: tuple[GroundedColumn, ...]
    """Columns, with means and intervals."""
    questions: tuple[GroundedQuestion, ...] = ()
    """Question by question; empty in the report of a sweep."""
    warnings: tuple[LocalizedText, ...] = ()
    """Limitations of the figures."""


class GroundingReport(Frozen):
    """Citations and grounding of some runs."""

    limits: GroundingLimits
    """Limits that were applied."""
    seed: int
    """Seed of the draw of passages of other questions."""
    stop_words: str
    """SHA-256 of the lists of words that are no keywords."""
    runs: tuple[RunGrounding, ...]
    """Runs in the order of the sweep."""


def run_columns(questions: Sequence[GroundedQuestion], judged: JudgedValues) -> tuple[GroundedColumn, ...]:
    """Return every column over some answers, and the judged columns."""
    return tuple(_column(name, questions, judged) for name in COLUMNS)


def _against(name: str, questions: Sequence[GroundedQuestion], judged: JudgedValues) -> AgainstJudged | None:
    other = AGAINST.get(name)
    if other is None or other not in judged:
        return None
    judge, values = judged[other]
    pairs = [
        (value, values[each.number])
        for each in questions
        if (value := each.columns[name].value) is not None and each.number in values
    ]
    if not pairs:
        return None
    ours, theirs = np.array(pairs, dtype=np.float64).T
    found = kendall_tau_b(ours, theirs)
    tau = found.tau if found else None
    return AgainstJudged(column=other, judge=judge.name, rated=judge.rated, tau=tau, n=len(pairs))


def warnings_of(columns: Sequence[GroundedColumn], languages: Iterable[str] = ()) -> tuple[LocalizedText, ...]:
    """Return which columns are not above chance, and which languages of the questions have no stop words."""
    unlisted = sorted(language for language in set(languages) if not has_stop_words(language))
    return (
        *(
            sentence("grounding.not-above-chance", column=column.name)
            for column in columns
            if column.is_above_chance is False
        ),
        *((sentence("grounding.no-stop-words", languages=", ".join(unlisted)),) if unlisted else ()),
    )


def counts_of(found: CheckedAnswer) -> dict[str, int]:
    """Return the counts behind the shares of an answer."""
    return {
        "verified": sum(each.is_verified for each in found.citations),
        "citations": len(found.citations),
        "cited": sum(bool(each.cites) for each in found.sentences),
        "sentences": len(found.sentences),
        "grounded": sum(each.is_grounded for each in found.sentences),
        "with_keywords": sum(each.share is not None for each in found.sentences),
    }


def grounding_table(report: GroundingReport) -> StudyTable:
    """Return one row for each run and column that has a value."""
    rows = [(run.name, column) for run in report.runs for column in run.columns if column.n]
    sources: dict[str, Source] = {name: _of_column(name) for name in ("micro", "n", "chance", "mean")}
    sources |= {"name": lambda row: row[0], "grounded_column": lambda row: row[1].name}
    sources |= {"ci_low": _bound("interval", "low"), "ci_high": _bound("interval", "high")}
    sources["above_chance"] = lambda row: yes_or_no(row[1].is_above_chance)
    columns = ("name", "grounded_column", "mean", "ci_low", "ci_high", "micro", "chance", "above_chance", "n")
    return tabulate(columns, rows, sources)


def _of_column(name: str) -> Callable[[tuple[str, GroundedColumn]], float | None]:
    return lambda row: getattr(row[1], name)


def _bound(name: str, end: str) -> Callable[[tuple[str, GroundedColumn]], float | None]:
    return lambda row: getattr(getattr(row[1], name), end, None)


_PARTS = {
    RATE: ("verified", "citations"),
    "Cited share": ("cited", "sentences"),
    GROUNDED: ("grounded", "with_keywords"),
}
"""Numerator and denominator of the columns that are shares."""


def _column(name: str, questions: Sequence[GroundedQuestion], judged: JudgedValues) -> GroundedColumn:
    valued = [each for each in questions if each.columns[name].value is not None]
    values = np.array([each.columns[name].value for each in valued], dtype=np.float64)
    missing = Counter(reason for each in questions if (reason := each.columns[name].reason))
    paired = [
        (float(each.columns[name].value or 0), chance)
        for each in valued
        if name in BY_CHANCE and (chance := each.chance[name].value) is not None
    ]
    return GroundedColumn(
        name=name,
        mean=float(values.mean()) if valued else None,
        micro=_micro(name, valued),
        n=len(valued),
        missing=dict(missing),
        interval=_interval(values, _BOUNDS[name]),
        chance=float(np.mean([chance for _, chance in paired])) if paired else None,
        above_chance=_above_chance(np.array([value - chance for value, chance in paired], np.float64)),
        judged=_against(name, questions, judged),
    )


def _micro(name: str, valued: Sequence[GroundedQuestion]) -> float | None:
    if name not in _PARTS:
        return None
    part, whole = _PARTS[name]
    of = sum(getattr(each, whole) for each in valued)
    return sum(getattr(each, part) for each in valued) / of if of else None


def _interval(values: Floats, bounds: Bounds) -> Interval | None:
    # Counts have no scale on which equal ones would be a share, and are not certain.
    if values.size < FEWEST_DRAWN or (bounds != SHARE and not np.ptp(values)):
        return None
    return column_interval(values, None, bounds)


def _above_chance(values: Floats) -> Interval | None:
    if values.size < FEWEST_DRAWN:
        return None
    if np.ptp(values):
        return mean_interval(values, bounds=(-1.0, 1.0))
    # Equal differences show no spread, but are not certain: their halves are shares.
    half = unit_mean_interval((values + 1) / 2)
    return half and Interval(low=2 * half.low - 1, high=2 * half.high - 1)
