"""Signed notes, checkpoints and proofs against the published examples of C2SP and the definitions of RFC 6962."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.domain.bundle.merkle import (
    Hash,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    node_hash,
    root_of,
    tree_head,
)
from passer.domain.ledger.checkpoint import (
    Checkpoint,
    ConsistencyProof,
    InclusionProof,
    consistency_of,
    continues,
    included_at,
    inclusion_of,
    leaf_of,
    opened_checkpoint,
)
from passer.domain.ledger.signed_note import NoteKey, NoteSignature, key_of, parts_of, signed_note, verified_text
from passer.errors import InputError
from tests.domain.test_manifest_merkle import LEAVES as PUBLISHED
from tests.domain.test_manifest_merkle import ROOTS

GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""The example of golang.org/x/mod/sumdb/note, whose format C2SP specifies."""
LOG = "example.com/log"


def keys() -> tuple[NoteKey, object]:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return NoteKey(LOG, private.public_key().public_bytes_raw()), private


KEY, PRIVATE = keys()


def signed(text: str) -> str:
    return signed_note(text, [NoteSignature(KEY.name, KEY.id, PRIVATE.sign(text.encode()))])  # type: ignore[attr-defined]


def test_the_published_note_and_key():
    key = key_of(GO_KEY)
    assert key.text == GO_KEY
    assert verified_text(GO_NOTE, key) == GO_NOTE.rpartition("\n\n")[0] + "\n"
    with pytest.raises(InputError, match="does not match"):
        verified_text(GO_NOTE.replace("answer", "Answer"), key)


def test_signatures_of_others_are_ignored_and_two_of_one_key_are_refused():
    note = signed("text\n")
    line = note.splitlines()[-1]
    # A witness, a type that is not known (ML-DSA has 2,420 bytes), and the log's name with another id.
    others = [NoteSignature("w.example/1", b"abcd", bytes(2420)), NoteSignature(LOG, b"zzzz", bytes(64))]
    assert verified_text(note + "".join(f"{each.line}\n" for each in others), KEY) == "text\n"
    with pytest.raises(InputError, match="two signatures"):
        verified_text(f"{note}{line}\n", KEY)
    with pytest.raises(InputError, match="not signed by"):
        verified_text(signed_note("text\n", others), KEY)


@pytest.mark.parametrize(
    "note",
    ["", "text", "text\n\n", "text\n\n— a\n", "text\n\n— a b\n", "te\x07xt\n\n— a AAAAAAA=\n", "text\n\n- a AAAAAAA=\n",
     "text\n\n— a AAAAAAA=\n" + "— a AAAAAAA=\n" * 200],
)  # fmt: skip
def test_other_texts_are_no_notes(note: str):
    with pytest.raises(InputError):
        parts_of(note)


def test_a_checkpoint_has_three_lines_and_the_log_s_own_name():
    head = Checkpoint(LOG, 20852163, bytes.fromhex("ab" * 32))
    assert head.text == f"{LOG}\n20852163\n{base64.b64encode(bytes.fromhex('ab' * 32)).decode()}\n"
    assert opened_checkpoint(signed(head.text), KEY) == head
    assert opened_checkpoint(signed(f"{head.text}an extension\n"), KEY) == head
    for text in (f"other/log\n{head.text.partition(chr(10))[2]}", head.text.replace("2085", "02085"), f"{LOG}\n3\n"):
        with pytest.raises(InputError):
            opened_checkpoint(signed(text), KEY)


LEAVES = [leaf_hash(bytes([number])) for number in range(70)]


def split(count: int) -> int:
    power = 1
    while 2 * power < count:
        power *= 2
    return power


def mth(leaves: Sequence[Hash]) -> Hash:
    """The tree hash of RFC 6962, 2.1, by its definition."""
    k = split(len(leaves))
    return leaves[0] if len(leaves) == 1 else node_hash(mth(leaves[:k]), mth(leaves[k:]))


def path(m: int, leaves: Sequence[Hash]) -> list[Hash]:
    """The audit path of RFC 6962, 2.1.1, by its definition."""
    k = split(len(leaves))
    if len(leaves) == 1:
        return []
    return [*path(m, leaves[:k]), mth(leaves[k:])] if m < k else [*path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: Sequence[Hash], *, is_whole: bool) -> list[Hash]:
    """The consistency proof of RFC 6962, 2.1.2, by its definition."""
    if m == len(leaves):
        return [] if is_whole else [mth(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], is_whole=is_whole), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], is_whole=False), mth(leaves[:k])]


def subtree(level: int, index: int) -> Hash:
    return root_of(LEAVES[index << level : (index + 1) << level])


A, B, C, D, E, F, G, H = (
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
)
"""Hashes in the proofs that the Certificate Transparency project publishes for its eight known inputs."""


@pytest.mark.parametrize(
    ("index", "size", "proof"),
    [(0, 1, []), (0, 8, [A, B, C]), (5, 8, [D, E, F]), (2, 3, [G]), (1, 5, [ROOTS[0], B, D])],
)
def test_the_published_proofs_of_inclusion(index: int, size: int, proof: list[str]):
    assert [each.hex() for each in inclusion_proof(index, size, published_subtree)] == proof
    root = bytes.fromhex(ROOTS[size - 1])
    assert is_included(PUBLISHED[index], index, size, [bytes.fromhex(each) for each in proof], root)


@pytest.mark.parametrize(
    ("first", "second", "proof"), [(1, 1, []), (1, 8, [A, B, C]), (6, 8, [H, E, F]), (2, 5, [B, D])]
)
def test_the_published_proofs_of_consistency(first: int, second: int, proof: list[str]):
    assert [each.hex() for each in consistency_proof(first, second, published_subtree)] == proof
    roots = [bytes.fromhex(ROOTS[size - 1]) for size in (first, second)]
    assert is_consistent(first, roots[0], second, roots[1], [bytes.fromhex(each) for each in proof])


def published_subtree(level: int, index: int) -> Hash:
    return root_of(PUBLISHED[index << level : (index + 1) << level])


@given(st.integers(1, len(LEAVES)), st.data())
def test_proofs_are_those_of_the_definitions(size: int, data: st.DataObject):
    leaves, index = LEAVES[:size], data.draw(st.integers(0, size - 1))
    root = mth(leaves)
    assert tree_head(size, subtree) == root
    proof = inclusion_proof(index, size, subtree)
    assert proof == path(index, leaves)
    assert is_included(leaves[index], index, size, proof, root)
    assert not is_included(leaves[index], index, size, [*proof, root], root)
    assert not is_included(leaf_hash(b"other"), index, size, proof, root)
    others = (other for other in range(-1, size + 1) if other != index)
    assert not any(is_included(leaves[index], other, size, proof, root) for other in others)
    first = index + 1
    steps = consistency_proof(first, size, subtree)
    assert steps == subproof(first, leaves, is_whole=True)
    assert is_consistent(first, mth(leaves[:first]), size, root, steps)
    assert not is_consistent(first, leaf_hash(b"other"), size, root, steps)
    assert not is_consistent(first, mth(leaves[:first]), size, root, [*steps, root])
    assert first == size or not is_consistent(first, mth(leaves[:first]), size, leaf_hash(b"other"), steps)


def test_proofs_as_texts():
    digests = [f"{number:064x}" for number in range(5)]
    leaves = [leaf_of(digest) for digest in digests]
    checkpoint = signed(Checkpoint(LOG, 5, mth(leaves)).text)
    proof = InclusionProof(2, tuple(path(2, leaves)), checkpoint)
    assert proof.text.startswith("c2sp.org/tlog-proof@v1\nindex 2\n")
    assert inclusion_of(proof.text) == proof
    # The specification allows a line for the application.
    assert inclusion_of(proof.text.replace("index", "extra YWJj\nindex", 1)) == proof
    found = included_at(proof, digests[2], KEY)
    assert found is not None
    assert found.size == 5
    assert included_at(proof, digests[3], KEY) is None
    steps = ConsistencyProof(3, tuple(subproof(3, leaves, is_whole=True)), checkpoint)
    assert consistency_of(steps.text) == steps
    assert continues(steps, Checkpoint(LOG, 3, mth(leaves[:3])), KEY) == found
    assert continues(steps, Checkpoint(LOG, 3, mth(leaves[1:4])), KEY) is None
    assert continues(steps, Checkpoint(LOG, 2, mth(leaves[:2])), KEY) is None
    for text in ("", "old 3\n", proof.text.replace("index 2", "index 02"), steps.text.replace("=", "", 1)):
        with pytest.raises(InputError):
            inclusion_of(text)
        with pytest.raises(InputError):
            consistency_of(text)
