"""Three runs of four questions, for the tests of the matrix and of its figures."""

from __future__ import annotations

from dataclasses import replace

from passer.domain.analysis.run_rows import RunRows
from passer.domain.dataset import Question
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from tests.analysis_rows import question, run

TEXTS = [("Compost?", "soil"), ("Clover?", "nitrogen"), ("Copper?", "limits"), ("Cattle?", "barn"), ("Cabbage?", "")]
ASKED = [Question(id=f"q{number}", text=text, reference=reference) for number, (text, reference) in enumerate(TEXTS)]
FOUR = ASKED[:4]
FOUND = QuestionRetrieval(kept=5, gold=1, gold_ranks=(2,))
LOST = QuestionRetrieval(kept=1, gold=1)


def matrix_runs() -> list[RunRows]:
    """Baseline 0 .5 .8 .1; low threshold 0 .6 .8 .1; high threshold .3 1 .2 and a failure, without gold in q2."""
    return [
        matrix_run("base", [0.0, 0.5, 0.8, 0.1]),
        # Out of order, as runs of a second model may be.
        matrix_run("high", [0.3, 1.0, 0.2], threshold=0.6, retrieval={2: LOST}, failed=(3,)),
        matrix_run("low", [0.0, 0.6, 0.8, 0.1], threshold=0.3, retrieval={3: replace(FOUND, abstained=True)}),
    ]


def matrix_run(
    name: str,
    heights: list[float],
    *,
    threshold: float | None = None,
    retrieval: dict[int, QuestionRetrieval] | None = None,
    failed: tuple[int, ...] = (),
) -> RunRows:
    items = [
        question(number, height, retrieval=(retrieval or {}).get(number, FOUND))
        for number, height in enumerate(heights)
    ]
    items += [question(number, None, state="failed") for number in failed]
    policy = NormalPolicy() if threshold is None else ScorePolicy(min_similarity=threshold)
    return run(name, items, retrieval=policy, baseline=threshold is None)
