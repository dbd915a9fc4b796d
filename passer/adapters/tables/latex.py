"""Writes tables for papers: LaTeX with booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO

from passer.adapters.tables.cells import cell_value, encodable
from passer.domain.texts.cell_text import cell_text, heading, is_number
from passer.domain.wording.counted import THIN

_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "≥": r"$\geq$",
        THIN: r"\,",
        '"': r"\textquotedbl{}",
        "\n": " ",
        "\r": " ",
        "\t": " ",
    }
)


class LatexWriter:
    """Writes a tabular; scores with 4 decimals, gains in points and percent with sign, p as .012."""

    suffix = ".tex"

    def write(
        self, stream: BinaryIO, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], *, reproducible: bool = False
    ) -> None:
        """Write all rows; a cell without a value is a dash."""
        cells = [[cell_value(row.get(column), column=column) for column in columns] for row in rows]
        numeric = [all(is_number(column, row[place]) for row in cells) for place, column in enumerate(columns)]
        lines = [
            r"% needs \usepackage{booktabs}, and \usepackage[T1]{fontenc} for quotation marks",
            rf"\begin{{tabular}}{{{''.join('r' if number else 'l' for number in numeric)}}}",
            r"\toprule",
            _line([escaped(heading(column)) for column in columns]),
            r"\midrule",
            *(_line([_cell(column, value) for column, value in zip(columns, row, strict=True)]) for row in cells),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
        stream.write(encodable("\n".join(lines)).encode())


def escaped(text: str) -> str:
    """Escape text so that LaTeX prints it unchanged."""
    return text.translate(_ESCAPED)


def _cell(column: str, value: Any) -> str:
    text = cell_text(column, value)
    if isinstance(value, int | float) and text[:1] in "+-" and text != "-":
        return f"${text[0]}${escaped(text[1:])}"
    return "--" if text == "-" else escaped(text)


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
