"""Files that were made to hurt get a verdict, not an exception."""

from __future__ import annotations

import io
import random
import re
import zipfile

import pytest

from passer.domain.base import canonical_json
from passer.errors import InputError
from tests.bundles import Recorded, members_of, rebuilt
from tests.services.provenance.bundle_verifier.checked import refused, value_of, verify


def with_member(bundle: bytes, name: str, content: bytes) -> bytes:
    return rebuilt(members_of(bundle) | {name: content})


DEEP = b'{"a":' * 100_000 + b"1" + b"}" * 100_000


@pytest.mark.parametrize("name", ["manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl"])
@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"\0", b"null", b"[]", b"{}", b"\xff\xfe", b'"', DEEP, b"[" * 100_000, b"1" * 100_000, b"{" * 65,
        b"\xef\xbb\xbf{}", b"\n" * 1000, b'{"a":NaN}', b'{"a":1,"a":1}', b"\r\n" * 10, b"1e999999", b'{"\\ud800":1}',
    ],
)  # fmt: skip
def test_any_content_of_any_member_gets_a_verdict(bundles: dict[Recorded, bytes], name: str, content: bytes):
    for recorded in ("nowhere", "chain"):
        found = verify(with_member(bundles[recorded], name, content))
        assert found.verdict == "not verified"


def test_a_random_value_at_any_place_of_a_document_gets_a_verdict(bundles: dict[Recorded, bytes]):
    """Of the right form or not: never a traceback, and whatever differs is found."""
    dice = random.Random(7)
    values = [None, True, -1, 0, 1.5, 1e300, 2**52, "", "x" * 300, "é😀", [], {}, [[]], {"a": 1}, "0" * 64, "a" * 12]
    for name in ("manifest.json", "entry.json"):
        members = members_of(bundles["chain"])
        for _ in range(40):
            document = value_of(members[name])
            at, key = _somewhere(document, dice)
            before, at[key] = at[key], dice.choice(values)
            if at[key] == before and type(at[key]) is type(before):
                continue
            assert refused(rebuilt(members | {name: canonical_json(document)}))


@pytest.mark.parametrize("number", ["9007199254740992", "10000000000000000", "1e+300"])
def test_a_number_that_no_double_holds_apart_gets_a_verdict(bundles: dict[Recorded, bytes], number: str):
    """Canonical as they stand, and integers beyond what has one form."""
    members = members_of(bundles["chain"])
    for name, field in (("entry.json", "block_number"), ("manifest.json", "asked")):
        content, found = re.subn(
            rb'("%b":)[0-9]+' % field.encode(), rb"\g<1>" + number.encode(), members[name], count=1
        )
        assert found == 1
        assert refused(rebuilt(members | {name: content}))


def _somewhere(document, dice: random.Random):
    at, key = document, dice.choice(list(document))
    while isinstance(at[key], dict | list) and at[key] and dice.random() < 0.8:
        at = at[key]
        key = dice.choice(list(at)) if isinstance(at, dict) else dice.randrange(len(at))
    return at, key


def test_structures_that_lie_get_a_verdict(bundles: dict[Recorded, bytes]):
    bundle = bundles["nowhere"]
    members = members_of(bundle)
    lies = [
        bundle + b"x",
        b"x" + bundle,
        bundle[:-1],
        bundle[: len(bundle) // 2],
        bundle + bundle,
        bundle[:30],
        b"PK\x03\x04",
        b"PK\x05\x06" + bytes(18),
        rebuilt(dict(reversed(members.items()))),
        rebuilt(members | {"more.txt": b"more"}),
        rebuilt({name: content for name, content in members.items() if name != "timings.jsonl"}),
        rebuilt({}),
        bundle[:18] + b"\xff\xff\xff\xff\xff\xff\xff\xff" + bundle[26:],
        bundle.replace(b"scores.csv", b"SCORES.CSV"),
    ]
    for lie in lies:
        found = verify(lie)
        assert found.verdict == "not verified"
        assert found.steps[0].outcome == "fail"


def test_a_zip_by_another_program_is_another_file(bundles: dict[Recorded, bytes]):
    """The same contents, compressed or with today's date, are not the one form; a bomb is never unpacked."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as written:
            for name, content in members_of(bundles["nowhere"]).items():
                written.writestr(name, content)
            written.writestr("bomb", bytes(10**7))
        assert verify(stream.getvalue()).steps[0].outcome == "fail"


@pytest.mark.parametrize("content", [b"", b"x", b"%PDF-1.7", b"PK", b"\x1f\x8b" + bytes(1000)])
def test_what_is_no_zip_at_all_could_not_be_checked(content: bytes):
    with pytest.raises(InputError, match="not a bundle"):
        verify(content)
