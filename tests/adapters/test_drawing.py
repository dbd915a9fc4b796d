"""Figures as files: the same bytes again, nothing but the figure, stars and names as text."""

from __future__ import annotations

import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from passer.adapters.drawing import MatplotlibDrawer
from passer.domain.figures.figure import Axis, Figure, FigureColumn, FigureRow, Series
from passer.domain.wording.sentence import reading, sentence

SVG = "{http://www.w3.org/2000/svg}"


def figure(kind: str, **more) -> Figure:
    rows = (
        FigureRow(x=0.5, y=1.5, low=1.0, high=2.0, mark="**", label="t5", n=9),
        FigureRow(x=0.6, y=-0.5, mark="ns", label="t6", n=9),
        FigureRow(x=0.7, y=None, label="t7", n=9),
    )
    given = {
        "id": f"a-{kind}",
        "kind": kind,
        "title": "Gain & loss <of> two",
        "x": Axis(label="Threshold"),
        "y": Axis(label="Gain", unit="points"),
        "columns": (FigureColumn(field="x", label="Threshold"), FigureColumn(field="y", label="Gain")),
        "series": (Series(name="Model A", rows=rows, baseline=FigureRow(x="base", y=0.2)), Series(name="B", rows=rows)),
    }
    return Figure(**(given | more))


def heatmap() -> Figure:
    rows = tuple(
        FigureRow(x=t, y=model, value=value, mark=mark)
        for model, value, mark in (("A", -1.0, "***"), ("B", 2.0, ""), ("C", None, ""))
        for t in (0.5, 0.6)
    )
    return figure(
        "heatmap",
        y=Axis(label="Model", scale="category"),
        color=Axis(label="Gain", unit="points"),
        is_diverging=True,
        series=(Series(name="all", rows=rows),),
    )


SCATTER = figure(
    "scatter", has_diagonal=True, series=(Series(name="A", rows=(FigureRow(x=0.4, y=0.5), FigureRow(x=0.5, y=0.6))),)
)
NAMED = figure(
    "line",
    id="named",
    x=Axis(label="Configuration", scale="category"),
    series=(Series(name="A", rows=(FigureRow(x="a long name indeed", y=1.0), FigureRow(x="b", y=2.0))),),
)
RANKED = figure(
    "ranked",
    verticals=(-2.0,),
    series=(Series(name="A", rows=(FigureRow(x="high", y=3.0, low=1.0, high=5.0), FigureRow(x="low", y=-1.0))),),
)
COST = figure(
    "scatter",
    id="cost",
    x=Axis(label="Tokens", scale="log"),
    has_frontier=True,
    band=(0.58, 0.6),
    band_name="As good",
    horizontals=(0.55,),
    highlights=("Recommended", "Cheapest"),
    series=(
        Series(name="Tied", is_filled=True, rows=(
            FigureRow(x=900.0, y=0.6, label="best", highlights=("Recommended",)),
            FigureRow(x=300.0, y=0.5, label="cheap", highlights=("Cheapest",)),
            FigureRow(x=890.0, y=0.4, label="neither"),
        )),
        Series(name="Other", rows=(FigureRow(x=100.0, y=0.3, label="first"),)),
    ),
)  # fmt: skip
ALL = [figure("line"), figure("bar"), heatmap(), SCATTER, NAMED, RANKED, COST]


def texts(svg: bytes) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("drawn", ALL, ids=lambda item: item.id)
def test_the_same_figure_is_the_same_bytes(drawn):
    for form in ("svg", "png"):
        assert MatplotlibDrawer().draw(drawn, form) == MatplotlibDrawer().draw(drawn, form)


@pytest.mark.soak
def test_another_process_draws_the_same_bytes():
    code = (
        "import hashlib; from tests.adapters.test_drawing import ALL, MatplotlibDrawer as D\n"
        "print(hashlib.sha256(b''.join(D().draw(f, 'svg') for f in ALL)).hexdigest())"
    )
    ended = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in "12"]
    assert ended[0].stdout == ended[1].stdout != ""


@pytest.mark.parametrize("drawn", ALL, ids=lambda item: item.id)
def test_an_svg_stands_alone_and_names_itself(drawn):
    content = MatplotlibDrawer().draw(drawn, "svg")
    root = ElementTree.fromstring(content)
    assert content.startswith(b"<svg")
    assert (root.get("role"), root.get("aria-label")) == ("img", "Gain & loss <of> two")
    assert b"currentColor" in content
    assert b"<script" not in content
    assert b"<image" not in content or drawn.kind == "heatmap"
    assert all(link.startswith("#") for node in root.iter() for name, link in node.items() if name.endswith("href")
               and not link.startswith("data:"))  # fmt: skip
    assert "Gain & loss <of> two" in texts(content)


def test_what_is_singled_out_is_named_and_the_legend_says_what_outlines_and_shade_mean():
    found = texts(MatplotlibDrawer().draw(COST, "svg"))
    assert {"Tied", "Other", "Recommended", "Cheapest", "As good", "best", "cheap", "first"} <= set(found)
    # What is neither singled out nor on the staircase has no name, and the axis is written in numbers.
    assert "neither" not in found
    assert {"100", "200", "500"} <= set(found)


def test_significance_is_told_by_stars_and_colour():
    content = MatplotlibDrawer().draw(figure("bar"), "svg")
    assert texts(content).count("**") == 2
    assert texts(content).count("ns") == 2
    assert b"#2166ac" in content
    assert any("***" in text for text in texts(MatplotlibDrawer().draw(heatmap(), "svg")))


def test_a_figure_beside_another_shares_its_axis():
    both = MatplotlibDrawer().draw(figure("line"), "svg", beside=figure("line", id="upper", title="Above"))
    assert {"Above", "Gain & loss <of> two"} <= set(texts(both))
    assert texts(both).count("Threshold") == 1


def test_a_png_is_one_of_fit_size():
    content = MatplotlibDrawer().draw(figure("line"), "png")
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert 1000 < width < 1400 > height > 400
    assert b"tIME" not in content


def test_without_matplotlib_it_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from tests.adapters.test_drawing import SCATTER, MatplotlibDrawer\n"
        "from passer.errors import UnavailableError\n"
        "try: MatplotlibDrawer().draw(SCATTER, 'svg')\n"
        "except UnavailableError as exc: print(exc)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "passer-rag[report]"' in done.stdout


def test_a_line_is_drawn_for_a_series_and_for_each_level_of_a_figure_of_points():
    def drawn(of: Figure) -> str:
        return MatplotlibDrawer().draw(of, "svg").decode()

    # The first colour of the palette is that of the only series.
    assert "stroke: #0072b2" in drawn(NAMED)
    bare = COST.model_copy(update={"horizontals": ()})
    dotted = [drawn(of).count("stroke-dasharray") for of in (bare, COST)]
    assert dotted[1] == dotted[0] + 1


def written(drawn: Figure) -> list[str]:
    return [text.strip() for text in texts(MatplotlibDrawer().draw(drawn, "svg"))]


@pytest.mark.parametrize("drawn", [figure("line"), figure("bar"), heatmap(), SCATTER], ids=lambda each: each.id)
def test_numbers_have_the_decimal_sign_of_the_reader(drawn: Figure) -> None:
    english = written(drawn)
    with reading("bg"):
        bulgarian = written(drawn)
    assert any("," in text for text in bulgarian)
    assert not any("." in text for text in bulgarian)
    assert [text.replace(",", ".") for text in bulgarian] == english


def test_names_of_configurations_are_in_the_language_of_the_reader() -> None:
    name = sentence("name.parts", parts=("m3.1", sentence("name.score", at="0.50")))
    rows = (FigureRow(x=name, y=1.0), FigureRow(x=sentence("name.none"), y=2.0), FigureRow(x="Dense", y=3.0))
    axis = Axis(label="Configuration", scale="category")
    drawn = figure("line", id="names", x=axis, series=(Series(name="A 0.5", rows=rows), Series(name="B", rows=())))
    with reading("bg"):
        assert {"m3.1, Сходство ≥ 0,50", "Без извличане", "Dense", "A 0.5"} <= set(written(drawn))


def test_thresholds_below_a_figure_have_the_same_decimals() -> None:
    rows = tuple(FigureRow(x=x, y=1.0) for x in (0.05, 0.1, 0.15))
    drawn = figure("line", id="thresholds", series=(Series(name="A", rows=rows),))
    assert {"0.05", "0.10", "0.15"} <= set(written(drawn))
