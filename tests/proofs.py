"""Bundles and studies with the proof of a signed checkpoint and with time stamps, and a forger who changes them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from passer.adapters.time_stamps import certificates_of, stamp_check
from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.verification import Verification
from passer.domain.bundle.zip_form import CHECKPOINT_STAMP, KEY, PROOF, PROOFS, STAMP
from passer.domain.canonical import read_canonical
from passer.domain.ledger.checkpoint import InclusionProof
from passer.domain.ledger.signed_note import NoteKey
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.verifier import Verifier
from tests.authority import Authority, openssl
from tests.bundles import members_of, rebuilt
from tests.domain.test_signed_notes import KEY as LOG_KEY
from tests.logged import logged_row

Members = dict[str, bytes]
ROW = 8
"""Row of a run of five questions, which are rows 3 to 7."""
FIRST = ("manifest.json", "study.json")


@cache
def authority(kind: str = "ec") -> Authority:
    """A time stamp authority for all tests of this process."""
    return Authority(Path(mkdtemp()) / kind, kind=kind)


def stamp(content: bytes, by: Authority | None = None) -> bytes:
    """The reply of an authority about a content, asked by `openssl ts` itself."""
    made = by or authority()
    (made.folder / "content").write_bytes(content)
    done = openssl(made.folder, "ts", "-query", "-data", "content", "-sha256", "-cert", "-out", "asked")
    assert done.returncode == 0, done.stderr
    return made.reply((made.folder / "asked").read_bytes())


def with_proofs(file: bytes, *, row: int, by: Authority | None = None) -> bytes:
    """A recorded bundle or study with everything that others can sign: `row` is the number of its own row."""
    members = members_of(file)
    proof = logged_row(file, row=row, more=5).proof
    subject = next(iter(members))
    return with_members(
        members,
        {
            KEY: f"{LOG_KEY.text}\n".encode(),
            PROOF: proof.text.encode(),
            CHECKPOINT_STAMP: stamp(proof.checkpoint.encode(), by),
            STAMP: stamp(members[subject], by),
        },
    )


def with_members(members: Members, proofs: Members) -> bytes:
    """The file with these proofs, whose digests entry.json states."""
    stated = {name: hashlib.sha256(content).hexdigest() for name, content in proofs.items()}
    entry = {name: value for name, value in read_canonical(members["entry.json"]).items() if name != "proofs"}
    changed = canonical_json(entry | ({"proofs": stated} if stated else {}))
    kept = {name: content for name, content in members.items() if name not in PROOFS} | {"entry.json": changed}
    runs = {name: content for name, content in kept.items() if name.startswith("runs/")}
    first = {name: content for name, content in kept.items() if name not in runs}
    return rebuilt(first | {name: proofs[name] for name in PROOFS if name in proofs} | runs)


def forged_proofs(change: Callable[[Members], object]) -> Callable[[bytes], bytes]:
    """The proofs changed, and the digests in entry.json made to fit."""

    def forge(file: bytes) -> bytes:
        members = members_of(file)
        proofs = {name: members[name] for name in PROOFS if name in members}
        change(proofs)
        return with_members(members, proofs)

    return forge


def moved(proof: bytes, by: int) -> bytes:
    """The proof of another row with the same hashes."""
    from passer.domain.ledger.checkpoint import inclusion_of

    held = inclusion_of(proof.decode())
    return InclusionProof(held.index + by, held.hashes, held.checkpoint).text.encode()


def verified(file: bytes, *, roots: Authority | None = None, key: NoteKey | None = None) -> Verification:
    check = None if roots is None else stamp_check(certificates_of((roots.folder / "ca.pem").read_bytes(), name="ca"))
    expectation = Expectation(key=key)
    return Verifier(BundleVerifier(recorded_actions, expectation=expectation, check_stamp=check)).verify(file)


def outcomes(found: Verification) -> dict[str, str]:
    return {step.name: step.outcome for step in found.steps if step.name in ("checkpoint", "stamps", "expected")}
