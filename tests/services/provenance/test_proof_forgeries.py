"""Proofs of checkpoints and time stamps inside bundles and studies: what somebody would change in them is found.

Both verifiers read each file. The forger makes the digests in entry.json fit; docs/audit.md has the table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from passer.domain.base import canonical_json
from passer.domain.bundle.zip_form import CHECKPOINT_STAMP, KEY, PROOF, PROOFS, STAMP
from passer.domain.canonical import read_canonical
from passer.domain.ledger.signed_note import NoteKey
from tests.authority import with_status
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import MadeRun, members_of, rebuilt
from tests.domain.test_signed_notes import KEY as LOG_KEY
from tests.domain.test_signed_notes import LOG
from tests.proofs import ROW, authority, forged_proofs, moved, outcomes, stamp, verified, with_members, with_proofs

Members = dict[str, bytes]


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return with_proofs(MadeRun(questions=5).bundle("local"), row=ROW)


def replaced(name: str, change: Callable[[bytes], bytes]) -> Callable[[Members], object]:
    return lambda proofs: proofs.update({name: change(proofs[name])})


def in_text(name: str, old: bytes, new: bytes) -> Callable[[Members], object]:
    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return replaced(name, change)


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def at_time(content: bytes) -> bytes:
    """The year of the time stamp set back."""
    place = content.index(b"Z\x02", content.index(b"\x18\x0f")) - 14
    return content[:place] + b"2020" + content[place + 4 :]


def grown(content: bytes) -> bytes:
    """The number of rows in the checkpoint doubled."""
    proof, _, note = content.partition(b"\n\n")
    name, rows, rest = note.split(b"\n", 2)
    return proof + b"\n\n" + b"\n".join((name, str(2 * int(rows)).encode(), rest))


def signature_cut(content: bytes) -> bytes:
    head, _, line = content.rstrip(b"\n").rpartition(b" ")
    return head + b" " + line[:-8] + b"AAAAAA==" + b"\n"


PROOF_FORGERIES: dict[str, tuple[str, Callable[[Members], object]]] = {
    "the proof of another row": ("checkpoint", replaced(PROOF, lambda proof: moved(proof, -1))),
    "a hash of the proof changed": (
        "checkpoint",
        replaced(PROOF, lambda p: p.replace(p.split(b"\n")[2], b"A" * 43 + b"=", 1)),
    ),
    "a larger ledger in the checkpoint": ("checkpoint", replaced(PROOF, grown)),
    "the checkpoint signed by nobody": ("checkpoint", replaced(PROOF, signature_cut)),
    "another key of the ledger": (
        "checkpoint",
        lambda proofs: proofs.update({KEY: NoteKey(LOG, b"\x07" * 32).text.encode() + b"\n"}),
    ),
    "the ledger's name changed": ("checkpoint", in_text(PROOF, LOG.encode(), b"another.example/log")),
    "the key of the ledger taken out": ("checkpoint", lambda proofs: proofs.pop(KEY)),
    "the proof taken out, its stamp kept": ("checkpoint", lambda proofs: proofs.pop(PROOF)),
    "the time of a time stamp set back": ("stamps", replaced(STAMP, at_time)),
    "the time of the checkpoint's stamp set back": ("stamps", replaced(CHECKPOINT_STAMP, at_time)),
    "the time stamp of another file": ("stamps", lambda proofs: proofs.update({STAMP: stamp(b"another file")})),
    "the stamps of file and checkpoint swapped": (
        "stamps",
        lambda p: p.update({STAMP: p[CHECKPOINT_STAMP], CHECKPOINT_STAMP: p[STAMP]}),
    ),
    "another certificate in a time stamp": ("stamps", in_text(STAMP, b"Test authority", b"Real authority")),
    "the signature of a time stamp changed": (
        "stamps",
        replaced(STAMP, lambda content: flipped(content, len(content) - 1)),
    ),
    "a request in place of a time stamp": ("stamps", lambda p: p.update({STAMP: p[STAMP][9:]})),
}
"""Forgery of a proof: the step that names it."""


SENTENCES = {
    "the checkpoint signed by nobody": "The signature of example.com/log does not match the note",
    "a hash of the proof changed": "It does not show that row 8 is in the ledger.",
    "the time of a time stamp set back": "Its signature does not match: it was changed.",
    "the signature of a time stamp changed": "Its signature does not match: it was changed.",
    "the time stamp of another file": "It is of something else.",
    "another certificate in a time stamp": "The certificate of its signer is missing, or is not the one that it names.",
}
"""How some of them fail, so that each finding is of its own check."""
UNLISTED: dict[str, str] = {KEY: "checkpoint", PROOF: "checkpoint", CHECKPOINT_STAMP: "stamps", STAMP: "stamps"}


def test_the_honest_bundle_says_what_is_proven(bundle: bytes):
    found = verified(bundle)
    assert (found.verdict, outcomes(found)["checkpoint"], outcomes(found)["stamps"]) == (
        "verified",
        "pass",
        "not_checked",
    )
    said = {step.name: step.detail for step in found.steps}
    assert f"Row 8 is in the ledger {LOG} at its checkpoint of 13 rows" in said["checkpoint"]
    assert LOG_KEY.text in said["checkpoint"]
    assert "manifest.json existed at" in said["stamps"]
    assert "says Test authority" in said["stamps"]


def test_an_auditor_s_key_and_roots_confirm_or_refuse(bundle: bytes):
    found = verified(bundle, roots=authority(), key=LOG_KEY)
    assert (outcomes(found), found.unconfirmed) == (dict.fromkeys(("checkpoint", "stamps", "expected"), "pass"), ())
    other = verified(bundle, roots=authority("rsa"), key=NoteKey(LOG, b"\x07" * 32))
    assert (outcomes(other)["stamps"], outcomes(other)["expected"]) == ("fail", "fail")
    nothing = verified(MadeRun(questions=5).bundle("local"), roots=authority(), key=LOG_KEY)
    assert nothing.unconfirmed == ("expected", "stamps")


@needs_node
@pytest.mark.parametrize("kind", ["ec", "rsa"])
def test_both_verifiers_check_signatures_of_both_kinds(kind: str, tmp_path: Path):
    by = authority(kind)
    honest = with_proofs(MadeRun(questions=5).bundle("local"), row=ROW, by=by)
    forged = [forged_proofs(PROOF_FORGERIES[name][1])(honest) for name in (
        "the signature of a time stamp changed", "the time of a time stamp set back")]  # fmt: skip
    unrecorded = MadeRun(questions=5).bundle("nowhere")
    only_stamp = with_members(members_of(unrecorded), {STAMP: stamp(members_of(unrecorded)["manifest.json"], by)})
    files = [honest, *forged, only_stamp]
    for file, found in zip(files, by_the_browser(files, tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(step) for step in verified(file).steps]
    assert [verified(file).verdict for file in files] == ["verified", "not verified", "not verified", "verified"]
    assert outcomes(verified(only_stamp, roots=by))["stamps"] == "pass"


@needs_node
def test_both_verifiers_take_a_grant_with_modifications_and_no_refusal(bundle: bytes, tmp_path: Path):
    modified = forged_proofs(replaced(STAMP, lambda reply: with_status(reply, 1)))(bundle)
    states = [forged_proofs(replaced(STAMP, lambda reply, to=to: with_status(reply, to)))(bundle) for to in (2, 5, 255)]
    # What a real authority answers to half a query: a status, and no time stamp.
    refused = forged_proofs(lambda proofs: proofs.update({STAMP: authority().reply(b"0")}))(bundle)
    files = [modified, *states, refused]
    for file, found in zip(files, by_the_browser(files, tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(step) for step in verified(file).steps]
    same = {step.name: step for step in verified(bundle).steps}
    assert {step.name: step for step in verified(modified).steps}["stamps"] == same["stamps"]
    assert outcomes(verified(modified, roots=authority()))["stamps"] == "pass"
    for file in (*states, refused):
        said = {step.name: step.detail for step in verified(file).failed}
        assert said == {"stamps": "The authority did not grant it."}


@pytest.mark.parametrize("name", PROOF_FORGERIES)
def test_each_forgery_is_found_by_its_check(bundle: bytes, name: str):
    step, change = PROOF_FORGERIES[name]
    file = forged_proofs(change)(bundle)
    assert file != bundle
    failed = {each.name: each.detail for each in verified(file).failed}
    assert step in failed
    assert SENTENCES.get(name, "") in failed[step]


@needs_node
def test_a_forged_stamp_does_not_hide_behind_one_of_an_unknown_kind(bundle: bytes, tmp_path: Path):
    """The digest of the checkpoint's signer is named SHA-224, which no verifier here reads; RFC 5754, 2.1."""

    def unknown(proofs: Members) -> None:
        content = proofs[CHECKPOINT_STAMP]
        # The last one is that of the signer: before it are those of the imprint and of the signed data.
        place = content.rindex(bytes.fromhex("0609608648016503040201"))
        proofs[CHECKPOINT_STAMP] = content[: place + 10] + b"\x04" + content[place + 11 :]

    alone = forged_proofs(unknown)(bundle)
    hidden = forged_proofs(PROOF_FORGERIES["the time of a time stamp set back"][1])(alone)
    files = [alone, hidden]
    for file, found in zip(files, by_the_browser(files, tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(step) for step in verified(file).steps]
    said = {step.name: step for step in verified(alone).steps}["stamps"]
    assert (said.outcome, "not known here" in (said.detail or ""), "manifest.json existed" in (said.detail or "")) == (
        "not_checked", True, True
    )  # fmt: skip
    assert (outcomes(verified(hidden))["stamps"], verified(hidden).verdict) == ("fail", "not verified")


def test_a_study_with_proofs_is_checked_like_a_bundle(study: bytes):
    row = read_canonical(members_of(study)["entry.json"])["run"]["place"]["sequence"]
    honest = with_proofs(study, row=row)
    assert outcomes(verified(honest, roots=authority())) == {
        "checkpoint": "pass", "stamps": "pass", "expected": "not_checked"}  # fmt: skip
    for name, (step, change) in PROOF_FORGERIES.items():
        assert step in [each.name for each in verified(forged_proofs(change)(honest)).failed], name


@needs_node
def test_both_verifiers_agree_about_a_study_with_proofs(study: bytes, tmp_path: Path):
    row = read_canonical(members_of(study)["entry.json"])["run"]["place"]["sequence"]
    honest = with_proofs(study, row=row)
    members = members_of(honest)
    out_of_order = rebuilt({name: members[name] for name in [*(n for n in members if n != KEY), KEY]})
    files = [honest, out_of_order, forged_proofs(PROOF_FORGERIES["the time of a time stamp set back"][1])(honest)]
    for file, found in zip(files, by_the_browser(files, tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(step) for step in verified(file).steps]
    assert [verified(file).verdict for file in files] == ["verified", "not verified", "not verified"]


@needs_node
def test_the_page_s_verifier_finds_the_same(bundle: bytes, tmp_path: Path):
    files = [forged_proofs(change)(bundle) for _, change in PROOF_FORGERIES.values()]
    for name, file, found in zip(PROOF_FORGERIES, files, by_the_browser(files, tmp_path), strict=True):
        assert found is not None
        assert found["steps"] == [step_of(step) for step in verified(file).steps], name


@needs_node
def test_a_proof_taken_out_or_changed_without_its_digest_is_found(bundle: bytes, tmp_path: Path):
    """Every byte counts, also those that no signature covers: entry.json states the digest of each member."""
    members, dice = members_of(bundle), random.Random(5)
    changed = [
        rebuilt(members | {name: flipped(members[name], dice.randrange(len(members[name])))})
        for name in PROOFS
        for _ in range(15)
    ]
    dropped = [rebuilt({other: members[other] for other in members if other != name}) for name in PROOFS]
    entry = read_canonical(members["entry.json"])
    unstated = canonical_json({name: value for name, value in entry.items() if name != "proofs"})
    files = [*changed, *dropped, rebuilt(members | {"entry.json": unstated})]
    names = [*(name for name in PROOFS for _ in range(15)), *PROOFS, KEY]
    for name, file, found in zip(names, files, by_the_browser(files, tmp_path), strict=True):
        own = verified(file)
        assert UNLISTED[name] in [step.name for step in own.failed]
        assert found is not None
        assert found["steps"] == [step_of(step) for step in own.steps], name
