"""Searches for cycles and heaps, in processes of their own: their settings are those of the whole process."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

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


HEAPS = """
import ctypes, sys, tempfile, threading
from passer.domain.collector import share_heaps
if sys.argv[1] == "shared":
    share_heaps()
libc, barrier = ctypes.CDLL(None), threading.Barrier(8)
def allocate():
    barrier.wait()
    libc.malloc(1000)
    barrier.wait()
threads = [threading.Thread(target=allocate) for _ in range(8)]
for each in threads:
    each.start()
for each in threads:
    each.join()
libc.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as told:
    file = ctypes.c_void_p(libc.fopen(told.name.encode(), b"w"))
    libc.malloc_info(0, file)
    libc.fclose(file)
    print(told.read().count(b"<heap nr="))
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="this C library is not glibc")
def test_threads_share_four_heaps():
    found = {
        how: int(subprocess.run([sys.executable, "-c", HEAPS, how], capture_output=True, text=True, check=True).stdout)
        for how in ("shared", "own")
    }
    assert found["shared"] <= 4 < found["own"]
