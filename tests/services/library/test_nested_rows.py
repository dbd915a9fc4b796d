"""Files of other tools whose texts are members of objects, in the forms that these tools write or document."""

from __future__ import annotations

import json
from typing import Any

import pytest

from passer.adapters.tables import table_readers
from passer.domain.dataset import Dataset, Question
from passer.errors import DatasetError
from passer.services.library.answer_files import AnswerFiles
from tests.services.library.question_files import load, preview

ASKED = Dataset(name="d", questions=(Question(id="q", text="Why?", reference="x"),))
LANGSMITH_CSV = 'inputs,outputs\n"{""question"": ""Why?""}","{""answer"": ""So.""}"\n'
LANGSMITH_FRAME = "inputs.question,outputs.answer,reference.answer,feedback.note\nWhy?,It is.,So.,1\n"
OF_PROMPTFOO = {"id": "0", "vars": {"question": "Why?"}, "response": {"output": "It is."}, "success": True}
OF_PHOENIX = {
    "trace_id": "t", "input": {"question": "Why?"}, "reference_output": {"answer": "So."}, "output": "It is."
}  # fmt: skip
OF_MLFLOW = {
    "inputs": {"question": "Why?"}, "expectations": {"expected_response": "So."}, "outputs": {"response": "It is."}
}  # fmt: skip


def lines(*rows: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (LANGSMITH_CSV, "langsmith.csv"),
        (lines({"inputs": {"question": "Why?"}, "outputs": {"answer": "So."}}), "langsmith.jsonl"),
        (lines(OF_MLFLOW), "mlflow.jsonl"),
        ("inputs,ground_truth,outputs\nWhy?,So.,It is.\n", "mlflow.csv"),
        (json.dumps({"columns": ["inputs", "ground_truth"], "data": [["Why?", "So."]]}), "mlflow.json"),
        (lines({"item": {"question": "Why?", "answer": "So."}}), "openai.jsonl"),
        (
            json.dumps(
                {
                    "features": [{"name": "question"}],
                    "rows": [{"row_idx": 0, "row": {"question": "Why?", "answer": "So."}, "truncated_cells": []}],
                }
            ),
            "hugging-face.json",
        ),
        (json.dumps({"examples": [{"query": "Why?", "query_by": {}, "reference_answer": "So."}]}), "llama-index.json"),
        (
            "input,actual_output,expected_output,context,name,comments,source_file,token_cost\nWhy?,It is.,So.,,,,,\n",
            "deepeval.csv",
        ),
        ("question,true_answer,predicted_answer\nWhy?,So.,It is.\n", "haystack.csv"),
    ],
)
def test_questions_and_references_are_found_in_objects(content: str, name: str) -> None:
    [question] = load(content.encode(), name).questions
    assert (question.text, question.reference) == ("Why?", "So.")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (LANGSMITH_FRAME, "langsmith.csv"),
        (lines(OF_PROMPTFOO), "promptfoo.jsonl"),
        (lines(OF_PHOENIX), "phoenix.jsonl"),
        (lines(OF_MLFLOW), "mlflow.jsonl"),
        (lines({"id": 1, "data": {"question": "Why?", "answer": "It is."}, "annotations": []}), "label-studio.jsonl"),
        (lines({"fields": {"question": "Why?", "answer": "It is."}, "status": "completed"}), "argilla.jsonl"),
        (json.dumps({"rows": [{"inputs.query": "Why?", "inputs.response": "It is."}], "metrics": {}}), "azure.json"),
    ],
)
def test_answers_are_found_in_objects(content: str, name: str) -> None:
    read = AnswerFiles(table_readers()).read(content.encode(), name, ASKED)
    assert read.replies["Why?"].answer == "It is."


def test_the_reference_of_an_experiment_of_phoenix_is_not_lost() -> None:
    shown = preview(lines(OF_PHOENIX), "phoenix.jsonl")
    assert set(shown.undecided) == {"trace_id", "output"}
    shown = preview(lines(OF_PHOENIX), "phoenix.jsonl", ignore_columns=shown.undecided)
    assert [(each.text, each.reference) for each in shown.questions] == [("Why?", "So.")]


OF_EXAMPLE = {"input": {"question": "Why?"}, "output": {"answer": "So."}, "metadata": {"topic": "rice"}}
"""An example of a dataset, whose output is what a system should answer."""


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (
            json.dumps({"examples": [{"id": "RGF0", **OF_EXAMPLE, "updated_at": "2026-01-01T00:00:00Z"}]}),
            "phoenix.json",
        ),
        (lines({"example_id": "RGF0", **OF_EXAMPLE}), "phoenix.jsonl"),
        (
            'example_id,input,output,metadata\nRGF0,"{""question"": ""Why?""}","{""answer"": ""So.""}",{}\n',
            "phoenix-frame.csv",
        ),
        ("example_id,input_question,output_answer,metadata_topic\nRGF0,Why?,So.,rice\n", "phoenix.csv"),
    ],
)
def test_the_outputs_of_a_dataset_of_phoenix_are_references(content: str, name: str) -> None:
    [question] = load(content.encode(), name).questions
    assert (question.id, question.text, question.reference) == ("RGF0", "Why?", "So.")
    files = AnswerFiles(table_readers())
    with pytest.raises(DatasetError, match="Import it as questions") as refused:
        files.read(content.encode(), name, ASKED)
    assert refused.value.field == "answer"
    flat = "output_answer" if "output_answer" in content else "output"
    for column in (flat, "reference"):  # as in the file, and as its preview names it
        read = files.read(content.encode(), name, ASKED, columns={"answer": column})
        assert read.replies["Why?"].answer == "So."


def test_a_member_of_the_outputs_is_the_answer_and_their_passages_are_no_reference() -> None:
    example = {
        "input": {"question": "Why?"},
        "output": {"contexts": ["p"], "why": "r", "answer": "So."},
        "metadata": {},
    }
    content = lines(example)
    files = AnswerFiles(table_readers())
    for column, answer in (("output", "So."), ("output.why", "r")):
        reply = files.read(content.encode(), "a.jsonl", ASKED, columns={"answer": column}).replies["Why?"]
        assert (reply.answer, [each.text for each in reply.passages]) == (answer, ["p"])
    [question] = preview(content, "q.jsonl", ignore_columns=["reference_output.why"]).questions
    assert (question.reference, [each.quote for each in question.gold_passages]) == ("So.", ["p"])


def test_members_of_objects_are_named_and_chosen() -> None:
    content = lines({"inputs": {"asked": "Why?"}, "outputs": {"said": "It is."}}).encode()
    files = AnswerFiles(table_readers())
    with pytest.raises(DatasetError, match=r"its columns: inputs\.asked, outputs\.said"):
        files.read(content, "a.jsonl", ASKED)
    columns = {"question": "inputs.asked", "answer": "outputs.said"}
    assert files.read(content, "a.jsonl", ASKED, columns=columns).replies["Why?"].answer == "It is."


def test_what_a_system_retrieved_is_read_from_files_of_ragchecker_and_is_no_gold() -> None:
    row = {"query_id": "q", "query": "Why?", "gt_answer": "So.", "response": "It is."}
    content = json.dumps({"results": [{**row, "retrieved_context": [{"doc_id": "0", "text": "p"}]}]})
    reply = AnswerFiles(table_readers()).read(content.encode(), "rag.json", ASKED).replies["Why?"]
    assert [each.text for each in reply.passages] == ["p"]
    [question] = preview(content, "rag.json").questions
    assert (question.reference, question.gold_passages) == ("So.", ())


def test_items_of_braintrust_are_questions() -> None:
    item = {"id": "b", "input": {"question": "Why?"}, "expected": {"answer": "So."}, "metadata": {}}
    [question] = preview(lines(item), "items.jsonl").questions
    assert (question.text, question.reference) == ("Why?", "So.")


def test_verdicts_of_promptfoo_are_no_part_of_answers() -> None:
    files = AnswerFiles(table_readers())
    asked = Dataset(name="d", questions=tuple(Question(id=each, text=f"{each}?", reference="x") for each in "abc"))
    content = (
        'question,[openai:gpt-4o] {{question}}\na?,[PASS] It is.\nb?,"[FAIL] Expected ""x""\n---\nIt is\nnot."\n'
        "c?,[ERROR] API error\n"
    )
    columns = {"answer": "[openai:gpt-4o] {{question}}"}
    read = files.read(content.encode(), "a.csv", asked, columns=columns)
    assert [reply.answer for reply in read.replies.values()] == ["It is.", "It is\nnot.", "[ERROR] API error"]
    own = "question,answer\na?,[PASS] It is.\nb?,No.\nc?,[PASS] is a word\n"
    assert files.read(own.encode(), "a.csv", asked).replies["a?"].answer == "[PASS] It is."


def test_outputs_that_a_person_chooses_or_that_are_texts_are_answers() -> None:
    files = AnswerFiles(table_readers())
    chosen = files.read(
        lines({"id": "q", **OF_EXAMPLE, "output": "It is."}).encode(), "a.jsonl", ASKED, columns={"answer": "output"}
    )
    assert chosen.replies["Why?"].answer == "It is."
    texts = lines({"id": "q", "input": "Why?", "output": "It is.", "metadata": {}}).encode()
    assert files.read(texts, "a.jsonl", ASKED).replies["Why?"].answer == "It is."


def test_an_answer_that_is_json_stays_and_a_column_wins_over_a_member() -> None:
    said = '{"answer": "a"}'
    read = AnswerFiles(table_readers()).read(lines({"id": "q", "response": said}).encode(), "a.jsonl", ASKED)
    assert read.replies["Why?"].answer == said
    other = lines({"inputs": {"question": "Why not?", "topic": "rice"}, "question": "Why?", "reference": "So."})
    shown = preview(other, "q.jsonl", ignore_columns=["inputs.topic"])
    assert [(each.text, each.reference) for each in shown.questions] == [("Why?", "So.")]
    before = lines({"question": "Why?", "inputs": "Why not?", "reference": "So."})
    assert [each.text for each in preview(before, "q.jsonl").questions] == ["Why?"]
    with pytest.raises(DatasetError):
        load(lines({"inputs": ["Why?"], "reference": "So."}).encode(), "q.jsonl")


def test_what_haystack_retrieved_is_not_gold() -> None:
    table = "question,true_answer,predicted_answer,context\nWhy?,So.,It is.,a passage\n"
    assert load(table.encode(), "haystack.csv").questions[0].gold_passages == ()
