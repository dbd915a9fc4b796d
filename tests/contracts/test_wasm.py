"""What the committed contract is able to do at all, read from its bytes, and that they come from the source."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contracts import wasm
from tests.contracts.packed import FOLDER, PUBLISHED

MODULE = (FOLDER / "llmtest.wasm").read_bytes()

ALLOWED = {
    "action_data_size",
    "current_time",
    "db_end_i64",
    "db_idx64_store",
    "db_previous_i64",
    "db_store_i64",
    "eosio_assert",
    "read_action_data",
    "require_auth",
}
"""Reads, adds and refuses: nothing that changes or erases a row, sends an action, or tells another contract."""


def test_it_imports_nothing_that_could_change_or_erase_a_row() -> None:
    assert {name for _, name in wasm.imports(MODULE)} == ALLOWED
    assert {module for module, _ in wasm.imports(MODULE)} == {"env"}


def test_the_reader_finds_the_imports_of_a_contract_that_can_erase() -> None:
    names = {name for _, name in wasm.imports((PUBLISHED / "published.wasm").read_bytes())}
    assert {"db_remove_i64", "db_idx64_remove"} <= names - ALLOWED


def test_it_has_one_entry() -> None:
    assert wasm.exports(MODULE) == [("memory", 2), ("apply", 0)]


def test_it_knows_two_actions_and_two_tables_and_no_other_name() -> None:
    constants = wasm.possible_constants(MODULE)
    large = {constant.to_bytes(8, "little") for constant in constants if 2**32 <= constant < 2**64 - 2**32}
    assert large == {
        bytes.fromhex(packed)
        for packed in (
            "0000002063955332",  # addtest
            "0032565949975332",  # addtimetest
            "000050f1989cb1ca",  # testtable
            "000050f198aca4cb",  # timetable
            "000000000000f07f",  # what a number that is not finite has in its exponent
        )
    }


def test_it_holds_no_path_and_no_name_of_a_machine() -> None:
    assert [number for number, _ in wasm.sections(MODULE) if number == 0] == []


def test_the_abi_names_the_same_two_actions() -> None:
    abi = json.loads((FOLDER / "llmtest.abi").read_text())
    assert [action["name"] for action in abi["actions"]] == ["addtest", "addtimetest"]
    assert [table["name"] for table in abi["tables"]] == ["testtable", "timetable"]


def test_the_committed_digests_are_those_of_the_files() -> None:
    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    assert lines == [
        f"{hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()}  {name}"
        for name in ("llmtest.abi", "llmtest.wasm")
    ]


def test_the_source_builds_to_the_committed_bytes(build: Callable[[Path], bytes]) -> None:
    assert build(FOLDER / "llmtest.c") == MODULE


def test_the_place_of_the_source_leaves_no_trace(build: Callable[[Path], bytes], tmp_path: Path) -> None:
    elsewhere = Path(shutil.copy(FOLDER / "llmtest.c", tmp_path / "another name.c"))
    assert build(elsewhere) == MODULE


def test_the_published_variant_builds_to_the_committed_bytes(build: Callable[[Path], bytes]) -> None:
    assert build(PUBLISHED / "published.c") == (PUBLISHED / "published.wasm").read_bytes()


@pytest.mark.parametrize("broken", [MODULE[:4], MODULE[:-5], b"\0asm\2\0\0\0" + MODULE[8:]])
def test_the_reader_refuses_what_is_no_module(broken: bytes) -> None:
    with pytest.raises(AssertionError):
        wasm.sections(broken)
