"""Columns by text alone: citations and grounding. Importing a family registers it."""

from __future__ import annotations

from passer.metrics.grounded import citations, grounding

FAMILIES = (citations, grounding)

__all__ = ["FAMILIES"]
