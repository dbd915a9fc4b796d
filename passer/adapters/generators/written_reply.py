"""A streamed reply, put together."""

from __future__ import annotations


class WrittenReply:
    """The parts of a reply; other threads may read its text while it grows."""

    def __init__(self) -> None:
        self._thoughts: list[str] = []
        self._content: list[str] = []
        self.size = 0
        """Characters."""

    def add(self, thoughts: str, content: str) -> None:
        """Append what came."""
        self._thoughts.append(thoughts)
        self._content.append(content)
        self.size += len(thoughts) + len(content)

    @property
    def text(self) -> str:
        """The whole reply. Thoughts that the server sends apart come first, marked as models mark them."""
        thoughts, content = "".join(self._thoughts), "".join(self._content)
        return f"<think>{thoughts}</think>{content}" if thoughts else content

    @property
    def so_far(self) -> str:
        """The reply up to now: a beginning of the whole one, where thoughts may still go on."""
        return self.text if any(self._content) else self.text.removesuffix("</think>")
