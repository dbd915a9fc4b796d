"""How every benchmark reports: a readable table, then one JSON object as the last line of stdout."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """One measured figure."""

    value: float
    better: Literal["higher", "lower"]
    unit: str
    goal: float | None = None


def report(benchmark: str, figures: Mapping[str, Figure]) -> None:
    """Print the table and the JSON line."""
    width = max(len(name) for name in figures)
    for name, figure in figures.items():
        goal = "" if figure.goal is None else f"   goal {'>=' if figure.better == 'higher' else '<='} {figure.goal:g}"
        value = f"{figure.value:.4g}" if abs(figure.value) < 10_000 else f"{figure.value:.0f}"
        print(f"{name:<{width}}  {value:>12} {figure.unit}{goal}")
    machine = {"cpu_count": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    listed = {
        name: {key: value for key, value in asdict(figure).items() if value is not None}
        for name, figure in figures.items()
    }
    print(json.dumps({"benchmark": benchmark, "machine": machine, "figures": listed}))
