"""Every port has a fake, and every fake has all that its port asks for."""

from __future__ import annotations

import inspect
from typing import Protocol

import pytest

from passer import ports
from tests import (
    fake_connections,
    fake_files,
    fake_models,
    fake_outbox,
    fake_reports,
    fake_retrieval_inputs,
    fake_wallets,
    fake_work,
    fakes,
)
from tests.fake_store import MemoryStore

FAKES: dict[str, type] = {
    "Encoder": fakes.FakeEncoder,
    "Embedder": fakes.FakeEncoder,
    "WordNet": fake_files.FakeWordNet,
    "PassageIndex": fakes.FakeIndex,
    "Collections": fakes.FakeCollections,
    "ChatModel": fake_models.FakeChatModel,
    "PromptTemplate": fakes.FakeTemplate,
    "PromptTemplates": fakes.FakeTemplates,
    "ConnectionStore": fake_connections.FakeConnections,
    "Vault": fake_connections.FakeVault,
    "DocumentReader": fake_files.FakeReader,
    "TableReader": fake_files.FakeTables,
    "TableWriter": fake_files.FakeTables,
    "DatasetStore": MemoryStore,
    "RetrievalInputStore": fake_retrieval_inputs.FakeRetrievalInputs,
    "RunStore": MemoryStore,
    "WorkStore": fake_work.MemoryWork,
    "WaitingWork": fake_work.MemoryWork,
    "Outbox": fake_outbox.MemoryOutbox,
    "Journal": fake_outbox.MemoryJournal,
    "Ledger": fake_outbox.FakeLedger,
    "WalletLedger": fake_wallets.FakeWallets,
    "EvaluationStore": MemoryStore,
    "ImportStore": MemoryStore,
    "Puller": fake_models.FakePuller,
    "Scorer": fakes.FakeScorer,
    "Engine": fakes.FakeEngine,
    "Clock": fakes.FakeClock,
    "ChainWitness": fakes.FakeWitness,
    "Fetcher": fake_files.FakeFetcher,
    "FigureDrawer": fake_reports.FakeDrawer,
    "ReportRenderer": fake_reports.FakeRenderer,
    "Splitter": fake_files.FakeSplitter,
    "ReportsMemory": fake_models.FakeLoadedModel,
}
REAL_ONLY = {
    "SheetReader",
    "JudgementStore",
    "LabelStore",
    "TournamentStore",
    "AccountStore",
    "ActivityStore",
    "DraftStore",
    "IdentityProvider",
    "LedgerTree",
    "NoteSigner",
    "PasswordHasher",
    "Rerankers",
    "SettingStore",
    "StampStore",
    "StudyStore",
    "Traces",
}
"""Real even in the tests of services: no invented sheet has the defects of the real ones, and resuming an assessment,
a tournament or a draft is a matter of what a real database has committed. What a stranger may do, and what is recorded
of it, is tried on the real server alone. A cross-encoder small enough for a test is made in the test,
stamps are files that both verifiers read, publications are told to who reads the sweep's page again, and traces are
what a receiver decodes."""

PORTS = {
    name: port
    for name, port in inspect.getmembers(ports, inspect.isclass)
    if Protocol in port.__bases__ and port.__module__.startswith("passer.ports")
}


def test_every_port_has_a_fake():
    assert set(PORTS) == set(FAKES) | REAL_ONLY


@pytest.mark.parametrize("name", sorted(FAKES))
def test_a_fake_has_what_its_port_asks_for(name):
    fake = FAKES[name]
    wanted = {member for member in vars(PORTS[name]) if not member.startswith("_")}
    wanted |= set(getattr(PORTS[name], "__annotations__", {}))
    made_at_birth = set(inspect.getsource(fake).split())
    for member in wanted:
        assert hasattr(fake, member) or f"self.{member}" in made_at_birth, f"{fake.__name__} lacks {member}"
        if inspect.isfunction(vars(PORTS[name]).get(member)):
            asked = inspect.signature(vars(PORTS[name])[member]).parameters
            given = inspect.signature(getattr(fake, member)).parameters
            assert list(asked) == list(given), f"{fake.__name__}.{member}"
