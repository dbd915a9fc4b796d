"""Accounts from the command line."""

from __future__ import annotations

import os
import re
import socket

import pytest

from tests.forked import ran

PASSWORD = "correct horse battery"


@pytest.fixture
def password_file(tmp_path):
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n")
    return file


def test_accounts_are_added_listed_changed_and_removed(passer, password_file):
    assert passer("users", "list", "--json").json == {"users": []}
    for name, role in (("maria", "admin"), ("ivan", "viewer")):
        done = passer("users", "add", name, "--role", role, "--password-file", password_file)
        assert (done.status, done.out) == (0, ""), done.err
    listed = passer("users", "list", "--json").json["users"]
    assert [(each["name"], each["role"], each["signed_in_at"]) for each in listed] == [
        ("ivan", "viewer", None),
        ("maria", "admin", None),
    ]
    assert "password" not in listed[0]
    assert "never" in passer("users", "list").out
    assert passer("users", "change", "ivan", "--role", "researcher").status == 0
    assert passer("users", "list", "--json").json["users"][0]["role"] == "researcher"
    token = passer("users", "token", "ivan", "--scope", "viewer")
    assert token.out.startswith("passer_")
    assert passer("users", "token", "ivan", "--scope", "admin").status == 2
    link = passer("users", "recover", "ivan", "--server", "https://passer.example/")
    assert re.fullmatch(r"https://passer\.example/#recover=[\w-]{43}\n?", link.out)
    assert "ivan alone" in link.err
    assert passer("users", "remove", "ivan").status == 0
    assert "No account is left" in passer("users", "remove", "maria").err


def test_a_person_of_the_provider_is_connected_listed_and_removed(passer, password_file, monkeypatch):
    passer("users", "add", "olga", "--role", "admin", "--password-file", password_file)
    assert "no identity provider" in passer("users", "connect", "olga", "248289761001").err
    monkeypatch.setenv("PASSER_OIDC_ISSUER", "https://sso.example.org")
    assert passer("users", "connect", "olga", "248289761001").status == 0
    [connected] = passer("users", "identities", "olga", "--json").json["identities"]
    assert (connected["issuer"], connected["subject"]) == ("https://sso.example.org", "248289761001")
    assert "248289761001" in passer("users", "identities", "olga").out
    assert passer("users", "disconnect", "olga", connected["id"]).status == 0
    assert passer("users", "identities", "olga", "--json").json["identities"] == []
    assert passer("users", "disconnect", "olga", connected["id"]).status == 2
    assert passer("users", "remove", "olga").status == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["remove", "nobody"], "There is no account nobody"),
        (["change", "nobody", "--role", "admin"], "There is no account nobody"),
        (["change", "nobody"], "Nothing would change"),
        (["recover", "nobody"], "There is no account nobody"),
        (["add", "Мария", "--password-file", "none"], "lowercase Latin letters"),
        (["add", "maria", "--password-file", "/nowhere"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_one_sentence(passer, arguments, says):
    done = passer("users", *arguments)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert says.lower() in done.err.lower()


def test_a_server_for_other_machines_does_not_start_without_an_account(tmp_path):
    # In a process of its own: a server configures the logging of its process.
    surroundings = {**os.environ, "PASSER_HOME": str(tmp_path), "PASSER_OLLAMA_URL": "http://127.0.0.1:9"}
    done = ran("serve", "--insecure-listen", environment=surroundings)
    assert done.returncode == 2, done.stderr
    assert "passer users add" in done.stderr
    assert "PaSSER runs at" not in done.stderr


def test_a_server_says_what_to_do_where_its_port_is_in_use(tmp_path):
    surroundings = {**os.environ, "PASSER_HOME": str(tmp_path), "PASSER_OLLAMA_URL": "http://127.0.0.1:9"}
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = ran("serve", "--port", str(other.getsockname()[1]), environment=surroundings)
    assert done.returncode == 2, done.stderr
    assert "Address already in use" in done.stderr
    assert "choose another one with --port" in done.stderr
    assert "PaSSER runs at" not in done.stderr
