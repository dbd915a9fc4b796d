"""Tampers with the zip and with manifest.json."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

from passer.domain.base import canonical_json
from passer.domain.bundle.members import seal_of
from tests.bundles import rebuilt
from tests.services.provenance.bundle_verifier.forging import Draft, Json


def other_zip(**kinds: Any) -> Callable[[Draft], None]:
    """The members as another program writes them."""

    def change(draft: Draft) -> None:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", kinds.get("method", zipfile.ZIP_STORED)) as opened:
            for name, content in draft.members.items():
                info = zipfile.ZipInfo(name, kinds.get("date", (1980, 1, 1, 0, 0, 0)))
                info.create_system, info.external_attr = 3, kinds.get("mode", 0o100644) << 16
                info.extra, info.comment = kinds.get("extra", b""), kinds.get("comment", b"")
                info.compress_type = kinds.get("method", zipfile.ZIP_STORED)
                opened.writestr(info, content)
        draft.file = stream.getvalue()

    return change


def streamed(draft: Draft) -> None:
    """Sizes and checksums behind the contents, in data descriptors."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

        seek = tell  # type: ignore[assignment]

    stream = Pipe()
    with zipfile.ZipFile(stream, "w") as opened:
        for name, content in draft.members.items():
            opened.writestr(zipfile.ZipInfo(name), content)
    draft.file = stream.getvalue()


def at(place: int, value: bytes) -> Callable[[Draft], None]:
    """Other bytes at a place of the file, from its end where it is negative."""

    def change(draft: Draft) -> None:
        start = place % len(draft.file)
        assert draft.file[start : start + len(value)] != value
        draft.file = draft.file[:start] + value + draft.file[start + len(value) :]

    return change


def twice(draft: Draft) -> None:
    """A second manifest.json: programs differ in which of two members with one name they read."""
    names = [*draft.members, "manifest.json"]
    whole = rebuilt({**draft.members, "manifest.jsom": draft.members["manifest.json"]})
    draft.file = whole.replace(b"manifest.jsom", names[-1].encode())


def reordered(draft: Draft) -> None:
    draft.file = rebuilt(dict(sorted(draft.members.items())))


# Numbers are offsets: 8 is the version in the first local header, -22 the end record, -313 the directory.
ZIP = {
    "a comment": lambda d: setattr(d, "file", d.file[:-2] + b"\x01\x00c"),
    "bytes before it": lambda d: setattr(d, "file", b"x" + d.file),
    "bytes behind it": lambda d: setattr(d, "file", d.file + b"\0"),
    "the end cut off": lambda d: setattr(d, "file", d.file[:-1]),
    "another date": other_zip(date=(2026, 1, 1, 0, 0, 0)),
    "another mode": other_zip(mode=0o100755),
    "extra fields": other_zip(extra=b"UT\x05\x00\x01\0\0\0\0"),
    "a member's comment": other_zip(comment=b"c"),
    "compressed": other_zip(method=zipfile.ZIP_DEFLATED),
    "data descriptors": streamed,
    "marked as encrypted": at(6, b"\x01\x00"),
    "marked as encrypted in the directory": at(-313 + 8, b"\x01\x00"),
    "a time in a local header": at(10, b"\x01\x00"),
    "a checksum in a local header": at(14, b"\0\0\0\0"),
    "a checksum in the directory": at(-313 + 16, b"\0\0\0\0"),
    "a name in a local header": at(30, b"Manifest.json"),
    "an offset in the directory": at(-313 + 42, b"\x01"),
    "an internal attribute": at(-313 + 36, b"\x01"),
    "a compressed size": at(-313 + 20, b"\0\0\0\0"),
    "a size": at(-313 + 24, b"\0\0\0\0"),
    "another count of members": at(-22 + 8, b"\x06"),
    "two members with one name": twice,
    "another order": reordered,
    "one more member": lambda d: setattr(d, "file", rebuilt(d.members | {"more.txt": b"more"})),
    "one member less": lambda d: setattr(d, "file", rebuilt(dict(list(d.members.items())[:-1]))),
    "another name": lambda d: setattr(d, "file", d.file.replace(b"scores.csv", b"Scores.csv")),
}


# manifest.json


def in_member(name: str, old: bytes, new: bytes) -> Callable[[Draft], None]:
    """One text of a member replaced by another."""

    def change(draft: Draft) -> None:
        assert old in draft.members[name]
        draft.members[name] = draft.members[name].replace(old, new, 1)

    return change


def around(name: str, before: bytes, behind: bytes) -> Callable[[Draft], None]:
    def change(draft: Draft) -> None:
        draft.members[name] = before + draft.members[name] + behind

    return change


def seal_manifest(draft: Draft, **seals: str) -> None:
    draft.entry["manifest"] |= seals
    draft.entry["seals"]["manifest"] = seal_of(draft.entry["manifest"])


def nested(levels: int) -> Json:
    value: Json = {}
    for _ in range(levels):
        value = {"a": value}
    return value


# Of a run that is recorded nowhere: no row shows that the manifest is another.
NOT_CANONICAL = {
    "a line break at the end": around("manifest.json", b"", b"\n"),
    "a byte order mark": around("manifest.json", b"\xef\xbb\xbf", b""),
    "UTF-16": lambda d: d.members.update({"manifest.json": d.members["manifest.json"].decode().encode("utf-16")}),
    "a byte that is no UTF-8": in_member("manifest.json", b"A processor", b"A processo\xff"),
    "no JSON": around("manifest.json", b"", b"}"),
    "a member twice": in_member("manifest.json", b'{"code_commit"', b'{"code_commit":"a","code_commit"'),
    "another order": in_member("manifest.json", b'"answered":11,"asked":12', b'"asked":12,"answered":11'),
    "white space": in_member("manifest.json", b'"asked":12', b'"asked": 12'),
    "a fraction of zero": in_member("manifest.json", b'"asked":12', b'"asked":12.0'),
    "an exponent": in_member("manifest.json", b'"top_k":40', b'"top_k":4e1'),
    "a leading zero": in_member("manifest.json", b'"top_k":40', b'"top_k":040'),
    "minus zero": in_member("manifest.json", b'"failed":1', b'"failed":-0'),
    "a number that is none": in_member("manifest.json", b'"top_p":0.9', b'"top_p":NaN'),
    "a number too large": in_member("manifest.json", b'"top_p":0.9', b'"top_p":1e999'),
    "digits beyond a double": in_member("manifest.json", b'"top_p":0.9', b'"top_p":0.90000000000000000001'),
    "another escape": in_member("manifest.json", b"A processor", b"A \\u0070rocessor"),
    "a lone surrogate": in_member("manifest.json", b"A processor", b"\\ud800"),
    "too deep": lambda d: d.members.update({"manifest.json": canonical_json(d.manifest | {"config": nested(65)})}),
}
OFF_FORM: dict[str, Callable[[Json], object]] = {
    "another format": lambda m: m.update(format="passer-manifest-2"),
    "one member more": lambda m: m.update(more=1),
    "one member less": lambda m: m.pop("code_commit"),
    "an inner member less": lambda m: m["machine"].pop("core_count"),
    "an inner member more": lambda m: m["dataset"].update(constructor=1),
    "a number for a text": lambda m: m["run"].update(name=7),
    "a text for a number": lambda m: m["machine"].update(cpu_count="2"),
    "a truth value for a number": lambda m: m["machine"].update(cpu_count=True),
    "a fraction for an integer": lambda m: m["machine"].update(cpu_count=1.5),
    "a negative count": lambda m: m["machine"].update(cpu_count=-1),
    "an integer beyond 2^53 - 1": lambda m: m["model"].update(size_bytes=float(2**53)),
    "a run's id with a space": lambda m: m["run"].update(id="a b"),
    "capital hex digits": lambda m: m["dataset"].update(digest="A" * 64),
    "no object": lambda m: m.update(software=[]),
    "another type in a map": lambda m: m["software"].update(constructor=7),
    "no list": lambda m: m.update(unknown="nothing"),
    "an overlap as large as a chunk": lambda m: m["collection"]["chunking"].update(chunk_overlap=1024),
    "no dimension": lambda m: m["collection"]["embedding"].update(dimension=0),
}
SEALS: dict[str, Callable[[Draft], object]] = {
    "another seal": lambda d: seal_manifest(d, software="0" * 16),
    "a seal too many": lambda d: seal_manifest(d, more="0" * 16),
    "a seal too few": lambda d: (d.entry["manifest"].pop("software"), seal_manifest(d)),
}
