"""Question files in: cells whose text is not the whole story. Readers are the real ones."""

from __future__ import annotations

import io
import json
from datetime import date, time
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet as pq

from tests.services.library.question_files import load, preview, refusal


def test_numbers_of_a_data_frame_with_an_empty_cell_keep_no_decimals() -> None:
    stream = io.BytesIO()
    pd.DataFrame({"id": [1.0, 2.0], "question": ["A?", "B?"], "answer": [1815.0, None]}).to_parquet(stream)
    dataset = load(stream.getvalue(), "q.parquet")
    assert [(each.id, each.reference) for each in dataset.questions] == [("1", "1815"), ("2", "")]


def test_a_list_of_one_text_is_that_text_in_every_notation() -> None:
    dataset = load('question,reference\nA?,"[\'x, y\']"\nB?,"[""x""]"\nC?,[1] So.\nD?,"[1, 2]"\n')
    assert [each.reference for each in dataset.questions] == ["x, y", "x", "[1] So.", "[1, 2]"]


def test_weights_of_one_file_have_one_scale_and_may_have_decimal_commas() -> None:
    dataset = load("question;reference;weight\nA?;x;50 %\nB?;x;0,25\nC?;x;1.5\n")
    assert [each.weight for each in dataset.questions] == [0.5, 0.25, 1.5]


def test_cells_that_may_mean_no_value_and_damaged_texts_are_named() -> None:
    notes = preview("question,reference,category\nA?,NA,x\nB?,–,x\nGrÃ¶ÃŸe?,x &amp; y,None\n").mapping.notes
    assert any("2 cells of “reference” (row 1 and others) contain NA, –" in note for note in notes)
    assert any("1 cell of “category” (row 3) contain None" in note for note in notes)
    assert any("“Größe?”" in note for note in notes)
    assert any("&amp; in row 3" in note for note in notes)


def test_deepeval_joins_gold_passages_in_a_csv() -> None:
    table = "input,actual_output,expected_output,context\nA?,,x,one|two\n"
    dataset = load(table, ignore_columns=["actual_output"])
    assert [each.quote for each in dataset.questions[0].gold_passages] == ["one", "two"]
    # The same cell in a file of another tool is one passage, such as a row of a table.
    alone = load("question,reference,context\nA?,x,one|two\n").questions[0]
    assert [each.quote for each in alone.gold_passages] == ["one|two"]


def test_names_of_columns_in_camel_case() -> None:
    assert load('[{"userInput": "A?", "expectedOutput": "x"}]', "q.json").questions[0].reference == "x"


def test_objects_in_a_cell_are_no_gold_passage() -> None:
    error = refusal("question,reference,contexts\nA?,x,\"[{'title': 'T', 'text': 'p'}]\"\n")
    assert [(each.row, each.field) for each in error.problems] == [(1, "contexts")]


def test_references_that_hold_several_answers_are_named() -> None:
    def note(*references: str) -> list[str]:
        rows = [{"question": f"{place}?", "reference": text} for place, text in enumerate(references)]
        return [each for each in preview(json.dumps(rows), "q.json").mapping.notes if "several answers" in each]

    assert note("x", "Paris|paris|City of Paris", "London|Londres") == [
        "2 references seem to contain several answers (the first: row 2). Each is compared as one text. "
        "Keep one answer in each cell."
    ]
    assert len(note("{'text': array(['France'], dtype=object), 'answer_start': array([15])}")) == 1
    assert (
        note("P(A|B)", "x", "y") == note("| a | b |\n|---|---|") == note('{"a": 1}') == note("|x| = 2", "z", "y") == []
    )


def test_days_and_decimal_numbers_of_a_parquet_file_are_written_as_a_workbook_shows_them() -> None:
    stream = io.BytesIO()
    days = [pd.Timestamp("2018-05-30"), pd.Timestamp("2018-05-30 14:30")]
    pd.DataFrame({"question": ["A?", "B?"], "reference": days}).to_parquet(stream)
    assert [each.reference for each in load(stream.getvalue(), "q.parquet").questions] == [
        *("2018-05-30", "2018-05-30T14:30:00")
    ]
    stream = io.BytesIO()
    pd.DataFrame({"question": ["A?"], "reference": [Decimal("12.50")]}).to_parquet(stream)
    assert load(stream.getvalue(), "q.parquet").questions[0].reference == "12.50"


def test_a_cell_without_passages_is_no_gold_passage() -> None:
    dataset = load("question,reference,contexts\nA?,x,nan\nB?,x,None\nC?,x,[]\nD?,x,p\n")
    assert [[each.quote for each in question.gold_passages] for question in dataset.questions] == [[], [], [], ["p"]]


def test_language_tags_as_systems_write_them() -> None:
    assert load("question,reference,language\nA?,x,en_US\nB?,x,en-US\n").language == "en-US"


def parquet(**columns: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def test_numbers_bytes_and_times_of_a_parquet_file() -> None:
    content = parquet(question=pa.array([b"A?", "Щ?".encode()]), answers=pa.array([[time(14, 30)], None]))
    first, second = load(content, "q.parquet").questions
    assert (first.text, first.reference, second.text) == ("A?", "14:30:00", "Щ?")
    for numbers in (pa.array([0.1, 12], pa.float32()), pa.array([np.float16(0.1), np.float16(12)], pa.float16())):
        questions = load(parquet(question=["A?", "B?"], answer=numbers), "q.parquet").questions
        assert [each.reference for each in questions] == ["0.1", "12"]
    listed = pa.array([[0.1, 12], [2.5]], pa.list_(pa.float32()))
    several = load(parquet(question=["A?", "B?"], references=listed), "q.parquet")
    assert [each.references for each in several.questions] == [("0.1", "12"), ("2.5",)]
    of_squad = pa.struct([("text", pa.list_(pa.float32())), ("answer_start", pa.list_(pa.int32()))])
    nested = pa.array([{"text": [0.1], "answer_start": [0]}], of_squad)
    assert load(parquet(question=["A?"], answers=nested), "q.parquet").questions[0].reference == "0.1"
    whole = load(parquet(question=["A?"], answer=pa.array([np.float16(65504)], pa.float16())), "q.parquet")
    assert whole.questions[0].reference == "65504"


def test_half_a_character_in_a_trace_is_refused_with_its_row() -> None:
    trace = json.dumps([{"trace_id": "1", "input": '"A\\ud800?"', "output": "x"}]).encode()
    assert "row 1: The column question contains a character that is not text" in refusal(trace, "q.json").message


def test_empty_members_of_gold_passages_are_left_out() -> None:
    # A data frame gives each object the members of all.
    gold = [[{"document": None, "quote": "q"}], [{"document": date(2024, 1, 31), "quote": "r"}]]
    content = parquet(question=["A?", "B?"], answer=["x", "y"], gold_passages=gold)
    assert [each.gold_passages[0].document for each in load(content, "q.parquet").questions] == ["", "2024-01-31"]


def test_ids_that_a_spreadsheet_program_rounded_are_named() -> None:
    def note(*ids: str) -> list[str]:
        table = "id,question,answer\n" + "".join(f"{each},{place}?,x\n" for place, each in enumerate(ids))
        return [each for each in preview(table).mapping.notes if "spreadsheet" in each]

    assert "(1.23457E+16, row 2)" in note("1", "1.23457E+16")[0]
    assert "2 ids seem" in note("12345678901234600", "12345678901234700")[0]
    # A tenth of all ids of 16 digits ends with a zero.
    assert note("1234567890123456", "1234567890123457", "1234567890123450") == note("7", "007") == []


def test_ids_and_queries_under_the_names_of_other_sets() -> None:
    assert load("question_id,question,answer\nx9,A?,x\n").questions[0].id == "x9"
    # BEIR on Hugging Face: its queries have the columns of its corpus.
    content = parquet(_id=["q1"], title=[""], text=["Who?"])
    [question] = load(content, "queries-00000-of-00001.parquet").questions
    assert (question.id, question.text) == ("q1", "Who?")
    assert "corpus of BEIR" in refusal(content, "corpus-00000-of-00001.parquet").message
    titled = parquet(_id=["d1"], title=["Wheat"], text=["Wheat is sown."])
    assert "corpus of BEIR" in refusal(titled, "queries.parquet").message
    assert "seems to contain data (1)" in refusal("1\tWhat is it?\n2\tWho?\n", "topics.tsv").problems[0].message
