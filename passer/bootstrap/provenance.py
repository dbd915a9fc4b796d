"""The services of provenance: manifests, bundles, the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

from passer import __version__
from passer.bootstrap.adapters import Adapters
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.dataset import Question
from passer.domain.study.registration import Registration
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, LeaseError
from passer.ports import StoredSweep
from passer.services.analysis.sweep_results import SweepResults
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.bundle_writer import BundleWriter
from passer.services.provenance.checkpoints import Checkpoints
from passer.services.provenance.ledger_browser import LedgerBrowser
from passer.services.provenance.manifest_builder import ManifestBuilder
from passer.services.provenance.outbox_poster import OutboxPoster
from passer.services.provenance.proof_members import ProofMembers, VerdictMember
from passer.services.provenance.published_study import ComposedStudy, StudyPublisher, StudyRecorder
from passer.services.provenance.registrar import Registrar, WaitingSweeps
from passer.services.provenance.reproducer import Reproducer
from passer.services.provenance.run_recorder import RunRecorder
from passer.services.provenance.sheet_study_composer import SheetStudyComposer
from passer.services.provenance.study_composer import StudyComposer
from passer.services.provenance.verifier import Verifier
from passer.services.provenance.wallet_signing import WalletSigning
from passer.services.sweeps.planner import SweepPlanner


@dataclass(frozen=True)
class Provenance:
    """Records finished runs, and exports what was recorded."""

    adapters: Adapters
    sweep_results: Callable[[], SweepResults]
    """Returns the analysis of sweeps, which is built later and itself needs manifests."""

    @cached_property
    def manifest_builder(self) -> ManifestBuilder:
        """Builds the manifest and question records of runs."""
        from passer.adapters.surroundings import surroundings

        return ManifestBuilder(
            runs=self.adapters.runs,
            evaluations=self.adapters.evaluations,
            datasets=self.adapters.datasets,
            collections=self.adapters.collections,
            templates=self.adapters.templates,
            surroundings=partial(surroundings, __version__),
            project=self.adapters.settings.project,
        )

    @cached_property
    def run_recorder(self) -> RunRecorder:
        return RunRecorder(
            runs=self.adapters.runs,
            outbox=self.adapters.outbox,
            manifest_builder=self.manifest_builder,
            ledger=self.adapters.settings.ledger,
            granularity=lambda: self.adapters.project_settings.current().ledger_granularity,
        )

    def post_locally(self) -> None:
        """Post waiting entries where the ledger is the local one; posting to a chain may take long and is asked for."""
        if self.adapters.settings.ledger == "local":
            # Another process may be posting; it posts these entries too.
            with suppress(LeaseError):
                self.outbox_poster.post()

    @cached_property
    def bundle_writer(self) -> BundleWriter:
        return BundleWriter(
            manifest_builder=self.manifest_builder,
            outbox=self.adapters.outbox,
            ledger=self.adapters.settings.ledger,
            verdict_of=self._verdict_content,
            proofs=self._proof_members,
        )

    @cached_property
    def study_publisher(self) -> StudyPublisher:
        """Enters composed studies in the ledger and writes their files."""
        from passer.adapters.store.studies import DatabaseStudies

        recorder = StudyRecorder(self.adapters.ledgers.chosen, self.adapters.work)
        return StudyPublisher(recorder, self._proof_members, DatabaseStudies(self.adapters.database))

    @cached_property
    def study_composer(self) -> StudyComposer:
        return StudyComposer(
            runs=self.adapters.runs,
            sweep_results=self.sweep_results(),
            bundle_writer=replace(self.bundle_writer, verdict_of=None, proofs=None),
            published_by=f"PaSSER {__version__}",
        )

    @cached_property
    def sheet_study_composer(self) -> SheetStudyComposer:
        return SheetStudyComposer(self.adapters.imports, f"PaSSER {__version__}")

    def published_study(self, digest: str) -> ComposedStudy:
        """Return a study as it was published here; NotFoundError or ConflictError if it cannot be written again."""
        kept = self.study_publisher.kept(digest)
        composer = self.study_composer if kept.document.sheets is None else self.sheet_study_composer
        return composer.again(kept)

    @cached_property
    def _proof_members(self) -> ProofMembers:
        from passer.adapters.time_stamps import StampFiles, stamped

        return ProofMembers(
            checkpoints=lambda: self.checkpoints,
            stamps=StampFiles(self.adapters.settings.project_home / "stamps"),
            authority=lambda: self.adapters.project_settings.current().timestamp_url,
            ask=stamped,
        )

    def register(self, stored: StoredSweep, questions: Sequence[Question]) -> Registration:
        """Enter the plan of a sweep in the ledger; ConflictError where that is not possible."""
        return self._registrar.register(stored, questions)

    @cached_property
    def waiting_sweeps(self) -> WaitingSweeps:
        return WaitingSweeps(self._registrar, self.adapters.work, self.adapters.datasets)

    @property
    def _registrar(self) -> Registrar:
        return Registrar(self.adapters.runs, StudyRecorder(self.adapters.ledgers.chosen, self.adapters.work))

    def _verdict_content(self, sweep_id: str) -> bytes | None:
        return VerdictMember(self.adapters.runs, self.adapters.outbox, self.sweep_results()).content(sweep_id)

    @cached_property
    def outbox_poster(self) -> OutboxPoster:
        return OutboxPoster(self.adapters.outbox, self.adapters.ledgers.chosen, self.adapters.clock, self.adapters.work)

    @cached_property
    def wallet_signing(self) -> WalletSigning:
        """Prepares and checks what wallets sign."""
        values = self.adapters.settings
        return WalletSigning(
            outbox=self.adapters.outbox,
            journal=self.adapters.ledgers.journal,
            outbox_poster=self.outbox_poster,
            work=self.adapters.work,
            clock=self.adapters.clock,
            wallet=self.adapters.ledgers.wallets,
            signs_itself=values.chain_key is not None or values.chain_key_file is not None,
            relay=values.wallet_relay,
        )

    def reproducer(self, planner: SweepPlanner) -> Reproducer:
        """Runs published studies again."""
        from passer.antelope.format.entries import recorded_actions

        verifier = Verifier(BundleVerifier(recorded_actions))
        return Reproducer(verifier, planner, self.adapters.datasets, self.study_composer)

    @cached_property
    def checkpoints(self) -> Checkpoints:
        """Signs checkpoints of the local ledger; ConflictError where rows are recorded on a chain."""
        from passer.adapters.note_key import fingerprint

        settings, ledgers = self.adapters.settings, self.adapters.ledgers
        if settings.ledger != "local":
            raise ConflictError(sentence("chain.proves-itself"))
        installation = settings.ledger_origin or f"passer/{fingerprint(ledgers.note_signer.key('passer'))}"
        of_project = "" if settings.project == DEFAULT_PROJECT else f"/{settings.project}"
        return Checkpoints(ledgers.tree, ledgers.note_signer, installation + of_project)

    @cached_property
    def ledger_browser(self) -> LedgerBrowser:
        """Lists and compares ledger entries."""
        from passer.adapters.tables import table_readers

        return LedgerBrowser(ledger=self.adapters.ledgers.chosen, tables=table_readers())
