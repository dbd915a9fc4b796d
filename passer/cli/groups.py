"""Options of a command as dataclasses: commands with dozens of options name them in groups, and share the groups."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, cast, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command for Typer: each parameter that is a dataclass is replaced by an option per field."""
    parameters = signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {each.name: each.annotation for each in parameters if is_dataclass(each.annotation)}
    flat = [one for each in parameters for one in (_options(each.annotation) if each.name in groups else [each])]

    def call(**given: Any) -> None:
        made = {
            name: made_of(**{field.name: given.pop(field.name) for field in fields(made_of)})
            for name, made_of in groups.items()
        }
        command(**made, **given)

    # Typer reads both; what `wraps` copies still names the groups.
    made: Any = functools.wraps(command)(call)
    made.__signature__ = Signature([each.replace(kind=Parameter.KEYWORD_ONLY) for each in flat])
    made.__annotations__ = {each.name: each.annotation for each in flat}
    return cast(Callable[..., None], made)


def _options(made_of: Any) -> list[Parameter]:
    hints = get_type_hints(made_of, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(made_of)
    ]
