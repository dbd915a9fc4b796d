"""Means of one column over time: one line for each configuration of the sweeps of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from passer.domain.base import Frozen
from passer.domain.dataset import weights_of
from passer.domain.figures.axes import COUNTED, column, interval, slug
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.judgement import NamedJudge
from passer.domain.lru_cache import LruCache
from passer.domain.score import VECTOR_ORDER
from passer.domain.share_intervals import column_interval
from passer.domain.statistics import SHARE, Bounds, mean_of
from passer.domain.sweeps.run_names import configuration_name
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError
from passer.metrics import infos
from passer.metrics.judged import decides, info_of
from passer.ports import DatasetStore, EvaluationStore, JudgementStore, LabelStore, RunStore, StoredSweep
from passer.services.analysis.verdict.judged_column_reader import JudgedScores
from passer.services.judging.items import ItemSource
from passer.services.judging.thumbs import COLUMN as THUMB
from passer.services.runs.run_browser import RunBrowser

PAGE = 200
"""Sweeps read at once."""
KEPT = 2_000
"""Points that are remembered: scores of a finished sweep are final."""

_Point = tuple[str, str, FigureRow]
"""Model, configuration, and its mean in one sweep."""
_Values = Mapping[str, Mapping[int, float]]
"""Values by run, then by number of the question, from 0; questions without a value are left out."""


class History(Frozen):
    """A column over the sweeps of a dataset, and which columns there are."""

    columns: tuple[str, ...]
    """The 24 metrics, the judged columns of these sweeps, and `thumb`, the feedback of readers (1 good, 0 bad)."""
    figure: Figure
    """A series for each configuration, a row for each sweep; no series without a finished sweep."""


@dataclass(frozen=True)
class HistoryReader:
    """Reads means by date."""

    runs: RunStore
    datasets: DatasetStore
    evaluations: EvaluationStore
    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource
    run_browser: RunBrowser
    judged: Callable[[str, Sequence[str], str], Mapping[str, JudgedScores]]
    """Returns the newest judgement of every answer of a run, by run, for a sweep, runs and a column."""
    kept: LruCache[tuple[object, ...], tuple[_Point, ...]] = field(default_factory=lambda: LruCache(KEPT))

    def of(self, dataset: str, name: str) -> History:
        """Return the means of a column over the sweeps of a dataset that have ended and are not archived, oldest first.

        NotFoundError for an unknown dataset, InputError for an unknown column.
        """
        self.datasets.list_versions(dataset)
        sweeps = sorted(self._sweeps(dataset), key=lambda sweep: sweep.created_at)
        assessed = [each for sweep in sweeps for each in self.judgements.assessments(sweep.id)]
        judged = dict.fromkeys(column for each in assessed for column in each.spec.columns if decides(column))
        columns = (*VECTOR_ORDER, *judged, THUMB)
        if name not in columns:
            raise InputError(sentence("history.no-column", column=name, columns=", ".join(columns)), field="column")
        points = [point for sweep in sweeps for point in self._points(sweep, name)]
        return History(columns=columns, figure=_figure(name, points, self._notes(name, assessed)))

    def _notes(self, name: str, assessed: Sequence[Assessment]) -> tuple[LocalizedText, ...]:
        """Return remarks on the figure: its points, and the judges of a judged column."""
        judges = (
            NamedJudge(each.spec.judge.model.name, self.labels.rated(each.id).get(name, 0)).label
            for each in assessed
            if name in each.spec.columns
        )
        named = tuple(dict.fromkeys(judges))
        said = (sentence("judge.judged-by", judges=named),) if named else ()
        return (*said, sentence("history.note"))

    def _sweeps(self, dataset: str) -> Iterator[StoredSweep]:
        before: str | None = None
        while page := self.runs.list_sweeps(limit=PAGE, before=before, archived=False):
            # Means of a sweep under way are withheld, as everywhere.
            yield from (each for each in page if each.sweep.config.dataset == dataset and each.state.is_final)
            before = page[-1].id

    def _points(self, sweep: StoredSweep, name: str) -> tuple[_Point, ...]:
        if name not in VECTOR_ORDER:
            return self._means(sweep, name)
        counts = tuple((run.counts.scored, run.counts.failed) for run in sweep.runs)
        return self.kept.get_or_compute((sweep.id, counts, name), partial(self._means, sweep, name))

    def _means(self, sweep: StoredSweep, name: str) -> tuple[_Point, ...]:
        """Return a point for each configuration with a value; a question's repetitions count as their mean."""
        found = self._values(sweep, name)
        together: dict[tuple[str, str], dict[int, list[float]]] = {}
        for run in sweep.runs:
            by_number = together.setdefault((run.config.model.name, configuration_name(sweep.sweep, run.config)), {})
            for number, value in found.get(run.id, {}).items():
                by_number.setdefault(number, []).append(value)
        questions = self.run_browser.questions(sweep)
        weights = weights_of(questions)
        counted, bounds = [weights.get(q.id, 1.0) for q in questions], _bounds(sweep, name)
        return tuple(
            (model, configuration, _row(sweep, configuration, own, counted, bounds))
            for (model, configuration), own in together.items()
            if own
        )

    def _values(self, sweep: StoredSweep, name: str) -> _Values:
        run_ids = [run.id for run in sweep.runs]
        if name == THUMB:
            return self._thumbs(run_ids)
        if name in VECTOR_ORDER:
            return {run_id: self._scores(run_id, name) for run_id in run_ids}
        return {
            run_id: {number: score.value for number, score in own.scores[run_id].items() if score.value is not None}
            for run_id, own in self.judged(sweep.id, run_ids, name).items()
        }

    def _scores(self, run_id: str, name: str) -> dict[int, float]:
        found = self.evaluations.run_scores(run_id)
        scores = zip(found.numbers, found.table.column(name), strict=True)
        return {number: score.value for number, score in scores if score.value is not None}

    def _thumbs(self, run_ids: Sequence[str]) -> _Values:
        """Return the share of thumbs up of each answer that has a thumb."""
        given: dict[str, list[float]] = {}
        for label in self.labels.labels(column=THUMB):
            if label.value is not None:
                given.setdefault(label.item_key, []).append(label.value)
        found: dict[str, dict[int, float]] = {run_id: {} for run_id in run_ids}
        for each in self.items.keys(run_ids) if given else ():
            if thumbs := given.get(each.key or ""):
                found[each.place.run_id][each.place.number] = float(np.mean(thumbs))
        return found


def _bounds(sweep: StoredSweep, name: str) -> Bounds:
    if name == THUMB:
        return SHARE
    if name not in VECTOR_ORDER:
        return info_of(name).bounds
    return next(info.bounds for info in infos(sweep.sweep.config.profile) if info.name == name)


def _row(
    sweep: StoredSweep, label: str, own: Mapping[int, Sequence[float]], weights: Sequence[float], bounds: Bounds
) -> FigureRow:
    values = np.array([np.mean(several) for several in own.values()])
    counted = np.array([weights[number] for number in own])
    ci = column_interval(values, counted, bounds)
    return FigureRow(
        x=f"{sweep.created_at:%Y-%m-%d %H:%M}",
        y=mean_of(values, counted),
        low=ci.low if ci else None,
        high=ci.high if ci else None,
        n=values.size,
        label=label,
    )


def _figure(name: str, points: Sequence[_Point], notes: tuple[LocalizedText, ...]) -> Figure:
    across = sentence("history.date")
    what = sentence("history.thumb") if name == THUMB else name
    several = len({model for model, _, _ in points}) > 1
    lines: dict[str, list[FigureRow]] = {}
    for model, configuration, row in points:
        line = sentence("name.parts", parts=(model, configuration)) if several else configuration
        lines.setdefault(line, []).append(row)
    return Figure(
        id=f"{slug(name)}-over-time",
        kind="line",
        title=sentence("history.title", column=what),
        # One line may lack a date of another one.
        x=Axis(label=across, scale="category", names=tuple(sorted({str(row.x) for _, _, row in points}))),
        y=Axis(label=sentence("history.mean", column=what)),
        columns=(*column("x", across), *column("y", sentence("history.mean", column=what)), *interval(), *COUNTED),
        series=tuple(Series(name=line, rows=tuple(rows)) for line, rows in lines.items()),
        notes=notes,
    )
