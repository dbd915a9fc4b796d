"""Signal that the server stops: uvicorn waits for open responses, so endless ones must end by themselves."""

from __future__ import annotations

import signal
from threading import Event, current_thread, main_thread
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def stopping() -> Event:
    """Event that is set when a signal asks the process to stop; earlier handlers still run."""
    asked = Event()
    if current_thread() is main_thread():
        for number in SIGNALS:
            _on_signal(number, asked)
    return asked


def _on_signal(number: signal.Signals, asked: Event) -> None:
    before = signal.getsignal(number)

    def on_signal(received: int, frame: FrameType | None) -> None:
        asked.set()
        if callable(before):
            before(received, frame)

    signal.signal(number, on_signal)
