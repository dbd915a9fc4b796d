"""Threads of one process parse Python source side by side."""

from __future__ import annotations

import subprocess
import sys

import pytest

SIDE_BY_SIDE = """
import ast, gc, sys, threading, time

source, problems = "x = [f(a, b + 1) for a in b]\\n" * 200, []
gc.set_threshold(50)
gc.callbacks.append(lambda *_: time.sleep(0))  # what is collected gives the other thread its turn

def parse():
    try:
        for _ in range(5):
            ast.parse(source)
    except SystemError as exc:
        problems.append(str(exc))

threads = [threading.Thread(target=parse) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*problems)
"""


def said(first: str) -> str:
    done = subprocess.run([sys.executable, "-c", first + SIDE_BY_SIDE], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_threads_that_parse_at_the_same_time_do_not_disturb_each_other():
    assert said("import passer.bootstrap") == ""


@pytest.mark.skipif(sys.version_info >= (3, 11, 8), reason="this CPython parses in several threads")
def test_without_turns_this_python_fails():
    assert "recursion depth mismatch" in said("")
