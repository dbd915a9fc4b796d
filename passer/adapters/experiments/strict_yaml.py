"""YAML of untrusted experiment files: plain values, limited in size, without repeated keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

MOST_BYTES = 1 << 20
MOST_VALUES = 10_000

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def read_yaml(path: Path, environment: Mapping[str, str]) -> Any:
    """Read a YAML file of plain values, `${NAME}` replaced; ConfigError without the name of the file."""
    return _with_variables(_parsed(path), environment)


def _parsed(path: Path) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML keeps the last of two equal keys silently, which would lose an axis; refuse duplicates."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = Counter(str(key.value) for key, _ in node.value)
            for key, count in keys.items():
                if count > 1:
                    raise ConfigError(sentence("experiment.twice", key=key, line=node.start_mark.line + 1), field=key)
            return super().construct_mapping(node, deep)

    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(sentence("experiment.too-large", most=MOST_BYTES >> 10))
        # A subclass of the safe loader, so only plain values are built.
        given = yaml.load(path.read_text(encoding="utf-8"), Loader)
        _check_size(given)
        return given
    except OSError as exc:
        raise ConfigError(sentence("experiment.unreadable", reason=str(exc.strerror))) from exc
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as exc:
        raise ConfigError(sentence("experiment.not-yaml", reason=_reason(exc))) from exc


def _reason(exc: Exception) -> str:
    """Return why a text is not YAML, with its line and column where they are known."""
    problem, mark = getattr(exc, "problem", None), getattr(exc, "problem_mark", None)
    if problem is None or mark is None:
        return " ".join(str(exc).split())[:200]
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"


def _check_size(given: Any) -> None:
    """Refuse what anchors repeat without end: each value counts as often as it occurs."""
    waiting, count = [given], 0
    while waiting:
        value = waiting.pop()
        count += 1
        if count > MOST_VALUES:
            raise ConfigError(sentence("experiment.too-many-values", most=MOST_VALUES))
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _with_variables(value: Any, environment: Mapping[str, str], key: str = "") -> Any:
    """Replace `${NAME}` by the environment's value; ConfigError if it is not set, and for a NUL."""
    if isinstance(value, dict):
        return {
            name: _with_variables(item, environment, f"{key}.{name}" if key else name) for name, item in value.items()
        }
    if isinstance(value, list):
        return [_with_variables(item, environment, key) for item in value]
    if not isinstance(value, str):
        return value
    if "\0" in value:
        raise ConfigError(sentence("problem.field", field=key, problem=sentence("misfit.nul")), field=key)
    for name in _VARIABLE.findall(value):
        if name not in environment:
            raise ConfigError(sentence("experiment.no-variable", key=key, name=name), field=key)
    return _VARIABLE.sub(lambda match: environment[match[1]], value)
