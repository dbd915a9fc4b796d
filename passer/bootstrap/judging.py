"""The services of judging."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.pipeline import Pipeline
from passer.bootstrap.sweeps import Sweeps
from passer.ports import Embedder
from passer.services.judging.answers import JudgedAnswers
from passer.services.judging.assessments import Assessments
from passer.services.judging.calibration import Calibrator
from passer.services.judging.column_pairs import ColumnPairs
from passer.services.judging.comparison import JudgeComparer
from passer.services.judging.items import ItemSource
from passer.services.judging.judged_columns import JudgedColumns
from passer.services.judging.key_facts import KeyFactReader
from passer.services.judging.labelling import Labelling
from passer.services.judging.passage_ratings import PassageRatings
from passer.services.judging.rating import RatingDesk
from passer.services.judging.recorded_judge import RecordedJudge
from passer.services.judging.relevance import RelevanceGrades, RelevanceReader
from passer.services.judging.results import AssessmentResults
from passer.services.judging.runner import AssessmentRunner
from passer.services.judging.tables import JudgedTables
from passer.services.judging.thumbs import ThumbCounter
from passer.services.judging.tools import JudgingTools
from passer.services.judging.tuning import Tuner


@dataclass(frozen=True)
class Judging:
    """Plans, runs and shows assessments."""

    adapters: Adapters
    pipeline: Pipeline
    sweeps: Sweeps

    @cached_property
    def items(self) -> ItemSource:
        return ItemSource(
            runs=self.adapters.runs,
            evaluations=self.adapters.evaluations,
            datasets=self.adapters.datasets,
            templates=self.adapters.templates,
            collections=self.adapters.collections,
        )

    @cached_property
    def assessments(self) -> Assessments:
        return Assessments(
            judgements=self.adapters.judgements,
            items=self.items,
            runs=self.adapters.runs,
            describe=self.pipeline.answerer.describe,
            located=self.pipeline.answerer.located,
            embedder=self._embedder,
            clock=self.adapters.clock,
            pool=self.pipeline.retrieval_evaluation.pool,
        )

    @cached_property
    def recorded_judge(self) -> RecordedJudge:
        return RecordedJudge(runs=self.adapters.runs, judgements=self.adapters.judgements, assessments=self.assessments)

    @cached_property
    def tools(self) -> JudgingTools:
        """What asking a judge needs."""
        return JudgingTools(
            judgements=self.adapters.judgements,
            evaluations=self.adapters.evaluations,
            engine=self.sweeps.engine,
            clock=self.adapters.clock,
        )

    @cached_property
    def runner(self) -> AssessmentRunner:
        return AssessmentRunner(self.tools, self.items, self._embedder)

    @cached_property
    def results(self) -> AssessmentResults:
        return AssessmentResults(
            judgements=self.adapters.judgements,
            evaluations=self.adapters.evaluations,
            labels=self.adapters.labels,
            items=self.items,
            work=self.adapters.work,
        )

    @cached_property
    def thumbs(self) -> ThumbCounter:
        return ThumbCounter(items=self.items, labels=self.adapters.labels, clock=self.adapters.clock)

    @cached_property
    def answers(self) -> JudgedAnswers:
        return JudgedAnswers(judgements=self.adapters.judgements, labels=self.adapters.labels, items=self.items)

    @cached_property
    def labelling(self) -> Labelling:
        """Draws answers for people to rate, and imports their labels."""
        from passer.adapters.tables import table_writers

        return Labelling(
            judgements=self.adapters.judgements,
            labels=self.adapters.labels,
            items=self.items,
            readers=self.adapters.table_readers,
            writers=table_writers(),
            clock=self.adapters.clock,
        )

    @cached_property
    def rating_desk(self) -> RatingDesk:
        return RatingDesk(
            judgements=self.adapters.judgements,
            labels=self.adapters.labels,
            items=self.items,
            clock=self.adapters.clock,
        )

    @cached_property
    def calibrator(self) -> Calibrator:
        return Calibrator(judgements=self.adapters.judgements, labels=self.adapters.labels, items=self.items)

    @cached_property
    def key_facts(self) -> KeyFactReader:
        """Shows the key facts of questions, which people may choose before answers are judged by them."""
        from passer.adapters.tables import table_writers

        return KeyFactReader(
            judgements=self.adapters.judgements,
            items=self.items,
            readers=self.adapters.table_readers,
            writers=table_writers(),
        )

    @cached_property
    def relevance(self) -> RelevanceReader:
        return RelevanceReader(judgements=self.adapters.judgements, items=self.items)

    @cached_property
    def relevance_grades(self) -> RelevanceGrades:
        return RelevanceGrades(self.relevance, self.adapters.labels, self.adapters.retrieval_inputs)

    @cached_property
    def passage_ratings(self) -> PassageRatings:
        return PassageRatings(
            datasets=self.adapters.datasets,
            collections=self.adapters.collections,
            labels=self.adapters.labels,
            inputs=self.adapters.retrieval_inputs,
            clock=self.adapters.clock,
        )

    @cached_property
    def judged_tables(self) -> JudgedTables:
        return JudgedTables(judgements=self.adapters.judgements, results=self.results, items=self.items)

    @cached_property
    def comparer(self) -> JudgeComparer:
        return JudgeComparer(judgements=self.adapters.judgements, items=self.items, calibrator=self.calibrator)

    @cached_property
    def column_pairs(self) -> ColumnPairs:
        return ColumnPairs(
            judgements=self.adapters.judgements,
            labels=self.adapters.labels,
            evaluations=self.adapters.evaluations,
            items=self.items,
        )

    @cached_property
    def tuner(self) -> Tuner:
        return Tuner(self.tools, self.items, self.calibrator, self.adapters.work)

    @cached_property
    def judged_columns(self) -> JudgedColumns:
        return JudgedColumns(
            judgements=self.adapters.judgements,
            labels=self.adapters.labels,
            items=self.items,
            calibrator=self.calibrator,
        )

    def _embedder(self) -> Embedder:
        return judging_embedder(self.adapters)


def judging_embedder(adapters: Adapters) -> Embedder:
    """Return the embedding model of judged columns and drafts."""
    name = adapters.project_settings.current().judge_embedding
    return adapters.encoder if name == "scoring" else adapters.embedder_for(name)
