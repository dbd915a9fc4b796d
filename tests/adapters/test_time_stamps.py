"""Time stamps by a real authority, `openssl ts`, behind a local address; openssl also checks them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from passer.adapters.time_stamps import TimeStamp, certificates_of, stamped, time_stamp
from passer.cli import app
from passer.errors import InputError, UnavailableError
from tests.authority import Authority, openssl, serving, with_status


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[Authority]:
    with serving(tmp_path / "authority") as made:
        yield made


def test_a_file_is_stamped_and_checked_here_and_by_openssl(authority, tmp_path):
    study = tmp_path / "study.zip"
    study.write_bytes(b"a study")
    run = CliRunner().invoke(app, ["ledger", "stamp", str(study), "--authority", authority.url])
    assert run.exit_code == 0, run.output
    stamp, roots = tmp_path / "study.zip.tsr", authority.folder / "ca.pem"
    shown = CliRunner().invoke(app, ["ledger", "stamped", str(study), str(stamp), "--roots", str(roots)])
    assert shown.exit_code == 0
    assert "existed at 20" in shown.output
    assert "CN=Test authority" in shown.output
    by_hand = openssl(tmp_path, "ts", "-verify", "-in", str(stamp), "-data", str(study), "-CAfile", str(roots))
    assert "Verification: OK" in by_hand.stdout + by_hand.stderr
    study.write_bytes(b"another study")
    changed = CliRunner().invoke(app, ["ledger", "stamped", str(study), str(stamp), "--roots", str(roots)])
    assert changed.exit_code == 1
    assert "FAIL" in changed.output


def test_a_stamp_granted_with_modifications_is_one_as_for_openssl(authority, tmp_path, monkeypatch):
    reply = authority.reply
    monkeypatch.setattr(authority, "reply", lambda query: with_status(reply(query), 1))
    (tmp_path / "study").write_bytes(b"a study")
    (tmp_path / "stamp").write_bytes(stamped(b"a study", authority.url))
    roots = certificates_of((authority.folder / "ca.pem").read_bytes(), name="ca.pem")
    for status, is_one in {0: True, 1: True, 2: False}.items():
        changed = with_status((tmp_path / "stamp").read_bytes(), status)
        (tmp_path / "changed").write_bytes(changed)
        roots_of = str(authority.folder / "ca.pem")
        by_hand = openssl(tmp_path, "ts", "-verify", "-in", "changed", "-data", "study", "-CAfile", roots_of)
        assert ("Verification: OK" in by_hand.stdout + by_hand.stderr) is is_one
        assert isinstance(time_stamp(changed, b"a study", roots, name="stamp"), TimeStamp) is is_one


def test_what_proves_nothing_is_refused_with_its_reason(authority, tmp_path):
    reply = stamped(b"a checkpoint", authority.url)
    own = certificates_of((authority.folder / "ca.pem").read_bytes(), name="ca.pem")
    foreign = Authority(tmp_path / "foreign")
    others = certificates_of((foreign.folder / "ca.pem").read_bytes(), name="ca.pem")
    assert "certificate" in str(time_stamp(reply, b"a checkpoint", others, name="a.tsr"))
    said = time_stamp(reply, b"a checkpoint", own, name="a.tsr")
    assert isinstance(said, TimeStamp)
    for place in range(len(reply)):
        changed = reply[:place] + bytes([reply[place] ^ 1]) + reply[place + 1 :]
        with suppress(InputError):
            found = time_stamp(changed, b"a checkpoint", own, name="a.tsr")
            # Versions and names of algorithms beside the signature are not signed, and change nothing that is said.
            assert isinstance(found, str) or found == said, place
    with pytest.raises(InputError, match="cannot be read as a time stamp"):
        time_stamp(b"no DER", b"a checkpoint", own, name="a.tsr")
    with pytest.raises(InputError, match="no certificate"):
        certificates_of(b"nothing", name="roots.pem")


def test_an_authority_that_stamps_something_else_or_fails_is_told(authority):
    with pytest.raises(InputError, match="empty"):
        stamped(b"", authority.url)
    first: list[bytes] = []

    def replayed(query: bytes) -> bytes:
        first.append(query)
        return first[0]

    authority.change = replayed
    stamped(b"one", authority.url)
    with pytest.raises(InputError, match="other data than requested"):
        stamped(b"two", authority.url)
    with pytest.raises(InputError, match="other data than requested"):  # the same content, but an old reply
        stamped(b"one", authority.url)
    authority.change = lambda query: query[:-4]
    with pytest.raises(InputError, match="refused to stamp"):
        stamped(b"one", authority.url)
    authority.status = 503
    with pytest.raises(UnavailableError, match="503"):
        stamped(b"one", authority.url)
    with pytest.raises(UnavailableError, match="no time stamp"):
        stamped(b"one", "http://127.0.0.1:9/")


def test_an_authority_that_sends_without_end_or_a_byte_now_and_then_is_given_up(authority, monkeypatch):
    monkeypatch.setattr("passer.adapters.time_stamps._MOST_BYTES", 100)
    with pytest.raises(InputError, match="is too long for a time stamp"):
        stamped(b"one", authority.url)
    monkeypatch.undo()
    # Two seconds in all, and never a second of silence.
    authority.pause_s = 0.1
    stamped(b"one", authority.url)
    monkeypatch.setattr("passer.adapters.time_stamps._WITHIN_S", 1.0)
    with pytest.raises(UnavailableError, match="more than 1 s"):
        stamped(b"one", authority.url)


def test_without_an_authority_the_command_says_what_to_set(tmp_path, monkeypatch):
    monkeypatch.setenv("PASSER_HOME", str(tmp_path / "home"))
    (tmp_path / "a").write_text("a")
    run = CliRunner().invoke(app, ["ledger", "stamp", str(tmp_path / "a")])
    assert "passer settings set timestamp_url" in str(run.exception)
