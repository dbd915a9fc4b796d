"""Searches for cycles, in a process of their own: their settings are those of the whole process."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc
from passer.domain.collector import collect_rarely, exempt_loaded

exempt_loaded()
print(gc.get_freeze_count())
collect_rarely()
exempt_loaded()
print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < 1000)

class Knot:
    def __init__(self):
        self.itself = self

knot = Knot()
del knot
print(gc.collect() > 0)
"""


def test_loaded_objects_are_exempt_in_a_process_of_ours_and_new_cycles_are_found() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60)
    # The first call is in a process that is not ours, as a notebook's.
    assert done.stdout.split() == ["0", "True", "True", "True"]
