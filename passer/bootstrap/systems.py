"""Systems of others that a Python program passes to PaSSER: functions, and runnables of LangChain."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Protocol, cast

from passer.adapters.generators.outside import FunctionSystem
from passer.errors import InputError


class Runnable(Protocol):
    """Anything with `invoke`, such as a chain of LangChain."""

    @property
    def invoke(self) -> Callable[[str], Any]:
        """Return what is called with a question."""


System = Callable[[str], Any] | Runnable
"""A system of others: question in; a text, or a mapping with `answer` and `passages`, out."""


def function_system(system: System, *, at_once: int) -> FunctionSystem:
    """Return a system that is asked `at_once` questions together; InputError for anything that cannot be called."""
    # A function has no digest of its own: answers of an earlier process may be those of another version.
    return FunctionSystem(_asks(system), digest=secrets.token_hex(32), at_once=at_once)


def _asks(system: System) -> Callable[[str], Any]:
    invoke = getattr(system, "invoke", None)
    found = invoke if callable(invoke) else system
    if not callable(found):
        raise InputError("A system is a function of the question, or has a method invoke.", field="systems")
    return cast("Callable[[str], Any]", found)
