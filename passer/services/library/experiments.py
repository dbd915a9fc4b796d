"""The experiment files that come with PaSSER, the phases of the published study among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from passer.domain.base import Frozen
from passer.domain.sweeps.sweep import Sweep

FOLDERS = (Path(__file__).parents[2] / "configs", Path(__file__).parents[3] / "configs")
"""In a wheel the files are within the package, in a checkout beside it."""


class Experiment(Frozen):
    """An experiment file."""

    name: str
    """Name of the file, without its ending."""
    sweep: Sweep
    """The sweep that it describes."""


@dataclass(frozen=True)
class Experiments:
    """Reads the files."""

    read: Callable[[Path], Sweep]
    folders: Sequence[Path] = FOLDERS

    def all(self) -> tuple[Experiment, ...]:
        """List the experiments by name."""
        found = next((paths for folder in self.folders if (paths := sorted(folder.glob("*.yaml")))), [])
        return tuple(Experiment(name=path.stem, sweep=self.read(path)) for path in found)
