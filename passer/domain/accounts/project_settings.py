"""Settings that each project can override; other projects use the values of the environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from passer.domain.base import Frozen
from passer.domain.retrieval.passages import EMBEDDED
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError

Source = Literal["default", "environment", "project"]
"""Source of a value: built in, an environment variable of the installation, or the project."""
_EMBEDDING = rf"(embedded|{re.escape(EMBEDDED)}|ollama/[A-Za-z0-9][A-Za-z0-9._:/-]*)"
_ALLOWED: Mapping[str, str] = {
    # A path would let an administrator of a project read files of the server: only the environment sets paths.
    "embedding": _EMBEDDING,
    "judge_embedding": rf"(scoring|{_EMBEDDING})",
    "ledger_granularity": "question|run",
    "timestamp_url": r"https?://[^\s/@]+(/[^\s@]*)?",
}
"""Values that a project may choose; narrower than those of the environment."""


class ProjectValues(BaseModel):
    """Settings that change what a project measures or records, without cost for other projects."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    embedding: str = "embedded"
    """Embedding model of new collections: `embedded`, `ollama/<tag>`, or a path."""
    judge_embedding: str = "scoring"
    """Model of the vectors that judged metrics compare: `scoring` (the scoring encoder), `ollama/<tag>`, or a path."""
    ledger_granularity: Literal["question", "run"] = "question"
    """One row per question and one per run, or only the latter where a chain's memory is expensive."""
    timestamp_url: str | None = Field(default=None, pattern=r"^https?://[^\s]+$")
    """Time stamp authority (RFC 3161) that `passer ledger stamp` asks; none by default."""


class ProjectSetting(Frozen):
    """A setting of a project, with the origin of its value."""

    name: str
    """Name for `passer settings set`."""
    value: str | None
    """Value that applies in the project; None where nothing is set."""
    source: Source
    """Source of the value."""
    inherited: str | None
    """Value that applies without one of the project."""
    variable: str
    """Environment variable with the value of all projects that have none of their own."""


def allowed_value(name: str, text: str) -> str:
    """Return a value that a project may choose; NotFoundError for an unknown setting, InputError for a wrong value."""
    if name not in ProjectValues.model_fields:
        raise NotFoundError(sentence("setting.unknown", name=name[:60], known=", ".join(ProjectValues.model_fields)))
    text = text.strip()
    if len(text) > 500 or not re.fullmatch(_ALLOWED[name], text):
        raise InputError(sentence(f"setting.{name}", value=text[:100]), field="value")
    return text
