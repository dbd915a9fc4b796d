"""Refusals of the contract on a real node: their messages, and that no trace of the refused data stays."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passer.errors import ChainRefused
from scripts.test_node.system_actions import setcode
from tests.chain.booted import Chain
from tests.contracts.packed import TABLES, Row, action, name, stored

both = pytest.mark.parametrize("said", [said for said, _ in TABLES])

GOOD = Row(testid="refused")
HEAD = name("researcher1") + name("refused")
TAIL = GOOD.run_digest + GOOD.config_digest
ENDS_EARLY = "the action data ends too early: pack it by this contract's ABI"
GOES_ON = "the action data goes on after the last field: pack it by this contract's ABI"
NOT_FINITE = "a result is not finite: NaN and infinity are refused"
NO_RESULTS = "there are no results: give 1 to 64"
TOO_MANY = "too many results: at most 64"
TOO_LONG = "the description is too long: at most 256 bytes"
NOT_SHORTEST = "a length is not in its shortest form: pack it by this contract's ABI"
NOT_UTF8 = "the description is not UTF-8"

REFUSED = {
    "NaN": (GOOD.but(results=(0.5, math.nan)).data, NOT_FINITE),
    "NaN of another kind": (
        GOOD.but(results=(struct.unpack("<d", bytes.fromhex("010000000000f0ff"))[0],)).data,
        NOT_FINITE,
    ),
    "infinity": (GOOD.but(results=(math.inf, 0.5)).data, NOT_FINITE),
    "less than any": (GOOD.but(results=(*(0.5,) * 63, -math.inf)).data, NOT_FINITE),
    "65 results": (GOOD.but(results=(0.5,) * 65).data, TOO_MANY),
    "200 results": (GOOD.but(results=(0.5,) * 200).data, TOO_MANY),
    "very many results": (HEAD + b"\1x" + b"\xff\xff\xff\xff\x0f" + TAIL, TOO_MANY),
    "no results": (GOOD.but(results=()).data, NO_RESULTS),
    "257 bytes": (GOOD.but(description=b"x" * 257).data, TOO_LONG),
    "129 letters of two bytes": (GOOD.but(description="я".encode() * 129).data, TOO_LONG),
    "100,000 bytes": (GOOD.but(description=b"x" * 100_000).data, TOO_LONG),
    "a length of 32 bits": (HEAD + b"\xff\xff\xff\xff\x0f" + b"x" * 300 + TAIL, TOO_LONG),
    "no description": (GOOD.but(description=b"").data, "the description is empty: say which run it is"),
    "no testid": (GOOD.but(testid="").data, "the testid is empty: give the run's name of up to 12 characters"),
    "cut in the digests": (GOOD.data[:-1], ENDS_EARLY),
    "cut before the digests": (GOOD.published_data, ENDS_EARLY),
    "cut in the results": (GOOD.published_data[:-1], ENDS_EARLY),
    "cut in the description": (GOOD.data[:20], ENDS_EARLY),
    "cut in the testid": (GOOD.data[:15], ENDS_EARLY),
    "cut in the creator": (GOOD.data[:7], ENDS_EARLY),
    "nothing at all": (b"", ENDS_EARLY),
    "one byte more": (GOOD.data + b"\0", GOES_ON),
    "twice": (GOOD.data * 2, GOES_ON),
    "longest and one more": (GOOD.but(results=(1.0,) * 64, description=b"x" * 256).data + b"\0", GOES_ON),
    "a length of two bytes for one": (HEAD + b"\x81\0x" + b"\1" + bytes(8) + TAIL, NOT_SHORTEST),
    "a count of two bytes for one": (HEAD + b"\1x" + b"\x81\0" + bytes(8) + TAIL, NOT_SHORTEST),
    "half a letter": (GOOD.but(description="я".encode()[:1]).data, NOT_UTF8),
    "a letter's second half": (GOOD.but(description=b"x\x80").data, NOT_UTF8),
    "an overlong slash": (GOOD.but(description=b"\xc0\xaf").data, NOT_UTF8),
    "an overlong letter of three": (GOOD.but(description=b"\xe0\x9f\xbf").data, NOT_UTF8),
    "an overlong letter of four": (GOOD.but(description=b"\xf0\x8f\xbf\xbf").data, NOT_UTF8),
    "half a surrogate pair": (GOOD.but(description=b"\xed\xa0\x80").data, NOT_UTF8),
    "beyond Unicode": (GOOD.but(description=b"\xf4\x90\x80\x80").data, NOT_UTF8),
    "a byte that begins nothing": (GOOD.but(description=b"\xff").data, NOT_UTF8),
}


@pytest.fixture
def refusing(chain: Chain) -> Iterator[Chain]:
    """The chain, on which the test must leave no row."""
    before = [chain.packed_rows(table) for _, table in TABLES]
    yield chain
    assert [chain.packed_rows(table) for _, table in TABLES] == before


@both
@pytest.mark.parametrize("case", REFUSED)
def test_it_refuses(refusing: Chain, said: str, case: str) -> None:
    data, message = REFUSED[case]
    with pytest.raises(ChainRefused) as refused:
        refusing.push(action(said, data))
    assert refused.value.said == message
    assert refused.value.reason == "contract"


@both
def test_nobody_records_for_somebody_else(refusing: Chain, said: str) -> None:
    for signer in ("stranger", "researcher2", "llmtest"):
        with pytest.raises(ChainRefused, match="missing authority of researcher1") as refused:
            refusing.push(action(said, GOOD.data, by=(signer,)), by=signer)
        assert refused.value.reason == "authority"
    with pytest.raises(ChainRefused) as refused:
        refusing.push(action(said, GOOD.data), by="stranger")
    assert refused.value.reason == "authority"


@pytest.mark.parametrize(
    "said",
    ["erase", "addtests", "addtes", "addtest1", "addtimetes", "timetable", "testtable", "transfer", "deltest", "a", ""],
)
def test_there_is_no_other_action(refusing: Chain, said: str) -> None:
    with pytest.raises(ChainRefused) as refused:
        refusing.push(action(said, GOOD.data))
    assert refused.value.said == "unknown action: this contract has addtest and addtimetest only"


def test_one_refused_row_takes_its_whole_transaction_back(refusing: Chain) -> None:
    bad = GOOD.but(results=(math.nan,))
    with pytest.raises(ChainRefused):
        refusing.push(action("addtest", GOOD.data), action("addtest", bad.data))


def test_another_contract_cannot_record_by_a_notice(refusing: Chain, build: Callable[[Path], bytes]) -> None:
    """It sends the notice of an action that looks like ours, which researcher1 did sign."""
    refusing.push(setcode("stranger", build(Path(__file__).parent / "notice" / "notice.c")), by="stranger")
    pushed = refusing.push(action("addtest", GOOD.data, code="stranger"))
    trace = _trace(refusing, pushed.transaction_id)
    assert [part["receiver"] for part in trace["actions"]] == ["stranger", "llmtest"]


def test_changed_bytes_are_refused_or_kept_as_they_are(chain: Chain) -> None:
    """What is taken is stored so that it packs to the bytes that were signed: nothing is read in two ways."""
    source = random.Random(20261121)
    row = Row(testid="changed", description="Въпрос 7".encode(), results=(0.25,) * 24)
    before = [stored(packed).row.data for packed in chain.packed_rows("testtable")]
    taken, words = [], set()
    for data in sorted({_changed(row.data, source) for _ in range(300)}):
        try:
            chain.push(action("addtest", data))
            taken.append(data)
        except ChainRefused as refused:
            words.add(refused.said)
    assert [stored(packed).row.data for packed in chain.packed_rows("testtable")] == before + taken
    assert len(taken) > 50
    assert {ENDS_EARLY, GOES_ON, TOO_MANY, TOO_LONG, NOT_UTF8} < words <= {message for _, message in REFUSED.values()}


def _changed(data: bytes, source: random.Random) -> bytes:
    """One byte replaced, taken out, or put in, after the names; half of the time where the lengths are."""
    place = source.choice((source.randrange(16, len(data)), source.choice((16, 17, 31, 32))))
    byte = bytes((source.choice((0, 1, 0x7F, 0x80, 0x81, 0xFF, source.randrange(256))),))
    return data[:place] + source.choice((byte + data[place + 1 :], data[place + 1 :], byte + data[place:]))


def _trace(chain: Chain, transaction_id: str) -> dict[str, list[dict[str, str]]]:
    chain.wait_irreversible(chain.wait_blocks())
    found: dict[str, list[dict[str, str]]] = chain.node.call(
        "/v1/trace_api/get_transaction_trace", {"id": transaction_id}
    )
    return found
