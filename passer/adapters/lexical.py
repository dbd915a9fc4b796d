"""BM25 over the passages of a collection, by bm25s on our own terms."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from passer.domain.retrieval.retriever import Analyser, Lexical
from passer.domain.texts.search_words import TextRules, search_words, without_shapeless
from passer.domain.texts.words import unicode_words
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    import bm25s

log = logging.getLogger(__name__)

_ENGLISH_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")

STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
})  # fmt: skip
"""The 33 English stop words of Lucene's EnglishAnalyzer."""


def terms(texts: Sequence[str], analyser: Analyser, rules: TextRules) -> list[list[str]]:
    """Cut texts into terms; ConfigError if a library that the analyser needs is not installed."""
    if analyser == "plain":
        return list(map(unicode_words if rules == 1 else search_words, texts))
    if rules != 1:
        # The dot of İ stays behind in lower case.
        texts = [without_shapeless(text).lower().replace("i\u0307", "i") for text in texts]
    # Lucene's EnglishAnalyzer: words, without 's, in lower case, without stop words, stemmed (there by Porter's rules).
    words = [[_POSSESSIVE.sub("", word) for word in _ENGLISH_WORD.findall(text.lower())] for text in texts]
    stemmer = _english_stemmer()
    return [list(stemmer.stemWords([word for word in each if word not in STOP_WORDS])) for each in words]


class LexicalIndex:
    """The passages of one version of a collection, ready for BM25."""

    def __init__(self, texts: Sequence[str], retriever: Lexical, rules: TextRules) -> None:
        self._analyser, self._rules, self._count = retriever.analyser, rules, len(texts)
        found = terms(texts, retriever.analyser, rules)
        self._bm25 = _built(found, retriever) if any(found) else None
        self._known = _vocabulary(self._bm25)

    def save(self, folder: Path) -> None:
        """Write the index to a folder; one without any term is not written."""
        if self._bm25 is not None:
            self._bm25.save(folder, show_progress=False)

    @classmethod
    def load(cls, folder: Path, retriever: Lexical, rules: TextRules, *, count: int) -> LexicalIndex:
        """Read the index of `count` passages; OSError, ValueError, KeyError or EOFError if they cannot be read."""
        import bm25s

        found = cls((), retriever, rules)
        index = bm25s.BM25.load(folder, show_progress=False)
        if index.scores["num_docs"] != count:
            raise ValueError(f"{folder} is the index of {index.scores['num_docs']} passages, not of {count}")
        found._bm25, found._count, found._known = index, count, _vocabulary(index)
        return found

    def scores(self, question: str) -> NDArray[np.float32]:
        """Return the BM25 score of each passage, float32, shape (passages,); 0 without a common term."""
        asked = [term for term in terms([question], self._analyser, self._rules)[0] if term in self._known]
        if self._bm25 is None or not asked:
            return np.zeros(self._count, dtype=np.float32)
        return np.asarray(self._bm25.get_scores(asked), dtype=np.float32)


class LexicalFiles:
    """BM25 indexes in a folder, so that not each process builds them again. Nothing else is kept there.

    A folder is named by the version of its collection and the digest of the retriever, which contains the version of
    the analyser: an index of anything else is never read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def index(
        self, version: tuple[str, int], texts: Sequence[str], retriever: Lexical, rules: TextRules
    ) -> LexicalIndex:
        """Return the index of the passages of a collection at a version; built, and written, if it is not there."""
        stored, documents = version
        path = self._folder / stored / f"{documents}-{retriever.digest[:24]}"
        if path.is_dir():
            try:
                return LexicalIndex.load(path, retriever, rules, count=len(texts))
            except (OSError, ValueError, KeyError, EOFError):
                log.warning("the BM25 index %s cannot be read and is built again", path)
        built = LexicalIndex(texts, retriever, rules)
        try:
            self._write(built, path)
        except OSError as exc:
            # It is a cache: a full or read-only disk must not prevent a search.
            log.warning("the BM25 index %s cannot be written: %s", path, exc)
        return built

    def discard(self, stored: str) -> None:
        """Delete the indexes of a collection by Chroma's id of it."""
        rmtree(self._folder / stored, ignore_errors=True)

    @staticmethod
    def _write(built: LexicalIndex, path: Path) -> None:
        """Write an index atomically; delete those of earlier versions of the collection."""
        version = path.name.partition("-")[0]
        for earlier in path.parent.glob("*"):
            if earlier.name.partition("-")[0] != version or earlier == path:
                rmtree(earlier, ignore_errors=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent, prefix=f"{version}-new-") as partial:
            written = Path(partial) / "index"
            built.save(written)
            if written.is_dir():
                # Another process may have been faster: its index is the same.
                with suppress(OSError):
                    written.rename(path)


def best(scores: NDArray[np.float32], top_k: int) -> NDArray[np.intp]:
    """Return the rows of the top_k highest scores, highest first; equal ones in the order of the rows."""
    if top_k < len(scores):
        cut = np.partition(scores, -top_k)[-top_k]
        rows = np.flatnonzero(scores >= cut)
    else:
        rows = np.arange(len(scores))
    # A stable sort of the negated scores keeps equal rows in place; bm25s' own top-k does not.
    return rows[np.argsort(-scores[rows], kind="stable")[:top_k]]


def _built(found: list[list[str]], retriever: Lexical) -> bm25s.BM25:
    try:
        import bm25s
    except ImportError as exc:
        raise _missing("bm25s") from exc
    index = bm25s.BM25(method="lucene", k1=retriever.k1, b=retriever.b)
    index.index(found, show_progress=False)
    return index


def _vocabulary(index: bm25s.BM25 | None) -> set[str]:
    """Return the terms of an index without the empty term that bm25s adds."""
    return set() if index is None else set(index.vocab_dict) - {""}


def _english_stemmer() -> Any:
    try:
        import Stemmer
    except ImportError as exc:
        raise _missing("PyStemmer") from exc
    return Stemmer.Stemmer("english")


def _missing(package: str) -> ConfigError:
    return ConfigError(sentence("retriever.bm25-missing", package=package))
