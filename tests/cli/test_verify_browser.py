"""The browser's verifier and `passer verify` agree about every bundle, step by step: two programs, one description."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json
from passer.domain.canonical import read_canonical
from passer.errors import InputError
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import MadeRun, Recorded, members_of, rebuilt

MUTANTS = 100
RECORDED: tuple[Recorded, ...] = ("nowhere", "local", "chain", "chain, run alone")
LINES = ("questions.jsonl", "timings.jsonl")
JSON_MEMBERS = ("manifest.json", "entry.json")

pytestmark = needs_node

Members = dict[str, bytes]


def one_byte(content: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(content))
    other = dice.choice(
        [byte for byte in (*b'09ae"\\,:{}[]- \r\n\x00\xff', content[place] ^ 1) if byte != content[place]]
    )
    return content[:place] + bytes([other]) + content[place + 1 :]


def byte_of_file(bundle: bytes, dice: random.Random) -> bytes:
    """One byte of the file, wherever it is."""
    return one_byte(bundle, dice)


def byte_of_member(bundle: bytes, dice: random.Random) -> bytes:
    """One byte of a member, the zip's checksums put right."""
    members = members_of(bundle)
    name = dice.choice(list(members))
    return rebuilt(members | {name: one_byte(members[name], dice)})


def lines_moved(bundle: bytes, dice: random.Random) -> bytes:
    """A record or a line of times dropped, doubled, swapped, or its break taken off."""
    members = members_of(bundle)
    name = dice.choice(LINES)
    lines = members[name].splitlines(keepends=True)
    one, other = dice.sample(range(len(lines)), 2)
    act = dice.choice(["drop", "double", "swap", "unended", "empty"])
    if act == "drop":
        del lines[one]
    elif act == "double":
        lines.insert(other, lines[one])
    elif act == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    elif act == "empty":
        lines = []
    else:
        lines[-1] = lines[-1].rstrip(b"\n")
    return rebuilt(members | {name: b"".join(lines)})


def record_rewritten(bundle: bytes, dice: random.Random) -> bytes:
    """A record with another value, canonical again."""
    members = members_of(bundle)
    lines = members["questions.jsonl"].splitlines()
    place = dice.randrange(len(lines))
    record = read_canonical(lines[place])
    record[dice.choice(list(record))] = dice.choice([None, "other", 7, 1e-7, True, [], {}, -1, 1.5])
    lines[place] = canonical_json(record)
    return rebuilt(members | {"questions.jsonl": b"".join(line + b"\n" for line in lines)})


def document_rewritten(bundle: bytes, dice: random.Random) -> bytes:
    """A value somewhere in manifest.json or entry.json replaced, dropped or added, canonical again."""
    members = members_of(bundle)
    name = dice.choice(JSON_MEMBERS)
    value = read_canonical(members[name])
    at: Any = value
    while True:
        key = dice.choice(list(at)) if isinstance(at, dict) else dice.randrange(len(at))
        if not isinstance(at[key], dict | list) or not at[key] or dice.random() < 0.15:
            break
        at = at[key]
    act = dice.choice(["replace", "replace", "drop", "add"])
    if act == "drop" or not isinstance(at, dict):
        del at[key]
    elif act == "add":
        at["another"] = 1
    else:
        at[key] = dice.choice([None, "other", "f" * 64, "f" * 16, 7, 1e-7, True, [], {}, -1, 1.5, 1e21])
    return rebuilt(members | {name: canonical_json(value)})


def member_replaced(bundle: bytes, dice: random.Random) -> bytes:
    """A member of another run, or nothing, in place of one or two of this one's."""
    members, others = members_of(bundle), members_of(OTHER())
    for name in dice.sample(list(members), dice.randint(1, 2)):
        members[name] = dice.choice([others[name], b"", b"{}", b"[]", b"\xef\xbb\xbf{}", members[name] + b"\n"])
    return rebuilt(members)


def structure_changed(bundle: bytes, dice: random.Random) -> bytes:
    """Members left out, added or in another order; bytes cut off or added."""
    members = members_of(bundle)
    names = list(members)
    act = dice.choice(["drop", "order", "add", "cut", "before", "behind", "comment"])
    if act == "drop":
        del members[dice.choice(names)]
    elif act == "order":
        dice.shuffle(names)
        members = {name: members[name] for name in names}
    elif act == "add":
        members["more.txt"] = b"more"
    if act in ("drop", "order", "add"):
        return rebuilt(members)
    changed = {"cut": bundle[: dice.randrange(len(bundle))], "before": b"x" + bundle, "behind": bundle + b"PK"}
    return changed.get(act, bundle[:-2] + b"\x01\x00c")


def OTHER() -> bytes:
    return MadeRun(questions=9, seed=2).bundle("local")


CHANGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    byte_of_file,
    byte_of_member,
    lines_moved,
    record_rewritten,
    document_rewritten,
    document_rewritten,
    member_replaced,
    structure_changed,
)


def by_the_server(bundle: bytes) -> dict[str, Any] | None:
    try:
        found = BundleVerifier(recorded_actions).verify(memoryview(bundle))
    except InputError:
        return None
    return found.model_dump(exclude={"steps"}) | {"steps": [step_of(step) for step in found.steps]}


@pytest.fixture(scope="module")
def bundles() -> list[bytes]:
    """Recorded in every way; 25 questions, so that there are several transactions."""
    return [MadeRun(questions=25).bundle(recorded, with_times=recorded == "chain") for recorded in RECORDED]


def test_they_agree_about_whole_bundles(bundles: list[bytes], tmp_path: Path):
    no_collection = MadeRun(questions=7, collection_is_known=False).bundle("local", with_times=True)
    whole = [*bundles, no_collection, MadeRun(questions=1).bundle("chain")]
    found = by_the_browser(whole, tmp_path)
    assert found == [by_the_server(bundle) for bundle in whole]
    assert {one and one["verdict"] for one in found} == {"verified"}


def test_they_agree_about_changed_bundles(bundles: list[bytes], tmp_path: Path):
    dice = random.Random(20260102)
    changes = [CHANGES[number % len(CHANGES)] for number in range(MUTANTS)]
    mutants = [change(dice.choice(bundles), dice) for change in changes]
    found = by_the_browser(mutants, tmp_path)
    expected = [by_the_server(mutant) for mutant in mutants]
    for number, (one, other, change) in enumerate(zip(found, expected, changes, strict=True)):
        assert one == other, (number, change.__name__)
    verdicts = {one and one["verdict"] for one in found}
    assert verdicts <= {"not verified", None}
    assert sum(one is not None for one in found) > MUTANTS * 0.9
