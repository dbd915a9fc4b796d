"""A sweep: one configuration and axes, expanded to the configurations that are compared."""

from __future__ import annotations

from itertools import product
from typing import Annotated

from pydantic import AliasChoices, Field, model_validator

from passer.domain.base import Frozen
from passer.domain.retrieval import NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.run import Model, RunConfig

Threshold = Annotated[float, Field(ge=-1, le=1)]


class Axes(Frozen):
    """Values to vary; every combination becomes a configuration. An empty axis is not varied."""

    min_similarity: tuple[Threshold, ...] = Field(
        default=(), validation_alias=AliasChoices("min_similarity", "minSimilarityScore", "thresholds")
    )
    """Thresholds of Score mode."""
    k: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = ()
    """Values of k of Normal mode; beside thresholds they are further arms, not combinations."""
    model: tuple[Model, ...] = ()
    """Models."""
    temperature: tuple[Annotated[float, Field(ge=0, le=2)], ...] = ()
    """Temperatures."""
    prompt: tuple[str, ...] = ()
    """Names of prompt templates."""
    repeat: int = Field(default=1, ge=1, le=100)
    """How many times each configuration runs."""


class Sweep(Frozen):
    """What is compared with what."""

    name: str = Field(min_length=1, max_length=200)
    """Shown in tables."""
    config: RunConfig
    """What all have in common."""
    axes: Axes = Axes()
    """What is varied."""
    baseline: RetrievalPolicy | None = None
    """Policy of the baseline; None where there is none."""
    max_k: int = Field(default=100, ge=1, le=1000, validation_alias=AliasChoices("max_k", "maxK"))
    """maxK of the Score configurations."""

    @model_validator(mode="after")
    def _size_is_sane(self) -> Sweep:
        if len(self.configurations()) > 10_000:
            raise ValueError("a sweep has at most 10,000 configurations: leave some values out")
        return self

    def policies(self) -> list[tuple[RetrievalPolicy, bool]]:
        """Retrieval policies, the baseline (marked True) first."""
        varied: list[RetrievalPolicy] = [NormalPolicy(k=k) for k in self.axes.k]
        varied += [ScorePolicy(min_similarity=value, max_k=self.max_k) for value in self.axes.min_similarity]
        first: list[tuple[RetrievalPolicy, bool]] = [(self.baseline, True)] if self.baseline else []
        others = [policy for policy in varied if policy != self.baseline]
        if not first and not others:
            others = [self.config.retrieval]
        return first + [(policy, False) for policy in others]

    def configurations(self) -> list[tuple[RunConfig, bool]]:
        """Every configuration with whether it is a baseline: model by model, each model's baseline first."""
        base, axes = self.config, self.axes
        combinations = product(
            axes.model or (base.model,),
            axes.prompt or (base.prompt,),
            axes.temperature or (base.options.temperature,),
            range(1, axes.repeat + 1),
            self.policies(),
        )
        return [
            (
                base.model_copy(
                    update={
                        "model": model,
                        "prompt": prompt,
                        "options": base.options.model_copy(update={"temperature": temperature}),
                        "repeat": repeat,
                        "retrieval": policy,
                    }
                ),
                is_baseline,
            )
            for model, prompt, temperature, repeat, (policy, is_baseline) in combinations
        ]


class SweepPlan(Frozen):
    """What a sweep will take, before it starts."""

    questions: int
    """Questions asked of each configuration."""
    configurations: int
    """Runs."""
    evaluations: int
    """questions x configurations."""
    distinct_prompts: int | None = None
    """Generations needed, once the preview has retrieved; None without it."""
    cached: int | None = None
    """Of these, already answered by an earlier run."""
    expected_s: float | None = None
    """From the measured speed of the model; None where it has not been measured."""
    warnings: tuple[str, ...] = ()
    """What a researcher should know first."""


def threshold_range(*, start: float, stop: float, step: float) -> tuple[float, ...]:
    """Thresholds from start to stop, both included, rounded to 6 decimals; [] if step is not positive."""
    if step <= 0 or stop < start:
        return ()
    count = int((stop - start) / step + 1e-9) + 1
    return tuple(round(start + i * step, 6) for i in range(count))


def default_baseline(max_k: int) -> NormalPolicy:
    """A sweep's Normal baseline takes k = maxK unless set."""
    return NormalPolicy(k=max_k)
