"""Python source is parsed by one thread at a time, where CPython cannot do it by several."""

from __future__ import annotations

import ast
import os
import sys
from functools import wraps
from threading import RLock
from typing import Any


def parse_in_turn() -> None:
    """Put a lock around `ast.parse`, once, on versions whose threads share one count of depth.

    Up to CPython 3.11.7 and 3.12.1 a thread that is interrupted in `ast.parse` by another one fails with `SystemError:
    AST constructor recursion depth mismatch` (python/cpython#106905). inspect and pydantic parse the signatures and
    descriptions of classes when a room is first entered: by the server's jobs and requests at the same time.
    """
    if sys.version_info >= ((3, 12, 2) if sys.version_info >= (3, 12) else (3, 11, 8)) or hasattr(
        ast.parse, "__wrapped__"
    ):
        return
    parse, lock = ast.parse, RLock()

    @wraps(parse)
    def in_turn(*arguments: Any, **named: Any) -> Any:
        with lock:
            return parse(*arguments, **named)

    ast.parse = in_turn
    # A process forked while another thread holds the lock would wait for ever: the child does not have that thread.
    os.register_at_fork(after_in_child=lock._at_fork_reinit)  # type: ignore[attr-defined]
