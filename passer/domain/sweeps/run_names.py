"""Runs of a new sweep, and their names in tables: only the axes that vary are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.retriever import Dense
from passer.domain.retrieval.retriever_names import labels_by_digest
from passer.domain.sweeps.run import Run, RunConfig
from passer.domain.sweeps.sweep import Sweep

LONGEST_NAME = 300
RENAMED = {">=": "≥", "Score ≥": "Similarity ≥", "Normal k=": "Top-k "}
"""Parts of the names that earlier versions gave, in the order in which today's take their place."""


def current_name(name: str) -> str:
    """Return the name of a run in today's words: `>=` as ≥, and the labels of earlier versions as today's.

    Stored names never change, because manifests contain them; people type either form.
    """
    for before, now in RENAMED.items():
        name = name.replace(before, now)
    return name


def run_name(sweep: Sweep, config: RunConfig, info: ModelInfo) -> str:
    """Return the name of a run among those of its sweep."""
    model = info.name + _server(sweep, config.model)
    if config.model.is_outside:
        return f"{model}, #{config.repeat}" if sweep.axes.repeat > 1 else model
    parts = [config.retrieval.label]
    parts += [c.label for c in sweep.collections() if c.name == config.collection and c.label]
    if config.retriever != Dense() or len(sweep.axes.retriever) > 1:
        parts.append(labels_by_digest((*sweep.axes.retriever, config.retriever))[config.retriever.digest])
    if len(sweep.axes.model) > 1:
        parts.insert(0, model)
    if len(sweep.axes.prompt) > 1:
        parts.append(config.prompt)
    if len(sweep.axes.temperature) > 1:
        parts.append(f"T={config.options.temperature:g}")
    if sweep.axes.repeat > 1 or config.repeat > 1:
        parts.append(f"#{config.repeat}")
    return ", ".join(parts)[:LONGEST_NAME]


def _server(sweep: Sweep, model: Model) -> str:
    """Return ` (server 2)` of a model whose name another model of the sweep has; empty for other models.

    The number is its place among them: names are published, and those of connections are not.
    """
    alike = list(dict.fromkeys(each for each in sweep.axes.model if each.name == model.name))
    return _on_server("", alike.index(model) + 1) if len(alike) > 1 else ""


def _on_server(name: str, number: int) -> str:
    return f"{name} (server {number})"


def model_label(run: str, model: str, models: Sequence[object]) -> str:
    """Return the model of a run in tables; `models` are the names of the models of its sweep.

    Where several have this name, the name of the run says which server is meant. Runs of earlier versions do not, and
    their tables and published verdicts have the bare name.
    """
    numbered = (_on_server(model, number) for number in range(1, models.count(model) + 1))
    return next((label for label in numbered if f"{run}, ".startswith(f"{label}, ")), model)


def queued_runs(
    sweep: Sweep, sweep_id: str, infos: Mapping[Model, ModelInfo], *, scored_by: Mapping[str, str], at: datetime
) -> tuple[Run, ...]:
    """Return the runs of a new sweep in the order of its configurations, each with its id and its name."""
    return tuple(
        Run(
            id=f"{sweep_id}-{position:03d}",
            sweep_id=sweep_id,
            position=position,
            name=run_name(sweep, config, infos[config.model]),
            config=config,
            is_baseline=is_baseline,
            model_info=infos[config.model],
            scored_by=dict(scored_by),
            created_at=at,
        )
        for position, (config, is_baseline) in enumerate(sweep.configurations())
    )
