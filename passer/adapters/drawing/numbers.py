"""Numbers of a drawing with the decimal sign of the reader's language, which matplotlib takes from the system only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from passer.domain.wording.icu import localised
from passer.domain.wording.sentence import reader, shown

_NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?\d*\.\d+(\n\*+)?")


def localise_numbers(canvas: Any) -> None:
    """Write the numbers of a finished drawing with the sign of the reader's language; names keep their points."""
    if reader() == "en":
        return
    from matplotlib.text import Text

    for axes in canvas.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(_formatter()(axis.get_major_formatter()))
    for text in canvas.findobj(Text):
        text.set_text(_localised(text.get_text()))


def tick_texts(values: Sequence[float | str]) -> list[str]:
    """Return names in the reader's language, and numbers with as many decimals as the longest of them has."""
    digits = max((len(f"{value:g}".partition(".")[2]) for value in values if not isinstance(value, str)), default=0)
    return [shown(value) if isinstance(value, str) else f"{value:.{digits}f}" for value in values]


def _localised(text: str) -> str:
    return localised(text, reader()) if _NUMBER.fullmatch(text) else text


@cache
def _formatter() -> Any:
    """Return the class of formatters that rewrite what another one gives; made late, as matplotlib is optional."""
    from matplotlib.ticker import Formatter

    class Localised(Formatter):
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __call__(self, x: float, pos: int | None = None) -> str:
            return _localised(self.inner(x, pos))

        def set_axis(self, axis: Any) -> None:
            super().set_axis(axis)
            self.inner.set_axis(axis)

        def set_locs(self, locs: Any) -> None:
            self.inner.set_locs(locs)

        def get_offset(self) -> str:
            return _localised(self.inner.get_offset())

    return Localised
