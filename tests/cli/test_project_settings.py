"""Settings of projects from the command line."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("PASSER_ENCODER", "none")


def values(ended) -> dict[str, tuple[str, str]]:
    assert ended.status == 0, ended.err
    return {each["name"]: (each["value"], each["source"]) for each in ended.json["settings"]}


def test_a_value_is_set_shown_and_unset_in_one_project_alone(passer, home, monkeypatch):
    assert passer("projects", "add", "soil").status == 0
    assert passer("--project", "soil", "settings", "set", "ledger_granularity", "run").status == 0
    assert values(passer("--project", "soil", "settings", "show", "--json"))["ledger_granularity"] == ("run", "project")
    assert values(passer("settings", "show", "--json"))["ledger_granularity"] == ("question", "default")
    monkeypatch.setenv("PASSER_LEDGER_GRANULARITY", "run")
    [row] = [each for each in passer("settings", "show", "--json").json["settings"] if each["value"] == "run"]
    assert row == {
        "name": "ledger_granularity", "value": "run", "source": "environment", "inherited": "run",
        "variable": "PASSER_LEDGER_GRANULARITY",
    }  # fmt: skip
    monkeypatch.delenv("PASSER_LEDGER_GRANULARITY")
    printed = passer("--project", "soil", "settings", "show").out
    assert "PASSER_LEDGER_GRANULARITY" in printed
    ended = passer("--project", "soil", "settings", "unset", "ledger_granularity")
    assert "ledger_granularity is question in the project soil (default)." in ended.err
    assert values(passer("--project", "soil", "settings", "show", "--json"))["ledger_granularity"][1] == "default"
    acts = passer("--project", "soil", "activity", "list", "--json").json["items"]
    assert [(each["operation"], each["subject"]) for each in acts[:2]] == [
        ("settings unset", "ledger_granularity"),
        ("settings set", "ledger_granularity"),
    ]


def test_a_wrong_value_and_an_unknown_setting_are_refused_with_what_to_do(passer):
    refused = passer("settings", "set", "embedding", "/models/own")
    assert (refused.status, refused.out) == (2, "")
    assert "Enter embedded or ollama/NAME; set a path in PASSER_EMBEDDING on the server." in refused.err
    assert "no value of its own for the setting home" in passer("settings", "unset", "home").err
    unknown = passer("settings", "set", "home", "/elsewhere")
    assert unknown.status == 2
    assert "Use one of: embedding, judge_embedding, ledger_granularity, timestamp_url." in unknown.err


def test_the_time_stamp_authority_of_the_project_is_asked(passer, tmp_path):
    file = tmp_path / "study.zip"
    file.write_bytes(b"study")
    assert "Set one with `passer settings set timestamp_url ADDRESS`" in passer("ledger", "stamp", file).err
    # Nobody listens there: what is said names the address.
    assert passer("settings", "set", "timestamp_url", "http://127.0.0.1:9/tsr").status == 0
    refused = passer("ledger", "stamp", file)
    assert refused.status == 2
    assert "127.0.0.1:9" in refused.err, refused.err
