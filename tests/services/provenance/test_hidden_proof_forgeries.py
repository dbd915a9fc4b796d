"""Forgeries of proofs that a file alone does not show; what an auditor knows from elsewhere shows most of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from passer.domain.bundle.merkle import consistency_proof
from passer.domain.bundle.zip_form import KEY, PROOF, STAMP
from passer.domain.ledger.checkpoint import ConsistencyProof, InclusionProof, continues, inclusion_of, opened_checkpoint
from passer.domain.ledger.signed_note import NoteKey, NoteSignature, signed_note
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import MadeRun, members_of
from tests.domain.test_signed_notes import KEY as LOG_KEY
from tests.domain.test_signed_notes import LOG
from tests.logged import leaves_of, logged_row, subtrees
from tests.proofs import ROW, authority, forged_proofs, outcomes, stamp, verified, with_proofs

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


@needs_node
def test_what_no_verifier_finds_without_the_auditor_s_own_knowledge(tmp_path: Path):
    bundle = with_proofs(MadeRun(questions=5).bundle("local"), row=ROW)
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
