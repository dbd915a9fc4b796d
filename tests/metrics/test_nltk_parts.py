"""Parts of NLTK are loaded whole, also when several threads want the first ones together."""

from __future__ import annotations

import subprocess
import sys

TOGETHER = """
import sys
import threading
from passer.metrics import nltk_parts

wanted = [nltk_parts.punkt, nltk_parts.destructive, nltk_parts.porter] * 3
start, failed = threading.Barrier(len(wanted)), []

def load(part):
    start.wait()
    try:
        part()
    except Exception as exc:
        failed.append(repr(exc))

threads = [threading.Thread(target=load, args=(part,)) for part in wanted]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed, failed
assert "sklearn" not in sys.modules, "a second of a processor for what nothing uses"
"""


def test_threads_that_meet_at_the_first_use_all_get_whole_modules() -> None:
    done = subprocess.run([sys.executable, "-c", TOGETHER], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
