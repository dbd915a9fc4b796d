"""WordNet 3.0 from the files of a Debian package, of NLTK's data, or of a folder of one's own; never a download.

METEOR asks one thing of WordNet: the one-word lemmas of every synset that a word belongs to. So this reads the database
files itself, in a tenth of a second where NLTK's reader takes two. Base forms are found as Princeton's morphy does, one
rule applied once, which is also what NLTK does.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from passer.errors import ConfigError

_PLACES = (
    "/usr/share/wordnet",
    "/usr/local/share/wordnet",
    "/usr/local/WordNet-3.0/dict",
    "/usr/share/nltk_data/corpora/wordnet",
    "/usr/local/share/nltk_data/corpora/wordnet",
    "/usr/lib/nltk_data/corpora/wordnet",
    "~/nltk_data/corpora/wordnet",
)
_PARTS = ("noun", "verb", "adj", "adv")
_FILES = tuple(f"{kind}.{part}" for part in _PARTS for kind in ("index", "data")) + tuple(f"{p}.exc" for p in _PARTS)

_ENDINGS: dict[str, tuple[tuple[bytes, bytes], ...]] = {
    "noun": (
        (b"s", b""), (b"ses", b"s"), (b"ves", b"f"), (b"xes", b"x"), (b"zes", b"z"), (b"ches", b"ch"), (b"shes", b"sh"),
        (b"men", b"man"), (b"ies", b"y"),
    ),
    "verb": (
        (b"s", b""), (b"ies", b"y"), (b"es", b"e"), (b"es", b""), (b"ed", b"e"), (b"ed", b""), (b"ing", b"e"),
        (b"ing", b""),
    ),
    "adj": ((b"er", b""), (b"est", b""), (b"er", b"e"), (b"est", b"e")),
    "adv": (),
}  # fmt: skip
"""Endings to remove from a word, and their replacements."""

_MARKER = re.compile(rb"\([a-z]+\)$")
"""Syntactic marker of an adjective such as `(p)`, not part of the lemma."""


def find_wordnet(folder: str | Path | None = None) -> WordNetFiles | None:
    """Find WordNet in this folder (ConfigError if it is missing), else in the usual places, else None."""
    if folder is not None:
        place = Path(folder).expanduser()
        if not _complete(place):
            raise ConfigError(
                f"{place} contains no WordNet. Use the folder with index.noun and data.noun, or remove the setting.",
                field="wordnet",
            )
        return WordNetFiles(place)
    return next((WordNetFiles(place) for place in map(_expanded, _PLACES) if _complete(place)), None)


def _expanded(place: str) -> Path:
    return Path(place).expanduser()


def _complete(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _FILES)


class WordNetFiles:
    """Synonyms from the database files in a folder, read on first use. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.synonyms = lru_cache(maxsize=65_536)(self._synonyms)

    @cached_property
    def identity(self) -> str:
        digest = hashlib.sha256()
        for part in _PARTS:
            digest.update(self._data[part])
        version = re.search(rb"WordNet (\d+\.\d+)", self._data["noun"][:2000])
        return f"WordNet {version[1].decode() if version else 'of unknown version'} sha256:{digest.hexdigest()}"

    def _synonyms(self, word: str) -> frozenset[str]:
        """Return the one-word lemmas of all synsets that contain a base form of the word, as written there."""
        lemma = word.lower().encode("utf-8", "replace")
        return frozenset(
            name
            for part in _PARTS
            for form in self._base_forms(part, lemma)
            for offset in _offsets(self._index[part].get(form, b""))
            for name in self._lemmas(part, offset)
        )

    def _base_forms(self, part: str, lemma: bytes) -> dict[bytes, None]:
        """Return the word and its base forms by ending rules and exception lists."""
        exceptions = self._exceptions[part].get(lemma)
        if exceptions is not None:
            return dict.fromkeys([lemma, *exceptions.split()])
        return dict.fromkeys([lemma, *(lemma[: -len(old)] + new for old, new in _ENDINGS[part] if lemma.endswith(old))])

    def _lemmas(self, part: str, offset: int) -> Iterator[str]:
        """Return the one-word lemmas of the synset at a byte offset of a data file."""
        data = self._data[part]
        fields = data[offset : data.find(b" | ", offset)].split()
        for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
            if b"_" not in name:
                yield (_MARKER.sub(b"", name) if name.endswith(b")") else name).decode("ascii")

    @cached_property
    def _data(self) -> dict[str, mmap]:
        maps = {}
        for part in _PARTS:
            with (self.folder / f"data.{part}").open("rb") as stream:
                maps[part] = mmap(stream.fileno(), 0, access=ACCESS_READ)
        return maps

    @cached_property
    def _index(self) -> dict[str, dict[bytes, bytes]]:
        return {part: self._lines(f"index.{part}") for part in _PARTS}

    @cached_property
    def _exceptions(self) -> dict[str, dict[bytes, bytes]]:
        return {part: self._lines(f"{part}.exc") for part in _PARTS}

    def _lines(self, name: str) -> dict[bytes, bytes]:
        """Map lines by their first word; the last duplicate wins, as in NLTK."""
        lines = (self.folder / name).read_bytes().splitlines()
        # The licence before the first entry is indented.
        return {first: rest for first, _, rest in (line.partition(b" ") for line in lines) if first}


def _offsets(entry: bytes) -> list[int]:
    """Return synset offsets of an index entry: part, count, pointers..., senses, tagged senses, offsets."""
    fields = entry.split()
    return [int(field) for field in fields[len(fields) - int(fields[1]) :]] if fields else []
