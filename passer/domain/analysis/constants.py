"""Constants of one analysis that another is pinned to, so that the CPS of both mean the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError, field_validator

from passer.domain.base import Frozen, added_field
from passer.domain.composite import MetricConstants
from passer.domain.panel import Panel
from passer.domain.wording.sentence import Sentence, sentence
from passer.domain.wording.validation_message import validation_message
from passer.errors import InputError

FIELD = "constants"
MEMBER = "constants"
"""Member with the constants of an analysis, also in JSON."""
_FIRST = ("kind", "profile", "encoder", "encoder_digest")
"""Fields named first, before those that follow from them."""
MOST_CHARACTERS = 16_384
"""Largest JSON of constants alone, in characters: some 1,500 are usual."""


class Constants(Frozen):
    """Minimum and maximum of each metric in one pool, and the conditions for using them in another analysis."""

    source: str = Field(min_length=1, max_length=500)
    """The pool that they are from, in words."""
    rows: int = Field(ge=1)
    """Number of rows of that pool."""
    panel: str
    """Panel of the analysis that they are from; another panel may use those of its metrics that are among them."""
    identity: dict[str, str]
    """Conditions of the scores: profile, encoder digest, limits, variants; and how columns of sheets were read."""
    metrics: tuple[MetricConstants, ...] = Field(min_length=1)
    """Each metric once."""
    is_clipped: bool = added_field(False)
    """True if values beyond them are cut to them, because they are the percentiles of a winsorised pool."""

    @field_validator("metrics")
    @classmethod
    def _each_once(cls, metrics: tuple[MetricConstants, ...]) -> tuple[MetricConstants, ...]:
        names = [item.metric for item in metrics]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(sentence("analysis.constants-twice", column=twice[0]))
        return metrics

    @property
    def words(self) -> Sentence:
        """Return the name of a pool that is normalised by these constants."""
        name = sentence("pool.given", source=self.source, rows=self.rows)
        return sentence("pool.winsorised", pool=name) if self.is_clipped else name

    @property
    def statement(self) -> Sentence:
        """Return a sentence that explains fixed constants to the reader."""
        code = "statement.pinned-clipped" if self.is_clipped else "statement.pinned"
        return sentence(code, source=self.source, rows=self.rows)

    def of_panel(self, panel: Panel) -> tuple[MetricConstants, ...]:
        """Return the constants in the order of the panel; InputError if a metric is missing."""
        by_metric = {item.metric: item for item in self.metrics}
        lacking = [column for column in panel.columns if column not in by_metric]
        if lacking:
            values = {"column": lacking[0], "panel": panel.name, "own": self.panel}
            raise InputError(sentence("analysis.constants-lack", source=self.source, **values), field=FIELD)
        chosen = tuple(by_metric[column] for column in panel.columns)
        for item in chosen:
            if not _is_usable(item):
                said = sentence("analysis.constants-unusable", source=self.source, column=item.metric)
                raise InputError(said, field=FIELD)
        return chosen

    def check_comparable(self, identity: Mapping[str, str]) -> None:
        """Raise InputError if the scores depend on another profile, encoder or scorer than the constants."""
        for name in dict.fromkeys((*_FIRST, *sorted({*self.identity, *identity}))):
            there, here = self.identity.get(name, "none"), identity.get(name, "none")
            if there != here:
                raise InputError(
                    sentence("analysis.constants-differ", name=name, here=here, there=there, source=self.source),
                    field=FIELD,
                )


_LARGEST, _SMALLEST_SPREAD = 1e12, 1e-12
"""Beyond these, a CPS is infinite or consists of rounding errors."""


def _is_usable(item: MetricConstants) -> bool:
    spread, size = item.maximum - item.minimum, max(abs(item.minimum), abs(item.maximum))
    return size <= _LARGEST and not 0 < spread < _SMALLEST_SPREAD


def constants_of(
    pools: Sequence[Sequence[MetricConstants]],
    *,
    source: str,
    rows: int,
    panel: str,
    identity: Mapping[str, str],
    is_clipped: bool = False,
) -> Constants | None:
    """Return the constants of an analysis with one pool; None if it has several pools."""
    if len(pools) != 1:
        return None
    return Constants(
        source=source, rows=rows, panel=panel, identity=dict(identity), metrics=tuple(pools[0]), is_clipped=is_clipped
    )


def read_constants(text: str | bytes) -> Constants:
    """Parse constants from the JSON of an analysis or of constants; InputError if it contains none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise _unreadable(sentence("analysis.constants-not-json")) from exc
    if isinstance(found, dict) and "metrics" not in found:
        if found.get(MEMBER) is None:
            raise _unreadable(sentence("analysis.constants-absent"))
        found = found[MEMBER]
    try:
        return Constants.model_validate(found)
    except ValidationError as exc:
        raise _unreadable(_first_problem(exc, found)) from exc


def _first_problem(exc: ValidationError, given: Any) -> str:
    """The first of them, with the metric that it is about."""
    first = exc.errors()[0]
    where = [str(part) for part in first["loc"]]
    own = first.get("ctx", {}).get("error")
    said: str
    if isinstance(own, ValueError):
        said = own.args[0]
    elif first["type"] == "missing":
        said = sentence("analysis.constants-field")
    else:
        said = validation_message(first)
    if len(where) > 1 and where[0] == "metrics":
        named = given["metrics"][int(where[1])]
        metric = named.get("metric") if isinstance(named, dict) else None
        where = [str(metric or f"metric {int(where[1]) + 1}"), *where[2:]]
    return sentence("analysis.constants-place", place=".".join(where), problem=said) if where else said


def _unreadable(problem: str) -> InputError:
    return InputError(sentence("analysis.constants-unreadable", problem=problem), field=FIELD)
