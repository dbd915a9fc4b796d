"""Files of answers whose rows could be matched with the wrong question."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from passer.domain.wording.sentence import code_of
from passer.errors import DatasetError
from tests.services.library.read_answers import FILES, dataset, rows


def written(frame: Any, name: str) -> bytes:
    """A table as pandas writes it by default."""
    book = io.BytesIO()
    frame.to_excel(book)
    return {"a.csv": frame.to_csv().encode(), "a.json": frame.to_json().encode(), "a.xlsx": book.getvalue()}[name]


def test_an_id_that_contradicts_the_question_is_refused() -> None:
    # The ids of many tools are row numbers: in another order they belong to other questions.
    content = rows(
        {"id": "1", "question": "Second?", "answer": "b"},
        {"id": "2", "question": "First?", "answer": "a"},
    )
    with pytest.raises(DatasetError) as caught:
        FILES.read(content, "answers.json", dataset("First?", "Second?"))
    [first, second, *_] = caught.value.problems
    assert (first.row, first.field, second.row) == (1, "id", 2)
    assert first.message == "id names the question 1, but question is the text of the question 2"


def test_an_id_decides_where_the_text_is_that_of_no_other_question() -> None:
    content = rows({"id": "1", "question": "The first one?", "answer": "a"}, {"id": "2", "answer": "b"})
    read = FILES.read(content, "answers.json", dataset("First?", "Second?"))
    assert {text: reply.answer for text, reply in read.replies.items()} == {"First?": "a", "Second?": "b"}


def test_an_id_beside_another_question_is_refused() -> None:
    # A file for another dataset whose ids are row numbers, too.
    content = rows({"id": "1", "question": "Колко азот?", "answer": "a"}, {"id": "2", "answer": "b"})
    with pytest.raises(DatasetError) as caught:
        FILES.read(content, "answers.json", dataset("First?", "Second?"))
    first = caught.value.problems[0]
    assert (first.row, first.field) == (1, "id")
    assert "id names the question 1, but question contains another text" in first.message


def test_a_file_of_langsmith_is_named_with_what_to_do() -> None:
    content = rows({"inputs": ["Why?"], "outputs": ["So."]})
    with pytest.raises(DatasetError) as refused:
        FILES.read(content, "runs.json", dataset("Why?"))
    assert "those of LangSmith" in refused.value.problems[0].message


@pytest.mark.parametrize("name", ["response", "Model output", "modelAnswer", "predicted_answer"])
def test_a_file_with_two_columns_of_answers_is_refused(name: str) -> None:
    # `answer` is often the reference beside another one: each score would be 1.
    content = rows({"id": "1", "answer": "the reference", name: "generated"})
    with pytest.raises(
        DatasetError, match=r"answers in the columns answer, (model_|predicted_)?(response|output|answer)"
    ):
        FILES.read(content, "answers.json", dataset("First?"))
    read = FILES.read(rows({"id": "1", "answer": "a", "response": None}), "answers.json", dataset("First?"))
    assert read.replies["First?"].answer == "a"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"ID,Answer\n1,42\n", "a.csv"),
        ("Въпрос,Отговор\nFirst?,42\n".encode(), "a.csv"),
        (rows({"id": 1, "answer": 42}), "a.json"),
    ],
)
def test_columns_in_any_case_and_numbers_are_read(content: bytes, name: str) -> None:
    read = FILES.read(content, name, dataset("First?"))
    assert {text: reply.answer for text, reply in read.replies.items()} == {"First?": "42"}


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.json"])
def test_an_empty_answer_is_refused_with_what_to_write(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"question": ["First?", "Second?"], "response": ["a", None]})
    with pytest.raises(DatasetError) as caught:
        FILES.read(written(frame, name), name, dataset("First?", "Second?"))
    [problem] = caught.value.problems
    assert (problem.row, problem.field, code_of(problem.message)) == (2, "response", "answers.empty")
    assert problem.message.startswith("response is empty; write the answer")
    # What the sentence advises is imported.
    advised = rows({"question": "First?", "response": "a"}, {"question": "Second?", "response": ""})
    assert FILES.read(advised, "a.json", dataset("First?", "Second?")).replies["Second?"].answer == ""


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.json"])
def test_an_empty_column_is_passed_over_for_one_with_answers(name: str) -> None:
    pandas = pytest.importorskip("pandas")
    given = {"question": ["First?", "Second?"], "answer": [None, None], "response": ["a", "b"]}
    read = FILES.read(written(pandas.DataFrame(given), name), name, dataset("First?", "Second?"))
    assert [reply.answer for reply in read.replies.values()] == ["a", "b"]
    # One empty cell is that of the column with answers.
    with pytest.raises(DatasetError) as caught:
        FILES.read(
            written(pandas.DataFrame(given | {"response": ["a", None]}), name), name, dataset("First?", "Second?")
        )
    [problem] = caught.value.problems
    assert (problem.row, problem.field, code_of(problem.message)) == (2, "response", "answers.empty")


def test_empty_texts_beside_another_column_are_no_answers_and_alone_they_are() -> None:
    beside = rows({"id": "1", "answer": "", "response": "a"})
    assert FILES.read(beside, "a.json", dataset("First?")).replies["First?"].answer == "a"
    apart = rows({"id": "1", "answer": ""}, {"id": "2", "response": "b"})
    assert [each.answer for each in FILES.read(apart, "a.json", dataset("First?", "Second?")).replies.values()] == [
        "",
        "b",
    ]
    alone = rows({"id": "1", "answer": "", "response": None})
    assert FILES.read(alone, "a.json", dataset("First?")).replies["First?"].answer == ""


def test_an_answer_that_is_too_long_is_not_called_empty() -> None:
    with pytest.raises(DatasetError) as caught:
        FILES.read(rows({"id": "1", "response": "x" * 8_000_001}), "a.json", dataset("First?"))
    assert "8\u202f000\u202f001 characters" in caught.value.problems[0].message


def test_composed_and_combining_accents_name_the_same_question() -> None:
    content = rows({"question": "Lie\u0302\u0300u lu\u031bo\u031b\u0323ng?", "answer": "a"})
    assert FILES.read(content, "a.json", dataset("Liều lượng?")).replies["Liều lượng?"].answer == "a"


def test_equal_questions_need_equal_answers() -> None:
    asked = dataset("Same?", "Same?")
    same = rows({"id": "1", "answer": "a"}, {"id": "2", "answer": "a"})
    assert FILES.read(same, "answers.json", asked).replies["Same?"].answer == "a"
    with pytest.raises(DatasetError) as caught:
        FILES.read(rows({"id": "1", "answer": "a"}, {"id": "2", "answer": "b"}), "answers.json", asked)
    [problem] = caught.value.problems
    assert (problem.row, problem.field) == (2, "id")
    assert problem.message.startswith("the question 2 has the text of another question, but another answer")


@pytest.mark.parametrize(("of", "lacks"), [("1", "2"), ("2", "1")])
def test_of_equal_questions_the_one_without_a_row_is_named(of: str, lacks: str) -> None:
    with pytest.raises(DatasetError) as caught:
        FILES.read(rows({"id": of, "answer": "a"}), "answers.json", dataset("Same?", "Same?"))
    assert [each.message for each in caught.value.problems] == [f"no row answers the question {lacks}: Same?"]


def test_files_that_pandas_writes_by_default_are_read() -> None:
    """CSV and Excel hold a list as `str` prints it, an array without commas, and JSON is written by columns."""
    pandas = pytest.importorskip("pandas")
    asked, passages = dataset("First?", "Second?"), ['it\'s "so"', "[a], 'b'", "два\nреда"]
    frame = pandas.DataFrame(
        {
            "question": ["First?", "Second?"],
            "response": ["a", "b"],
            "retrieved_contexts": [passages, np.array(passages, dtype=object)],
        }
    )
    for name in ("a.csv", "a.json", "a.xlsx"):
        read = FILES.read(written(frame, name), name, asked)
        assert [reply.answer for reply in read.replies.values()] == ["a", "b"], name
        for reply in read.replies.values():
            assert [passage.text for passage in reply.passages] == passages, name


TURN = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "First?"}]
MADE = {"context.trace_id": "t1", "parent_id": None, "name": "rag"}
STEP = {"context.trace_id": "t1", "parent_id": "s1", "attributes.input.value": "First?"}
TRACES: dict[str, list[dict[str, Any]]] = {
    "Langfuse, objects": [{"id": "x", "input": {"question": "First?"}, "output": {"answer": "a", "contexts": ["p"]}}],
    "Langfuse, messages": [
        {"id": "x", "input": TURN, "output": {"role": "assistant", "content": "a"}, "passages": ["p"]}
    ],
    "Langfuse, JSON in texts": [{"input": json.dumps({"messages": TURN}), "output": "a", "passages": '["p"]'}],
    "Phoenix, passages of a step": [
        MADE | {"attributes.input.value": "First?", "attributes.output.value": '{"result": "a"}'},
        STEP | {"attributes.retrieval.documents": [{"document.content": "p", "document.score": 0.5}]},
        STEP | {"attributes.output.value": "b"},
    ],
    "OpenInference, nested": [
        {
            "parent_id": None,
            "context": {"trace_id": "t1"},
            "attributes": {
                "input": {"value": "First?"},
                "output": {"value": {"choices": [{"message": {"content": "a"}}]}},
                "retrieval": {"documents": [{"document": {"content": "p", "score": 0.5}}]},
            },
        }
    ],
}


@pytest.mark.parametrize("name", TRACES)
def test_answers_are_read_from_the_traces_that_tools_export(name: str) -> None:
    read = FILES.read(rows(*TRACES[name]), "traces.json", dataset("First?"))
    [reply] = read.replies.values()
    assert (reply.answer, [passage.text for passage in reply.passages]) == ("a", ["p"])


def test_json_without_an_answer_is_the_answer() -> None:
    row = {"input": {"question": "First?"}, "output": '{"yield": 3}'}
    [reply] = FILES.read(rows(row), "traces.json", dataset("First?")).replies.values()
    assert reply.answer == '{"yield": 3}'


def test_text_in_brackets_is_one_passage() -> None:
    for text in ("['a' or b]", "['a", "[1, 2] of 'x'", "[sic] 'a'"):
        content = rows({"question": "First?", "answer": "a", "contexts": text})
        [reply] = FILES.read(content, "a.json", dataset("First?")).replies.values()
        assert [passage.text for passage in reply.passages] == [text]


def replies(content: bytes | str, name: str, *texts: str) -> dict[str, Any]:
    raw = content.encode() if isinstance(content, str) else content
    read = FILES.read(raw, name, dataset(*(texts or ("First?", "Second?"))))
    return {reply.answer: [each.text for each in reply.passages] for reply in read.replies.values()}


def test_ids_and_answers_that_a_data_frame_holds_as_decimals() -> None:
    stream = io.BytesIO()
    pd.DataFrame({"id": [1.0, 2.0], "answer": [500.0, 0.00001]}).to_parquet(stream)
    assert replies(stream.getvalue(), "a.parquet") == {"500": [], "0.00001": []}
    assert replies("id,answer\n1.0,a\n2.0,b\n", "a.csv") == {"a": [], "b": []}


def test_deepeval_joins_passages_in_a_csv_and_writes_other_names_in_json() -> None:
    table = "input,actual_output,retrieval_context,context\nFirst?,a,p one|p two,gold\nSecond?,b,,\n"
    assert replies(table, "a.csv") == {"a": ["p one", "p two"], "b": []}
    cases = [{"input": q, "actualOutput": q[0], "retrievalContext": ["p|q"]} for q in ("First?", "Second?")]
    assert replies(json.dumps(cases), "a.json") == {"F": ["p|q"], "S": ["p|q"]}


@pytest.mark.parametrize(
    ("table", "field", "said"),
    [
        (
            "Domanda,Risposta\nFirst?,a\n",
            "question",
            "its columns: Domanda, Risposta). Choose one (`--column question=NAME`",
        ),
        (
            "question,Risposta\nFirst?,a\n",
            "answer",
            "its columns: question, Risposta). Choose one (`--column answer=NAME`",
        ),
    ],
)
def test_a_file_without_a_column_is_refused_once_with_its_columns(table: str, field: str, said: str) -> None:
    with pytest.raises(DatasetError, match=re.escape(said)) as caught:
        FILES.read(table.encode(), "a.csv", dataset("First?"))
    assert (caught.value.field, caught.value.problems) == (field, ())


@pytest.mark.parametrize(
    ("cells", "field", "said"),
    [
        ("First?,nan,", "answer", "answer is nan, which is not a value"),
        ("First ?,a,", "question", "question is “First ?”, which names no question of the dataset"),
        ("First?,a,\"[Document(page_content='p')]\"", "contexts", "contexts contains objects as Python prints them"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused_with_what_it_holds(cells: str, field: str, said: str) -> None:
    with pytest.raises(DatasetError) as caught:
        FILES.read(f"question,answer,contexts\n{cells}\n".encode(), "a.csv", dataset("First?"))
    first = caught.value.problems[0]
    assert (first.row, first.field) == (1, field)
    assert first.message.startswith(said)
    assert code_of(first.message) is not None, "it is said in the reader's language"


def test_cells_without_passages_and_answers_in_another_encoding() -> None:
    assert replies("id,answer,contexts\n1,a,nan\n2,b,None\n", "a.csv") == {"a": [], "b": []}
    damaged = ["GrÃ¶ÃŸe", "Ã¼ber", "Ð´Ð°", "plain"]
    table = "id,answer\n" + "".join(f"{place},{text}\n" for place, text in enumerate(damaged, 1))
    with pytest.raises(DatasetError, match="means “Größe”"):
        replies(table, "a.csv", "A?", "B?", "C?", "D?")
    assert len(replies(table.replace("Ð´Ð°", "да"), "a.csv", "A?", "B?", "C?", "D?")) == 4
