"""Draws figures as SVG and PNG with matplotlib. The same figure gives the same bytes: fixed ids, no date, own fonts."""

from __future__ import annotations

import io
import re
from threading import Lock
from typing import Any
from xml.sax.saxutils import quoteattr

from passer.adapters.drawing.marks import INK, draw_panel, height_of, width_of
from passer.adapters.drawing.numbers import localise_numbers
from passer.domain.extras import requires_extra
from passer.domain.figures.figure import Figure
from passer.domain.wording.sentence import sentence
from passer.ports import DrawingFormat

DPI = 160
_BESIDE_HEIGHT = 2.4
_DRAWING = Lock()
"""matplotlib's settings are global to the process, so one figure is drawn at a time."""
_GROUP_ID = re.compile(r'(<g) id="[^"]*"')
_PROLOGUE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)


class MatplotlibDrawer:
    """ports.FigureDrawer. SVG text stays text; text and axes take the colour of the surrounding page."""

    def draw(self, figure: Figure, form: DrawingFormat, *, beside: Figure | None = None) -> bytes:
        with requires_extra("report", sentence("extra.figures")):
            from matplotlib import rc_context
            from matplotlib.figure import Figure as Canvas
        stream = io.BytesIO()
        with _DRAWING, rc_context(_settings(figure)):
            canvas = Canvas(figsize=_size(figure, beside), layout="constrained")
            _draw(canvas, figure, beside)
            localise_numbers(canvas)
            if form == "svg":
                canvas.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
                return _plain_svg(stream.getvalue().decode(), figure)
            canvas.savefig(stream, format="png", dpi=DPI, metadata={"Software": "PaSSER", "Title": figure.title})
        return stream.getvalue()


def _settings(figure: Figure) -> dict[str, Any]:
    return {
        "svg.hashsalt": f"passer-{figure.id}",
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "font.size": 9.0,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10.0,
        "axes.titlelocation": "left",
        "legend.frameon": False,
        "legend.fontsize": 8.0,
    }


def _size(figure: Figure, beside: Figure | None) -> tuple[float, float]:
    return width_of(figure), height_of(figure) + (_BESIDE_HEIGHT if beside else 0.0)


def _draw(canvas: Any, figure: Figure, beside: Figure | None) -> None:
    if beside is None:
        draw_panel(canvas, canvas.subplots(), figure)
        return
    upper, lower = canvas.subplots(2, 1, sharex=True)
    draw_panel(canvas, upper, beside)
    upper.set_xlabel("")
    draw_panel(canvas, lower, figure)


def _plain_svg(text: str, figure: Figure) -> bytes:
    """Remove prologue, date and group ids, so that a page can hold several drawings; add a name for screen readers."""
    text = _METADATA.sub("", _PROLOGUE.sub("", text, count=1))
    text = _GROUP_ID.sub(r"\1", text).replace(INK, "currentColor")
    return text.replace("<svg", f'<svg role="img" aria-label={quoteattr(figure.title)}', 1).encode()
