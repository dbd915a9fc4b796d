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
