"""The activity log from the command line."""

from __future__ import annotations

import getpass
import json
import sqlite3

import pytest
from typer.main import get_command

from passer.cli import app
from passer.cli.activity import LOGGED
from tests.api.conftest import QUESTIONS

READ = {
    "activity list", "activity verify", "analyse", "arena export", "arena game", "arena list", "arena raters",
    "arena show",
    "bundle", "calibrate", "check", "collections", "datasets", "doctor", "domains", "draft list", "draft show",
    "expand", "export", "grounding", "import list", "judge columns", "judge compare", "judge facts", "judge list",
    "judge show", "judge tuning", "judge tunings",
    "label export", "label list", "ledger check", "ledger checkpoint", "ledger compare", "ledger consistency",
    "ledger export", "ledger head", "ledger key", "ledger list", "ledger prove", "ledger show", "ledger stamp",
    "ledger stamped", "ledger verify",
    "match-k", "mcp", "metrics", "origins", "projects list", "projects members", "rankings", "retrieve", "runs",
    "score", "serve", "settings show", "show", "timings", "users identities", "users list",
    "verify",
}  # fmt: skip
"""Commands that change nothing; the requests to a server are recorded one by one."""


def commands(group, *path):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)
        else:
            yield " ".join((*path, name))


def test_every_command_is_recorded_or_only_reads():
    assert set(commands(get_command(app))) == LOGGED | READ
    assert not LOGGED & READ


def test_commands_are_recorded_with_the_user_and_without_secrets(passer, home, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("correct horse battery")
    (tmp_path / "farm.json").write_text(json.dumps(QUESTIONS))
    assert passer("import", "dataset", tmp_path / "farm.json").status == 0
    assert passer("users", "add", "maria", "--role", "admin", "--password-file", secret).status == 0
    assert passer("users", "remove", "nobody").status == 2
    assert passer("datasets").status == 0
    items = passer("activity", "list", "--json").json["items"]
    shown = [(each["operation"], each["subject"], each["outcome"]) for each in items]
    assert shown[:2] == [("users remove", "nobody", "failed"), ("users add", "maria", "done")]
    assert shown[2] == ("import dataset", None, "done"), "no path of this machine"
    assert {(each["account"], each["via"]) for each in items} == {(getpass.getuser(), "command")}
    assert [
        each["subject"] for each in passer("activity", "list", "--operation", "users add", "--json").json["items"]
    ] == ["maria"]
    assert passer("activity", "export", tmp_path / "log.jsonl").status == 0
    lines = (tmp_path / "log.jsonl").read_text()
    assert [json.loads(line)["number"] for line in lines.splitlines()] == list(range(1, len(items) + 1))
    assert "battery" not in lines
    assert str(tmp_path) not in lines


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("UPDATE activity SET account = 'ivan' WHERE number = 1", "Row 1 was changed"),
        ("DELETE FROM activity WHERE number = 1", "Row 1 is missing"),
        ("DELETE FROM activity WHERE number = (SELECT max(number) FROM activity)", "rows were removed"),
    ],
)
def test_a_changed_or_removed_row_is_found(passer, home, change, says):
    for _ in range(2):  # two rows at least, whichever test was first
        assert passer("projects", "add", "more").status in (0, 2)
    head = passer("activity", "verify").out.strip()
    assert passer("activity", "verify", "--head", head).status == 0
    file = home / "passer.sqlite3"
    with sqlite3.connect(file) as opened:
        before = opened.execute("SELECT * FROM activity").fetchall()
        opened.execute(change)
    found = passer("activity", "verify", "--head", head)
    assert (found.status, says in found.out) == (1, True), found.out
    with sqlite3.connect(file) as opened:
        opened.execute("DELETE FROM activity")
        opened.executemany(f"INSERT INTO activity VALUES ({', '.join('?' * len(before[0]))})", before)
    assert passer("activity", "verify", "--head", "1:x").status == 2
