"""Settings that a project has values of its own for."""

from __future__ import annotations

from typing import Protocol


class SettingStore(Protocol):
    """Values of a project, by the name of the setting."""

    def values(self) -> dict[str, str]:
        """Return all values of the project."""

    def set(self, name: str, value: str) -> None:
        """Store a value, in place of the one of that name."""

    def unset(self, name: str) -> bool:
        """Delete a value; False if there is none."""
