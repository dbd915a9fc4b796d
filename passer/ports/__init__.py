"""Protocols for everything outside PaSSER. Adapters implement them; tests/ has fakes."""

from __future__ import annotations

from passer.ports.accounts import AccountStore, ActivityStore, IdentityProvider, PasswordHasher, SettingStore
from passer.ports.answering import (
    ChatModel,
    ConnectionStore,
    Engine,
    PromptTemplate,
    PromptTemplates,
    Puller,
    PullProgress,
    ReportsMemory,
    Scorer,
    Vault,
    Workers,
)
from passer.ports.arena import GameFact, TournamentStore
from passer.ports.collections import Collections, DocumentReader, DocumentSummary, Fetcher, PassageIndex, Splitter
from passer.ports.datasets import (
    DatasetStore,
    DatasetSummary,
    DatasetVersion,
    ImportStore,
    ImportSummary,
    RetrievalInputStore,
)
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
    Outcome,
    PairFact,
    PromptFact,
    RankingFact,
    RunScores,
    SearchAddress,
    SharedRanking,
)
from passer.ports.judging import (
    DraftFact,
    DraftStore,
    JudgementFact,
    JudgementStore,
    LabelStore,
    MarkFact,
    MarkSum,
    SpentFact,
)
from passer.ports.ledger import (
    Ledger,
    LedgerHead,
    LedgerKind,
    LedgerPage,
    LedgerQuery,
    LedgerRow,
    LedgerTree,
    NoteSigner,
    OnRecorded,
    Outbox,
    OutboxEntry,
    RunRecord,
    StampStore,
    StoredCheckpoint,
    StoredRecord,
    StudyStore,
    Verified,
    WaitingState,
)
from passer.ports.machine import (
    Check,
    Clock,
    Generation,
    Part,
    QuestionTrace,
    Retrieval,
    Scoring,
    Span,
    TracedQuestion,
    Traces,
)
from passer.ports.signing import (
    ChainContract,
    ChainWitness,
    ContractKind,
    Journal,
    PlacedEntry,
    Sent,
    SentState,
    WalletLedger,
)
from passer.ports.sweeps import (
    FailureStreak,
    FoundRuns,
    ListedRun,
    RecentFailure,
    RunOrder,
    RunQuery,
    RunStore,
    StoredSweep,
    SweepProgress,
)
from passer.ports.tables import (
    DrawingFormat,
    FigureDrawer,
    ReportRenderer,
    SheetReader,
    TableContent,
    TableReader,
    TableWriter,
    reader_of,
    rows_of,
    writer_of,
)
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
