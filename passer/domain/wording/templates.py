"""Every template, of all rooms."""

from __future__ import annotations

from passer.domain.wording import of_analyses, of_evidence, of_plans, of_problems, of_sheets

ROOMS: tuple[dict[str, str], ...] = (
    of_analyses.TEMPLATES,
    of_evidence.TEMPLATES,
    of_plans.TEMPLATES,
    of_problems.TEMPLATES,
    of_sheets.TEMPLATES,
)
TEMPLATES: dict[str, str] = {code: template for room in ROOMS for code, template in room.items()}
"""English by code."""
STORED: dict[str, str] = of_sheets.TEMPLATES | of_problems.TEMPLATES
"""Of sentences that are kept as text, and read back when they are shown; their numbers stand as `:d` or `:,`."""
