"""Assessments: one judge (or none), some columns, and the answers of some runs."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field, model_validator

from passer.domain.arena.added_system import Addition
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.base import Frozen, added_field
from passer.domain.judging.criteria import Criterion
from passer.domain.judging.judgement import Judge
from passer.domain.judging.key_facts import QuestionFacts
from passer.domain.judging.pool import Pool
from passer.domain.judging.task import TaskText
from passer.domain.judging.tuned_task import TunedTask, Tuning
from passer.domain.models.answer import Served
from passer.domain.models.model import ModelInfo
from passer.domain.questions.drafting import Drafting
from passer.domain.retrieval.passages import EmbeddingModel
from passer.domain.sweeps.budget import Budget, Spent


class JudgedDataset(Frozen):
    """A version of a dataset whose questions are judged."""

    name: str
    """Name of the dataset."""
    digest: str
    """Content digest of the version."""


class AssessmentSpec(Frozen):
    """The answers or questions, the judge and the columns of an assessment; they never change after it is created."""

    runs: tuple[str, ...] = ()
    """Ids of the runs whose answers are judged; empty if it judges datasets or drafts questions."""
    datasets: tuple[JudgedDataset, ...] = added_field(())
    """Datasets whose questions are judged, with their gold passages and reference answers; empty if it judges runs."""
    pool: Pool | None = added_field(None)
    """Passages that are graded for the questions of its one dataset, if it grades passages instead of questions."""
    columns: tuple[str, ...] = Field(min_length=1)
    """Names of the judged metrics that are computed."""
    criteria: tuple[Criterion, ...] = added_field(())
    """Criteria of the column of criteria; empty if it has none."""
    key_facts: tuple[QuestionFacts, ...] = added_field(())
    """Key facts that people chose, in place of those that the judge would list; of other questions it lists them."""
    tuned: TunedTask | None = added_field(None)
    """The task that takes the place of one of PaSSER's; None if all are PaSSER's."""
    judge: Judge
    """The judge, with the address of its server."""
    judge_info: ModelInfo
    """The server's description of the judge when the assessment was created."""
    served: Served | None = None
    """Description of the judge by its server; None if its server gives none."""
    embedding: EmbeddingModel | None = None
    """Model of the vectors that some columns compare; None if no column needs any."""
    repeats: int = Field(default=1, ge=1, le=100)
    """Number of times that every item is judged; the first judgement counts, the others show the judge's noise."""
    whole_sentences: bool = added_field(False)
    """True if columns that count sentences count whole ones, as grounding does; False if each number of a list and each
    abbreviation may end one, as in all earlier assessments."""
    arena: ArenaOptions | None = None
    """Options of the comparison, if the assessment makes games; None if it makes marks."""
    tuning: Tuning | None = added_field(None)
    """Options of the tuning, if the assessment tunes the task of its column; its report is that of its work."""
    adding: Addition | None = added_field(None)
    """The run that it adds to a tournament, if it does."""
    drafting: Drafting | None = added_field(None)
    """Recipes and documents, if the assessment drafts questions. `judge` is then the model that checks drafts, or the
    first one that writes if none checks."""

    @model_validator(mode="after")
    def _has_items(self) -> AssessmentSpec:
        if [bool(self.runs), bool(self.datasets), self.drafting is not None].count(True) != 1:
            raise ValueError("an assessment judges runs, judges datasets, or drafts questions")
        if self.pool is not None and len(self.datasets) != 1:
            raise ValueError("pooled passages are those of one dataset")
        return self

    @property
    def makes_marks(self) -> bool:
        """Return whether it judges items in columns: it is no tournament, no drafting and no tuning."""
        return self.arena is None and self.drafting is None and self.tuning is None

    @property
    def rows(self) -> tuple[str, ...]:
        """Return the ids of the runs, or the names of the datasets."""
        return self.runs or tuple(each.name for each in self.datasets)


class Assessment(Frozen):
    """An assessment as it is stored; state, progress and lease are those of its row in the table of work."""

    id: str
    """Unique id; the assessment's row in the table of work has the same one."""
    sweep_id: str | None
    """Id of the sweep that the judged runs belong to; None if the assessment judges datasets or drafts questions."""
    spec: AssessmentSpec
    """The runs, the judge and the columns."""
    tasks: tuple[TaskText, ...]
    """The judge's tasks as they were when the assessment was created."""
    budget: Budget = Budget()
    """Limits at which the assessment pauses; a person may raise them."""
    spent: Spent = Spent()
    """Requests and tokens that the assessment has used so far."""
    created_at: datetime
    """Time of creation, in UTC."""
