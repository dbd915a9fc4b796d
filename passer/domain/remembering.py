"""What is read again and again and cannot change: the last ones, in the memory of this process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Remembered(Generic[V]):
    """Values by key, as many as weigh `most` together; the one that was not used for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """The value, if it is still there."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: Hashable, value: V, *, weight: int = 1) -> V:
        """Keep it, unless it alone weighs too much."""
        with self._lock:
            self._weight -= self._kept.pop(key, (None, 0))[1]
            self._kept[key] = (value, weight)
            self._weight += weight
            while self._weight > self._most:
                self._weight -= self._kept.popitem(last=False)[1][1]
        return value
