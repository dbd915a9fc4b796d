"""Tasks of a judge: the instruction, the worked examples and the form of the reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import Field, JsonValue

from passer.domain.base import Frozen, canonical_json, digest_of
from passer.domain.judging.ask import REFERENCES, Given
from passer.domain.judging.fences import FENCE_RULE, fenced, mark_for, numbered
from passer.domain.models.chat import Message

FORM = 1
"""Version of how prompts are put together; another form is another task."""
LINE_CHARACTERS = 300
"""Longest reply of a task without a schema."""
JSON_RULE = "Reply with one JSON object and nothing else. Its members: {members}."
LINE_RULE = "Reply with one line of plain text and nothing else."
LINES_RULE = "Reply with at most {lines} lines of plain text, one {of} each, and nothing else."
LANGUAGE_RULE = "Write texts of your own in {language}, and copy quotes as they are."
SEVERAL_REFERENCES = (
    "The numbered texts of `references` are several right answers to the same question, often other names or words for "
    "one thing. Each of them is right on its own."
)
REFERENCES_RULE = (
    f"{SEVERAL_REFERENCES} Wherever the reference answer is mentioned, use the one of them that fits best, and do not "
    "expect what only the others say."
)
"""Paragraph of a prompt whose question has several right answers."""
OF_THE_QUESTION = "the language of the question"


class Reasoned(Frozen):
    """A reply that begins with the judge's reasoning, which comes before its decision."""

    a_reason: str = Field(max_length=300)
    """At most two sentences."""


class Shot(Frozen):
    """One worked example."""

    given: Given
    """The texts that the judge reads."""
    reply: dict[str, JsonValue] | str
    """The correct reply."""


class TaskText(Frozen):
    """A task as it was used, so that later versions of PaSSER can show what was asked."""

    name: str
    """Unique name of the task."""
    instruction: str
    """Instruction for the judge."""
    reply_schema: dict[str, JsonValue] | None
    """JSON schema of the reply; None for one line of text."""
    examples: tuple[Shot, ...]
    """Worked examples, shown as earlier turns of the conversation."""
    digest: str
    """Digest of instruction, schema and examples."""


@dataclass(frozen=True)
class JudgeTask:
    """A task: the same instruction, examples and reply form for every ask of it."""

    name: str
    instruction: str
    """The instruction as plain text; nothing is substituted in it."""
    reply: type[Frozen] | None
    """Form of the reply; None asks for one line of plain text.

    Servers may sort the members of a schema, so members with text have names that come before those with a verdict:
    the judge reasons before it decides.
    """
    examples: tuple[Shot, ...] = ()
    is_sampled: bool = False
    """True if several samples are drawn of one ask, at a temperature above 0."""
    lines: int = 1
    """Most lines of a reply without a schema; the value is a list of lines if it is above 1."""
    of: str = "line"
    """Content of a line, in the words of the prompt."""
    of_references: str = REFERENCES_RULE
    """Paragraph on several right answers, in prompts that have them."""
    language: str = ""
    """Language in which the judge writes, such as Bulgarian; empty for that of the question."""

    @cached_property
    def schema(self) -> dict[str, JsonValue] | None:
        """JSON schema of the reply, references inlined, without descriptions; None for one line of text."""
        if self.reply is None:
            return None
        plain = self.reply.model_json_schema()
        found: dict[str, JsonValue] = _inlined(plain, plain.get("$defs", {}))
        return found

    def schema_for(self, lengths: Mapping[str, int]) -> dict[str, JsonValue] | None:
        """Return the schema of one ask, in which these lists have exactly these lengths.

        Servers then make lists that fit: a small model fills a list up to its longest. The digest does not depend on
        it, so that all asks are of one task, and the length is checked by code as well.
        """
        if self.schema is None or not lengths:
            return self.schema
        plain: dict[str, Any] = self.schema
        members = dict(plain["properties"])
        members |= {name: {**members[name], "minItems": n, "maxItems": n} for name, n in lengths.items()}
        return {**plain, "properties": members}

    @cached_property
    def digest(self) -> str:
        """Return the content address of the task."""
        examples = [shot.model_dump(mode="json") for shot in self.examples]
        lines = {"lines": self.lines, "of": self.of} if self.lines > 1 else {}
        language = {"language": self.language} if self.language else {}
        parts = {"form": FORM, "instruction": self.instruction, "schema": self.schema, "examples": examples}
        return digest_of({**parts, **lines, **language})

    @cached_property
    def budget(self) -> int:
        """Return the number of tokens that the longest valid reply needs."""
        return 64 + (self.lines * LINE_CHARACTERS // 2 if self.schema is None else _tokens(self.schema))

    @property
    def text(self) -> TaskText:
        """Return the task as it is stored with an assessment."""
        return TaskText(
            name=self.name,
            instruction=self.instruction,
            reply_schema=self.schema,
            examples=self.examples,
            digest=self.digest,
        )

    def messages(self, given: Given) -> tuple[Message, ...]:
        """Return the prompt: instruction and examples, which all asks share, then the texts between fences."""
        return (*self._shared, self._asked(given))

    @cached_property
    def _shared(self) -> tuple[Message, ...]:
        language_rule = LANGUAGE_RULE.format(language=self.language or OF_THE_QUESTION)
        messages = [Message(role="system", content="\n\n".join((self.instruction, language_rule, self._form())))]
        for shot in self.examples:
            said = shot.reply if isinstance(shot.reply, str) else canonical_json(shot.reply).decode()
            messages.append(self._asked(shot.given))
            messages.append(Message(role="assistant", content=said))
        return tuple(messages)

    def _form(self) -> str:
        if self.schema is not None:
            return JSON_RULE.format(members=", ".join(_members(self.schema)))
        return LINE_RULE if self.lines == 1 else LINES_RULE.format(lines=self.lines, of=self.of)

    def _asked(self, given: Given) -> Message:
        mark = mark_for(self.digest, _texts(given))
        # Not in the instruction: questions with one reference are asked by the same task, with the same digest.
        rules = [FENCE_RULE.format(mark=mark), *([self.of_references] if REFERENCES in given else [])]
        return Message(role="user", content="\n\n".join((*rules, _shown(given, mark))))


def _texts(given: Given) -> list[str]:
    """Return all texts of an ask with their names, so that the mark depends on the place of each text."""
    found = []
    for name, value in given.items():
        found += [name, *value] if isinstance(value, list) else [name, str(value)]
    return found


def _shown(given: Given, mark: str) -> str:
    blocks = []
    for name, value in given.items():
        if isinstance(value, int):
            blocks.append(f"{name}: {value}")
        else:
            blocks.append(f"{name}:\n{fenced(value if isinstance(value, str) else numbered(value), mark)}")
    return "\n\n".join(blocks)


def _inlined(value: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema without references, titles and descriptions: some servers refuse them or count them as prompt."""
    if isinstance(value, list):
        return [_inlined(item, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _inlined(definitions[value["$ref"].rpartition("/")[2]], definitions)
    kept = {name: part for name, part in value.items() if name not in ("title", "description", "$defs", "default")}
    if "properties" in kept:
        members = {name: _inlined(part, definitions) for name, part in sorted(kept["properties"].items())}
        return {**kept, "properties": members, "required": sorted(members)}
    return {name: _inlined(part, definitions) for name, part in kept.items()}


def _tokens(schema: dict[str, Any]) -> int:
    """Return the tokens of the longest reply: half a token for each character of a string, 16 for each member."""
    if "properties" in schema:
        return sum(16 + _tokens(part) for part in schema["properties"].values())
    if schema.get("type") == "array":
        return int(schema["maxItems"]) * (4 + _tokens(schema["items"]))
    return int(schema.get("maxLength", 0)) // 2


def _members(schema: dict[str, Any]) -> Sequence[str]:
    return [_member(name, part) for name, part in schema["properties"].items()]


def _member(name: str, schema: dict[str, Any]) -> str:
    """Describe a member of the reply to a model whose server does not enforce the schema."""
    if "enum" in schema:
        return f"{name} (one of {', '.join(map(str, schema['enum']))})"
    if "properties" in schema:
        return f"{name} (object with {', '.join(_members(schema))})"
    if schema.get("type") == "array":
        items = schema["items"]
        inner = f" of objects with {', '.join(_members(items))}" if "properties" in items else ""
        choice = f" of {' or '.join(map(str, items['enum']))}" if "enum" in items else ""
        return f"{name} (list{inner}{choice})"
    return f"{name} (text)"
