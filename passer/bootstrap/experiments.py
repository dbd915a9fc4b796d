"""Reads experiment files, which may be somebody else's."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from passer.adapters.experiments.reader import load_experiment
from passer.adapters.reading.limits import ReaderLimits
from passer.adapters.reading.pool import ReaderPool
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, TooLargeError


def experiment(path: Path) -> Sweep:
    """The sweep that an experiment file describes; ConfigError names the key that is wrong."""
    # An untrusted file: merged anchors alone can use all memory before any limit is checked.
    with closing(ReaderPool(ReaderLimits(memory_mb=300, cpu_s=5, wall_s=60.0))) as pool:
        try:
            return pool.call(load_experiment, path, dict(os.environ), name=str(path))
        except TooLargeError as exc:
            raise ConfigError(sentence("reader.experiment", path=str(path))) from exc
