"""Prompt templates of PaSSER and of a folder.

A file with the same name and the suffix `.json` contains `{"cites": true}` if the template asks for citations.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from passer.adapters.templates import JinjaPrompt
from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from passer.ports import PromptTemplate

MAX_TEMPLATE_BYTES = 64 * 1024
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CITING = frozenset({"cited"})
"""Built-in templates that ask for citations. A mark in their text would change their digests."""


class TemplateProperties(Frozen):
    """Properties of a template other than its text."""

    cites: bool = False
    """True if it asks the model to cite passages by the numbers that the prompt gives them."""


class JinjaPrompts:
    """The built-in templates and, beside them, the `*.j2` files of a folder, by file name."""

    def __init__(
        self, folder: Path | None = None, *, foreign: Callable[[str, str], PromptTemplate] = JinjaPrompt
    ) -> None:
        """`foreign` makes templates of names and texts that are not built in; by default as all others."""
        self._folder = folder
        self._foreign = foreign
        self._loaded: dict[tuple[str, str], PromptTemplate] = {}

    def list(self) -> list[str]:
        return sorted({*_built_in(), *self._own()})

    def load(self, name: str) -> PromptTemplate:
        built_in, own = _built_in(), self._own()
        if name in built_in and name in own:
            raise ConfigError(sentence("template.taken", path=str(own[name])), field="prompt")
        if name not in built_in and name not in own:
            raise NotFoundError(sentence("template.none", name=name, known=", ".join(self.list())))
        return self.of_text(name=name, text=built_in[name] if name in built_in else _read(own[name]))

    def of_text(self, *, name: str, text: str) -> PromptTemplate:
        key = (name, hashlib.sha256(text.encode()).hexdigest())
        if key not in self._loaded:
            is_built_in = text in _built_in().values()
            self._loaded[key] = JinjaPrompt(name, text) if is_built_in else self._foreign(name, text)
        return self._loaded[key]

    def cites(self, name: str) -> bool:
        if name in _built_in():
            return name in _CITING
        own = self._own().get(name)
        return own is not None and _properties(own).cites

    def _own(self) -> dict[str, Path]:
        if self._folder is None or not self._folder.is_dir():
            return {}
        return {path.stem: path for path in self._folder.glob("*.j2") if _NAME.fullmatch(path.stem)}


@cache
def _built_in() -> dict[str, str]:
    folder = files("passer") / "prompts"
    return {
        item.name.removesuffix(".j2"): item.read_text(encoding="utf-8")
        for item in folder.iterdir()
        if item.name.endswith(".j2")
    }


def _properties(path: Path) -> TemplateProperties:
    """Return the properties beside a template of the folder: `mine.json` for `mine.j2`.

    Raises ConfigError if the file is not valid.
    """
    beside = path.with_suffix(".json")
    if not beside.exists():
        return TemplateProperties()
    try:
        return TemplateProperties.model_validate_json(_read(beside))
    except ValidationError as exc:
        said = sentence("template.properties", path=str(beside), example='{"cites": true}')
        raise ConfigError(said, field="prompt") from exc


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_TEMPLATE_BYTES:
            raise ConfigError(sentence("template.too-long", path=str(path)), field="prompt")
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(sentence("template.unreadable", path=str(path), cause=str(exc)), field="prompt") from exc
