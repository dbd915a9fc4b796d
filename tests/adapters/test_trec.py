"""Runs and qrels as trec_eval reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from passer.adapters.trec import qrel_lines, read_qrels, read_run, run_lines, sweep_files
from passer.domain.retrieval.at_k import at_k
from passer.domain.retrieval.figures import RankedNames, StoredRankings
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.wording.sentence import Sentence, text_of
from passer.errors import InputError

RANKED = {"q 1": ["soil 100%.txt", "b", "c"], "q2": ["c", "a"]}
GRADES = {"q 1": {"c": 2, "soil 100%.txt": 0}, "q2": {"a": 1, "b": 1}}


def written(folder: Path, name: str, lines: object) -> Path:
    path = folder / name
    path.write_text("".join(lines) if not isinstance(lines, str) else lines, encoding="utf-8")  # type: ignore[arg-type]
    return path


def test_what_is_written_is_read_again() -> None:
    run = "".join(run_lines(RANKED, tag="BM25 (k1 0.9)"))
    assert all(len(line.split()) == 6 for line in run.splitlines())
    assert read_run(run.encode(), "a.run") == ("BM25 (k1 0.9)", RANKED)
    assert read_qrels("".join(qrel_lines(GRADES)).encode(), "a.qrels") == GRADES


def test_each_collection_of_a_sweep_has_files_of_its_own() -> None:
    """A passage has another id in each collection, so one file of grades would not fit both."""

    def stored(collection: str, name: str) -> StoredRankings:
        rankings = [RankedNames(each.label, each, {"q": [name, "z"]}) for each in (Dense(), Lexical())]
        return StoredRankings(collection, rankings, {"q": {name: 1}})

    files = sweep_files([stored("soil 400/0", "a"), stored("soil", "b")])
    assert sorted(files) == [
        "bm25-soil-400-0.run", "bm25-soil.run", "dense-soil-400-0.run", "dense-soil.run",
        "relevant-soil-400-0.qrels", "relevant-soil.qrels",
    ]  # fmt: skip
    for of, name in (("soil-400-0", "a"), ("soil", "b")):
        assert read_run(files[f"bm25-{of}.run"].encode(), "x.run") == ("BM25", {"q": [name, "z"]})
        assert read_qrels(files[f"relevant-{of}.qrels"].encode(), "x.qrels") == {"q": {name: 1}}
    # One collection needs no name.
    assert sorted(sweep_files([stored("soil", "b")])) == ["bm25.run", "dense.run", "relevant.qrels"]


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


def test_the_score_orders_and_equal_scores_by_the_rank() -> None:
    text = "q Q0 a 1 0.5 t\nq Q0 b 3 0.9 t\nq Q0 c 2 0.9 t\n\n"
    assert read_run(text.encode(), "x.run") == ("t", {"q": ["c", "b", "a"]})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no lines"),
        ("q Q0 a 1 0.5 t\nq Q0 b 2 0.4\n", "line 2: 5 fields instead of 6"),
        ("q Q0 a 1 high t\n", "line 1: the score “high” is not a number"),
        ("q Q0 a 1 nan t\n", "the score “nan” is not a number"),
        (f"q Q0 a 1 {'9' * 5000} t\n", f"the score “{'9' * 40}” is not a number"),
        ("q Q0 a 1 0.5 t\nq Q0 a 2 0.4 t\n", "line 2: a is listed twice for question q"),
        ("q Q0 a 1 0.5 t\nr Q0 a 1 0.4 u\n", "line 2: the tag u differs from t in the lines before"),
        ("q Q0 a\0 1 0.5 t\n", "cannot be read as text"),
    ],
)
def test_a_wrong_run_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_run(text.encode(), "x.run")


def test_wrong_grades_are_refused_and_negative_ones_are_not_relevant() -> None:
    with pytest.raises(InputError, match=r"line 1: the grade 0\.5 is not a whole number"):
        read_qrels(b"q 0 a 0.5\n", "x.qrels")
    assert read_qrels(b"q 0 a -2\nq 0 b 3\n", "y.qrels") == {"q": {"a": 0, "b": 3}}
    with pytest.raises(InputError, match="cannot be read as text"):
        read_qrels(b"q 0 \xff 1\n", "z.qrels")
    with pytest.raises(InputError, match="line 2: a is listed twice for question q"):
        read_qrels(b"q 0 a 1\nq 0 a 0\n", "x.qrels")


def test_grades_of_beir_are_read() -> None:
    # As BEIR distributes qrels/test.tsv; its names are neither escaped nor free of spaces.
    text = "query-id\tcorpus-id\tscore\r\nPLAIN-2\tMED 2427\t2\r\nPLAIN-2\tMED%20\t1\r\n"
    assert read_qrels(text.encode(), "test.tsv") == {"PLAIN-2": {"MED 2427": 2, "MED%20": 1}}
    header = "query-id\tcorpus-id\tscore\n"
    for line, problem in (
        ("q\ta", "line 2: 2 fields instead of 3"),
        ("q\t\t1", "line 2: 2 fields instead of 3"),
        ("q\ta\t1\t", "line 2: 4 fields instead of 3"),
        (f"q\ta\t0.{'1' * 5000}", f"line 2: the grade 0.{'1' * 38} is not a whole number"),
        (f"q\ta\t{'1' * 300}", f"line 2: the grade {'1' * 40} is larger than 10"),
        ("q\ta\thigh", "line 2: the grade “high” is not a number"),
    ):
        with pytest.raises(InputError, match=problem):
            read_qrels((header + line).encode(), "test.tsv")
    with pytest.raises(InputError, match="has no lines"):
        read_qrels(header.encode(), "test.tsv")


def test_files_in_utf_16_with_a_mark_are_read() -> None:
    assert read_qrels("q 0 док 2\n".encode("utf-16"), "x.qrels") == {"q": {"док": 2}}


def test_what_is_wrong_is_said_in_both_languages() -> None:
    with pytest.raises(InputError) as found:
        read_run(b"q Q0 a 1 high t\n", "x.run")
    said = found.value.message
    assert isinstance(said, Sentence)
    assert said.message is not None
    assert text_of(said.message, "bg") == (
        "x.run, ред 1: стойността „high“ на score не е число. Поправете реда, след това опитайте отново."
    )


def test_names_with_escapes_of_their_owners_are_kept() -> None:
    _, ranked = read_run(b"q Q0 http://a/b%2Fc 1 2 t\nq Q0 http://a/b/c 2 1 t\nq Q0 my%20doc 3 0 t\n", "a.run")
    assert ranked == {"q": ["http://a/b%2Fc", "http://a/b/c", "my doc"]}
    # Escaped names are read back unchanged, next to any other character.
    names = ["a%2Fb", "a %2F", "%20", "100%", "a\u00a0b"]
    line = "".join(run_lines({"q": names}, tag="t"))
    assert read_run(line.encode(), "a.run")[1] == {"q": names}


def test_distances_in_place_of_scores_are_refused() -> None:
    with pytest.raises(InputError, match="probably distances"):
        read_run(b"q Q0 a 1 0.1 t\nq Q0 b 2 0.9 t\nr Q0 a 1 0.5 t\n", "a.run")
    # As trec_eval, which orders by score, where ranks and scores differ in a part only, or scores are equal.
    assert read_run(b"q Q0 a 1 0.1 t\nq Q0 b 2 0.9 t\nr Q0 a 1 0.9 t\nr Q0 b 2 0.1 t\n", "a.run")[1]["q"] == ["b", "a"]
    assert read_run(b"q Q0 a 1 0 t\nq Q0 b 2 0 t\n", "a.run")[1] == {"q": ["a", "b"]}


def test_grades_of_beir_that_a_data_frame_wrote() -> None:
    text = 'query-id,corpus-id,score\n1,"MED 1, part",1\n1,b,0\n'
    assert read_qrels(text.encode(), "a.csv") == {"1": {"MED 1, part": 1, "b": 0}}
    with pytest.raises(InputError, match="line 1: 3 fields instead of 4"):
        read_qrels(b"1\ta\t1\n", "a.tsv")


def test_grades_that_ndcg_cannot_use_are_refused() -> None:
    # 2^99999999999 - 1 is a number of 12 GB.
    with pytest.raises(InputError, match="line 2: the grade 99999999999 is larger than 10"):
        read_qrels(b"q 0 a 10\nq 0 b 99999999999\n", "x.qrels")
    assert at_k(["a"], {"a": 99_999_999_999, "b": 1}, 1)["nDCG"] == 1, "a home may contain such a grade"


def test_names_with_spaces_between_tabs_are_read() -> None:
    run = "1\tQ0\tmy doc.pdf\t1\t1.5e-3\tmy run\n1\tQ0\ttwo\t2\t-2E5\tmy run\n"
    assert read_run(run.encode(), "a.run") == ("my run", {"1": ["my doc.pdf", "two"]})
    assert read_qrels(b"1\t0\tmy doc.pdf\t1\n1\t0\ttwo\t0\n", "a.qrels") == {"1": {"my doc.pdf": 1, "two": 0}}
    # trec_eval separates by ASCII white space alone.
    assert read_run("1  Q0\t東京\u3000都 1 2 t\r\n1 Q0 a\u2028b 2 1 t\r".encode(), "a.run")[1] == {
        "1": ["東京\u3000都", "a\u2028b"]
    }


def test_letters_that_were_replaced_are_refused_with_their_line() -> None:
    # A browser reads a file in a Windows encoding so.
    with pytest.raises(InputError, match="line 2: the sign \ufffd replaces letters"):
        read_run("1 Q0 a 1 2 t\n1 Q0 d\ufffd 2 1 t\n".encode(), "a.run")
    with pytest.raises(InputError, match="the score “1_0” is not a number"):
        read_run(b"1 Q0 a 1 1_0 t\n", "a.run")
