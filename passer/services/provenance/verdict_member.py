"""verdict.json of a bundle, written once its sweep has a verdict."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from passer.domain.bundle.verdict_document import document_bytes
from passer.domain.sweeps.run import RunState
from passer.errors import ConflictError, InputError
from passer.ports import Outbox, RunStore
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.verdict.bundle_content import VerdictSource
from passer.services.analysis.verdict.judged_column_reader import NO_REPLIES
from passer.services.analysis.verdict.primary_metric import recorded_rule


@dataclass(frozen=True)
class VerdictMember:
    """Writes what a sweep concluded, for the bundles of its runs."""

    runs: RunStore
    outbox: Outbox
    sweep_results: SweepResults

    def content(self, sweep_id: str) -> bytes | None:
        """Return verdict.json; None while a run is not finished, or without any verdict.

        A bundle that was written before its sweep had a verdict, and one of a sweep that cannot have any, have five
        members and stay as they are.
        """
        stored = self.runs.load_sweep(sweep_id)
        if any(run.state is not RunState.FINISHED for run in stored.runs):
            return None
        column = self.sweep_results.recorded_column(stored)
        try:
            verdict = self.sweep_results.analyse(sweep_id).verdict
        except (ConflictError, InputError):
            # No answer was scored, or the panel cannot be computed; the page of the sweep shows the reason.
            return None
        if all(each.verdict.kind == "no_verdict" for each in verdict.conclusions):
            return None
        judged = VerdictSource(
            sweep_id=sweep_id,
            conclusion_digest=verdict.digest,
            rows=self.sweep_results.rows(sweep_id),
            questions=self.sweep_results.run_browser.questions(stored),
            recorded=recorded_rule(stored.sweep),
            judged=column,
            replies=NO_REPLIES if column is None else self.sweep_results.judged_columns.judge_replies(column),
        )
        return document_bytes(judged.content(self._digest_of_run))

    def _digest_of_run(self, run_id: str) -> str | None:
        kept = self.outbox.manifest(run_id)
        return None if kept is None else hashlib.sha256(kept.encode()).hexdigest()
