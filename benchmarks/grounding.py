"""Citations and grounding of 1,000 answers by text, and locating the failures of a stored sweep.

    python -m benchmarks.grounding [--quick]

Seconds are of a processor. Locating reads a sweep of 21 configurations and 70 questions from the database, without the
texts of its passages.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import process_time

import numpy as np

from benchmarks.report import Figure, report
from benchmarks.running.large import MANY, AtOnce, Lengths, settings
from benchmarks.running.scripted import EXAMPLE, model_server
from passer.bootstrap import Services, build_services
from passer.domain.retrieval.passages import Passage
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.sweep import Sweep
from passer.engines.local import LocalEngine
from passer.metrics.grounded.checks import GroundingLimits, checked, keywords_of
from passer.ports import Workers
from passer.services.analysis.failure_locator import FailureChoices

ANSWERS, QUICK_ANSWERS = 1_000, 200
KEPT = 10
PASSAGES = 500
PASSAGE_WORDS, ANSWER_WORDS = 150, 60
CONFIGURATIONS, QUESTIONS = 21, 70


def seconds(act: Callable[[], object], times: int = 3) -> float:
    """Processor seconds of one call, the fewest of some."""
    found = []
    for _ in range(times):
        began = process_time()
        act()
        found.append(process_time() - began)
    return min(found)


def grounding_s(answers: int) -> float:
    """Seconds to check answers of three sentences against ten of 500 passages, keywords of passages included."""
    rng = np.random.default_rng(18)

    def text(words: int) -> str:
        drawn = np.minimum(rng.zipf(1.3, words), 20_000)
        return " ".join(f"word{word}" + (". " if place % 20 == 19 else "") for place, word in enumerate(drawn))

    passages = [
        Passage(id=f"p{n}", document=f"d{n % 50}", number=n, text=text(PASSAGE_WORDS), start=0, end=1)
        for n in range(PASSAGES)
    ]
    kept = [[passages[place] for place in rng.choice(PASSAGES, KEPT, replace=False)] for _ in range(answers)]
    texts = [f"{text(ANSWER_WORDS)} [1][{1 + n % KEPT}]" for n in range(answers)]

    def check() -> None:
        known = keywords_of(passages, "en", GroundingLimits())
        for answer, shown in zip(texts, kept, strict=True):
            checked(answer, shown, language="en", limits=GroundingLimits(), known=known)

    return seconds(check)


def finished_sweep(built: Services) -> str:
    """A sweep of k = 1 to 21 over the example, answered at once and scored without an encoder; its id."""
    built.library.examples.load(EXAMPLE)
    config = MANY.model_copy(update={"dataset": EXAMPLE})
    wanted = Sweep(name="Many", config=config, axes=Axes(k=tuple(range(1, CONFIGURATIONS + 1))))
    stored = replace(built.sweeps.planner, scored_by=lambda: Lengths.identity).create(wanted)
    model, scorer = AtOnce(), Lengths()
    engine = partial(LocalEngine, lambda: Workers(lambda _: model, lambda: scorer), per_endpoint=16)
    done = replace(built.sweeps.runner, scorer=scorer, engine=engine).run(stored.id)
    assert sum(run.counts.scored for run in done.runs) == CONFIGURATIONS * QUESTIONS
    return stored.id


def locating_s() -> float:
    """Seconds to locate the failures of a stored sweep of 21 configurations and 70 questions."""
    with tempfile.TemporaryDirectory() as home, model_server(latency_s=0) as url:
        built = build_services(settings(home, url))
        sweep_id = finished_sweep(built)
        locator = built.analysis.failure_locator
        found = seconds(lambda: locator.of_sweep(sweep_id, FailureChoices()))
        built.close()
    return found


def main() -> None:
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="ends within a minute")
    answers = QUICK_ANSWERS if parser.parse_args().quick else ANSWERS
    report(
        "grounding",
        {
            "grounding_1000x10": Figure(
                grounding_s(answers) * ANSWERS / answers, "lower", "s of a processor", goal=2.0
            ),
            "locating_21x70": Figure(locating_s(), "lower", "s of a processor", goal=1.0),
        },
    )


if __name__ == "__main__":
    main()
