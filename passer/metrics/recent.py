"""Things that are likely to be asked for again, within a bound."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The most recently used values whose sizes add up to no more than a capacity; safe in many threads."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._size = 0
        self._items: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value, which becomes the most recent one, or None."""
        with self._lock:
            item = self._items.get(key)
            if item is None:
                return None
            self._items.move_to_end(key)
            return item[0]

    def put(self, key: K, value: V, *, size: int) -> None:
        """Keep a value; the least recent ones make room."""
        with self._lock:
            replaced = self._items.pop(key, None)
            self._size += size - (replaced[1] if replaced else 0)
            self._items[key] = (value, size)
            while self._size > self._capacity:
                _, (_, freed) = self._items.popitem(last=False)
                self._size -= freed
