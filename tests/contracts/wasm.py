"""Reads as much of a WebAssembly module as says what it can do: its sections, imports, exports and large constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TYPE, IMPORT, EXPORT, CODE = 1, 2, 7, 10
_FUNCTION = 0
_I64_CONST = 0x42


@dataclass
class _Reader:
    data: bytes
    at: int = 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def take(self, count: int) -> bytes:
        taken = self.data[self.at : self.at + count]
        assert len(taken) == count, "the module ends too early"
        self.at += count
        return taken

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def text(self) -> str:
        return self.take(self.unsigned()).decode()


def sections(module: bytes) -> list[tuple[int, bytes]]:
    """Number and content of each section, in order; 0 is a custom one."""
    reader = _Reader(module)
    assert reader.take(8) == b"\0asm\1\0\0\0", "no WebAssembly module"
    found = []
    while reader.at < len(module):
        number = reader.byte()
        found.append((number, reader.take(reader.unsigned())))
    return found


def imports(module: bytes) -> list[tuple[str, str]]:
    """Module and name of each import; all must be functions."""
    found = []
    for content in _content(module, IMPORT):
        reader = _Reader(content)
        for _ in range(reader.unsigned()):
            found.append((reader.text(), reader.text()))
            assert reader.byte() == _FUNCTION, f"{found[-1]} is no function"
            reader.unsigned()
        assert reader.at == len(content)
    return found


def exports(module: bytes) -> list[tuple[str, int]]:
    """Name and kind (0 function, 2 memory) of each export."""
    found = []
    for content in _content(module, EXPORT):
        reader = _Reader(content)
        for _ in range(reader.unsigned()):
            found.append((reader.text(), reader.byte()))
            reader.unsigned()
        assert reader.at == len(content)
    return found


def possible_constants(module: bytes) -> Iterator[int]:
    """Every 64-bit constant of the code as an unsigned number, and perhaps bytes that only look like one."""
    for content in _content(module, CODE):
        for at, byte in enumerate(content):
            if byte == _I64_CONST:
                value = _signed(content[at + 1 : at + 11])
                if value is not None:
                    yield value % 2**64


def _signed(data: bytes) -> int | None:
    value = 0
    for place, byte in enumerate(data):
        value |= (byte & 0x7F) << 7 * place
        if not byte & 0x80:
            return value - (1 << 7 * (place + 1)) if byte & 0x40 else value
    return None


def _content(module: bytes, wanted: int) -> Iterator[bytes]:
    return (content for number, content in sections(module) if number == wanted)
