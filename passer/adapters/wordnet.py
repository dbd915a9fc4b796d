"""WordNet 3.0 from the files of a Debian package, of NLTK's data, or of a folder of one's own; never a download.

METEOR asks one thing of WordNet: the one-word lemmas of every synset that a word belongs to. The database files are
sorted text, so they are mapped into memory and searched there: no index is built and no start-up time spent. Base
forms are found as Princeton's morphy does, one rule applied once, which is also what NLTK does.
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

_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""What may be taken off a word, and what put in its place."""

_MARKER = re.compile(rb"\([a-z]+\)$")
"""Where an adjective may stand, as `(p)`: no part of the lemma."""


def find_wordnet(folder: str | Path | None = None) -> WordNetFiles | None:
    """WordNet in this folder (ConfigError if it is not there), else in the usual places, else None."""
    if folder is not None:
        place = Path(folder).expanduser()
        if not _complete(place):
            raise ConfigError(
                f"{place} holds no WordNet: give the folder with index.noun and data.noun, or unset the setting.",
                field="wordnet",
            )
        return WordNetFiles(place)
    return next((WordNetFiles(place) for place in map(_expanded, _PLACES) if _complete(place)), None)


def _expanded(place: str) -> Path:
    return Path(place).expanduser()


def _complete(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _FILES)


class WordNetFiles:
    """Synonyms from the database files in one folder; safe in many threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._maps: dict[str, mmap] = {}
        self.synonyms = lru_cache(maxsize=65_536)(self._synonyms)

    @cached_property
    def identity(self) -> str:
        """Version and digest, for the manifest."""
        digest = hashlib.sha256()
        for part in _PARTS:
            digest.update(self._file(f"data.{part}"))
        version = re.search(rb"WordNet (\d+\.\d+)", self._file("data.noun")[:2000])
        return f"WordNet {version[1].decode() if version else 'of unknown version'} sha256:{digest.hexdigest()}"

    def _synonyms(self, word: str) -> frozenset[str]:
        """One-word lemmas of all synsets that hold some base form of a word, as they are written there."""
        try:
            lemma = word.lower().encode("ascii")
        except UnicodeEncodeError:
            return frozenset()
        if not lemma or b"\n" in lemma or b" " in lemma:
            return frozenset()
        found: set[str] = set()
        for part in _PARTS:
            for line in self._entries(part, lemma):
                for offset in _offsets(line):
                    found.update(self._lemmas(part, offset))
        return frozenset(found)

    def _entries(self, part: str, lemma: bytes) -> Iterator[bytes]:
        """Index lines of the word itself and of its base forms."""
        exceptions = self._line(f"{part}.exc", lemma)
        if exceptions is not None:
            forms = exceptions.split()[1:]
        else:
            forms = [
                lemma[: -len(old)] + new.encode()
                for old, new in _ENDINGS[part]
                if lemma.endswith(old.encode()) and len(lemma) > len(old)
            ]
        for form in dict.fromkeys([lemma, *forms]):
            line = self._line(f"index.{part}", form)
            if line is not None:
                yield line

    def _lemmas(self, part: str, offset: int) -> Iterator[str]:
        """Lemmas of the synset at a byte of a data file that are one word."""
        data = self._file(f"data.{part}")
        fields = data[offset : data.find(b" | ", offset)].split()
        for place in range(int(fields[3], 16)):
            name = _MARKER.sub(b"", fields[4 + 2 * place])
            if b"_" not in name:
                yield name.decode("ascii")

    def _line(self, name: str, first: bytes) -> bytes | None:
        """The line of a sorted file that begins with this word, by bisection."""
        lines = self._file(name)
        low, high, hit = 0, len(lines), None
        while low < high:
            start = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = lines.find(b"\n", start)
            end = len(lines) if end < 0 else end
            word = lines[start:end].split(b" ", 1)[0]
            # The licence above the first entry is indented: its first word is empty and sorts before all others.
            # A word that stands twice counts as it stands last, so the search goes on to the right of a hit.
            if word <= first:
                low = end + 1
                hit = lines[start:end] if word == first else hit
            else:
                high = start
        return hit

    def _file(self, name: str) -> mmap:
        if name not in self._maps:
            with (self.folder / name).open("rb") as stream:
                self._maps[name] = mmap(stream.fileno(), 0, access=ACCESS_READ)
        return self._maps[name]


def _offsets(line: bytes) -> list[int]:
    """Synsets of an index line: lemma, part, count, pointers..., senses, tagged senses, offsets."""
    fields = line.split()
    return [int(field) for field in fields[len(fields) - int(fields[2]) :]]
