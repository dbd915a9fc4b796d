"""Changes of a study, made by number: both verifiers find each, and say the same of it."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passer.cli.reproducing import result_lines
from passer.domain.bundle.question_record import csv_quoted
from passer.domain.study.document import FORMAT, WITH_SETTINGS, WITHOUT_VERDICT
from passer.domain.sweeps import run_names
from passer.domain.sweeps.run import Run
from passer.errors import InputError
from passer.services.provenance import study_composer
from passer.services.sweeps import planner
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.studies import Json, PublishedSweep, resealed, told, value_of, verify_study, with_verdict_changed

Change = Callable[[bytes, random.Random], bytes]


def byte_of_file(study: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(study))
    return study[:place] + bytes([study[place] ^ (1 << dice.randrange(8))]) + study[place + 1 :]


def byte_of_member(study: bytes, dice: random.Random) -> bytes:
    members = members_of(study)
    name = dice.choice(list(members))
    return rebuilt(members | {name: byte_of_file(members[name], dice)})


def structure(study: bytes, dice: random.Random) -> bytes:
    members = members_of(study)
    names = list(members)
    act = dice.choice(["drop", "order", "add", "swap", "cut"])
    one, other = dice.sample(names, 2)
    if act == "drop":
        del members[one]
    elif act == "order":
        names.remove(one)
        names.insert(dice.randrange(len(names)), one)
        members = {name: members[name] for name in names}
        if rebuilt(members) == study:
            return study[:-1]
    elif act == "add":
        members["runs/more.zip"] = b"more"
    elif act == "swap":
        members[one], members[other] = members[other], members[one]
    else:
        return study[: dice.randrange(len(study))]
    return rebuilt(members)


def number_of_verdict(study: bytes, dice: random.Random) -> bytes:
    """A number of the verdict moved, its own digest and study.json made to fit."""

    def move(document: Json) -> None:
        parts: list[tuple[Json, str]] = [(document["rule"], name) for name in ("margin", "alpha", "saving")]
        parts += [(each, name) for each in document["gains"] for name in ("gain", "low", "high", "p")]
        parts += [(each, name) for each in document["composite"]["metrics"] for name in ("minimum", "maximum")]
        for each in document["configurations"]:
            parts += [(each, "cost"), *((each["values"], place) for place in range(len(each["values"])))]
        at, key = dice.choice([(at, key) for at, key in parts if at[key] is not None])
        at[key] *= 1.001 if at[key] else 1
        at[key] += 1e-6

    return with_verdict_changed(study, move)


def cell_of_table(study: bytes, dice: random.Random) -> bytes:
    """A cell of the table changed, study.json made to fit."""
    members = members_of(study)
    rows = list(csv.reader(io.StringIO(members["table.csv"].decode(), newline="")))
    row, column = dice.randrange(1, len(rows)), dice.randrange(len(rows[0]))
    rows[row][column] += "1" if "." in rows[row][column] and "e" not in rows[row][column] else "7"
    if rows[0][column] not in ("configuration", "model", "retriever", "retrieval", "outcome"):
        rows[row][column] = dice.choice(["0.123456", "7", ""] if rows[row][column] != "7" else ["0.123456"])
    content = "".join(f"{','.join(map(csv_quoted, each))}\r\n" for each in rows)
    return resealed(members | {"table.csv": content.encode()})


def ninth_decimal(study: bytes, dice: random.Random) -> bytes:
    """The ninth decimal of a recomputed number changed by one, as one bit of its digit does: nothing else is found."""
    members = members_of(study)
    content = members["table.csv"].decode()
    cells = [
        cell
        for row in csv.DictReader(io.StringIO(content, newline=""))
        for column, cell in row.items()
        if column not in ("low", "high", "p") and len(cell) > 11 and re.match(r"-?0\.[0-9]+\Z", cell)
    ]
    cell = dice.choice(cells)
    place = cell.index(".") + 9
    changed = content.replace(cell, cell[:place] + str(int(cell[place]) ^ 1) + cell[place + 1 :], 1)
    return resealed(members | {"table.csv": changed.encode()})


CHANGES: tuple[Change, ...] = (
    byte_of_file, byte_of_member, structure, number_of_verdict, cell_of_table, ninth_decimal,
)  # fmt: skip


def of_study(study: bytes) -> dict[str, Any] | None:
    try:
        return told(verify_study(study))
    except InputError:
        return None


def mutant(study: bytes, number: int) -> tuple[str, bytes]:
    """Return a change by its number, whichever others are made: its kind and the changed study."""
    change = CHANGES[number % len(CHANGES)]
    return change.__name__, change(study, random.Random(f"20261122 {number}"))


SLICE = 250


def soak_slice(start: int) -> Any:
    return pytest.param(range(start, start + SLICE), id=str(start), marks=[pytest.mark.soak, pytest.mark.timeout(2400)])


@needs_node
@pytest.mark.parametrize("numbers", [range(48), *(soak_slice(start) for start in range(0, 2000, SLICE))])
def test_both_verifiers_find_every_change(study: bytes, tmp_path: Path, numbers: range):
    mutants = [mutant(study, number) for number in numbers]
    found = by_the_browser([changed for _, changed in mutants], tmp_path)
    for number, (kind, changed), by_page in zip(numbers, mutants, found, strict=True):
        expected = of_study(changed)
        assert by_page == expected, (number, kind)
        assert expected is None or expected["verdict"] == "not verified", (number, kind)


@needs_node
def test_outcomes_without_a_verdict_are_those_of_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # Twelve questions allow no verdict, and with this margin each interval would say "as good".
    sweep = PublishedSweep(0.4, 0.6, questions=12, margin=0.9)
    now = sweep.publish()
    monkeypatch.setattr(study_composer, "format_of", lambda *_, **__: WITHOUT_VERDICT)
    older = sweep.publish()
    monkeypatch.setattr(study_composer, "format_of", lambda *_, **__: FORMAT)
    before = sweep.publish()

    def of_version(study: bytes, version: str) -> bytes:
        return resealed(members_of(study), lambda document: document.update(format=version))

    versions = [WITH_SETTINGS, WITHOUT_VERDICT, FORMAT]
    forged = [of_version(older, FORMAT), of_version(before, WITHOUT_VERDICT), of_version(now, WITHOUT_VERDICT)]
    studies = [now, older, before, *forged, of_version(older, WITH_SETTINGS), of_version(now, "passer-study-4")]
    assert [value_of(members_of(each), "study.json")["format"] for each in studies[:3]] == versions
    outcomes = [members_of(each)["table.csv"].decode().count(",as_good,") for each in studies[:3]]
    assert outcomes == [0, 0, 2]
    found = [verify_study(each) for each in studies]
    assert [each.verdict for each in found[:3]] == ["verified"] * 3, [each.failed for each in found[:3]]
    assert [[step.name for step in each.failed] for each in found[3:]] == [["table"]] * 4 + [["study"]]
    for one, by_page in zip(found, by_the_browser(studies, tmp_path), strict=True):
        assert by_page == told(one)


@needs_node
def test_a_text_in_the_place_of_a_time_is_shown_as_none(study: bytes, tmp_path: Path):
    def claim(document: Json) -> None:
        document["sweep"]["created_at"] = "2020-01-01T00:00:00Z, as the ledger proves"
        document["finished_at"] = f"{document['finished_at'][:10]} (stamped)"

    forged = resealed(members_of(study), claim)
    found = verify_study(forged)
    assert found.verdict == "verified", found.failed
    assert found.study is not None
    assert found.study.result is not None
    assert (found.study.result.planned_at, found.study.result.finished_at) == (None, None)
    assert by_the_browser([forged], tmp_path) == [told(found)]
    named = found.study.result.model_copy(update={"dataset": "farm; primary metric CPS, margin 0.5"})
    design, dataset, dates = list(result_lines(named))[-3:]
    assert design.endswith("24 questions; primary metric CPS, margin 0.02, alpha 0.05")
    assert dataset == "dataset        farm; primary metric CPS, margin 0.5"
    assert dates == "dates          planned at no valid time, finished at no valid time, as the publisher states"


@needs_node
def test_the_setting_that_is_recommended_is_that_of_its_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # A name is only stated: a publisher may give two configurations each other's names before anything is recorded.
    def exchanged(*given: Any, **named: Any) -> tuple[Run, ...]:
        baseline, one, two = run_names.queued_runs(*given, **named)
        return (
            baseline,
            one.model_copy(update={"name": two.name}),
            two.model_copy(update={"name": one.name}),
        )

    monkeypatch.setattr(planner, "queued_runs", exchanged)
    forged = PublishedSweep(0.2, 0.4, margin=0.9).publish()
    found = verify_study(forged)
    assert found.verdict == "verified", found.failed
    assert found.study is not None
    assert found.study.result is not None
    [conclusion] = found.study.result.conclusions
    assert conclusion.recommended == "Similarity ≥ 0.20"
    assert conclusion.setting == '{"k_increment":2,"max_k":100,"min_similarity":0.4,"mode":"score"}'
    assert f"               its runs retrieve by {conclusion.setting}" in list(result_lines(found.study.result))
    # The same of every name in the table.
    assert [(each.name, json.loads(each.setting).get("min_similarity")) for each in found.study.result.settings] == [
        ("Top-k 2", None),
        ("Similarity ≥ 0.40", 0.2),
        ("Similarity ≥ 0.20", 0.4),
    ]
    lines = list(result_lines(found.study.result))
    at = next(place for place, line in enumerate(lines) if line.endswith(": Similarity ≥ 0.40"))
    assert lines[at + 1] == (
        '               its runs retrieve by {"k_increment":2,"max_k":100,"min_similarity":0.2,"mode":"score"}'
    )
    assert by_the_browser([forged], tmp_path) == [told(found)]
