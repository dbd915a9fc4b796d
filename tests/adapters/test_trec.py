"""Runs and qrels as trec_eval reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from passer.adapters.trec import qrel_lines, read_qrels, read_run, run_lines
from passer.domain.retrieval_at_k import at_k
from passer.errors import InputError

RANKED = {"q 1": ["soil 100%.txt", "b", "c"], "q2": ["c", "a"]}
GRADES = {"q 1": {"c": 2, "soil 100%.txt": 0}, "q2": {"a": 1, "b": 1}}


def written(folder: Path, name: str, lines: object) -> Path:
    path = folder / name
    path.write_text("".join(lines) if not isinstance(lines, str) else lines, encoding="utf-8")  # type: ignore[arg-type]
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    run = written(tmp_path, "a.run", run_lines(RANKED, tag="BM25 (k1 0.9)"))
    assert all(len(line.split()) == 6 for line in run.read_text().splitlines())
    assert read_run(run) == ("BM25 (k1 0.9)", RANKED)
    assert read_qrels(written(tmp_path, "a.qrels", qrel_lines(GRADES))) == GRADES


def test_ir_measures_reads_the_same_figures_from_our_files(tmp_path: Path) -> None:
    import ir_measures
    from ir_measures import RR, P, R

    run = written(tmp_path, "a.run", run_lines(RANKED, tag="t"))
    qrels = written(tmp_path, "a.qrels", qrel_lines(GRADES))
    measures = {"P": P @ 2, "R": R @ 2, "MRR": RR @ 2}
    expected = ir_measures.calc_aggregate(
        list(measures.values()), ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    )
    for name, measure in measures.items():
        assert expected[measure] == sum(at_k(RANKED[q], GRADES[q], 2)[name] for q in RANKED) / 2


def test_the_score_orders_and_equal_scores_by_the_rank(tmp_path: Path) -> None:
    text = "q Q0 a 1 0.5 t\nq Q0 b 3 0.9 t\nq Q0 c 2 0.9 t\n\n"
    assert read_run(written(tmp_path, "x.run", text)) == ("t", {"q": ["c", "b", "a"]})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no lines"),
        ("q Q0 a 1 0.5 t\nq Q0 b 2 0.4\n", "line 2: 5 fields instead of 6"),
        ("q Q0 a 1 high t\n", "line 1: the score 'high' is not a number"),
        ("q Q0 a 1 nan t\n", "the score 'nan' is not a number"),
        ("q Q0 a 1 0.5 t\nq Q0 a 2 0.4 t\n", "line 2: a is listed twice for question q"),
    ],
)
def test_a_wrong_run_is_refused_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_run(written(tmp_path, "x.run", text))


def test_wrong_grades_are_refused_and_negative_ones_are_not_relevant(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: the grade 0\.5 is not a whole number"):
        read_qrels(written(tmp_path, "x.qrels", "q 0 a 0.5\n"))
    assert read_qrels(written(tmp_path, "y.qrels", "q 0 a -2\nq 0 b 3\n")) == {"q": {"a": 0, "b": 3}}
    with pytest.raises(InputError, match="cannot be read"):
        read_qrels(tmp_path / "none.qrels")
