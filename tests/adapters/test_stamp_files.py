"""Time stamps as files: an older one stays, also where two processes keep one in the same moment."""

from __future__ import annotations

from pathlib import Path, PosixPath

from passer.adapters.time_stamps import StampFiles

THEIRS = b"of the other process"


class Overtaken(PosixPath):
    """The name of a stamp that another process gives in the last moment: after a look at it, or when it is given."""

    def exists(self) -> bool:
        found = super().exists()
        self.write_bytes(THEIRS)
        return found

    def hardlink_to(self, target: Path) -> None:
        self.write_bytes(THEIRS)
        super().hardlink_to(target)


class Unlinkable(PosixPath):
    """A name in a file system without links."""

    def hardlink_to(self, target: Path) -> None:
        raise PermissionError("Operation not permitted")


def stamps_named(form: type[PosixPath], folder: Path) -> StampFiles:
    # Only the paths of this store: a patched Path would change what every other part of the process does with files.
    return StampFiles(form(folder))


def test_the_first_stamp_stays_and_nothing_else_is_left(tmp_path: Path) -> None:
    stamps = StampFiles(tmp_path / "stamps")
    assert stamps.stamp("ab") is None
    stamps.keep("ab", b"first")
    stamps.keep("ab", b"second")
    assert stamps.stamp("ab") == b"first"
    assert [path.name for path in (tmp_path / "stamps").iterdir()] == ["ab.tsr"]


def test_a_stamp_that_another_process_keeps_meanwhile_stays(tmp_path: Path) -> None:
    stamps = stamps_named(Overtaken, tmp_path)
    stamps.keep("ab", b"ours")
    assert stamps.stamp("ab") == THEIRS
    assert [path.name for path in tmp_path.iterdir()] == ["ab.tsr"]


def test_without_links_the_stamp_is_renamed(tmp_path: Path) -> None:
    stamps = stamps_named(Unlinkable, tmp_path)
    stamps.keep("ab", b"first")
    assert stamps.stamp("ab") == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["ab.tsr"]
