"""Prompt templates: Jinja2 files, those of PaSSER and those of a folder.

A file has the blocks `system` (optional) and `user`, and for a question without passages `closed_book_system` and
`closed_book_user` (both optional; without them the question is sent as it is). It is given `question`, `passages`
(each with `text`, `document`, `page`, `number`), `abstention`, the sentence for "the passages do not hold it", and
`metadata`, what the dataset says of the question besides, by column: `{{ metadata.region }}`, empty if it says nothing.
A file of the same name with the suffix `.json` says `{"cites": true}` if the template asks for citations.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from passer.adapters.templates import BlockTemplate
from passer.domain.abstention import ABSTENTION
from passer.domain.base import Frozen
from passer.domain.chat import Message
from passer.domain.retrieval import Passage
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, NotFoundError
from passer.ports import PromptTemplate

MAX_TEMPLATE_BYTES = 64 * 1024
_BLOCKS = frozenset({"system", "user", "closed_book_system", "closed_book_user"})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CITING = frozenset({"cited"})
"""Built-in templates that ask for citations. A mark in their text would change their digests."""
_SAMPLE = Passage(id="sample", document="sample.txt", number=0, text="A sentence.", start=0, end=11, page=1)


class TemplateProperties(Frozen):
    """Properties of a template other than its text."""

    cites: bool = False
    """True if it asks the model to cite passages by the numbers that the prompt gives them."""


class JinjaPrompt:
    """A template for answering a question from passages, checked when it is made; raises ConfigError."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self._blocks = BlockTemplate(name, text, allowed=_BLOCKS, required="user")
        self._check()

    def render(
        self, *, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None
    ) -> tuple[Message, ...]:
        """System and user message, trimmed; an empty system message is left out."""
        prefix, variables = "" if passages else "closed_book_", _variables(question, passages, metadata)
        system = self._blocks.render(f"{prefix}system", variables)
        user = self._blocks.render(f"{prefix}user", variables) or question
        first = (Message(role="system", content=system),) if system else ()
        return (*first, Message(role="user", content=user))

    def _check(self) -> None:
        """Refuse a template that hides the question or the passages: its answers would not be about them."""
        for passages in ((_SAMPLE,), ()):
            sent = " ".join(message.content for message in self.render(question="<question>", passages=passages))
            if "<question>" not in sent:
                raise ConfigError(
                    sentence("template.no-question", name=self.name, field="{{ question }}"), field="prompt"
                )
        variables = _variables("", (_SAMPLE,))
        if not any(_SAMPLE.text in self._blocks.render(block, variables) for block in ("user", "system")):
            raise ConfigError(sentence("template.no-passages", name=self.name), field="prompt")


def check_prompt(name: str, text: str) -> None:
    """Refuse a text that is no template; ConfigError."""
    _compiled(name, text)


def rendered(
    name: str, text: str, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None
) -> tuple[Message, ...]:
    """Return the messages of the template of that text."""
    return _compiled(name, text).render(question=question, passages=passages, metadata=metadata)


_compiled = lru_cache(maxsize=16)(JinjaPrompt)


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
            raise NotFoundError(sentence("template.none", name=repr(name), known=", ".join(self.list())))
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


class _Metadata(dict[str, str]):
    """Metadata of a question for a template; missing values are empty, as columns may be for some questions."""

    def __missing__(self, name: str) -> str:
        return ""


def _variables(question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the variables that a block may show."""
    given = [passage.model_dump(include={"text", "document", "page", "number"}) for passage in passages]
    return {"question": question, "passages": given, "abstention": ABSTENTION, "metadata": _Metadata(metadata or {})}


@cache
def _built_in() -> dict[str, str]:
    folder = files("passer") / "prompts"
    return {
        item.name.removesuffix(".j2"): item.read_text(encoding="utf-8")
        for item in folder.iterdir()
        if item.name.endswith(".j2")
    }


def _properties(path: Path) -> TemplateProperties:
    """Return the properties beside a template of the folder: `mine.json` for `mine.j2`; ConfigError."""
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
