"""Names of runs in tables: what is varied, and nothing else."""

from __future__ import annotations

from passer.domain.model import ModelInfo
from passer.domain.retriever import Dense
from passer.domain.run import RunConfig
from passer.domain.sweep import Sweep

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
    if config.model.is_outside:
        return f"{info.name}, #{config.repeat}" if sweep.axes.repeat > 1 else info.name
    parts = [config.retrieval.label]
    parts += [c.label for c in sweep.collections() if c.name == config.collection and c.label]
    if config.retriever != Dense() or len(sweep.axes.retriever) > 1:
        parts.append(config.retriever.label)
    if len(sweep.axes.model) > 1:
        parts.insert(0, info.name)
    if len(sweep.axes.prompt) > 1:
        parts.append(config.prompt)
    if len(sweep.axes.temperature) > 1:
        parts.append(f"T={config.options.temperature:g}")
    if sweep.axes.repeat > 1 or config.repeat > 1:
        parts.append(f"#{config.repeat}")
    return ", ".join(parts)[:LONGEST_NAME]
