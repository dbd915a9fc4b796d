"""Runs side by side: means, paired differences, and the settings in which they differ; also as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from passer.domain.analysis.study_table import Cell, Source, StudyTable, tabulate, with_rows
from passer.domain.base import Frozen
from passer.domain.retrieval.passages import Collection
from passer.domain.statistics import Interval
from passer.domain.sweeps.run import Run
from passer.domain.verdict.family import NoInterval
from passer.domain.wording.sentence import LocalizedText, sentence

ChangeOrder = Literal["change", "rise", "fall"]
"""Order of questions: largest absolute difference, largest gain or largest loss first."""
PoolOfRuns = Literal["sweep", "runs"]
"""`sweep`: all runs of the only sweep, so that a run has one CPS there and here. `runs`: the compared runs alone."""
Facts = Mapping[str, Any]
COMPARED_METRICS, FACTORS, CHANGED = "compared_metrics", "factors", "changed_questions"
_METRICS = (
    "metric", "run", "sweep", "run_id", "is_baseline", "mean", "n", "n_missing", "n_pairs", "n_improved", "n_worse",
    "difference", "ci_low", "ci_high", "p_adjusted", "family_size", "cohens_d", "stars", "reason",
)  # fmt: skip
_CHANGED = (
    "number", "question", "metric", "baseline", "run", "difference", "passages_baseline", "passages_run",
    "answer_baseline", "answer_run",
)  # fmt: skip


class RunMean(Frozen):
    """One metric over the questions of one run."""

    run_id: str
    """The run."""
    mean: float | None
    """Over the questions that have a value; None where none has."""
    n: int
    """Questions with a value."""
    n_missing: int
    """Scored or failed questions without one."""


class RunDifference(Frozen):
    """One metric of one run against the baseline's, paired by question."""

    run_id: str
    """The run."""
    n_pairs: int
    """Questions with a value on both sides."""
    n_improved: int = 0
    """Number of these questions in which the run is better, by the direction of the metric."""
    n_worse: int = 0
    """Number of these questions in which it is worse; in the others both have the same value."""
    difference: float | None
    """Mean of run minus baseline."""
    ci: Interval | None
    """95 % interval of the difference, simultaneous over the family; None without one, or where an end is unbounded."""
    p: float | None
    """Two-sided, adjusted for the family by the draws of the interval, so that the two cannot disagree."""
    cohens_d: float | None
    """Cohen's d for pairs, ddof 1."""
    stars: str
    """Stars by p; empty without a p, and where a verdict would have too few questions."""
    reason: NoInterval | None
    """Reason why there is no p."""


class ComparedMetric(Frozen):
    """One metric of the comparison."""

    metric: str
    """`CPS` or a column name."""
    means: tuple[RunMean, ...]
    """Mean of every run, in their order."""
    differences: tuple[RunDifference, ...]
    """Difference of every run but the baseline, in their order."""
    family_size: int
    """Comparisons for which interval and p are adjusted: those of CPS, or those of all 24 columns."""


class ComparedFactor(Frozen):
    """A factor in which the runs differ."""

    factor: str
    """Name of the setting: a part of the run's configuration or of its environment."""
    values: tuple[LocalizedText, ...]
    """Value of every run, in their order."""


class RunComparison(Frozen):
    """Two runs or more compared with a baseline."""

    runs: tuple[Run, ...]
    """Runs in the order asked for. Equal names are followed by the name of the sweep, then by the id."""
    sweep_names: tuple[str, ...]
    """Name of each run's sweep."""
    baseline: str
    """Id of the run that the others are compared with."""
    factors: tuple[ComparedFactor, ...]
    """Settings that differ. One: a controlled comparison; several: confounded; none: the same configuration again."""
    metrics: tuple[ComparedMetric, ...]
    """CPS first, then the columns in vector order."""
    panel: str | None
    """The panel of CPS; None if CPS cannot be computed."""
    pool: PoolOfRuns = "runs"
    """Whose rows give CPS its constants."""
    pool_rows: int
    """Number of these rows."""
    no_cps: LocalizedText | None
    """Reason why there is no CPS, in one sentence."""
    too_few: LocalizedText | None
    """Why some differences are not marked as decided; None where all have as many questions as a verdict needs."""


class QuestionSide(Frozen):
    """One question in one of two runs."""

    value: float
    """The metric."""
    answer: str | None
    """The answer; None without one."""
    n_kept: int
    """Number of passages that the cut kept."""


class ChangedQuestion(Frozen):
    """One question under two configurations."""

    number: int
    """Place in the dataset, from 0."""
    question: str
    """The question."""
    difference: float
    """Run minus baseline."""
    here: QuestionSide
    """The question in the run."""
    before: QuestionSide
    """The question in the baseline."""


class ChangedPage(Frozen):
    """A page of the changed questions."""

    items: tuple[ChangedQuestion, ...]
    """Questions in the order asked for."""
    total: int
    """Questions with a value on both sides."""
    next: int | None
    """Place at which the next page begins; None at the end."""


def with_distinct_names(runs: Sequence[tuple[Run, str]]) -> tuple[Run, ...]:
    """Return runs, given with the names of their sweeps, under names of which no two are equal."""
    plain = [run.name for run, _ in runs]
    longer = [sentence("name.parts", parts=(run.name, sweep)) for run, sweep in runs]
    return tuple(
        run
        if plain.count(run.name) == 1
        else run.model_copy(
            update={"name": long if longer.count(long) == 1 else sentence("name.settings", model=long, settings=run.id)}
        )
        for (run, _), long in zip(runs, longer, strict=True)
    )


def facts_of(run: Run, *, dataset_digest: str, bound: Collection | None, documents: str | None) -> dict[str, str]:
    """Return everything that determines the scores of a run as text, by factor.

    `bound` and `documents` (a digest of its documents) describe the collection; None if it was deleted.
    """
    config = run.config
    facts = {
        "model": config.model.label,
        "model_digest": run.model_info.digest[:12] if run.model_info else "unknown",
        "server": config.model.base_url or config.model.provider,
        "retrieval": config.retrieval.label,
        "retriever": config.retriever.label,
        "passage_order": config.passage_order,
        "prompt": config.prompt,
        "no_passages": config.no_passages,
        "profile": config.profile,
        "strip_thinking": "yes" if config.strip_thinking else "no",
        "repeat": str(config.repeat),
        "dataset": config.dataset,
        "dataset_digest": dataset_digest[:12],
        "questions": str(run.counts.questions),
        **{name: f"{value:g}" for name, value in config.options.model_dump().items()},
        **{f"scored_by.{name}": value for name, value in run.scored_by.items()},
    }
    if bound is None or documents is None:
        return facts | {"collection": config.collection}
    cut = bound.chunking
    return facts | {
        "embedding": bound.embedding.name,
        "chunking": sentence(
            "chunking.size", size=cut.chunk_size, unit=sentence(f"unit.{cut.unit}"), overlap=cut.chunk_overlap
        ),
        "documents": f"{config.collection} ({documents[:12]})",
    }


def differing(facts: Sequence[Facts]) -> tuple[ComparedFactor, ...]:
    """Return the factors in which runs differ, without those that follow from another difference."""
    names = dict.fromkeys(name for fact in facts for name in fact)
    found = {name: tuple(_text(fact.get(name, "–")) for fact in facts) for name in names}
    differs = {name: values for name, values in found.items() if len({_plain(name, value) for value in values}) > 1}
    if "model" in differs:
        # Another model has other weights, and may live on another server.
        differs = {name: values for name, values in differs.items() if name not in ("model_digest", "server")}
    if "dataset" in differs:
        differs.pop("dataset_digest", None)
    return tuple(ComparedFactor(factor=name, values=values) for name, values in differs.items())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _plain(name: str, value: str) -> str:
    """Collections of one content and different names hold the same documents."""
    return value.rpartition("(")[2] if name == "documents" else value


def comparison_tables(comparison: RunComparison) -> dict[str, StudyTable]:
    """Return the tables of a comparison that have rows, by name."""
    metrics = [row for line in comparison.metrics for row in _metric_rows(line, comparison)]
    factors = [
        (item.factor, run.name, run.id, value)
        for item in comparison.factors
        for run, value in zip(comparison.runs, item.values, strict=True)
    ]
    made = {
        COMPARED_METRICS: StudyTable(columns=_METRICS, rows=tuple(metrics)),
        FACTORS: StudyTable(columns=("factor", "run", "run_id", "value"), rows=tuple(factors)),
    }
    return with_rows(made)


def changed_table(items: Sequence[ChangedQuestion], *, metric: str) -> dict[str, StudyTable]:
    """Return the table of changed questions, in their order; question numbers count from 1."""
    sources: dict[str, Source] = {
        "number": lambda item: item.number + 1, "metric": lambda _: metric,
        "baseline": "before.value", "run": "here.value",
        "passages_baseline": "before.n_kept", "passages_run": "here.n_kept",
        "answer_baseline": "before.answer", "answer_run": "here.answer",
    }  # fmt: skip
    return {CHANGED: tabulate(_CHANGED, items, sources)}


def _metric_rows(line: ComparedMetric, comparison: RunComparison) -> list[tuple[Cell, ...]]:
    """One metric in every run; the baseline's row has no difference."""
    differences = {item.run_id: item for item in line.differences}
    rows = []
    for run, sweep, mean in zip(comparison.runs, comparison.sweep_names, line.means, strict=True):
        own = (line.metric, run.name, sweep, run.id, run.id == comparison.baseline, mean.mean, mean.n, mean.n_missing)
        found = differences.get(run.id)
        tested: tuple[Cell, ...] = (None,) * (len(_METRICS) - len(own))
        if found:
            ends = (found.ci.low, found.ci.high) if found.ci else (None, None)
            test = (found.p, line.family_size, found.cohens_d, found.stars, found.reason)
            tested = (found.n_pairs, found.n_improved, found.n_worse, found.difference, *ends, *test)
        rows.append((*own, *tested))
    return rows
