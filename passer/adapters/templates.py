"""Prompt templates: Jinja2 files of named blocks, rendered in a sandbox.

A file has the blocks `system` (optional) and `user`, and for a question without passages `closed_book_system` and
`closed_book_user` (both optional; without them the question is sent unchanged). Its variables are `question`,
`passages` (each with `text`, `document`, `page`, `number`), `abstention`, the sentence for "the passages do not contain
the answer", and `metadata`, further columns of the question in its dataset: `{{ metadata.region }}`, empty if it has no
value.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError
from jinja2.exceptions import SecurityError, TemplateSyntaxError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from passer.domain.models.abstention import ABSTENTION
from passer.domain.models.chat import Message
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConfigError

MOST_CHARACTERS = 2_000_000
"""Characters of one rendered block, or of one value computed in it."""
_PADDING = frozenset({"center", "expandtabs", "ljust", "rjust", "zfill"})
"""Methods that make a text of any length from a number."""


LONGEST_LINE = 80
"""Characters of a line that an error quotes."""
_KNOWN = (
    (re.compile(r"('.+') is undefined"), "template.undefined"),
    (re.compile(r"'.+' has no attribute ('.+')"), "template.no-attribute"),
    (re.compile(r"No filter named ('.+')\.?"), "template.no-filter"),
)
"""Jinja's messages with a name, and PaSSER's wording of them."""


_BLOCKS = frozenset({"system", "user", "closed_book_system", "closed_book_user"})
_SAMPLE = Passage(id="sample", document="sample.txt", number=0, text="A sentence.", start=0, end=11, page=1)


class _Environment(ImmutableSandboxedEnvironment):
    """A sandbox in which a short template cannot make a long text: Jinja's own limits only loops."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self) -> None:
        super().__init__(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
        for name in ("center", "format", "indent", "wordwrap"):
            del self.filters[name]

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if _length(operator, left, right) > MOST_CHARACTERS:
            raise SecurityError(sentence("template.value-too-long", operator=operator, most=MOST_CHARACTERS))
        return super().call_binop(context, operator, left, right)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Refuse str.format, which the sandbox would allow with any width."""
        if super().wrap_str_format(value) is not None:
            raise SecurityError(sentence("template.method-unsafe"))
        return None

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return not (isinstance(obj, str) and attr in _PADDING) and super().is_safe_attribute(obj, attr, value)


def _length(operator: str, left: Any, right: Any) -> float:
    """Return about how long the result of an operation is, in characters or digits."""
    if operator == "*":
        return float(_size(left)) * _size(right)
    if operator == "**":
        return math.log10(abs(left) + 10) * abs(right) if isinstance(left, int) and isinstance(right, int) else 0.0
    # A format such as %9999999999d; the remainder of two numbers is small.
    return math.inf if isinstance(left, str) else 0.0


def _size(value: Any) -> int:
    if isinstance(value, str | list | tuple):
        return len(value)
    return min(abs(int(value)), MOST_CHARACTERS + 1) if isinstance(value, int) else 1


class BlockTemplate:
    """A template whose blocks are rendered one by one; raises ConfigError for a text that is no template.

    The caller defines the blocks and variables. Undefined variables are errors, and the environment is sandboxed,
    because templates may come from other people.
    """

    def __init__(self, name: str, text: str, *, allowed: frozenset[str], required: str) -> None:
        self._name = name
        try:
            self._template = _Environment().from_string(text)
        except TemplateError as exc:
            raise ConfigError(sentence("template.wrong", name=name, why=_why(exc)), field="prompt") from exc
        self._check(allowed, required)

    def render(self, block: str, variables: Mapping[str, Any]) -> str:
        """Return the text of a block, trimmed; empty where the template has no such block.

        Raises ConfigError if the block fails.
        """
        render = self._template.blocks.get(block)
        if render is None:
            return ""
        try:
            return "".join(_bounded(render(self._template.new_context(dict(variables))))).strip()
        except (TemplateError, TypeError, ValueError, ArithmeticError, OverflowError, LookupError) as exc:
            raise ConfigError(
                sentence("template.block-wrong", block=block, name=self._name, why=_why(exc)),
                field="prompt",
            ) from exc

    def _check(self, allowed: frozenset[str], required: str) -> None:
        blocks = set(self._template.blocks)
        if required not in blocks:
            raise ConfigError(sentence("template.no-block", name=self._name, block=required), field="prompt")
        if unknown := blocks - allowed:
            raise ConfigError(
                sentence(
                    "template.unknown-block", name=self._name, block=min(unknown), known=", ".join(sorted(allowed))
                ),
                field="prompt",
            )


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
        system, user = self._texts(question, passages, metadata)
        first = (Message(role="system", content=system),) if system else ()
        return (*first, Message(role="user", content=user))

    def _texts(
        self, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None
    ) -> tuple[str, str]:
        prefix, variables = "" if passages else "closed_book_", _variables(question, passages, metadata)
        user = self._blocks.render(f"{prefix}user", variables) or question
        return self._blocks.render(f"{prefix}system", variables), user

    def _check(self) -> None:
        """Refuse a template that hides the question or the passages: its answers would not be about them."""
        for passages in ((_SAMPLE,), ()):
            if not any("<question>" in text for text in self._texts("<question>", passages)):
                raise ConfigError(
                    sentence("template.no-question", name=self.name, field="{{ question }}"), field="prompt"
                )
        variables = _variables("", (_SAMPLE,))
        if not any(_SAMPLE.text in self._blocks.render(block, variables) for block in ("user", "system")):
            raise ConfigError(sentence("template.no-passages", name=self.name), field="prompt")


def check_prompt(name: str, text: str) -> None:
    """Raise ConfigError for a text that is not a template."""
    _compiled(name, text)


def rendered(
    name: str, text: str, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None
) -> tuple[Message, ...]:
    """Return the messages of the template of that text."""
    return _compiled(name, text).render(question=question, passages=passages, metadata=metadata)


_compiled = lru_cache(maxsize=16)(JinjaPrompt)


class _Metadata(dict[str, str]):
    """Metadata of a question for a template; missing values are empty, as columns may be for some questions."""

    def __missing__(self, name: str) -> str:
        return ""


def _variables(question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the variables that a block may show."""
    given = [passage.model_dump(include={"text", "document", "page", "number"}) for passage in passages]
    return {"question": question, "passages": given, "abstention": ABSTENTION, "metadata": _Metadata(metadata or {})}


def _why(exc: Exception) -> str:
    """Return the reason in the reader's language; of what an expression does, only Jinja itself knows the words."""
    for form, code in _KNOWN:
        if name := form.fullmatch(str(exc.args[0] if exc.args else exc)):
            return sentence(code, name=name[1])
    if isinstance(exc, TemplateSyntaxError):
        line = (exc.source or "").splitlines()[exc.lineno - 1 : exc.lineno]
        return sentence("template.syntax", line=exc.lineno, source=line[0].strip()[:LONGEST_LINE] if line else "")
    ours = exc.args[0] if exc.args else None
    return ours if isinstance(ours, Sentence) else sentence("template.expression-fails", cause=str(exc))


def _bounded(parts: Iterable[str]) -> Iterator[str]:
    size = 0
    for part in parts:
        size += len(part)
        if size > MOST_CHARACTERS:
            raise SecurityError(sentence("template.makes-too-much", most=MOST_CHARACTERS))
        yield part
