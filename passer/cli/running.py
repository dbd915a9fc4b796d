"""Running a sweep from the command line, and printing what came of it."""

from __future__ import annotations

import sys
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from passer.cli.output import ProgressLine, note, number, p_value, print_table
from passer.errors import InputError, LeaseError

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.analysis.analysis import SweepAnalysis
    from passer.ports import StoredSweep

LOOK_EVERY_S = 0.2
TAKE_OVER_EVERY_S = 2.0


def run_or_follow(services: Services, sweep_id: str) -> StoredSweep:
    """Run a sweep here, or follow it where another process runs it; the first Ctrl-C saves and stops."""
    stop, failure = Event(), []

    def work() -> None:
        following = False
        try:
            while not stop.is_set() and _is_live(services.runs.load_sweep(sweep_id, counted=False)):
                try:
                    services.running.run(sweep_id, stop=stop)
                    return
                except LeaseError:
                    if not following:
                        note(f"Sweep {sweep_id} is run by another PaSSER: following it.")
                    following = True
                    # Should that one end without finishing, its lease is free, and this one goes on.
                    stop.wait(TAKE_OVER_EVERY_S)
        except Exception as exc:
            failure.append(exc)

    thread = Thread(target=work, name="sweep", daemon=True)
    with ProgressLine() as line:
        try:
            thread.start()
            while thread.is_alive():
                _show(line, services.runs.load_sweep(sweep_id, counted=False))
                thread.join(LOOK_EVERY_S)
        except KeyboardInterrupt:
            stop.set()
            note("Saving what is there ...")
            if thread.ident is not None:
                thread.join()
            note(f"Stopped. Go on with: passer resume {sweep_id}")
            sys.exit(130)
    if failure:
        raise failure[0]
    _record(services)
    return services.runs.load_sweep(sweep_id)


def print_outcome(services: Services, sweep_id: str) -> None:
    """The analysis of a sweep that has just run; one that its scores do not allow is no failure of the sweep."""
    try:
        analysis = services.comparing.analyse(sweep_id)
    except InputError as exc:
        note(f"Sweep {sweep_id} has run. {exc}")
        note(f"With another panel: passer analyse {sweep_id} --panel NAME")
        return
    print_analysis(analysis)


def print_analysis(analysis: SweepAnalysis) -> None:
    """The composite table, its pool, and what is recommended."""
    rows = []
    for c in analysis.configurations:
        test = c.comparison
        rows.append(
            (
                c.name + (" (baseline)" if c.is_baseline else ""),
                str(c.n),
                number(c.mean_cps),
                number(c.cv, 3),
                number(c.tcps),
                number(test.gain if test else None, sign=True),
                number(test.improvement_pct if test else None, 2, sign=True),
                p_value(test.p_holm if test else None),
                number(test.cohens_d if test else None, 3, sign=True),
                number(test.balance if test else None, 3),
                number(c.retrieval.coverage, 2),
                number(c.retrieval.mean_passages, 1),
                number(c.retrieval.recall, 3),
            )
        )
    columns = [
        "configuration", "n", "CPS", "CV", "T-CPS", "gain", "gain %", "p (Holm)", "d", "Balance", "coverage",
        "passages", "recall",
    ]  # fmt: skip
    print_table(columns, rows)
    for line in (f"Profile: {analysis.profile_label}.", *analysis.statements, *analysis.warnings):
        note(f"  {line}")


def _show(line: ProgressLine, sweep: StoredSweep) -> None:
    progress = sweep.progress
    if progress is None:
        return
    tail = f"{progress.rate_per_s:.1f}/s" if progress.rate_per_s else ""
    if progress.eta_s is not None:
        tail += f", {progress.eta_s:.0f} s to go"
    line(progress.stage.capitalize(), progress.done, progress.total, tail)


def _record(services: Services) -> None:
    """The local ledger takes what is finished at once; a chain is posted to apart, since that may take long."""
    if services.settings.ledger == "local":
        # Another process may be posting: it takes these too.
        with suppress(LeaseError):
            services.posting.post()
    waiting = sum(record.waiting for record in services.outbox.unposted(ledger=services.settings.ledger))
    if waiting:
        note(f"{waiting} entries wait for the ledger: `passer ledger post`.")


def _is_live(sweep: StoredSweep) -> bool:
    return any(not run.state.is_final and not run.held for run in sweep.runs)
