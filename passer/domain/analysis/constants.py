"""Constants of one analysis that another is pinned to, so that the CPS of both mean the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError, field_validator

from passer.domain.base import Frozen
from passer.domain.composite import MetricConstants, Panel
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import InputError

FIELD = "constants"
MEMBER = "constants"
"""Under this name every analysis holds its own, as JSON too."""
_FIRST = ("kind", "profile", "encoder", "encoder_digest")
"""Said before what follows from them."""
MOST_CHARACTERS = 16_384
"""Of constants alone as JSON: some 1,500 are usual."""


class Constants(Frozen):
    """Minimum and maximum of each metric in one pool, and what must be the same where they are used again."""

    source: str = Field(min_length=1, max_length=500)
    """Whose pool it is, in words."""
    rows: int = Field(ge=1)
    """Of that pool."""
    panel: str
    """Of the analysis that they are from; another panel may use those of its metrics that are among them."""
    identity: dict[str, str]
    """What the scores depend on: profile, encoder digest, limits, variants; how columns of sheets were read."""
    metrics: tuple[MetricConstants, ...] = Field(min_length=1)
    """Each metric once."""

    @field_validator("metrics")
    @classmethod
    def _each_once(cls, metrics: tuple[MetricConstants, ...]) -> tuple[MetricConstants, ...]:
        names = [item.metric for item in metrics]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"{twice[0]} is there more than once")
        return metrics

    @property
    def words(self) -> Sentence:
        """As a pool is named that is normalised by them."""
        return sentence("pool.given", source=self.source, rows=self.rows)

    @property
    def statement(self) -> Sentence:
        """What it means to be pinned to them."""
        return sentence("statement.pinned", source=self.source, rows=self.rows)

    def of_panel(self, panel: Panel) -> tuple[MetricConstants, ...]:
        """In the panel's order; InputError where one lacks."""
        by_metric = {item.metric: item for item in self.metrics}
        lacking = [column for column in panel.columns if column not in by_metric]
        if lacking:
            raise InputError(
                f"The constants of {self.source} lack {lacking[0]}, which the panel {panel.name} needs: choose "
                f"constants of an analysis by this panel, or the panel {self.panel}, which they are from.",
                field=FIELD,
            )
        for item in (by_metric[column] for column in panel.columns):
            spread, size = item.maximum - item.minimum, max(abs(item.minimum), abs(item.maximum))
            if size > _LARGEST or 0 < spread < _SMALLEST_SPREAD:
                raise InputError(
                    f"The constants of {self.source} cannot be used, because minimum and maximum of {item.metric} are "
                    "too large or too close together: take constants of a pool of real scores.",
                    field=FIELD,
                )
        return tuple(by_metric[column] for column in panel.columns)

    def check_comparable(self, identity: Mapping[str, str]) -> None:
        """InputError where the scores to be normalised depend on something else."""
        for name in dict.fromkeys((*_FIRST, *sorted({*self.identity, *identity}))):
            there, here = self.identity.get(name, "none"), identity.get(name, "none")
            if there != here:
                raise InputError(
                    f"Not comparable: {name} is {here} here, and {there} where the constants are from ({self.source}), "
                    "so these scores mean something else: choose constants of an analysis that was scored alike.",
                    field=FIELD,
                )


_LARGEST, _SMALLEST_SPREAD = 1e12, 1e-12
"""Beyond these a CPS is no finite number any more, or says nothing but rounding."""


def constants_of(
    pools: Sequence[Sequence[MetricConstants]], *, source: str, rows: int, panel: str, identity: Mapping[str, str]
) -> Constants | None:
    """Of the one pool of an analysis; None where it has several, which share no constants."""
    if len(pools) != 1:
        return None
    return Constants(source=source, rows=rows, panel=panel, identity=dict(identity), metrics=tuple(pools[0]))


def read_constants(text: str | bytes) -> Constants:
    """From the JSON of an analysis, or of its constants alone; InputError says what is wrong."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise _unreadable("this is no JSON") from exc
    if isinstance(found, dict) and "metrics" not in found:
        if found.get(MEMBER) is None:
            raise _unreadable("there are no constants in it")
        found = found[MEMBER]
    try:
        return Constants.model_validate(found)
    except ValidationError as exc:
        raise _unreadable(_first_problem(exc, found)) from exc


def _first_problem(exc: ValidationError, given: Any) -> str:
    """The first of them, with the metric that it is about."""
    first = exc.errors()[0]
    where = [str(part) for part in first["loc"]]
    said = str(first["msg"]).removeprefix("Value error, ")
    if len(where) > 1 and where[0] == "metrics":
        named = given["metrics"][int(where[1])]
        metric = named.get("metric") if isinstance(named, dict) else None
        where = [str(metric or f"metric {int(where[1]) + 1}"), *where[2:]]
    return ": ".join([".".join(where), said] if where else [said])


def _unreadable(problem: str) -> InputError:
    return InputError(
        f"The constants cannot be taken, because {problem}: give what `passer analyse ID --json` printed, or what the "
        "analysis page saved.",
        field=FIELD,
    )
