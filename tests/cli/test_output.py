"""Progress where there is no terminal: what a log of CI shows."""

from __future__ import annotations

import pytest

from passer.cli import output
from passer.cli.output import LINE_EVERY_S, ProgressLine, share
from passer.domain.statistics import Interval


def test_progress_without_a_terminal_prints_a_line_only_when_something_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(output.time, "monotonic", lambda: now)
    with ProgressLine() as line:
        for seconds, done in ((0, 0), (1, 1), (LINE_EVERY_S, 2), (3 * LINE_EVERY_S, 2), (4 * LINE_EVERY_S, 3)):
            now = seconds
            line("Answering", done, 3)
    assert capsys.readouterr().err.splitlines() == ["Answering: 0/3", "Answering: 2/3", "Answering: 3/3"]


def test_differences_have_the_unit_of_the_verdict() -> None:
    # 0.02 of CPS is 2 points of .01; every other metric has its own unit.
    assert [output.difference("CPS", value) for value in (0.02, -0.0104, None)] == ["+2.00", "-1.04", "-"]
    assert [output.difference("METEOR", value) for value in (0.02, -0.0104)] == ["+0.0200", "-0.0104"]
    assert output.difference_interval("CPS", -0.01, 0.03) == "-1.00 to +3.00"
    assert output.difference_interval("CPS", None, 0.03) == "-"
    assert [f"gain{output.unit_of(name)}" for name in ("CPS", "METEOR")] == ["gain (points)", "gain"]


def test_a_share_is_printed_with_its_interval():
    # 9 of 10: the 95 % Wilson interval is .596 to .982.
    assert share(0.9, Interval(low=0.5958, high=0.9821), 2) == "0.90 [0.60, 0.98]"
    assert (share(0.9, None), share(None, None)) == ("0.900", "-")


def _printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int) -> list[list[str]]:
    monkeypatch.setattr(output, "FILE_WIDTH", width)
    columns = ["configuration", "mean", "interval", "tags"]
    output.print_table(columns, [("Top-k 5", "0.51", "0.40 to 0.62", ""), ("Similarity ≥ 0.50", "0.6", "-", "")])
    return [line.split("  ") for line in map(str.rstrip, capsys.readouterr().out.splitlines())]


def test_a_table_wider_than_the_terminal_is_printed_in_parts_with_its_first_column(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # 17 + 4 + 12 + 4 characters and three gaps of 2 are 43.
    whole = _printed(monkeypatch, capsys, 43)
    assert [whole[0][0], whole[0][-1], len(whole)] == ["configuration", "tags", 3]
    assert _printed(monkeypatch, capsys, 42)[0][-1] == "interval"
    # 17 + 2 + 4 fit into 31, another 2 + 12 do not; no tag has a value.
    assert [[line[0], line[-1].strip()] for line in _printed(monkeypatch, capsys, 31)] == [
        ["configuration", "mean"], ["Top-k 5", "0.51"], ["Similarity ≥ 0.50", "0.6"], ["", ""],
        ["configuration", "interval"], ["Top-k 5", "0.40 to 0.62"], ["Similarity ≥ 0.50", "-"],
    ]  # fmt: skip


def test_no_part_of_a_table_has_the_first_column_alone() -> None:
    assert output._parts(["name", "a", "b"], [["x" * 17, "1", "2"]], 18) == [[0, 1], [0, 2]]


def test_an_empty_table_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(["sweep", "state"], [], empty="There are no sweeps.")
    assert capsys.readouterr() == ("", "There are no sweeps.\n")


def test_the_beginning_of_a_text_is_one_line_of_at_most_so_many_characters() -> None:
    assert output.beginning("Rye\n is  sown.", 13) == "Rye is sown."
    assert output.beginning("Rye is sown in autumn.", 12) == "Rye is s ..."


def test_a_percentage_has_the_thin_space_of_messages() -> None:
    assert (output.percent(0.256), output.percent(0.256, 1)) == ("26\u202f%", "25.6\u202f%")
