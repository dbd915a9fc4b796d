"""Prompt templates: Jinja2 files, those of PaSSER and those of a folder.

A file has the blocks `system` (optional) and `user`, and for a question without passages `closed_book_system` and
`closed_book_user` (both optional; without them the question is sent as it is). It is given `question`, `passages`
(each with `text`, `document`, `page`, `number`) and `abstention`, the sentence for "the passages do not hold it".
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from passer.domain.answer import Message
from passer.domain.generation import ABSTENTION
from passer.domain.retrieval import Passage
from passer.errors import ConfigError, NotFoundError

MAX_TEMPLATE_BYTES = 64 * 1024
_BLOCKS = frozenset({"system", "user", "closed_book_system", "closed_book_user"})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SAMPLE = Passage(id="sample", document="sample.txt", number=0, text="A sentence.", start=0, end=11, page=1)


class JinjaPrompt:
    """One template, checked when it is made; raises ConfigError."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        environment = ImmutableSandboxedEnvironment(
            undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
        )
        try:
            self._template = environment.from_string(text)
        except TemplateError as exc:
            raise ConfigError(f"Correct the prompt template {name}: {exc}.", field="prompt") from exc
        self._check()

    def render(self, *, question: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
        """System and user message, trimmed; an empty system message is left out."""
        prefix = "" if passages else "closed_book_"
        system = self._block(f"{prefix}system", question, passages)
        user = self._block(f"{prefix}user", question, passages) or question
        first = (Message(role="system", content=system),) if system else ()
        return (*first, Message(role="user", content=user))

    def _block(self, block: str, question: str, passages: Sequence[Passage]) -> str:
        render = self._template.blocks.get(block)
        if render is None:
            return ""
        given = [passage.model_dump(include={"text", "document", "page", "number"}) for passage in passages]
        context = self._template.new_context({"question": question, "passages": given, "abstention": ABSTENTION})
        try:
            return "".join(render(context)).strip()
        except (TemplateError, TypeError, ValueError, ArithmeticError, OverflowError, LookupError) as exc:
            raise ConfigError(
                f"Correct the block {block} of the prompt template {self.name}: {exc}.", field="prompt"
            ) from exc

    def _check(self) -> None:
        blocks = set(self._template.blocks)
        if "user" not in blocks:
            raise ConfigError(f"Give the prompt template {self.name} a block named user.", field="prompt")
        if unknown := blocks - _BLOCKS:
            raise ConfigError(
                f"Rename the block {min(unknown)} of the prompt template {self.name}: "
                f"the blocks are {', '.join(sorted(_BLOCKS))}.",
                field="prompt",
            )
        for passages in ((_SAMPLE,), ()):
            sent = " ".join(message.content for message in self.render(question="<question>", passages=passages))
            if "<question>" not in sent:
                raise ConfigError(f"Use {{{{ question }}}} in the prompt template {self.name}.", field="prompt")
        if _SAMPLE.text not in self._block("user", "", (_SAMPLE,)) + self._block("system", "", (_SAMPLE,)):
            raise ConfigError(f"Show the text of the passages in the prompt template {self.name}.", field="prompt")


class JinjaPrompts:
    """The built-in templates and, beside them, the `*.j2` files of a folder, by file name."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._loaded: dict[tuple[str, str], JinjaPrompt] = {}

    def list(self) -> list[str]:
        """Names, sorted."""
        return sorted({*_built_in(), *self._own()})

    def load(self, name: str) -> JinjaPrompt:
        """The template as its file stands now; NotFoundError, ConfigError."""
        built_in, own = _built_in(), self._own()
        if name in built_in and name in own:
            raise ConfigError(f"Rename {own[name]}: PaSSER has a prompt template of that name.", field="prompt")
        if name not in built_in and name not in own:
            raise NotFoundError(f"Choose one of the prompt templates {', '.join(self.list())}: there is no {name!r}.")
        return self.of_text(name=name, text=built_in[name] if name in built_in else _read(own[name]))

    def of_text(self, *, name: str, text: str) -> JinjaPrompt:
        """The template of that text, whatever the file of that name holds now; ConfigError."""
        key = (name, hashlib.sha256(text.encode()).hexdigest())
        if key not in self._loaded:
            self._loaded[key] = JinjaPrompt(name, text)
        return self._loaded[key]

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


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_TEMPLATE_BYTES:
            raise ConfigError(f"Shorten {path}: a prompt template has at most 64 KiB.", field="prompt")
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"Make {path} a readable UTF-8 file: {exc}.", field="prompt") from exc
