"""The settings of a project: its own values before those of the environment."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.accounts.project_settings import ProjectSetting, ProjectValues, Source, allowed_value
from passer.domain.base import shown_address
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import SettingStore


@dataclass(frozen=True)
class ProjectSettings:
    """Reads and changes the settings of one project."""

    store: SettingStore
    installation: ProjectValues
    """Values of the environment; what it does not set has its default."""

    def current(self) -> ProjectValues:
        """Return the values that apply now. They are read each time: a change needs no restart."""
        own = self.installation.model_dump(include=set(ProjectValues.model_fields))
        return ProjectValues.model_validate({**own, **self._own()})

    def list(self) -> tuple[ProjectSetting, ...]:
        """Return all settings with their origins."""
        own = self._own()
        return tuple(self._shown(name, own.get(name)) for name in ProjectValues.model_fields)

    def set(self, name: str, text: str) -> ProjectSetting:
        """Give the project a value of its own.

        Raises NotFoundError for an unknown setting, and InputError for a value that is not allowed.
        """
        value = allowed_value(name, text)
        self.store.set(name, value)
        return self._shown(name, value)

    def unset(self, name: str) -> ProjectSetting:
        """Delete the project's own value; NotFoundError if it has none."""
        if not self.store.unset(name):
            raise NotFoundError(sentence("setting.not-set", name=name[:60]))
        return self._shown(name, None)

    def _own(self) -> dict[str, str]:
        # A newer version may have stored others.
        return {name: value for name, value in self.store.values().items() if name in ProjectValues.model_fields}

    def _shown(self, name: str, own: str | None) -> ProjectSetting:
        inherited = getattr(self.installation, name)
        # The environment's address may contain a password; a project's cannot.
        shown = None if inherited is None else shown_address(str(inherited))
        source: Source = "environment" if name in self.installation.model_fields_set else "default"
        return ProjectSetting(
            name=name,
            value=shown if own is None else own,
            source=source if own is None else "project",
            inherited=shown,
            variable=f"PASSER_{name.upper()}",
        )
