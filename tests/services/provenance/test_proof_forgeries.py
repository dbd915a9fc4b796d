"""Proofs of checkpoints and time stamps inside bundles and studies: what somebody would change in them is found.

Both verifiers read each file. The forger makes the digests in entry.json fit; docs/audit.md has the table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from passer.adapters.time_stamps import certificates_of, stamp_check
from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.verification import Verification
from passer.domain.bundle.zip_form import CHECKPOINT_STAMP, KEY, PROOF, PROOFS, STAMP
from passer.domain.canonical import read_canonical
from passer.domain.ledger.checkpoint import ConsistencyProof, InclusionProof, continues, inclusion_of, opened_checkpoint
from passer.domain.ledger.signed_note import NoteKey, NoteSignature, signed_note
from passer.domain.ledger.tlog import consistency_proof
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.verifier import Verifier
from tests.authority import Authority, with_status
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import MadeRun, members_of, rebuilt
from tests.domain.test_signed_notes import KEY as LOG_KEY
from tests.domain.test_signed_notes import LOG
from tests.logged import leaves_of, logged_row, subtrees
from tests.proofs import authority, forged_proofs, moved, stamp, with_members, with_proofs

Members = dict[str, bytes]
ROW = 8
"""Row of the run: its five questions are 3 to 7."""


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return with_proofs(MadeRun(questions=5).bundle("local"), row=ROW)


def verified(file: bytes, *, roots: Authority | None = None, key: NoteKey | None = None) -> Verification:
    check = None if roots is None else stamp_check(certificates_of((roots.folder / "ca.pem").read_bytes(), name="ca"))
    expectation = Expectation(key=key)
    return Verifier(BundleVerifier(recorded_actions, expectation=expectation, check_stamp=check)).verify(file)


def outcomes(found: Verification) -> dict[str, str]:
    return {step.name: step.outcome for step in found.steps if step.name in ("checkpoint", "stamps", "expected")}


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


FORK = {"more": 9, "other": "1" * 64}
"""Another history of the ledger: the rows of others are other rows."""


def with_proof(file: bytes, proof: InclusionProof, key: NoteKey = LOG_KEY) -> bytes:
    made = {PROOF: proof.text.encode(), KEY: f"{key.text}\n".encode()}
    return forged_proofs(lambda proofs: (proofs.clear(), proofs.update(made)))(file)


def in_a_fork(file: bytes) -> bytes:
    return with_proof(file, logged_row(file, row=ROW, **FORK).proof)


def of_another_key(file: bytes) -> bytes:
    """The file with key and checkpoint of a ledger that somebody made for the purpose."""
    own = Ed25519PrivateKey.from_private_bytes(b"\x09" * 32)
    key = NoteKey(LOG, own.public_key().public_bytes_raw())

    def sign(text: str) -> str:
        return signed_note(text, [NoteSignature(key.name, key.id, own.sign(text.encode()))])

    return with_proof(file, logged_row(file, row=ROW, sign=sign).proof, key)


def by_another_authority(file: bytes) -> bytes:
    """The time stamp of an authority that somebody made for the purpose."""
    stamped = stamp(members_of(file)["manifest.json"], authority("rsa"))
    return forged_proofs(lambda proofs: proofs.update({STAMP: stamped}))(file)


HIDDEN: dict[str, tuple[None, Callable[[bytes], bytes]]] = {
    "a key and a checkpoint of a ledger that somebody made for the purpose": (None, of_another_key),
    "a time stamp of an authority that somebody made for the purpose": (None, by_another_authority),
    "a checkpoint of another history of the ledger, signed by its key": (None, in_a_fork),
    "proofs taken out, and their digests in entry.json": (None, forged_proofs(lambda proofs: proofs.clear())),
}
"""Forgeries of proofs that a file alone does not show."""
SENTENCES = {
    "the checkpoint signed by nobody": "The signature of example.com/log does not match the note",
    "a hash of the proof changed": "It does not show that row 8 is in the ledger.",
    "the time of a time stamp set back": "Its signature does not match: it was changed.",
    "the signature of a time stamp changed": "Its signature does not match: it was changed.",
    "the time stamp of another file": "It is of something else.",
    "another certificate in a time stamp": "The certificate of its signer is missing, or is another one than it names.",
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
def test_what_no_verifier_finds_without_the_auditor_s_own_knowledge(bundle: bytes, tmp_path: Path):
    files = {name: forge(bundle) for name, (_, forge) in HIDDEN.items()}
    for (name, file), found in zip(files.items(), by_the_browser([*files.values()], tmp_path), strict=True):
        assert file != bundle
        assert found is not None
        assert found["steps"] == [step_of(step) for step in verified(file).steps], name
        assert verified(file).verdict == "verified", name
    of_a_key, of_an_authority, of_a_fork, without = files.values()
    # The key and the certificate that an auditor has from elsewhere show the first two.
    assert outcomes(verified(of_a_key, key=LOG_KEY))["expected"] == "fail"
    assert outcomes(verified(of_an_authority, roots=authority()))["stamps"] == "fail"
    assert verified(without, key=LOG_KEY, roots=authority()).unconfirmed == ("expected", "stamps")
    # A fork has the right key, but its operator cannot prove that it continues the checkpoint that others have.
    assert outcomes(verified(of_a_fork, key=LOG_KEY))["expected"] == "pass"
    seen = opened_checkpoint(inclusion_of(members_of(bundle)[PROOF].decode()).checkpoint, LOG_KEY)
    shown = inclusion_of(members_of(of_a_fork)[PROOF].decode()).checkpoint
    for leaves, is_continued in ((leaves_of(bundle, **FORK), False), (leaves_of(bundle, more=9), True)):
        proof = tuple(consistency_proof(seen.size, len(leaves), subtrees(leaves)))
        note = shown if not is_continued else logged_row(bundle, row=ROW, more=9).proof.checkpoint
        assert (continues(ConsistencyProof(seen.size, proof, note), seen, LOG_KEY) is not None) is is_continued


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
