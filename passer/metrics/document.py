"""Generates docs/metrics.md from the metrics' descriptions: `python -m passer.metrics.document`."""

from __future__ import annotations

import sys
from importlib import resources

from jinja2 import Environment, StrictUndefined

from passer.domain.score import VECTOR_ORDER, MetricInfo
from passer.domain.texts.words import UNICODE_1
from passer.metrics import DEFINITIONS, ENCODER_DECIMALS, infos
from passer.metrics.meteor import EXACT


def document() -> str:
    """Return the page as Markdown."""
    text = resources.files(__package__).joinpath("metrics.md.j2").read_text(encoding="utf-8")
    template = Environment(undefined=StrictUndefined, trim_blocks=True).from_string(text)
    page = template.render(
        definitions=DEFINITIONS,
        encoder_decimals=ENCODER_DECIMALS,
        unicode_1=UNICODE_1,
        exact=EXACT,
        columns=VECTOR_ORDER,
        infos=infos,
        range_of=_range,
        direction_of=lambda info: "higher" if info.higher_is_better else "lower",
    )
    return page.rstrip() + "\n"


def _range(info: MetricInfo) -> str:
    low = "-inf" if info.minimum is None else f"{info.minimum:g}"
    high = "inf" if info.maximum is None else f"{info.maximum:g}"
    return f"{low} to {high}"


if __name__ == "__main__":
    sys.stdout.write(document())
