"""Labels that a judge gives an answer of low correctness, and the names of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

RagLabel = Literal["not_extracted", "wrong_format", "under_specificity", "over_specificity", "incomplete"]
"""Error between passages and answer."""
LlmLabel = Literal[
    "factual_contradiction",
    "factual_fabrication",
    "instruction_inconsistency",
    "context_inconsistency",
    "logical_inconsistency",
]
"""Error in the text of an answer."""
AskedLabel = RagLabel | LlmLabel
CodeLabel = Literal["missing_content", "missed_top_ranked", "other", "unjudged", "no_failure"]
"""Labels by code: the collection has no gold passage; none was kept; low and nothing applies; no judgement; not low."""

COLUMNS: Mapping[AskedLabel, str] = MappingProxyType(
    {
        "not_extracted": "Failure: not extracted",
        "wrong_format": "Failure: wrong format",
        "under_specificity": "Failure: under-specific",
        "over_specificity": "Failure: over-specific",
        "factual_contradiction": "Failure: factual contradiction",
        "factual_fabrication": "Failure: factual fabrication",
        "instruction_inconsistency": "Failure: instruction inconsistency",
        "context_inconsistency": "Failure: context inconsistency",
        "logical_inconsistency": "Failure: logical inconsistency",
    }
)
"""Judged column of each label that a judge gives of every dataset."""
INCOMPLETE: AskedLabel = "incomplete"
INCOMPLETE_COLUMN = "Failure: incomplete"
"""Column of datasets that were not made from the collection. An assessment that has it also looks for missing content:
questions that were made from the collection have neither failure."""
RAG_LABELS: tuple[AskedLabel, ...] = tuple(COLUMNS)[:4]
LLM_LABELS: tuple[AskedLabel, ...] = tuple(COLUMNS)[4:]
CORRECTNESS = "Answer correctness"
"""Column that decides which answers are low."""
HIGHEST = 1.0
"""Correctness below which an answer is low unless a person sets another limit, and the highest one that is judged."""
