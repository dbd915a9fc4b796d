"""prompts.jsonl: the prompts of a study as they were sent, with the texts of the retrieved passages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from passer.domain.analysis.run_rows import RunRows
from passer.domain.base import canonical_json
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.zip_form import Buffer
from passer.domain.models.answer import Prompt

_LINE = re.compile(rb"[^\n]*\n")


def sent_digests(runs: Iterable[RunRows]) -> list[str]:
    """Return the digests of the prompts of all runs, each once, in the order of their first use."""
    sent = (item.prompt_digest for run in runs for item in run.questions)
    return list(dict.fromkeys(digest for digest in sent if digest is not None))


def prompt_line(prompt: Prompt) -> bytes:
    """Return the line of a prompt: its SHA-256 without the end-of-line character is the prompt's digest."""
    return canonical_json(prompt.plain_messages) + b"\n"


def other_prompt(content: Buffer, digests: Sequence[str]) -> Violation | None:
    """Return the first line that is not the prompt with the digest of the records; None where all are."""
    if len(content) and content[-1:] != b"\n":
        return Violation("Its last line has no end-of-line character.")
    held = (hashlib.sha256(line.group()[:-1]).hexdigest() for line in _LINE.finditer(content))
    # Line by line: a file of other lines ends at the first.
    for number, (found, stated) in enumerate(zip_longest(held, digests), start=1):
        if found != stated:
            return Violation(f"Line {number} is not the prompt that the records state.")
    return None
