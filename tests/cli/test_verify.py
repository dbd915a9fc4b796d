"""`passer verify` as a separate process, and the audit by hand with public tools."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from passer.domain.ledger.checkpoint import opened_checkpoint
from passer.domain.ledger.signed_note import NoteKey
from tests.authority import Authority, openssl
from tests.bundles import MadeRun, Recorded
from tests.conftest import ROOT
from tests.forked import ran
from tests.logged import logged_row
from tests.studies import PUBLICATION, PublishedSweep

TOOLS = ("bash", "unzip", "sha256sum", "jq", "od", "base64", "openssl")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "bundle.zip"
    path.write_bytes(MadeRun(questions=13).bundle("local"))
    return path


def other_query(folder: Path) -> bytes:
    """A request to stamp another file."""
    (folder / "other").write_text("another checkpoint", encoding="utf-8")
    openssl(folder, "ts", "-query", "-data", "other", "-sha256", "-cert", "-out", "query")
    return (folder / "query").read_bytes()


def passer(*arguments: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    """In a folder that cannot be written and without any setting."""
    return ran(*arguments, environment={"PASSER_HOME": "/dev/null/nowhere", "HOME": "/dev/null"}, folder=home)


def test_a_whole_bundle_is_verified_with_nothing_set_up(bundle: Path, tmp_path: Path):
    done = passer("verify", bundle, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "FAIL" not in done.stdout
    # One reason for all checks that need a blockchain, and not once for each of them.
    assert done.stdout.count("recorded in a local ledger, not on a blockchain") == 1
    assert "Each transaction is signed by its creator" in done.stdout
    assert "verified: run 0123456789ab-000, 13 questions" in done.stdout
    assert not list(tmp_path.iterdir())


def test_a_changed_bundle_is_not_and_says_where(bundle: Path, tmp_path: Path):
    changed = tmp_path / "changed.zip"
    changed.write_bytes(bundle.read_bytes().replace(b"q-0009", b"q-0x09", 1))
    done = passer("verify", changed, "--json", home=tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, found["verdict"]) == (1, "not verified")
    assert {(step["number"], step["question"]) for step in found["steps"] if step["name"] == "root"} == {(9, "q-0009")}
    shown = passer("verify", changed, home=tmp_path)
    assert shown.returncode == 1
    assert "in questions.jsonl question q-0009" in shown.stdout
    assert "not verified: run 0123456789ab-000" in shown.stdout


def test_an_id_cannot_steer_the_terminal(bundle: Path, tmp_path: Path):
    changed = tmp_path / "changed.zip"
    changed.write_bytes(
        bundle.read_bytes().replace(b"q-0009,", b"\x1b[2J\x07q,").replace(b'"q-0009"', b'"\x1b[2J\x07q"')
    )
    done = passer("verify", changed, home=tmp_path)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("content", [None, b"", b"no zip"])
def test_what_is_no_bundle_could_not_be_checked(content: bytes | None, tmp_path: Path):
    path = tmp_path / "bundle.zip"
    if content is not None:
        path.write_bytes(content)
    for given in (path, tmp_path):
        done = passer("verify", given, home=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(
            r"passer: .* Choose the \.zip that `passer bundle` or `passer publish` wrote\.\n", done.stderr
        )


def test_verifying_loads_neither_settings_nor_a_database_nor_the_network(bundle: Path):
    code = (
        "import sys\nfrom passer.cli import app\n"
        f"app(['verify', {str(bundle)!r}], standalone_mode=False)\n"
        "print([n for n in ('pydantic_settings', 'sqlalchemy', 'httpx', 'torch', 'chromadb', 'fastapi', 'nltk')"
        " if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr.splitlines()[-1] == "[]"


def blocks(*kinds: str) -> list[str]:
    """The commands of docs/audit.md that every reader runs, and those of these kinds, in order."""
    page = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
    return [code for kind, code in re.findall(r"```sh *(\w*)\n(.*?)```", page, re.DOTALL) if kind in ("", *kinds)]


def by_hand(commands: list[str], folder: Path) -> list[list[str]]:
    """What each block prints, by lines; all are run by one shell."""
    script = "set -euo pipefail\n" + "echo ---\n".join(commands)
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [block.split("\n")[:-1] for block in done.stdout.split("---\n")]


@pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed")
@pytest.mark.parametrize("recorded", ["local", "chain"])
def test_the_audit_by_hand_does_what_it_says(recorded: Recorded, tmp_path: Path):
    (tmp_path / "bundle.zip").write_bytes(MadeRun(questions=13, odd_numbers=False).bundle(recorded))
    commands = blocks(recorded)
    assert len(commands) == 9
    said = by_hand(commands, tmp_path)
    manifest = json.loads((tmp_path / "run/manifest.json").read_text(encoding="utf-8"))
    assert said[0][:2] == ["13", "Score >= 0.25"]
    assert json.loads(said[1][0]) == manifest["unknown"]
    assert said[2][1] == "1"
    assert said[3] == [manifest["questions_root"]] * 2
    assert said[4][1] == "timings fit"
    assert said[5] == ["configuration fits"]
    counted = json.loads(said[6][1])
    assert counted == {name: json.loads(said[6][0])[name] for name in counted}
    assert float(said[6][2]) == pytest.approx(float(said[6][3]), rel=1e-12)
    assert said[7][:3] == ["the run is the recorded one", "so is the configuration", "so is the fourth question"]
    assert said[8][0] == said[8][1]
    assert recorded == "local" or said[8][2] == "1"


@pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed")
def test_the_audit_of_a_checkpoint_and_its_time_stamp_by_hand_does_what_it_says(tmp_path: Path):
    bundle = MadeRun(questions=13, odd_numbers=False).bundle("local")
    # Of 19 rows: two before those of the bundle, and three after them.
    logged = logged_row(bundle, row=16, more=3)
    checkpoint = logged.proof.checkpoint
    authority = Authority(tmp_path / "authority")
    files = {"bundle.zip": bundle, "proof.txt": logged.proof.text.encode(), "key.txt": f"{logged.key.text}\n".encode()}
    (tmp_path / "checkpoint.txt").write_text(checkpoint, encoding="utf-8")
    openssl(tmp_path, "ts", "-query", "-data", "checkpoint.txt", "-sha256", "-cert", "-out", "query")
    files |= {"checkpoint.txt.tsr": authority.reply((tmp_path / "query").read_bytes())}
    files |= {"authority.pem": (authority.folder / "ca.pem").read_bytes()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    commands = blocks("checkpoint", "stamp")
    assert len(commands) == 11
    *_, signature, path, stamp = by_hand(commands, tmp_path)
    assert signature == [
        *opened_checkpoint(checkpoint, logged.key).text.splitlines(),
        "Signature Verified Successfully",
    ]
    assert path[0] == "the proof is of this row"
    assert path[1] == path[2]
    assert path[1] == f"{opened_checkpoint(checkpoint, logged.key).root.hex()} 0"
    assert stamp[:2] == ["Verification: OK", "Hash Algorithm: sha256"]
    assert re.fullmatch(r"Time stamp: .* 20\d\d GMT", stamp[2])
    # Another row, another key and another file: each is found by the commands themselves.
    (tmp_path / "proof.txt").write_text(logged_row(bundle, row=15, more=3).proof.text, encoding="utf-8")
    [computed, root] = by_hand(commands[:-1], tmp_path)[-1]
    assert computed != root == path[2]
    (tmp_path / "proof.txt").write_bytes(files["proof.txt"])
    (tmp_path / "key.txt").write_text(NoteKey(logged.key.name, bytes(31) + b"\1").text, encoding="utf-8")
    with pytest.raises(AssertionError):
        by_hand(commands[:-2], tmp_path)
    (tmp_path / "key.txt").write_bytes(files["key.txt"])
    (tmp_path / "checkpoint.txt.tsr").write_bytes(authority.reply(other_query(tmp_path)))
    with pytest.raises(AssertionError):
        by_hand(commands, tmp_path)


@pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed")
def test_the_audit_of_a_study_by_hand_does_what_it_says(tmp_path: Path):
    publication = PUBLICATION.model_copy(update={"prompts": True})
    (tmp_path / "study.zip").write_bytes(PublishedSweep().publish(publication=publication))
    page = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
    commands = re.findall(r"```sh (?:study|prompts)\n(.*?)```", page, re.DOTALL)
    opened, sent = by_hand(commands, tmp_path)
    fits, *runs, one, two, three, digest, recorded = opened
    assert fits == "table fits"
    assert [run.split("\t")[1:] for run in runs] == [["finished", one], ["finished", two], ["finished", three]]
    assert digest == recorded
    assert sent[0] == "the prompts are those of the records"
    found = passer("verify", "study.zip", home=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "verified: study of sweep" in found.stdout
    # 24 questions and a margin of .02: see tests.studies.
    assert "conclusion     These questions cannot tell whether a configuration is better than" in found.stdout
    assert (
        "design         3 configurations, 24 questions; primary metric CPS, margin 0.02, alpha 0.05\n" in found.stdout
    )
    assert "dataset        farm\n" in found.stdout
    assert re.search(r"dates          planned 20\S+Z, finished 20\S+Z, as the publisher states", found.stdout)
    assert "3 of 3 runs, 72 records" in found.stdout
    assert digest in found.stdout.splitlines()[-1]
