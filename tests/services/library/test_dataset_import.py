"""Import of question files: accepted files, and messages about others. Readers are the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from passer.domain.dataset import GoldPassage, RelevantDocument
from passer.services.library.column_mapping import ColumnMapping
from tests.services.library.question_files import LOADING, load, preview, refusal


def test_canonical_columns() -> None:
    rows = [
        {
            "id": "a",
            "question": "Why?",
            "reference": "So.",
            "gold_passages": [{"document": "d.md", "quote": "So it is."}],
            "language": "bg",
        },
        {"id": "b", "question": "Who?", "reference": None},
    ]
    dataset = load(json.dumps(rows), "q.json")
    assert (dataset.name, dataset.language) == ("questions", "bg")
    first, second = dataset.questions
    assert (first.id, first.text, first.reference) == ("a", "Why?", "So.")
    assert first.gold_passages == (GoldPassage(document="d.md", quote="So it is."),)
    assert (second.id, second.reference, second.gold_passages) == ("b", "", ())


def test_weights() -> None:
    dataset = load("question,reference,weight\nWhy?,So.,2.5\nWho?,She.,\n")
    assert [question.weight for question in dataset.questions] == [2.5, None]
    for wrong in ("0", "-1", "many", "inf", "2e9"):
        (problem,) = refusal(f"question,reference,weight\nWhy?,So.,{wrong}\n").problems
        assert (problem.row, problem.field) == (1, "weight"), wrong


def test_clusters() -> None:
    dataset = load("question,reference,cluster\nWhy?,So.,law 1\nWho?,She.,\n")
    assert [question.cluster for question in dataset.questions] == ["law 1", None]
    assert "longer than 200" in refusal(f"question,reference,cluster\nWhy?,So.,{'c' * 201}\n").problems[0].message


def test_groups_categories_and_relevant_documents() -> None:
    dataset = load(
        "question,reference,group,category,relevant\n"
        'Why?,So.,bg,reason,"[{""document"": ""a.md"", ""grade"": 2}, ""b.md""]"\n'
        "Who?,She.,,,\n"
        "Where?,,en,no result,[]\n"
    )
    first, second, third = dataset.questions
    assert (first.group, first.category) == ("bg", "reason")
    assert first.relevant == (RelevantDocument(document="a.md", grade=2), RelevantDocument(document="b.md", grade=1))
    assert (second.group, second.category, second.relevant, second.is_unanswerable) == (None, None, None, False)
    assert (third.category, third.relevant, third.is_unanswerable) == ("no result", (), True)
    plain = load("question,reference\nWho?,She.\n")
    assert plain.questions[0].model_dump().keys() == {"id", "text", "reference", "gold_passages"}


def test_queries_of_ragelo_need_no_references() -> None:
    found = load("qid,query\n0,Why?\n")
    assert [(each.id, each.text, each.reference) for each in found.questions] == [("0", "Why?", "")]
    assert "contains no references" in " ".join(preview("qid,query\n0,Why?\n").mapping.notes)
    assert preview("id,query\n0,Why?\n").problems


@pytest.mark.parametrize("question", ["question", "user_input", "input", "query", "User Input", "QUERY"])
@pytest.mark.parametrize("reference", ["reference", "ground_truth", "expected_output", "target", "gt_answer", "answer"])
def test_aliases(question: str, reference: str) -> None:
    shown = preview(f"{question},{reference}\nWhy?,So.\n")
    assert shown.problems == ()
    assert (shown.questions[0].text, shown.questions[0].reference) == ("Why?", "So.")
    assert shown.mapping.columns == {"question": question, "reference": reference}
    said = " ".join(shown.mapping.notes)
    assert (f"“{reference}”" in said) == (reference != "reference")


def test_answer_is_the_reference_where_nothing_else_is() -> None:
    shown = preview("question,answer\nWhy?,So.\n")
    assert shown.questions[0].reference == "So."
    assert "The column “answer” is used as reference, because no other column contains references." in (
        shown.mapping.notes
    )


def test_answer_is_the_produced_one_beside_a_reference() -> None:
    shown = preview("question,answer,ground_truth\nWhy?,Dunno.,So.\n")
    assert shown.questions[0].reference == "So."
    assert shown.mapping.ignored == ("answer",)
    assert any("generated answers" in note and "“ground_truth”" in note for note in shown.mapping.notes)


def test_answer_is_the_produced_one_beside_contexts() -> None:
    content = "question,answer,contexts\nWhy?,Dunno.,[]\n"
    shown = preview(content, ignore_columns=["contexts"])
    assert any("generated answers" in note and "“contexts”" in note for note in shown.mapping.notes)
    assert [problem.field for problem in shown.problems] == ["reference"]
    decided = load(content, mapping=ColumnMapping(columns={"reference": "answer"}, ignored=("contexts",)))
    assert decided.questions[0].reference == "Dunno."


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ({"question": "Why?", "contexts": ["A b."], "answer": "So."}, {"reference": "answer"}),
        (
            {"user_input": "Why?", "retrieved_contexts": ["A b."], "response": "So."},
            {"reference": "response", "contexts": "retrieved_contexts"},
        ),
    ],
)
def test_answers_without_references_are_imported_once_their_columns_are_mapped(
    row: dict[str, Any], columns: dict[str, str]
) -> None:
    content = json.dumps([row])
    refused = [each for each in preview(content, "q.json").problems if each.field == "reference"]
    assert [columns["reference"] in each.message and "judged without one" in each.message for each in refused] == [True]
    [read] = load(content, "q.json", mapping=ColumnMapping(columns=columns)).questions
    assert (read.text, read.reference, [each.quote for each in read.gold_passages]) == ("Why?", "So.", ["A b."])


def quotes(content: str, filename: str = "q.csv") -> list[tuple[str, str]]:
    return [(each.document, each.quote) for each in load(content, filename).questions[0].gold_passages]


def test_contexts_are_gold_passages_of_unknown_documents() -> None:
    ragas = [
        {"user_input": "Why?", "reference": "So.", "reference_contexts": ["<1-hop>\n\nA b.", "<2-hop>\n\nC.", " "]}
    ]
    assert quotes(json.dumps(ragas), "q.json") == [("", "A b."), ("", "C.")]
    shown = preview(json.dumps(ragas), "q.json")
    assert (shown.problems, shown.counts.with_gold) == ((), 1)
    assert any("“reference_contexts” are gold passages" in note for note in shown.mapping.notes)
    assert load(json.dumps(ragas), "q.json", mapping=shown.mapping) == load(json.dumps(ragas), "q.json")
    both = [{"question": "Why?", "answer": "So.", "context": "A.", "gold_passages": [{"document": "d", "quote": "Q."}]}]
    assert quotes(json.dumps(both), "q.json") == [("d", "Q."), ("", "A.")]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("Plain text, with a comma.", ["Plain text, with a comma."]),
        ('["a, b", "c"]', ["a, b", "c"]),
        ("['a, b', \"it's\", 'a, b']", ["a, b", "it's"]),
        # numpy writes no commas; Python would read one text, "a bc".
        ("['a b'\n 'c']", ["a b", "c"]),
        ("[1] The first article.", ["[1] The first article."]),
        ("[__import__('os')]", ["[__import__('os')]"]),
        ("[", ["["]),
        ("", []),
    ],
)
def test_contexts_in_a_cell(cell: str, expected: list[str]) -> None:
    quoted = '"' + cell.replace('"', '""') + '"'
    assert quotes(f"question,ground_truth,contexts\nWhy?,So.,{quoted}\n") == [("", each) for each in expected]


def test_contexts_that_are_no_texts_are_refused_with_their_row() -> None:
    (problem,) = refusal('[{"question": "Why?", "reference": "So.", "contexts": [{"name": "A."}]}]', "q.json").problems
    assert (problem.row, problem.field) == (1, "contexts")
    assert problem.message.endswith("Write them so, or ignore the column.")


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Why?", "answer": "Dunno.", "ground_truth": "So.", "contexts": ["A."]},
        {"user_input": "Why?", "reference": "So.", "retrieved_contexts": ["A."]},
        {"input": "Why?", "expected_output": "So.", "retrieval_context": ["A."]},
    ],
)
def test_retrieved_contexts_are_not_gold(row: dict[str, object]) -> None:
    column = next(name for name in row if "context" in name)
    shown = preview(json.dumps([row]), "q.json")
    assert (shown.problems, shown.counts.with_gold, shown.questions[0].reference) == ((), 0, "So.")
    assert column in shown.mapping.ignored
    assert any(f"“{column}”" in note and "system retrieved" in note for note in shown.mapping.notes)
    # Whoever knows better says so.
    decided = load(json.dumps([row]), "q.json", mapping=ColumnMapping(columns={"contexts": column}))
    assert [each.quote for each in decided.questions[0].gold_passages] == ["A."]


def test_a_preview_handed_back_confirms_it() -> None:
    content = "query,answer,ground_truth,extra\nWhy?,Dunno.,So.,1\n"
    mapping = preview(content, ignore_columns=["extra"]).mapping
    again = ColumnMapping.model_validate_json(mapping.model_dump_json())
    assert load(content, mapping=again) == load(content, ignore_columns=["extra"])


def test_numbers_are_taken_as_text() -> None:
    dataset = load('[{"id": 7, "question": "How many?", "reference": 42}]', "q.json")
    assert (dataset.questions[0].id, dataset.questions[0].reference) == ("7", "42")
    dataset = load('[{"question": "a?", "reference": 0.00001}, {"question": "b?", "reference": 2.50}]', "q.json")
    assert [question.reference for question in dataset.questions] == ["0.00001", "2.5"]


def test_gold_passages_in_a_cell() -> None:
    dataset = load('question,reference,gold_passages\nA?,x,"[{""document"": ""d"", ""quote"": ""a, b""}]"\nB?,y,\n')
    assert dataset.questions[0].gold_passages == (GoldPassage(document="d", quote="a, b"),)
    assert dataset.questions[1].gold_passages == ()


def test_missing_ids_are_made_from_row_numbers() -> None:
    shown = preview("question,reference\nA?,x\n\nB?,y\n")
    assert [question.id for question in shown.questions] == ["q-0001", "q-0003"]
    assert any(note.startswith("Ids were generated") for note in shown.mapping.notes)


def test_what_was_trimmed_or_is_missing_is_said() -> None:
    shown = preview('[{"question": " A?", "reference": "x\\r"}, {"question": "A?", "reference": ""}]', "q.json")
    assert (shown.questions[0].text, shown.questions[0].reference) == ("A?", "x")
    notes = " ".join(shown.mapping.notes)
    assert "White space around the text was removed in 1 row of “question”" in notes
    assert "1 question has no reference" in notes
    assert "1 question has the same text" in notes
    assert (shown.counts.questions, shown.counts.with_reference) == (2, 1)


def test_a_preview_is_json() -> None:
    shown = preview("question,reference\nA?,x\n,y\n", limit=1)
    plain = json.loads(shown.model_dump_json())
    assert plain["problems"] == [
        {"message": "The question is blank. Write it or delete the row.", "row": 2, "field": "question"}
    ]
    assert plain["counts"]["questions"] == 1


@pytest.mark.parametrize(("file", "count"), [("eu-organic-75.json", 75), ("sourcebook-371.json", 371)])
def test_the_published_question_files(test_data: Path, file: str, count: int) -> None:
    content = (test_data / "questions" / file).read_bytes()
    dataset = LOADING.load(content, file, name="published")
    assert len(dataset.questions) == count
    raw = json.loads(content.decode("utf-8-sig"))
    assert [(q.text, q.reference) for q in dataset.questions] == [
        (row["question"].strip(), row["answer"].strip()) for row in raw
    ]
    notes = " ".join(LOADING.preview(content, file).mapping.notes)
    assert f"White space around the text was removed in {count} rows of “question”" in notes
    assert "The column “answer” is used as reference" in notes


@pytest.mark.parametrize(
    ("content", "filename", "expected", "ignored"),
    [
        # ragas 0.2 and later, TestsetGenerator.generate(...).to_csv()
        (
            "user_input,reference_contexts,reference,synthesizer_name\nWhy?,['A b.'],So.,single_hop_query\n",
            "testset.csv",
            ("q-0001", "Why?", "So."),
            ("synthesizer_name",),
        ),
        # ragas 0.1
        (
            '[{"question": "Why?", "contexts": ["A b."], "ground_truth": "So.", "evolution_type": "simple", '
            '"metadata": [{}], "episode_done": true}]',
            "testset.json",
            ("q-0001", "Why?", "So."),
            ("evolution_type", "metadata", "episode_done"),
        ),
        # BEIR
        ('{"_id": "7", "text": "Why?", "metadata": {}}\n', "queries.jsonl", ("7", "Why?", ""), ("metadata",)),
        # Natural Questions with one answer
        ('{"question": "Why?", "answer": ["So."]}\n', "nq.jsonl", ("q-0001", "Why?", "So."), ()),
        ("Въпрос;Отговор\nЗащо?;Така.\n", "въпроси.csv", ("q-0001", "Защо?", "Така."), ()),
        ("Въпрос;Еталонен отговор;Група\nЗащо?;Така.;а\n", "въпроси.csv", ("q-0001", "Защо?", "Така."), ()),
        ("Frage;Musterantwort;Kategorie\nWarum?;Darum.;a\n", "q.csv", ("q-0001", "Warum?", "Darum."), ()),
        ("编号,问题,参考答案\n7,为什么？,因为。\n", "q.csv", ("7", "为什么？", "因为。"), ()),
        (
            "Question;Re\u0301ponse attendue\nPourquoi ?;Parce que.\n",
            "q.csv",
            ("q-0001", "Pourquoi ?", "Parce que."),
            (),
        ),
        ("Pregunta;Respuesta\n¿Por qué?;Porque sí.\n", "q.csv", ("q-0001", "¿Por qué?", "Porque sí."), ()),
        ("Вопрос;Эталонный ответ\nПочему?;Потому.\n", "q.csv", ("q-0001", "Почему?", "Потому."), ()),
    ],
)
def test_files_of_other_tools_are_read_as_they_write_them(
    content: str, filename: str, expected: tuple[str, str, str], ignored: tuple[str, ...]
) -> None:
    shown = preview(content, filename)
    assert (shown.problems, shown.mapping.ignored) == ((), ignored)
    [read] = shown.questions
    assert (read.id, read.text, read.reference) == expected
    notes = [note for note in shown.mapping.notes if "another tool made" in note]
    assert len(notes) == bool(ignored)
    assert all(column in note for note in notes for column in ignored)


def test_a_text_without_the_ids_of_beir_is_no_question() -> None:
    assert [each.field for each in preview("id,text,reference\n1,Why?,So.\n").problems] == ["text", "question"]
