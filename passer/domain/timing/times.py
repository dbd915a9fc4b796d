"""Answering times on one machine: the times of each question, and their medians with spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.bundle.manifest import DescribedMachine
from passer.domain.defaults import WARM_UP
from passer.domain.models.answer import ModelTimings
from passer.domain.statistics import Floats
from passer.domain.sweeps.run import RunMemory
from passer.domain.wording.sentence import LocalizedText

NS = 1e-9
"""Seconds in a nanosecond."""


class TimingPlan(Frozen):
    """Plan of a timing run: no answer is reused; each question is asked and scored before the next one."""

    warm_up: int = Field(default=WARM_UP, ge=0, le=1000)
    """Number of first questions per model that are excluded from medians, because they load the model."""


class TimedQuestion(Frozen):
    """One question of one run, with all its times; None where the source does not say."""

    run_id: str
    """Its run."""
    question_id: str
    """Key that pairs it with other runs and machines."""
    repeat: int
    """Number of the repetition, from 1."""
    is_warm_up: bool
    """True if it is left out of medians, because its model was being loaded."""
    reused: bool
    """True if its answer had been generated before, so that its model times are those of then."""
    model: ModelTimings
    """Times and counts as the model server reports them, in its own units."""
    embedding_s: float | None
    """Seconds to embed the question."""
    retrieval_s: float | None
    """Seconds to search."""
    generation_s: float | None
    """Seconds from sending the prompt to the last byte."""
    scoring_s: float | None
    """Seconds to score the answer."""
    answer_digest: str | None
    """SHA-256 of the answer's text; None without an answer."""
    scores: tuple[float | None, ...] = ()
    """Scores in vector order; empty where it was not scored."""


FIGURES: dict[str, Callable[[TimedQuestion], float | None]] = {
    "total_s": lambda q: _seconds(q.model.total_duration_ns),
    "load_s": lambda q: _seconds(q.model.load_duration_ns),
    "prompt_eval_s": lambda q: _seconds(q.model.prompt_eval_duration_ns),
    "eval_s": lambda q: _seconds(q.model.eval_duration_ns),
    "prompt_tokens": lambda q: q.model.prompt_eval_count,
    "read_tokens": lambda q: q.model.read_count if q.model.cached_count is not None else None,
    "answer_tokens": lambda q: q.model.eval_count,
    "tokens_per_s": lambda q: q.model.tokens_per_s,
    "generation_s": lambda q: q.generation_s,
    "embedding_s": lambda q: q.embedding_s,
    "retrieval_s": lambda q: q.retrieval_s,
    "scoring_s": lambda q: q.scoring_s,
}
"""Summarised times by name: the model server's own figures, then the seconds that were measured here."""


class Spread(Frozen):
    """Median, quartiles and spread of values, which are robust to outliers."""

    n: int
    """Number of values."""
    median: float
    """Median value."""
    mad: float
    """Median absolute deviation from the median, as it is (not scaled to a standard deviation)."""
    q1: float
    """A quarter lies below; quartiles by linear interpolation."""
    q3: float
    """A quarter lies above; q3 - q1 is the interquartile range."""
    minimum: float
    """Smallest value."""
    maximum: float
    """Largest value."""


class TimedConfiguration(Frozen):
    """One configuration, its repetitions together."""

    name: LocalizedText
    """Shown in tables."""
    model: LocalizedText
    """Model that answers."""
    config_digest: str
    """SHA-256 of the configuration without the repetition and the address of its server: what machines share."""
    run_ids: tuple[str, ...]
    """Ids of its runs: one for each repetition."""
    measured: int
    """Questions in the medians, each repetition counted."""
    warm_up: int
    """Number of questions that were left out as warm-up."""
    reused: int
    """Number of questions that were left out because their answer was not generated for them."""
    failed: int
    """Number of questions that were left out because they have no answer."""
    figures: dict[str, Spread]
    """Measures by name; a measure without values is omitted."""
    memory: RunMemory | None = None
    """Largest memory of its runs; None where it was not measured."""


class TimingReport(Frozen):
    """Measurements of a timing run with its machine; contains everything that a comparison needs."""

    sweep_id: str
    """Id of the sweep."""
    name: str
    """Name of the sweep."""
    is_timing_run: bool
    """True if its questions were asked one at a time; if not, the times are those under load."""
    warm_up: int
    """Questions of each model that were marked."""
    machine: DescribedMachine
    """Machine of the run."""
    software: dict[str, str]
    """Versions by package."""
    parts: dict[str, str]
    """Adapters of the run: model servers, vector store, database, engine."""
    configurations: tuple[TimedConfiguration, ...]
    """Configurations in the order of the runs."""
    questions: tuple[TimedQuestion, ...]
    """Questions in the order in which they were asked."""


def spread(values: Iterable[float | None]) -> Spread | None:
    """Return the spread of the values that exist; None without values."""
    there = np.array([value for value in values if value is not None], dtype=np.float64)
    if not there.size:
        return None
    median = float(np.median(there))
    q1, q3 = (float(value) for value in np.quantile(there, [0.25, 0.75]))
    return Spread(
        n=int(there.size),
        median=median,
        mad=float(np.median(np.abs(there - median))),
        q1=q1,
        q3=q3,
        minimum=float(there.min()),
        maximum=float(there.max()),
    )


def is_measured(question: TimedQuestion) -> bool:
    """Return whether it enters medians: answered for itself, with the model loaded."""
    return not (question.is_warm_up or question.reused) and question.generation_s is not None


def figures_of(questions: Sequence[TimedQuestion]) -> dict[str, Spread]:
    """Return every measure over the measured questions, by name."""
    measured = [question for question in questions if is_measured(question)]
    found = {name: spread(figure(question) for question in measured) for name, figure in FIGURES.items()}
    return {name: figure for name, figure in found.items() if figure is not None}


def medians_by_question(questions: Sequence[TimedQuestion], figure: str) -> tuple[tuple[str, ...], Floats]:
    """Return the ids of measured questions and their medians over repetitions, shape (ids,)."""
    take = FIGURES[figure]
    found: dict[str, list[float]] = {}
    for question in questions:
        value = take(question) if is_measured(question) else None
        if value is not None:
            found.setdefault(question.question_id, []).append(value)
    return tuple(found), np.array([float(np.median(values)) for values in found.values()], dtype=np.float64)


def _seconds(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else nanoseconds * NS
