"""The metrics of a composite with their weights: the named panels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from passer.domain.base import Frozen
from passer.domain.defaults import MARGIN
from passer.domain.score import score_ranges
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import InputError


def higher_is_better(column: str) -> bool:
    """Return the direction of one of the 24 columns: of them only the perplexities are better when they are lower."""
    return "Perplexity" not in column


def is_of_unit_scale(column: str) -> bool:
    """Return whether no value of a primary metric is above 1, as the usual margin presumes.

    Of the 24 columns perplexities have no upper bound, and B-RT goes to 5; CPS and judged columns end at 1.
    """
    return score_ranges("standard").get(column, (0.0, 1.0))[1] <= 1


def margin_caution(primary: str, margin: float) -> Sentence | None:
    """Return why the usual margin fits a primary metric badly; None for another margin, or where it fits."""
    if margin != MARGIN or is_of_unit_scale(primary):
        return None
    return sentence("caution.margin-scale", metric=primary, margin=margin)


class PanelMetric(Frozen):
    """A metric's place in a composite."""

    metric: str
    """Column name."""
    weight: float = Field(gt=0, le=1)
    """Share of the composite."""
    higher_is_better: bool = True
    """Direction."""


class Panel(Frozen):
    """The metrics of a composite with their weights, which sum to 1."""

    name: str
    """Name shown with every composite."""
    metrics: tuple[PanelMetric, ...] = Field(min_length=1)
    """Each metric once."""

    @model_validator(mode="after")
    def _weights_sum_to_one(self) -> Panel:
        if abs(sum(item.weight for item in self.metrics) - 1) > 1e-9:
            raise ValueError("the weights of a panel must sum to 1")
        if len(set(self.columns)) != len(self.columns):
            raise ValueError("a panel contains each metric once")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the column names, in order."""
        return tuple(item.metric for item in self.metrics)

    @property
    def weights(self) -> Floats:
        """Return the weights, shape (m,), sum 1."""
        return np.array([item.weight for item in self.metrics])

    def without(self, metric: str) -> Panel:
        """Return the panel without one metric, with rescaled weights and a name that states it."""
        left = [item for item in self.metrics if item.metric != metric]
        total = sum(item.weight for item in left)
        rescaled = tuple(item.model_copy(update={"weight": item.weight / total}) for item in left)
        return Panel(name=f"{self.name}-no-{metric.lower()}", metrics=rescaled)


def _panel(name: str, weights: Mapping[str, float]) -> Panel:
    return Panel(
        name=name,
        metrics=tuple(
            PanelMetric(metric=metric, weight=weight, higher_is_better=higher_is_better(metric))
            for metric, weight in weights.items()
        ),
    )


_PHASE2 = _panel(
    "phase2",
    {"METEOR": 0.15, "BLEU": 0.15, "Rouge-1.f": 0.075, "Rouge-l.f": 0.075, "Cosine similarity": 0.1}
    | {"Pearson correlation": 0.1, "F1 Score": 0.2, "Laplace Perplexity": 0.075, "Lidstone Perplexity": 0.075},
)
_PHASE3 = _panel(
    "phase3",
    {"METEOR": 0.15, "Rouge-2.f": 0.075, "Rouge-l.f": 0.075, "Bert-Score.f1": 0.125, "B-RT.average": 0.125}
    | {"F1 Score": 0.15, "B-RT.fluency": 0.1, "Laplace Perplexity": 0.1, "Lidstone Perplexity": 0.1},
)
_TEXT1 = _panel(
    "text-1",
    {"METEOR": 0.2, "Rouge-l.f": 0.2, "F1 Score": 0.2, "Bert-Score.f1": 0.25, "BLEU": 0.15},
)
PANELS: dict[str, Panel] = {
    panel.name: panel for panel in (_TEXT1, _TEXT1.without("METEOR"), _PHASE3, _PHASE3.without("METEOR"), _PHASE2)
}
"""The named panels. text-1, the default of new sweeps, has no B-RT, whose relevance and consistency are not validated,
no perplexity, and one column of each group that ranks answers equally. phase3 and phase2 are those of the study."""


def panel_of(column: str) -> Panel:
    """Return the panel of one column alone."""
    return _panel(column, {column: 1.0})


def _known_panel(name: str) -> str:
    if name not in PANELS:
        raise ValueError(sentence("rule.no-panel", name=name, panels=tuple(PANELS)))
    return name


PanelName = Annotated[str, AfterValidator(_known_panel)]
"""Name of one of the panels."""


def panel_named(name: str) -> Panel:
    """Return a named panel; InputError lists the names."""
    if name not in PANELS:
        raise InputError(sentence("analysis.no-panel", name=name, panels=", ".join(PANELS)), field="panel")
    return PANELS[name]
