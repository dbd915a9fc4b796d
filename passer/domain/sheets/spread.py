"""Spread of the paired differences that imported sheets measured, for the plan of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.analysis import measured_spread
from passer.domain.analysis.composites import Rules, composed
from passer.domain.composite import CPS, Normalisation
from passer.domain.panel import higher_is_better, panel_named, panel_of
from passer.domain.sheets.rows import rows_of_sheets
from passer.domain.sheets.sheet import Sheet
from passer.domain.verdict.family import FamilyRule, family_gains
from passer.domain.verdict.sample_size import MeasuredSpread
from passer.errors import PasserError

DRAWS = 1_999
"""Resamples: a plan waits for them, and its critical value needs no third digit."""


def sheet_spread(
    sheets: Sequence[Sheet], primary: str, *, panel: str, normalisation: Normalisation
) -> MeasuredSpread | None:
    """Return the largest spread in a primary metric, CPS or one of the 24 columns; None if the sheets do not show one.

    A metric is read from its true column, as in corrected analyses. CPS is computed with the panel, in the pool of all
    sheets.
    """
    of_primary = panel_named(panel) if primary == CPS else panel_of(primary)
    try:
        rows = rows_of_sheets(sheets, [sheet.model for sheet in sheets], of_primary)
        table = composed(rows, Rules(of_primary, normalisation=normalisation)).questions
    except PasserError:
        # The sheets lack a column, their labels are unclear, or the pool has no range: the page of the import shows it.
        return None
    if not table.comparisons:
        return None
    is_cps = primary == CPS
    sign = 1.0 if is_cps or higher_is_better(primary) else -1.0
    # A column is kept beside its composite, in its own units.
    differences = sign * table.gains(table.comparisons, 0 if is_cps else 1)
    return measured_spread(family_gains(differences, FamilyRule(draws=DRAWS)))
