"""The projects of an installation: a separate folder and separate services for each."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING

from passer.domain.accounts.project import DEFAULT_PROJECT, is_project_name
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError, NotFoundError
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.bootstrap import Services


class Projects:
    """Opens each project when it is first asked for. Thread-safe.

    Each project is a folder in PASSER_HOME/projects. The folders are the only list of projects, so no other list can
    contradict it.
    """

    def __init__(self, default: Services, build: Callable[[Settings], Services]) -> None:
        """`default` are the services of the default project; `build` makes those of another one."""
        self._default, self._build = default, build
        self._opened: dict[str, Services] = {}
        self._lock = RLock()

    def names(self) -> tuple[str, ...]:
        """Return the names of all projects, the default one first."""
        folder = self._default.settings.projects_folder
        found = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else ()
        return (DEFAULT_PROJECT, *(name for name in found if is_project_name(name) and name != DEFAULT_PROJECT))

    def has(self, name: str) -> bool:
        """Return whether there is a project of this name."""
        if name == DEFAULT_PROJECT:
            return True
        return is_project_name(name) and (self._default.settings.projects_folder / name).is_dir()

    def check(self, name: str) -> None:
        """Raise NotFoundError unless there is a project of this name."""
        if not self.has(name):
            raise NotFoundError(sentence("project.unknown", name=name))

    def add(self, name: str) -> None:
        """Make a project without members; InputError for a name that it may not have, ConflictError if it exists."""
        if not is_project_name(name):
            raise InputError(sentence("project.name"), field="name")
        with self._lock:
            if self.has(name):
                raise ConflictError(sentence("project.exists", name=name))
            (self._default.settings.projects_folder / name).mkdir(parents=True)
            # Create the database now, so that its errors reach the person who adds the project.
            _ = self.open(name).adapters.database

    def open(self, name: str) -> Services:
        """Return the services of a project, which stay open. Raises NotFoundError if the project does not exist."""
        if name == DEFAULT_PROJECT:
            return self._default
        with self._lock:
            self.check(name)
            if name not in self._opened:
                self._opened[name] = self._build(self._default.settings.of_project(name))
            return self._opened[name]

    def close(self) -> None:
        """Close the projects that were opened, except the default one."""
        with self._lock:
            for services in self._opened.values():
                services.adapters.close()
            self._opened.clear()
