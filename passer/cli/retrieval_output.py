"""Output of the command `retrieve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from passer.cli.files import write_file
from passer.cli.output import note, number, print_table
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.domain.retrieval.distances import Distances
    from passer.domain.retrieval.fusion import PartRank, RankingParts
    from passer.domain.retrieval.report import FigureAtK, RankingFigures, RetrievalReport

SHOWN = ("R", "P", "F1", "MRR", "nDCG")
"""Measures shown in the table; --json contains all of them."""
WIDEST = 4
"""Most cuts in one table; more are printed as one table for each measure."""
_KINDS = {"run": "Imported ranking", "qrels": "Imported grades"}
MARKS = {"better": "+", "worse": "-", "as_good": "=", "undecided": "?", "identical": "="}


def print_report(report: RetrievalReport) -> None:
    """Print means, gains and distances; only the warnings where no question has anything relevant."""
    from passer.domain.retrieval.at_k import figure_name

    for warning in report.warnings:
        note(warning)
    for each in report.inputs:
        note(f"{_KINDS[each.kind]} “{each.name}”: {counted(each.entries, 'question')}, SHA-256 {each.digest[:12]}.")
    if not report.n_judged:
        return
    cuts = report.ks if len(report.ks) <= WIDEST else report.ks[-1:]
    names = {k: [figure_name(name, k) for name in SHOWN] for k in cuts}
    print_table(
        ["retriever", *(name for k in cuts for name in (*names[k], figure_name("unjudged", k)))],
        [
            [ranking.label, *(cell for k in cuts for cell in _cells(ranking, names[k], k))]
            for ranking in report.rankings
        ],
        title=f"{report.collection}, {report.dataset}: {counted(report.n_judged, 'question')}, by {report.by}; "
        "macro means over questions",
    )
    if len(report.ks) > WIDEST:
        _print_curves(report)
    _print_means(report)
    _print_distances(report)
    compared = [ranking for ranking in report.rankings if any(figure.gain for figure in ranking.figures)]
    if compared:
        # Five columns for each cut would not fit a screen; --json and --table have all.
        last = names[cuts[-1]]
        print_table(
            ["gain over " + report.rankings[0].label, *last],
            [[ranking.label, *map(_gain_cell, _named(ranking, last))] for ranking in compared],
            title="Gains; + better, - worse, = as good or equal on each question, ? undecided (95 % simultaneous "
            "intervals), or fewer than 20 questions, as in a verdict; * no interval, because fewer than 10 questions "
            "differ, or nearly all by the same amount",
        )


def print_parts(ranking: RankingParts) -> None:
    """Print the ranking of one question with the places of its passages in the rankings from which it was merged."""
    rows = [
        [
            str(each.passage.rank),
            f"{each.passage.document} #{each.passage.number}",
            {None: "", 0: ""}.get(each.grade, "relevant"),
            number(each.passage.similarity, 3),
            "" if each.passage.score is None else number(each.passage.score, 4),
            *(_place(place) for place in each.places),
        ]
        for each in ranking.passages
    ]
    print_table(["rank", "passage", "", "similarity", "score", *ranking.parts], rows, title=ranking.label)


def _place(place: PartRank | None) -> str:
    """Return the rank in one part, with what it adds to the score."""
    if place is None:
        return "-"
    return str(place.rank) if place.share is None else f"{place.rank} (+{number(place.share, 4)})"


def _print_curves(report: RetrievalReport) -> None:
    """Print each measure over K, a row for each retriever."""
    for figure in report.curves:
        print_table(
            [str(figure.y.label), *(f"K = {k}" for k in report.ks)],
            [[str(series.name), *(number(float(row.y or 0), 3) for row in series.rows)] for series in figure.series],
        )


def _print_means(report: RetrievalReport) -> None:
    """Print the other means at the largest cut: over groups, and F1 of the means of P and R."""
    from passer.domain.retrieval.at_k import figure_name

    k = max(report.ks)
    names = [figure_name(name, k) for name in SHOWN]
    f1 = f"{figure_name('F1', k)} of means"
    rows = []
    for ranking in report.rankings:
        found = _named(ranking, names)
        rows.append([ranking.label, "questions", *(number(each.mean, 3) for each in found),
                     number(ranking.f1_of_means[str(k)], 3)])  # fmt: skip
        if groups := found[0].groups:
            rows.append([ranking.label, "groups", *(number(each.over_groups, 3) for each in found),
                         number(ranking.f1_of_group_means[str(k)], 3)])  # fmt: skip
            rows += [[ranking.label, name, *(number(each.groups[name], 3) for each in found), ""] for name in groups]
    print_table(["retriever", "macro mean over", *names, f1], rows, title=f"Means at K = {k}, by name")


def _print_distances(report: RetrievalReport) -> None:
    """Print the distances of the first passages at the largest cut, by band."""
    k = str(max(report.ks))
    found = [(ranking.label, ranking.distances[k]) for ranking in report.rankings if ranking.distances]
    if not found:
        return
    names = list(found[0][1].all.bands)

    def row(label: str, mean: float | None, rated: str | None, near: Distances, over_groups: float | None) -> list[str]:
        counts = (*(str(near.bands[name]) for name in names), str(near.dropped))
        return [
            label, number(mean), number(over_groups), rated or "-", number(near.smallest), number(near.largest), *counts
        ]  # fmt: skip

    rows = []
    for label, bands in found:
        rows.append(row(label, bands.mean, bands.rating, bands.all, bands.over_groups))
        rows += [row(f"{label}: {group}", near.mean, None, near, None) for group, near in bands.groups.items()]
        if bands.unanswerable is not None:
            near = bands.unanswerable
            rows.append(row(f"{label}: questions without an answer", near.mean, None, near, None))
    print_table(
        ["retriever", "mean", "over groups", "rating", "smallest", "largest", *names, "dropped"],
        rows,
        title=f"Distance (1 - similarity) of the first {k}, by band",
    )


def _cells(ranking: RankingFigures, names: Sequence[str], k: int) -> list[str]:
    """Return the means of the figures at a cut, and the share that has no grade."""
    return [*(number(each.mean, 3) for each in _named(ranking, names)), number(ranking.unjudged[str(k)], 3)]


def _named(ranking: RankingFigures, names: Sequence[str]) -> list[FigureAtK]:
    """Return the figures of these names, in their order."""
    found = {figure.name: figure for figure in ranking.figures}
    return [found[name] for name in names]


def _gain_cell(figure: FigureAtK) -> str:
    gain = figure.gain
    if gain is None:
        return "-"
    has_none = gain.reason in ("few_changed", "one_amount", "no_spread")
    return f"{number(gain.gain, 3, sign=True)} {MARKS[gain.outcome]}{'*' if has_none else ''}"


def write_texts(files: Mapping[str, str], folder: Path) -> None:
    """Write texts by their file names to a folder."""
    for name, text in files.items():
        write_file(folder / name, BytesIO(text.encode()))
