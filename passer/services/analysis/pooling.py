"""Panel and pool of CPS: those recorded with the sweep, or others that were chosen afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.choices import AS_USUAL, SweepChoices, check_scope
from passer.domain.analysis.composites import Rules
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.composite import PUBLISHED, Normalisation
from passer.domain.panel import PANELS, Panel, panel_named
from passer.services.analysis.comparability import identity_of

UNRECORDED: tuple[str, Normalisation] = ("phase3", "min-max")
"""Panel and normalisation of sweeps that record neither: they are older, or the published study."""


def rules_of(rows: ScoreRows, runs: Sequence[RunRows], choices: SweepChoices = AS_USUAL) -> Rules:
    """Return the rules that were chosen; InputError for constants that do not fit the runs, or the scope."""
    constants = choices.constants
    check_scope(choices.scope, pinned=constants is not None)
    if constants is not None:
        constants.check_comparable(identity_of(runs))
    panel, normalisation = recorded_pool(runs)
    return Rules(
        panel_named(choices.panel) if choices.panel else panel_with_values(rows, panel),
        "given" if constants else choices.scope,
        constants,
        choices.missing,
        choices.truncated,
        choices.normalisation or normalisation,
        choices.stability,
    )


def recorded_pool(runs: Sequence[RunRows]) -> tuple[str, Normalisation]:
    """Return panel and normalisation that all the runs' sweeps record; those of older sweeps where they differ."""
    panels, normalisations = {run.panel for run in runs}, {run.normalisation for run in runs}
    panel = panels.pop() if len(panels) == 1 else None
    normalisation = normalisations.pop() if len(normalisations) == 1 else None
    return panel or UNRECORDED[0], normalisation or UNRECORDED[1]


def changed_pool(runs: Sequence[RunRows], choices: SweepChoices) -> tuple[str, ...]:
    """Return what an analysis changes of the recorded pool and of T-CPS: a verdict by CPS is then exploratory."""
    panel, normalisation = recorded_pool(runs)
    chosen = {"panel": (choices.panel, panel), "normalisation": (choices.normalisation, normalisation)}
    changed = tuple(name for name, (wanted, recorded) in chosen.items() if wanted is not None and wanted != recorded)
    return changed if choices.stability == PUBLISHED else (*changed, "stability")


def panel_with_values(rows: ScoreRows, name: str) -> Panel:
    """Return a panel, without METEOR if a configuration has no value of it because WordNet was missing.

    Raises InputError for an unknown panel.
    """
    lost = rows.lost_everywhere("METEOR", "wordnet_unavailable")
    without = f"{name}-no-meteor"
    return panel_named(without if lost and without in PANELS else name)


def panel_of_texts(rows: ScoreRows, panel: Panel) -> Panel:
    """Return a panel without the metrics of which a configuration has no value because it had no encoder.

    For verdicts by a judge, which need no encoder: CPS is only shown beside them. CPS itself is never decided by such
    a panel unless a person chooses one.
    """
    for column in panel.columns:
        if rows.lost_everywhere(column, "encoder_unavailable"):
            panel = panel.without(column)
    return panel
