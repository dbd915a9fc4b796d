"""The gain corrected for the selection, computed again from the records of a study by both verifiers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from passer.domain.score import VECTOR_ORDER, Score, Scores
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import RANGES, members_of
from tests.services.study import Study
from tests.studies import (
    Json,
    PlausibleScorer,
    PublishedSweep,
    failed_steps,
    told,
    value_of,
    verify_study,
    with_verdict_changed,
)

KINDS: dict[str, dict[str, Any]] = {
    "CPS": {},
    "winsorised": {"panel": "text-1", "normalisation": "winsorised"},
    "one column": {"primary": "METEOR"},
    "lower is better": {"primary": "Laplace Perplexity"},
    "clusters and weights": {"is_declared": True},
    "repeats": {"repeat": 2},
}


class BrevityScorer(PlausibleScorer):
    """Prefers answers that repeat fewer passages, by and large: tighter thresholds are then better."""

    def _scores(self, reference: str, answer: str) -> Scores:
        dice = random.Random(f"{reference} {answer}")
        scores: Scores = {}
        for column in VECTOR_ORDER:
            low, high = RANGES[column]
            share = 0.3 * dice.random() + 0.7 / (1 + len(answer.split()) / 40)
            share = 1 - share if "Perplexity" in column else share
            scores[column] = Score(value=low + share * (high - low))
        if dice.random() < 0.1:
            scores["METEOR"] = Score(value=None, reason="no_tokens")
        return scores


def made_of(kind: str) -> bytes:
    def prepare(study: Study) -> None:
        study.scorer = BrevityScorer()

    return PublishedSweep(0.2, 0.4, 0.6, prepare=prepare, questions=40, **KINDS[kind]).publish()


def raised(document: Json) -> None:
    corrected = document["conclusions"][0]["corrected"]
    corrected.update(gain=corrected["gain"] + 0.01)


def called_stable(document: Json) -> None:
    document["conclusions"][0]["corrected"].update(better_share=7)


def left_out(document: Json) -> None:
    document["conclusions"][0].update(corrected=None)


@needs_node
def test_both_verifiers_compute_the_corrected_gain_again(tmp_path: Path) -> None:
    honest = {kind: made_of(kind) for kind in KINDS}
    for kind, study in honest.items():
        (conclusion,) = value_of(members_of(study), "verdict.json")["conclusions"]
        assert conclusion["kind"] == "better", kind
        assert conclusion["corrected"]["splits"] == 200, kind
    forged = [with_verdict_changed(honest["CPS"], change) for change in (raised, called_stable, left_out)]
    forged.append(with_verdict_changed(honest["one column"], raised))
    files = [*honest.values(), *forged]
    for number, (file, seen) in enumerate(zip(files, by_the_browser(files, tmp_path), strict=True)):
        assert failed_steps(file) == ([] if number < len(honest) else ["verdict"]), number
        assert seen == told(verify_study(file)), number
