"""A sweep: one configuration with axes, expanded to the configurations to compare."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from pydantic import AliasChoices, Field, model_validator

from passer.domain.base import Frozen, added_field
from passer.domain.composite import Normalisation
from passer.domain.defaults import K_INCREMENT, MAX_K, NORMALISATION, PANEL
from passer.domain.models.decoding import SEEDS, GenerationOptions
from passer.domain.models.model import Model
from passer.domain.models.outside import NOTHING
from passer.domain.panel import PanelName
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.retrieval.planned_collection import PlannedCollection, planned_collections
from passer.domain.retrieval.retriever import Dense, Retriever, models_of
from passer.domain.score import VectorProfile
from passer.domain.sweeps.axes import Axes, ModelWindow
from passer.domain.sweeps.budget import GivenPrice
from passer.domain.sweeps.run import RunConfig, refuse_thresholds
from passer.domain.timing.times import TimingPlan
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import PRIMARY_METRICS, Cost, check_metric, check_price
from passer.domain.wording.sentence import sentence

MOST_CONFIGURATIONS = 10_000


class Sweep(Frozen):
    """The configurations to compare."""

    name: str = Field(min_length=1, max_length=200)
    """Name in tables."""
    config: RunConfig
    """The common configuration."""
    axes: Axes = Axes()
    """The varied values."""
    baseline: RetrievalPolicy | None = None
    """Retrieval setting of the baseline; None without one."""
    max_k: int = Field(default=MAX_K, ge=1, le=1000, validation_alias=AliasChoices("max_k", "maxK"))
    """maxK of the threshold configurations."""
    k_increment: int = Field(
        default=K_INCREMENT, ge=1, le=1000, validation_alias=AliasChoices("k_increment", "kIncrement")
    )
    """kIncrement of the threshold configurations; results do not depend on it."""
    timing: TimingPlan | None = None
    """Makes it a timing run: one question at a time, no cached answers. None runs requests in parallel."""
    noise: bool = added_field(False)
    """True if the baseline runs a second time, to measure how much its scores vary by chance."""
    primary: str | None = added_field(None)
    """Metric of the verdict: CPS, one of the 24 columns, or with `judge` a judged column. None: not recorded, CPS."""
    judge: Model | None = added_field(None)
    """Model that judges the answers once all runs are finished, if `primary` is a judged column; None otherwise."""
    margin: float | None = added_field(None, gt=0)
    """Smallest difference that matters, in units of the primary metric. None: not recorded, .02."""
    alpha: float | None = added_field(None, gt=0, lt=0.5)
    """Error of all comparisons together. None: not recorded, .05."""
    cost: Cost | None = added_field(None)
    """Unit of cost by which a configuration is cheaper in the verdict. None: not recorded, tokens of the prompt."""
    price: GivenPrice | None = added_field(None)
    """Price of a million tokens of prompts and of answers; required for the cost `money`, and only for it."""
    panel: PanelName | None = added_field(None)
    """Metrics and weights of CPS. None: not recorded, phase3."""
    normalisation: Normalisation | None = added_field(None)
    """Bounds of the pool that CPS is relative to. None: not recorded, min-max."""
    repeat_seeds: bool = added_field(False)
    """True if each repeat has a seed of its own (seed + repeat - 1 modulo 2^31). False: all have the same."""
    looks: Looks | None = added_field(None)
    """Declared looks; `questions` is then the number of the first or the second. None: one look at the end."""
    windows: tuple[ModelWindow, ...] = added_field(())
    """Context windows of single models; all others have `config.options.num_ctx`."""
    hypothesis: str | None = added_field(None, min_length=1, max_length=2000)
    """Hypothesis. With it, the plan is entered in the ledger before the first question is asked."""

    @model_validator(mode="after")
    def _size_is_sane(self) -> Sweep:
        if self.size > MOST_CONFIGURATIONS:
            raise ValueError(sentence("rule.many-configurations", most=MOST_CONFIGURATIONS))
        return self

    @model_validator(mode="after")
    def _has_a_known_primary(self) -> Sweep:
        if self.judge is None:
            if self.primary is not None:
                check_metric(self.primary)
        elif self.primary is None or self.primary in PRIMARY_METRICS:
            raise ValueError(sentence("rule.judge-without-column"))
        elif self.looks is not None:
            raise ValueError(sentence("rule.judge-with-looks"))
        return self

    @model_validator(mode="after")
    def _money_has_a_price(self) -> Sweep:
        check_price(self.cost, self.price)
        return self

    @model_validator(mode="after")
    def _is_a_look(self) -> Sweep:
        if self.looks is not None and self.config.questions not in (self.looks.first, self.looks.second):
            raise ValueError(sentence("rule.not-a-look"))
        return self

    @model_validator(mode="after")
    def _collections_differ(self) -> Sweep:
        names = [planned.name for planned in self.collections()]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(sentence("rule.same-collection", name=name))
        return self

    @model_validator(mode="after")
    def _thresholds_cut_similarities(self) -> Sweep:
        for retriever, (policy, _) in product(self.retrievers, self.policies()):
            refuse_thresholds(policy, retriever)
        return self

    @model_validator(mode="after")
    def _time_is_measured(self) -> Sweep:
        for retriever in self.retrievers if self.timing else ():
            if any(models_of(retriever)):
                raise ValueError(sentence("rule.timing-with-model", retriever=retriever.label))
        return self

    @property
    def retrievers(self) -> tuple[Retriever, ...]:
        """Return the retrievers to compare, or the only one."""
        return self.axes.retriever or (self.config.retriever,)

    @property
    def models(self) -> tuple[Model, ...]:
        """Return every model that is named, those of retrievers and the judge included."""
        asked = (model for retriever in self.retrievers for model in models_of(retriever))
        judges = () if self.judge is None else (self.judge,)
        return tuple(dict.fromkeys((self.config.model, *self.axes.model, *asked, *judges)))

    @model_validator(mode="after")
    def _noise_has_a_baseline(self) -> Sweep:
        if self.noise and self.baseline is None:
            raise ValueError(sentence("rule.noise-without-baseline"))
        return self

    @model_validator(mode="after")
    def _windows_are_of_its_models(self) -> Sweep:
        models = self.axes.model or (self.config.model,)
        named = [window.model for window in self.windows]
        for place, model in enumerate(named):
            if model not in models:
                raise ValueError(sentence("rule.window-of-other-model", model=model.name))
            if model in named[:place]:
                raise ValueError(sentence("rule.two-windows", model=model.name))
        return self

    def options_of(self, model: Model) -> GenerationOptions:
        """Return the common options with the model's own context window, where it has one."""
        own = next((window.num_ctx for window in self.windows if window.model == model), None)
        return self.config.options if own is None else self.config.options.model_copy(update={"num_ctx": own})

    @property
    def is_alone(self) -> bool:
        """Return whether a model server answers one request at a time."""
        return self.timing is not None or self.config.answers == "repeatable"

    @property
    def size(self) -> int:
        """Return the number of configurations."""
        axes = self.axes
        varied = (axes.prompt, axes.temperature, axes.retriever, axes.embedding, axes.chunking)
        each = len(self.own_models) * prod(max(1, len(values)) for values in varied)
        own = each * (axes.repeat * len(self.policies()) + (1 if self.noise else 0))
        return own + len(self.outside_systems) * axes.repeat

    @property
    def answering(self) -> tuple[Model, ...]:
        """Return the models to compare, or the only one."""
        return self.axes.model or (self.config.model,)

    @property
    def own_models(self) -> tuple[Model, ...]:
        """Return the models that answer from passages that PaSSER retrieves."""
        return tuple(model for model in self.answering if not model.is_outside)

    @property
    def outside_systems(self) -> tuple[Model, ...]:
        """Return the external systems, which do their own retrieval."""
        return tuple(model for model in self.answering if model.is_outside)

    def policies(self) -> list[tuple[RetrievalPolicy, bool]]:
        """Return the retrieval settings with a baseline flag, the baseline first."""
        axes = self.axes
        varied: list[RetrievalPolicy] = [NormalPolicy(k=k) for k in axes.k]
        varied += [
            ScorePolicy(min_similarity=value, max_k=self.max_k, k_increment=self.k_increment)
            for value in axes.min_similarity
        ]
        varied += axes.retrieval
        first: list[tuple[RetrievalPolicy, bool]] = [(self.baseline, True)] if self.baseline else []
        others = [policy for policy in varied if policy != self.baseline]
        if not first and not others:
            others = [self.config.retrieval]
        return first + [(policy, False) for policy in others]

    def collections(self) -> tuple[PlannedCollection, ...]:
        """Return the required collections, one for each combination of embedding model and chunking.

        Empty if only external systems answer.
        """
        if not self.own_models:
            return ()
        return planned_collections(self.config.collection, self.axes.embedding, self.axes.chunking)

    def configurations(self) -> list[tuple[RunConfig, bool]]:
        """Return every configuration with a baseline flag: model by model, the baseline of each retriever first.

        An external system is one configuration, because no other axis applies to it.
        """
        base, axes = self.config, self.axes
        combinations = product(
            self.own_models,
            [planned.name for planned in self.collections()],
            axes.prompt or (base.prompt,),
            axes.temperature or (base.options.temperature,),
            range(1, axes.repeat + 1),
            self.retrievers,
            self.policies(),
        )
        found = [
            (
                base.model_copy(
                    update={
                        "model": model,
                        "collection": collection,
                        "prompt": prompt,
                        "options": self.options_of(model).model_copy(
                            update={"temperature": temperature, "seed": self._seed(repeat)}
                        ),
                        "repeat": repeat,
                        "has_own_seed": self._seeds_differ,
                        "retriever": retriever,
                        "retrieval": policy,
                    }
                ),
                is_baseline,
            )
            for model, collection, prompt, temperature, repeat, retriever, (policy, is_baseline) in combinations
        ]
        return [*(each for config in found for each in self._with_noise(*config)), *self._outside_configurations()]

    def _outside_configurations(self) -> list[tuple[RunConfig, bool]]:
        """Return the external systems; without other models, the first is the baseline if the sweep has one."""
        base, systems = self.config, self.outside_systems
        own = {"collection": NOTHING, "prompt": NOTHING, "retriever": Dense(), "retrieval": NoRetrievalPolicy()}
        return [
            (
                base.model_copy(
                    update={
                        **own,
                        "model": system,
                        "options": base.options.model_copy(update={"seed": self._seed(repeat)}),
                        "repeat": repeat,
                        "has_own_seed": self._seeds_differ,
                    }
                ),
                place == 0 and not self.own_models and self.baseline is not None,
            )
            for place, system in enumerate(systems)
            for repeat in range(1, self.axes.repeat + 1)
        ]

    def _with_noise(self, config: RunConfig, is_baseline: bool) -> list[tuple[RunConfig, bool]]:
        """A configuration; the last repetition of a baseline with one more where noise is to be measured."""
        asked_again = self.noise and is_baseline and config.repeat == self.axes.repeat
        again = config.model_copy(update={"repeat": config.repeat + 1})
        return [(config, is_baseline), *([(again, is_baseline)] if asked_again else [])]

    @property
    def _seeds_differ(self) -> bool:
        return self.repeat_seeds and self.axes.repeat > 1

    def _seed(self, repeat: int) -> int:
        seed = self.config.options.seed
        return (seed + repeat - 1) % SEEDS if self._seeds_differ else seed


def usual_fields(profile: VectorProfile) -> dict[str, Any]:
    """Return the fields that commands record with a new sweep; a field left out means as before it existed.

    The published study's metrics keep its panel and pool.
    """
    return {} if profile == "published" else {"panel": PANEL, "normalisation": NORMALISATION, "repeat_seeds": True}
