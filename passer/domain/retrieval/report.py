"""Retrievers compared by retrieval alone: means over questions with intervals, and gains over the first retriever."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence

from pydantic import Field, field_validator

from passer.domain.analysis.study_table import Cell, StudyTable
from passer.domain.base import Frozen, canonical_json
from passer.domain.canonical import json_value
from passer.domain.figures.figure import Figure
from passer.domain.models.model import Model
from passer.domain.retrieval.at_k import By, figure_and_cut, figure_name
from passer.domain.retrieval.distances import BandFigures, Distances, Rating
from passer.domain.retrieval.inputs import InputSummary
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.retriever import Dense, Retriever, models_of
from passer.domain.statistics import Interval
from passer.domain.verdict.family import FamilyGain
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import NotFoundError

DEFAULT_KS = (1, 3, 5, 10)
_MEANS = ("mean_over_questions", "ci_low", "ci_high", "mean_over_groups")
_GAINS = ("gain", "gain_ci_low", "gain_ci_high", "outcome")
LONGEST_ID = 8000
"""Most characters of an id: servers and browsers refuse longer addresses. Only large term maps need more."""
LONGEST_REQUEST = 1 << 20
"""Bytes that an id may become when it is decompressed."""


class RetrievalRequest(Frozen):
    """Retrievers to compare, and the questions to compare them on."""

    dataset: str = Field(min_length=1)
    """Name of the dataset; its gold passages say what is relevant."""
    collection: str = Field(min_length=1)
    """Name of the collection."""
    retrievers: tuple[Retriever, ...] = Field(default=(Dense(),), min_length=1, max_length=20)
    """Retrievers; gains are over the first one."""
    ks: tuple[int, ...] = Field(default=DEFAULT_KS, min_length=1, max_length=20)
    """Numbers of passages K to evaluate, ascending."""
    by: By = "passage"
    """Unit that is counted: passages, or the documents that they are from."""
    group: str | None = None
    """Only the questions of this group; None for all."""
    category: str | None = None
    """Only the questions of this category; None for all."""
    questions: int | None = Field(default=None, ge=1, le=10_000_000)
    """Only the first questions of the dataset; None for all."""
    runs: tuple[str, ...] = Field(default=(), max_length=20)
    """Names of imported rankings that are compared with the retrievers."""
    qrels: str | None = None
    """Name of imported relevance grades that replace the gold passages of the dataset; None for these."""

    @property
    def models(self) -> tuple[Model, ...]:
        """Return every model that a retriever asks."""
        return tuple(dict.fromkeys(model for retriever in self.retrievers for model in models_of(retriever)))

    @field_validator("ks")
    @classmethod
    def _ascend(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if any(not 1 <= k <= 1000 for k in value) or list(value) != sorted(set(value)):
            raise ValueError(sentence("retrieval.cuts"))
        return value

    @field_validator("retrievers")
    @classmethod
    def _differ(cls, value: tuple[Retriever, ...]) -> tuple[Retriever, ...]:
        if len({retriever.key for retriever in value}) != len(value):
            raise ValueError(sentence("retrieval.twice"))
        return value


class QuestionRequest(RetrievalRequest):
    """Retrievers to show side by side for one question."""

    question_id: str = Field(min_length=1)
    """A question of the dataset."""


class FigureAtK(Frozen):
    """The mean of one figure at one cut, over the questions with something relevant."""

    name: str
    """Name of the column, such as `R@5`."""
    mean: float
    """Macro mean over questions: each counts once, or as the dataset weights it; in [0, 1]."""
    groups: dict[str, float] = Field(default_factory=dict)
    """The same mean over the questions of each group, by its name; empty without two groups."""
    over_groups: float | None = None
    """Macro mean over groups: each group counts once, whatever its number of questions; None without two groups."""
    interval: Interval | None = None
    """95 % interval of the mean by Wilson (1927), with the questions' own spread; None below 5 questions."""
    gain: FamilyGain | None = None
    """Gain over the first retriever, judged as a family over all retrievers; None for the first one."""
    rating: Rating | None = None
    """Rating of the mean, for P and R."""


class RankedFor(Frozen):
    """Result of one ranking for one question."""

    question_id: str
    """Id of the question."""
    names: tuple[str, ...]
    """The first names, as many as the largest cut."""
    first_relevant: int | None
    """Rank of the first relevant one, from 1; None if none is among them, or nothing is known to be relevant."""
    rewriting: Rewriting | None = None
    """Query; None if the question was searched for as it was asked."""
    distances: Distances | None = None
    """Distances of these names; None for an imported run."""


class RankingFigures(Frozen):
    """Figures of one retriever, or of one imported run."""

    label: LocalizedText
    """Name in tables."""
    retriever: Retriever | None = None
    """The retriever; None for an imported run."""
    is_by_grader: bool = False
    """True if the model that made the relevance grades also reranked it, which favours it."""
    figures: tuple[FigureAtK, ...]
    """Each figure at each cut; empty where nothing is known to be relevant."""
    f1_of_means: dict[str, float] = Field(default_factory=dict)
    """F1 of the means of P and R over questions, by cut; the mean of F1 is another value."""
    f1_of_group_means: dict[str, float] = Field(default_factory=dict)
    """F1 of the means of P and R over groups, by cut; empty without two groups."""
    unjudged: dict[str, float] = Field(default_factory=dict)
    """Mean share without a grade among the first K, by cut; they count as not relevant."""
    distances: dict[str, BandFigures] = Field(default_factory=dict)
    """Distances of the first K from their questions, by cut; empty for an imported run."""
    questions: tuple[RankedFor, ...]
    """Question by question."""


class RankedByAll(Frozen):
    """Results of all rankings of a comparison for one question."""

    question_id: str
    """Id of the question."""
    rankings: dict[str, RankedFor]
    """Rankings by name, in English."""


class RetrievalReport(Frozen):
    """Retrievers compared on the questions of a dataset."""

    id: str | None = None
    """Opens this comparison again, computed anew; None where files were used that are not imported, or where it would
    be too long."""
    dataset: str
    """Name of the dataset."""
    collection: str
    """Name of the collection."""
    by: By
    """Unit that is counted: passages, or the documents that they are from."""
    ks: tuple[int, ...]
    """Numbers of passages K that are evaluated, ascending."""
    n_questions: int
    """Questions ranked."""
    n_judged: int
    """Questions with something relevant, which the figures count."""
    rankings: tuple[RankingFigures, ...]
    """Rankings in the order of the request; imported runs follow."""
    grades: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Grade of each relevant passage or document, by question id."""
    curves: tuple[Figure, ...] = ()
    """The means over K, a figure for each measure; empty for one cut or where nothing is known to be relevant."""
    inputs: tuple[InputSummary, ...] = ()
    """Imported rankings and grades that were used, with the digests of their content at that time."""
    warnings: tuple[LocalizedText, ...] = ()
    """Limitations of the figures."""

    @property
    def questions(self) -> tuple[RankedByAll, ...]:
        """Return the questions in the order of the dataset, each with all rankings side by side."""
        by_ranking = {each.label: {found.question_id: found for found in each.questions} for each in self.rankings}
        ids = dict.fromkeys(found.question_id for each in self.rankings for found in each.questions)
        return tuple(
            RankedByAll(
                question_id=question,
                rankings={label: found[question] for label, found in by_ranking.items() if question in found},
            )
            for question in ids
        )


def retrieval_table(report: RetrievalReport) -> StudyTable:
    """Return one row for each ranking, figure and cut, with every mean by its name."""
    groups = sorted({group for ranking in report.rankings for each in ranking.figures for group in each.groups})
    columns = ("collection", "dataset", "by", "retriever", "figure", "k", "n", *_MEANS, *groups, *_GAINS)
    return StudyTable(columns=columns, rows=tuple(_rows(report, groups)))


def _rows(report: RetrievalReport, groups: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    for ranking in report.rankings:
        for each in (*ranking.figures, *_f1_of_means(ranking), *_unjudged(ranking)):
            figure, k = figure_and_cut(each.name)
            low, high = (each.interval.low, each.interval.high) if each.interval else (None, None)
            gain = each.gain
            yield (
                report.collection, report.dataset, report.by, ranking.label, figure, k, report.n_judged,
                each.mean, low, high, each.over_groups, *(each.groups.get(name) for name in groups),
                *((gain.gain, gain.low, gain.high, gain.outcome) if gain else (None,) * len(_GAINS)),
            )  # fmt: skip


def _f1_of_means(ranking: RankingFigures) -> Iterator[FigureAtK]:
    for k, mean in ranking.f1_of_means.items():
        yield FigureAtK(
            name=figure_name("F1 (of means)", int(k)), mean=mean, over_groups=ranking.f1_of_group_means.get(k)
        )


def _unjudged(ranking: RankingFigures) -> Iterator[FigureAtK]:
    for k, mean in ranking.unjudged.items():
        yield FigureAtK(name=figure_name("unjudged", int(k)), mean=mean)


class Comparison(Frozen):
    """A comparison of retrievers that was made."""

    request: RetrievalRequest
    collection: str
    """Digest of the version of the collection."""
    dataset: str
    """Digest of the dataset."""

    @property
    def id(self) -> str | None:
        """Return the id, the same for equal comparisons; None where it would be longer than LONGEST_ID."""
        packed = zlib.compress(canonical_json(self.model_dump(mode="json")), 9)
        found = urlsafe_b64encode(packed).decode().rstrip("=")
        return found if len(found) <= LONGEST_ID else None


def comparison_of(comparison_id: str) -> Comparison:
    """Return the comparison with this id; NotFoundError for a text that is none."""
    try:
        packed = urlsafe_b64decode(comparison_id + "=" * (-len(comparison_id) % 4))
        unpacking = zlib.decompressobj()
        found = unpacking.decompress(packed, LONGEST_REQUEST)
        # An id that was cut may still be whole JSON; only its checksum is missing then.
        if not unpacking.eof:
            raise ValueError("The end is missing.")
        return Comparison.model_validate(json_value(found.decode()))
    except (ValueError, zlib.error, RecursionError) as exc:
        raise NotFoundError(sentence("retrieval.no-comparison")) from exc
