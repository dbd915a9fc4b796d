"""LaTeX tables: everything escaped, numbers as papers print them."""

from __future__ import annotations

import io

import pytest

from passer.adapters.tables.latex import LatexWriter, escaped
from passer.errors import InputError


def written(columns, *rows) -> list[str]:
    stream = io.BytesIO()
    LatexWriter().write(stream, columns, [dict(zip(columns, row, strict=True)) for row in rows])
    return stream.getvalue().decode().splitlines()


def test_a_table_with_rules_headings_and_aligned_columns():
    lines = written(("model", "threshold", "mean_cps", "n"), ("A", 0.5, 0.51234, 1371), ("B", None, 0.4, 2))
    assert lines[1:] == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"model & threshold & CPS & n \\",
        r"\midrule",
        r"A & 0.50 & 0.5123 & 1\,371 \\",
        r"B & -- & 0.4000 & 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize(
    ("column", "value", "cell"),
    [
        ("p_value", 0.0123, ".012"),
        ("p_holm", 0.0004, r"\textless{} .001"),
        ("p", 1.0, "1.000"),
        ("cps_improvement_pct", 4.5789, "$+$4.58"),
        ("cps_improvement_pct", -0.001, "$+$0.00"),
        ("gain", -0.01234, "$-$1.23"),
        ("cv", 0.1339, "0.134"),
        ("tcps", 0.59168, "0.5917"),
        ("is_best", True, "yes"),
        ("excluded", {"empty": 2}, r"\{\textquotedbl{}empty\textquotedbl{}: 2\}"),
        ("significance", "***", "***"),
        ("model", None, "--"),
    ],
)
def test_cells_are_formatted_by_their_column(column, value, cell):
    assert written((column,), (value,))[-3] == rf"{cell} \\"


def test_nothing_in_a_text_is_run():
    text = "a_b & 50% of {x}^2 ~ $5 #1 \\input{y}\nz"
    assert escaped(text) == (
        r"a\_b \& 50\% of \{x\}\textasciicircum{}2 \textasciitilde{} \$5 \#1 \textbackslash{}input\{y\} z"
    )


def test_what_is_no_number_is_refused():
    with pytest.raises(InputError, match="mean_cps"):
        written(("mean_cps",), (float("nan"),))
