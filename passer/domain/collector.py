"""Settings of a process: Python's collector of cyclic garbage, how often threads take turns, and their heaps.

By default the collector searches after every 700 new objects. Scoring, verifying and the server make millions of
objects without a cycle, beside hundreds of thousands that modules made, and each full search walks through all of them.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_NEW_OBJECTS = 10_000
"""Some megabytes at most wait for a search."""
_M_ARENA_MAX, _HEAPS = -8, 4
"""Parameter of glibc's `mallopt`, and its value."""
_SWITCH_S = 0.001
"""Longest that a thread computes while others wait for the interpreter: of the whole process, and Python's is 5 ms."""


def shorten_switch_interval() -> None:
    """Shorten the switch interval, so that threads with a reply wait less for a thread that computes."""
    sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_S))


def share_heaps() -> None:
    """Let the threads share four heaps; for a server, from its start. Nothing happens without glibc.

    glibc gives up to eight heaps a core to the threads, and memory that one of them freed is not used by the others:
    50 people made a server grow by 50 MB, and by 13 to 18 MB with four heaps.
    """
    # Here, because `passer --help` needs none of it.
    import ctypes

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _HEAPS)


def collect_rarely() -> None:
    """Search after every 10,000 new objects instead; for a process of PaSSER's own, from its start."""
    gc.set_threshold(_NEW_OBJECTS)


def exempt_loaded() -> None:
    """Freeze all existing objects, so that later collections skip them; only in a process that collects rarely.

    A full collection of a server traverses 300,000 objects of modules, which blocks all requests for .2 s.
    """
    if gc.get_threshold()[0] == _NEW_OBJECTS:
        gc.collect()
        gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable the collector within the block."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
