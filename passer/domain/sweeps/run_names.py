"""Runs of a new sweep, and their names in tables: only the axes that vary are named.

A name is a sentence: its English text is stored and never changes, because manifests contain it; where it is shown, its
parts are in the reader's language. Names that people chose (of models, prompts and collections) stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.retriever import Dense
from passer.domain.retrieval.retriever_names import labels_by_digest
from passer.domain.sweeps.run import Run, RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence

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


def known_name(name: str, sweep: Sweep, config: RunConfig, info: ModelInfo | None) -> str:
    """Return a stored name in today's words, with the parts that its configuration gives it.

    A name that the configuration does not give today, as some of earlier versions, is text without parts.
    """
    now = current_name(name)
    composed = run_name(sweep, config, info or ModelInfo(name=config.model.name))
    return composed if composed == now else now


def run_name(sweep: Sweep, config: RunConfig, info: ModelInfo) -> str:
    """Return the name of a run among those of its sweep."""
    model, parts = _on_server(info.name, _server(sweep, config.model)), _settings(sweep, config)
    if not parts or len(sweep.axes.model) > 1:
        parts.insert(0, model)
    if sweep.axes.repeat > 1 or (config.repeat > 1 and not config.model.is_outside):
        parts.append(f"#{config.repeat}")
    return _fitted(sentence("name.parts", parts=tuple(parts)))


def name_among_sweeps(sweep: str, name: str) -> str:
    """Return the name of a run among those of several sweeps, which may have the same."""
    return _fitted(sentence("name.of-sweep", sweep=sweep, name=name))


def _fitted(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME]


def configuration_name(sweep: Sweep, config: RunConfig) -> str:
    """Return the name of a run without its model and the number of the repeat, which only some sweeps have."""
    return sentence("name.parts", parts=tuple(_settings(sweep, config) or [config.model.name]))


def _settings(sweep: Sweep, config: RunConfig) -> list[str]:
    """Return what distinguishes configurations of one model; nothing of an external system."""
    if config.model.is_outside:
        return []
    parts = [config.retrieval.label]
    parts += [c.label for c in sweep.collections() if c.name == config.collection and c.label]
    if config.retriever != Dense() or len(sweep.axes.retriever) > 1:
        parts.append(labels_by_digest((*sweep.axes.retriever, config.retriever))[config.retriever.digest])
    if len(sweep.axes.prompt) > 1:
        parts.append(config.prompt)
    if len(sweep.axes.temperature) > 1:
        parts.append(sentence("name.temperature", at=f"{config.options.temperature:g}"))
    return parts


def _server(sweep: Sweep, model: Model) -> int | None:
    """Return the server of a model whose name another model of the sweep has; None for other models.

    The number is its place among them: names are published, and those of connections are not.
    """
    alike = list(dict.fromkeys(each for each in sweep.axes.model if each.name == model.name))
    return alike.index(model) + 1 if len(alike) > 1 else None


def _on_server(name: str, number: int | None) -> str:
    return name if number is None else sentence("name.server", model=name, n=number)


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
