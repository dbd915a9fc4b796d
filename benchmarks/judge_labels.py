"""Agreement of a judge with the labelled items of datasets/judging.

    python -m benchmarks.judge_labels [--judge local/smollm2-135m]

The built-in model is the default. It is too weak to judge; its agreement shows what an unusable judge looks like.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from passer.bootstrap import Services, build_services
from passer.domain.judging.agreement import Agreement, agreement
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Findings
from passer.domain.model import model_of
from passer.domain.retrieval import Passage
from passer.metrics.judged import families_of
from passer.services.judging.recipe_runner import RecipeRunner
from passer.settings import Settings

FOLDER = Path(__file__).parents[1] / "datasets" / "judging"
BUILT_IN = "local/smollm2-135m"
SETS = {
    "Answer correctness": ("correctness.jsonl", "grade", 10),
    "Answerability": ("answerability.jsonl", "decision", 1),
    "Stand-alone question": ("standalone.jsonl", "grade", 10),
}
"""File, label and highest label of each column."""


def labelled(column: str) -> tuple[list[Item], list[float]]:
    """Return the items of a column and their labels in [0, 1]."""
    name, label, highest = SETS[column]
    rows = [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    return [item_of(row) for row in rows], [row[label] / highest for row in rows]


def item_of(row: dict[str, Any]) -> Item:
    """Return a line of a file as an item."""
    passages = tuple(
        Passage(id=f"{row['id']}-{n}", document=row["document"], number=n, text=text, start=0, end=len(text))
        for n, text in enumerate(row.get("passages", ()))
    )
    return Item(
        question_id=row["id"],
        question=row["question"],
        reference=row.get("reference", ""),
        answer=row.get("answer", ""),
        passages=passages,
    )


def judged(services: Services, judge: str, column: str, items: Sequence[Item]) -> list[Findings | None]:
    """Return what the judge finds of each item."""
    adapters, answerer = services.adapters, services.pipeline.answerer
    runner = RecipeRunner(
        judgements=adapters.judgements,
        evaluations=adapters.evaluations,
        engine=services.sweeps.engine,
        describe=answerer.describe,
        located=answerer.located,
        clock=adapters.clock,
    )
    model = model_of(judge)
    (family,) = families_of((column,))
    tasks = {task.name: task for task in family.tasks}
    return runner.run(model, answerer.describe(model), tasks, [family.make(item) for item in items])


def print_agreement(column: str, found: Agreement | None, n: int) -> None:
    """Print one column."""
    print(f"{column}: {0 if found is None else found.n} of {n} labelled items have a judged value")
    if found is None:
        return
    print(
        f"  means: labels {found.human_mean:.3f}, judge {found.judge_mean:.3f}; mean absolute error {found.error:.3f}"
    )
    if found.rho is not None and found.rho_interval is not None:
        low, high = found.rho_interval.low, found.rho_interval.high
        print(f"  Spearman rho {found.rho:.3f} (95 % CI {low:.3f} to {high:.3f})")
    else:
        print("  no rank correlation: one side is constant")
    if found.categories is not None:
        same, interval = found.categories.same, found.categories.same_interval
        kappa = "-" if found.categories.kappa is None else f"{found.categories.kappa:.3f}"
        print(f"  same value {same:.3f} (95 % CI {interval.low:.3f} to {interval.high:.3f}), kappa {kappa}")


def main() -> None:
    """Judge all labelled items and print the agreement of each column."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", default=BUILT_IN, help="model, as in `passer judge run --judge`")
    judge = parser.parse_args().judge
    with tempfile.TemporaryDirectory() as folder:
        services = build_services(Settings(home=Path(folder), encoder="none", concurrency=2))
        try:
            for column in SETS:
                items, labels = labelled(column)
                found = [each[0].value if each else None for each in judged(services, judge, column, items)]
                both = [place for place, value in enumerate(found) if value is not None]
                human = np.array([labels[place] for place in both])
                values = np.array([found[place] for place in both], dtype=np.float64)
                questions = [items[place].question for place in both]
                print_agreement(column, agreement(human, values, questions, labelled=len(items)), len(items))
        finally:
            services.close()


if __name__ == "__main__":
    main()
