"""What a metric is to the engine: it describes itself and computes its columns; families add themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from passer.domain.score import VECTOR_ORDER, Citation, MetricInfo, MissingReason, Profile
from passer.metrics.pair import Pair

Value = float | MissingReason
"""A finite number, or why there is none."""

Compute = Callable[[Pair], Sequence[Value]]
"""Values of a family's columns, in the order of its infos."""


@dataclass(frozen=True)
class Family:
    """Columns that are computed together."""

    infos: tuple[MetricInfo, ...]
    compute: Compute

    @property
    def needs_encoder(self) -> bool:
        """Whether it reads token vectors."""
        return "encoder" in self.infos[0].needs


_FAMILIES: dict[Profile, list[Family]] = {"standard": [], "published": []}


def register(*infos: MetricInfo) -> Callable[[Compute], Compute]:
    """Make a function the computation of these columns."""

    def add(compute: Compute) -> Compute:
        _FAMILIES[infos[0].profile].append(Family(infos, compute))
        return compute

    return add


def describe(
    name: str,
    profile: Profile,
    *,
    summary: str,
    formula: str,
    citation: Citation,
    minimum: float | None = 0.0,
    maximum: float | None = 1.0,
    higher_is_better: bool = True,
    needs: tuple[Literal["wordnet", "encoder"], ...] = (),
    notes: tuple[str, ...] = (),
) -> MetricInfo:
    """A MetricInfo; most metrics are shares of 1 where more is better."""
    return MetricInfo(
        name=name,
        profile=profile,
        summary=summary,
        formula=formula,
        minimum=minimum,
        maximum=maximum,
        higher_is_better=higher_is_better,
        needs=needs,
        citation=citation,
        notes=notes,
    )


def families(profile: Profile) -> tuple[Family, ...]:
    """All families of a profile, as they registered."""
    return tuple(_FAMILIES[profile])


def infos(profile: Profile) -> list[MetricInfo]:
    """What the 24 columns say of themselves, in vector order; further named variants follow."""
    known = {info.name: info for family in _FAMILIES[profile] for info in family.infos}
    order = [*VECTOR_ORDER, *(name for name in known if name not in VECTOR_ORDER)]
    return [known[name] for name in order]
