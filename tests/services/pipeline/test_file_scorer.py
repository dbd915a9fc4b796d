"""Answers of other systems, scored from a table."""

from __future__ import annotations

import pytest

from passer.domain.wording.sentence import code_of
from passer.errors import DatasetError, InputError
from passer.metrics import MetricScorer
from passer.services.pipeline.file_scorer import FileScorer
from tests.fake_files import FakeTables, FakeWordNet
from tests.fakes import FakeEncoder

SCORING = MetricScorer(encoder=FakeEncoder(), wordnet=FakeWordNet(("clover", "trefoil")))


def files(*rows: dict[str, object]) -> FileScorer:
    tables = FakeTables(rows)
    return FileScorer(readers=(tables,), writers=(tables,), scorer=SCORING)


def test_columns_are_found_by_their_usual_names_and_rows_keep_their_ids():
    rows = {"ID": "a", "Ground_Truth": "clover fixes", "Response": "trefoil fixes"}
    table = files(rows).score(b"", "answers.fake", profile="standard").table
    assert table.ids == ("a",)
    (row,) = table.rows()
    assert row["Rouge-1.f"].value == 0.5
    assert row["METEOR"].value == pytest.approx(0.9375), "a synonym matches: F = 1, one chunk of two words"


def test_what_is_written_has_every_score_and_the_reasons():
    service = files({"reference": "clover", "answer": ""})
    table = service.score(b"", "answers.fake", profile="standard").table
    service.content(table, "scores.fake")
    [written] = service.writers[0].written
    assert written["id"] == "1"
    assert written["BLEU"] is None
    assert "BLEU: empty_answer" in written["missing_scores"]
    with pytest.raises(InputError, match=r"Use one of \.fake"):
        service.content(table, "scores.csv")


def test_numbers_and_lists_of_one_text_are_scored_as_what_they_mean():
    service = files({"reference": "['12']", "answer": 12.0}, {"reference": 12, "answer": "12"})
    f1 = [row["F1 Score"].value for row in service.score(b"", "answers.fake", profile="standard").table.rows()]
    assert f1 == [1.0, 1.0]


def test_of_several_right_answers_each_metric_keeps_the_best_value():
    # F1 of SQuAD by hand: with "Denver Broncos" 1/2, with "Broncos" 2/3.
    service = files(
        {"references": ["Denver Broncos", "Broncos"], "answer": "the two Broncos"},
        {"references": {"text": ["clover"], "answer_start": [1]}, "answer": "clover"},
        {"references": "[1815, 1816]", "answer": 1816},
    )
    f1 = [row["F1 Score"].value for row in service.score(b"", "answers.fake", profile="standard").table.rows()]
    assert f1 == pytest.approx([2 / 3, 1, 1])


def test_other_right_answers_beside_a_reference_are_compared_too():
    # As the table of evaluations and CRAG write them.
    rows = [
        {"reference": "Denver Broncos", "other_references": '["Broncos"]', "answer": "the two Broncos"},
        {"reference": "clover", "other_references": None, "answer": "clover"},
    ]
    crag = {"reference": "two", "alt_ans": ["2", "two of them"], "answer": "2"}
    f1 = [row["F1 Score"].value for row in files(*rows).score(b"", "answers.fake", profile="standard").table.rows()]
    assert f1 == pytest.approx([2 / 3, 1])
    [row] = files(crag).score(b"", "answers.fake", profile="standard").table.rows()
    assert row["F1 Score"].value == 1


def test_what_to_know_of_a_value_is_kept_in_table_and_file():
    service = files({"reference": "clover " * 600, "answer": "trefoil"}, {"reference": "clover", "answer": "trefoil"})
    table = service.score(b"", "answers.fake", profile="standard").table
    long, short = table.rows()
    assert long["B-RT.average"].note == "answer_cut_off"
    assert long["B-RT.relevance"].note is None
    assert not any(score.note for score in short.values())
    service.content(table, "scores.fake")
    written = service.writers[0].written
    assert "B-RT.average: answer_cut_off" in written[0]["notes"]
    assert written[1]["notes"] is None


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ((), "contains no rows"),
        (({"reference": "a"},), "Rename one to answer"),
        (({"answer": "a"},), "Rename one to reference"),
        (({"reference": "a", "answer": "a", "response": "b"},), "the answer in two columns: answer, response"),
        (({"reference": "a", "ground_truth": "b", "answer": "a"},), "the reference in two columns"),
        (({"reference": "a", "answer": float("nan")},), "1 cell without text"),
        (({"reference": "a", "answer": True},), "1 cell without text"),
        (({"reference": "a", "answer": None},), "1 cell without text"),
        (({"reference": "a", "answer": "nan"},), "1 cell without text"),
        (({"reference": "#N/A", "answer": "a"},), "1 cell without text"),
        (({"reference": "['a', 'b']", "answer": "a"},), "1 cell without text"),
        (({"references": [], "answer": "a"},), "1 cell without text"),
        (({"references": "nan", "answer": "a"},), "1 cell without text"),
        (({"references": float("nan"), "answer": "a"},), "1 cell without text"),
        (({"references": ["b", "#N/A"], "answer": "a"},), "1 cell without text"),
        (({"reference": "a", "other_references": [["b"], ["c"]], "answer": "a"},), "1 cell without text"),
        (({"references": [["a"], ["b"]], "answer": "a"},), "1 cell without text"),
        (({"references": ["a"], "reference": "a", "answer": "a"},), "the reference in two columns"),
    ],
)
def test_what_is_missing_is_named(rows, sentence):
    with pytest.raises(DatasetError, match=sentence):
        files(*rows).score(b"", "answers.fake", profile="standard")


def test_an_unknown_kind_of_file_is_refused():
    with pytest.raises(InputError, match=r"Use one of \.fake"):
        files().score(b"", "answers.doc", profile="standard")


def test_blank_rows_are_left_out_and_columns_found_under_all_names_of_datasets_and_answers():
    service = files(
        {"Въпрос": "?", "question_id": 7.0, "Еталонен отговор": "clover", "Генериран отговор": "clover"},
        {},
        {"question_id": "008", "Еталонен отговор": "clover", "Генериран отговор": "no"},
    )
    table = service.score(b"", "answers.fake", profile="standard").table
    assert table.ids == ("7", "008")
    assert [row["F1 Score"].value for row in table.rows()] == [1, 0]
    named = files({"Reference Answer": "clover", "Model Output": "clover"}, {}, {"Reference Answer": "clover"})
    with pytest.raises(DatasetError) as refused:
        named.score(b"", "answers.fake", profile="standard")
    assert [each.row for each in refused.value.problems] == [3]


def test_columns_are_named_and_spellings_that_differ_are_noted_with_their_rows():
    service = files(
        {"Riferimento": "3 years", "Risposta": "٣ years", "answer": "not this"},
        {"Riferimento": "٤", "Risposta": "٤", "answer": ""},
        {"Riferimento": "٥", "Risposta": "n/a", "answer": ""},
    )
    found = service.score(b"", "a.fake", profile="standard", columns={"reference": "Riferimento", "answer": "Risposta"})
    assert [row["F1 Score"].value for row in found.table.rows()] == [0.5, 1, 0]
    assert [code_of(note) for note in found.notes] == [
        "answers.maybe-empty",
        "spelling.digits-of-answer",
        "spelling.digits",
    ]
    rows = [3, 1, 3]
    assert all(f"row {row}" in note for row, note in zip(rows, found.notes, strict=True))
    for antwort in ("Antwort", "Réponse", "Respuesta", "Ответ", "答案", "Modellantwort"):
        service = files({"Referenz": "clover", antwort: "clover"})
        assert service.score(b"", "a.fake", profile="standard").table.ids == ("1",)
