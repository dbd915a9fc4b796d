"""The page of metrics, from what they say of themselves: `python -m passer.metrics.document`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from passer.domain.score import VECTOR_ORDER, MetricInfo, Profile
from passer.metrics import DEFINITIONS, ENCODER_DECIMALS, infos

_HEAD = f"""# Metrics

Generated from the metrics' own descriptions by `make generate`; do not edit.

Two profiles compute the same 24 columns. `standard` follows the definitions of the field's own libraries. `published`
computes what the published PaSSER scoring service computes, quirks included, so that a series that was begun with it
can be continued. A run names its profile, and a composite never mixes profiles.

A score is a finite number, or has a reason why there is none: `empty_answer`, `empty_reference`, `no_tokens` (neither
side has a token by the metric's own tokenizer, or the encoder finds none), `constant_vector`, `encoder_unavailable`,
`wordnet_unavailable`, `not_finite`. Metrics that need the encoder are rounded to {ENCODER_DECIMALS} decimals. B-RT's
values carry the note `answer_cut_off` where the reference alone filled the encoder's limit.
"""


def document() -> str:
    """The whole page, as Markdown."""
    parts = [_HEAD, *_fixed()]
    for profile in ("standard", "published"):
        parts += _profile(profile)
    return "\n".join(parts)


def _fixed() -> Iterator[str]:
    yield "What stands in every manifest beside the encoder's name, digest, limit and BERTScore layer:\n"
    yield "| | |\n|---|---|"
    yield from (f"| {name} | {value.replace('|', chr(92) + '|')} |" for name, value in DEFINITIONS.items())
    yield ""


def _profile(profile: Profile) -> Iterator[str]:
    yield f"## {profile}\n"
    yield "| column | range | better | needs |\n|---|---|---|---|"
    for info in infos(profile):
        needs = ", ".join(info.needs) or "text alone"
        yield f"| {info.name} | {_range(info)} | {'higher' if info.higher_is_better else 'lower'} | {needs} |"
    yield ""
    for info in infos(profile):
        yield from _metric(info)


def _metric(info: MetricInfo) -> Iterator[str]:
    extra = "" if info.name in VECTOR_ORDER else " (a named variant, beside the 24)"
    yield f"### {info.name}, {info.profile}{extra}\n"
    yield f"{info.summary}\n"
    yield f"- Formula: `{info.formula}`"
    yield f"- Range: {_range(info)}; {'higher' if info.higher_is_better else 'lower'} is better"
    yield from (f"- {note}" for note in info.notes)
    yield f"- {info.citation.text} <{info.citation.url}>\n"


def _range(info: MetricInfo) -> str:
    low = "-inf" if info.minimum is None else f"{info.minimum:g}"
    high = "inf" if info.maximum is None else f"{info.maximum:g}"
    return f"{low} to {high}"


if __name__ == "__main__":
    sys.stdout.write(document())
