"""The tables of retrievers in docs/retrievers.md, from the shipped datasets.

    python -m benchmarks.retriever_tables

Writes the part of the page between the two marks again. No model is called except the built-in embedding model.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from passer.bootstrap import build_services
from passer.domain.retrieval.report import FigureAtK, RankingFigures, RetrievalReport, RetrievalRequest
from passer.domain.retrieval.retriever_names import SHORTHANDS
from passer.domain.verdict.family import FamilyGain
from passer.settings import Settings

PAGE = Path(__file__).parent.parent / "docs" / "retrievers.md"
FIRST, LAST = "<!-- Written by python -m benchmarks.retriever_tables -->\n", "<!-- End of what is written -->\n"
EXAMPLES = ("biodiversity-policy", "organic-farming")
K = 5
MEANS, COMPARED = (f"R@{K}", f"MRR@{K}", f"nDCG@{K}"), f"MRR@{K}"
WORDS = {"as_good": "as good"}


def request(example: str) -> RetrievalRequest:
    """The comparison of one example."""
    return RetrievalRequest(dataset=example, collection=example, retrievers=tuple(SHORTHANDS.values()), ks=(K,))


def cells(ranking: RankingFigures) -> list[str]:
    """Name and means of one retriever, each with its interval."""
    found = {figure.name: figure for figure in ranking.figures}
    return [ranking.label, *(_mean(found[name]) for name in MEANS)]


def lines(report: RetrievalReport) -> Iterator[str]:
    """The table of one example."""
    yield f"**{report.dataset}**: {report.n_judged} questions, by {report.by}\n\n"
    yield _row(["retriever", *MEANS, f"gain in {COMPARED} over dense"])
    yield "|---" * (len(MEANS) + 2) + "|\n"
    for ranking in report.rankings:
        gain = next(figure.gain for figure in ranking.figures if figure.name == COMPARED)
        yield _row([*cells(ranking), _gain(gain) if gain else ""])
    yield "\n"


def _mean(figure: FigureAtK) -> str:
    low, high = (figure.interval.low, figure.interval.high) if figure.interval else (figure.mean, figure.mean)
    return f"{figure.mean:.3f} ({low:.3f} to {high:.3f})"


def _gain(gain: FamilyGain) -> str:
    outcome = WORDS.get(gain.outcome, gain.outcome)
    values = [f"{value:+.3f}".replace("-", "−") for value in (gain.gain, gain.low, gain.high) if value is not None]
    return (
        f"{values[0]} ({' to '.join(values[1:])}), {outcome}" if len(values) == 3 else f"{''.join(values)}, {outcome}"
    )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def written(page: str, tables: str) -> str:
    """The page with these tables between its marks."""
    before, rest = page.split(FIRST)
    return f"{before}{FIRST}\n{tables}{LAST}{rest.split(LAST)[1]}"


def main() -> None:
    logging.disable(logging.WARNING)
    with (
        tempfile.TemporaryDirectory() as home,
        closing(build_services(Settings(home=Path(home), encoder="none"))) as built,
    ):
        made: list[str] = []
        for example in EXAMPLES:
            built.library.examples.load(example)
            made += lines(built.pipeline.retrieval_evaluation.evaluate(request(example)))
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), "".join(made)), encoding="utf-8")


if __name__ == "__main__":
    main()
