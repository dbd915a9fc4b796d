"""Replies of the scripted server: texts, token counts, durations, vectors; all a function of the request alone."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import numpy as np

DIMENSION = 64
_FIRST_PASSAGE = re.compile(r"^\[1\] [^\n]*\n+(.+?)(?=\n\n\[2\] |\n\nQuestion: |\Z)", re.DOTALL | re.MULTILINE)
_QUESTION = re.compile(r"Question: (.+)\s*\Z", re.DOTALL)


def first_sentence(prompt: str) -> str:
    """The default reply: the first sentence of the first passage, or an echo of the question."""
    passage = _FIRST_PASSAGE.search(prompt)
    if passage:
        return re.split(r"(?<=[.!?])\s", " ".join(passage[1].split()), maxsplit=1)[0]
    question = _QUESTION.search(prompt)
    return f"About this: {(question[1] if question else prompt).strip()}"


def count_tokens(text: str) -> int:
    """Words and marks; what this server calls a token."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def first_tokens(text: str, limit: int) -> str:
    """The text up to its limit-th token."""
    ends = [match.end() for match in re.finditer(r"\w+|[^\w\s]", text)]
    return text if len(ends) <= limit else text[: ends[limit - 1]]


def durations(*, prompt_tokens: int, reply_tokens: int) -> dict[str, int]:
    """Nanoseconds and counts as Ollama reports them: 1 ms to load, 0.1 ms a prompt token, 10 ms a generated one."""
    load, reading, writing = 1_000_000, 100_000 * prompt_tokens, 10_000_000 * reply_tokens
    return {
        "total_duration": load + reading + writing,
        "load_duration": load,
        "prompt_eval_count": prompt_tokens,
        "prompt_eval_duration": reading,
        "eval_count": reply_tokens,
        "eval_duration": writing,
    }


def vector(text: str) -> list[float]:
    """Bag of words: texts that share words are near each other; length 1."""
    total = np.full(DIMENSION, 1e-3)
    for word in re.findall(r"\w+", text.lower()):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        total += np.random.default_rng(seed).standard_normal(DIMENSION)
    return [float(value) for value in total / np.linalg.norm(total)]


def tunable_judge(prompt: str) -> str:
    """Reply of a judge that grades by the length of the reference, but only by an instruction that it wrote itself.

    Whether passages answer a question it decides by the length of the question.
    """
    if "Rewrite the instruction" in prompt:
        return "Grade strictly, as people who know the subject do."
    if "Decide whether the passages alone" in prompt:
        return str(len(re.findall(r"question:\n<<<(\w+)\n(.*?)\n\1>>>", prompt, re.DOTALL)[-1][1]) % 2)
    reference = re.findall(r"reference:\n<<<(\w+)\n(.*?)\n\1>>>", prompt, re.DOTALL)
    return str(len(reference[-1][1]) % 11) if reference and "Grade strictly" in prompt else "0"


def matching(schema: Any, text: str) -> str:
    """JSON that fits a `format`: `"json"` or a JSON schema, with the text, cut to maxLength, as each string.

    A choice is the one that the text names, else the first one.
    """
    return json.dumps({"answer": text} if schema == "json" else _instance(schema, text))


def _instance(schema: dict[str, Any], text: str) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return next((each for each in schema["enum"] if str(each) == text), schema["enum"][0])
    if "anyOf" in schema:
        return _instance(schema["anyOf"][0], text)
    kind = schema.get("type", "object")
    if kind == "object":
        return {name: _instance(part, text) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_instance(schema.get("items", {"type": "string"}), text)] * max(1, schema.get("minItems", 1))
    numbers = {"integer": int(schema.get("minimum", 1)), "number": float(schema.get("minimum", 0.5))}
    return {"string": text[: schema.get("maxLength")], "boolean": True, "null": None, **numbers}[kind]
