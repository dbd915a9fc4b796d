"""Runs with their questions, as an analysis reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field, InstanceOf

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.base import Frozen
from passer.domain.composite import Normalisation
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.score import ScoreRow
from passer.domain.sweeps.run import EvaluationState, RunConfig
from passer.domain.wording.sentence import LocalizedText

_NOTHING_KEPT = QuestionRetrieval(kept=0)


@dataclass(frozen=True, slots=True)
class EvaluatedQuestion:
    """One question of one run, as an analysis needs it: a sweep has hundreds of thousands."""

    question_id: str
    """Key that pairs it with other runs."""
    state: EvaluationState = "scored"
    """Only scored and failed questions enter."""
    scores: ScoreRow | None = None
    """Scores of its answer; None without one."""
    retrieval: QuestionRetrieval = _NOTHING_KEPT
    """Passages that were kept for it."""
    truncated: Literal["prompt", "answer"] | None = None
    """Truncation of prompt or answer; None without one."""
    prompt_digest: str | None = None
    """Digest of the prompt; None when nothing was asked."""
    effort: AnswerEffort | None = None
    """Cost of generating its answer; None when nothing was generated."""
    is_too_long: bool = False
    """True if it failed because its prompt does not fit the context window, so that a retry fails too."""


class RunRows(Frozen):
    """A run with its questions."""

    run_id: str
    """Unique."""
    sweep_id: str = ""
    """Repetitions and baselines are looked for in the same sweep first."""
    sweep_name: str = ""
    """Name of its sweep."""
    name: LocalizedText
    """Shown in tables."""
    config: RunConfig
    """Its configuration."""
    model_label: LocalizedText = Field(default_factory=lambda given: given["config"].model.label)
    """Its model in tables, with its server where other models of the sweep have its name."""
    is_baseline: bool = False
    """True if others are compared with it."""
    dataset_digest: str | None = None
    """Version of the dataset; None where it is not known."""
    identity: dict[str, str] = Field(default_factory=dict)
    """Conditions of the scores: encoder digest, limits, variants."""
    conditions: dict[str, str] = Field(default_factory=dict)
    """Other conditions of the run, such as digest and quantisation of the model."""
    questions: tuple[InstanceOf[EvaluatedQuestion], ...]
    """Questions in dataset order."""
    planned: int | None = None
    """Questions that it is to answer; None where these are all."""
    panel: str | None = None
    """Recorded with its sweep; None where it records none."""
    normalisation: Normalisation | None = None
    """Recorded with its sweep; None where it records none."""
