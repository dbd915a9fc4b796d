"""What a server does again and again beside answering requests, in a thread of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Event, Thread

LOOK_EVERY_S = 2.0
GIVE_UP_AFTER_S = 30.0
"""How long a stopping server waits for what is under way."""


class Background(ABC):
    """Calls `look` every LOOK_EVERY_S, and at once after `wake`, for as long as the server lives."""

    def __init__(self, name: str) -> None:
        self._stop, self._wake = Event(), Event()
        self._thread = Thread(target=self._work, name=name, daemon=True)

    @abstractmethod
    def look(self) -> None:
        """Do what is to be done now; raises nothing, and returns soon after the stop was set."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Something new waits: look now."""
        self._wake.set()

    def stop(self) -> None:
        """Commit what is there and end; what is left goes on at the next start."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=GIVE_UP_AFTER_S)

    def _work(self) -> None:
        while not self._stop.is_set():
            self.look()
            self._wake.wait(LOOK_EVERY_S)
            self._wake.clear()
