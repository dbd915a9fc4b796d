"""Projects: each has separate datasets, collections, sweeps and records within one installation."""

from __future__ import annotations

import re

DEFAULT_PROJECT = "default"
"""The project that every installation has; it contains all data from before projects existed."""
PROJECT_NAME = r"^[a-z0-9][a-z0-9-]{0,39}$"
"""Names of projects are parts of addresses, folders and database schemas: small letters, digits and hyphens."""


def is_project_name(name: str) -> bool:
    """Return whether a project may have this name."""
    return re.fullmatch(PROJECT_NAME, name) is not None


def shown_project(name: str) -> str | None:
    """Return the name that records and exports state: None for the default project, as before there were projects."""
    return None if name == DEFAULT_PROJECT else name
