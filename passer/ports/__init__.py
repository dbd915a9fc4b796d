"""Protocols for everything outside PaSSER. Adapters implement them; tests/ has fakes."""

from __future__ import annotations

from passer.ports.accounts import AccountStore, IdentityProvider, PasswordHasher
from passer.ports.activity import ActivityStore
from passer.ports.answering import (
    ChatModel,
    Engine,
    PromptTemplate,
    PromptTemplates,
    Puller,
    PullProgress,
    ReportsMemory,
    Scorer,
    Workers,
)
from passer.ports.arena import GameFact, TournamentStore
from passer.ports.collections import Collections, DocumentReader, DocumentSummary, Fetcher, PassageIndex, Splitter
from passer.ports.connections import ConnectionStore, Vault
from passer.ports.datasets import DatasetStore, DatasetSummary, DatasetVersion, ImportStore, ImportSummary
from passer.ports.drafting import DraftFact, DraftStore
from passer.ports.encoding import (
    Counted,
    Embedder,
    Encoder,
    Progress,
    Rerankers,
    TokenStates,
    Vectors,
    WordNet,
    uncounted,
)
from passer.ports.evaluations import (
    AnswerFact,
    BareRanking,
    Effort,
    EvaluationFact,
    EvaluationStore,
    Fact,
    FoundAt,
    FoundRanking,
    Outcome,
    PairFact,
    PromptFact,
    RankingFact,
    RunScores,
)
from passer.ports.figures import DrawingFormat, FigureDrawer, ReportRenderer
from passer.ports.journal import Journal, Sent, SentState
from passer.ports.judging import JudgementFact, JudgementStore, LabelStore, MarkFact, MarkSum, SpentFact
from passer.ports.ledger import (
    Ledger,
    LedgerHead,
    LedgerKind,
    LedgerPage,
    LedgerQuery,
    LedgerRow,
    Outbox,
    OutboxEntry,
    RunRecord,
    StoredRecord,
    Taken,
    Verified,
    WaitingState,
)
from passer.ports.ledger_tree import LedgerTree, NoteSigner, StampStore, StoredCheckpoint
from passer.ports.machine import Check, Clock, Part
from passer.ports.project_settings import SettingStore
from passer.ports.retrieval_inputs import RetrievalInputStore
from passer.ports.run_lists import FoundRuns, ListedRun, RunOrder, RunQuery
from passer.ports.signing import ChainContract, ContractKind, WalletLedger
from passer.ports.sweeps import FailureStreak, RecentFailure, RunStore, StoredSweep, SweepProgress
from passer.ports.tables import SheetReader, TableContent, TableReader, TableWriter
from passer.ports.traces import Asked, Generation, QuestionTrace, Retrieval, Scoring, Span, Traces
from passer.ports.witness import ChainWitness, PlacedEntry
from passer.ports.work import (
    POSTING,
    FailedPart,
    WaitingWork,
    Work,
    WorkFailure,
    WorkKind,
    WorkProgress,
    WorkQuery,
    WorkStore,
)
