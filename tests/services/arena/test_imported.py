"""Files of games: plain tables, and those of RAGElo's program."""

from __future__ import annotations

import json

import pytest

from passer.adapters.tables import table_readers
from passer.errors import DatasetError, InputError
from passer.services.arena.imported import GameImport, Imported

READER = GameImport(table_readers())


def load(text: str, name: str = "games.csv") -> Imported:
    return READER.load(text.encode(), name)


def test_a_plain_table() -> None:
    found = load("qid,a,b,winner\n1,x,y,A\n2,y,x,A\n3,x,y,C\n")
    assert [each.id for each in found.entrants] == ["x", "y"]
    # The second row names the systems the other way round: y wins.
    assert [(game.question_id, game.a, game.outcome, game.how) for game in found.games] == [
        ("1", "x", "a", "given"), ("2", "x", "b", "given"), ("3", "x", "tie", "given"),
    ]  # fmt: skip
    assert {game.verdicts for game in found.games} == {()}


def test_questions_may_be_numbered_from_0() -> None:
    found = load('[{"qid": 0, "a": "x", "b": "y", "winner": "A"}]', "games.json")
    assert [game.question_id for game in found.games] == ["0"]


def test_the_file_of_ragelo_has_orders() -> None:
    text = "qid,agent_a,agent_b,raw_answer,answer\n1,x,y,..,A\n1,y,x,..,B\n2,x,y,..,A\n2,y,x,..,A\n3,y,x,..,B\n"
    found = load(text)
    assert found == load(text.replace(",answer", ",relevance")), "its first versions name the verdict so"
    assert [(game.outcome, game.how) for game in found.games] == [
        ("a", "agreed"), ("tie", "inconsistent"), ("a", "one_order"),
    ]  # fmt: skip
    assert [shown.first for shown in found.games[0].verdicts] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("qid,a,b,winner\n1,x,y,A\n1,y,x,B\n", "Row 3 repeats the game of x and y on question 1"),
        ("qid,agent_a,agent_b,relevance\n1,x,y,A\n1,x,y,B\n", "Row 3 repeats"),
        ("qid,a,b,winner\n1,x,y,D\n", "Row 2 has the winner “D”"),
        ("qid,a,b,winner\n1,x,,A\n", "Row 2 has no question or no system"),
        ("qid,a,b,winner\n1,x,\u200b,A\n", "Row 2 has no question or no system"),
        ("qid,a,b,winner\n1,Zo\u00eb,Zoe\u0308\u200b,A\n", "Row 2 has Zo\u00eb on both sides"),
        ("qid,a,b,winner\n1,x,x,A\n", "Row 2 has x on both sides"),
        ("qid,one,two\n1,x,y\n", "It has: qid, one, two"),
        ("qid,a,b,winner\n", "has no games"),
    ],
)
def test_a_bad_file_is_refused_with_the_row(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load(text)


@pytest.mark.parametrize("value", ['"\\ud800"', '"a\\u0000"', '{"a": 1}', '["x"]', "true", "NaN", "1e400"])
@pytest.mark.parametrize("column", ["qid", "a", "winner"])
def test_a_value_that_is_no_name_is_refused_with_row_and_column(column: str, value: str) -> None:
    row = {"qid": "1", "a": "x", "b": "y", "winner": "A"}
    text = json.dumps([{**row, column: "VALUE"}]).replace('"VALUE"', value)
    with pytest.raises(InputError, match=f"^Row 1 has no text or number in the column {column}. Write a name there"):
        load(text, "games.json")


def test_other_files_are_refused() -> None:
    with pytest.raises(InputError, match=r"cannot read files like games\.pdf\. Use one of"):
        load("hello", "games.pdf")
    with pytest.raises(DatasetError, match=r"^games\.csv: Line 2 of the file is not valid CSV"):
        load('qid,a,b,winner\n1,"x,y,A\n', "games.csv")
