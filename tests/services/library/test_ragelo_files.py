"""RAGElo's files, in the columns of its own test data (old and new names), with everything wrong named."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from passer.adapters.recognition import recognised_language
from passer.adapters.tables import table_readers
from passer.domain.dataset import Dataset
from passer.errors import DatasetError
from passer.services.library.answer_files import AnswerFiles
from passer.services.library.dataset_import import DatasetImport
from passer.services.library.ragelo_files import RageloFiles, RageloReader

QUERIES = (
    "queries.csv",
    b"qid,query,difficulty\n0,What is the capital of Brazil?,1\n1,What is the capital of France?,2\n",
)
ANSWERS = (
    "answers.csv",
    b"qid,agent,answer\n"
    b'0, agent1,"Brasilia is the capital of Brazil, according to [0]."\n'
    b"0,agent2,It used to be Rio de Janeiro [1].\n"
    b"1,agent1,Paris [2].\n"
    b"1,agent2,Lyon is the second largest city [3].\n",
)
READER = RageloReader(
    datasets=DatasetImport(table_readers(), recognised_language), answer_files=AnswerFiles(table_readers())
)


def test_the_files_of_an_experiment_are_read() -> None:
    judged = (
        "reasonings.csv",
        b"qid,did,raw_answer,answer\n0,0,x,Very relevant: it says so.\n0,1,x,Somewhat relevant: it was.\n1,2,x,2\n"
        b"1,3,x,Not relevant: another city.\n",
    )
    found = READER.read(
        RageloFiles(QUERIES, ("documents.csv", b"qid,did,document\n0,0,a\n0,1,b\n1,2,c\n1,3,d\n"), ANSWERS, judged),
        "capitals",
    )
    assert [(each.id, each.text, each.reference) for each in found.dataset.questions] == [
        ("0", "What is the capital of Brazil?", ""),
        ("1", "What is the capital of France?", ""),
    ]
    assert found.documents == {"0": ("0", "1"), "1": ("2", "3")}
    assert found.grades == {"0": {"0": 2, "1": 1}, "1": {"2": 2, "3": 0}}
    assert {agent: [reply.answer[:5] for reply in read.replies.values()] for agent, read in found.answers.items()} == {
        "agent1": ["Brasi", "Paris"],
        "agent2": ["It us", "Lyon "],
    }
    assert found.metadata == ("difficulty",)
    assert found.dataset.questions[0].metadata == {"difficulty": "1"}
    again = Dataset(name="capitals", questions=found.dataset.questions)
    assert found.dataset.digest == again.digest, "metadata is part of the dataset"


def test_the_columns_of_older_versions_are_read() -> None:
    files = RageloFiles(
        ("queries.csv", b"query_id,query\n0,What is the capital of Brazil?\n"),
        ("documents.csv", b"qid,doc_id,document_text\n0,7,a\n"),
        ("answers.csv", b"query_id,agent,answer\n0,a,Rio\n"),
    )
    found = READER.read(files, "old")
    assert (found.documents, list(found.answers)) == ({"0": ("7",)}, ["a"])


def test_everything_wrong_is_named_with_file_row_and_column() -> None:
    files = RageloFiles(
        QUERIES,
        ("documents.csv", b"qid,did\n0,0\n0,0\n9,1\n0,\n"),
        ("answers.csv", b"qid,agent,answer\n0,a,x\n0,a,y\n1,a,z\n1,,z\n0,b,x\n"),
        ("judged.csv", b"qid,did,answer\n0,0,excellent\n0,1,11\n"),
    )
    with pytest.raises(DatasetError, match=r"Nothing was imported: 8 problems\. The first: documents\.csv") as caught:
        READER.read(files, "wrong")
    places = [(each.message.partition(".csv")[0], each.row, each.field) for each in caught.value.problems]
    assert places == [
        ("documents", 2, "did"),
        ("documents", 3, "qid"),
        ("documents", 4, "did"),
        ("judged", 1, "answer"),
        ("judged", 2, "answer"),
        ("answers", 4, "agent"),
        ("answers", 2, "qid"),
        ("answers", None, None),
    ]


def test_names_and_metadata_have_no_characters_that_no_database_holds() -> None:
    """They are replaced, as in answers: the import failed unexpectedly, after the files had been read."""
    queries = ("queries.json", b'[{"qid": "1", "query": "Why?", "topic": "a\\ud800"}]')
    documents = ("documents.json", b'[{"qid": "1", "did": "\\ud800.md"}]')
    answers = ("answers.json", b'[{"qid": "1", "agent": "b\\u0000\\udfff", "answer": "So."}]')
    found = READER.read(RageloFiles(queries, documents, answers, None), "odd")
    assert found.documents == {"1": ("?.md",)}
    assert list(found.answers) == ["b?"]
    assert found.dataset.questions[0].metadata == {"topic": "a?"}


def test_judgements_alone_are_grades_of_any_question() -> None:
    assert READER.grades(("j.csv", b"qid,did,answer\n0,a,2\n0,b,Not relevant: no.\n9,a,Very relevant\n")) == {
        "0": {"a": 2, "b": 0},
        "9": {"a": 2},
    }
    with pytest.raises(DatasetError, match="2 problems") as caught:
        READER.grades(("j.csv", b"qid,did,answer\n,a,2\n0,b,11\n"))
    assert [(each.row, each.field) for each in caught.value.problems] == [(1, "did"), (2, "answer")]
    with pytest.raises(DatasetError, match="no"):
        READER.grades(("j.csv", b"qid,did,answer\n"))


def test_a_file_without_a_column_is_refused() -> None:
    with pytest.raises(DatasetError, match=r"answers\.csv has no column agent \(its columns: qid, answer\)"):
        READER.read(RageloFiles(QUERIES, answers=("answers.csv", b"qid,answer\n0,x\n")), "x")


def test_what_is_wrong_with_one_agent_is_not_looked_for_in_every_other(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 60
    queries = ("q.csv", b"qid,query\n" + b"".join(b"%d,What is number %d?\n" % (n, n) for n in range(asked)))
    answers = ("a.csv", b"qid,agent,answer\n" + b"".join(b"0,agent %d,x\n" % n for n in range(5000)))
    matched: list[int] = []
    of_one = AnswerFiles.matched
    monkeypatch.setattr(AnswerFiles, "matched", lambda *given: matched.append(1) or of_one(*given))
    with pytest.raises(DatasetError, match=r"there are more than 50 problems\. The first: a\.csv, .*agent 0"):
        READER.read(RageloFiles(queries, answers=answers), "many agents")
    assert len(matched) == 1


@pytest.mark.parametrize("text", ["9" * 400, "11.0", "\u00b2", "-1", "1e1"])
def test_no_text_of_a_grade_breaks_the_reading(text: str) -> None:
    with pytest.raises(DatasetError, match="must be a whole number from 0 to 10"):
        READER.grades(("j.csv", f"qid,did,answer\n0,a,{text}\n".encode()))


def test_the_documents_alone_are_a_ranking_by_their_order() -> None:
    text = '\ufeffqid,did,document,source\n0,d2,About two.,web\n0,d1,"One, and more.",web\n1,d1,One.,web\n'
    expected = {"0": ("d2", "d1"), "1": ("d1",)}
    for content in (
        text,
        text.replace("\n", "\r"),
        "qid;did\n0;d2\n0;d1\n1;d1\n",
        f"qid,did,text\n0,d2,{'x' * 200_000}\n0,d1,\n1,d1,",
    ):
        assert READER.documents(("documents.csv", content.encode())) == expected
    for wrong, problem in (
        ("qid,document\n0,x\n", "has no column did"),
        ("qid,did\n0,\n", r"qid or did is empty \(row 1, did\)"),
        ("qid,did\n0,a\n0,a\n", r"a is listed twice for question 0 \(row 2, did\)"),
        ("qid,did\n", "has no column qid"),
    ):
        with pytest.raises(DatasetError, match=problem):
            READER.documents(("documents.csv", wrong.encode()))


def test_numbers_are_answers() -> None:
    answers = ("answers.json", b'[{"qid": 0, "agent": "a", "answer": 0}, {"qid": 1, "agent": "a", "answer": 3}]')
    found = READER.read(RageloFiles(QUERIES, answers=answers), "capitals")
    assert [reply.answer for reply in found.answers["a"].replies.values()] == ["0", "3"]


@pytest.mark.parametrize(
    ("header", "cell", "problem"),
    [
        ("note", "x" * 2001, r"longer than 2.000 characters; shorten it, or delete the column \(row 1, note\)"),
        ("n" * 101, "x", "further columns, or one whose name is longer than 100 characters"),
    ],
)
def test_a_column_that_cannot_be_kept_with_the_queries_is_refused(header: str, cell: str, problem: str) -> None:
    content = f"qid,query,{header}\n0,Which?,{cell}\n".encode()
    with pytest.raises(DatasetError, match=problem):
        READER.read(RageloFiles(("queries.csv", content)), "long")


def test_a_column_rank_orders_documents_and_a_rising_score_is_refused() -> None:
    # The columns are those of PyTerrier.
    ranked = b"qid,docid,docno,rank,score,query\n1,4,d2,1,.4,q\n1,2,d1,0,.9,q\n2,7,d3,0,.1,q\n"
    assert READER.documents(("r.csv", ranked)) == {"1": ("d1", "d2"), "2": ("d3",)}
    falling = b"qid,did,score\n1,a,2e0\n1,b,1.5\n2,c,3\n1,d,1.5\n"
    assert READER.documents(("r.csv", falling)) == {"1": ("a", "b", "d"), "2": ("c",)}
    with pytest.raises(DatasetError) as refused:
        READER.documents(("r.csv", b"qid,did,score\n1,a,1\n1,b,2\n"))
    assert [(each.row, each.field) for each in refused.value.problems] == [(2, "score")]
    with pytest.raises(DatasetError, match=r"the rank “first” is not a number \(row 1, rank\)"):
        READER.documents(("r.csv", b"qid,did,rank\n1,a,first\n"))


def test_grades_of_mteb_in_their_formats() -> None:
    stream = io.BytesIO()
    pd.DataFrame({"query-id": ["q1", "q1"], "corpus-id": ["d 1", "d2"], "score": [1.0, 0.0]}).to_parquet(stream)
    lines = b'{"query-id": "q1", "corpus-id": "d 1", "score": 1}\n{"query-id": "q1", "corpus-id": "d2", "score": 0}\n'
    for name, content in (("test.parquet", stream.getvalue()), ("test.jsonl", lines)):
        assert READER.grades((name, content)) == {"q1": {"d 1": 1, "d2": 0}}


def test_whole_numbers_of_a_data_frame_are_the_same_ids_in_all_files() -> None:
    queries = ("q.json", b'[{"qid": 7.0, "query": "A?", "domain": "soil"}]')
    found = READER.read(RageloFiles(queries, documents=("d.json", b'[{"qid": 7, "did": 5.0}]')), "x")
    assert found.documents == {"7": ("5",)}
    assert found.dataset.questions[0].metadata == {"domain": "soil"}, "it was lost"
