"""Question sets of public benchmarks and of other tools, in their true forms: several answers, none, generated ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from passer.services.library.column_mapping import ColumnMapping
from tests.services.library.question_files import load, preview, refusal

NORMANS = "The Normans were in Normandy, a region in France."
HAS_ANSWER = {"question": "In what country is it?", "id": "56dd", "is_impossible": False}
HAS_NONE = {"question": "What is France a region of?", "id": "5ad3", "is_impossible": True, "answers": []}
FRANCE = {"text": "France", "answer_start": 40}


def squad(**more: Any) -> str:
    found = HAS_ANSWER | {"answers": [FRANCE, {**FRANCE, "text": "in France"}]}
    none = HAS_NONE | {"plausible_answers": [{"text": "Normandy", "answer_start": 20}]}
    paragraphs = [{"context": NORMANS, "qas": [found, none]}]
    return json.dumps({"version": "v2.0", "data": [{"title": "Normans", "paragraphs": paragraphs}], **more})


def flat() -> str:
    found = {"answers": {"text": ["France", "in France"], "answer_start": [40, 37]}}
    none = {"answers": {"text": [], "answer_start": []}}
    rows = [HAS_ANSWER | found, HAS_NONE | none]
    return json.dumps([{"id": row["id"], "question": row["question"], "context": NORMANS, **row} for row in rows])


@pytest.mark.parametrize("content", [squad(), flat()])
def test_squad_is_read_with_all_its_answers_and_its_unanswerable_questions(content: str) -> None:
    more = {"ignore_columns": ["is_impossible"]}
    first, second = load(content, "squad.json", **more).questions
    assert first.references == ("France", "in France")
    assert ([each.quote for each in first.gold_passages], first.relevant) == ([NORMANS], None)
    assert (second.reference, second.gold_passages, second.is_unanswerable) == ("", (), True)
    notes = " ".join(preview(content, "squad.json", **more).mapping.notes)
    assert "1 question has several right answers (the first: row 1). Each metric compares an answer with all" in notes
    assert "Judges read all of them in one request." in notes
    assert "1 question has no answer and counts as unanswerable (the first: row 2)" in notes


def test_lists_of_answers_are_refused_until_it_is_said_what_they_are() -> None:
    content = '[{"question": "A?", "answer": ["x", "y", "x"]}, {"question": "B?", "answer": ["z"]}]'
    assert "If each of them is right, map the column to references" in refusal(content, "nq.json").message
    chosen = load(content, "nq.json", mapping=ColumnMapping(columns={"references": "answer"}))
    assert [question.references for question in chosen.questions] == [("x", "y"), ("z",)]
    mapping = ColumnMapping(columns={"first_reference": "answer"})
    first = load(content, "nq.json", mapping=mapping)
    assert [question.references for question in first.questions] == [("x",), ("z",)]
    said = "1 question has several answers (the first: row 1). Only the first answer of each is the reference"
    assert said in " ".join(preview(content, "nq.json", mapping=mapping).mapping.notes)
    cells = 'question,possible_answers\nWho?,"[""politician"", ""leader""]"\nWhat?,\n'
    assert [each.reference for each in load(cells).questions] == ["politician", ""]
    assert load(cells).questions[1].relevant is None, "an empty cell says nothing"


def test_other_answers_of_triviaqa_crag_and_of_our_own_files() -> None:
    trivia = {"question": "Who?", "answer": {"value": "Sinclair Lewis", "aliases": ["Lewis", "Sinclair Lewis"]}}
    by_hand = ColumnMapping(columns={"references": "answer"})
    [question] = load(json.dumps([trivia]), "trivia.json", mapping=by_hand).questions
    assert question.references == ("Sinclair Lewis", "Lewis")
    assert "map the column to references" in refusal(json.dumps([trivia]), "trivia.json").message
    crag = {"query": "How many?", "answer": "two", "alt_ans": ["2", "two of them"]}
    assert load(json.dumps(crag) + "\n", "crag.jsonl").questions[0].references == ("two", "2", "two of them")
    own = [
        {"id": "a", "question": "Who?", "reference": "Ann", "other_references": ["Anna"]},
        {"id": "b", "question": "?"},
    ]
    first, second = load(json.dumps(own), "own.json").questions
    assert (first.references, second.references, second.relevant) == (("Ann", "Anna"), ("",), None)
    cells = 'question,reference,other_references\nWho?,Ann,"[""Anna""]"\nWhat?,Tea,\n'
    assert [each.other_references for each in load(cells).questions] == [("Anna",), None]


@pytest.mark.parametrize("answers", [["A", ["B", "C"]], [["A", "a"], ["B"]], "[['A', 'a'], ['B']]", [{"entity": "A"}]])
def test_answers_of_several_parts_are_refused_with_their_row(answers: object) -> None:
    rows = [{"question": "Which?", "answers": answers}]
    assert [(problem.row, problem.field) for problem in refusal(json.dumps(rows), "q.json").problems] == [
        (1, "answers")
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "{'text': array(['x', 'y]'], dtype=object), 'answer_start': array([0, 1], dtype=int32)}",
        "{'text': ['x', 'y]'], 'answer_start': [0, 1]}",
        '{"text": ["x", "y]"], "answer_start": [0, 1]}',
        '{"value": "x", "aliases": ["y]"]}',
    ],
)
def test_answers_that_a_table_holds_as_an_object(cell: str) -> None:
    quoted = cell.replace('"', '""')
    assert load(f'question,answers\nW?,"{quoted}"\n').questions[0].references == ("x", "y]")


@pytest.mark.parametrize("answers", ["{'entity': 'x'}", "{x, y}", [True], {"text": {"x": "y"}}])
def test_objects_of_another_form_are_no_answers(answers: object) -> None:
    rows = [{"question": "W?", "answers": answers}]
    [problem] = refusal(json.dumps(rows), "q.json").problems
    assert (problem.row, problem.field, problem.message[:27]) == (1, "answers", "The reference must be text,")


def test_numbers_among_right_answers_have_no_decimals() -> None:
    rows = [{"question": "W?", "answers": [3, "three", 3.0, None, " ", 0]}]
    assert load(json.dumps(rows), "q.json").questions[0].references == ("3", "three", "0")
    cells = 'question,answers\nW?,"[1815, ""in 1815"", 3.0, null]"\nV?,[2]\nU?,[note]\n'
    assert [each.references for each in load(cells).questions] == [("1815", "in 1815", "3"), ("2",), ("[note]",)]


def test_a_right_answer_in_a_list_may_begin_with_a_brace() -> None:
    rows = [{"question": "Solve it.", "answers": ["{1, 2}", "1 and 2"]}]
    assert load(json.dumps(rows), "q.json").questions[0].references == ("{1, 2}", "1 and 2")


def test_no_other_references_do_not_declare_that_there_is_no_answer() -> None:
    gold = [{"document": "farm.txt", "quote": "Clover covers soil."}]
    rows = [
        {"question": "A?", "reference": "", "other_references": [], "gold_passages": gold},
        {"question": "B?", "reference": "b", "other_references": [], "gold_passages": gold},
    ]
    for question in load(json.dumps(rows), "own.json").questions:
        assert (question.relevant, [each.quote for each in question.gold_passages]) == (None, ["Clover covers soil."])


def test_the_synonyms_of_one_entity_are_right_answers() -> None:
    # A factoid of BioASQ: one entity with its synonyms.
    for answers in ([["BRCA1", "brca 1"]], '[["BRCA1", "brca 1"]]'):
        [question] = load(json.dumps([{"question": "Which?", "answers": answers}]), "q.json").questions
        assert question.references == ("BRCA1", "brca 1")


@pytest.mark.parametrize("column", ["ground_truths", "generation_gt"])
def test_lists_of_right_answers_of_ragas_and_autorag(column: str) -> None:
    rows = [{"question": "Who?", column: ["Ann", "Anna"], "answer": "generated", "contexts": ["retrieved"]}]
    [question] = load(json.dumps(rows), "old.json").questions
    assert (question.references, question.gold_passages) == (("Ann", "Anna"), ())
    both = [row | {"ground_truth": "Ann"} for row in rows]
    assert "all mean reference" in refusal(json.dumps(both), "old.json").message


def test_aliases_of_an_answer_are_right_too() -> None:
    # MuSiQue
    row = {"id": "2hop", "question": "Who?", "answer": "Ann", "answer_aliases": ["Anna"]}
    assert load(json.dumps(row) + "\n", "musique.jsonl").questions[0].references == ("Ann", "Anna")


def test_more_right_answers_than_are_compared_are_refused_with_their_row() -> None:
    rows = [{"question": "A?", "answers": [f"answer {n}" for n in range(202)]}]
    [problem] = refusal(json.dumps(rows), "many.json").problems
    assert (problem.row, "202 right answers; at most 201 are compared" in problem.message) == (1, True)


def test_an_answer_within_many_lists_is_refused_with_its_row_and_one_within_hundreds_with_its_file() -> None:
    content = '[{{"question": "A?", "answers": {}"x"{}}}]'
    assert [each.row for each in refusal(content.format("[" * 50, "]" * 50), "deep.json").problems] == [1]
    assert "nested too deeply" in refusal(content.format("[" * 600, "]" * 600), "deep.json").message


def test_the_answer_of_ms_marco_that_there_is_none_is_no_reference() -> None:
    rows = [
        {"query": "a", "query_id": 1, "answers": ["No Answer Present."]},
        {"query": "b", "query_id": 2, "answers": ["x"]},
    ]
    first, second = load(json.dumps(rows), "marco.json").questions
    assert (first.reference, first.is_unanswerable, second.reference) == ("", True, "x")


def test_generated_answers_beside_references_are_ignored_and_what_they_read_is_not_gold() -> None:
    azure = '{"query": "A?", "response": "So.", "context": "Retrieved.", "ground_truth": "x"}'
    [question] = load(azure, "azure.jsonl").questions
    assert (question.reference, question.gold_passages) == ("x", ())
    deepeval = '[{"input": "A?", "actual_output": "So.", "expected_output": "x", "context": ["Gold."]}]'
    [question] = load(deepeval, "goldens.json").questions
    assert (question.reference, [each.quote for each in question.gold_passages]) == ("x", ["Gold."])


@pytest.mark.parametrize("column", ["expected", "ideal", "expected_response"])
def test_names_of_references_of_other_tools(column: str) -> None:
    assert load(f'[{{"input": "A?", "{column}": "x"}}]', "set.json").questions[0].reference == "x"


def test_expected_chunks_of_trulens_are_gold() -> None:
    content = '[{"query": "A?", "expected_response": "x", "expected_chunks": ["Gold."]}]'
    assert [each.quote for each in load(content, "set.json").questions[0].gold_passages] == ["Gold."]


@pytest.mark.parametrize("mapping", [None, ColumnMapping()])
def test_relevance_grades_are_no_file_of_questions(mapping: ColumnMapping | None) -> None:
    # The command line always gives a mapping, which is empty without options.
    message = refusal("query-id\tcorpus-id\tscore\nq1\td1\t1\n", "test.tsv", mapping=mapping).message
    assert message.startswith("test.tsv: The file contains relevance grades (qrels)")
    assert "`passer import qrels`" in message


def test_the_question_and_reference_of_an_item_of_langfuse_are_found_in_their_objects() -> None:
    # As its interface and its API export them.
    cells = 'id,input,expectedOutput,createdAt\n1,"{""question"": ""What?""}","{""answer"": ""That""}",2026\n'
    item = {"id": "1", "input": {"question": "What?"}, "expectedOutput": {"answer": "That"}, "datasetId": "d"}
    for content, name in ((cells, "items.csv"), (json.dumps([item]), "items.json")):
        assert [(each.text, each.reference) for each in load(content, name).questions] == [("What?", "That")]
    unknown = '[{"input": {"asked": "What?", "topic": "x"}, "expectedOutput": {"answer": "That"}}]'
    assert {each.field for each in refusal(unknown, "items.json").problems} >= {"input.asked", "input.topic"}
    plain = 'question,reference\nWhich object?,"{""name"": ""value""}"\n'
    assert load(plain).questions[0].reference == '{"name": "value"}', "an answer may be an object"


def test_gold_passages_are_found_in_the_forms_of_miracl_ms_marco_and_pubmedqa() -> None:
    forms = {
        "positive_passages": [{"docid": "1#0", "title": "T", "text": "Gold."}],
        "contexts": {"is_selected": [0, 1], "passage_text": ["Other.", "Gold."], "url": ["a", "b"]},
        "context": {"contexts": ["Gold."], "labels": ["RESULTS"], "meshes": ["Rice"]},
    }
    for column, value in forms.items():
        [question] = load(json.dumps([{"question": "A?", "reference": "x", column: value}]), "set.json").questions
        assert [each.quote for each in question.gold_passages] == ["Gold."], column


def test_a_column_in_which_people_number_rows_is_ignored_with_a_note() -> None:
    shown = preview("No.;Question;Musterantwort\n1;Why?;So.\nTotal;1;\n")
    assert [(each.id, each.text, each.reference) for each in shown.questions] == [("q-0001", "Why?", "So.")]
    assert any(note.startswith("The column “No.” numbers the rows and is ignored") for note in shown.mapping.notes)
    assert load("Nr;Frage;Antwort\n7;Why?;So.\n", mapping=ColumnMapping(columns={"id": "Nr"})).questions[0].id == "7"


def test_a_question_in_place_of_the_header_is_named() -> None:
    assert "The first row seems to contain data (What is mulch?)" in refusal("What is mulch?,A cover.\nA?,x\n").message


def test_a_corpus_of_beir_is_no_file_of_questions() -> None:
    untitled = '{"_id": "d1", "text": "Wheat grows.", "metadata": {}}\n'
    assert "whose texts are documents" in refusal(untitled, "corpus.jsonl").message
    corpus = '{"_id": "d1", "title": "Mulch", "text": "Mulch is a cover.", "metadata": {}}\n'
    assert "whose texts are documents" in refusal(corpus, "other.jsonl").message
    assert load('{"_id": "q1", "text": "What is mulch?"}\n', "queries.jsonl").questions[0].text == "What is mulch?"
