"""Registry of metrics: each family describes its columns and registers the function that computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import cast

from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Findings, NoValue, Recipe, missing
from passer.domain.judging.task import JudgeTask
from passer.domain.score import (
    UNICODE_1,
    VECTOR_ORDER,
    Citation,
    MetricInfo,
    MissingReason,
    Profile,
    Resource,
    ScoreNote,
    VectorProfile,
)
from passer.domain.wording.sentence import described
from passer.metrics.blind_spots import blind_spot
from passer.metrics.pair import Pair

Value = float | MissingReason
"""A finite number, or the reason why there is none."""

Compute = Callable[[Pair], Sequence[Value]]
"""Values of a family's columns, in the order of its infos."""

Note = Callable[[Pair], ScoreNote | None]
"""Remark about the values of a pair."""


def no_note(pair: Pair) -> ScoreNote | None:
    """Return None: the values mean what the description of the column states."""


def tokenizer_note(pair: Pair) -> ScoreNote | None:
    """Name the tokenizer of a text column of `standard` where it is not the library's own."""
    return UNICODE_1 if pair.by_unicode else None


@dataclass(frozen=True)
class Family:
    """Columns that one function computes together."""

    infos: tuple[MetricInfo, ...]
    compute: Compute
    note: Note = no_note
    noted: frozenset[str] = frozenset()
    """Columns whose values carry the note."""

    @property
    def needs_encoder(self) -> bool:
        """Return whether the family needs token vectors."""
        return "encoder" in self.infos[0].needs


MakeRecipe = Callable[[Item], Recipe[Findings]]
"""The recipe of an item; it returns a finding for each of its family's columns, in order, or raises NoValue."""


@dataclass(frozen=True)
class RecipeFamily:
    """Columns that one recipe finds together."""

    infos: tuple[MetricInfo, ...]
    make: MakeRecipe
    tasks: tuple[JudgeTask, ...] = ()
    """Tasks of its asks."""
    embeds: bool = False
    """True if it compares vectors."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns, in order."""
        return tuple(info.name for info in self.infos)


_FAMILIES: dict[VectorProfile, list[Family]] = {"standard": [], "published": []}
_JUDGED: list[RecipeFamily] = []
_GROUNDED: list[MetricInfo] = []


def register(
    *infos: MetricInfo, note: Note = no_note, noted: frozenset[str] | None = None
) -> Callable[[Compute], Compute]:
    """Register a function as the computation of these columns; `note` is for all of them unless some are `noted`."""
    columns = frozenset(info.name for info in infos) if noted is None else noted

    def add(compute: Compute) -> Compute:
        _FAMILIES[cast("VectorProfile", infos[0].profile)].append(Family(infos, compute, note, columns))
        return compute

    return add


def register_recipe(
    *infos: MetricInfo, tasks: tuple[JudgeTask, ...] = (), embeds: bool = False
) -> Callable[[MakeRecipe], MakeRecipe]:
    """Register a function as the recipe of these judged columns.

    `tasks` are the tasks of its requests; `embeds` states that it needs vectors.
    """

    def add(make: MakeRecipe) -> MakeRecipe:
        @wraps(make)
        def whole(item: Item) -> Recipe[Findings]:
            try:
                return (yield from make(item))
            except NoValue as exc:
                return missing(exc.reason, columns=len(infos), note=exc.note)

        _JUDGED.append(RecipeFamily(infos, whole, tasks, embeds))
        return whole

    return add


def register_grounded(*infos: MetricInfo) -> None:
    """Register columns that follow from the checks of an answer's citations and sentences."""
    _GROUNDED.extend(infos)


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
    needs: tuple[Resource, ...] = (),
    notes: tuple[str, ...] = (),
) -> MetricInfo:
    """Return a MetricInfo; the defaults fit metrics in [0, 1] where higher is better."""
    return MetricInfo(
        name=name,
        profile=profile,
        summary=described(summary),
        formula=described(formula),
        minimum=minimum,
        maximum=maximum,
        higher_is_better=higher_is_better,
        needs=needs,
        citation=citation,
        cannot_see=described(blind_spot(name, profile)),
        notes=notes,
    )


def families(profile: VectorProfile) -> tuple[Family, ...]:
    """Return all families of a profile in order of registration."""
    return tuple(_FAMILIES[profile])


def recipe_families() -> tuple[RecipeFamily, ...]:
    """Return all families of judged columns in order of registration."""
    return tuple(_JUDGED)


def infos(profile: Profile) -> list[MetricInfo]:
    """Return the descriptions of the 24 columns in vector order, then those of named variants.

    Of `judged` and `grounded`, return the descriptions in order of registration.
    """
    if profile == "judged":
        return [info for family in _JUDGED for info in family.infos]
    if profile == "grounded":
        return list(_GROUNDED)
    known = {info.name: info for family in _FAMILIES[profile] for info in family.infos}
    order = [*VECTOR_ORDER, *(name for name in known if name not in VECTOR_ORDER)]
    return [known[name] for name in order]
