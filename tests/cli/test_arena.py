"""`passer arena`: plan, start, list, show, by rule, import, export."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

import pytest

from passer.cli.arena_people import print_figures
from passer.domain.arena.people_figures import PeopleFigures, RaterFigures
from tests.cli.conftest import Ended
from tests.ollama_server import OllamaServer


@pytest.fixture
def arena(with_answers: Callable[..., Ended]) -> Callable[..., Ended]:
    return lambda *arguments: with_answers("arena", *arguments)


START = ("start", "sweep", "--judge", "ollama/mistral:latest")


def test_a_plan_then_a_budget_then_the_rest(arena: Callable[..., Ended], judge: OllamaServer) -> None:
    planned = arena(*START, "--plan", "--json")
    assert planned.status == 0, planned.err
    assert (planned.json["games"], planned.json["same_answer"], planned.json["asks"]) == (2, 1, 2)
    assert "unknown: give --price" in arena(*START, "--plan").out
    assert judge.generations == []
    paused = arena(*START, "--budget", "1-asks")
    assert paused.status == 1
    assert "The budget is used up after 1 request. Raise it to continue." in paused.err
    [listed] = arena("list", "--json").json["tournaments"]
    assert (listed["state"], listed["source"]) == ("paused", "judge")
    done = arena("resume", listed["id"], "--json")
    assert done.status == 0, done.err
    # The server fills enumerations with their first value: this judge always says A.
    assert done.json["games"] == {"inconsistent": 1, "same_answer": 1}
    assert [row["rating"] for row in done.json["rows"]] == pytest.approx([1000, 1000])
    assert len(judge.generations) == 2
    shown = arena("show", listed["id"])
    assert "0 of 1 pairs agree in both orders; the first answer won 2 of 2 verdicts" in shown.err
    assert "carry no information" not in shown.err, "one pair is too little to tell"
    assert "No intervals and ranks: they need six questions or more." in shown.err
    assert "may be related to mistral:7b" in shown.err
    games = arena("game", listed["id"], "--json").json["games"]
    assert [each["how"] for each in games] == ["same_answer", "inconsistent"]
    read = arena("game", listed["id"], "q1", games[1]["b"], games[1]["a"])
    assert "When is maize sown?" in read.out
    assert "shown first" in read.out
    assert "reply 2" in read.out
    assert arena("game", listed["id"], "q1", games[1]["a"]).status == 2
    refused = arena("add", listed["id"], "sweep-001")
    assert refused.status == 2
    assert "Run sweep-001 plays in tournament" in refused.err
    compared = arena("show", listed["id"], "--against", listed["id"], "--json").json
    assert (compared["games"], compared["same"]) == (2, 2)
    # Its one pair that was asked contradicts itself: without it, only the tie of equal answers is left to compare.
    compared = arena("show", listed["id"], "--against", listed["id"], "--inconsistent", "drop", "--json").json
    assert (compared["games"], compared["same"]) == (1, 1)
    compared = arena("show", listed["id"], "--against", listed["id"], "--without", games[1]["a"], "--json").json
    assert (compared["games"], compared["runs"]) == (0, 0)
    assert "has no system nobody" in arena("show", listed["id"], "--against", listed["id"], "--without", "nobody").err
    assert f"Deleted tournament {listed['id']}." in arena("delete", listed["id"]).err
    assert arena("list", "--json").json["tournaments"] == []


def test_why_games_have_no_outcome_is_printed(arena: Callable[..., Ended], monkeypatch: pytest.MonkeyPatch) -> None:
    # A server that ignores the schema, and a judge that replies in prose.
    monkeypatch.setattr("tests.ollama_replies.matching", lambda schema, text: text)
    ended = arena("start", "sweep", "--judge", "ollama/llama3.1:8b")
    assert "Games: failed 1 (not_json 1), same answer 1; " in ended.err
    some_id = arena("list", "--json").json["tournaments"][0]["id"]
    assert arena("delete", some_id).status == 0


def test_games_are_imported_and_exported(arena: Callable[..., Ended], tmp_path) -> None:
    rows = ["qid,a,b,winner", *(f"{n},x,y,{'AABC'[n % 4]}" for n in range(40))]
    (tmp_path / "games.csv").write_text("\n".join(rows))
    imported = arena("import", tmp_path / "games.csv", "--json")
    assert imported.status == 0, imported.err
    first, second = imported.json["rows"]
    assert (first["entrant"]["id"], first["record"]["wins"], second["record"]["wins"]) == ("x", 20, 10)
    assert first["low"] < first["rating"] < first["high"]
    some_id = imported.json["tournament"]["id"]
    for table, lines in (("--games", 40), ("--ratings", 2)):
        assert arena("export", some_id, "-o", tmp_path / "out.csv", table).status == 0
        with (tmp_path / "out.csv").open(newline="") as file:
            assert len(list(csv.DictReader(file))) == lines
    assert arena("export", some_id, "-o", tmp_path / "out.csv", "--without", "x").status == 0
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8-sig") as file:
        assert [(row["system"], row["wins"]) for row in csv.DictReader(file)] == [("y", "0")]
    # What was exported can be imported.
    arena("export", some_id, "-o", tmp_path / "again.csv", "--games")
    again = arena("import", tmp_path / "again.csv", "--json").json
    assert [row["rating"] for row in again["rows"]] == [row["rating"] for row in imported.json["rows"]]
    assert "y leads" in arena("show", some_id).err


def test_wrong_options_are_named(arena: Callable[..., Ended], tmp_path) -> None:
    (tmp_path / "bad.csv").write_text("qid,a,b,winner\n1,x,y,maybe\n")
    for options, said in (
        (("start", "sweep"), "Pass either --judge MODEL or --rule COLUMN"),
        (("start", "sweep-000", "--judge", "ollama/mistral:latest"), "two runs or more"),
        ((*START, "--documents", "all"), "documents"),
        (("start", "sweep", "--rule", "Kindness"), "no scores in the column Kindness"),
        (("show", "nothing"), "There is no tournament nothing"),
        (("import", tmp_path / "bad.csv"), "Row 2 has the winner “maybe”"),
        (("import", tmp_path / "none.csv"), "cannot be read"),
    ):
        refused = arena(*options)
        assert refused.status == 2
        assert said in refused.err


def test_what_a_score_would_decide_is_counted_first(arena: Callable[..., Ended]) -> None:
    planned = arena("start", "sweep", "--rule", "Bert-Score.f1", "--plan")
    assert planned.status == 0, planned.err
    # The scores of this sweep were never computed.
    assert re.search(r"without an outcome: a score is missing\W+2\b", planned.out)
    assert arena("start", "sweep", "--rule", "Bert-Score.f1", "--plan", "--json").json["games"] == 2
    assert "rule" not in {each["source"] for each in arena("list", "--json").json["tournaments"]}


def test_people_get_links_which_are_replaced_and_revoked(arena: Callable[..., Ended]) -> None:
    made = arena(*START, "--json").json["tournament"]["id"]
    drawn = arena("people", made, "--raters", "ana, ben", "--games", "5")
    assert drawn.status == 0, drawn.err
    assert "1 game drawn" in drawn.err
    secrets = re.findall(r"http://127\.0\.0\.1:8000/rate#([\w-]{22})\b", drawn.out)
    assert len(set(secrets)) == 2
    people = next(each["id"] for each in arena("list", "--json").json["tournaments"] if each["source"] == "person")
    shown = arena("raters", people)
    assert "0 of 1 games are decided." in shown.err
    assert "0 of 1" in shown.out
    assert arena("raters", people, "--json").json["figures"]["of"] == made
    renewed = arena("link", people, "--rater", "ana", "--server", "https://lab.example/", "--json").json
    assert renewed["path"].removeprefix("/rate#") not in secrets
    assert "The link of ana is revoked." in arena("link", people, "--rater", "ana", "--revoke").err
    revoked = arena("link", people, "--rater", "ana", "--revoke", "--json")
    assert (revoked.json, revoked.err) == ({"rater": "ana", "revoked": True}, "")
    assert arena("people", people, "--raters", "ana").status == 2
    graded = arena("people", "sweep", "--raters", "eva", "--aspects", "accuracy,completeness", "--json").json
    shown = arena("raters", graded["tournament"]["id"])
    assert shown.status == 0, shown.err
    assert "Completeness" in shown.out
    assert "graded answers" in shown.out
    assert "aspects" in arena("people", "sweep", "--raters", "eva", "--aspects", "charm").err
    assert arena("people", made, "--raters", "ana,ana").status == 2


def test_a_rater_of_more_pairs_than_games_has_some_twice(capsys: pytest.CaptureFixture[str]) -> None:
    def rater(name: str, total: int) -> RaterFigures:
        counts = dict.fromkeys(("rated", "cannot_tell", "both_bad", "decided", "first", "repeated", "consistent"), 0)
        return RaterFigures(rater=name, total=total, first_interval=None, consistent_interval=None, **counts)

    raters = (rater("ana", 14), rater("ben", 13), rater("eva", 12))
    print_figures(PeopleFigures(of=None, games=12, decided=0, raters=raters, pairs=(), judge=None, ceiling=None))
    shown = " ".join(capsys.readouterr().out.split())
    assert "0 of 14 (2 come twice)" in shown
    assert "0 of 13 (1 comes twice)" in shown
    assert shown.count("twice)") == 2
