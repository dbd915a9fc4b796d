"""A publisher whose own installation says so: records, table, verdict and all digests of the study follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.verification import Step
from passer.domain.dataset import Question
from passer.domain.score import Score, Scores
from passer.domain.sweeps.run import RunState
from passer.ports import StoredSweep
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.verifier import Verifier
from passer.services.runs.run_browser import RunBrowser
from tests.browser_verifier import by_the_browser, needs_node
from tests.services.study import Study
from tests.studies import PlausibleScorer, PublishedSweep, failed_steps, told, verify_study


@dataclass(frozen=True)
class DeclaringBrowser(RunBrowser):
    """Declares other clusters or weights than the dataset."""

    more: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def questions(self, sweep: StoredSweep) -> tuple[Question, ...]:
        return tuple(
            question.model_copy(update={name: values[place % len(values)] for name, values in self.more.items()})
            for place, question in enumerate(super().questions(sweep))
        )


def declared(made: PublishedSweep, **more: Sequence[Any]) -> bytes:
    store = made.study.store
    browser = DeclaringBrowser(runs=store, evaluations=store, datasets=store, more=more)
    results = replace(made.composer.sweep_results, run_browser=browser)
    made.composer = replace(made.composer, sweep_results=results)
    return made.publish()


def planned(**changes: Any) -> bytes:
    """The plan changed after the results."""
    made = PublishedSweep()
    stored = made.study.store._sweeps[made.sweep.id]
    made.study.store._sweeps[made.sweep.id] = stored.model_copy(
        update={"sweep": stored.sweep.model_copy(update=changes)}
    )
    return made.publish()


def run_hidden() -> bytes:
    made = PublishedSweep()
    last = made.stored.runs[-1].id
    made.study.store.set_state([last], RunState.FAILED, reason="The server burned.")
    return made.publish()


class KindScorer(PlausibleScorer):
    """Raises each score of one column."""

    def _scores(self, reference: str, answer: str) -> Scores:
        scores = super()._scores(reference, answer)
        value = scores["F1 Score"].value
        return {**scores, "F1 Score": Score(value=None if value is None else min(1.0, value + 0.2))}


def kindly_scored() -> bytes:
    def prepare(study: Study) -> None:
        study.scorer = KindScorer()

    return PublishedSweep(prepare=prepare).publish()


WEIGHTS, CLUSTERS = (3.0, 0.5, 0.5), ("one", "one", "two")
FORGERIES: dict[str, tuple[str | None, Callable[[], bytes]]] = {
    "weights of a dataset that declares none": ("dataset", lambda: declared(PublishedSweep(), weight=WEIGHTS)),
    "clusters of a dataset that declares none": ("dataset", lambda: declared(PublishedSweep(), cluster=CLUSTERS)),
    "scores raised before they were recorded": ("rescored", kindly_scored),
    "other weights than the dataset declares": (
        None,
        lambda: declared(PublishedSweep(is_declared=True), weight=WEIGHTS),
    ),
    "other clusters than the dataset declares": (
        None,
        lambda: declared(PublishedSweep(is_declared=True), cluster=CLUSTERS),
    ),
    "another margin chosen after the results": (None, lambda: planned(margin=0.2)),
    "another alpha chosen after the results": (None, lambda: planned(alpha=0.2)),
    "another primary metric chosen after the results": (None, lambda: planned(primary="METEOR")),
    "another panel chosen after the results": (None, lambda: planned(panel="text-1")),
    "another cost chosen after the results": (None, lambda: planned(cost="seconds")),
    "a finished run called failed": (None, run_hidden),
}
"""Forgery: the step that names it, or None where a study alone cannot show it; docs/audit.md has this table."""


@needs_node
def test_both_verifiers_find_what_a_publisher_can_be_caught_at(study: bytes, tmp_path: Path):
    files = [forge() for _, forge in FORGERIES.values()]
    by_page = by_the_browser(files, tmp_path)
    for (name, (step, _)), file, seen in zip(FORGERIES.items(), files, by_page, strict=True):
        assert file != study, name
        assert failed_steps(file, rescore=step == "rescored") == ([] if step is None else [step]), name
        assert seen == told(verify_study(file)), name


@pytest.mark.parametrize(
    ("more", "outcome", "field"),
    [
        ({}, "pass", None),
        ({"weight": WEIGHTS}, "fail", "dataset.weights"),
        ({"cluster": CLUSTERS}, "fail", "dataset.clusters"),
        ({"cluster": (None,)}, "fail", "dataset.clusters"),
        ({"weight": (None,)}, "fail", "dataset.weights"),
    ],
)
def test_clusters_and_weights_are_compared_with_the_auditors_dataset(
    more: dict[str, Sequence[Any]], outcome: str, field: str | None
):
    made = PublishedSweep(is_declared=True)
    copy = made.study.store.load_dataset("farm")
    file = declared(made, **more)
    found = Verifier(BundleVerifier(expectation=Expectation(dataset=copy))).verify(memoryview(file))
    [step] = [each for each in found.steps if each.name == "dataset"]
    assert isinstance(step, Step)
    assert (step.outcome, step.field) == (outcome, field)
