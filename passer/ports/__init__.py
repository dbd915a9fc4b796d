"""Everything outside PaSSER, behind small protocols. Adapters implement them; fakes in tests/ do too."""

from __future__ import annotations

from passer.ports.answering import Engine, Generator, PromptTemplate, PromptTemplates, Scorer, Workers
from passer.ports.collections import Collections, DocumentReader, DocumentSummary, Fetcher, PassageIndex, Splitter
from passer.ports.datasets import DatasetStore, DatasetSummary, ImportStore, ImportSummary
from passer.ports.encoding import Embedder, Encoder, Progress, TokenStates, Vectors, WordNet
from passer.ports.evaluations import (
    AnswerFact,
    Effort,
    EvaluationFact,
    EvaluationStore,
    Fact,
    PairFact,
    PromptFact,
    RankingFact,
)
from passer.ports.machine import Check, Clock, Part
from passer.ports.sweeps import LeaseStore, RunStore, StoredSweep, SweepProgress
from passer.ports.tables import SheetReader, TableReader, TableWriter

__all__ = [
    "AnswerFact",
    "Check",
    "Clock",
    "Collections",
    "DatasetStore",
    "DatasetSummary",
    "DocumentReader",
    "DocumentSummary",
    "Effort",
    "Embedder",
    "Encoder",
    "Engine",
    "EvaluationFact",
    "EvaluationStore",
    "Fact",
    "Fetcher",
    "Generator",
    "ImportStore",
    "ImportSummary",
    "LeaseStore",
    "PairFact",
    "Part",
    "PassageIndex",
    "Progress",
    "PromptFact",
    "PromptTemplate",
    "PromptTemplates",
    "RankingFact",
    "RunStore",
    "Scorer",
    "SheetReader",
    "Splitter",
    "StoredSweep",
    "SweepProgress",
    "TableReader",
    "TableWriter",
    "TokenStates",
    "Vectors",
    "WordNet",
    "Workers",
]
